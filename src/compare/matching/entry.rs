//! A function as it is named, and what is known of it.

use super::{FunctionName, WhichSide};

/// A function, and what each side knows of it, if it has it.
#[derive(Clone, Debug)]
pub(super) struct Entry {
    /// Without what may differ between sides. The line is that of lines only.
    pub(super) identity: FunctionName,
    pub(super) facts: [Option<Facts>; 2],
}

/// What may be known of a function besides.
#[derive(Clone, Copy, Debug)]
pub(super) struct Facts {
    pub(super) line: Option<u32>,
    pub(super) is_global: bool,
}

impl Entry {
    pub(super) fn is_on(&self, side: WhichSide) -> bool {
        self.facts[side as usize].is_some()
    }

    pub(super) fn is_global(&self, side: WhichSide) -> bool {
        self.facts[side as usize].is_some_and(|facts| facts.is_global)
    }

    /// The function as it is named on one side.
    pub(super) fn named(&self, side: WhichSide) -> FunctionName {
        let facts = self.facts[side as usize];
        FunctionName {
            line: facts.and_then(|facts| facts.line),
            is_global: facts.is_some_and(|facts| facts.is_global),
            ..self.identity.clone()
        }
    }
}
