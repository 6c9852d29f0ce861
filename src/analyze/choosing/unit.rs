//! Entries with the rows that belong to them, by the numbers that decide about them.

use std::cmp::Ordering;
use std::sync::Arc;

use super::idle::Idle;
use super::rest::name_column;
use super::shares::own_columns;
use crate::report::{Cell, Column, NameId, NameTable, Role, RowKind, Section};

/// An entry with the callers above it and all that stands below it.
pub(super) struct Unit {
    /// Where it stands among the units of the section.
    pub(super) place: usize,
    /// What its own row is about.
    pub(super) kind: RowKind,
    /// Its own row says little: it costs nothing itself, or did not change.
    pub(super) is_idle: bool,
    about: About,
    /// The number by which others refer to it.
    pub(super) index: Option<i128>,
    /// Its share of the whole, where rows have shares; of a change, however it goes.
    pub(super) percent: Option<f64>,
    /// What it costs itself, and the share of the whole that this is; 0 where it is the
    /// sum of others.
    pub(super) own: OwnCost,
    key: Key,
    pub(super) is_shown: bool,
}

impl Unit {
    /// Whether it is shown whatever is asked for: what is in no function, sums, and
    /// what was left out before.
    pub(super) fn stays(&self) -> bool {
        !matches!(self.kind, RowKind::Entry | RowKind::Cycle)
    }

    /// Where it stands in any order. The sum of all others, where it is the first row of
    /// its section, says what the section is about, and stays there.
    pub(super) fn standing(&self) -> Standing {
        match self.kind {
            RowKind::Total if self.place == 0 => Standing::First,
            RowKind::Rest | RowKind::Total => Standing::Last,
            _ => Standing::Among,
        }
    }

    /// What its row is about.
    pub(super) fn about(&self) -> &About {
        &self.about
    }

    /// Whether it is about a name that is among these.
    pub(super) fn is_of(&self, kept: &[bool]) -> bool {
        match self.about {
            About::Name(id) => kept.get(id.index()) == Some(&true),
            _ => false,
        }
    }
}

/// Where a unit stands, whatever the order.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Standing {
    /// Before all others.
    First,
    /// Where the order puts it.
    Among,
    /// Behind all others.
    Last,
}

/// What a row is about.
pub(super) enum About {
    /// A function or a line.
    Name(NameId),
    /// Something that is called so.
    Text(Arc<[u8]>),
    /// What is in the numbers.
    Nothing,
}

/// What a unit costs itself.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct OwnCost {
    pub(super) amount: f64,
    pub(super) percent: f64,
}

/// By what units are in order.
enum Key {
    Number(f64),
    Text(Arc<[u8]>),
    Nothing,
}

/// The units of a section, in its order.
pub(super) fn units(
    section: &Section<'_>,
    sort: Option<usize>,
    names: &dyn NameTable,
) -> Vec<Unit> {
    let share = share_of(section, sort);
    let (name, index) = (name_column(section), section.column("index"));
    let of_own = own_columns(section);
    let idle = Idle::of(section, sort);
    let has_changes = section.columns.iter().any(is_change);
    let by_change = sort.is_some_and(|sort| is_change(&section.columns[sort]));
    let mut units: Vec<Unit> = Vec::new();
    let looked_at = section.rows.for_each_head(&mut |row| {
        if !is_head(row.kind) {
            return Ok(());
        }
        let cell = |column: Option<usize>| column.map(|column| &row.cells[column]);
        let number = |column: Option<usize>| cell(column).and_then(real);
        units.push(Unit {
            place: units.len(),
            kind: row.kind,
            is_idle: idle.has(&row),
            about: match cell(name) {
                Some(Cell::Name(id)) => About::Name(*id),
                Some(Cell::Text(text)) => About::Text(Arc::clone(text)),
                _ => About::Nothing,
            },
            index: match cell(index) {
                Some(Cell::Integer(index)) => Some(*index),
                _ => None,
            },
            percent: number(share).map(|share| if has_changes { share.abs() } else { share }),
            own: match row.kind {
                RowKind::Cycle | RowKind::Total => OwnCost::default(),
                _ => OwnCost {
                    amount: number(of_own.amount).unwrap_or(0.0),
                    percent: number(of_own.percent).unwrap_or(0.0),
                },
            },
            key: sort.map_or(Key::Nothing, |sort| {
                let key = key_of(&row.cells[sort], names);
                match key {
                    Key::Number(number) if by_change => Key::Number(number.abs()),
                    key => key,
                }
            }),
            is_shown: true,
        });
        Ok(())
    });
    debug_assert!(looked_at.is_ok(), "nothing is written");
    units
}

/// The column of the share that decides whether a row is worth showing: that of totals
/// where rows are in the order of totals, else the first one.
pub(super) fn share_of(section: &Section<'_>, sort: Option<usize>) -> Option<usize> {
    let by_total = sort.is_some_and(|sort| section.columns[sort].role == Role::Total);
    let of_total = || section.column("total_percent");
    let mut columns = section.columns.iter();
    let first = columns.position(|column| column.role == Role::Share);
    by_total.then(of_total).flatten().or(first)
}

/// Whether a column says how much more something is than it was. Less is as much of a
/// change as more.
fn is_change(column: &Column) -> bool {
    let is_signed = column.print.is_some_and(|print| print.is_signed);
    column.role == Role::Change || is_signed && column.role != Role::Limit
}

/// Whether a row is the one that its unit is about.
fn is_head(kind: RowKind) -> bool {
    use RowKind as K;
    matches!(
        kind,
        K::Entry | K::Cycle | K::Rest | K::Unattributed | K::Total
    )
}

/// Tells row by row which unit it belongs to.
#[derive(Default)]
pub(super) struct Splitter {
    /// Callers stand above the entry that they call.
    is_before_head: bool,
    n_heads: usize,
}

impl Splitter {
    /// The place of the unit of the next row; `None` for what stands before any entry.
    pub(super) fn unit_of(&mut self, kind: RowKind) -> Option<usize> {
        if kind == RowKind::Caller {
            self.is_before_head = true;
        } else if is_head(kind) {
            self.is_before_head = false;
            self.n_heads += 1;
        }
        match self.is_before_head {
            true => Some(self.n_heads),
            false => self.n_heads.checked_sub(1),
        }
    }
}

/// For each unit of a section, where it stood at first, whether it is shown.
pub(super) fn shown_by_place(units: &[Unit]) -> Box<[bool]> {
    let mut shown = vec![false; units.len()];
    for unit in units {
        shown[unit.place] = unit.is_shown;
    }
    shown.into()
}

/// Puts units in order by their keys; equal ones keep theirs. Rows that stand before or
/// behind all others stay there.
pub(super) fn sort(units: &mut [Unit]) {
    units.sort_by(|a, b| {
        let by_key = match (&a.key, &b.key) {
            (Key::Number(a), Key::Number(b)) => b.partial_cmp(a).unwrap_or(Ordering::Equal),
            (Key::Text(a), Key::Text(b)) => a.cmp(b),
            (a, b) => rank(a).cmp(&rank(b)),
        };
        a.standing().cmp(&b.standing()).then(by_key)
    });
}

/// Turns units around, but for the rows that stand before or behind all others.
pub(super) fn reverse(units: &mut [Unit]) {
    units.reverse();
    units.sort_by(|a, b| match (a.standing(), b.standing()) {
        (Standing::Last, Standing::Last) => a.place.cmp(&b.place),
        (a, b) => a.cmp(&b),
    });
}

/// Rows without anything in the column stand last.
fn rank(key: &Key) -> u8 {
    match key {
        Key::Number(_) => 0,
        Key::Text(_) => 1,
        Key::Nothing => 2,
    }
}

fn key_of(cell: &Cell, names: &dyn NameTable) -> Key {
    match cell {
        Cell::Name(id) => Key::Text(names.name(*id).into()),
        Cell::Text(text) => Key::Text(Arc::clone(text)),
        cell => real(cell).map_or(Key::Nothing, Key::Number),
    }
}

/// The number in a cell.
pub(super) fn real(cell: &Cell) -> Option<f64> {
    match cell {
        Cell::Real(number) => Some(*number),
        Cell::Integer(number) => Some(*number as f64),
        _ => None,
    }
}
