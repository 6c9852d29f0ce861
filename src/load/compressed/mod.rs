//! Compressed inputs: gzip, xz and zstd, recognised by their first bytes.
//!
//! All are decompressed as streams, with any number of members or frames. A truncated file
//! gives all bytes up to the error.

mod xz;
mod zstd;

use std::io::{self, Read};

use flate2::read::MultiGzDecoder;

use self::xz::XzDecoder;
use self::zstd::ZstdDecoder;
use super::BUFFER_SIZE;
use super::sparse::{Gap, SparseWriter};
use crate::files::MOST_BYTES;
use crate::memory::Limits;

/// Maximum window of a decoder in bytes: twice what `xz -9` and `zstd -19` need. A header can
/// claim gigabytes.
const MAX_WINDOW: u32 = 128 << 20;

/// The compressions to recognise.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Compressions {
    /// gzip only, as in the compatibility modes.
    Gzip,
    All,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Compression {
    Gzip,
    Xz,
    Zstd,
}

impl Compression {
    /// Magic bytes. Sources: RFC 1952, 2.3.1 (with method 8, deflate); The .xz File Format,
    /// 2.1.1.1; RFC 8878, 3.1.1.
    const MAGIC: [(&[u8], Self); 3] = [
        (&[0x1f, 0x8b, 0x08], Self::Gzip),
        (b"\xfd7zXZ\0", Self::Xz),
        (&[0x28, 0xb5, 0x2f, 0xfd], Self::Zstd),
    ];

    /// The compression of an input that starts with these bytes.
    pub(super) fn of(start: &[u8], compressions: Compressions) -> Option<Self> {
        let is_known = |compression| compressions == Compressions::All || compression == Self::Gzip;
        let mut known = Self::MAGIC.iter().filter(|(_, compression)| is_known(*compression));
        known.find(|(magic, _)| start.starts_with(magic)).map(|&(_, compression)| compression)
    }

    /// Returns whether bytes are compressed, and the first byte can be decompressed.
    pub(super) fn starts_intact(start: &[u8]) -> bool {
        let compression = Self::of(start, Compressions::All);
        compression.is_some_and(|found| matches!(found.decoder(start).read(&mut [0]), Ok(1)))
    }

    pub(super) fn decoder<'r>(self, compressed: impl Read + 'r) -> Box<dyn Read + 'r> {
        match self {
            Self::Gzip => Box::new(MultiGzDecoder::new(compressed)),
            Self::Xz => Box::new(XzDecoder::new(compressed)),
            Self::Zstd => Box::new(ZstdDecoder::new(compressed)),
        }
    }
}

/// The name of a file without the suffix of a compression.
pub fn without_ending(name: &str) -> &str {
    [".gz", ".xz", ".zst"].iter().find_map(|ending| name.strip_suffix(ending)).unwrap_or(name)
}

/// A feature that an intact file needs and the decoder lacks.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub(super) struct Unsupported(pub(super) &'static str);

impl Unsupported {
    /// Why an input that starts with these bytes is not supported, although it may be intact.
    pub(super) fn of(start: &[u8]) -> Option<Self> {
        let mut decoder = Compression::of(start, Compressions::All)?.decoder(start);
        let error = decoder.read(&mut [0]).err()?;
        error.get_ref()?.downcast_ref().copied()
    }
}

impl From<Unsupported> for io::Error {
    fn from(unsupported: Unsupported) -> Self {
        Self::other(unsupported)
    }
}

/// A decompressed input.
#[derive(Debug)]
pub(super) struct Decompressed {
    pub(super) bytes: Vec<u8>,
    /// Zeros that `bytes` omits.
    pub(super) gaps: Vec<Gap>,
    /// The rest is missing or damaged.
    pub(super) is_cut_off: bool,
}

/// The input decompresses to more than the limit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct DecompressedTooLarge {
    /// The limit, in decompressed bytes.
    pub(super) position: u64,
}

/// Decompresses bytes. `None` if no byte can be decompressed: addresses may look like magic
/// bytes.
///
/// # Errors
/// If more than a gigabyte results, or too much nonzero data for the compressed size.
pub(super) fn unpack(
    raw: &[u8],
    compression: Compression,
) -> Result<Option<Decompressed>, DecompressedTooLarge> {
    let (mut decoder, most) = (compression.decoder(raw), most_of(raw.len() as u64));
    let mut bytes = Vec::new();
    let outcome = decoder.by_ref().take(most + 1).read_to_end(&mut bytes);
    if bytes.len() as u64 > most {
        return unpack_sparse(bytes, decoder, most).map(Some);
    }
    let decompressed = Decompressed { is_cut_off: outcome.is_err(), bytes, gaps: Vec::new() };
    Ok((outcome.is_ok() || !decompressed.bytes.is_empty()).then_some(decompressed))
}

/// Decompresses the bytes from `start` on, and keeps at most `most` bytes; long runs of zeros do
/// not count.
fn unpack_sparse(
    start: Vec<u8>,
    mut decoder: impl Read,
    most: u64,
) -> Result<Decompressed, DecompressedTooLarge> {
    let mut all = SparseWriter::default();
    let mut position = start.len() as u64;
    all.push(&start);
    drop(start);
    let mut piece = vec![0; BUFFER_SIZE];
    let is_cut_off = loop {
        match decoder.read(&mut piece) {
            Ok(0) => break false,
            Ok(n_read) => {
                all.push(&piece[..n_read]);
                position += n_read as u64;
            }
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Err(_) => break true,
        }
        if all.n_kept() as u64 > most || position > MOST_BYTES {
            return Err(DecompressedTooLarge { position });
        }
    };
    let (bytes, gaps) = all.finish();
    Ok(Decompressed { bytes, gaps, is_cut_off })
}

/// Maximum decompressed size without zeros, for a compressed size.
pub(super) fn most_of(n_compressed: u64) -> u64 {
    Limits::of(n_compressed).decompressed.min(MOST_BYTES)
}

#[cfg(test)]
mod tests;
