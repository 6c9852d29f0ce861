//! The functions of a unit and their code.

use std::cmp::Reverse;

use gimli::{DwTag, UnitOffset};

use super::Dwarf;
use super::address_map::{self, AddressMap, Interval};
use super::budget::{LineBudget, LineDamage};
use super::ranges::{self, AddressRange, RangeAttributes};
use super::units::LineUnit;

/// A function with code: a subprogram, an entry point or an inlined copy.
#[derive(Clone, Copy)]
pub(super) struct DwarfFunction<'s> {
    pub(super) entry: UnitOffset,
    /// Start of its first range.
    pub(super) start: u64,
    /// Its final name, if any; `None` before the first question.
    pub(super) final_name: Option<Option<&'s [u8]>>,
}

/// The functions of a unit, in the order of their entries.
#[derive(Default)]
pub(super) struct UnitFunctions<'s> {
    pub(super) list: Vec<DwarfFunction<'s>>,
    by_address: AddressMap<usize>,
}

impl<'s> UnitFunctions<'s> {
    /// Reads all entries of a unit. Most are types, which are skipped, so this takes little
    /// longer than passing over the bytes.
    pub(super) fn read(
        dwarf: &Dwarf<'s>,
        unit: &LineUnit<'s>,
        budget: &mut LineBudget,
    ) -> Result<UnitFunctions<'s>, LineDamage> {
        let unit = &unit.dwarf;
        let mut list = Vec::new();
        let mut covered = Vec::new();
        let mut entries = unit.header.entries_raw(&unit.abbreviations, None)?;
        while !entries.is_empty() {
            let entry = entries.next_offset();
            let Some(abbreviation) = entries.read_abbreviation()? else {
                if entries.next_depth() <= 0 {
                    break;
                }
                continue;
            };
            budget.spend(abbreviation.attributes().len() + 1, LineBudget::ATTRIBUTE)?;
            if !is_function(abbreviation.tag()) {
                entries.skip_attributes(abbreviation.attributes())?;
                continue;
            }
            let mut attributes = RangeAttributes::default();
            for &specification in abbreviation.attributes() {
                attributes.note(&entries.read_attribute(specification)?);
            }
            let ranges = ranges::read(dwarf, unit, &attributes, budget)?;
            if let Some(first) = ranges.first() {
                let function = list.len();
                covered.extend(ranges.iter().map(|&range| (range, function)));
                list.push(DwarfFunction { entry, start: first.start, final_name: None });
            }
        }
        Ok(UnitFunctions { list, by_address: smallest_wins(&covered) })
    }

    /// The function at an address, and the end of that range.
    pub(super) fn at(&self, address: u64) -> (Option<usize>, u64) {
        self.by_address.at(address)
    }

    pub(super) fn covered(&self) -> Vec<AddressRange> {
        self.by_address.covered()
    }
}

fn is_function(tag: DwTag) -> bool {
    matches!(
        tag,
        gimli::DW_TAG_subprogram | gimli::DW_TAG_entry_point | gimli::DW_TAG_inlined_subroutine
    )
}

/// At each address the smallest range counts, not the innermost; of equal ones the last. Each
/// range of a scattered function counts separately.
fn smallest_wins(covered: &[(AddressRange, usize)]) -> AddressMap<usize> {
    let intervals: Vec<_> = covered
        .iter()
        .enumerate()
        .map(|(order, &(AddressRange { start, end }, _))| Interval {
            start,
            end,
            rank: (end - start, Reverse(order)),
        })
        .collect();
    let mut by_address = AddressMap::default();
    address_map::cut(&intervals, |address, in_force| {
        let smallest = in_force.first();
        by_address.push(address, smallest.map(|&(_, Reverse(order))| covered[order].1));
    });
    by_address
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(covered: &[(u64, u64, usize)], expected: &[(u64, Option<usize>)]) {
        let covered: Vec<_> = covered
            .iter()
            .map(|&(start, end, function)| (AddressRange { start, end }, function))
            .collect();
        let by_address = smallest_wins(&covered);
        for &(address, function) in expected {
            assert_eq!(by_address.at(address).0, function, "at {address:#x}");
        }
    }

    #[test]
    fn the_smallest_range_wins_even_if_it_is_outside() {
        let outer_ends_first = [(0, 0x100, 0), (0x40, 0x50, 1), (0x40, 0x60, 2)];
        let expected = [(0x40, Some(1)), (0x50, Some(2)), (0x60, Some(0)), (0x100, None)];
        check(&outer_ends_first, &expected);
    }

    #[test]
    fn of_equal_ranges_the_last_wins() {
        let covered = [(0x80, 0x90, 0), (0x88, 0x98, 1), (0x80, 0x90, 2)];
        check(&covered, &[(0x80, Some(2)), (0x88, Some(2)), (0x90, Some(1))]);
    }

    #[test]
    fn ranges_that_lie_apart_are_each_of_one_function() {
        let covered = [(0x80, 0x90, 0), (0x90, 0x98, 1), (0xa0, 0xb0, 2)];
        let expected = [
            (0x7f, None),
            (0x8f, Some(0)),
            (0x90, Some(1)),
            (0x98, None),
            (0xa0, Some(2)),
            (0xb0, None),
        ];
        check(&covered, &expected);
    }

    #[test]
    fn the_ranges_of_a_scattered_function_count_by_themselves() {
        let covered = [(0xa0, 0xa4, 0), (0xb0, 0xf0, 0), (0xa0, 0xa8, 1), (0xb0, 0xe0, 2)];
        let expected = [(0xa0, Some(0)), (0xa4, Some(1)), (0xb0, Some(2)), (0xe0, Some(0))];
        check(&covered, &expected);
    }
}
