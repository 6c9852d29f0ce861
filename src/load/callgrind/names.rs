//! Names with numbers: a file writes each name once and then refers to its number.

use std::collections::HashMap;
use std::num::NonZeroU32;

use foldhash::fast::RandomState;

use super::super::cost_builder::{CostBuilder, NameId};
use super::levels::without_level;
use super::numbers::number;

/// The kind of a name. Each kind has its own numbers; for example, callees share the numbers of
/// functions.
#[derive(Clone, Copy, Debug)]
pub(super) enum NameKind {
    Object,
    File,
    Function,
}

/// Names by number. Most files number names from 1 in order of first appearance.
#[derive(Debug, Default)]
pub(super) struct NumberedNames {
    /// Those of 1 and the numbers after it.
    first: Vec<NameId>,
    others: HashMap<u64, NameId, RandomState>,
}

impl NumberedNames {
    fn get(&self, number: u64) -> Option<NameId> {
        let first = index_of(number).and_then(|index| self.first.get(index));
        first.or_else(|| self.others.get(&number)).copied()
    }

    fn insert(&mut self, number: u64, name: NameId) {
        match index_of(number) {
            Some(index) if index < self.first.len() => self.first[index] = name,
            Some(index) if index == self.first.len() => self.first.push(name),
            _ => {
                self.others.insert(number, name);
            }
        }
    }
}

fn index_of(number: u64) -> Option<usize> {
    usize::try_from(number).ok()?.checked_sub(1)
}

#[derive(Debug, Default)]
pub(super) struct NameCompression {
    /// Names by number, for each kind.
    pub(super) numbered: [NumberedNames; 3],
    /// The first number used before its name.
    pub(super) unnamed: Option<u64>,
    /// Names of functions may contain a level of recursion.
    pub(super) has_levels: bool,
    /// For names with a level, the name without it, and the level.
    levels: HashMap<NameId, (NameId, NonZeroU32), RandomState>,
}

impl NameCompression {
    /// Reads `name`, `(number) name` or `(number)`. A number without a name is itself a name.
    pub(super) fn read(&mut self, kind: NameKind, text: &[u8], costs: &mut CostBuilder) -> NameId {
        let Some((number, name)) = split_number(text) else {
            return self.define(kind, text, costs);
        };
        if name.is_empty() {
            if let Some(known) = self.numbered[kind as usize].get(number) {
                return known;
            }
            self.unnamed.get_or_insert(number);
        }
        let name = if name.is_empty() { text } else { name };
        let id = self.define(kind, name, costs);
        self.numbered[kind as usize].insert(number, id);
        id
    }

    /// The name of a function, and its level of recursion, from 2.
    pub(super) fn read_function(
        &mut self,
        text: &[u8],
        costs: &mut CostBuilder,
    ) -> (NameId, Option<NonZeroU32>) {
        let name = self.read(NameKind::Function, text, costs);
        let levels = Some(&self.levels).filter(|levels| !levels.is_empty());
        match levels.and_then(|levels| levels.get(&name)) {
            Some(&(rest, level)) => (rest, Some(level)),
            None => (name, None),
        }
    }

    /// The id of a name that is written out.
    fn define(&mut self, kind: NameKind, name: &[u8], costs: &mut CostBuilder) -> NameId {
        let id = costs.name(name);
        if self.has_levels
            && matches!(kind, NameKind::Function)
            && let Some((rest, level)) = without_level(name)
        {
            let rest = costs.name(&rest);
            self.levels.insert(id, (rest, level));
        }
        id
    }
}

/// The number in parentheses and the name after it. Names may start with parentheses too:
/// `(below main)`.
fn split_number(text: &[u8]) -> Option<(u64, &[u8])> {
    let inside = text.strip_prefix(b"(")?;
    let end = inside.iter().position(|&byte| byte == b')')?;
    let number = number(&inside[..end])?;
    Some((number, inside[end + 1..].trim_ascii_start()))
}
