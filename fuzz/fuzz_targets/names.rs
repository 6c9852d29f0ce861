//! Demangles any bytes in every style.
#![no_main]

use libfuzzer_sys::fuzz_target;
use profan::symbols::{Style, demangle};

fuzz_target!(|data: &[u8]| {
    for style in [
        Style::Auto,
        Style::GnuV3,
        Style::Java,
        Style::Gnat,
        Style::Dlang,
        Style::Rust,
    ] {
        let _ = demangle(data, style);
    }
});
