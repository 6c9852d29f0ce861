//! Sums up callers, callees and members with little cost, in one line each.

use std::collections::{HashSet, VecDeque};
use std::io;

use foldhash::fast::RandomState;

use super::rest::plus;
use super::unit::RowGroup;
use crate::report::number::counted;
use crate::report::{Cell, Role, Row, RowKind, RowVisitor, Section};

/// Which lines of a call graph are small, and how to add them up.
pub(super) struct LineFold {
    least_percent: f64,
    percent: usize,
    index: usize,
    name: usize,
    unlisted: Option<usize>,
    adds_up: Box<[bool]>,
    /// Index numbers of large entries, which stay visible everywhere.
    large: HashSet<i128, RandomState>,
    shown: HashSet<i128, RandomState>,
}

impl LineFold {
    pub(super) fn new(section: &Section, units: &[RowGroup], least_percent: f64) -> Option<Self> {
        let adds_up = |column: &crate::report::Column| match column.role {
            Role::SelfValue | Role::Children | Role::Total => true,
            Role::Calls => column.id == "calls",
            _ => false,
        };
        let numbers = |is_wanted: &dyn Fn(&RowGroup) -> bool| {
            let wanted = units.iter().filter(|unit| is_wanted(unit));
            wanted.filter_map(|unit| unit.index).collect()
        };
        Some(Self {
            least_percent,
            percent: section.column("percent")?,
            index: section.column("index")?,
            name: section.column("name")?,
            unlisted: section.column("unlisted"),
            adds_up: section.columns.iter().map(adds_up).collect(),
            large: numbers(&|unit| unit.percent >= Some(least_percent)),
            shown: numbers(&|unit| unit.is_shown),
        })
    }

    /// Returns whether a line is small. If its cost is unknown, the cost of its function
    /// counts.
    fn is_small(&self, cells: &[Cell]) -> bool {
        match (&cells[self.percent], &cells[self.index]) {
            (Cell::Real(percent), _) => *percent < self.least_percent,
            (_, Cell::Integer(index)) => !self.large.contains(index),
            _ => false,
        }
    }
}

/// The lines on one side of an entry.
pub(super) struct FoldedLines<'f> {
    fold: &'f LineFold,
    kind: RowKind,
    shown: Vec<Vec<Cell>>,
    /// The last small lines, which may still be shown.
    small: VecDeque<Vec<Cell>>,
    /// Number of other small lines, with their sums.
    n_folded: u64,
    sums: Vec<Cell>,
}

impl<'f> FoldedLines<'f> {
    pub(super) fn new(fold: &'f LineFold) -> Self {
        Self {
            fold,
            kind: RowKind::Entry,
            shown: Vec::new(),
            small: VecDeque::new(),
            n_folded: 0,
            sums: vec![Cell::Absent; fold.adds_up.len()],
        }
    }

    /// Adds the next row, and passes on complete entries.
    pub(super) fn push(&mut self, row: Row<'_>, visit: &mut RowVisitor<'_>) -> io::Result<()> {
        if row.kind != self.kind {
            self.finish(visit)?;
            self.kind = row.kind;
        }
        if !row.kind.belongs_to_another() {
            return visit(row);
        }
        if !self.fold.is_small(row.cells) {
            self.shown.push(row.cells.to_vec());
            return Ok(());
        }
        self.small.push_back(row.cells.to_vec());
        if self.small.len() > 2 {
            self.fold_first();
        }
        Ok(())
    }

    fn fold_first(&mut self) {
        let Some(cells) = self.small.pop_front() else {
            return;
        };
        self.n_folded += 1;
        let columns = self.sums.iter_mut().zip(cells).zip(&self.fold.adds_up);
        for ((sum, cell), _) in columns.filter(|(_, adds_up)| **adds_up) {
            *sum = plus(sum, &cell);
        }
    }

    /// Ends the side: above an entry the sum comes first, since it is smallest, and below it
    /// last. At least one caller is always shown, and a single line is never summed up.
    pub(super) fn finish(&mut self, visit: &mut RowVisitor<'_>) -> io::Result<()> {
        let is_above = self.kind == RowKind::Caller;
        if is_above && self.shown.is_empty() {
            self.shown.extend(self.small.pop_back());
        }
        if self.n_folded > 0 || self.small.len() > 1 {
            (0..self.small.len()).for_each(|_| self.fold_first());
        }
        let word = format!("more {}", self.kind.id());
        let mut folded: Vec<_> = self.small.drain(..).collect();
        if self.n_folded > 0 {
            let mut sums =
                std::mem::replace(&mut self.sums, vec![Cell::Absent; self.fold.adds_up.len()]);
            let n_lines = counted(std::mem::take(&mut self.n_folded), &word, &(word.clone() + "s"));
            sums[self.fold.name] = format!("... {n_lines}").into();
            folded.push(sums);
        }
        let place = if is_above { 0 } else { self.shown.len() };
        self.shown.splice(place..place, folded);
        for mut cells in self.shown.drain(..) {
            if let (Some(unlisted), Cell::Integer(index)) =
                (self.fold.unlisted, &cells[self.fold.index])
                && !self.fold.shown.contains(index)
            {
                cells[unlisted] = Cell::flag(true);
            }
            visit(Row { kind: self.kind, cells: &cells })?;
        }
        Ok(())
    }
}
