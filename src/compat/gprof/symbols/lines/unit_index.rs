//! The units of an image: which of them answers for an address.

use std::collections::{HashMap, HashSet};

use super::Dwarf;
use super::ahead::{self, UnitAhead};
use super::budget::Budget;
use super::damage::Damage;
use super::function_name::{self, EntryName};
use super::functions::{Function, Functions, Name};
use super::line_table::{LineTable, LineTableId, LineTables};
use super::ranges;
use super::sequences::Place;
use super::unit_map::UnitMap;
use super::units::{self, Unit};
use crate::symbols::{Notes, Part};
use crate::threads;

/// All units, each read when it is first asked.
pub(super) struct UnitIndex<'s> {
    dwarf: Dwarf<'s>,
    units: Vec<Unit<'s>>,
    /// What was read of each unit.
    contents: Vec<Option<Contents<'s>>>,
    /// What was read of units that were not asked yet.
    ahead: HashMap<usize, UnitAhead<'s>>,
    map: UnitMap,
    n_extensions: usize,
    /// How many units were read because they were asked.
    n_read: usize,
    line_tables: LineTables<'s>,
    budget: Budget,
    notes: Notes<Damage>,
}

/// The tables of one unit.
#[derive(Default)]
struct Contents<'s> {
    lines: Option<LineTableId>,
    functions: Functions<'s>,
}

/// What a unit knows about an address: a place, a function, or both.
#[derive(Clone, Copy)]
pub(super) struct Hit {
    pub(super) unit: usize,
    pub(super) function: Option<usize>,
    pub(super) place: Option<Place>,
}

impl Hit {
    fn is_one(&self) -> bool {
        self.function.is_some() || self.place.is_some()
    }
}

/// What a unit that is not read yet will answer.
#[derive(Clone, Copy)]
pub(super) struct Foreseen {
    hit: Hit,
    /// How often units had turned out to cover more than they said by then.
    n_extensions: usize,
}

/// Honest units cover all their code from the start. This many may turn out to
/// cover more than they said.
const MAX_EXTENSIONS: usize = 16;

impl<'s> UnitIndex<'s> {
    pub(super) fn new(dwarf: Dwarf<'s>, mut budget: Budget) -> UnitIndex<'s> {
        let mut notes = Notes::default();
        let units = units::read_units(&dwarf, &mut budget, &mut notes);
        let mut index = UnitIndex {
            contents: units.iter().map(|_| None).collect(),
            ahead: HashMap::new(),
            dwarf,
            units,
            map: UnitMap::new(),
            n_extensions: 0,
            n_read: 0,
            line_tables: LineTables::default(),
            budget,
            notes,
        };
        index.fill_map();
        index
    }

    /// How many units were read because they were asked.
    pub(super) fn n_read(&self) -> usize {
        self.n_read
    }

    pub(super) fn notes(&self) -> &Notes<Damage> {
        &self.notes
    }

    /// Reads the units side by side that will be asked about these addresses, if they have
    /// so many bytes. Returns what they will answer, as far as that can be told.
    pub(super) fn foresee(&mut self, addresses: &[u64], least: usize) -> Vec<Option<Foreseen>> {
        let mut asked = Vec::with_capacity(addresses.len());
        for (place, &address) in addresses.iter().enumerate() {
            let first = self.map.at(address).0.iter().next();
            if let Some(unit) = first.filter(|&unit| self.contents[unit].is_none()) {
                asked.push((unit, address, place));
            }
        }
        threads::sort(&mut asked);
        let wanted: Vec<_> = asked
            .chunk_by(|one, next| one.0 == next.0)
            .map(|of_unit| of_unit[0].0)
            .collect();
        let found = ahead::read(&self.dwarf, &self.units, &wanted, least);
        if found.is_empty() {
            return vec![None; addresses.len()];
        }
        let (found, known) = ahead::look_up(found, &asked);
        self.ahead = found.into_iter().collect();
        let mut foreseen = vec![None; addresses.len()];
        for (place, hit) in known {
            foreseen[place] = hit.is_one().then_some(Foreseen {
                hit,
                n_extensions: self.n_extensions,
            });
        }
        foreseen
    }

    /// The answer that was foreseen, if it is the right one still.
    pub(super) fn as_foreseen(&mut self, foreseen: Foreseen) -> Option<Hit> {
        let Foreseen { hit, n_extensions } = foreseen;
        if self.n_extensions != n_extensions {
            // Another unit may come first by now.
            return None;
        }
        self.read_if_new(hit.unit);
        // A unit that cannot be read, or paid for, knows nothing.
        self.contents[hit.unit].as_ref()?.lines?;
        Some(hit)
    }

    /// The answer of the first unit that has one, and where that changes.
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
            let hit = Hit {
                unit,
                function,
                place,
            };
            if hit.is_one() {
                return (Some(hit), end);
            }
        }
        (None, end)
    }

    /// Reads a unit that is asked for the first time; whether it is.
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

    /// The function of a hit.
    pub(super) fn function_mut(&mut self, hit: Hit) -> Option<&mut Function<'s>> {
        let contents = self.contents[hit.unit].as_mut()?;
        contents.functions.list.get_mut(hit.function?)
    }

    /// The name that the function of a hit has in the debugging information.
    pub(super) fn entry_name(&mut self, hit: Hit, function: &Function<'s>) -> EntryName<'s> {
        let (units, budget) = (&self.units, &mut self.budget);
        let dwarf = &self.dwarf;
        let read = match function.name {
            Name::Plain(name) => function_name::read_plain(dwarf, units, hit.unit, name, budget),
            _ => function_name::read(dwarf, units, hit.unit, function.entry, budget),
        };
        let part = Part::Unit(units[hit.unit].offset);
        self.notes.value(part, read).unwrap_or_default()
    }

    /// The line table that the place of a hit is from.
    pub(super) fn line_table_mut(&mut self, hit: Hit) -> Option<&mut LineTable<'s>> {
        let id = self.contents[hit.unit].as_ref()?.lines?;
        Some(self.line_tables.get_mut(id))
    }

    /// Files the units under what they say they cover. Units that say nothing
    /// have to be read for that.
    fn fill_map(&mut self) {
        let mut mapped_tables = HashSet::new();
        for unit in 0..self.units.len() {
            for range in &self.units[unit].ranges {
                self.map.add(unit, *range);
            }
            if self.units[unit].ranges.is_empty() {
                let contents = self.read_contents(unit);
                let mut covered = contents.functions.covered();
                // Of units that share a table, such as types, only the first
                // will ever answer from it.
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

    /// Reads a unit. If any part of it is missing or damaged, all is ignored.
    fn read_contents(&mut self, unit_index: usize) -> Contents<'s> {
        let unit = &self.units[unit_index];
        let ahead = self.ahead.remove(&unit_index).unwrap_or_default();
        let lines = unit.line_table.and_then(|offset| {
            let (tables, budget) = (&mut self.line_tables, &mut self.budget);
            let read = tables.read(&self.dwarf, &unit.dwarf, offset, ahead.lines, budget);
            let part = Part::LineTable(offset.0);
            self.notes.value(part, read).flatten()
        });
        let functions = lines.and_then(|_| {
            let known = ahead.functions;
            let known = known.and_then(|known| self.budget.take_over(known));
            let read = match known {
                Some(functions) => Ok(functions),
                None => Functions::read(&self.dwarf, unit, &mut self.budget),
            };
            self.notes.value(Part::Unit(unit.offset), read)
        });
        match functions {
            Some(functions) => Contents { lines, functions },
            None => Contents::default(),
        }
    }

    /// A unit that was asked once is from then on also asked about addresses
    /// that it has lines or functions for, but did not say it covers.
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
