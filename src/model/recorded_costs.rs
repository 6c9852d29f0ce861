//! Exact costs of contexts and functions, as opposed to samples by address.

use std::fmt;
use std::ops::Range;

use super::sample::add_all;
use super::{
    Address, Context, ContextId, Contexts, Function, FunctionId, LabelSet, Locations,
    PossibleCalls, RunPart, Samples, TimeSlices, UnnamedCode, ValueMetric,
};

/// A random number that the compiler gives each build. Different programs may have the same
/// number.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct BuildId(pub u32);

impl fmt::Display for BuildId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:#010x}", self.0)
    }
}

/// Exact costs, and the functions, locations and contexts they are charged to. Heap profiles,
/// traces, MLton's and callgrind's profiles have them; gmon files do not.
///
/// Readers guarantee that all numbers of functions, locations and contexts are in range, and
/// that no context is its own caller, even indirectly.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct RecordedCosts {
    /// In file order.
    pub functions: Vec<Function>,
    /// In order of first appearance.
    pub locations: Locations,
    /// In file order.
    pub contexts: Contexts,
    /// In file order.
    pub possible_calls: PossibleCalls,
    pub calls: RecordedCalls,
    /// The build, if recorded.
    pub build: Option<BuildId>,
    /// Functions outside the program: the runtime system, C code, and unknown code.
    /// Ascending.
    pub special_functions: Vec<FunctionId>,
    pub samples: Samples,
    /// The labels of samples, each set once.
    pub label_sets: Vec<LabelSet>,
    /// The slices of time in these sets, if samples have times.
    pub slices: Option<TimeSlices>,
    /// Recorded totals of a quantity, if the file has them.
    pub totals: Option<Totals>,
    /// The metrics of the columns. The first ones, one for each column, may be the columns
    /// themselves.
    pub metrics: Vec<ValueMetric>,
    /// The recorded sum of each column, if the file has it.
    pub event_totals: Option<Box<[u64]>>,
    /// Functions without a location have no known source file.
    pub knows_files: bool,
    /// The first number that the file uses without giving it a name.
    pub unnamed_number: Option<u64>,
    /// Functions that executables can name, unless functions were renumbered.
    pub unnamed_code: UnnamedCode,
    /// The parts of the run in this sum.
    pub parts: Vec<RunPart>,
}

impl RecordedCosts {
    /// Subtracts `distance` from every address in `range`, wrapping.
    pub fn move_down(&mut self, range: Range<Address>, distance: u64) {
        let moved = |address: Address| {
            if range.contains(&address) {
                Address(address.0.wrapping_sub(distance))
            } else {
                address
            }
        };
        for function in &mut self.functions {
            function.entry = function.entry.map(moved);
        }
        let contexts = self.contexts.iter();
        self.contexts =
            contexts.map(|one| Context { address: one.address.map(moved), ..one }).collect();
    }
}

/// Recorded totals of a program with a garbage collector, in the unit of the values. In real
/// files the values add up to a few ticks more or less.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Totals {
    pub program: u64,
    pub collector: u64,
}

/// Calls from one place to one function.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct RecordedCall {
    /// The function and line of the call.
    pub site: ContextId,
    pub callee: FunctionId,
    pub count: u64,
}

/// Counted calls, each with one value for each column of the samples.
///
/// Values are inclusive: the cost from call to return, in the callee and in everything that
/// it calls. Recursive calls include each other's cost. Readers guarantee that each pair of
/// site and callee occurs once.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct RecordedCalls {
    n_columns: usize,
    calls: Vec<RecordedCall>,
    values: Vec<u64>,
}

impl RecordedCalls {
    /// Without calls; each call will have `n_columns` values.
    pub fn new(n_columns: usize) -> Self {
        Self { n_columns, calls: Vec::new(), values: Vec::new() }
    }

    /// Number of pairs of site and callee.
    pub fn len(&self) -> usize {
        self.calls.len()
    }

    pub fn is_empty(&self) -> bool {
        self.calls.is_empty()
    }

    pub fn iter(&self) -> impl Iterator<Item = (RecordedCall, &[u64])> {
        // Without columns, there are no values either.
        let rows = self.values.chunks_exact(self.n_columns.max(1));
        self.calls.iter().copied().zip(rows)
    }

    /// Adds a new call.
    ///
    /// # Panics
    /// If the number of values is not the number of columns.
    pub fn push(&mut self, call: RecordedCall, values: &[u64]) {
        assert_eq!(values.len(), self.n_columns, "one value for each column");
        self.calls.push(call);
        self.values.extend_from_slice(values);
    }

    /// Adds `count` calls and their values to the call at `index`; `None` on overflow,
    /// without any change.
    pub fn add_to(&mut self, index: usize, count: u64, values: &[u64]) -> Option<()> {
        let sum = self.calls[index].count.checked_add(count)?;
        let start = index * self.n_columns;
        add_all(&mut self.values[start..start + self.n_columns], values)?;
        self.calls[index].count = sum;
        Some(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sums_that_do_not_fit_change_nothing() {
        let mut calls = RecordedCalls::new(2);
        let call = RecordedCall { site: ContextId(0), callee: FunctionId(0), count: 1 };
        calls.push(call, &[5, u64::MAX]);
        assert_eq!(calls.add_to(0, 1, &[1, 1]), None);
        assert_eq!(calls.add_to(0, u64::MAX, &[1, 0]), None);
        assert_eq!(calls.iter().next(), Some((call, &[5, u64::MAX][..])));
        assert_eq!(calls.add_to(0, 2, &[1, 0]), Some(()));
        let sum = RecordedCall { count: 3, ..call };
        assert_eq!(calls.iter().next(), Some((sum, &[6, u64::MAX][..])));
    }
}
