//! Unpacking sections, within bounds: a few bytes can claim to be many.

use std::borrow::Cow;

use object::{CompressedData, CompressionFormat};
use ruzstd::decoding::FrameDecoder;

use super::notes::Damage;
use crate::memory::{self, Budget};

/// Debugging information shrinks to a third or a fifth. A section that claims
/// more than this is made to fill our memory.
const MAX_INFLATION: u64 = 256;

/// What all sections may unpack to for each byte of their file, which holds more than
/// them.
const UNPACKED_PER_BYTE: u64 = 8;

/// How far zstd may refer back in a section that is shorter: what `zstd -19` writes.
const LEAST_WINDOW: u64 = 8 << 20;

/// Bytes that sections of a file may still unpack to. Several can be of one packed block.
pub(super) struct Unpacking(Budget);

impl Unpacking {
    pub(super) fn of_file(n_bytes: u64) -> Self {
        let n_bytes = usize::try_from(n_bytes).unwrap_or(usize::MAX);
        Self(Budget::of(memory::share(), n_bytes, UNPACKED_PER_BYTE))
    }

    /// The bytes of a section; those of the file, where it is not packed.
    pub(super) fn unpack<'data>(
        &self,
        stored: CompressedData<'data>,
    ) -> Result<Cow<'data, [u8]>, Damage> {
        if stored.format == CompressionFormat::None {
            return Ok(Cow::Borrowed(stored.data));
        }
        let (claimed, packed) = (stored.uncompressed_size, stored.data.len());
        if claimed > (packed as u64).saturating_mul(MAX_INFLATION) {
            return Err(Damage::Inflated { claimed, packed });
        }
        if !self.0.spend(claimed) {
            return Err(Damage::TooLarge);
        }
        match stored.format {
            CompressionFormat::Zstandard => unpack_zstd(stored.data, claimed),
            _ => stored.decompress().map_err(Damage::Section),
        }
    }
}

/// Unpacks zstd that refers back no further than it has to: all of that is kept.
fn unpack_zstd(packed: &[u8], claimed: u64) -> Result<Cow<'static, [u8]>, Damage> {
    let mut decoder = FrameDecoder::new();
    decoder.set_max_window_size(claimed.max(LEAST_WINDOW));
    let size = usize::try_from(claimed).map_err(|_| Damage::TooLarge)?;
    let mut unpacked = Vec::with_capacity(size);
    match decoder.decode_all_to_vec(packed, &mut unpacked) {
        Ok(()) if unpacked.len() == size => Ok(Cow::Owned(unpacked)),
        _ => Err(Damage::Zstd),
    }
}
