//! Units that are read side by side before anybody asks them.
//!
//! What comes of a unit does not depend on when it is read, but for two things: a table
//! that units share is that of the first one to ask, and what went before may have used up
//! the budget. So shared tables are not read here, and whoever takes over a part pays for
//! it then. A part with anything wrong is left to who asks for it.
//!
//! What a unit will answer is looked up then, too, in the order of memory, since questions
//! come in that of a table of symbols, which is none.

use std::collections::HashMap;

use gimli::DebugLineOffset;
use rayon::prelude::*;

use crate::threads;

use super::Dwarf;
use super::budget::{Ahead, Budget};
use super::functions::Functions;
use super::line_table::LineTable;
use super::unit_index::Hit;
use super::units::Unit;

/// Threads are not worth their start for fewer bytes.
pub(super) const LEAST_BYTES: usize = 1 << 18;

/// What was read of a unit.
#[derive(Default)]
pub(super) struct UnitAhead<'s> {
    pub(super) lines: Option<Ahead<LineTable<'s>>>,
    pub(super) functions: Option<Ahead<Functions<'s>>>,
}

/// What was read of the unit with that number.
pub(super) type Numbered<'s> = (usize, UnitAhead<'s>);

/// An address that will be asked for: the number of the unit to ask, the address, and its
/// place among all that will be asked for.
pub(super) type Asked = (usize, u64, usize);

/// What units know about addresses, which are given in the order of units and, for each of
/// them, of memory. Each is told with the place of its address.
pub(super) fn look_up<'s>(
    found: Vec<Numbered<'s>>,
    asked: &[Asked],
) -> (Vec<Numbered<'s>>, Vec<(usize, Hit)>) {
    let of_unit = |(unit, ahead): Numbered<'s>| {
        let start = asked.partition_point(|one| one.0 < unit);
        let n_asked = asked[start..].partition_point(|one| one.0 == unit);
        let known: Vec<_> = match ahead.tables() {
            Some((lines, functions)) => {
                let hit = |address| Hit {
                    unit,
                    function: functions.at(address).0,
                    place: lines.at(address).0,
                };
                let asked = asked[start..][..n_asked].iter();
                let known = asked.map(|&(_, address, place)| (place, hit(address)));
                known.collect()
            }
            None => Vec::new(),
        };
        ((unit, ahead), known)
    };
    let (found, known): (_, Vec<_>) = found.into_par_iter().map(of_unit).unzip();
    (found, known.concat())
}

impl<'s> UnitAhead<'s> {
    /// Both parts, if nothing is wrong with them.
    fn tables(&self) -> Option<(&LineTable<'s>, &Functions<'s>)> {
        Some((
            self.lines.as_ref()?.result(),
            self.functions.as_ref()?.result(),
        ))
    }
}

/// Reads units, which are given in order; nothing where they have fewer bytes than that.
pub(super) fn read<'s>(
    dwarf: &Dwarf<'s>,
    units: &[Unit<'s>],
    wanted: &[usize],
    least_bytes: usize,
) -> Vec<Numbered<'s>> {
    let shares = uses_of_tables(units);
    let is_own = |offset: &DebugLineOffset| shares.get(&offset.0) == Some(&1);
    let tasks: Vec<_> = wanted
        .iter()
        .map(|&index| {
            let offset = units[index].line_table.filter(is_own);
            let size = offset.and_then(|offset| LineTable::size_at(dwarf, offset));
            (&units[index], offset.zip(size))
        })
        .collect();
    let line_bytes = tasks
        .iter()
        .filter_map(|(_, table)| Some(table.as_ref()?.1));
    let n_line_bytes = line_bytes.fold(0, usize::saturating_add);
    let entry_bytes = tasks.iter().map(|(unit, _)| unit.size);
    let n_entry_bytes = entry_bytes.fold(0, usize::saturating_add);
    // Tables that overlap are no honest ones.
    let are_apart = n_line_bytes <= gimli::Section::reader(&dwarf.debug_line).slice().len();
    if !are_apart || n_line_bytes.saturating_add(n_entry_bytes) < least_bytes {
        return Vec::new();
    }
    threads::start();
    let (lines, functions): (Vec<_>, Vec<_>) = rayon::join(
        || {
            let read = tasks.par_iter().with_max_len(1).map(|&(unit, table)| {
                let (offset, size) = table?;
                Budget::ahead(size, |budget| {
                    LineTable::read(dwarf, &unit.dwarf, offset, budget)
                })
            });
            read.collect()
        },
        || {
            let read = tasks.par_iter().with_max_len(1).map(|&(unit, _)| {
                Budget::ahead(unit.size, |budget| Functions::read(dwarf, unit, budget))
            });
            read.collect()
        },
    );
    let parts = lines.into_iter().zip(functions);
    let parts = parts.map(|(lines, functions)| UnitAhead { lines, functions });
    wanted.iter().copied().zip(parts).collect()
}

/// How many units name each line table.
fn uses_of_tables(units: &[Unit<'_>]) -> HashMap<usize, usize> {
    let mut uses = HashMap::new();
    for offset in units.iter().filter_map(|unit| unit.line_table) {
        *uses.entry(offset.0).or_insert(0) += 1;
    }
    uses
}
