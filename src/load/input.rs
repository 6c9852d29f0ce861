//! Where bytes come from: a file, standard input, or either one compressed.

use std::path::Path;

use super::error::LoadError;
use super::format::Hints;
use super::opened::OpenFile;
use super::packed::{Packing, Packings, Unpacked, unpack};

/// The bytes of one input.
#[derive(Debug)]
pub struct Input {
    path: String,
    bytes: Vec<u8>,
    is_cut_off: bool,
}

impl Input {
    /// Reads a file whole, or standard input where the path is `-`, and unpacks
    /// it if it is compressed in one of those ways.
    ///
    /// # Errors
    /// When it cannot be read, is a folder, or unpacks to more than a gigabyte. When it
    /// is no plain file and does not start as a profile does, or gives more than that.
    pub fn open(path: &Path, packings: Packings) -> Result<Self, LoadError> {
        Self::open_as(path, packings, &Hints::default())
    }

    /// The same where something is known of the profile.
    ///
    /// # Errors
    /// As of [`Self::open`].
    pub fn open_as(path: &Path, packings: Packings, hints: &Hints) -> Result<Self, LoadError> {
        let file = OpenFile::open(path, hints, |_| false)?;
        let path = file.path();
        Self::unpacked(path, file.into_bytes()?, packings)
    }

    /// Reads what was opened, and unpacks it if it is compressed.
    ///
    /// # Errors
    /// When it cannot be read, or unpacks to more than a gigabyte.
    pub fn from_file(file: OpenFile) -> Result<Self, LoadError> {
        let path = file.path();
        Self::unpacked(path, file.into_bytes()?, Packings::All)
    }

    /// Takes bytes that are here already, and unpacks them if they are compressed.
    ///
    /// # Errors
    /// When they unpack to more than a gigabyte.
    pub fn from_bytes(path: &Path, raw: Vec<u8>) -> Result<Self, LoadError> {
        Self::unpacked(path.display().to_string(), raw, Packings::All)
    }

    /// The name it was given, `-` for standard input.
    #[must_use]
    pub fn path(&self) -> &str {
        &self.path
    }

    /// All of its bytes.
    #[must_use]
    pub fn bytes(&self) -> &[u8] {
        &self.bytes
    }

    /// Whether it is compressed, and the end of it is missing or damaged.
    pub(super) fn is_cut_off(&self) -> bool {
        self.is_cut_off
    }

    /// The same with other bytes in the place of these, which stood for them.
    pub(super) fn with_bytes(&self, bytes: Vec<u8>) -> Self {
        Self {
            path: self.path.clone(),
            bytes,
            is_cut_off: self.is_cut_off,
        }
    }

    fn unpacked(path: String, raw: Vec<u8>, packings: Packings) -> Result<Self, LoadError> {
        let unpacked = match Packing::of(&raw, packings) {
            None => None,
            Some(packing) => match unpack(&raw, packing) {
                Ok(unpacked) => unpacked,
                Err(source) => return Err(LoadError::Io { path, source }),
            },
        };
        let unpacked = unpacked.unwrap_or(Unpacked {
            bytes: raw,
            is_cut_off: false,
        });
        Ok(Self {
            path,
            bytes: unpacked.bytes,
            is_cut_off: unpacked.is_cut_off,
        })
    }
}
