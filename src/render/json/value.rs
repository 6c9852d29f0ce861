//! Values as they stand in JSON.

use serde::Serialize;

use crate::report::number::digits;
use crate::report::{Cell, NameTable};

/// Adds a value of a type that JSON has. Numbers with a fraction are spelled as short as
/// they can be read back the same.
pub(in crate::render) fn push(text: &mut Vec<u8>, value: impl Serialize) {
    serde_json::to_writer(text, &value).expect("a vector takes everything");
}

/// Adds a whole number. Small ones, which nearly all are, take less time.
pub(in crate::render) fn push_integer(text: &mut Vec<u8>, number: i128) {
    match u64::try_from(number) {
        Ok(number) => text.extend_from_slice(digits(number, &mut [0; 20])),
        Err(_) => push(text, number),
    }
}

/// Adds a cell. A name is its spelling alone.
pub(super) fn push_cell(text: &mut Vec<u8>, cell: &Cell, names: &dyn NameTable) {
    match cell {
        Cell::Absent => text.extend_from_slice(b"null"),
        Cell::Integer(number) => push_integer(text, *number),
        // What is no number becomes null.
        Cell::Real(number) => push(text, number),
        Cell::Counts(counts) => push(text, counts),
        Cell::Name(id) => push_bytes(text, names.name(*id)),
        Cell::Text(bytes) => push_bytes(text, bytes),
    }
}

/// Adds bytes: as a string or, where they are not UTF-8, as an object that has them in
/// hexadecimal.
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
        let [high, low] = [byte >> 4, byte & 0xf].map(usize::from);
        text.extend_from_slice(&[HEX_DIGITS[high], HEX_DIGITS[low]]);
    }
    text.extend_from_slice(b"\",\"text\":");
    push(text, String::from_utf8_lossy(bytes));
    text.push(b'}');
}

/// Whether bytes are text of which nothing is escaped, as nearly all names are. So all
/// bytes are looked at, many at once.
fn is_plain(bytes: &[u8]) -> bool {
    let mut is_plain = true;
    for &byte in bytes {
        is_plain &= matches!(byte, b' '..=b'~') & (byte != b'"') & (byte != b'\\');
    }
    is_plain
}

/// Adds an address in hexadecimal, as a string.
pub(super) fn push_address(text: &mut Vec<u8>, address: u64) {
    let mut digits = [b'0'; 16];
    let mut rest = address;
    for digit in digits.iter_mut().rev() {
        *digit = HEX_DIGITS[usize::try_from(rest & 0xf).unwrap_or(0)];
        rest >>= 4;
    }
    let first = digits.iter().position(|&digit| digit != b'0');
    text.extend_from_slice(b"\"0x");
    text.extend_from_slice(&digits[first.unwrap_or(15)..]);
    text.push(b'"');
}

/// The bytes that so many hexadecimal digits stand for.
pub(super) fn bytes_of_hex(digits: &str) -> Option<Vec<u8>> {
    let digit = |&digit: &u8| HEX_DIGITS.iter().position(|&one| one == digit);
    let pairs = digits.as_bytes().chunks(2);
    pairs
        .map(|pair| {
            let [high, low] = pair else { return None };
            u8::try_from(digit(high)? << 4 | digit(low)?).ok()
        })
        .collect()
}

const HEX_DIGITS: &[u8; 16] = b"0123456789abcdef";

#[cfg(test)]
mod tests {
    use super::*;
    use crate::render::testing::NoNames;

    fn check(cell: &Cell, expected: &str) {
        let mut text = Vec::new();
        push_cell(&mut text, cell, &NoNames);
        assert_eq!(String::from_utf8_lossy(&text), expected);
    }

    #[test]
    fn numbers_are_written_so_that_nothing_is_lost() {
        check(
            &Cell::Integer(i128::MAX),
            "170141183460469231731687303715884105727",
        );
        check(&Cell::Integer(-3), "-3");
        check(&Cell::Real(3.0), "3.0");
        check(&Cell::Real(0.1), "0.1");
        check(&Cell::Real(f64::NAN), "null");
        check(&Cell::Real(f64::INFINITY), "null");
        check(&Cell::Counts([1, 2].into()), "[1,2]");
    }

    #[test]
    fn addresses_are_hexadecimal_without_zeros_in_front() {
        let mut addresses = vec![0, 1, u64::MAX, 0x40_1060];
        addresses.extend((0..64).map(|bit| 1 << bit));
        for address in addresses {
            let mut text = Vec::new();
            push_address(&mut text, address);
            assert_eq!(String::from_utf8_lossy(&text), format!("\"{address:#x}\""));
        }
    }

    #[test]
    fn plain_text_is_what_would_be_escaped_nowhere() {
        for code in 0..=0xff_u32 {
            let character = char::from_u32(code).expect("all of Latin-1 are characters");
            let string = format!("a{character}b");
            let mut text = Vec::new();
            push_bytes(&mut text, string.as_bytes());
            let expected = serde_json::to_string(&string).expect("strings are JSON");
            assert_eq!(String::from_utf8_lossy(&text), expected);
        }
    }

    #[test]
    fn bytes_that_are_no_text_are_hexadecimal() {
        check(&Cell::text("a\"\\\n\u{7f}ö"), "\"a\\\"\\\\\\n\u{7f}ö\"");
        check(
            &Cell::text(b"a\xff"),
            "{\"bytes\":\"61ff\",\"text\":\"a\u{fffd}\"}",
        );
        assert_eq!(bytes_of_hex("61ff"), Some(b"a\xff".to_vec()));
        assert_eq!(bytes_of_hex("61f"), None);
        assert_eq!(bytes_of_hex("6g"), None);
    }
}
