//! JSON values.

use std::io::{self, Write};

use serde::Serialize;
use serde_json::Serializer;
use serde_json::ser::Formatter;

use crate::report::escape::is_clean;
use crate::report::number::digits;
use crate::report::{Cell, NameTable};

/// Adds a value. Fractional numbers have the shortest form that reads back the same.
pub(in crate::render) fn push(text: &mut Vec<u8>, value: impl Serialize) {
    let mut serializer = Serializer::with_formatter(text, EscapeUnseen);
    value.serialize(&mut serializer).expect("keys are text, and a vector takes everything");
}

/// Escapes characters that could control a terminal, of which JSON demands only those below
/// U+0020.
struct EscapeUnseen;

impl Formatter for EscapeUnseen {
    fn write_string_fragment<W: Write + ?Sized>(
        &mut self,
        out: &mut W,
        fragment: &str,
    ) -> io::Result<()> {
        if is_clean(fragment.as_bytes()) {
            return out.write_all(fragment.as_bytes());
        }
        for character in fragment.chars() {
            let (mut bytes, mut units) = ([0; 4], [0; 2]);
            let text = character.encode_utf8(&mut bytes).as_bytes();
            if is_clean(text) {
                out.write_all(text)?;
                continue;
            }
            for unit in character.encode_utf16(&mut units) {
                write!(out, "\\u{unit:04x}")?;
            }
        }
        Ok(())
    }
}

/// Adds an integer. Faster for small ones, which nearly all are.
pub(in crate::render) fn push_integer(text: &mut Vec<u8>, number: i128) {
    match u64::try_from(number) {
        Ok(number) => text.extend_from_slice(digits(number, &mut [0; 20])),
        Err(_) => push(text, number),
    }
}

/// Adds a cell; a name as text only.
pub(super) fn push_cell(text: &mut Vec<u8>, cell: &Cell, names: &dyn NameTable) {
    match cell {
        Cell::Absent => text.extend_from_slice(b"null"),
        Cell::Integer(number) => push_integer(text, *number),
        // NaN and infinity become null.
        Cell::Real(number) => push(text, number),
        Cell::Counts(counts) => push(text, counts),
        Cell::Name(id) => push_bytes(text, names.name(*id)),
        Cell::Text(bytes) => push_bytes(text, bytes),
    }
}

/// Adds bytes: a string, or for bytes that are not UTF-8 an object with hexadecimal digits.
pub(super) fn push_bytes(text: &mut Vec<u8>, bytes: &[u8]) {
    if is_plain(bytes) {
        text.push(b'"');
        text.extend_from_slice(bytes);
        text.push(b'"');
        return;
    }
    if let Ok(string) = std::str::from_utf8(bytes) {
        return push(text, string);
    }
    text.extend_from_slice(b"{\"bytes\":\"");
    for byte in bytes {
        text.extend(format!("{byte:02x}").bytes());
    }
    text.extend_from_slice(b"\",\"text\":");
    push(text, String::from_utf8_lossy(bytes));
    text.push(b'}');
}

/// Returns whether bytes need no escape, as nearly all names. Checks many bytes at once.
fn is_plain(bytes: &[u8]) -> bool {
    let is_plain = |byte: u8| matches!(byte, b' '..=b'~') & (byte != b'"') & (byte != b'\\');
    bytes.iter().filter(|&&byte| !is_plain(byte)).count() == 0
}

/// Decodes lower-case hexadecimal digits.
pub(super) fn bytes_of_hex(digits: &str) -> Option<Vec<u8>> {
    let digit = |byte: u8| match byte {
        b'0'..=b'9' | b'a'..=b'f' => (byte as char).to_digit(16),
        _ => None,
    };
    let pairs = digits.as_bytes().chunks(2);
    pairs
        .map(|pair| {
            let &[high, low] = pair else { return None };
            u8::try_from(digit(high)? << 4 | digit(low)?).ok()
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::report::NoNames;

    fn check(cell: &Cell, expected: &str) {
        let mut text = Vec::new();
        push_cell(&mut text, cell, &NoNames);
        assert_eq!(String::from_utf8_lossy(&text), expected);
    }

    #[test]
    fn numbers_are_written_so_that_nothing_is_lost() {
        check(&Cell::Integer(i128::MAX), "170141183460469231731687303715884105727");
        check(&Cell::Integer(-3), "-3");
        check(&Cell::Real(3.0), "3.0");
        check(&Cell::Real(0.1), "0.1");
        check(&Cell::Real(f64::NAN), "null");
        check(&Cell::Real(f64::INFINITY), "null");
        check(&Cell::Counts([1, 2].into()), "[1,2]");
    }

    #[test]
    fn texts_are_json_without_controls() {
        for character in (0..=0xff).filter_map(char::from_u32).chain(['\u{202e}', '\u{e0041}', '𝄞'])
        {
            let string = format!("a{character}b");
            let mut text = Vec::new();
            push_bytes(&mut text, string.as_bytes());
            assert!(is_clean(&text), "{string:?} is {text:?}");
            let read: String = serde_json::from_slice(&text).expect("strings are JSON");
            assert_eq!(read, string);
        }
    }

    #[test]
    fn bytes_that_are_no_text_are_hexadecimal() {
        check(&Cell::text("a\"\\\n\u{7f}ö"), "\"a\\\"\\\\\\n\\u007fö\"");
        check(&Cell::text(b"a\xff"), "{\"bytes\":\"61ff\",\"text\":\"a\u{fffd}\"}");
        assert_eq!(bytes_of_hex("61ff"), Some(b"a\xff".to_vec()));
        assert_eq!(bytes_of_hex("61f"), None);
        assert_eq!(bytes_of_hex("6g"), None);
    }
}
