//! Sampled ticks by source line.
//!
//! Bins usually cover two or four bytes of code, and lines a few more. Ticks are assigned to
//! the pieces of code of each line, as elsewhere to functions, and those outside of lines are
//! counted separately, so that the total stays the same.

use std::collections::{BTreeMap, BTreeSet};

use super::attribution::{Attribution, attribute, snapped};
use super::lower_bounds::LowerBounds;
use crate::model::Profile;
use crate::symbols::{FileId, LinePieces, SymbolId, SymbolTable};

pub type LineTicks = BTreeMap<u32, f64>;

/// Ticks by line, and ticks without a line, in ticks of the first clock.
#[derive(Debug, Default)]
pub struct LineTimes {
    files: BTreeMap<FileId, LineTicks>,
    sums: BTreeMap<FileId, f64>,
    /// Lines with code in bins with full counters.
    lower_bounds: BTreeMap<FileId, BTreeSet<u32>>,
    /// Total ticks.
    pub total: f64,
    /// Ticks in functions without a line.
    pub without_line: f64,
    /// Ticks outside of functions.
    pub outside: f64,
    /// Ticks that the selection omits.
    pub left_out: f64,
    /// At least some calls were counted.
    pub counts_calls: bool,
    has_run: Box<[bool]>,
}

impl LineTimes {
    /// Assigns ticks to lines. `share_of` returns the selected share of a piece, by itself
    /// and as a part of its symbol. Linear in bins, pieces and arcs, plus a search for each
    /// end of an arc.
    pub fn new(
        profile: &Profile,
        table: &SymbolTable,
        pieces: &LinePieces,
        share_of: impl Fn(SymbolId, SymbolId) -> f64,
    ) -> Self {
        let Attribution { ticks, total, outside, .. } =
            attribute(profile.histograms(), pieces.table());
        let mut times = Self {
            total,
            outside,
            counts_calls: profile.arcs().iter().any(|arc| arc.count > 0),
            has_run: vec![false; table.symbols().len()].into(),
            ..Self::default()
        };
        let full = LowerBounds::find(profile.histograms(), pieces.table());
        for ((piece, symbol), &ticks) in pieces.table().iter().zip(&ticks) {
            if ticks == 0.0 {
                continue;
            }
            let owner = pieces.owner(piece);
            times.note_run(owner, table);
            let share = share_of(piece, owner);
            let kept = ticks * share;
            times.left_out += ticks - kept;
            if kept == 0.0 {
                continue;
            }
            let sum = match symbol.source {
                None => &mut times.without_line,
                Some(source) => {
                    if full.contains(Some(piece)) {
                        let lines = times.lower_bounds.entry(source.file).or_default();
                        lines.insert(source.line.get());
                    }
                    let lines = times.files.entry(source.file).or_default();
                    lines.entry(source.line.get()).or_default()
                }
            };
            *sum += kept;
        }
        for arc in profile.arcs().iter().filter(|arc| arc.count > 0) {
            // The recorded address is where the call returns to.
            let caller = table.containing(arc.call_site.before());
            for id in [caller, table.containing(arc.callee)].into_iter().flatten() {
                times.note_run(id, table);
            }
        }
        let sums = [&mut times.without_line, &mut times.outside, &mut times.left_out];
        let lines = times.files.values_mut().flat_map(BTreeMap::values_mut);
        for ticks in sums.into_iter().chain(lines) {
            *ticks = snapped(*ticks);
        }
        let sum = |lines: &LineTicks| snapped(lines.values().sum());
        let sums = times.files.iter().map(|(&file, lines)| (file, sum(lines)));
        times.sums = sums.collect();
        times
    }

    /// Returns whether there is evidence that a function ran: a tick, or a call of it or from
    /// it.
    pub fn has_run(&self, id: SymbolId) -> bool {
        self.has_run[id.index()]
    }

    pub fn files(&self) -> impl Iterator<Item = FileId> {
        self.files.keys().copied()
    }

    pub fn of_file(&self, file: FileId) -> Option<&LineTicks> {
        self.files.get(&file)
    }

    /// The lines of a file whose ticks are lower bounds.
    pub fn lower_bounds_of(&self, file: FileId) -> impl Iterator<Item = u32> {
        self.lower_bounds.get(&file).into_iter().flatten().copied()
    }

    pub fn sum_of_file(&self, file: FileId) -> f64 {
        self.sums.get(&file).copied().unwrap_or(0.0)
    }

    /// Marks the function of a symbol as run.
    fn note_run(&mut self, id: SymbolId, table: &SymbolTable) {
        self.has_run[id.index()] = true;
        if let Some(inlines) = table.inlines() {
            self.has_run[inlines.enclosing_function(id).index()] = true;
        }
    }
}
