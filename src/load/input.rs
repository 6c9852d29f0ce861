//! Input bytes from a file or standard input, decompressed if necessary.

use std::ops::Deref;
use std::path::Path;

use super::compressed::{Compression, Compressions, Decompressed, most_of, unpack};
use super::error::{LoadError, Position};
use super::sparse::{Bytes, Gap};
use super::utf16::{has_mark, without_mark};
use crate::signals::Mapped;

#[derive(Debug)]
pub struct Input {
    path: String,
    bytes: InputBytes,
    /// Runs of zeros that are not among the bytes.
    gaps: Vec<Gap>,
    /// The end of a compressed input is missing or damaged.
    is_cut_off: bool,
    /// Size before decompression.
    n_compressed: u64,
}

/// The bytes of an input in memory, or in its file.
#[derive(Debug)]
pub(super) enum InputBytes {
    Owned(Vec<u8>),
    Mapped(Mapped),
}

impl Deref for InputBytes {
    type Target = [u8];

    fn deref(&self) -> &[u8] {
        match self {
            Self::Owned(bytes) => bytes,
            Self::Mapped(bytes) => bytes,
        }
    }
}

impl Input {
    /// Decompresses bytes if necessary.
    ///
    /// # Errors
    /// If they decompress to too much for their size.
    pub fn from_bytes(path: &Path, raw: Vec<u8>) -> Result<Self, LoadError> {
        let raw = InputBytes::Owned(raw);
        Self::decompressed(path.display().to_string(), raw, Compressions::All)
    }

    /// The path as given; `-` for standard input.
    pub fn path(&self) -> &str {
        &self.path
    }

    /// Size before decompression.
    pub(super) fn n_compressed(&self) -> u64 {
        self.n_compressed
    }

    /// Size after decompression.
    pub fn size(&self) -> u64 {
        self.sparse_bytes().len() as u64
    }

    /// The bytes. A large decompressed input omits long runs of zeros.
    pub fn bytes(&self) -> &[u8] {
        &self.bytes
    }

    /// The bytes, including zeros.
    pub(super) fn sparse_bytes(&self) -> Bytes<'_> {
        Bytes::with_gaps(&self.bytes, &self.gaps)
    }

    /// The error for an input that decompresses to too much.
    pub(super) fn too_large(&self, position: Position) -> LoadError {
        too_large(&self.path, position, self.n_compressed)
    }

    /// Returns whether the end of a compressed input is missing or damaged.
    pub(super) fn is_cut_off(&self) -> bool {
        self.is_cut_off
    }

    /// The same input with other bytes, which these encode.
    pub(super) fn with_bytes(&self, bytes: Vec<u8>) -> Self {
        Self {
            path: self.path.clone(),
            bytes: InputBytes::Owned(bytes),
            gaps: Vec::new(),
            is_cut_off: self.is_cut_off,
            n_compressed: self.n_compressed,
        }
    }

    /// Decompresses the bytes of a file if necessary.
    ///
    /// # Errors
    /// As for [`Self::from_bytes`].
    pub(super) fn decompressed(
        path: String,
        raw: InputBytes,
        compressions: Compressions,
    ) -> Result<Self, LoadError> {
        let n_compressed = raw.len() as u64;
        let decompressed = match Compression::of(&raw, compressions) {
            None => None,
            Some(compression) => unpack(&raw, compression)
                .map_err(|found| too_large(&path, Position::Byte(found.position), n_compressed))?,
        };
        let (mut bytes, gaps, is_cut_off) = match decompressed {
            None => (raw, Vec::new(), false),
            Some(Decompressed { bytes, gaps, is_cut_off }) => {
                (InputBytes::Owned(bytes), gaps, is_cut_off)
            }
        };
        if gaps.is_empty() && has_mark(&bytes) {
            bytes = InputBytes::Owned(without_mark(bytes.to_vec()));
        }
        Ok(Self { path, bytes, gaps, is_cut_off, n_compressed })
    }
}

fn too_large(path: &str, position: Position, n_compressed: u64) -> LoadError {
    LoadError::TooLarge {
        path: path.to_owned(),
        position,
        n_compressed,
        most: most_of(n_compressed),
    }
}
