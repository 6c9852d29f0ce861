//! Profiles of runs of a program that is made.

use arbitrary::{Result, Unstructured};
use profan::model::{AddressSize, Encoding, Endian};

use super::chance::{one_in, several};
use super::elf::Elf;
use super::gmon::{Bins, Gmon, Layout, Record, SECONDS};
use super::program::Shape;

/// The layout of all profiles of a program.
pub(super) fn any_layout(bytes: &mut Unstructured<'_>) -> Result<Layout> {
    let layouts = [Layout::Gnu(1), Layout::Gnu(1), Layout::Gnu(1), Layout::OldBsd, Layout::Bsd44];
    bytes.choose(&layouts).copied()
}

/// A profile whose addresses are in the program, or nearly so.
pub(super) fn any_profile(
    bytes: &mut Unstructured<'_>,
    shape: &Shape,
    program: &Elf,
    layout: Layout,
) -> Result<Gmon> {
    let encoding = Encoding::new(
        if program.is_big { Endian::Big } else { Endian::Little },
        if program.is_64 { AddressSize::Eight } else { AddressSize::Four },
    );
    let mut records = Vec::new();
    if !one_in(bytes, 8)? || !matches!(layout, Layout::Gnu(_)) {
        records.push(Record::Histogram(any_bins(bytes, shape)?));
    }
    let starts: Vec<u64> = program.symbols.iter().map(|symbol| symbol.value).collect();
    records.extend(several(bytes, 10, |bytes| {
        let from = shape.text + bytes.int_in_range(0..=shape.size + 8)?;
        let to = if one_in(bytes, 4)? || starts.is_empty() {
            shape.text + bytes.int_in_range(0..=shape.size + 8)?
        } else {
            *bytes.choose(&starts)?
        };
        Ok(Record::Arc(from, to, bytes.int_in_range(0..=30)?))
    })?);
    // gprof reads no counts of blocks of programs whose highest byte comes first.
    let may_have_blocks = matches!(layout, Layout::Gnu(_)) && (shape.is_odd || !program.is_big);
    if may_have_blocks && one_in(bytes, 6)? {
        let block = |bytes: &mut Unstructured<'_>| {
            let address = shape.text + bytes.int_in_range(0..=shape.size)?;
            Ok((address, bytes.int_in_range(0..=9)?))
        };
        records.push(Record::Blocks(several(bytes, 6, block)?));
    }
    Ok(Gmon { encoding, layout, records })
}

/// Bins over the code, or nearly so.
fn any_bins(bytes: &mut Unstructured<'_>, shape: &Shape) -> Result<Bins> {
    let low = match bytes.int_in_range(0..=4)? {
        0 => shape.text.saturating_sub(32),
        1 => shape.text + 8,
        _ => shape.text,
    };
    let width = *bytes.choose(&[2, 4, 4, 4, 8, 16, 3])?;
    let n_bins = (shape.text + shape.size + bytes.int_in_range(0..=2)? * 16 - low).div_ceil(width);
    let mut ticks = vec![0; usize::try_from(n_bins).expect("it is small")];
    if !ticks.is_empty() {
        for _ in 0..bytes.int_in_range(0..=12)? {
            let place = bytes.int_in_range(0..=ticks.len() - 1)?;
            ticks[place] = bytes.int_in_range(0..=200)?;
        }
    }
    Ok(Bins {
        low,
        high: low + n_bins * width,
        rate: *bytes.choose(&[100, 100, 100, 1, 1000, 60])?,
        dimension: SECONDS,
        ticks,
    })
}
