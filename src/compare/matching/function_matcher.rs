//! Functions as they are named, numbered as they come.

use std::collections::{HashMap, VecDeque};
use std::sync::Arc;

use super::match_functions::match_functions;
use super::{FunctionName, JoinRules, Joined, WhichSide};
use crate::model::Interner;

/// The functions of several profiles, each once.
///
/// A function has one number, whichever side has it. Which functions of both sides are the
/// same is found out at the end, by [`match_functions`](Self::match_functions).
#[derive(Clone, Debug, Default)]
pub struct FunctionMatcher {
    numbers: Interner<Identity>,
    entries: Vec<MatchedFunction>,
    recent: VecDeque<Numbered>,
    keeps_namesakes: bool,
}

/// What tells a function from others, and how many of its program that share all of this
/// stand before it, where these are kept apart.
type Identity = (FunctionName, u32);

/// A function, and what each side knows of it, if it has it.
#[derive(Clone, Debug)]
pub(super) struct MatchedFunction {
    /// Without what may differ between sides. The line is that of lines only.
    pub(super) identity: FunctionName,
    pub(super) facts: [Option<FunctionFacts>; 2],
}

/// What may be known of a function besides.
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

/// A list of names whose functions have numbers.
#[derive(Clone, Debug)]
struct Numbered {
    names: Arc<[FunctionName]>,
    side: WhichSide,
    numbers: Arc<[u32]>,
}

/// How many lists of names are remembered: profiles of one program share theirs, and are
/// read side by side. More would keep the names of all profiles in memory.
const N_RECENT: usize = 16;

impl FunctionMatcher {
    /// One that tells functions of one program apart that have the same name, file and
    /// object, by their order.
    pub fn with_namesakes() -> Self {
        Self {
            keeps_namesakes: true,
            ..Self::default()
        }
    }

    /// The numbers of the functions of a profile, in their order; notes that this side has
    /// them. A list that was asked about before is known by its address.
    pub fn numbers(&mut self, names: &Arc<[FunctionName]>, side: WhichSide) -> Arc<[u32]> {
        let is_it = |one: &&Numbered| one.side == side && Arc::ptr_eq(&one.names, names);
        if let Some(known) = self.recent.iter().find(is_it) {
            return Arc::clone(&known.numbers);
        }
        let mut n_met: HashMap<FunctionName, u32> = HashMap::new();
        let numbers = names.iter().map(|name| {
            let identity = identity_of(name);
            let mut namesake = 0;
            if self.keeps_namesakes {
                let n_before = n_met.entry(identity.clone()).or_default();
                namesake = *n_before;
                *n_before += 1;
            }
            self.number((identity, namesake), name, side)
        });
        let numbers: Arc<[u32]> = numbers.collect();
        if self.recent.len() == N_RECENT {
            self.recent.pop_front();
        }
        self.recent.push_back(Numbered {
            names: Arc::clone(names),
            side,
            numbers: Arc::clone(&numbers),
        });
        numbers
    }

    /// How many functions have a number.
    pub fn n_functions(&self) -> usize {
        self.entries.len()
    }

    /// The functions as one side names them, by their numbers.
    pub fn names(&self, side: WhichSide) -> impl Iterator<Item = FunctionName> {
        self.entries.iter().map(move |entry| entry.named(side))
    }

    /// Finds out which functions of both sides are the same. Costs sorting the names.
    pub fn match_functions(self, rules: &JoinRules) -> Joined {
        match_functions(&self.entries, rules)
    }

    fn number(&mut self, identity: Identity, name: &FunctionName, side: WhichSide) -> u32 {
        let number = self.numbers.number(identity.clone());
        if number as usize == self.entries.len() {
            self.entries.push(MatchedFunction {
                identity: identity.0,
                facts: [None; 2],
            });
        }
        let facts = &mut self.entries[number as usize].facts[side as usize];
        let known = facts.get_or_insert(FunctionFacts {
            line: name.line,
            is_global: name.is_global,
        });
        // Whichever of several builds comes first.
        known.line = known.line.into_iter().chain(name.line).min();
        known.is_global |= name.is_global;
        number
    }
}

/// Functions are the same wherever they start.
fn identity_of(name: &FunctionName) -> FunctionName {
    FunctionName {
        line: name.offset.or(name.line).filter(|_| name.is_line),
        offset: None,
        is_global: false,
        ..name.clone()
    }
}
