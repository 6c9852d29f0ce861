//! Compressed inputs: gzip, xz and zstd, told apart by their first bytes.
//!
//! All unpack as a stream, members and frames one behind the other, and give what
//! they can before they fail: a file that was cut off is of use up to there.

mod xz;
mod zstd;

use std::io::{self, Read};

use flate2::read::MultiGzDecoder;

use self::xz::XzDecoder;
use self::zstd::ZstdDecoder;

/// The most that a compressed profile may unpack to. A gigabyte of gmon.out
/// would be a histogram of half a billion bins.
pub(super) const MAX_UNPACKED: u64 = 1 << 30;

/// What a compressed profile of any size may unpack to: an empty histogram packs well.
const MAX_SMALL: u64 = 64 << 20;

/// What it may unpack to more for each of its bytes: what gzip can pack at best.
const MAX_RATIO: u64 = 1000;

/// How much of its output a decoder may keep in memory to refer back to: what
/// `xz -9` and `zstd -19` need, twice. A header alone can ask for gigabytes.
const MAX_WINDOW: u32 = 128 << 20;

/// Which compressions are looked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Packings {
    /// Only gzip, as the originals' faces read it.
    Gzip,
    /// All that are known.
    All,
}

/// How an input is compressed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Packing {
    Gzip,
    Xz,
    Zstd,
}

impl Packing {
    /// The first bytes of each. Sources: RFC 1952 (with the only method there is),
    /// the description of the .xz format, RFC 8878.
    const MAGIC: [(&[u8], Self); 3] = [
        (&[0x1f, 0x8b, 0x08], Self::Gzip),
        (b"\xfd7zXZ\0", Self::Xz),
        (&[0x28, 0xb5, 0x2f, 0xfd], Self::Zstd),
    ];

    /// The compression of an input that starts so.
    pub(super) fn of(start: &[u8], packings: Packings) -> Option<Self> {
        let is_known = |packing| packings == Packings::All || packing == Self::Gzip;
        let mut known = Self::MAGIC.iter().filter(|(_, packing)| is_known(*packing));
        known
            .find(|(magic, _)| start.starts_with(magic))
            .map(|&(_, packing)| packing)
    }

    /// What unpacks it.
    pub(super) fn decoder<'r>(self, packed: impl Read + 'r) -> Box<dyn Read + 'r> {
        match self {
            Self::Gzip => Box::new(MultiGzDecoder::new(packed)),
            Self::Xz => Box::new(XzDecoder::new(packed)),
            Self::Zstd => Box::new(ZstdDecoder::new(packed)),
        }
    }
}

/// What could be unpacked of an input.
pub(super) struct Unpacked {
    pub(super) bytes: Vec<u8>,
    /// The rest of it is missing or damaged.
    pub(super) is_cut_off: bool,
}

/// Unpacks bytes. `None` when nothing comes of them: a few bytes are little to go by,
/// and an address may look like them.
///
/// # Errors
/// When they unpack to more than a gigabyte, or to very much for their size.
pub(super) fn unpack(raw: &[u8], packing: Packing) -> io::Result<Option<Unpacked>> {
    let most = most_of(raw.len() as u64);
    let mut bytes = Vec::new();
    let mut limited = packing.decoder(raw).take(most + 1);
    let outcome = limited.read_to_end(&mut bytes);
    if limited.limit() == 0 {
        return Err(io::Error::other(if most == MAX_UNPACKED {
            "unpacks to more than 1 GiB"
        } else {
            "unpacks to more than 64 MiB and 1000 times its size"
        }));
    }
    let unpacked = Unpacked {
        is_cut_off: outcome.is_err(),
        bytes,
    };
    Ok((outcome.is_ok() || !unpacked.bytes.is_empty()).then_some(unpacked))
}

/// The most that so many bytes may unpack to.
fn most_of(n_packed: u64) -> u64 {
    n_packed
        .saturating_mul(MAX_RATIO)
        .saturating_add(MAX_SMALL)
        .min(MAX_UNPACKED)
}

#[cfg(test)]
mod tests;
