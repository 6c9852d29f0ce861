//! Reads any bytes as a text that shows a profile.
#![no_main]

use std::path::Path;

use libfuzzer_sys::fuzz_target;
use profan::load::{Hints, Input, load_hexdump};

fuzz_target!(|data: &[u8]| {
    if let Ok(input) = Input::from_bytes(Path::new("fuzz"), data.to_vec()) {
        let _ = load_hexdump(&input, &Hints::default());
    }
});
