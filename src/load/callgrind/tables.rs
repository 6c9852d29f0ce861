//! Tables of functions, locations, contexts and calls, without duplicates.

use std::num::NonZeroU32;
use std::sync::Arc;

use super::names::{CompressedNameId, CompressedNames};
use super::{CallgrindFault, MAX_EVENTS};
use crate::model::{
    Context, ContextId, Extent, Function, FunctionId, Interner, LocationId, Quantity, RecordedCall,
    RecordedCalls, RecordedCosts, RecordedLocation, SampleKey, Samples, Unit, ValueType,
};

/// A source line, as far as known.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) struct LocationKey {
    pub(super) file: CompressedNameId,
    pub(super) line: Option<NonZeroU32>,
}

/// Maximum length of a file name (`NAME_MAX`).
const MAX_FILE_NAME: usize = 255;

/// The key of a function.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) struct FunctionKey {
    pub(super) name: CompressedNameId,
    pub(super) level: Option<NonZeroU32>,
    pub(super) file: Option<CompressedNameId>,
    pub(super) object: Option<CompressedNameId>,
}

type ContextKey = (Option<FunctionId>, Option<LocationKey>);

/// The tables of a profile during reading. Values belong to contexts, row by row.
#[derive(Debug, Default)]
pub(super) struct Tables {
    pub(super) recorded: RecordedCosts,
    locations: Interner<LocationKey>,
    functions: Interner<FunctionKey>,
    contexts: Interner<ContextKey>,
    calls: Interner<(ContextId, FunctionId)>,
    /// The first level of each function with further ones, possibly repeated.
    pub(super) first_levels: Vec<FunctionId>,
}

impl Tables {
    /// Sets the number of events in each cost line.
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

    pub(super) fn function(&mut self, key: FunctionKey, names: &CompressedNames) -> FunctionId {
        let id = self.functions.number(key);
        if id as usize == self.recorded.functions.len() {
            let place = key.file.map(|file| LocationKey { file, line: None });
            let location = place.map(|place| self.location(place, names));
            self.recorded.functions.push(Function {
                object: key.object.map(|object| Arc::clone(names.get(object))),
                location,
                level: key.level,
                ..Function::named(shown_name(key, names))
            });
            if key.level.is_some() {
                let first = FunctionKey { level: None, ..key };
                let first = self.function(first, names);
                self.first_levels.push(first);
            }
        }
        FunctionId(id)
    }

    /// Adds self costs of a context.
    pub(super) fn add_costs(
        &mut self,
        key: ContextKey,
        costs: &[u64],
        names: &CompressedNames,
    ) -> Result<(), CallgrindFault> {
        let context = self.context(key, names);
        let sum = self.recorded.samples.add_to(context.index(), costs);
        sum.ok_or(CallgrindFault::Overflow)
    }

    /// Adds calls from a context, with their inclusive costs.
    pub(super) fn add_calls(
        &mut self,
        key: ContextKey,
        (callee, count): (FunctionId, u64),
        costs: &[u64],
        names: &CompressedNames,
    ) -> Result<(), CallgrindFault> {
        let site = self.context(key, names);
        let index = self.calls.number((site, callee)) as usize;
        let calls = &mut self.recorded.calls;
        if index == calls.len() {
            let call = RecordedCall { site, callee, count };
            calls.push(call, costs);
            return Ok(());
        }
        let sum = calls.add_to(index, count, costs);
        sum.ok_or(CallgrindFault::Overflow)
    }

    fn context(&mut self, key: ContextKey, names: &CompressedNames) -> ContextId {
        let id = self.contexts.number(key);
        if id as usize == self.recorded.contexts.len() {
            let (function, place) = key;
            let location = place.map(|place| self.location(place, names));
            self.recorded.contexts.push(Context { function, location, ..Context::default() });
            let zeros = [0; MAX_EVENTS];
            let row = &zeros[..self.recorded.samples.types().len()];
            let row_key = SampleKey::Context(ContextId(id));
            self.recorded.samples.push(row_key, row);
        }
        ContextId(id)
    }

    fn location(&mut self, key: LocationKey, names: &CompressedNames) -> LocationId {
        let location =
            || RecordedLocation { file: Arc::clone(names.get(key.file)), line: key.line };
        let known = &mut self.recorded.locations;
        LocationId(self.locations.find(key, known, location))
    }
}

/// The name of a function. An address in the place of a name gets the file name of its
/// object, as in `callgrind_annotate`.
fn shown_name(key: FunctionKey, names: &CompressedNames) -> Arc<[u8]> {
    let name = names.get(key.name);
    let digits = name.strip_prefix(b"0x").unwrap_or_default();
    let is_address = (1..=16).contains(&digits.len()) && digits.iter().all(u8::is_ascii_hexdigit);
    let object = key.object.map(|object| &**names.get(object));
    let object = object.and_then(|path| path.rsplit(|&byte| byte == b'/').next());
    // Many functions may share the name of an object.
    let object = object.filter(|object| is_address && object.len() <= MAX_FILE_NAME);
    match object {
        Some(object) => [name, &b" ["[..], object, b"]"].concat().into(),
        None => Arc::clone(name),
    }
}
