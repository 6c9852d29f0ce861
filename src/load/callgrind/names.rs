//! Names with numbers: a file writes each name once and then refers to its number.

use std::collections::HashMap;
use std::num::NonZeroU32;
use std::sync::Arc;

use foldhash::fast::RandomState;

use super::levels::without_level;
use super::numbers::number;
use crate::model::InternedNames;

/// The index of a name in a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) struct CompressedNameId(u32);

/// The kind of a name. Each kind has its own numbers; callees share those of functions, for
/// example.
#[derive(Clone, Copy, Debug)]
pub(super) enum NameKind {
    Object,
    File,
    Function,
}

#[derive(Debug, Default)]
pub(super) struct CompressedNames {
    names: InternedNames,
    /// Names by number, for each kind.
    numbered: [HashMap<u64, CompressedNameId, RandomState>; 3],
    /// The first number used before its name.
    pub(super) unnamed: Option<u64>,
    /// Names of functions may contain a level of recursion.
    pub(super) has_levels: bool,
    /// For names with a level, the name without it, and the level.
    levels: HashMap<CompressedNameId, (CompressedNameId, NonZeroU32), RandomState>,
}

impl CompressedNames {
    /// Reads `name`, `(number) name` or `(number)`. A number without a name is itself a name.
    pub(super) fn read(&mut self, kind: NameKind, text: &[u8]) -> CompressedNameId {
        let Some((number, name)) = split_number(text) else {
            return self.define(kind, text);
        };
        if name.is_empty() {
            if let Some(&known) = self.numbered[kind as usize].get(&number) {
                return known;
            }
            self.unnamed.get_or_insert(number);
        }
        let name = if name.is_empty() { text } else { name };
        let id = self.define(kind, name);
        self.numbered[kind as usize].insert(number, id);
        id
    }

    /// The name of a function, and its level of recursion, from 2.
    pub(super) fn read_function(&mut self, text: &[u8]) -> (CompressedNameId, Option<NonZeroU32>) {
        let name = self.read(NameKind::Function, text);
        let levels = Some(&self.levels).filter(|levels| !levels.is_empty());
        match levels.and_then(|levels| levels.get(&name)) {
            Some(&(rest, level)) => (rest, Some(level)),
            None => (name, None),
        }
    }

    /// The id of a name that is written out.
    fn define(&mut self, kind: NameKind, name: &[u8]) -> CompressedNameId {
        let id = self.id_of(name);
        if self.has_levels
            && matches!(kind, NameKind::Function)
            && let Some((rest, level)) = without_level(name)
        {
            let rest = self.id_of(&rest);
            self.levels.insert(id, (rest, level));
        }
        id
    }

    pub(super) fn id_of(&mut self, name: &[u8]) -> CompressedNameId {
        CompressedNameId(self.names.number(name))
    }

    pub(super) fn get(&self, CompressedNameId(id): CompressedNameId) -> &Arc<[u8]> {
        self.names.get(id)
    }

    /// Returns whether the name is a placeholder for an unknown one.
    pub(super) fn is_unknown(&self, id: CompressedNameId) -> bool {
        matches!(**self.get(id), [] | [b'?', b'?', b'?'])
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
