//! Names, which a file spells once and then refers to by number.

use std::collections::HashMap;
use std::sync::Arc;

use foldhash::fast::RandomState;

use super::numbers::number;
use crate::model::InternedNames;

/// The number of a name among all that a file spells.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) struct CompressedNameId(u32);

/// What names are of. Each kind has numbers of its own; callees share those of
/// functions, and so on.
#[derive(Clone, Copy, Debug)]
pub(super) enum NameKind {
    Object,
    File,
    Function,
}

#[derive(Debug, Default)]
pub(super) struct CompressedNames {
    names: InternedNames,
    /// What the numbers of a file stand for, for each kind.
    numbered: [HashMap<u64, CompressedNameId, RandomState>; 3],
    /// The first number that no line before it names.
    pub(super) unnamed: Option<u64>,
}

impl CompressedNames {
    /// Reads `name`, `(number) name` or `(number)`. A number that no line before names is
    /// a name of its own, as it is in the file.
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

    /// Whether this is no name, but what stands for one that is not known.
    pub(super) fn is_unknown(&self, id: CompressedNameId) -> bool {
        matches!(**self.get(id), [] | [b'?', b'?', b'?'])
    }
}

/// The number in parentheses, and the name behind it. Names may start with
/// parentheses too, as `(below main)` does.
fn split_number(text: &[u8]) -> Option<(u64, &[u8])> {
    let inside = text.strip_prefix(b"(")?;
    let end = inside.iter().position(|&byte| byte == b')')?;
    let number = number(&inside[..end])?;
    Some((number, inside[end + 1..].trim_ascii_start()))
}
