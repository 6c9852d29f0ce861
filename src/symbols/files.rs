//! The source files in debug information.

use std::collections::HashMap;
use std::sync::Arc;

use foldhash::fast::RandomState;

use crate::limits::LONGEST_NAME;

/// The number of a source file, in order of first appearance.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct FileId(pub u32);

/// The files so far. Different paths are different files. Too long paths keep their end.
#[derive(Debug, Default)]
pub(crate) struct InternedFiles {
    names: Vec<Arc<[u8]>>,
    ids: HashMap<Arc<[u8]>, FileId, RandomState>,
}

impl InternedFiles {
    pub(crate) fn mention(&mut self, name: &[u8]) -> FileId {
        let name = &name[name.len().saturating_sub(LONGEST_NAME)..];
        if let Some(&id) = self.ids.get(name) {
            return id;
        }
        // More than four thousand million names do not fit into memory.
        let id = FileId(u32::try_from(self.names.len()).unwrap_or(u32::MAX));
        let name: Arc<[u8]> = name.into();
        self.names.push(Arc::clone(&name));
        self.ids.insert(name, id);
        id
    }

    pub(crate) fn into_source_files(self) -> SourceFiles {
        SourceFiles::new(self.names)
    }

    pub(crate) fn names(&self) -> impl ExactSizeIterator<Item = &Arc<[u8]>> {
        self.names.iter()
    }
}

/// Names of source files, as in the debug information.
#[derive(Clone, Debug, Default)]
pub struct SourceFiles {
    names: Vec<Arc<[u8]>>,
}

impl SourceFiles {
    /// By number.
    pub fn new(names: Vec<Arc<[u8]>>) -> Self {
        Self { names }
    }

    pub fn ids(&self) -> impl Iterator<Item = FileId> {
        (0..).map(FileId).take(self.names.len())
    }

    pub fn name(&self, id: FileId) -> &[u8] {
        &self.names[id.0 as usize]
    }

    pub(crate) fn shared_name(&self, id: FileId) -> Arc<[u8]> {
        Arc::clone(&self.names[id.0 as usize])
    }

    /// The place of each file in the order of names; equal names have one.
    pub(crate) fn ranks(&self) -> Vec<usize> {
        let mut ids: Vec<_> = (0..self.names.len()).collect();
        ids.sort_by(|&a, &b| self.names[a].cmp(&self.names[b]));
        let mut ranks = vec![0; ids.len()];
        for pair in ids.windows(2) {
            let is_new = self.names[pair[0]] != self.names[pair[1]];
            ranks[pair[1]] = ranks[pair[0]] + usize::from(is_new);
        }
        ranks
    }

    pub fn last_component(&self, id: FileId) -> &[u8] {
        last_component(self.name(id))
    }

    /// The last file with this base name.
    pub fn newest_named(&self, component: &[u8]) -> Option<FileId> {
        let mut names = self.names.iter();
        let index = names.rposition(|name| last_component(name) == component)?;
        u32::try_from(index).ok().map(FileId)
    }
}

/// A file name without directories.
pub fn last_component(name: &[u8]) -> &[u8] {
    memchr::memrchr(b'/', name).map_or(name, |slash| &name[slash + 1..])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_keeps_its_number() {
        let mut names = InternedFiles::default();
        assert_eq!(names.mention(b"a"), FileId(0));
        assert_eq!(names.mention(b"b"), FileId(1));
        assert_eq!(names.mention(b"a"), FileId(0));
        assert_eq!(names.names().nth(1).map(|name| &**name), Some(&b"b"[..]));
    }

    #[test]
    fn overlong_paths_keep_their_end() {
        let mut names = InternedFiles::default();
        let long = [&[b'a'; 400_000][..], b"/sort.c"].concat();
        names.mention(&long);
        let kept = names.names().next().expect("it was mentioned");
        assert_eq!(kept.len(), LONGEST_NAME);
        assert!(kept.ends_with(b"a/sort.c"));
    }
}
