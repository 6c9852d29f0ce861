//! Where bytes come from: a file, standard input, or either one compressed.

use std::fs;
use std::io::{self, Read};
use std::path::Path;

use flate2::read::MultiGzDecoder;

use super::error::LoadError;

/// The most that a compressed profile may unpack to. A gigabyte of gmon.out
/// would be a histogram of half a billion bins.
const MAX_UNPACKED: u64 = 1 << 30;

pub(super) const GZIP_MAGIC: &[u8] = &[0x1f, 0x8b, 0x08];

/// The bytes of one input.
#[derive(Debug)]
pub struct Input {
    path: String,
    bytes: Vec<u8>,
    is_cut_off: bool,
}

impl Input {
    /// Reads a file whole, or standard input where the path is `-`, and unpacks
    /// it if it is compressed with gzip.
    ///
    /// # Errors
    /// When it cannot be read, is a folder, or unpacks to more than a gigabyte.
    pub fn open(path: &Path) -> Result<Self, LoadError> {
        let raw = read(path).map_err(|source| LoadError::Io {
            path: path.display().to_string(),
            source,
        })?;
        Self::from_bytes(path, raw)
    }

    /// Takes bytes that are here already, and unpacks them if they are compressed.
    ///
    /// # Errors
    /// When they unpack to more than a gigabyte.
    pub fn from_bytes(path: &Path, raw: Vec<u8>) -> Result<Self, LoadError> {
        let path = path.display().to_string();
        let unpacked = raw.starts_with(GZIP_MAGIC).then(|| unpack(&raw)).flatten();
        let (bytes, is_cut_off) = unpacked.unwrap_or((raw, false));
        if is_cut_off && bytes.len() as u64 > MAX_UNPACKED {
            let source = io::Error::other("unpacks to more than 1 GiB");
            return Err(LoadError::Io { path, source });
        }
        Ok(Self {
            path,
            bytes,
            is_cut_off,
        })
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
}

fn read(path: &Path) -> io::Result<Vec<u8>> {
    if path != Path::new("-") {
        return fs::read(path);
    }
    let mut bytes = Vec::new();
    io::stdin().lock().read_to_end(&mut bytes)?;
    Ok(bytes)
}

/// What can be unpacked, and whether that is not all. `None` when nothing can be:
/// three bytes are little to go by, and an address may look like them.
fn unpack(raw: &[u8]) -> Option<(Vec<u8>, bool)> {
    let mut bytes = Vec::new();
    let mut limited = MultiGzDecoder::new(raw).take(MAX_UNPACKED + 1);
    let outcome = limited.read_to_end(&mut bytes);
    let is_cut_off = outcome.is_err() || limited.limit() == 0;
    (outcome.is_ok() || !bytes.is_empty()).then_some((bytes, is_cut_off))
}
