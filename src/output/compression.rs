//! Compresses a report while it is written.

use std::io::{self, Write};
use std::path::Path;

use flate2::write::GzEncoder;
use ruzstd::encoding::{CompressionLevel, compress_to_vec};

/// Bytes of a frame of zstd before compression. A file has as many frames as it needs.
const FRAME_SIZE: usize = 4 << 20;

/// A format of compressed files.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Compression {
    Gzip,
    Zstd,
}

impl Compression {
    /// The format for the suffix of a file.
    pub fn of(path: &Path) -> Option<Self> {
        match &*path.extension()?.to_str()?.to_ascii_lowercase() {
            "gz" => Some(Self::Gzip),
            "zst" => Some(Self::Zstd),
            _ => None,
        }
    }
}

/// Compresses bytes. Its memory does not depend on their number.
pub(super) enum Compressor {
    Gzip(GzEncoder<Vec<u8>>),
    /// The bytes of the next frame.
    Zstd(Vec<u8>),
}

impl Compressor {
    pub(super) fn new(compression: Compression) -> Self {
        match compression {
            Compression::Gzip => {
                Self::Gzip(GzEncoder::new(Vec::new(), flate2::Compression::default()))
            }
            Compression::Zstd => Self::Zstd(Vec::new()),
        }
    }

    /// Compresses bytes, and writes those that are complete.
    pub(super) fn write(&mut self, bytes: &[u8], out: &mut dyn Write) -> io::Result<()> {
        match self {
            Self::Gzip(encoder) => {
                encoder.write_all(bytes)?;
                let compressed = encoder.get_mut();
                out.write_all(compressed)?;
                compressed.clear();
            }
            Self::Zstd(frame) => {
                frame.extend_from_slice(bytes);
                if frame.len() >= FRAME_SIZE {
                    write_frame(frame, out)?;
                    frame.clear();
                }
            }
        }
        Ok(())
    }

    /// Writes the rest.
    pub(super) fn finish(self, out: &mut dyn Write) -> io::Result<()> {
        match self {
            Self::Gzip(encoder) => out.write_all(&encoder.finish()?),
            Self::Zstd(frame) => write_frame(&frame, out),
        }
    }
}

fn write_frame(bytes: &[u8], out: &mut dyn Write) -> io::Result<()> {
    out.write_all(&compress_to_vec(bytes, CompressionLevel::Fastest))
}

#[cfg(test)]
mod tests {
    use std::io::Read;

    use flate2::read::GzDecoder;
    use ruzstd::decoding::FrameDecoder;

    use super::*;

    /// Rows like those of a report, in pieces.
    fn compressed(compression: Compression, text: &[u8]) -> Vec<u8> {
        let (mut compressor, mut out) = (Compressor::new(compression), Vec::new());
        for piece in text.chunks(1 << 20) {
            compressor.write(piece, &mut out).expect("memory can be written");
        }
        compressor.finish(&mut out).expect("memory can be written");
        out
    }

    #[test]
    fn compressed_bytes_decompress_to_themselves() {
        let rows: String = (0..300_000_u64)
            .map(|row| format!("{row},{},\"function {}\"\n", row * row % 9973, row % 700))
            .collect();
        assert!(rows.len() > FRAME_SIZE);
        for text in [rows.as_bytes(), b""] {
            let mut decompressed = Vec::new();
            let gzip = compressed(Compression::Gzip, text);
            GzDecoder::new(&*gzip).read_to_end(&mut decompressed).expect("it is whole");
            assert!(decompressed == text);
            let zstd = compressed(Compression::Zstd, text);
            let mut decompressed = Vec::with_capacity(text.len());
            let decoded = FrameDecoder::new().decode_all_to_vec(&zstd, &mut decompressed);
            decoded.expect("it is whole");
            assert!(decompressed == text);
            assert!(text.is_empty() || zstd.len() < text.len() / 2 && gzip.len() < text.len() / 2);
        }
    }
}
