//! Functions with levels of recursion, and the places of costs.

use std::num::NonZeroU32;
use std::sync::Arc;

use super::super::cost_builder::{CostBuilder, FunctionKey, NameId};
use super::super::frame_parts::base;
use super::CallgrindFault;
use super::contexts::FunctionContexts;
use crate::model::{
    ContextId, Extent, FunctionId, Quantity, RecordedCall, RecordedCosts, SampleKey, Unit,
    ValueMetric, ValueType,
};

/// Maximum length of a file name (`NAME_MAX`).
const MAX_FILE_NAME: usize = 255;

/// A function and a source line, as far as known.
#[derive(Clone, Copy, Debug)]
pub(super) struct CostPlace {
    pub(super) function: Option<FunctionId>,
    pub(super) file: Option<NameId>,
    pub(super) line: Option<NonZeroU32>,
}

/// The tables of a profile during reading. Each context has values.
#[derive(Debug, Default)]
pub(super) struct CallgrindCosts {
    pub(super) costs: CostBuilder,
    contexts: FunctionContexts,
    /// The first level of each function with further ones, possibly repeated.
    first_levels: Vec<FunctionId>,
}

impl CallgrindCosts {
    pub(super) fn set_n_columns(&mut self, n_columns: usize) {
        let event = ValueType {
            quantity: Quantity::EVENTS,
            unit: Unit::COUNT,
            extent: Extent::Exclusive,
            class: None,
        };
        self.costs.set_columns(vec![event; n_columns]);
    }

    pub(super) fn function(&mut self, key: FunctionKey) -> FunctionId {
        let n_functions = self.costs.n_functions();
        let id = self.costs.function_or(key, |costs| shown_name(key, costs));
        if id.index() == n_functions && key.level.is_some() {
            let first = self.function(FunctionKey { level: None, ..key });
            self.first_levels.push(first);
        }
        id
    }

    /// Adds self costs.
    pub(super) fn add_costs(
        &mut self,
        place: CostPlace,
        costs: &[u64],
    ) -> Result<(), CallgrindFault> {
        let context = SampleKey::Context(self.context(place));
        self.costs.add(context, costs).ok_or(CallgrindFault::Overflow)
    }

    /// Adds calls with their inclusive costs.
    pub(super) fn add_calls(
        &mut self,
        place: CostPlace,
        (callee, count): (FunctionId, u64),
        costs: &[u64],
    ) -> Result<(), CallgrindFault> {
        let site = self.context(place);
        let call = RecordedCall { site, callee, count };
        self.costs.add_calls(call, costs).ok_or(CallgrindFault::Overflow)
    }

    /// The costs, and the first levels of functions.
    pub(super) fn finish(self, metrics: Vec<ValueMetric>) -> (RecordedCosts, Vec<FunctionId>) {
        let costs = self.costs.finish(metrics);
        (RecordedCosts { contexts: self.contexts.finish(), ..costs }, self.first_levels)
    }

    fn context(&mut self, CostPlace { function, file, line }: CostPlace) -> ContextId {
        let place = file.map(|file| self.costs.place(file, line));
        let (context, is_new) = self.contexts.number(function, place);
        if is_new {
            self.costs.row(SampleKey::Context(context));
        }
        context
    }
}

/// The name of a function. An address in the place of a name gets the file name of its
/// object, as in `callgrind_annotate`.
fn shown_name(key: FunctionKey, costs: &CostBuilder) -> Arc<[u8]> {
    let name = costs.text(key.name);
    let digits = name.strip_prefix(b"0x").unwrap_or_default();
    let is_address = (1..=16).contains(&digits.len()) && digits.iter().all(u8::is_ascii_hexdigit);
    let path = key.object.filter(|_| is_address).map(|object| &**costs.text(object));
    // Many functions may share the name of an object: a longer one is not read to its start.
    let object = path.and_then(|path| {
        let end = &path[path.len().saturating_sub(MAX_FILE_NAME + 1)..];
        Some(base(end)).filter(|object| object.len() <= MAX_FILE_NAME)
    });
    match object {
        Some(object) => [name, &b" ["[..], object, b"]"].concat().into(),
        None => Arc::clone(name),
    }
}
