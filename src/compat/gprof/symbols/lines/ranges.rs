//! The address ranges of an entry.

use gimli::{Attribute, AttributeValue, DwAt, RawRngListEntry};

use super::Dwarf;
use super::budget::{LineBudget, LineDamage};
use crate::symbols::DebugBytes as Bytes;

/// Nonempty range from `start` to `end` (exclusive).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct AddressRange {
    pub(super) start: u64,
    pub(super) end: u64,
}

/// The attributes of an entry with its address ranges.
#[derive(Default)]
pub(super) struct RangeAttributes<'s> {
    low: Option<AttributeValue<Bytes<'s>>>,
    high: Option<AttributeValue<Bytes<'s>>>,
    list: Option<AttributeValue<Bytes<'s>>>,
}

impl<'s> RangeAttributes<'s> {
    /// Stores an attribute if it is one of these.
    pub(super) fn note(&mut self, attribute: &Attribute<Bytes<'s>>) {
        let place = match attribute.name() {
            gimli::DW_AT_low_pc => &mut self.low,
            gimli::DW_AT_high_pc => &mut self.high,
            gimli::DW_AT_ranges => &mut self.list,
            DwAt(_) => return,
        };
        *place = Some(attribute.value());
    }

    pub(super) fn low_pc(
        &self,
        dwarf: &Dwarf<'s>,
        unit: &gimli::Unit<Bytes<'s>>,
    ) -> Result<Option<u64>, LineDamage> {
        match self.low {
            Some(value) => Ok(dwarf.attr_address(unit, value)?),
            None => Ok(None),
        }
    }
}

/// The ranges of the attributes, joined if adjacent.
pub(super) fn read<'s>(
    dwarf: &Dwarf<'s>,
    unit: &gimli::Unit<Bytes<'s>>,
    attributes: &RangeAttributes<'s>,
    budget: &mut LineBudget,
) -> Result<Vec<AddressRange>, LineDamage> {
    let mut ranges = Vec::new();
    // gprof overlooks lists named by index, `DW_FORM_rnglistx`.
    let list = attributes.list;
    let list = list.filter(|list| !matches!(list, AttributeValue::DebugRngListsIndex(_)));
    if let Some(list) = list
        && let Some(offset) = dwarf.attr_ranges_offset(unit, list)?
    {
        let mut listed = dwarf.ranges(unit, offset)?;
        // Reads entries one by one, so that empty ones count against the budget too.
        while let Some(entry) = listed.next_raw()? {
            budget.spend(1, LineBudget::RANGE)?;
            if has_index(&entry) {
                return Err(LineDamage::IndexedRange);
            }
            if let Some(range) = listed.convert_raw(entry)? {
                join(&mut ranges, range.begin, range.end);
            }
        }
    }
    if let Some(low) = attributes.low_pc(dwarf, unit)? {
        let high = match attributes.high {
            Some(AttributeValue::Udata(size)) => low.wrapping_add(size),
            Some(value) => dwarf.attr_address(unit, value)?.unwrap_or(low),
            None => low,
        };
        join(&mut ranges, low, high);
    }
    Ok(ranges)
}

fn has_index(entry: &RawRngListEntry<usize>) -> bool {
    matches!(
        entry,
        RawRngListEntry::BaseAddressx { .. }
            | RawRngListEntry::StartxEndx { .. }
            | RawRngListEntry::StartxLength { .. }
    )
}

/// Maximum number of ranges to join. Real lists are short.
const MAX_JOINED: usize = 64;

/// Adds a range, joined to an adjacent one.
///
/// Joined ranges count as one in the search for the smallest, so this is part of the naming
/// rules. Overlapping ranges remain separate.
fn join(ranges: &mut Vec<AddressRange>, start: u64, end: u64) {
    if start >= end {
        return;
    }
    for known in ranges.iter_mut().take(MAX_JOINED) {
        if start == known.end {
            known.end = end;
            return;
        }
        if end == known.start {
            known.start = start;
            return;
        }
    }
    ranges.push(AddressRange { start, end });
}

/// The ranges that do not lie within others.
pub(super) fn outside(some: &[AddressRange], others: &[AddressRange]) -> Vec<AddressRange> {
    let others = united(others);
    let is_inside = |range: &AddressRange| {
        let next = others.partition_point(|other| other.start <= range.start);
        next > 0 && range.end <= others[next - 1].end
    };
    let outside = some.iter().filter(|range| !is_inside(range));
    outside.copied().collect()
}

/// The same addresses in as few ranges as possible, ascending.
fn united(ranges: &[AddressRange]) -> Vec<AddressRange> {
    let mut sorted = ranges.to_vec();
    sorted.sort_unstable_by_key(|range| range.start);
    let mut united: Vec<AddressRange> = Vec::new();
    for range in sorted {
        match united.last_mut() {
            Some(last) if range.start <= last.end => last.end = last.end.max(range.end),
            _ => united.push(range),
        }
    }
    united
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(listed: &[(u64, u64)], expected: &[(u64, u64)]) {
        let mut ranges = Vec::new();
        for &(start, end) in listed {
            join(&mut ranges, start, end);
        }
        let joined: Vec<_> = ranges.iter().map(|range| (range.start, range.end)).collect();
        assert_eq!(joined, expected, "for {listed:?}");
    }

    #[test]
    fn ranges_that_touch_become_one() {
        check(&[(1, 2), (2, 3)], &[(1, 3)]);
        check(&[(2, 3), (1, 2)], &[(1, 3)]);
        check(&[(1, 2), (5, 6), (2, 3)], &[(1, 3), (5, 6)]);
    }

    #[test]
    fn a_gap_is_filled_from_one_side_only() {
        check(&[(1, 2), (3, 4), (2, 3)], &[(1, 3), (3, 4)]);
    }

    #[test]
    fn overlapping_and_empty_ranges_are_not_joined() {
        check(&[(1, 3), (2, 4), (4, 4)], &[(1, 3), (2, 4)]);
    }

    #[test]
    fn a_range_may_lie_inside_several_others_together() {
        let range = |start, end| AddressRange { start, end };
        let others = [range(5, 8), range(0, 5), range(20, 30)];
        let some = [range(1, 7), range(7, 9), range(22, 30), range(10, 11)];
        assert_eq!(outside(&some, &others), [range(7, 9), range(10, 11)]);
    }
}
