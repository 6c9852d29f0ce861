//! Compressed inputs: gzip, xz and zstd, told apart by their first bytes.
//!
//! All unpack as a stream, members and frames one behind the other, and give what
//! they can before they fail: a file that was cut off is of use up to there.

mod repeated_lines;
mod xz;
mod zstd;

use std::io::{self, Read};

use flate2::read::MultiGzDecoder;

use self::repeated_lines::RepeatedLines;
use self::xz::XzDecoder;
use self::zstd::ZstdDecoder;
use super::sparse::{Gap, SparseWriter};
use crate::memory;

/// The most that a compressed profile may unpack to. A gigabyte of gmon.out
/// would be a histogram of half a billion bins.
pub(super) const MAX_DECOMPRESSED: u64 = 1 << 30;

/// What it may unpack to for each of its bytes, beside a part of the memory that there may
/// be, and beside zeros. Texts shrink to a tenth where much repeats, arcs to a fifth.
const MAX_RATIO: u64 = 32;

/// How much of its output a decoder may keep in memory to refer back to: what
/// `xz -9` and `zstd -19` need, twice. A header alone can ask for gigabytes.
const MAX_WINDOW: u32 = 128 << 20;

/// Which compressions are looked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Compressions {
    /// Only gzip, as the originals' faces read it.
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
    /// The first bytes of each. Sources: RFC 1952 (with the only method there is),
    /// the description of the .xz format, RFC 8878.
    const MAGIC: [(&[u8], Self); 3] = [
        (&[0x1f, 0x8b, 0x08], Self::Gzip),
        (b"\xfd7zXZ\0", Self::Xz),
        (&[0x28, 0xb5, 0x2f, 0xfd], Self::Zstd),
    ];

    /// The compression of an input that starts so.
    pub(super) fn of(start: &[u8], compressions: Compressions) -> Option<Self> {
        let is_known = |compression| compressions == Compressions::All || compression == Self::Gzip;
        let mut known = Self::MAGIC
            .iter()
            .filter(|(_, compression)| is_known(*compression));
        known
            .find(|(magic, _)| start.starts_with(magic))
            .map(|&(_, compression)| compression)
    }

    pub(super) fn decoder<'r>(self, compressed: impl Read + 'r) -> Box<dyn Read + 'r> {
        match self {
            Self::Gzip => Box::new(MultiGzDecoder::new(compressed)),
            Self::Xz => Box::new(XzDecoder::new(compressed)),
            Self::Zstd => Box::new(ZstdDecoder::new(compressed)),
        }
    }
}

/// What a sound file needs and its decoder does not have.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub(super) struct Unsupported(pub(super) &'static str);

impl Unsupported {
    /// Why an input that starts so cannot be unpacked, where it need not be damaged.
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

/// What could be unpacked of an input.
#[derive(Debug)]
pub(super) struct Decompressed {
    pub(super) bytes: Vec<u8>,
    /// Where there are zeros that are not among the bytes.
    pub(super) gaps: Vec<Gap>,
    /// The rest of it is missing or damaged.
    pub(super) is_cut_off: bool,
}

/// It unpacks to more than may be held.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct DecompressedTooLarge {
    /// Where it is too much, in bytes of what it unpacks to.
    pub(super) position: u64,
}

/// Unpacks bytes. `None` when nothing comes of them: a few bytes are little to go by,
/// and an address may look like them.
///
/// # Errors
/// When they unpack to more than a gigabyte, or to very much for their size that is not
/// zero.
pub(super) fn unpack(
    raw: &[u8],
    compression: Compression,
) -> Result<Option<Decompressed>, DecompressedTooLarge> {
    unpack_from(compression.decoder(raw), most_of(raw.len() as u64))
}

/// The same for a hex dump, of which lines that repeat do not count.
///
/// # Errors
/// As of [`unpack`].
pub(super) fn unpack_dump(
    raw: &[u8],
    compression: Compression,
) -> Result<Option<Decompressed>, DecompressedTooLarge> {
    unpack(raw, compression).or_else(|_| {
        let text = compression.decoder(raw).take(MAX_DECOMPRESSED);
        unpack_from(RepeatedLines::new(text), most_of(raw.len() as u64))
    })
}

fn unpack_from(
    mut decoder: impl Read,
    most: u64,
) -> Result<Option<Decompressed>, DecompressedTooLarge> {
    let mut bytes = Vec::new();
    let outcome = decoder.by_ref().take(most + 1).read_to_end(&mut bytes);
    if bytes.len() as u64 > most {
        return unpack_sparse(bytes, decoder, most).map(Some);
    }
    let decompressed = Decompressed {
        is_cut_off: outcome.is_err(),
        bytes,
        gaps: Vec::new(),
    };
    Ok((outcome.is_ok() || !decompressed.bytes.is_empty()).then_some(decompressed))
}

/// Unpacks what follows some bytes, and keeps `most` that are no long stretches of zeros.
fn unpack_sparse(
    start: Vec<u8>,
    mut decoder: impl Read,
    most: u64,
) -> Result<Decompressed, DecompressedTooLarge> {
    let mut all = SparseWriter::default();
    let mut position = start.len() as u64;
    all.push(&start);
    drop(start);
    let mut piece = vec![0; 1 << 16];
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
        if all.n_kept() as u64 > most || position > MAX_DECOMPRESSED {
            return Err(DecompressedTooLarge { position });
        }
    };
    let (bytes, gaps) = all.finish();
    Ok(Decompressed {
        bytes,
        gaps,
        is_cut_off,
    })
}

/// The most that so many bytes may unpack to, zeros aside.
pub(super) fn most_of(n_compressed: u64) -> u64 {
    n_compressed
        .saturating_mul(MAX_RATIO)
        .saturating_add(memory::share() / 4)
        .min(MAX_DECOMPRESSED)
}

#[cfg(test)]
mod tests;
