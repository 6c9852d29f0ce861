//! How far a call has come on its way through what is asked for.

use crate::filter::{FilterSets, FocusSet};
use crate::model::{Context, ContextId, callers_first};
use crate::symbols::{NamedContexts, SymbolId};

/// Where a stack, or a call, is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum PathStage {
    /// It has not come to a function that is asked for.
    Before,
    /// It has; or everything is asked for that is not left out.
    Within,
    /// It came to one that is left out.
    Out,
}

/// What is said of a function.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum FunctionMark {
    /// Nothing.
    Plain,
    /// What runs through it is asked for.
    Focus,
    /// What runs through it is left out.
    Ignored,
}

impl FunctionMark {
    pub(super) fn of(focus: &FocusSet, id: SymbolId) -> Self {
        match (focus.ignores(id), focus.focuses(id)) {
            (true, _) => Self::Ignored,
            (false, true) => Self::Focus,
            (false, false) => Self::Plain,
        }
    }

    /// That of several functions which are taken as one.
    pub(super) fn or(self, other: Self) -> Self {
        match (self, other) {
            (Self::Ignored, _) | (_, Self::Ignored) => Self::Ignored,
            (Self::Focus, _) | (_, Self::Focus) => Self::Focus,
            (Self::Plain, Self::Plain) => Self::Plain,
        }
    }
}

impl PathStage {
    /// The stages in which something may still be kept.
    pub(super) const OPEN: [Self; 2] = [Self::Before, Self::Within];

    /// The stage of what nobody called.
    pub(super) fn first(focus: &FocusSet) -> Self {
        if focus.has_focus() {
            Self::Before
        } else {
            Self::Within
        }
    }

    /// The stage within a function that is entered in this one.
    pub(super) fn behind(self, mark: FunctionMark) -> Self {
        match (self, mark) {
            (Self::Out, _) | (_, FunctionMark::Ignored) => Self::Out,
            (_, FunctionMark::Focus) => Self::Within,
            (stage, FunctionMark::Plain) => stage,
        }
    }

    /// Its place among the open ones.
    pub(super) fn index(self) -> Option<usize> {
        Self::OPEN.iter().position(|&stage| stage == self)
    }
}

/// For each context whether its stack has a function that is asked for, and none that is
/// left out; `None` where all count. A stack ends where a call is left out. Costs
/// contexts.
pub(in crate::analyze) fn contexts_in(
    contexts: &[Context],
    names: &NamedContexts,
    filters: &FilterSets,
) -> Option<Box<[bool]>> {
    let focus = &filters.focus;
    if focus.is_all() {
        return None;
    }
    let order = callers_first(contexts).expect("readers refuse contexts that call themselves");
    let mut stages = vec![PathStage::first(focus); contexts.len()];
    for id in order {
        let symbol = names.of(id);
        let caller = contexts[id.index()].caller;
        let caller = caller.filter(|&caller| filters.arcs.contains(names.of(caller), symbol));
        let arriving = |caller: ContextId| stages[caller.index()];
        let arriving = caller.map_or(PathStage::first(focus), arriving);
        stages[id.index()] = arriving.behind(FunctionMark::of(focus, symbol));
    }
    Some(
        stages
            .iter()
            .map(|&stage| stage == PathStage::Within)
            .collect(),
    )
}
