//! Number formats of C's `printf` that Rust lacks or formats slowly.

use std::io::Write;

use super::decimal::{put_count, put_fixed};

/// A number and its noun: singular for 1.
pub fn counted(number: impl Into<i128>, one: &str, many: &str) -> String {
    let number = number.into();
    let what = if number == 1 { one } else { many };
    format!("{number} {what}")
}

/// Words with commas, and a conjunction before the last one: `a, b and c`.
pub fn listed(words: &[String], conjunction: &str) -> String {
    let [first @ .., last_but_one, last] = words else { return words.concat() };
    let first: String = first.iter().map(|word| format!("{word}, ")).collect();
    format!("{first}{last_but_one} {conjunction} {last}")
}

/// The same for people: `12,220,516 samples`.
pub fn counted_in_groups(number: i128, one: &str, many: &str) -> String {
    format!("{} {}", grouped(number), if number == 1 { one } else { many })
}

/// A count for people, with a comma after thousands: `12,220,516`.
pub fn grouped(number: i128) -> String {
    let digits = number.unsigned_abs().to_string();
    let mut text = String::from(if number < 0 { "-" } else { "" });
    for (place, digit) in digits.chars().enumerate() {
        if place > 0 && (digits.len() - place).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

/// Appends a number as `%.Nf` does, rounded from its exact value. NaN is `-nan`, since 0/0 is
/// negative on common machines.
pub fn push_fixed(text: &mut Vec<u8>, value: f64, decimals: usize) {
    let mut field = [0; 24];
    if let Some(start) = put_fixed(&mut field, value, decimals) {
        return text.extend_from_slice(&field[start..]);
    }
    let written =
        if value.is_nan() { text.write_all(b"-nan") } else { write!(text, "{value:.decimals$}") };
    written.expect("a vector takes everything");
}

pub fn digits(count: u64, buffer: &mut [u8; 20]) -> &[u8] {
    let start = put_count(buffer, count).expect("a count has twenty digits at most");
    &buffer[start..]
}

pub fn fixed(value: f64, decimals: usize) -> String {
    let mut text = Vec::new();
    push_fixed(&mut text, value, decimals);
    String::from_utf8(text).expect("numbers are ASCII")
}

/// A size in bytes for people: below 1024 of its unit, with one decimal except for bytes.
pub fn size(bytes: i128) -> String {
    const UNITS: [&str; 8] = ["KiB", "MiB", "GiB", "TiB", "PiB", "EiB", "ZiB", "YiB"];
    if bytes.unsigned_abs() < 1024 {
        return format!("{bytes} B");
    }
    let sign = if bytes < 0 { "-" } else { "" };
    let mut unit: u128 = 1024;
    for (index, name) in UNITS.iter().enumerate() {
        // In tenths of the unit, to the nearest one, which may be a whole next unit.
        let whole = bytes.unsigned_abs() / unit;
        let rest = bytes.unsigned_abs() % unit;
        let tenths = whole * 10 + (rest * 10 + unit / 2) / unit;
        if tenths < 10 * 1024 || index + 1 == UNITS.len() {
            return format!("{sign}{}.{} {name}", tenths / 10, tenths % 10);
        }
        unit *= 1024;
    }
    unreachable!("the last unit is good for any size")
}

/// A number as `%g` prints it: six significant digits, no trailing zeros, an exponent below
/// -4 or above 5.
pub fn general(value: f64) -> String {
    if !value.is_finite() || value == 0.0 {
        return fixed(value, 0);
    }
    let scientific = format!("{value:.5e}");
    let (digits, exponent) =
        scientific.split_once('e').expect("scientific notation has an exponent");
    let exponent: i32 = exponent.parse().expect("an exponent is a number");
    if !(-4..6).contains(&exponent) {
        let digits = without_trailing_zeros(digits);
        let sign = if exponent < 0 { '-' } else { '+' };
        return format!("{digits}e{sign}{:02}", exponent.unsigned_abs());
    }
    let decimals = usize::try_from(5 - exponent).expect("the exponent is 5 at most");
    without_trailing_zeros(&format!("{value:.decimals$}")).to_owned()
}

/// A large number in words, with two digits or more: `1.2 million`.
pub fn approximate(number: u64) -> String {
    let millions = number as f64 / 1e6;
    match number {
        0..999_500 => grouped(number.into()),
        999_500..9_950_000 => format!("{millions:.1} million"),
        9_950_000..999_500_000 => format!("{millions:.0} million"),
        _ => format!("{:.1} billion", millions / 1e3),
    }
}

/// A duration in the unit that fits, with three digits: `1.30 ms`.
pub fn duration(seconds: f64) -> String {
    const UNITS: [(f64, &str); 3] = [(1.0, "s"), (1e3, "ms"), (1e6, "us")];
    if seconds == 0.0 {
        return "0 s".to_owned();
    }
    // A number that rounds to 1000 of a unit is 1 of the next.
    let fits = |factor: f64| seconds.abs() * factor >= 0.9995;
    let unit = UNITS.iter().find(|(factor, _)| fits(*factor));
    let &(factor, unit) = unit.unwrap_or(&(1e9, "ns"));
    let number = seconds * factor;
    let decimals = match number.abs() {
        0.0..9.995 => 2,
        9.995..99.95 => 1,
        _ => 0,
    };
    format!("{} {unit}", fixed(number, decimals))
}

fn without_trailing_zeros(digits: &str) -> &str {
    if digits.contains('.') { digits.trim_end_matches('0').trim_end_matches('.') } else { digits }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn counts_are_grouped() {
        let cases = [(0, "0"), (999, "999"), (1000, "1,000"), (-12_220_516, "-12,220,516")];
        for (number, expected) in cases {
            assert_eq!(grouped(number), expected);
        }
    }

    #[test]
    fn general_numbers_have_six_digits_and_no_trailing_zeros() {
        // The right column is the output of the C library.
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
        assert_eq!(fixed(-0.001, 2), "-0.00");
        assert_eq!(fixed(-0.0, 2), "-0.00");
    }

    #[test]
    fn durations_have_three_digits_and_the_unit_that_fits() {
        let cases = [
            (0.0, "0 s"),
            (1.3e-9, "1.30 ns"),
            (2.87e-7, "287 ns"),
            (9.996e-7, "1.00 us"),
            (0.000_06, "60.0 us"),
            (0.001_3, "1.30 ms"),
            (0.099_96, "100 ms"),
            (1.0, "1.00 s"),
            (75.25, "75.2 s"),
            (12_345.6, "12346 s"),
            (-0.002, "-2.00 ms"),
        ];
        for (seconds, expected) in cases {
            assert_eq!(duration(seconds), expected, "for {seconds}");
        }
    }

    #[test]
    fn large_numbers_are_words_with_two_digits() {
        assert_eq!(approximate(999_499), "999,499");
        assert_eq!(approximate(999_500), "1.0 million");
        assert_eq!(approximate(1_249_999), "1.2 million");
        assert_eq!(approximate(681_400_000), "681 million");
        assert_eq!(approximate(999_499_999), "999 million");
        assert_eq!(approximate(1_000_000_000), "1.0 billion");
        assert_eq!(approximate(u64::MAX), "18446744073.7 billion");
    }

    #[test]
    fn sizes_use_the_unit_in_which_they_are_below_1024() {
        let cases = [
            (0, "0 B"),
            (1, "1 B"),
            (1023, "1023 B"),
            (1024, "1.0 KiB"),
            (6755, "6.6 KiB"),
            (-6755, "-6.6 KiB"),
            (1_048_524, "1023.9 KiB"),
            (1_048_525, "1.0 MiB"),
            (3 << 30, "3.0 GiB"),
            (i128::from(u64::MAX), "16.0 EiB"),
        ];
        for (bytes, expected) in cases {
            assert_eq!(size(bytes), expected, "for {bytes}");
        }
        assert!(size(i128::MAX).ends_with(" YiB"));
        assert!(size(i128::MIN).starts_with('-'));
    }
}
