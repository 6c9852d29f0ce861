//! The places of a trace: the functions and locations of contexts, as shown in its sections.

use super::table::Columns;
use crate::model::{
    ContextId, FunctionId, HeapHistory, LocationId, Profile, RecordedCosts, RecordedLocation,
};
use crate::report::Role::Source;

/// Demangles a function name.
pub type DisplayName<'a> = dyn Fn(&[u8]) -> Vec<u8> + Sync + 'a;

/// The names of contexts in a trace.
pub(super) struct TracePlaces<'a> {
    pub(super) costs: &'a RecordedCosts,
    display: &'a DisplayName<'a>,
}

impl<'a> TracePlaces<'a> {
    pub(super) fn new(costs: &'a RecordedCosts, display: &'a DisplayName<'a>) -> Self {
        Self { costs, display }
    }
}

impl TracePlaces<'_> {
    fn at(&self, context: ContextId) -> (Option<FunctionId>, Option<LocationId>) {
        let context = self.costs.contexts.get(context);
        (context.function, context.location)
    }

    /// The order of contexts that are otherwise equal.
    pub(super) fn names(&self, context: ContextId) -> (Option<&[u8]>, Option<RecordedLocation>) {
        let (function, location) = self.at(context);
        (
            function.map(|id| &*self.costs.functions[id.index()].name),
            location.map(|id| self.costs.locations.get(id)),
        )
    }

    /// The first name, and the second if it differs.
    pub(super) fn display_both(
        &self,
        first: ContextId,
        between: &str,
        second: Option<ContextId>,
    ) -> Vec<u8> {
        let mut formatted = self.display(first);
        if let Some(second) = second.filter(|&second| self.at(second) != self.at(first)) {
            formatted.extend_from_slice(between.as_bytes());
            formatted.extend(self.display(second));
        }
        formatted
    }

    /// Function and location, as far as known.
    pub(super) fn display(&self, context: ContextId) -> Vec<u8> {
        let (function, location) = self.names(context);
        let mut name = function.map_or_else(Vec::new, |name| (self.display)(name));
        if let Some(location) = location {
            let is_alone = name.is_empty();
            name.extend_from_slice(if is_alone { b"" } else { b" (" });
            name.extend_from_slice(&location.file);
            if let Some(line) = location.line {
                name.extend_from_slice(format!(":{line}").as_bytes());
            }
            name.extend_from_slice(if is_alone { b"" } else { b")" });
        }
        if name.is_empty() {
            name.extend_from_slice(b"<unknown>");
        }
        name
    }
}

/// The history of a trace and its contexts; `None` for other profiles.
pub(super) fn trace_of<'a>(
    profile: &'a Profile,
    display: &'a DisplayName<'a>,
) -> Option<(&'a HeapHistory, TracePlaces<'a>)> {
    let costs = &profile.costs;
    Some((profile.history.as_ref()?, TracePlaces::new(costs, display)))
}

pub(super) fn more(n_more: u64, one: &str, many: &str) -> Vec<String> {
    match n_more {
        0 => Vec::new(),
        1 => vec![format!("and one more {one}")],
        _ => vec![format!("and {n_more} more {many}")],
    }
}

impl<'a, R> Columns<'a, R> {
    pub(super) fn place(self, display: impl Fn(&R) -> Vec<u8> + Sync + 'a) -> Self {
        self.named(Source, "where", display)
    }
}
