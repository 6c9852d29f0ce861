use arbitrary::{Result, Unstructured};
use profan::load::Hints;
use profan::model::Encoding;

use super::super::made::chance::{number, several};
use super::super::made::gmon::SECONDS;
use super::super::made::words::Words;
use super::check;

/// A profile of a shared library as the loader writes it, with any bytes for its numbers.
pub fn sprof(data: &[u8]) {
    let _ = any_profile(&mut Unstructured::new(data)).map(|bytes| {
        for encoding in [None].into_iter().chain(Encoding::ALL.map(Some)) {
            let hints = Hints { encoding, ..Hints::default() };
            check::reading(&bytes, &hints);
        }
    });
}

fn any_profile(bytes: &mut Unstructured<'_>) -> Result<Vec<u8>> {
    let mut file = Words::new(*bytes.choose(&Encoding::ALL)?);
    file.bytes.extend_from_slice(b"gmon");
    file.number(0x1_ffff, 4);
    file.bytes.extend_from_slice(&[0; 12]);
    file.number(0, 4);
    let ticks: Vec<u16> = several(bytes, 16, |bytes| bytes.arbitrary())?;
    let low = number(bytes)?;
    file.word(low);
    file.word(low.wrapping_add(number(bytes)?));
    file.number(ticks.len() as u64, 4);
    file.number(bytes.int_in_range(0..=200)?, 4);
    file.bytes.extend_from_slice(&SECONDS);
    for tick in ticks {
        file.number(tick.into(), 2);
    }
    file.number(bytes.int_in_range(0..=9)?.max(8) - 7, 4);
    let n_arcs: u64 = bytes.int_in_range(0..=6)?;
    file.number(bytes.int_in_range(0..=n_arcs)?, 4);
    for _ in 0..n_arcs {
        file.word(number(bytes)?);
        file.word(number(bytes)?);
        file.number(bytes.arbitrary::<u32>()?.into(), 4);
    }
    let n_left = bytes.len().min(40);
    file.bytes.extend_from_slice(bytes.bytes(n_left)?);
    Ok(file.bytes)
}
