//! Sums of exact costs of one program.
//!
//! Files number functions and contexts each in their own way, so these are matched
//! by what they are: functions by name, object, entry and location, contexts by address,
//! function, location and the context that called. What only a later file has is added
//! behind.

use std::sync::Arc;

use super::{
    Address, Context, ContextId, Function, FunctionId, Interner, LocationId, MergeError,
    RecordedCall, RecordedCosts, RecordedLocation, SampleKey, callers_first,
};

/// Where functions, contexts and rows of a sum stand. Kept from one file to the next,
/// so that adding a file costs what is in it.
#[derive(Clone, Debug, Default)]
pub(super) struct CostIndices {
    locations: Interner<RecordedLocation>,
    functions: Interner<FunctionKey>,
    contexts: Interner<ContextKey>,
    rows: Interner<SampleKey>,
    calls: Interner<(ContextId, FunctionId)>,
    /// How long the tables were that this is of.
    lengths: [usize; 5],
}

/// Adds values to sums; `None` when one does not fit.
type AddValues = fn(&mut [u64], &[u64]) -> Option<()>;

type FunctionKey = (
    Arc<[u8]>,
    Option<Arc<[u8]>>,
    Option<Address>,
    Option<LocationId>,
);
type ContextKey = (
    Option<ContextId>,
    Option<Address>,
    Option<FunctionId>,
    Option<LocationId>,
);

impl CostIndices {
    /// Adds to a sum what a later file of the same program has; `add` adds values to
    /// a row of sums.
    ///
    /// # Errors
    /// When a sum does not fit.
    pub(super) fn add(
        &mut self,
        costs: &mut RecordedCosts,
        other: &RecordedCosts,
        add: AddValues,
    ) -> Result<(), MergeError> {
        if self.lengths != lengths(costs) {
            *self = Self::of(costs);
        }
        self.add_costs(costs, other, add)?;
        self.lengths = lengths(costs);
        Ok(())
    }

    fn of(costs: &RecordedCosts) -> Self {
        Self {
            locations: Interner::of(costs.locations.iter().cloned()),
            functions: Interner::of(costs.functions.iter().map(function_key)),
            contexts: Interner::of(costs.contexts.iter().map(context_key)),
            rows: Interner::of(costs.samples.rows().map(|(key, _)| key)),
            calls: Interner::of(costs.calls.iter().map(|(call, _)| (call.site, call.callee))),
            lengths: lengths(costs),
        }
    }

    fn add_costs(
        &mut self,
        costs: &mut RecordedCosts,
        other: &RecordedCosts,
        add: AddValues,
    ) -> Result<(), MergeError> {
        let mut locations = Vec::with_capacity(other.locations.len());
        for location in &other.locations {
            let number = self
                .locations
                .find(location.clone(), &mut costs.locations, || location.clone());
            locations.push(LocationId(number));
        }
        let location_of =
            |location: Option<LocationId>| location.map(|location| locations[location.index()]);
        let mut functions = Vec::with_capacity(other.functions.len());
        for function in &other.functions {
            let function = Function {
                location: location_of(function.location),
                ..function.clone()
            };
            let key = function_key(&function);
            let number = self.functions.find(key, &mut costs.functions, || function);
            functions.push(FunctionId(number));
        }
        let mut contexts = vec![ContextId(0); other.contexts.len()];
        let order = callers_first(&other.contexts).expect("readers refuse rings of callers");
        for id in order {
            let context = other.contexts[id.index()];
            let context = Context {
                address: context.address,
                function: context.function.map(|id| functions[id.index()]),
                location: location_of(context.location),
                caller: context.caller.map(|id| contexts[id.index()]),
            };
            let key = context_key(&context);
            let number = self.contexts.find(key, &mut costs.contexts, || context);
            contexts[id.index()] = ContextId(number);
        }
        for (key, values) in other.samples.rows() {
            let key = moved(key, &contexts, &functions);
            self.add_row(costs, key, values, add)
                .ok_or(MergeError::Overflow)?;
        }
        for (call, values) in other.calls.iter() {
            let call = RecordedCall {
                site: contexts[call.site.index()],
                callee: functions[call.callee.index()],
                ..call
            };
            self.add_call(costs, call, values)
                .ok_or(MergeError::Overflow)?;
        }
        Ok(())
    }

    fn add_row(
        &mut self,
        costs: &mut RecordedCosts,
        key: SampleKey,
        values: &[u64],
        add: AddValues,
    ) -> Option<()> {
        let next = costs.samples.len();
        let row = self.rows.number_or(key, next) as usize;
        if row == next {
            costs.samples.push(key, values);
            return Some(());
        }
        add(costs.samples.row_mut(row), values)
    }

    fn add_call(
        &mut self,
        costs: &mut RecordedCosts,
        call: RecordedCall,
        values: &[u64],
    ) -> Option<()> {
        let next = costs.calls.len();
        let index = self.calls.number_or((call.site, call.callee), next) as usize;
        if index == next {
            costs.calls.push(call, values);
            return Some(());
        }
        costs.calls.add_to(index, call.count, values)
    }
}

fn function_key(function: &Function) -> FunctionKey {
    let Function {
        name,
        object,
        entry,
        location,
    } = function.clone();
    (name, object, entry, location)
}

fn context_key(context: &Context) -> ContextKey {
    let Context {
        address,
        function,
        location,
        caller,
    } = *context;
    (caller, address, function, location)
}

/// The same key by the numbers of the sum.
fn moved(key: SampleKey, contexts: &[ContextId], functions: &[FunctionId]) -> SampleKey {
    match key {
        SampleKey::Context(id) => SampleKey::Context(contexts[id.index()]),
        SampleKey::ThreadContext(id, thread) => {
            SampleKey::ThreadContext(contexts[id.index()], thread)
        }
        SampleKey::Function(id) => SampleKey::Function(functions[id.index()]),
    }
}

fn lengths(costs: &RecordedCosts) -> [usize; 5] {
    [
        costs.locations.len(),
        costs.functions.len(),
        costs.contexts.len(),
        costs.samples.len(),
        costs.calls.len(),
    ]
}
