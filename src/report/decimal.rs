//! Decimal digits, two at a time from the right. A hot path: half of a large report is
//! numbers.
//!
//! Digits end at the end of a field. If a number does not fit, the contents of the field are
//! undefined.

static PAIRS: [[u8; 2]; 100] = pairs();

const fn pairs() -> [[u8; 2]; 100] {
    let mut pairs = [[b'0'; 2]; 100];
    let mut number = 0;
    let mut tens = b'0';
    while tens <= b'9' {
        let mut ones = b'0';
        while ones <= b'9' {
            pairs[number] = [tens, ones];
            number += 1;
            ones += 1;
        }
        tens += 1;
    }
    pairs
}

/// Powers of ten by number of decimals.
const FACTORS: [u64; 4] = [1, 10, 100, 1000];

/// Writes a count at the end of a field. Returns the index of its first digit, or `None` if
/// it does not fit.
#[inline]
pub fn put_count(field: &mut [u8], count: u64) -> Option<usize> {
    let mut rest = field;
    let mut count = count;
    while count >= 100 {
        let (front, pair) = rest.split_last_chunk_mut()?;
        *pair = last_two(count);
        count /= 100;
        rest = front;
    }
    if count >= 10 {
        let (front, pair) = rest.split_last_chunk_mut()?;
        *pair = last_two(count);
        return Some(front.len());
    }
    let (digit, front) = rest.split_last_mut()?;
    *digit = last_two(count)[1];
    Some(front.len())
}

/// Writes a count at the start of a field. Returns the end of its digits, or `None` if it
/// does not fit.
#[inline]
pub fn put_count_left(field: &mut [u8], count: u64) -> Option<usize> {
    let n_digits = count.checked_ilog10().map_or(1, |log| log as usize + 1);
    put_count(field.get_mut(..n_digits)?, count)?;
    Some(n_digits)
}

#[inline]
fn last_two(count: u64) -> [u8; 2] {
    PAIRS[(count % 100) as usize]
}

/// Writes a number with decimals at the end of a field, rounded as by [`scaled`]. Returns its
/// start, or `None` if it does not fit or `scaled` does not support it.
#[inline]
pub fn put_fixed(field: &mut [u8], value: f64, decimals: usize) -> Option<usize> {
    let whole = scaled(value, decimals)?;
    if decimals == 0 {
        return put_count(field, whole);
    }
    let factor = FACTORS[decimals];
    let mut fraction = whole % factor;
    let mut front = field;
    if decimals >= 2 {
        let (rest, pair) = front.split_last_chunk_mut()?;
        *pair = last_two(fraction);
        fraction /= 100;
        front = rest;
    }
    if decimals % 2 == 1 {
        let (digit, rest) = front.split_last_mut()?;
        *digit = last_two(fraction)[1];
        front = rest;
    }
    let (point, front) = front.split_last_mut()?;
    *point = b'.';
    put_count(front, whole / factor)
}

/// `value` times a power of ten, rounded from its exact value to the nearest integer, ties to
/// even: as `printf` does.
///
/// A number is `mantissa / 2^shift`. The mantissa has 53 bits and the power of ten at most
/// 10, so their product is exact. `None` for more than three decimals, negative numbers, and
/// from 2^52 on.
#[inline]
fn scaled(value: f64, decimals: usize) -> Option<u64> {
    const N_BITS: u32 = 52;
    let factor = *FACTORS.get(decimals)?;
    let bits = value.to_bits();
    // The sign bit is above the exponent, so a negative number gets too large an exponent.
    let shift = 1075u64.checked_sub(bits >> N_BITS)?;
    let mantissa = (bits & ((1 << N_BITS) - 1)) | (1 << N_BITS);
    match shift {
        0 => None,
        1..64 => {
            let product = mantissa * factor;
            let is_odd = (product >> shift) & 1;
            Some((product + (1 << (shift - 1)) - 1 + is_odd) >> shift)
        }
        // Below 2^-11: even a thousand times as much is less than a half.
        _ => Some(0),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Compares with the exact formatting of the standard library.
    fn check(value: f64) {
        for decimals in 0..4 {
            let mut field = [b' '; 24];
            let exact = format!("{value:.decimals$}");
            let start = put_fixed(&mut field, value, decimals);
            let start = start.unwrap_or_else(|| panic!("{value:?} should be plain"));
            assert_eq!(field[start..], *exact.as_bytes(), "for {value:?}");
        }
    }

    /// Random-looking bits.
    fn some_bits(seed: u64) -> u64 {
        let mixed = (seed ^ (seed >> 31)).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        (mixed ^ (mixed >> 29)).wrapping_mul(0xbf58_476d_1ce4_e5b9)
    }

    /// Every exponent, with the smallest and largest mantissas, few bits and many.
    #[test]
    fn numbers_of_every_size_equal_exact_formatting() {
        for exponent in 0..1075u64 {
            let of_mantissa = |mantissa: u64| f64::from_bits(exponent << 52 | mantissa);
            let all = (1 << 52) - 1;
            for bit in 0..52 {
                check(of_mantissa(1 << bit));
                check(of_mantissa(all & !(1 << bit)));
                check(of_mantissa(some_bits(exponent * 64 + bit) & all));
            }
            check(of_mantissa(0));
            check(of_mantissa(all));
        }
    }

    /// Ties, and the numbers next to them.
    #[test]
    fn numbers_in_the_middle_of_two_roundings_go_where_they_should() {
        let nth = if cfg!(debug_assertions) { 10 } else { 1 };
        for step in (0..60_000u64).step_by(nth) {
            let step = if step < 30_000 { step } else { some_bits(step) >> (step % 40 + 20) };
            for per_unit in [2.0, 20.0, 200.0, 2000.0] {
                let middle = (2 * step + 1) as f64 / per_unit;
                check(middle);
                check(middle.next_up());
                check(middle.next_down());
            }
        }
    }

    /// Ticks at common rates.
    #[test]
    fn ticks_in_seconds_equal_exact_formatting() {
        for ticks in 0..20_000u32 {
            for rate in [100.0, 128.0, 1000.0, 1024.0] {
                check(f64::from(ticks) / rate);
            }
        }
    }

    #[test]
    fn special_and_negative_numbers_are_refused() {
        let not_plain = [
            -0.0,
            -1.0,
            f64::NAN,
            -f64::NAN,
            f64::INFINITY,
            f64::NEG_INFINITY,
            4_503_599_627_370_496.0,
            f64::MAX,
        ];
        for value in not_plain {
            assert_eq!(put_fixed(&mut [0; 32], value, 2), None, "for {value:?}");
        }
        assert_eq!(put_fixed(&mut [0; 32], 1.0, 4), None);
    }

    #[test]
    fn numbers_that_do_not_fit_are_refused() {
        assert_eq!(put_fixed(&mut [0; 4], 10.0, 2), None);
        assert_eq!(put_fixed(&mut [0; 5], 10.0, 2), Some(0));
        assert_eq!(put_fixed(&mut [0; 3], 1.0, 3), None);
        assert_eq!(put_fixed(&mut [], 1.0, 0), None);
        for (count, n_digits) in [(0, 1), (9, 1), (10, 2), (99, 2), (100, 3), (u64::MAX, 20)] {
            let mut field = [b' '; 20];
            let (short, whole) = (n_digits - 1, n_digits);
            assert_eq!(put_count(&mut field[..short], count), None, "{count}");
            assert_eq!(put_count_left(&mut field[..short], count), None, "{count}");
            assert_eq!(put_count(&mut field[..whole], count), Some(0), "{count}");
            assert_eq!(field[..whole], *count.to_string().as_bytes());
            field = [b' '; 20];
            assert_eq!(put_count_left(&mut field, count), Some(whole), "{count}");
            assert_eq!(field[..whole], *count.to_string().as_bytes());
        }
    }
}
