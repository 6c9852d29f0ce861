//! The order of runs by their files.

use std::cmp::Ordering;

/// Compares paths so that `run9` precedes `run10`: digits by value, everything else by byte.
/// Runs are usually made in this order.
pub fn by_path(a: &str, b: &str) -> Ordering {
    let (mut left, mut right) = (a.as_bytes(), b.as_bytes());
    while let ([x, ..], [y, ..]) = (left, right) {
        let order = if x.is_ascii_digit() && y.is_ascii_digit() {
            by_value(take_digits(&mut left), take_digits(&mut right))
        } else {
            (left, right) = (&left[1..], &right[1..]);
            x.cmp(y)
        };
        if order.is_ne() {
            return order;
        }
    }
    left.len().cmp(&right.len()).then_with(|| a.cmp(b))
}

fn take_digits<'a>(text: &mut &'a [u8]) -> &'a [u8] {
    let is_other = |byte: &u8| !byte.is_ascii_digit();
    let n_digits = text.iter().position(is_other).unwrap_or(text.len());
    let (digits, rest) = text.split_at(n_digits);
    *text = rest;
    let n_zeros = digits.iter().take_while(|digit| **digit == b'0').count();
    &digits[n_zeros..]
}

/// Compares numbers of any length, without leading zeros.
fn by_value(a: &[u8], b: &[u8]) -> Ordering {
    a.len().cmp(&b.len()).then_with(|| a.cmp(b))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_in_paths_are_compared_by_value() {
        let expected = ["a/1.out", "a/2.out", "a/010.out", "a/10.out", "a/11", "b/1.out"];
        let mut paths = expected;
        paths.reverse();
        paths.sort_by(|a, b| by_path(a, b));
        assert_eq!(paths, expected);
        let expected =
            ["night-1", "night-02", "night-2", "night-2.1", "night-2a", "night-10", "nightly"];
        let mut names = expected;
        names.reverse();
        names.sort_by(|a, b| by_path(a, b));
        assert_eq!(names, expected);
    }
}
