//! Calls that were counted, with what they cost.

use super::{ContextId, FunctionId};

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
pub(super) fn add_all(sums: &mut [u64], values: &[u64]) -> Option<()> {
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
