//! Numbers and positions at the start of a text.

use super::CallgrindFault;

/// Takes a decimal or `0x` hexadecimal number from the start of a text. `None` without a number,
/// above 64 bits, or if no blank follows.
pub(super) fn take_number(text: &mut &[u8]) -> Option<u64> {
    let (value, rest) = match text {
        [b'0', b'x' | b'X', digits @ ..] => digits_of::<16>(digits)?,
        _ => digits_of::<10>(text)?,
    };
    let is_whole = rest.first().is_none_or(u8::is_ascii_whitespace);
    *text = rest.trim_ascii_start();
    is_whole.then_some(value)
}

pub(super) fn number(mut text: &[u8]) -> Option<u64> {
    take_number(&mut text).filter(|_| text.is_empty())
}

/// Takes a position from the start of a text. It may be relative to `last`.
pub(super) fn take_position(
    text: &mut &[u8],
    last: u64,
    what: &'static str,
) -> Result<u64, CallgrindFault> {
    let relative: fn(u64, u64) -> Option<u64> = match text.first() {
        Some(b'*') => {
            *text = text[1..].trim_ascii_start();
            return Ok(last);
        }
        Some(b'+') => u64::checked_add,
        Some(b'-') => u64::checked_sub,
        _ => return take_number(text).ok_or(CallgrindFault::Position { what }),
    };
    *text = &text[1..];
    take_number(text)
        .and_then(|distance| relative(last, distance))
        .ok_or(CallgrindFault::Position { what })
}

/// The number at the start of a text, and the rest. The radix is a constant for speed: most
/// of a file is numbers.
fn digits_of<const RADIX: u32>(text: &[u8]) -> Option<(u64, &[u8])> {
    let mut value: u64 = 0;
    let mut n_digits = 0;
    for &byte in text {
        let Some(digit) = char::from(byte).to_digit(RADIX) else {
            break;
        };
        value = value.checked_mul(u64::from(RADIX))?;
        value = value.checked_add(u64::from(digit))?;
        n_digits += 1;
    }
    (n_digits > 0).then_some((value, &text[n_digits..]))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(text: &str, last: u64, expected: Option<(u64, &str)>) {
        let mut rest = text.as_bytes();
        let found = take_position(&mut rest, last, "line").ok();
        let found = found.map(|value| (value, std::str::from_utf8(rest).unwrap()));
        assert_eq!(found, expected, "for {text:?} behind {last}");
    }

    #[test]
    fn positions_are_absolute_or_relative() {
        check("15 90", 1, Some((15, "90")));
        check("0x1Fa\t 90", 1, Some((0x1fa, "90")));
        check("+3 * 5", 0x8000, Some((0x8003, "* 5")));
        check("-0x3", 5, Some((2, "")));
        check("* 5", 5, Some((5, "5")));
    }

    #[test]
    fn positions_out_of_range_are_refused() {
        check("-6", 5, None);
        check("+1", u64::MAX, None);
        check("18446744073709551616", 0, None);
        check("0x10000000000000000", 0, None);
        check("+", 5, None);
        check("0x", 5, None);
        check("12a", 5, None);
        check("", 5, None);
    }
}
