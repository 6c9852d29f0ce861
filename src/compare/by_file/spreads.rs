//! What functions cost in many files.

use rayon::prelude::*;

use super::distribution::{Distribution, Summary};
use super::{FileCosts, FileRow};
use crate::analyze::Amount;
use crate::threads;

/// What functions cost in many files, in the making: a few numbers for each function,
/// however many files there are.
#[derive(Clone, Debug, Default)]
pub struct Spreads {
    n_files: u32,
    all: Distribution,
    unattributed: Distribution,
    functions: Vec<FunctionSpread>,
    /// How many files tell totals, and how many calls.
    n_with_totals: u32,
    n_with_calls: u32,
}

/// What one function costs in many files.
#[derive(Clone, Debug, Default)]
pub(super) struct FunctionSpread {
    n_files: u32,
    self_costs: Distribution,
    totals: Distribution,
    calls: Distribution,
}

/// The same, summed up.
#[derive(Clone, Copy, Debug)]
pub(super) struct FunctionSummary {
    /// The number of the function.
    pub(super) function: u32,
    /// How many files have it.
    pub(super) n_files: u32,
    /// What it costs itself.
    pub(super) self_cost: Summary,
    /// What it costs with all that it calls; `None` where a file does not tell.
    pub(super) total: Option<Summary>,
    /// How often it was called; `None` where no file tells.
    pub(super) calls: Option<Summary>,
}

/// Functions that one thread looks at before the next ones.
const PIECE: usize = 1 << 6;

/// So many rows are worth several threads.
const WORTH_THREADS: usize = 1 << 13;

impl Spreads {
    /// Adds the next files. Costs their rows. What is known of a function is spread over
    /// memory, so that each of them has its rows of all these files added at once.
    pub fn add(&mut self, files: &[FileCosts]) {
        let first = self.n_files;
        for (file, costs) in (first..).zip(files) {
            self.add_whole(file, costs);
        }
        let functions = self.functions.chunks_mut(PIECE).enumerate();
        let n_rows: usize = files.iter().map(|costs| costs.rows.len()).sum();
        if n_rows < WORTH_THREADS {
            return functions.for_each(|piece| add_rows(piece, first, files));
        }
        threads::start();
        let functions = self.functions.par_chunks_mut(PIECE).enumerate();
        functions.for_each(|piece| add_rows(piece, first, files));
    }

    fn add_whole(&mut self, file: u32, costs: &FileCosts) {
        self.n_files = self.n_files.saturating_add(1);
        self.all.add(file, costs.all);
        self.unattributed.add(file, costs.unattributed);
        // Numbers are in order, so the last one is the largest.
        if let Some(last) = costs.rows.last() {
            let n_known = last.function as usize + 1;
            if self.functions.len() < n_known {
                self.functions.resize_with(n_known, Default::default);
            }
        }
        let has_totals = costs.rows.iter().all(|row| row.total.is_some());
        self.n_with_totals += u32::from(has_totals);
        let has_calls = costs.rows.iter().any(|row| row.calls.is_some());
        self.n_with_calls += u32::from(has_calls);
    }

    /// How many files there are.
    #[must_use]
    pub fn n_files(&self) -> u32 {
        self.n_files
    }

    /// All that there is in a file.
    #[must_use]
    pub fn all(&self) -> Summary {
        self.all.of(self.n_files)
    }

    /// What of it is in no function; `None` where that is nothing in all files.
    #[must_use]
    pub fn unattributed(&self) -> Option<Summary> {
        (!self.unattributed.is_nothing()).then(|| self.unattributed.of(self.n_files))
    }

    /// Whether all files tell what functions cost with all that they call.
    #[must_use]
    pub fn has_totals(&self) -> bool {
        self.n_files > 0 && self.n_with_totals == self.n_files
    }

    /// Whether any file tells how often functions were called.
    #[must_use]
    pub fn has_calls(&self) -> bool {
        self.n_with_calls > 0
    }

    /// The functions that cost anything or were called, in the order of their numbers.
    pub(super) fn functions(&self) -> impl Iterator<Item = FunctionSummary> {
        let is_idle = |one: &FunctionSpread| {
            one.self_costs.is_nothing() && one.totals.is_nothing() && one.calls.is_nothing()
        };
        let functions = (0..).zip(&self.functions);
        let functions = functions.filter(move |(_, one)| !is_idle(one));
        functions.map(|(function, one)| FunctionSummary {
            function,
            n_files: one.n_files,
            self_cost: one.self_costs.of(self.n_files),
            total: self.has_totals().then(|| one.totals.of(self.n_files)),
            calls: self.has_calls().then(|| one.calls.of(self.n_files)),
        })
    }
}

/// Adds what files, from the first one on, say of the functions of a piece.
fn add_rows((piece, functions): (usize, &mut [FunctionSpread]), first: u32, files: &[FileCosts]) {
    let start = piece * PIECE;
    for (file, costs) in (first..).zip(files) {
        let place = |row: &FileRow| row.function as usize;
        let n_before = costs.rows.partition_point(|row| place(row) < start);
        for row in &costs.rows[n_before..] {
            match functions.get_mut(place(row) - start) {
                Some(function) => function.add(file, row),
                None => break,
            }
        }
    }
}

impl FunctionSpread {
    fn add(&mut self, file: u32, row: &FileRow) {
        self.n_files += 1;
        self.self_costs.add(file, row.self_cost);
        if let Some(total) = row.total {
            self.totals.add(file, total);
        }
        if let Some(calls) = row.calls {
            self.calls.add(file, Amount::Exact(calls.into()));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A file that has every function but for some, each with its number of ticks.
    fn file(n_functions: u32, left_out: u32) -> FileCosts {
        let functions = (0..n_functions).filter(|function| function % 7 != left_out);
        let row = |function| FileRow {
            function,
            self_cost: Amount::Ticks(f64::from(function * left_out)),
            total: Some(Amount::Ticks(f64::from(function))),
            calls: Some(u64::from(left_out)),
        };
        FileCosts {
            all: Amount::Ticks(1.0),
            unattributed: Amount::Ticks(2.0),
            rows: functions.map(row).collect(),
        }
    }

    #[test]
    fn files_that_are_added_at_once_are_those_that_are_added_one_by_one() {
        for n_functions in [0, 1, 63, 64, 65, 7000] {
            let files: Vec<_> = (0..5).map(|left_out| file(n_functions, left_out)).collect();
            let (mut at_once, mut one_by_one) = (Spreads::default(), Spreads::default());
            at_once.add(&files);
            for file in files.chunks(1) {
                one_by_one.add(file);
            }
            let said = |spreads: &Spreads| {
                let functions: Vec<_> = spreads.functions().collect();
                format!("{:?} {functions:?}", spreads.all())
            };
            assert_eq!(
                said(&at_once),
                said(&one_by_one),
                "of {n_functions} functions"
            );
            assert_eq!(at_once.functions().count(), n_functions as usize);
        }
    }
}
