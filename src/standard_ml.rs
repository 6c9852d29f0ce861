//! Words and numbers in text, as the library of Standard ML reads them: what follows
//! a number does not count.
//!
//! The texts of MLton and the options of its tools are read like this, so more than
//! one room needs it.

/// What stands between white space.
pub(crate) fn words(text: &[u8]) -> impl Iterator<Item = &[u8]> {
    text.split(is_space).filter(|word| !word.is_empty())
}

/// Whether a byte is white space. A vertical tab is some too.
pub(crate) fn is_space(byte: &u8) -> bool {
    byte.is_ascii_whitespace() || *byte == b'\x0b'
}

/// The text without white space at its start.
pub(crate) fn trim_start(text: &[u8]) -> &[u8] {
    let start = text.iter().position(|byte| !is_space(byte));
    &text[start.unwrap_or(text.len())..]
}

/// The decimal number at the start of a text, as Standard ML reads one: `~` and `-`
/// are its signs, and what follows the digits does not count. What no number holds
/// becomes the largest that there is.
pub(crate) fn number(text: &[u8]) -> Option<i128> {
    let text = trim_start(text);
    let (is_negative, digits) = match text.split_first()? {
        (b'~' | b'-', digits) => (true, digits),
        (b'+', digits) => (false, digits),
        _ => (false, text),
    };
    let n_digits = digits
        .iter()
        .take_while(|byte| byte.is_ascii_digit())
        .count();
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
