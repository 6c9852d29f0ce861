//! Values charged exactly to contexts and functions, rather than sampled by address.

use std::fmt;
use std::ops::Range;

use super::{
    Address, Context, ContextId, Function, FunctionId, PossibleCalls, RecordedLocation, RunPart,
    Samples, ValueMetric,
};

/// What tells builds of programs apart: a number that the compiler draws for each.
/// Different programs may have drawn the same one.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct BuildId(pub u32);

impl fmt::Display for BuildId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:#010x}", self.0)
    }
}

/// Values charged exactly, and what they are charged to. Heap profiles, traces,
/// MLton's and callgrind's profiles are of this kind; gmon files have none.
///
/// Every number of a function, location or context that stands in one of the tables is
/// in range, and no context is, by way of others, its own caller. Readers see to it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct RecordedCosts {
    /// Functions that the file names itself, in its order.
    pub functions: Vec<Function>,
    /// Locations in the source, in order of first appearance.
    pub locations: Vec<RecordedLocation>,
    /// Contexts, in the order of the file.
    pub contexts: Vec<Context>,
    /// Calls that might happen, in the order of the file.
    pub possible_calls: PossibleCalls,
    pub calls: RecordedCalls,
    /// The build of the program, where the file names it.
    pub build: Option<BuildId>,
    /// Functions that are none of the program: its runtime system, code in C, and
    /// what could not be told. In rising order.
    pub special_functions: Vec<FunctionId>,
    pub samples: Samples,
    /// What all values of a quantity sum up to, where the file has totals of its own.
    pub totals: Option<Totals>,
    /// What the values add up to. The first of them, one for each column, may be the columns
    /// themselves.
    pub metrics: Vec<ValueMetric>,
    /// What the file says is the sum of each column, if it does.
    pub event_totals: Option<Box<[u64]>>,
    /// Functions without a location have no source file that is known.
    pub knows_files: bool,
    /// The first number that stands for a name which the file does not have.
    pub unnamed_number: Option<u64>,
    /// The parts of the run that are summed here.
    pub parts: Vec<RunPart>,
}

impl RecordedCosts {
    /// Takes `distance` from every address in `range`, wrapping.
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
        for context in &mut self.contexts {
            context.address = context.address.map(moved);
        }
    }
}

/// The totals of a profile of a program with a garbage collector, in the unit of its
/// values. They need not be the sums of the values: real files are a few ticks off.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Totals {
    pub program: u64,
    pub collector: u64,
}

/// Calls from one place to one function.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct RecordedCall {
    /// The function and the line that called.
    pub site: ContextId,
    pub callee: FunctionId,
    pub count: u64,
}

/// Counted calls, each with one value for every column of the samples beside them.
///
/// The values are inclusive: what passed from the calls to their returns, in the
/// callee and in all that it called. Where calls recur, a moment is in the values of
/// several of them. No pair of site and callee is here twice; readers see to it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct RecordedCalls {
    n_columns: usize,
    calls: Vec<RecordedCall>,
    values: Vec<u64>,
}

impl RecordedCalls {
    /// No calls yet; each will have so many values.
    pub fn new(n_columns: usize) -> Self {
        Self {
            n_columns,
            calls: Vec::new(),
            values: Vec::new(),
        }
    }

    /// How many there are, calls between the same two as one.
    pub fn len(&self) -> usize {
        self.calls.len()
    }

    pub fn is_empty(&self) -> bool {
        self.calls.is_empty()
    }

    pub fn iter(&self) -> impl Iterator<Item = (RecordedCall, &[u64])> {
        // Values are there only where there are columns to cut them up by.
        let rows = self.values.chunks_exact(self.n_columns.max(1));
        self.calls.iter().copied().zip(rows)
    }

    /// Adds a call that is not here yet.
    ///
    /// # Panics
    /// When it has not one value for each column.
    pub fn push(&mut self, call: RecordedCall, values: &[u64]) {
        assert_eq!(values.len(), self.n_columns, "one value for each column");
        self.calls.push(call);
        self.values.extend_from_slice(values);
    }

    /// Adds `count` calls and their values to the call at an index; `None`, with
    /// nothing added, when a sum does not fit.
    pub fn add_to(&mut self, index: usize, count: u64, values: &[u64]) -> Option<()> {
        let sum = self.calls[index].count.checked_add(count)?;
        let start = index * self.n_columns;
        add_all(&mut self.values[start..start + self.n_columns], values)?;
        self.calls[index].count = sum;
        Some(())
    }
}

/// Adds values to sums; `None`, with nothing added, when one does not fit.
pub(crate) fn add_all(sums: &mut [u64], values: &[u64]) -> Option<()> {
    let mut pairs = sums.iter().zip(values);
    if pairs.any(|(sum, &value)| sum.checked_add(value).is_none()) {
        return None;
    }
    for (sum, value) in sums.iter_mut().zip(values) {
        *sum += value;
    }
    Some(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sums_that_do_not_fit_change_nothing() {
        let mut calls = RecordedCalls::new(2);
        let call = RecordedCall {
            site: ContextId(0),
            callee: FunctionId(0),
            count: 1,
        };
        calls.push(call, &[5, u64::MAX]);
        assert_eq!(calls.add_to(0, 1, &[1, 1]), None);
        assert_eq!(calls.add_to(0, u64::MAX, &[1, 0]), None);
        assert_eq!(calls.iter().next(), Some((call, &[5, u64::MAX][..])));
        assert_eq!(calls.add_to(0, 2, &[1, 0]), Some(()));
        let sum = RecordedCall { count: 3, ..call };
        assert_eq!(calls.iter().next(), Some((sum, &[6, u64::MAX][..])));
    }
}
