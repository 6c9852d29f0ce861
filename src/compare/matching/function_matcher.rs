//! Numbers functions by name.

use std::collections::{HashMap, VecDeque};
use std::sync::Arc;

use super::match_functions::match_functions;
use super::matched_function::{FunctionFacts, MatchedFunction};
use super::{FunctionName, JoinRules, Joined, WhichSide};
use crate::model::Interner;

/// The functions of several profiles, without duplicates.
///
/// A function has the same number on both sides. [`match_functions`](Self::match_functions)
/// matches differently named ones at the end.
#[derive(Clone, Debug, Default)]
pub struct FunctionMatcher {
    numbers: Interner<Identity>,
    entries: Vec<MatchedFunction>,
    recent: VecDeque<Numbered>,
    keeps_namesakes: bool,
}

/// The key of a function, and its index among equal functions of its program, if these are
/// distinguished.
type Identity = (FunctionName, u32);

/// A list of names with numbers.
#[derive(Clone, Debug)]
struct Numbered {
    names: Arc<[FunctionName]>,
    side: WhichSide,
    numbers: Arc<[u32]>,
}

/// Number of cached lists of names: profiles of one program share a list, and are read in
/// parallel. A larger cache would keep the names of all profiles in memory.
const N_RECENT: usize = 16;

impl FunctionMatcher {
    /// A matcher that distinguishes functions of a program with the same name, file and
    /// object by order.
    pub fn with_namesakes() -> Self {
        Self { keeps_namesakes: true, ..Self::default() }
    }

    /// The numbers of a profile's functions, in order; records that this side has them.
    /// Caches by address of the list.
    pub fn numbers(&mut self, names: &Arc<[FunctionName]>, side: WhichSide) -> Arc<[u32]> {
        let is_it = |one: &&Numbered| one.side == side && Arc::ptr_eq(&one.names, names);
        if let Some(known) = self.recent.iter().find(is_it) {
            return Arc::clone(&known.numbers);
        }
        let mut n_seen: HashMap<u32, u32> = HashMap::new();
        let numbers = names.iter().map(|name| {
            let mut number = self.number((identity_of(name), 0));
            if self.keeps_namesakes {
                let n_before = n_seen.entry(number).or_default();
                *n_before += 1;
                if *n_before > 1 {
                    number = self.number((identity_of(name), *n_before - 1));
                }
            }
            self.add_facts(number, name, side);
            number
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

    pub(super) fn entries(&self) -> &[MatchedFunction] {
        &self.entries
    }

    /// Number of functions.
    pub fn n_functions(&self) -> usize {
        self.entries.len()
    }

    /// The functions as named on one side, by number.
    pub fn names(&self, side: WhichSide) -> impl Iterator<Item = FunctionName> {
        self.entries.iter().map(move |entry| entry.named(side))
    }

    /// Matches the functions of both sides. Sorts names.
    pub fn match_functions(self, rules: &JoinRules) -> Joined {
        match_functions(&self.entries, rules)
    }

    fn number(&mut self, identity: Identity) -> u32 {
        let function = || MatchedFunction { identity: identity.0.clone(), facts: [None; 2] };
        self.numbers.find(identity.clone(), &mut self.entries, function)
    }

    fn add_facts(&mut self, number: u32, name: &FunctionName, side: WhichSide) {
        let facts = &mut self.entries[number as usize].facts[side as usize];
        let known =
            facts.get_or_insert(FunctionFacts { line: name.line, is_global: name.is_global });
        // Whichever of several builds comes first.
        known.line = known.line.into_iter().chain(name.line).min();
        known.is_global |= name.is_global;
    }
}

/// The key of a function, independent of its first line.
fn identity_of(name: &FunctionName) -> FunctionName {
    FunctionName {
        line: name.offset.or(name.line).filter(|_| name.is_line),
        offset: None,
        is_global: false,
        ..name.clone()
    }
}
