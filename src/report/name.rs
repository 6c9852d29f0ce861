//! Names of functions and lines.

use std::collections::HashSet;
use std::sync::{Mutex, PoisonError};

use crate::limits::{LONGEST_NAME, SHORT_NAME};

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct NameId(pub u32);

impl NameId {
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct SourceLocation<'n> {
    pub file: &'n [u8],
    pub line: u32,
}

/// What text shows beside a name.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Beside {
    pub object: bool,
    pub location: bool,
}

impl Beside {
    const ALL: [(&str, Self); 4] = [
        ("nothing", Self { object: false, location: false }),
        ("object", Self { object: true, location: false }),
        ("location", Self { object: false, location: true }),
        ("object and location", Self { object: true, location: true }),
    ];

    /// As in JSON.
    pub fn text(self) -> &'static str {
        Self::ALL.iter().find(|(_, one)| *one == self).map_or("", |(text, _)| text)
    }

    pub fn of_text(text: &str) -> Option<Self> {
        Self::ALL.iter().find(|(one, _)| *one == text).map(|(_, beside)| *beside)
    }
}

/// The names of a report. They may be demangled on first use, since demangling is slow and
/// most names are never printed.
pub trait NameTable: Sync {
    fn name(&self, id: NameId) -> &[u8];

    fn linkage_name(&self, id: NameId) -> &[u8] {
        self.name(id)
    }

    /// The name in any length, for those who shorten it: its start may be only a result type.
    fn uncut_name(&self, id: NameId) -> &[u8] {
        self.name(id)
    }

    /// Start of the function in the source, if known.
    fn location(&self, _: NameId) -> Option<SourceLocation<'_>> {
        None
    }

    /// Start address, if known.
    fn address(&self, _: NameId) -> Option<u64> {
        None
    }

    fn is_static(&self, _: NameId) -> bool {
        false
    }

    /// The program or library, if the report has several.
    fn object(&self, _: NameId) -> Option<&[u8]> {
        None
    }

    /// Number of requested names that stayed mangled because demangling exceeded its limit.
    fn n_given_up(&self) -> usize {
        0
    }

    /// Number of requested names that were shortened.
    fn n_shortened(&self) -> usize {
        0
    }

    fn has_objects(&self) -> bool {
        false
    }

    /// What tells the name from equal ones in text.
    fn beside(&self, _: NameId) -> Beside {
        Beside { object: self.has_objects(), location: false }
    }

    /// Returns whether names denote source lines, not functions.
    fn are_lines(&self) -> bool {
        false
    }
}

/// A table without names.
#[derive(Clone, Copy, Debug)]
pub struct NoNames;

impl NameTable for NoNames {
    fn name(&self, _: NameId) -> &[u8] {
        b""
    }
}

/// A file name without directories.
pub fn last_component(path: &[u8]) -> &[u8] {
    path.rsplit(|&byte| byte == b'/').next().unwrap_or(path)
}

/// Shortened names: the start of functions, and the end of files, which distinguishes them.
pub struct ShortNames {
    names: Box<dyn NameTable>,
    /// Indices of shortened names.
    shortened: Mutex<HashSet<usize>>,
}

impl ShortNames {
    pub fn new(names: Box<dyn NameTable>) -> Self {
        Self { names, shortened: Mutex::default() }
    }

    fn start<'n>(&self, name: &'n [u8]) -> &'n [u8] {
        if name.len() <= LONGEST_NAME {
            return name;
        }
        self.count(name);
        start_of(name)
    }

    fn end<'n>(&self, name: &'n [u8]) -> &'n [u8] {
        if name.len() <= SHORT_NAME {
            return name;
        }
        self.count(name);
        end_of(name)
    }

    #[cold]
    fn count(&self, name: &[u8]) {
        let mut shortened = self.shortened.lock().unwrap_or_else(PoisonError::into_inner);
        shortened.insert(name.as_ptr().addr());
    }
}

/// At most [`LONGEST_NAME`] bytes from the start, in whole characters.
pub fn start_of(name: &[u8]) -> &[u8] {
    let mut end = name.len().min(LONGEST_NAME);
    while end < name.len() && end + 3 > LONGEST_NAME && is_inside_character(name[end]) {
        end -= 1;
    }
    &name[..end]
}

/// At most [`SHORT_NAME`] bytes from the end, in whole characters.
fn end_of(name: &[u8]) -> &[u8] {
    let cut = name.len().saturating_sub(SHORT_NAME);
    let mut start = cut;
    while start > 0 && start < cut + 3 && is_inside_character(name[start]) {
        start += 1;
    }
    &name[start..]
}

fn is_inside_character(byte: u8) -> bool {
    byte & 0xc0 == 0x80
}

impl NameTable for ShortNames {
    fn name(&self, id: NameId) -> &[u8] {
        self.start(self.names.name(id))
    }

    fn linkage_name(&self, id: NameId) -> &[u8] {
        self.start(self.names.linkage_name(id))
    }

    fn uncut_name(&self, id: NameId) -> &[u8] {
        self.names.uncut_name(id)
    }

    fn location(&self, id: NameId) -> Option<SourceLocation<'_>> {
        let SourceLocation { file, line } = self.names.location(id)?;
        let file = self.end(file);
        Some(SourceLocation { file, line })
    }

    fn address(&self, id: NameId) -> Option<u64> {
        self.names.address(id)
    }

    fn is_static(&self, id: NameId) -> bool {
        self.names.is_static(id)
    }

    fn object(&self, id: NameId) -> Option<&[u8]> {
        Some(self.end(self.names.object(id)?))
    }

    fn n_given_up(&self) -> usize {
        self.names.n_given_up()
    }

    fn n_shortened(&self) -> usize {
        self.shortened.lock().unwrap_or_else(PoisonError::into_inner).len()
    }

    fn has_objects(&self) -> bool {
        self.names.has_objects()
    }

    fn beside(&self, id: NameId) -> Beside {
        self.names.beside(id)
    }

    fn are_lines(&self) -> bool {
        self.names.are_lines()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_shortened_name_ends_between_characters() {
        let name = |n_before: usize, n_behind: usize| {
            let [before, behind] = [n_before, n_behind].map(|n| "a".repeat(n));
            format!("{before}\u{1f980}{behind}").into_bytes()
        };
        for n in 0..6 {
            let start = name(LONGEST_NAME - n, 100);
            assert!(std::str::from_utf8(start_of(&start)).is_ok(), "{n} before");
            let end = name(100, SHORT_NAME - n);
            assert!(std::str::from_utf8(end_of(&end)).is_ok(), "{n} behind");
        }
        assert_eq!(start_of(&[0x80; 9000]).len(), LONGEST_NAME - 3);
        assert_eq!(start_of(b"main"), b"main");
        assert_eq!(end_of(b"main.c"), b"main.c");
    }
}
