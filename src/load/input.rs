//! Where bytes come from: a file, standard input, or either one compressed.

use std::path::Path;

use super::compressed::{
    Compression, Compressions, Decompressed, DecompressedTooLarge, most_of, unpack, unpack_dump,
};
use super::error::{LoadError, Position};
use super::format::Hints;
use super::opened::OpenFile;
use super::sparse::Bytes;

#[derive(Debug)]
pub struct Input {
    path: String,
    decompressed: Decompressed,
    /// The size that it was read with.
    n_compressed: u64,
}

impl Input {
    /// Reads a file whole, or standard input where the path is `-`, and unpacks
    /// it if it is compressed in one of those ways.
    ///
    /// # Errors
    /// When it cannot be read, is a folder, or unpacks to too much for its size. When it
    /// is no plain file and does not start as a profile does, or gives more than a gigabyte.
    pub fn open(path: &Path, compressions: Compressions) -> Result<Self, LoadError> {
        Self::open_as(path, compressions, &Hints::default())
    }

    /// The same where something is known of the profile.
    ///
    /// # Errors
    /// As of [`Self::open`].
    pub fn open_as(
        path: &Path,
        compressions: Compressions,
        hints: &Hints,
    ) -> Result<Self, LoadError> {
        let bytes = OpenFile::open(path, hints, |_| false)?.into_bytes()?;
        Self::decompressed(path.display().to_string(), bytes, compressions)
    }

    /// Reads what was opened, and unpacks it if it is compressed.
    ///
    /// # Errors
    /// When it cannot be read, or unpacks to too much for its size.
    pub fn from_file(file: OpenFile) -> Result<Self, LoadError> {
        let path = file.path();
        Self::decompressed(path, file.into_bytes()?, Compressions::All)
    }

    /// The same of a hex dump, which may shrink more.
    ///
    /// # Errors
    /// As of [`Self::from_file`].
    pub fn from_dump(file: OpenFile) -> Result<Self, LoadError> {
        let path = file.path();
        Self::decompressed_by(unpack_dump, path, file.into_bytes()?, Compressions::All)
    }

    /// Takes bytes that are here already, and unpacks them if they are compressed.
    ///
    /// # Errors
    /// When they unpack to too much for their size.
    pub fn from_bytes(path: &Path, raw: Vec<u8>) -> Result<Self, LoadError> {
        Self::decompressed(path.display().to_string(), raw, Compressions::All)
    }

    /// The name it was given, `-` for standard input.
    pub fn path(&self) -> &str {
        &self.path
    }

    /// All of its bytes. Of one that unpacks to very much, long stretches of zeros are not
    /// among them.
    pub fn bytes(&self) -> &[u8] {
        &self.decompressed.bytes
    }

    /// All of its bytes, with the zeros.
    pub(super) fn sparse_bytes(&self) -> Bytes<'_> {
        Bytes::with_gaps(&self.decompressed.bytes, &self.decompressed.gaps)
    }

    /// The error that it unpacks to too much.
    pub(super) fn too_large(&self, position: Position) -> LoadError {
        too_large(&self.path, position, self.n_compressed)
    }

    /// Whether it is compressed, and the end of it is missing or damaged.
    pub(super) fn is_cut_off(&self) -> bool {
        self.decompressed.is_cut_off
    }

    /// The same with other bytes in the place of these, which stood for them.
    pub(super) fn with_bytes(&self, bytes: Vec<u8>) -> Self {
        Self {
            path: self.path.clone(),
            decompressed: Decompressed {
                bytes,
                gaps: Vec::new(),
                is_cut_off: self.decompressed.is_cut_off,
            },
            n_compressed: self.n_compressed,
        }
    }

    fn decompressed(
        path: String,
        raw: Vec<u8>,
        compressions: Compressions,
    ) -> Result<Self, LoadError> {
        Self::decompressed_by(unpack, path, raw, compressions)
    }

    fn decompressed_by(
        unpack: impl Fn(&[u8], Compression) -> Result<Option<Decompressed>, DecompressedTooLarge>,
        path: String,
        raw: Vec<u8>,
        compressions: Compressions,
    ) -> Result<Self, LoadError> {
        let n_compressed = raw.len() as u64;
        let decompressed = match Compression::of(&raw, compressions) {
            None => None,
            Some(compression) => unpack(&raw, compression)
                .map_err(|found| too_large(&path, Position::Byte(found.position), n_compressed))?,
        };
        let decompressed = decompressed.unwrap_or(Decompressed {
            bytes: raw,
            gaps: Vec::new(),
            is_cut_off: false,
        });
        Ok(Self {
            path,
            decompressed,
            n_compressed,
        })
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
