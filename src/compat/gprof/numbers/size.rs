//! Values as numbers by which they are sorted.

const SIGN: u64 = 1 << 63;

/// A number by which others of its kind are sorted as `total_cmp` does.
pub(super) fn by_size(value: f64) -> u64 {
    let bits = value.to_bits();
    if bits & SIGN == 0 { bits | SIGN } else { !bits }
}

/// The value that [`by_size`] made a number of.
pub(super) fn of_size(number: u64) -> f64 {
    let is_negative = number & SIGN == 0;
    f64::from_bits(if is_negative { !number } else { number & !SIGN })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes_are_in_the_order_of_their_numbers() {
        let numbers = [
            -f64::NAN,
            f64::NEG_INFINITY,
            -1.5,
            -f64::MIN_POSITIVE,
            -0.0,
            0.0,
            f64::MIN_POSITIVE,
            1.0,
            1.0_f64.next_up(),
            f64::INFINITY,
            f64::NAN,
        ];
        for a in numbers {
            assert_eq!(of_size(by_size(a)).to_bits(), a.to_bits());
            for b in numbers {
                assert_eq!(by_size(a).cmp(&by_size(b)), a.total_cmp(&b), "{a} and {b}");
            }
        }
    }
}
