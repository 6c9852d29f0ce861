//! What a profile is built from: functions, places, contexts and calls, each once.

use std::collections::HashMap;
use std::hash::Hash;
use std::num::NonZeroU32;
use std::sync::Arc;

use foldhash::fast::RandomState;

use super::names::{NameId, Names};
use super::{CallgrindFault, MAX_EVENTS};
use crate::model::{
    Context, ContextId, Extent, Function, FunctionId, LocationId, Quantity, RecordedCall,
    RecordedCalls, RecordedCosts, RecordedLocation, SampleKey, Samples, Unit, ValueType,
};

/// A line of a file, where these are known.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) struct LocationKey {
    pub(super) file: NameId,
    pub(super) line: Option<NonZeroU32>,
}

/// What tells functions apart.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) struct FunctionKey {
    pub(super) name: NameId,
    pub(super) file: Option<NameId>,
    pub(super) object: Option<NameId>,
}

type ContextKey = (Option<FunctionId>, Option<LocationKey>);

/// The tables of a profile while it is read. Row by row, its values belong to its
/// contexts.
#[derive(Debug, Default)]
pub(super) struct Tables {
    recorded: RecordedCosts,
    locations: HashMap<LocationKey, u32, RandomState>,
    functions: HashMap<FunctionKey, u32, RandomState>,
    contexts: HashMap<ContextKey, u32, RandomState>,
    calls: HashMap<(ContextId, FunctionId), u32, RandomState>,
}

impl Tables {
    /// Says how many events costs are of.
    pub(super) fn set_n_events(&mut self, n_events: usize) {
        let event = ValueType {
            quantity: Quantity::EVENTS,
            unit: Unit::COUNT,
            extent: Extent::Exclusive,
            class: None,
        };
        self.recorded.samples = Samples::new(vec![event; n_events]);
        self.recorded.calls = RecordedCalls::new(n_events);
    }

    pub(super) fn function(
        &mut self,
        key: FunctionKey,
        names: &Names,
    ) -> Result<FunctionId, CallgrindFault> {
        let (id, is_new) = number(&mut self.functions, key, "functions")?;
        if is_new {
            let location = key.file.map(|file| LocationKey { file, line: None });
            let location = location
                .map(|location| self.location(location, names))
                .transpose()?;
            self.recorded.functions.push(Function {
                name: Arc::clone(names.get(key.name)),
                object: key.object.map(|object| Arc::clone(names.get(object))),
                entry: None,
                location,
            });
        }
        Ok(FunctionId(id))
    }

    /// Adds what was counted in a context itself.
    pub(super) fn add_costs(
        &mut self,
        key: ContextKey,
        costs: &[u64],
        names: &Names,
    ) -> Result<(), CallgrindFault> {
        let context = self.context(key, names)?;
        let sum = self.recorded.samples.add_to(context.index(), costs);
        sum.ok_or(CallgrindFault::Overflow)
    }

    /// Adds calls from a context, and what was counted while they lasted.
    pub(super) fn add_calls(
        &mut self,
        key: ContextKey,
        (callee, count): (FunctionId, u64),
        costs: &[u64],
        names: &Names,
    ) -> Result<(), CallgrindFault> {
        let site = self.context(key, names)?;
        let (index, is_new) = number(&mut self.calls, (site, callee), "calls")?;
        let calls = &mut self.recorded.calls;
        if is_new {
            let call = RecordedCall {
                site,
                callee,
                count,
            };
            calls.push(call, costs);
            return Ok(());
        }
        let sum = calls.add_to(index as usize, count, costs);
        sum.ok_or(CallgrindFault::Overflow)
    }

    /// All that was read.
    pub(super) fn into_costs(self) -> RecordedCosts {
        self.recorded
    }

    fn context(&mut self, key: ContextKey, names: &Names) -> Result<ContextId, CallgrindFault> {
        let (id, is_new) = number(&mut self.contexts, key, "lines")?;
        if is_new {
            let (function, location) = key;
            let location = location
                .map(|location| self.location(location, names))
                .transpose()?;
            self.recorded.contexts.push(Context {
                address: None,
                function,
                location,
                caller: None,
            });
            let zeros = [0; MAX_EVENTS];
            let row = &zeros[..self.recorded.samples.types().len()];
            let row_key = SampleKey::Context(ContextId(id));
            self.recorded.samples.push(row_key, row);
        }
        Ok(ContextId(id))
    }

    fn location(&mut self, key: LocationKey, names: &Names) -> Result<LocationId, CallgrindFault> {
        let (id, is_new) = number(&mut self.locations, key, "lines")?;
        if is_new {
            self.recorded.locations.push(RecordedLocation {
                file: Arc::clone(names.get(key.file)),
                line: key.line,
            });
        }
        Ok(LocationId(id))
    }
}

/// The number of a thing, which is the next one if it is new.
fn number<K: Eq + Hash>(
    numbers: &mut HashMap<K, u32, RandomState>,
    key: K,
    what: &'static str,
) -> Result<(u32, bool), CallgrindFault> {
    let too_many = |_| CallgrindFault::TooMany { what };
    let next = u32::try_from(numbers.len()).map_err(too_many)?;
    let number = *numbers.entry(key).or_insert(next);
    Ok((number, number == next))
}
