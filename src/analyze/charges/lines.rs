//! Exact charges by line of source.

use std::collections::BTreeMap;

use super::{Amounts, Kind, Ledger, Measure};
use crate::filter::FilterSets;
use crate::symbols::{FileId, SymbolTable};

/// The lines of one source file that something was charged to.
#[derive(Debug)]
pub struct ChargedFile {
    /// Which file.
    pub file: FileId,
    /// Its lines, in order.
    pub lines: Vec<(u32, ChargedLine)>,
    /// What was charged to the whole file.
    pub own: Amounts,
}

/// What was charged to a line, or is below calls from it.
#[derive(Clone, Copy, Debug, Default)]
pub struct ChargedLine {
    /// What was charged to the line itself.
    pub own: Amounts,
    /// That and what was charged to all that was called from there.
    pub total: Amounts,
}

impl ChargedLine {
    fn add(&mut self, own: &Amounts, total: &Amounts) {
        self.own.add(own);
        self.total.add(total);
    }

    fn raise_to(&mut self, own: &Amounts, total: &Amounts) {
        if own.get(Measure::Value) >= self.own.get(Measure::Value) {
            (self.own, self.total) = (*own, *total);
        }
    }
}

impl ChargedFile {
    /// All files with a charge on a line that `filters` shows, most charges first.
    /// The symbols of `table` are lines, or else functions, which stand for the
    /// line where they start.
    #[must_use]
    pub fn all(ledger: &Ledger, table: &SymbolTable, filters: &FilterSets) -> Vec<Self> {
        let mut files: BTreeMap<FileId, BTreeMap<u32, ChargedLine>> = BTreeMap::new();
        for (id, symbol) in table.iter() {
            let Some(source) = symbol.source.filter(|_| filters.annotation.contains(id)) else {
                continue;
            };
            let (own, total) = (ledger.own(id), ledger.total(id));
            let lines = files.entry(source.file).or_default();
            let line = lines.entry(source.line.get()).or_default();
            match ledger.kind {
                // What was entered on a line is one thing, seen as function and branch.
                Kind::Entries => line.raise_to(own, &total),
                _ => line.add(own, &total),
            }
        }
        let mut files: Vec<_> = files
            .into_iter()
            .map(|(file, lines)| {
                let mut own = Amounts::default();
                for line in lines.values() {
                    own.add(&line.own);
                }
                let lines = lines.into_iter().collect();
                Self { file, lines, own }
            })
            .collect();
        let is_idle = |line: &ChargedLine| line.own.is_zero() && line.total.is_zero();
        files.retain(|file| !file.lines.iter().all(|(_, line)| is_idle(line)));
        files.sort_by_key(|file| {
            let own = file.own.get(ledger.measure);
            (std::cmp::Reverse(own), file.file)
        });
        files
    }
}
