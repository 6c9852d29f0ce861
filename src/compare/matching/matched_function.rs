//! A function of both sides.

use super::{FunctionName, WhichSide};

/// A function, and its facts on each side.
#[derive(Clone, Debug)]
pub(super) struct MatchedFunction {
    /// Without facts that may differ between sides. `line` is set only for lines.
    pub(super) identity: FunctionName,
    pub(super) facts: [Option<FunctionFacts>; 2],
}

/// Facts that do not identify a function.
#[derive(Clone, Copy, Debug)]
pub(super) struct FunctionFacts {
    pub(super) line: Option<u32>,
    pub(super) is_global: bool,
}

impl MatchedFunction {
    pub(super) fn is_on(&self, side: WhichSide) -> bool {
        self.facts[side as usize].is_some()
    }

    pub(super) fn is_global(&self, side: WhichSide) -> bool {
        self.facts[side as usize].is_some_and(|facts| facts.is_global)
    }

    /// The function as named on one side.
    pub(super) fn named(&self, side: WhichSide) -> FunctionName {
        let facts = self.facts[side as usize];
        FunctionName {
            line: facts.and_then(|facts| facts.line),
            is_global: facts.is_some_and(|facts| facts.is_global),
            ..self.identity.clone()
        }
    }
}
