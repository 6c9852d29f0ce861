//! Sampled ticks by line of the source.
//!
//! Bins are two or four bytes of code as a rule, and lines a few more: ticks go to the
//! pieces of code that lines are, as they go to functions elsewhere, and what lies in no
//! line is kept apart. So ticks in are ticks out here too.

use std::collections::{BTreeMap, BTreeSet};

use super::attribution::{Attribution, attribute, snapped};
use super::lower_bounds::LowerBounds;
use crate::filter::is_of_profiler;
use crate::model::Profile;
use crate::symbols::{FileId, LinePieces, SymbolId, SymbolTable};

pub type LineTicks = BTreeMap<u32, f64>;

/// Ticks by line, and those that are on none. All numbers are in ticks of the first
/// clock.
#[derive(Debug)]
pub struct LineTimes {
    files: BTreeMap<FileId, LineTicks>,
    sums: BTreeMap<FileId, f64>,
    /// Lines with code in bins whose counters were full.
    lower_bounds: BTreeMap<FileId, BTreeSet<u32>>,
    /// All that count.
    pub total: f64,
    /// Those of functions in code of no line.
    pub without_line: f64,
    /// Those in no function.
    pub outside: f64,
    /// Those that were left out by what was asked for.
    pub left_out: f64,
    /// Calls were counted, at least some.
    pub counts_calls: bool,
    has_run: Box<[bool]>,
}

impl LineTimes {
    /// Gives ticks to lines. `share_of` says which share of a piece was asked for, by
    /// itself and as a part of its symbol. Costs bins, pieces and arcs, and a search for each end of
    /// an arc.
    pub fn new(
        profile: &Profile,
        table: &SymbolTable,
        pieces: &LinePieces,
        share_of: impl Fn(SymbolId, SymbolId) -> f64,
    ) -> Self {
        let counts = |id: SymbolId| !is_of_profiler(pieces.table().get(id));
        let Attribution {
            ticks,
            total,
            outside,
            ..
        } = attribute(profile.histograms(), pieces.table(), counts);
        let mut times = Self {
            files: BTreeMap::new(),
            sums: BTreeMap::new(),
            lower_bounds: BTreeMap::new(),
            total,
            without_line: 0.0,
            outside,
            left_out: 0.0,
            counts_calls: profile.arcs().iter().any(|arc| arc.count > 0),
            has_run: vec![false; table.symbols().len()].into(),
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
        let sums = [
            &mut times.without_line,
            &mut times.outside,
            &mut times.left_out,
        ];
        let lines = times.files.values_mut().flat_map(BTreeMap::values_mut);
        for ticks in sums.into_iter().chain(lines) {
            *ticks = snapped(*ticks);
        }
        let sum = |lines: &LineTicks| snapped(lines.values().sum());
        let sums = times.files.iter().map(|(&file, lines)| (file, sum(lines)));
        times.sums = sums.collect();
        times
    }

    /// Whether anything says that a function ran: a tick in its code, or a call of it or
    /// from it.
    pub fn has_run(&self, id: SymbolId) -> bool {
        self.has_run[id.index()]
    }

    pub fn files(&self) -> impl Iterator<Item = FileId> {
        self.files.keys().copied()
    }

    pub fn of_file(&self, file: FileId) -> Option<&LineTicks> {
        self.files.get(&file)
    }

    /// The lines of a file whose ticks are a lower bound.
    pub fn lower_bounds_of(&self, file: FileId) -> impl Iterator<Item = u32> {
        self.lower_bounds.get(&file).into_iter().flatten().copied()
    }

    pub fn sum_of_file(&self, file: FileId) -> f64 {
        self.sums.get(&file).copied().unwrap_or(0.0)
    }

    /// What is a part of a function says that the function ran.
    fn note_run(&mut self, id: SymbolId, table: &SymbolTable) {
        self.has_run[id.index()] = true;
        if let Some(inlines) = table.inlines() {
            self.has_run[inlines.enclosing_function(id).index()] = true;
        }
    }
}
