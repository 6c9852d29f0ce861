//! Names of functions and lines.

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

/// The names of a report. They may be made when they are first asked for, since
/// demangling takes long and few of many names are printed.
pub trait NameTable: Sync {
    fn name(&self, id: NameId) -> &[u8];

    fn linkage_name(&self, id: NameId) -> &[u8] {
        self.name(id)
    }

    /// Where it starts in the source, if that is known.
    fn location(&self, _: NameId) -> Option<SourceLocation<'_>> {
        None
    }

    /// Where its code starts, if that is known.
    fn address(&self, _: NameId) -> Option<u64> {
        None
    }

    fn is_static(&self, _: NameId) -> bool {
        false
    }

    /// The program or library that it is of, where there are several.
    fn object(&self, _: NameId) -> Option<&[u8]> {
        None
    }

    /// How many names stayed as the linker knows them since spelling them as their
    /// language does takes too much. It is known when they were asked for.
    fn n_given_up(&self) -> usize {
        0
    }

    fn has_objects(&self) -> bool {
        false
    }

    /// Whether names stand for lines of the source rather than for functions.
    fn are_lines(&self) -> bool {
        false
    }
}

/// The table of a report that names nothing.
#[derive(Clone, Copy, Debug)]
pub struct NoNames;

impl NameTable for NoNames {
    fn name(&self, _: NameId) -> &[u8] {
        b""
    }
}
