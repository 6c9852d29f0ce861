use profan::symbols::{Languages, Style, demangle};

use super::super::made::text::{NAMES, text_of};

/// The styles that change names.
const STYLES: [Style; 6] =
    [Style::Auto, Style::GnuV3, Style::Java, Style::Gnat, Style::Dlang, Style::Rust];

/// Starts of mangled names.
const STARTS: [&[u8]; 6] = [b"", b"_Z", b"_ZN", b"_R", b"_D", b"_RNv"];

/// Any bytes, and pieces of mangled names, in every style, after the starts of mangled names. The
/// style `auto` must agree with one of the styles that it includes.
pub fn names(data: &[u8]) {
    let pieces = text_of(data, NAMES);
    for start in STARTS {
        for rest in [data, &pieces] {
            let raw = [start, rest].concat();
            let [auto, cxx, .., rust] = STYLES.map(|style| demangle(&raw, style));
            assert_eq!(auto, rust.or(cxx));
            assert_eq!(demangle(&raw, Style::None), None);
            let languages = Languages::of([&raw[..], b"MAIN__", b"adainit"]);
            let _ = languages.demangle(&raw);
        }
    }
}
