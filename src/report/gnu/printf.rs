//! What C's `printf` does and Rust's formatting does not.

use std::io::{self, Write};

/// A number as `%.Nf` prints it. What is not a number is `-nan`: division of 0
/// by 0 makes it negative on the machines that gprof runs on.
pub(super) fn fixed(value: f64, decimals: usize) -> String {
    if value.is_nan() {
        "-nan".to_owned()
    } else {
        format!("{value:.decimals$}")
    }
}

/// A number as `%g` prints it: six significant digits, no zeros at the end, an
/// exponent when it is below -4 or above 5.
pub(super) fn general(value: f64) -> String {
    if !value.is_finite() || value == 0.0 {
        return fixed(value, 0);
    }
    let scientific = format!("{value:.5e}");
    let (digits, exponent) = scientific
        .split_once('e')
        .expect("scientific notation has an exponent");
    let exponent: i32 = exponent.parse().expect("an exponent is a number");
    if !(-4..6).contains(&exponent) {
        let digits = without_trailing_zeros(digits);
        let sign = if exponent < 0 { '-' } else { '+' };
        return format!("{digits}e{sign}{:02}", exponent.unsigned_abs());
    }
    let decimals = usize::try_from(5 - exponent).expect("the exponent is 5 at most");
    without_trailing_zeros(&format!("{value:.decimals$}")).to_owned()
}

fn without_trailing_zeros(digits: &str) -> &str {
    if digits.contains('.') {
        digits.trim_end_matches('0').trim_end_matches('.')
    } else {
        digits
    }
}

/// Bytes as `%W.Ps` prints them: cut to `precision`, blanks before.
pub(super) fn right(
    out: &mut dyn Write,
    text: &[u8],
    width: usize,
    precision: usize,
) -> io::Result<()> {
    let text = &text[..text.len().min(precision)];
    blanks(out, width.saturating_sub(text.len()))?;
    out.write_all(text)
}

/// Bytes as `%-W.Ps` prints them: cut to `precision`, blanks behind.
pub(super) fn left(
    out: &mut dyn Write,
    text: &[u8],
    width: usize,
    precision: usize,
) -> io::Result<()> {
    let text = &text[..text.len().min(precision)];
    out.write_all(text)?;
    blanks(out, width.saturating_sub(text.len()))
}

pub(super) fn blanks(out: &mut dyn Write, count: usize) -> io::Result<()> {
    write!(out, "{:count$}", "")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn general_numbers_have_six_digits_and_no_trailing_zeros() {
        // The right column is what the C library prints.
        let cases = [
            (0.01, "0.01"),
            (1.0, "1"),
            (1e-6, "1e-06"),
            (1.0 / 1024.0, "0.000976562"),
            (1.0 / 64.0, "0.015625"),
            (1.0 / 2.4e9, "4.16667e-10"),
            (123_456.0, "123456"),
            (1_234_567.0, "1.23457e+06"),
            (0.0001, "0.0001"),
            (f64::INFINITY, "inf"),
            (f64::NAN, "-nan"),
            (0.0, "0"),
        ];
        for (value, expected) in cases {
            assert_eq!(general(value), expected, "for {value:?}");
        }
    }

    #[test]
    fn fixed_numbers_round_as_c_does() {
        assert_eq!(fixed(0.125, 2), "0.12");
        assert_eq!(fixed(0.375, 2), "0.38");
        assert_eq!(fixed(2.675, 2), "2.67");
        assert_eq!(fixed(f64::NAN, 2), "-nan");
        assert_eq!(fixed(f64::INFINITY, 2), "inf");
    }

    #[test]
    fn words_are_cut_and_padded_by_bytes() {
        let mut out = Vec::new();
        right(&mut out, b"i-cache misses", 10, 9).expect("a vector takes everything");
        left(&mut out, b"ab", 4, 8).expect("a vector takes everything");
        assert_eq!(out, b" i-cache mab  ");
    }
}
