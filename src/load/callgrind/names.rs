//! Names with numbers: a file writes each name once and then refers to its number.

use std::collections::HashMap;
use std::sync::Arc;

use foldhash::fast::RandomState;

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
}

impl CompressedNames {
    /// Reads `name`, `(number) name` or `(number)`. A number without a name is itself a name.
    pub(super) fn read(&mut self, kind: NameKind, text: &[u8]) -> CompressedNameId {
        let Some((number, name)) = split_number(text) else {
            return self.id_of(text);
        };
        if name.is_empty() {
            if let Some(&known) = self.numbered[kind as usize].get(&number) {
                return known;
            }
            self.unnamed.get_or_insert(number);
        }
        let name = if name.is_empty() { text } else { name };
        let id = self.id_of(name);
        self.numbered[kind as usize].insert(number, id);
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
