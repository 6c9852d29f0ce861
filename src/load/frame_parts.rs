//! Frames that a file describes by names.

use std::borrow::Cow;
use std::num::NonZeroU32;

use super::cost_builder::{CostBuilder, Frame, FunctionKey};

/// A frame in parts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct FrameParts<'a> {
    /// With its `0x`.
    pub(super) address: Option<&'a [u8]>,
    /// Empty for an unknown function.
    pub(super) name: &'a [u8],
    pub(super) file: Option<&'a [u8]>,
    pub(super) line: Option<NonZeroU32>,
    /// The file name of the library or program, without directory.
    pub(super) object: Option<&'a [u8]>,
}

impl<'a> FrameParts<'a> {
    /// The name, or the address and object of an unknown function.
    fn shown_name(&self) -> Cow<'a, [u8]> {
        let address = self.address.unwrap_or_default();
        match (self.name, self.object) {
            (b"", Some(object)) => [address, b" [", object, b"]"].concat().into(),
            (b"", None) => address.into(),
            (name, _) => name.into(),
        }
    }
}

/// A file name without its directory.
pub(super) fn base(path: &[u8]) -> &[u8] {
    path.rsplit(|&byte| byte == b'/').next().unwrap_or(path)
}

/// The name of code without names in an object: its file name in brackets, which the names of
/// the kernel and its pages already have. `None` without a file name.
pub(super) fn unnamed_in(path: &[u8]) -> Option<Vec<u8>> {
    let base = base(path);
    let bare = base.strip_prefix(b"[").unwrap_or(base);
    let bare = bare.strip_suffix(b"]").unwrap_or(bare);
    (!bare.is_empty()).then(|| [b"[", bare, b"]"].concat())
}

impl CostBuilder {
    pub(super) fn frame(&mut self, parts: &FrameParts<'_>) -> Frame {
        let name = self.name(&parts.shown_name());
        let file = parts.file.map(|file| self.name(file));
        let object = parts.object.map(|object| self.name(object));
        let function = self.function(FunctionKey { name, object, file, level: None });
        let place = file.map(|file| self.place(file, parts.line));
        Frame { function: Some(function), place }
    }
}
