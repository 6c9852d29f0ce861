//! mpatrol's allocation profiles and traces, of any width and order of words.

use arbitrary::{Result, Unstructured};
use profan::model::Encoding;

use super::chance::{number, one_in, several};
use super::words::Words;

/// Any allocation profile, most parts of which are as the library writes them.
///
/// # Errors
/// When there are too few bytes.
pub fn profile(bytes: &mut Unstructured<'_>) -> Result<Vec<u8>> {
    let mut file = Words::new(*bytes.choose(&Encoding::ALL)?);
    file.bytes.extend_from_slice(b"MPTL");
    file.word(1);
    file.word(10300 + bytes.int_in_range(0..=300)?);
    for bound in [32, 256, 2048] {
        file.word(bound);
    }
    let n_bins = bytes.int_in_range(0..=4)?;
    file.word(n_bins);
    if n_bins > 0 {
        for _ in 0..2 * (n_bins + 1) {
            file.word(number(bytes)?);
        }
    }
    let n_records: u64 = bytes.int_in_range(0..=6)?;
    let n_sites: u64 = bytes.int_in_range(0..=8)?;
    let n_symbols: u64 = bytes.int_in_range(0..=4)?;
    let strings = several(bytes, 24, |bytes| bytes.choose(b"\0\0mainfg_Z3foov\x1b").copied())?;
    let strings = [b"\0".as_slice(), &strings, b"\0"].concat();
    file.word(n_records);
    for record in 1..=n_records {
        file.word(record);
        for _ in 0..16 {
            file.word(number(bytes)?);
        }
    }
    file.word(n_sites);
    for site in 1..=n_sites {
        file.word(site);
        // Usually, a caller has a lower number than its callees.
        let caller = if one_in(bytes, 6)? { n_sites } else { site - 1 };
        file.word(bytes.int_in_range(0..=caller)?);
        file.word(number(bytes)?);
        let beyond = u64::from(one_in(bytes, 9)?);
        file.word(bytes.int_in_range(0..=n_symbols + beyond)?);
        file.word(bytes.int_in_range(0..=strings.len() as u64 - 1 + beyond)?);
        file.word(bytes.int_in_range(0..=n_records)?);
    }
    file.word(n_symbols);
    for _ in 0..n_symbols {
        file.word(number(bytes)?);
    }
    file.word(strings.len() as u64);
    file.bytes.extend_from_slice(&strings);
    file.bytes.extend_from_slice(b"MPTL");
    Ok(file.bytes)
}

/// Any trace.
///
/// # Errors
/// When there are too few bytes.
pub fn trace(bytes: &mut Unstructured<'_>) -> Result<Vec<u8>> {
    let mut file = Words::new(*bytes.choose(&Encoding::ALL)?);
    let version = bytes.int_in_range(10300..=10501)?;
    file.bytes.extend_from_slice(b"MTRC");
    file.word(1);
    file.word(version);
    for _ in 0..bytes.int_in_range(0..=40)? {
        let letter = *bytes.choose(b"AAAFFFRHI")?;
        file.bytes.push(letter);
        if letter != b'H' && letter != b'I' {
            file.leb128(bytes.int_in_range(0..=12)?);
        }
        if letter != b'F' {
            file.leb128(number(bytes)?);
            file.leb128(number(bytes)?);
        }
        if version >= 10405 && letter != b'H' && letter != b'I' {
            push_place(&mut file, bytes)?;
        }
    }
    file.bytes.extend_from_slice(b"MTRC");
    Ok(file.bytes)
}

/// Thread, function, file and line of an event.
fn push_place(file: &mut Words, bytes: &mut Unstructured<'_>) -> Result<()> {
    file.leb128(bytes.int_in_range(0..=3)?);
    for _ in 0..2 {
        let slot = bytes.int_in_range(0..=4)?;
        let defines = one_in(bytes, 3)?;
        file.bytes.push(slot | u8::from(defines && slot > 0) << 7);
        if defines && slot > 0 {
            file.bytes.extend_from_slice(bytes.choose(&[
                b"f\0".as_slice(),
                b"a.c\0",
                b"\x1b[2J\0",
                b"\0",
            ])?);
        }
    }
    file.leb128(bytes.int_in_range(0..=99)?);
    Ok(())
}
