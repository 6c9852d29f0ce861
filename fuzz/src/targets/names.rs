use profan::symbols::{Demangler, Style, demangle};

use super::super::made::text::{NAMES, text_of};

/// The styles that change names.
const STYLES: [Style; 6] =
    [Style::Libiberty, Style::GnuV3, Style::Java, Style::Gnat, Style::Dlang, Style::Rust];

/// Starts of mangled names.
const STARTS: [&[u8]; 7] = [b"", b"_Z", b"_ZN", b"_R", b"_D", b"_RNv", b"camlA__"];

/// Any bytes, and pieces of mangled names, in every style, after the starts of mangled names. The
/// automatic style of libiberty must agree with one of the styles that it includes.
pub fn names(data: &[u8]) {
    let pieces = text_of(data, NAMES);
    for start in STARTS {
        for rest in [data, &pieces] {
            let raw = [start, rest].concat();
            let [auto, cxx, .., rust] = STYLES.map(|style| demangle(&raw, style));
            assert_eq!(auto, rust.or(cxx));
            assert_eq!(demangle(&raw, Style::None), None);
            let program = [&raw[..], b"MAIN__", b"adainit"];
            let _ = Demangler::of_program(Style::Auto, program).shown(&raw);
        }
    }
}
