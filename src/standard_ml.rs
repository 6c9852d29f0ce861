//! Words and numbers in text, as the Standard ML Basis Library reads them: text after a
//! number is ignored.
//!
//! MLton's files and the options of its tools use these rules.

/// The words between white space.
#[inline]
pub(crate) fn words(text: &[u8]) -> Words<'_> {
    Words { rest: text }
}

/// Iterates over the words of a text.
#[derive(Clone, Debug)]
pub(crate) struct Words<'a> {
    rest: &'a [u8],
}

/// A word, and its value if it consists of up to 19 digits, as nearly every number.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Word<'a> {
    pub(crate) text: &'a [u8],
    pub(crate) plain: Option<u64>,
}

impl<'a> Words<'a> {
    /// The next word, parsed as a number. A hot path: MLton's files are lines of numbers.
    #[inline]
    pub(crate) fn next_number(&mut self) -> Option<Word<'a>> {
        let start = self.rest.iter().position(|byte| !is_space(byte))?;
        let word = &self.rest[start..];
        let mut plain = 0_u64;
        let mut n_digits = 0;
        while let Some(byte) = word.get(n_digits)
            && byte.is_ascii_digit()
        {
            plain = plain.wrapping_mul(10).wrapping_add(u64::from(byte - b'0'));
            n_digits += 1;
        }
        let behind = &word[n_digits..];
        let n_others = match behind.first() {
            None => 0,
            Some(byte) if is_space(byte) => 0,
            Some(_) => behind.iter().position(is_space).unwrap_or(behind.len()),
        };
        let (text, rest) = word.split_at(n_digits + n_others);
        self.rest = rest;
        let is_plain = n_others == 0 && n_digits <= N_DIGITS;
        Some(Word { text, plain: is_plain.then_some(plain) })
    }
}

impl<'a> Iterator for Words<'a> {
    type Item = &'a [u8];

    #[inline]
    fn next(&mut self) -> Option<&'a [u8]> {
        let start = self.rest.iter().position(|byte| !is_space(byte))?;
        let word = &self.rest[start..];
        let end = word.iter().position(is_space).unwrap_or(word.len());
        let (word, rest) = word.split_at(end);
        self.rest = rest;
        Some(word)
    }
}

/// Returns whether a byte is white space, including the vertical tab (`Char.isSpace`).
#[inline]
pub(crate) fn is_space(byte: &u8) -> bool {
    matches!(byte, b' ' | b'\t'..=b'\r')
}

/// The text without leading white space.
pub(crate) fn trim_start(text: &[u8]) -> &[u8] {
    let start = text.iter().position(|byte| !is_space(byte));
    &text[start.unwrap_or(text.len())..]
}

/// Digits of any number that 64 bits hold.
const N_DIGITS: usize = 19;

/// The number at the start of a text, if it consists of up to 19 digits, as nearly every
/// number. A hot path.
#[inline]
pub(crate) fn plain_number(text: &[u8]) -> Option<u64> {
    let mut number = 0;
    for (index, byte) in text.iter().enumerate() {
        let digit = byte.wrapping_sub(b'0');
        if digit > 9 {
            return (index > 0).then_some(number);
        }
        if index == N_DIGITS {
            return None;
        }
        number = number * 10 + u64::from(digit);
    }
    (!text.is_empty()).then_some(number)
}

/// The decimal number at the start of a text, as Standard ML reads it (`IntInf.fromString`):
/// with the signs `~` and `-`; ignores the rest, and saturates.
pub(crate) fn number(text: &[u8]) -> Option<i128> {
    if let Some(number) = plain_number(text) {
        return Some(i128::from(number));
    }
    let text = trim_start(text);
    let (is_negative, digits) = match text.split_first()? {
        (b'~' | b'-', digits) => (true, digits),
        (b'+', digits) => (false, digits),
        _ => (false, text),
    };
    let n_digits = digits.iter().take_while(|byte| byte.is_ascii_digit()).count();
    if n_digits == 0 {
        return None;
    }
    let add = |number: i128, byte: &u8| {
        let digit = i128::from(byte - b'0');
        number.saturating_mul(10).saturating_add(digit)
    };
    let number = digits[..n_digits].iter().fold(0, add);
    Some(if is_negative { -number } else { number })
}

/// The real number at the start of a text.
pub(crate) fn real(text: &[u8]) -> Option<f64> {
    let text = trim_start(text);
    let (is_negative, rest) = match text.split_first()? {
        (b'~' | b'-', rest) => (true, rest),
        (b'+', rest) => (false, rest),
        _ => (false, text),
    };
    let word = rest.iter().take_while(|byte| byte.is_ascii_alphabetic());
    let word: Vec<u8> = word.map(u8::to_ascii_lowercase).collect();
    let magnitude = if word.starts_with(b"inf") {
        f64::INFINITY
    } else if word.starts_with(b"nan") {
        f64::NAN
    } else {
        let digits = |from: usize| {
            let rest = rest.get(from..).unwrap_or_default();
            rest.iter().take_while(|byte| byte.is_ascii_digit()).count()
        };
        let n_whole = digits(0);
        let n_decimals = match rest.get(n_whole) {
            Some(b'.') => digits(n_whole + 1),
            _ => 0,
        };
        if n_whole + n_decimals == 0 {
            return None;
        }
        let mut end = n_whole + if n_decimals > 0 { 1 + n_decimals } else { 0 };
        let mut number = String::from_utf8_lossy(&rest[..end]).into_owned();
        if let Some(b'e' | b'E') = rest.get(end) {
            end += 1;
            let sign = match rest.get(end) {
                Some(b'~' | b'-') => "-",
                Some(b'+') => "+",
                _ => "",
            };
            end += sign.len();
            let n_digits = digits(end);
            if n_digits > 0 {
                let exponent = String::from_utf8_lossy(&rest[end..end + n_digits]);
                number.push_str(&format!("e{sign}{exponent}"));
            }
        }
        number.parse().ok()?
    };
    Some(if is_negative { -magnitude } else { magnitude })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(text: &str, expected: Option<i128>) {
        assert_eq!(number(text.as_bytes()), expected, "for {text}");
    }

    #[test]
    fn numbers_are_read_as_standard_ml_reads_them() {
        check("12", Some(12));
        check(" \t+7 x", Some(7));
        check("~3", Some(-3));
        check("-3%", Some(-3));
        check("0x7", Some(0));
        check("", None);
        check("x", None);
        check("- 3", None);
        check(&"9".repeat(18), Some(999_999_999_999_999_999));
        check(&"9".repeat(19), Some(9_999_999_999_999_999_999));
        check(&"9".repeat(20), Some(99_999_999_999_999_999_999));
        check("0000000000000000000000012 9", Some(12));
        check(&"9".repeat(60), Some(i128::MAX));
    }

    fn check_real(text: &str, expected: Option<f64>) {
        assert_eq!(real(text.as_bytes()), expected, "for {text}");
    }

    #[test]
    fn real_numbers_are_read_as_standard_ml_reads_them() {
        check_real("5", Some(5.0));
        check_real(" \x0b+.5%", Some(0.5));
        check_real("5.", Some(5.0));
        check_real("~1e~1x", Some(-0.1));
        check_real("-2E+1", Some(-20.0));
        check_real("3e", Some(3.0));
        check_real("infinity", Some(f64::INFINITY));
        check_real("1e999", Some(f64::INFINITY));
        check_real(".", None);
        check_real("x5", None);
        check_real("", None);
        assert!(real(b"NaN").is_some_and(f64::is_nan));
    }
}
