//! The calling contexts of a profile, in columns.

use super::{Address, Context, ContextId, FunctionId, LocationId};

/// Contexts by number.
///
/// A profile may have ten times as many contexts as functions. So a column takes no memory before
/// its first value: callgrind records no callers, and few profiles record addresses.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Contexts {
    functions: Vec<u32>,
    callers: Vec<u32>,
    locations: Vec<u32>,
    addresses: Vec<Option<Address>>,
}

/// The number of an absent function, caller or location.
const NONE: u32 = u32::MAX;

impl Contexts {
    pub fn len(&self) -> usize {
        self.functions.len()
    }

    pub fn is_empty(&self) -> bool {
        self.functions.is_empty()
    }

    /// # Panics
    /// If no context has that number.
    pub fn get(&self, id: ContextId) -> Context {
        let index = id.index();
        let value = |column: &[u32]| column.get(index).copied().filter(|&value| value != NONE);
        let function = self.functions[index];
        Context {
            caller: value(&self.callers).map(ContextId),
            function: (function != NONE).then_some(FunctionId(function)),
            location: value(&self.locations).map(LocationId),
            address: self.addresses.get(index).copied().flatten(),
        }
    }

    pub fn push(&mut self, context: Context) {
        let Context { caller, function, location, address } = context;
        let n_before = self.len();
        self.functions.push(function.map_or(NONE, |id| id.0));
        push_rare(&mut self.callers, n_before, caller.map_or(NONE, |id| id.0), NONE);
        push_rare(&mut self.locations, n_before, location.map_or(NONE, |id| id.0), NONE);
        push_rare(&mut self.addresses, n_before, address, None);
    }

    pub fn iter(&self) -> impl DoubleEndedIterator<Item = Context> + ExactSizeIterator + Clone {
        (0..self.len()).map(|index| self.get(ContextId(u32::try_from(index).unwrap_or(NONE))))
    }
}

/// Adds a value to a column, which stays empty before the first one.
fn push_rare<T: Copy + PartialEq>(column: &mut Vec<T>, n_before: usize, value: T, none: T) {
    if value != none || !column.is_empty() {
        column.resize(n_before, none);
        column.push(value);
    }
}

impl FromIterator<Context> for Contexts {
    fn from_iter<I: IntoIterator<Item = Context>>(rows: I) -> Self {
        let mut contexts = Self::default();
        rows.into_iter().for_each(|context| contexts.push(context));
        contexts
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_without_values_stay_empty() {
        let function = |id| Context { function: Some(FunctionId(id)), ..Context::default() };
        let called = Context { caller: Some(ContextId(0)), ..function(2) };
        let at = Context { address: Some(Address(u64::MAX)), ..Context::default() };
        let rows = [function(1), Context::default(), called, at];
        let contexts: Contexts = rows.into_iter().collect();
        assert!(contexts.iter().eq(rows));
        assert!(contexts.iter().rev().eq(rows.into_iter().rev()));
        assert_eq!((contexts.callers.len(), contexts.locations.len()), (4, 0));
    }
}
