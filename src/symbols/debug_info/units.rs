//! The units of `.debug_info`: which ones `addr2line` can read, and how it searches them.

use std::cmp::Reverse;
use std::ops::Range;
use std::path::PathBuf;

use gimli::{DebugInfoOffset, Reader, Section, UnitType};

use super::budgeted::{BudgetedBytes, SectionBudget};
use super::notes::{DebugDamage, DebugPart, Notes};
use crate::limits;
use crate::model::Address;
use crate::symbols::sampled::SampledCode;

pub(super) type Dwarf<'s> = gimli::Dwarf<BudgetedBytes<'s>>;
pub(super) type DwarfUnit<'s> = gimli::Unit<BudgetedBytes<'s>>;

/// Header and first entry of a unit with code.
pub(super) fn read<'s>(
    dwarf: &Dwarf<'s>,
    offset: usize,
) -> Result<Option<(DwarfUnit<'s>, Vec<gimli::Range>)>, DebugDamage> {
    let header = dwarf.debug_info.header_from_offset(DebugInfoOffset(offset))?;
    if !matches!(header.type_(), UnitType::Compilation | UnitType::Partial | UnitType::Skeleton(_))
    {
        return Ok(None);
    }
    let unit = dwarf.unit(header)?;
    let mut covered = dwarf.unit_ranges(&unit)?;
    let mut ranges = Vec::new();
    while let Some(range) = covered.next()? {
        ranges.push(range);
    }
    Ok(Some((unit, ranges)))
}

/// A unit whose entries are in another file: its number, and the name and the directory of the
/// file, as the compiler wrote them.
pub(super) struct SplitUnit {
    pub(super) id: u64,
    pub(super) name: PathBuf,
    pub(super) built_in: PathBuf,
}

impl SplitUnit {
    /// The file of a skeleton; `None` for other units.
    fn of(dwarf: &Dwarf<'_>, unit: &DwarfUnit<'_>) -> Option<Self> {
        let id = unit.dwo_id?.0;
        let name = dwarf.attr_string(unit, unit.dwo_name().ok()??).ok()?;
        let built_in = unit.comp_dir.as_ref().map_or(Some(PathBuf::new()), path_of);
        Some(Self { id, name: path_of(&name)?, built_in: built_in? })
    }
}

fn path_of(bytes: &BudgetedBytes<'_>) -> Option<PathBuf> {
    let path = str::from_utf8(bytes.slice()).ok()?;
    (path.len() <= limits::LONGEST_NAME).then(|| PathBuf::from(path))
}

/// Start of each unit. The length comes first, so unknown units can be skipped.
pub(super) fn offsets(dwarf: &Dwarf<'_>) -> Vec<usize> {
    let all = dwarf.debug_info.reader();
    let mut rest = *all;
    let mut offsets = Vec::new();
    while !rest.is_empty() {
        offsets.push(rest.offset_from(all));
        let Ok((length, _format)) = rest.read_initial_length() else {
            break;
        };
        if rest.skip(length).is_err() {
            break;
        }
    }
    offsets
}

/// The result of a pass over the first entries of all units.
#[derive(Default)]
pub(super) struct Survey {
    /// Unreadable units, by offset.
    pub(super) broken: Vec<(usize, DebugDamage)>,
    /// Ranges of the first entries of the others.
    pub(super) roots: Vec<Range<usize>>,
    /// The samples in units that have some, and the ranges of these units.
    sampled: Vec<(u64, Vec<Range<Address>>)>,
    /// Address ranges that units state.
    ranges: Vec<gimli::Range>,
    /// Units without stated ranges.
    silent: Vec<usize>,
    /// Units whose entries are in another file.
    pub(super) split: Vec<SplitUnit>,
}

impl Survey {
    /// Ranges of code in the order in which to read it, the units with most samples first. Sorts.
    pub(super) fn reading_order(&mut self) -> ReadingOrder {
        let mut units = std::mem::take(&mut self.sampled);
        // Units without samples come last.
        units.sort_by_key(|&(n_samples, _)| Reverse(n_samples));
        let n_units = units.len();
        let part_of = |index: usize| match index {
            index if index < n_units / 64 => 0,
            index if index < n_units / 16 => 1,
            index if index < n_units / 4 => 2,
            _ => 3,
        };
        let ranges = units.into_iter().enumerate().flat_map(|(index, (_, ranges))| {
            ranges.into_iter().map(move |range| (range, part_of(index)))
        });
        let mut ranges: Vec<_> = ranges.collect();
        ranges.sort_unstable_by_key(|(range, part)| (range.start, range.end, *part));
        ranges.dedup_by(|(next, part), (last, first_part)| {
            let overlap = next.start < last.end;
            if overlap {
                last.end = last.end.max(next.end);
                *first_part = (*first_part).min(*part);
            }
            overlap
        });
        ReadingOrder { ranges }
    }

    /// The ranges that `addr2line` searches. For a unit without ranges it uses the ranges of lines.
    pub(super) fn searched_ranges(&mut self, dwarf: &Dwarf<'_>) -> SearchedRanges {
        for offset in std::mem::take(&mut self.silent) {
            // `addr2line` does without them too.
            let _ = add_sequences(dwarf, offset, &mut self.ranges);
        }
        SearchedRanges::new(std::mem::take(&mut self.ranges))
    }
}

/// Which code to read first, in case memory does not suffice for all.
pub(super) struct ReadingOrder {
    /// The ranges of units with samples, ascending and disjoint, with their part.
    ranges: Vec<(Range<Address>, usize)>,
}

impl ReadingOrder {
    /// The number of parts. The last one has no samples.
    const N_PARTS: usize = 5;

    /// The part of code at an address.
    pub(super) fn part_of(&self, address: Address) -> usize {
        let n_before = self.ranges.partition_point(|(range, _)| range.end <= address);
        let found = self.ranges.get(n_before).filter(|(range, _)| range.start <= address);
        found.map_or(Self::N_PARTS - 1, |&(_, part)| part)
    }

    /// Code by part, each ascending.
    pub(super) fn parts(&self, code: &[Range<Address>]) -> [Vec<Range<Address>>; Self::N_PARTS] {
        let mut parts = [const { Vec::new() }; Self::N_PARTS];
        let mut ranges = self.ranges.iter().peekable();
        for piece in code {
            let mut start = piece.start;
            while start < piece.end {
                while ranges.next_if(|(range, _)| range.end <= start).is_some() {}
                let (end, part) = match ranges.peek() {
                    Some((range, part)) if range.start <= start => (range.end, *part),
                    Some((range, _)) => (range.start, Self::N_PARTS - 1),
                    None => (piece.end, Self::N_PARTS - 1),
                };
                let end = end.min(piece.end);
                parts[part].push(start..end);
                start = end;
            }
        }
        parts
    }
}

/// Adds the ranges of a unit's line program.
fn add_sequences(
    dwarf: &Dwarf<'_>,
    offset: usize,
    ranges: &mut Vec<gimli::Range>,
) -> Result<(), DebugDamage> {
    let unit = read(dwarf, offset)?.map(|(unit, _)| unit);
    let Some(program) = unit.and_then(|unit| unit.line_program) else {
        return Ok(());
    };
    let mut rows = program.rows();
    let mut begin = None;
    while let Some((_, row)) = rows.next_row()? {
        let address = row.address();
        let begin_of_row = *begin.get_or_insert(address);
        if row.end_sequence() {
            ranges.push(gimli::Range { begin: begin_of_row, end: address });
            begin = None;
        }
    }
    Ok(())
}

/// Reads the first entry of every unit.
pub(super) fn survey(dwarf: &Dwarf<'_>, budget: &SectionBudget, sampled: &SampledCode) -> Survey {
    let mut survey = Survey::default();
    for offset in offsets(dwarf) {
        // The remaining units get no table.
        if !budget.has_room() {
            break;
        }
        match read(dwarf, offset) {
            Ok(None) => {}
            Ok(Some((unit, ranges))) => {
                if ranges.is_empty() {
                    survey.silent.push(offset);
                }
                let code = ranges.iter().map(|range| Address(range.begin)..Address(range.end));
                let n_samples = code.clone().map(|range| sampled.within(&range));
                let n_samples = n_samples.fold(0, u64::saturating_add);
                if n_samples > 0 {
                    survey.sampled.push((n_samples, code.collect()));
                }
                survey.ranges.extend(ranges);
                survey.split.extend(SplitUnit::of(dwarf, &unit));
                survey.roots.extend(root_of(&unit, offset));
            }
            Err(damage) => survey.broken.push((offset, damage)),
        }
    }
    survey
}

/// Range of the first entry of the unit at an offset.
fn root_of(unit: &DwarfUnit<'_>, offset: usize) -> Option<Range<usize>> {
    let mut entries = unit.entries_raw(None).ok()?;
    let start = offset.checked_add(entries.next_offset().0)?;
    let abbreviation = entries.read_abbreviation().ok()??;
    entries.skip_attributes(abbreviation.attributes()).ok()?;
    Some(start..offset.checked_add(entries.next_offset().0)?)
}

/// A copy of `.debug_info` in which unreadable units are empty, so that `addr2line` skips
/// them. Otherwise it would stop at the first one.
pub(super) fn without_broken(
    dwarf: &Dwarf<'_>,
    broken: Vec<(usize, DebugDamage)>,
    notes: &mut Notes<DebugDamage>,
) -> Vec<u8> {
    let all = dwarf.debug_info.reader();
    let mut bytes = all.slice().to_vec();
    for (offset, damage) in broken {
        if blank(&mut bytes, *all, offset).is_none() {
            notes.add(DebugPart::UnitsFrom(offset), damage);
            bytes.truncate(offset);
            break;
        }
        notes.add(DebugPart::Unit(offset), damage);
    }
    bytes
}

/// Replaces a unit by one of DWARF 4 without entries, if it is long enough for a header.
fn blank(bytes: &mut [u8], mut from: BudgetedBytes<'_>, offset: usize) -> Option<()> {
    let size = from.len();
    from.skip(offset).ok()?;
    let (length, format) = from.read_initial_length().ok()?;
    let start = size - from.len();
    let body = bytes.get_mut(start..start.checked_add(length)?)?;
    let address_size_at = 2 + usize::from(format.word_size());
    if body.len() <= address_size_at + 1 {
        return None;
    }
    body.fill(0);
    let version: [u8; 2] =
        if gimli::Endianity::is_big_endian(from.endian()) { [0, 4] } else { [4, 0] };
    body[..2].copy_from_slice(&version);
    body[address_size_at] = 8;
    Some(())
}

/// Ranges by end. `addr2line` visits them from the address on, as long as a later one may contain
/// the address. Units of real files hardly overlap.
#[derive(Default)]
pub(super) struct SearchedRanges {
    ends: Box<[u64]>,
    /// The lowest beginning of each range and those after it.
    lowest_begins: Box<[u64]>,
}

impl SearchedRanges {
    /// Sorts.
    fn new(mut ranges: Vec<gimli::Range>) -> Self {
        ranges.sort_unstable_by_key(|range| range.end);
        let mut lowest_begins: Box<[u64]> = ranges.iter().map(|range| range.begin).collect();
        let mut lowest = u64::MAX;
        for begin in lowest_begins.iter_mut().rev() {
            lowest = lowest.min(*begin);
            *begin = lowest;
        }
        Self { ends: ranges.iter().map(|range| range.end).collect(), lowest_begins }
    }

    /// Number of ranges compared with an address.
    pub(super) fn n_compared(&self, address: u64) -> usize {
        let first = self.ends.partition_point(|&end| end <= address);
        let end = self.lowest_begins.partition_point(|&begin| begin <= address);
        end.saturating_sub(first)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(ranges: &[(u64, u64)], address: u64, expected: usize) {
        let range = |&(begin, end): &(u64, u64)| gimli::Range { begin, end };
        let ranges = SearchedRanges::new(ranges.iter().map(range).collect());
        assert_eq!(ranges.n_compared(address), expected, "{address}");
    }

    #[test]
    fn only_ranges_that_overlap_are_searched_together() {
        check(&[], 0, 0);
        check(&[(0, 1), (1, 2), (2, 3)], 1, 1);
        check(&[(0, 1), (1, 2), (2, 3), (0, 4)], 0, 4);
        check(&[(0, 1), (1, 2), (2, 3), (0, 4)], 2, 2);
        check(&[(0, 1), (1, 2), (2, 3), (0, 4), (9, 10)], 2, 2);
        check(&[(0, 1), (1, 2), (2, 3), (0, 4), (9, 10)], 10, 0);
    }
}
