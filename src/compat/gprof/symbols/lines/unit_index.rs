//! Finds the unit that answers for an address.

use std::collections::HashSet;

use gimli::UnitOffset;

use super::Dwarf;
use super::address_map::{self, AddressMap, Interval};
use super::budget::{LineBudget, LineDamage};
use super::function_name::{self, DwarfName};
use super::functions::{DwarfFunction, UnitFunctions};
use super::line_program::LinePosition;
use super::line_table::{LineTable, LineTableId, LineTables};
use super::ranges::{self, AddressRange};
use super::units::{self, LineUnit};
use crate::symbols::{DebugPart, Notes};

/// All units, each read on first use.
pub(super) struct UnitIndex<'s> {
    dwarf: Dwarf<'s>,
    units: Vec<LineUnit<'s>>,
    contents: Vec<Option<Contents<'s>>>,
    map: UnitMap,
    n_extensions: usize,
    /// Number of units read on demand.
    n_read: usize,
    line_tables: LineTables<'s>,
    budget: LineBudget,
    notes: Notes<LineDamage>,
}

#[derive(Default)]
struct Contents<'s> {
    lines: Option<LineTableId>,
    functions: UnitFunctions<'s>,
}

/// The answer of a unit: a place, a function, or both.
#[derive(Clone, Copy)]
pub(super) struct Hit {
    pub(super) unit: usize,
    pub(super) function: Option<usize>,
    pub(super) place: Option<LinePosition>,
}

/// Maximum number of units whose code exceeds their stated ranges. Real units state all
/// ranges.
const MAX_EXTENSIONS: usize = 16;

impl<'s> UnitIndex<'s> {
    pub(super) fn new(dwarf: Dwarf<'s>, mut budget: LineBudget) -> UnitIndex<'s> {
        let mut notes = Notes::default();
        let units = units::read_units(&dwarf, &mut budget, &mut notes);
        let mut index = UnitIndex {
            contents: units.iter().map(|_| None).collect(),
            dwarf,
            units,
            map: UnitMap::default(),
            n_extensions: 0,
            n_read: 0,
            line_tables: LineTables::default(),
            budget,
            notes,
        };
        index.fill_map();
        index
    }

    /// Number of units read on demand.
    pub(super) fn n_read(&self) -> usize {
        self.n_read
    }

    pub(super) fn notes(&self) -> &Notes<LineDamage> {
        &self.notes
    }

    /// The first answer of any unit, and the end of its range.
    pub(super) fn first_hit(&mut self, address: u64) -> (Option<Hit>, u64) {
        let (candidates, mut end) = self.map.at(address);
        for unit in candidates.iter() {
            if self.read_if_new(unit) {
                end = end.min(self.map.at(address).1);
            }
            let Some(contents) = &self.contents[unit] else {
                continue;
            };
            let (function, function_end) = contents.functions.at(address);
            let lines = contents.lines.map(|table| self.line_tables.get(table));
            let (place, place_end) = lines.map_or((None, u64::MAX), |lines| lines.at(address));
            end = end.min(function_end).min(place_end);
            if function.is_some() || place.is_some() {
                let hit = Hit { unit, function, place };
                return (Some(hit), end);
            }
        }
        (None, end)
    }

    /// Reads a unit on first use; returns whether it did.
    fn read_if_new(&mut self, unit: usize) -> bool {
        let is_new = self.contents[unit].is_none();
        if is_new {
            let contents = self.read_contents(unit);
            self.n_read += 1;
            self.extend_map(unit, &contents);
            self.contents[unit] = Some(contents);
        }
        is_new
    }

    pub(super) fn function_mut(&mut self, hit: Hit) -> Option<&mut DwarfFunction<'s>> {
        let contents = self.contents[hit.unit].as_mut()?;
        contents.functions.list.get_mut(hit.function?)
    }

    pub(super) fn entry_name(&mut self, hit: Hit, entry: UnitOffset) -> DwarfName<'s> {
        let (units, budget) = (&self.units, &mut self.budget);
        let read = function_name::read(&self.dwarf, units, hit.unit, entry, budget);
        let part = DebugPart::Unit(units[hit.unit].offset);
        self.notes.value(part, read).unwrap_or_default()
    }

    pub(super) fn line_table_mut(&mut self, hit: Hit) -> Option<&mut LineTable<'s>> {
        let id = self.contents[hit.unit].as_ref()?.lines?;
        Some(self.line_tables.get_mut(id))
    }

    /// Adds the stated ranges of all units. Units without ranges are read.
    fn fill_map(&mut self) {
        let mut mapped_tables = HashSet::new();
        for unit in 0..self.units.len() {
            for range in &self.units[unit].ranges {
                self.map.add(unit, *range);
            }
            if self.units[unit].ranges.is_empty() {
                let contents = self.read_contents(unit);
                let mut covered = contents.functions.covered();
                // Units such as types may share a table; only the first of these ever answers
                // from it.
                if let Some(lines) = contents.lines.filter(|&lines| mapped_tables.insert(lines)) {
                    covered.extend(self.line_tables.get(lines).covered());
                }
                for range in covered {
                    self.map.add(unit, range);
                }
                self.contents[unit] = Some(contents);
            }
        }
        self.map.settle();
    }

    /// Reads a unit. Ignores all of it if any part is missing or damaged.
    fn read_contents(&mut self, unit_index: usize) -> Contents<'s> {
        let unit = &self.units[unit_index];
        let lines = unit.line_table.and_then(|offset| {
            let (tables, budget) = (&mut self.line_tables, &mut self.budget);
            let read = tables.read(&self.dwarf, &unit.dwarf, offset, budget);
            let part = DebugPart::LineTable(offset.0);
            self.notes.value(part, read).flatten()
        });
        let functions = lines.and_then(|_| {
            let read = UnitFunctions::read(&self.dwarf, unit, &mut self.budget);
            self.notes.value(DebugPart::Unit(unit.offset), read)
        });
        match functions {
            Some(functions) => Contents { lines, functions },
            None => Contents::default(),
        }
    }

    /// A unit that was read also answers for addresses with lines or functions outside of its
    /// stated ranges.
    fn extend_map(&mut self, unit: usize, contents: &Contents<'s>) {
        if self.n_extensions == MAX_EXTENSIONS {
            return;
        }
        let mut covered = contents.functions.covered();
        if let Some(lines) = contents.lines {
            covered.extend(self.line_tables.get(lines).covered());
        }
        let unsaid = ranges::outside(&covered, &self.units[unit].ranges);
        if unsaid.is_empty() {
            return;
        }
        self.n_extensions += 1;
        for range in unsaid {
            self.map.add(unit, range);
        }
        self.map.settle();
    }
}

/// Maximum number of units at an address. Real files have one, or two if a discarded function
/// remained at address zero.
const N_CANDIDATES: usize = 8;

/// The first units, in file order, that cover an address.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
struct Candidates {
    units: [u32; N_CANDIDATES],
    count: u8,
}

impl Candidates {
    fn iter(&self) -> impl Iterator<Item = usize> {
        let units = &self.units[..usize::from(self.count)];
        // Counted as `usize` where they came from.
        units.iter().filter_map(|&unit| usize::try_from(unit).ok())
    }

    fn first_of(units: impl Iterator<Item = u32>) -> Candidates {
        let mut candidates = Candidates::default();
        for unit in units {
            let index = usize::from(candidates.count);
            let is_known = index > 0 && candidates.units[index - 1] == unit;
            if index < N_CANDIDATES && !is_known {
                candidates.units[index] = unit;
                candidates.count += 1;
            }
        }
        candidates
    }
}

/// Units by address.
#[derive(Default)]
struct UnitMap {
    intervals: Vec<Interval<(u32, u32)>>,
    by_address: AddressMap<Candidates>,
}

impl UnitMap {
    /// Adds a range of a unit, effective after the next [`UnitMap::settle`].
    fn add(&mut self, unit: usize, range: AddressRange) {
        let unit = u32::try_from(unit);
        let order = u32::try_from(self.intervals.len());
        if let (Ok(unit), Ok(order)) = (unit, order) {
            let (AddressRange { start, end }, rank) = (range, (unit, order));
            self.intervals.push(Interval { start, end, rank });
        }
    }

    fn settle(&mut self) {
        let mut by_address = AddressMap::default();
        address_map::cut(&self.intervals, |address, in_force| {
            // A unit may be in force many times over; look at a few only.
            let units = in_force.iter().take(2 * N_CANDIDATES);
            let candidates = Candidates::first_of(units.map(|&(unit, _)| unit));
            let is_gap = candidates.count == 0;
            by_address.push(address, (!is_gap).then_some(candidates));
        });
        self.by_address = by_address;
    }

    /// The units that cover an address, and the end of that range.
    fn at(&self, address: u64) -> (Candidates, u64) {
        let (candidates, end) = self.by_address.at(address);
        (candidates.unwrap_or_default(), end)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn units_are_asked_in_file_order() {
        let mut map = UnitMap::default();
        for (unit, start, end) in [(2, 0, 80), (1, 10, 20), (1, 15, 30), (3, 90, 99)] {
            map.add(unit, AddressRange { start, end });
        }
        map.settle();
        let check = |address, units: &[usize], end| {
            let (candidates, found_end) = map.at(address);
            let found: Vec<_> = candidates.iter().collect();
            assert_eq!((found.as_slice(), found_end), (units, end), "at {address}");
        };
        check(5, &[2], 10);
        check(12, &[1, 2], 30);
        check(40, &[2], 80);
        check(85, &[], 90);
    }
}
