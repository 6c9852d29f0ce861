//! The selected part of costs, and the rest.

use std::collections::BTreeMap;

use super::selections::SelfSelection;
use crate::analyze::cost_graph::ArcCosts;
use crate::model::ContextId;
use crate::symbols::SymbolId;

/// The costs that pass through `--focus` and not through `--ignore`, by how they were found.
#[derive(Debug)]
pub enum FocusPart {
    /// For each context, whether its stack is selected.
    Stacks(Box<[bool]>),
    /// By calls of functions.
    Calls {
        /// For each symbol, the selected share of its self cost in the primary metric.
        shares: Box<[f64]>,
        /// The functions whose time may be selected, unless symbols are parts of functions.
        selections: Option<Box<[SelfSelection]>>,
        /// Selected flow of calls from outside of functions.
        of_unknown_callers: BTreeMap<SymbolId, ArcCosts>,
    },
}

impl FocusPart {
    /// The selected flow along calls of a function from outside of functions.
    pub(in crate::analyze) fn of_unknown_callers(&self, id: SymbolId) -> Option<ArcCosts> {
        match self {
            Self::Stacks(_) => None,
            Self::Calls { of_unknown_callers, .. } => of_unknown_callers.get(&id).copied(),
        }
    }

    /// Returns whether costs of functions were divided by their callers.
    pub fn is_shared_out(&self) -> bool {
        matches!(self, Self::Calls { .. })
    }

    /// The selected share of a symbol's self cost; 1 unless costs were divided.
    pub fn share_of(&self, id: SymbolId) -> f64 {
        match self {
            Self::Stacks(_) => 1.0,
            Self::Calls { shares, .. } => shares[id.index()],
        }
    }

    /// The functions whose time may be selected, if costs were divided and this is known.
    pub fn selections(&self) -> Option<&[SelfSelection]> {
        match self {
            Self::Stacks(_) => None,
            Self::Calls { selections, .. } => selections.as_deref(),
        }
    }

    /// Returns whether a context is selected.
    pub fn has_context(&self, id: ContextId) -> bool {
        match self {
            Self::Stacks(has) => has[id.index()],
            Self::Calls { .. } => true,
        }
    }
}
