//! Numbers and choices from the bytes of the fuzzer.

use arbitrary::{Result, Unstructured};

/// A number that is usually small, otherwise near a power of two.
pub fn number(bytes: &mut Unstructured<'_>) -> Result<u64> {
    Ok(match bytes.int_in_range(0..=9)? {
        0..=4 => bytes.int_in_range(0..=20)?,
        5 | 6 => bytes.int_in_range(0..=0xffff)?,
        7 => {
            let power = 1_u64 << bytes.int_in_range(0..=63)?;
            power.wrapping_add(bytes.int_in_range(0..=2)?).wrapping_sub(1)
        }
        8 => u64::MAX - bytes.int_in_range(0..=3)?,
        _ => bytes.arbitrary()?,
    })
}

/// As many of something as there are bytes for, up to `most`.
pub fn several<'a, T>(
    bytes: &mut Unstructured<'a>,
    most: usize,
    mut one: impl FnMut(&mut Unstructured<'a>) -> Result<T>,
) -> Result<Vec<T>> {
    let n = bytes.int_in_range(0..=most)?;
    let mut all = Vec::new();
    for _ in 0..n {
        if bytes.is_empty() {
            break;
        }
        all.push(one(bytes)?);
    }
    Ok(all)
}

/// Whether something is so that is so in one of `n` cases.
pub fn one_in(bytes: &mut Unstructured<'_>, n: u8) -> Result<bool> {
    Ok(bytes.int_in_range(1..=n)? == n)
}
