//! The source files that debugging information names.

use super::lines::FileId;

/// The names of source files, as debugging information spells them.
#[derive(Clone, Debug, Default)]
pub struct SourceFiles {
    names: Vec<Box<[u8]>>,
}

impl SourceFiles {
    /// Files in the order of their numbers.
    #[must_use]
    pub fn new(names: Vec<Box<[u8]>>) -> Self {
        Self { names }
    }

    /// The name as recorded.
    #[must_use]
    pub fn name(&self, id: FileId) -> &[u8] {
        &self.names[id.0 as usize]
    }

    /// The last component of the name.
    #[must_use]
    pub fn last_component(&self, id: FileId) -> &[u8] {
        last_component(self.name(id))
    }

    /// The file with this last component that was mentioned last.
    #[must_use]
    pub fn newest_named(&self, component: &[u8]) -> Option<FileId> {
        let mut names = self.names.iter();
        let index = names.rposition(|name| last_component(name) == component)?;
        u32::try_from(index).ok().map(FileId)
    }
}

fn last_component(name: &[u8]) -> &[u8] {
    name.rsplit(|&byte| byte == b'/').next().unwrap_or(name)
}
