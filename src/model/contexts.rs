//! The calling contexts of a profile, in columns.

use super::{Address, Context, ContextId, FunctionId, Interner, LocationId};

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
    #[inline]
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

/// Contexts, each once.
#[derive(Default)]
pub(super) struct DistinctContexts {
    numbers: Interner<Context>,
    table: Vec<Context>,
}

impl DistinctContexts {
    /// The number of a context, which joins the table.
    pub(super) fn find(&mut self, context: Context) -> ContextId {
        ContextId(self.numbers.find(context, &mut self.table, || context))
    }

    pub(super) fn get(&self, id: ContextId) -> &Context {
        &self.table[id.index()]
    }

    pub(super) fn finish(self) -> Contexts {
        self.table.into_iter().collect()
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

/// The contexts, each after its caller. `None` if the callers form a cycle or one is out of
/// range.
///
/// Linear in the number of contexts, without recursion.
pub fn callers_first(contexts: &Contexts) -> Option<Vec<ContextId>> {
    const FRESH: u8 = 0;
    const OPEN: u8 = 1;
    const DONE: u8 = 2;
    // Caller chains jump all over the table, so a compact copy of the callers is faster.
    let callers: Vec<_> = contexts.iter().map(|context| context.caller).collect();
    let mut states = vec![FRESH; contexts.len()];
    let mut order = Vec::with_capacity(contexts.len());
    let mut chain = Vec::new();
    for (first, _) in (0..).zip(contexts.iter()) {
        let mut next = Some(ContextId(first));
        while let Some(id) = next {
            match *states.get(id.index())? {
                FRESH => {
                    states[id.index()] = OPEN;
                    chain.push(id);
                    next = callers[id.index()];
                }
                OPEN => return None,
                _ => break,
            }
        }
        while let Some(id) = chain.pop() {
            states[id.index()] = DONE;
            order.push(id);
        }
    }
    Some(order)
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

    fn check(callers: &[Option<u32>], expected: Option<&[u32]>) {
        let contexts: Contexts = callers
            .iter()
            .map(|caller| Context {
                address: None,
                function: None,
                location: None,
                caller: caller.map(ContextId),
            })
            .collect();
        let order = callers_first(&contexts);
        let order = order.map(|ids| ids.iter().map(|id| id.0).collect::<Vec<_>>());
        assert_eq!(order.as_deref(), expected, "{callers:?}");
    }

    #[test]
    fn callers_come_before_callees() {
        check(&[], Some(&[]));
        check(&[None, Some(0), Some(1)], Some(&[0, 1, 2]));
        check(&[Some(2), None, Some(1)], Some(&[1, 2, 0]));
    }

    #[test]
    fn rings_and_missing_callers_are_refused() {
        check(&[Some(0)], None);
        check(&[Some(1), Some(2), Some(0)], None);
        check(&[Some(7)], None);
    }
}
