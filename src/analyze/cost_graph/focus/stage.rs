//! The stages of a call on its way through selected functions.

use crate::filter::{FilterSets, FocusSet};
use crate::model::{ContextId, Contexts, callers_first};
use crate::symbols::{NamedContexts, SymbolId};

/// The stage of a stack or call.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum PathStage {
    /// No selected function yet.
    Before,
    /// Within a selected function, or without `--focus`.
    Within,
    /// Within an ignored function.
    Out,
}

/// The role of a function.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum FunctionMark {
    /// Neither.
    Plain,
    /// Named by `--focus`.
    Focus,
    /// Named by `--ignore`.
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

    /// The combined mark of several functions.
    pub(super) fn or(self, other: Self) -> Self {
        match (self, other) {
            (Self::Ignored, _) | (_, Self::Ignored) => Self::Ignored,
            (Self::Focus, _) | (_, Self::Focus) => Self::Focus,
            (Self::Plain, Self::Plain) => Self::Plain,
        }
    }
}

impl PathStage {
    /// The stages from which costs may be selected.
    pub(super) const OPEN: [Self; 2] = [Self::Before, Self::Within];

    /// The stage of functions without caller.
    pub(super) fn first(focus: &FocusSet) -> Self {
        if focus.has_focus() { Self::Before } else { Self::Within }
    }

    /// The stage within a function that is called in this stage.
    pub(super) fn behind(self, mark: FunctionMark) -> Self {
        match (self, mark) {
            (Self::Out, _) | (_, FunctionMark::Ignored) => Self::Out,
            (_, FunctionMark::Focus) => Self::Within,
            (stage, FunctionMark::Plain) => stage,
        }
    }

    /// Its index among the open stages.
    pub(super) fn index(self) -> Option<usize> {
        Self::OPEN.iter().position(|&stage| stage == self)
    }
}

/// For each context whether its stack is selected; `None` if all are. A stack ends at a call
/// that is omitted. Linear in contexts.
pub(in crate::analyze) fn contexts_in(
    contexts: &Contexts,
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
        let caller = contexts.get(id).caller;
        let caller = caller.filter(|&caller| filters.arcs.contains(names.of(caller), symbol));
        let arriving = |caller: ContextId| stages[caller.index()];
        let arriving = caller.map_or(PathStage::first(focus), arriving);
        stages[id.index()] = arriving.behind(FunctionMark::of(focus, symbol));
    }
    Some(stages.iter().map(|&stage| stage == PathStage::Within).collect())
}
