//! Splits names into the parts from the source and those that builds add.

use std::borrow::Cow;
use std::sync::Arc;

use super::{Rename, clones, lambdas};
use crate::model::Interner;
use crate::symbols::{Style, demangle};

/// The parts of a name, as numbers; [`MISSING`] for missing parts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct NameParts {
    /// The whole name.
    pub(super) whole: u32,
    /// Demangled, without the parts below.
    pub(super) plain: u32,
    pub(super) lambdas: u32,
    pub(super) clones: u32,
    /// A part with code that rarely runs, such as `walk.cold`.
    pub(super) is_cold: bool,
    /// The hash of Rust's crates and versions.
    pub(super) hash: u32,
}

pub(super) const MISSING: u32 = 0;

/// In the suffixes of a part with code that rarely runs.
const COLD: &[u8] = b".cold";

/// The parts of names, each split once.
#[derive(Debug)]
pub(super) struct NameSplitter {
    names: Interner<Arc<[u8]>>,
    /// By number of the name.
    parts_of_names: Vec<NameParts>,
    parts: Interner<Arc<[u8]>>,
}

impl Default for NameSplitter {
    fn default() -> Self {
        let mut parts = Interner::default();
        let missing = parts.number(Arc::default());
        debug_assert_eq!(missing, MISSING);
        Self { names: Interner::default(), parts_of_names: Vec::new(), parts }
    }
}

impl NameSplitter {
    pub(super) fn of(&mut self, name: &Arc<[u8]>) -> NameParts {
        let whole = self.names.number(Arc::clone(name));
        if whole as usize == self.parts_of_names.len() {
            let split = SplitName::of(name, demangled);
            let (plain, numbers) = lambdas::split(&split.shown);
            let plain = if *plain == **name { Arc::clone(name) } else { plain.into() };
            self.parts_of_names.push(NameParts {
                whole,
                plain: self.parts.number(plain),
                lambdas: self.parts.number(numbers.into()),
                is_cold: split.clones.windows(COLD.len()).any(|part| part == COLD),
                clones: self.parts.number(split.clones.into()),
                hash: self.parts.number(split.hash.into()),
            });
        }
        self.parts_of_names[whole as usize]
    }
}

/// The name after renaming; `None` if no rule matches.
pub(super) fn renamed(name: &[u8], renames: &[Rename]) -> Option<Arc<[u8]>> {
    if renames.is_empty() {
        return None;
    }
    let split = SplitName::of(name, demangled);
    let (mut shown, mut linked) = (split.shown, Some(Cow::Borrowed(split.linked)));
    let mut is_renamed = false;
    for rename in renames {
        if let Some(new) = rename.apply(&shown) {
            (shown, linked) = (Cow::Owned(new), None);
        } else if let Some(new) = linked.as_ref().and_then(|name| rename.apply(name)) {
            let new_shown = SplitName::of(&new, demangled).shown.into_owned();
            (shown, linked) = (Cow::Owned(new_shown), Some(Cow::Owned(new)));
        } else {
            continue;
        }
        is_renamed = true;
    }
    let stem = linked.unwrap_or(shown);
    is_renamed.then(|| [&*stem, &split.clones].concat().into())
}

fn demangled(linked: &[u8]) -> Option<Vec<u8>> {
    demangle(linked, Style::Auto)
}

/// A name, and the parts that do not come from the source.
struct SplitName<'n> {
    /// Demangled, with lambda numbers.
    shown: Cow<'n, [u8]>,
    /// Mangled, without clone suffixes.
    linked: &'n [u8],
    clones: Vec<u8>,
    hash: &'n [u8],
}

impl<'n> SplitName<'n> {
    fn of(name: &'n [u8], demangle: impl Fn(&[u8]) -> Option<Vec<u8>>) -> Self {
        let (linked, clones) = clones::split(name);
        let (shown, hash) = match demangle(linked) {
            Some(shown) => (Cow::Owned(shown), hash_of(linked)),
            None => {
                let (shown, hash) = linked.split_at(linked.len() - length_of_hash(linked));
                (Cow::Borrowed(shown), hash)
            }
        };
        Self { shown, linked, clones, hash }
    }
}

/// The hash of a mangled Rust name, or of one that was demangled with it. v0 names contain
/// crate hashes everywhere, so it is the whole name.
fn hash_of(linked: &[u8]) -> &[u8] {
    if linked.starts_with(b"_R") {
        return linked;
    }
    const MARK: &[u8] = b"17h";
    let start = linked.windows(MARK.len()).rposition(|part| part == MARK);
    let hash = start.map_or(&b""[..], |start| &linked[start + MARK.len() - 1..]);
    match hash.split_at_checked(HASH_LENGTH) {
        Some((digits, end)) if is_hash(digits) && end.starts_with(b"E") => hash,
        _ => &linked[linked.len() - length_of_hash(linked)..],
    }
}

/// Length of `::h0123456789abcdef` at the end of a demangled name, or 0.
fn length_of_hash(name: &[u8]) -> usize {
    const SCOPE: &[u8] = b"::";
    let start = name.len().saturating_sub(HASH_LENGTH);
    let (stem, hash) = name.split_at(start);
    let is_behind_name = stem.len() > SCOPE.len() && stem.ends_with(SCOPE);
    if is_behind_name && is_hash(hash) { SCOPE.len() + HASH_LENGTH } else { 0 }
}

/// Length of `h0123456789abcdef`.
const HASH_LENGTH: usize = 17;

fn is_hash(word: &[u8]) -> bool {
    let is_digit = |byte: &u8| matches!(byte, b'0'..=b'9' | b'a'..=b'f');
    word.strip_prefix(b"h").is_some_and(|digits| digits.iter().all(is_digit))
}
