//! Profiles that decompress to far more than their size.

use std::io::Write;

use flate2::Compression;
use flate2::write::GzEncoder;

use crate::elf::zstd;

/// The header of a GNU gmon.out with one histogram of so many bins from 0x401000 on, without the
/// bins.
pub(crate) fn gnu_head(n_bins: usize) -> Vec<u8> {
    let mut bytes = gnu_cookie();
    bytes.push(0);
    bytes.extend(0x40_1000_u64.to_le_bytes());
    bytes.extend((0x40_1000 + 4 * n_bins as u64).to_le_bytes());
    bytes.extend(u32::try_from(n_bins).expect("a word holds it").to_le_bytes());
    bytes.extend(100_u32.to_le_bytes());
    bytes.extend(b"seconds\0\0\0\0\0\0\0\0s");
    bytes
}

/// The header of a GNU gmon.out.
pub(crate) fn gnu_cookie() -> Vec<u8> {
    let mut bytes = b"gmon\x01\0\0\0".to_vec();
    bytes.extend([0; 12]);
    bytes
}

/// The header of a gmon.out of 4.4BSD.
pub(crate) fn bsd_head(n_bins: usize) -> Vec<u8> {
    let mut bytes = 0x40_1000_u64.to_le_bytes().to_vec();
    bytes.extend((0x40_1000 + 4 * n_bins as u64).to_le_bytes());
    let size = u32::try_from(40 + 2 * n_bins).expect("a word holds it");
    bytes.extend(size.to_le_bytes());
    bytes.extend(0x0005_1879_u32.to_le_bytes());
    bytes.extend(100_u32.to_le_bytes());
    bytes.extend([0; 12]);
    bytes
}

/// A compression format.
#[derive(Clone, Copy)]
pub(crate) enum Pack {
    Gzip,
    Zstd,
}

impl Pack {
    pub(crate) fn pack(self, bytes: &[u8]) -> Vec<u8> {
        match self {
            Self::Gzip => {
                let mut encoder = GzEncoder::new(Vec::new(), Compression::best());
                encoder.write_all(bytes).expect("memory can be written");
                encoder.finish().expect("memory can be written")
            }
            Self::Zstd => zstd(bytes),
        }
    }
}

/// The decompressed size of one member or frame.
const PIECE: usize = 4 << 20;

/// A start, then a repeated piece up to `n_bytes`, compressed piece by piece.
pub(crate) fn compressed(
    start: &[u8],
    piece: &[u8],
    n_bytes: usize,
    end: &[u8],
    how: Pack,
) -> Vec<u8> {
    let piece = piece.repeat(PIECE / piece.len());
    let mut all = how.pack(start);
    all.extend(how.pack(&piece).repeat(n_bytes / piece.len()));
    if !end.is_empty() {
        all.extend(how.pack(end));
    }
    all
}

/// A histogram of `n_bytes`, in which two bins have ticks.
pub(crate) fn histogram(head: fn(usize) -> Vec<u8>, n_bytes: usize, how: Pack) -> Vec<u8> {
    let n_bytes = n_bytes / PIECE * PIECE;
    let start = [head(n_bytes / 2 + 3), vec![5, 0]].concat();
    compressed(&start, &[0], n_bytes, &[7, 0, 0, 0], how)
}

/// Two calls, in `n_bytes` of the same ones.
pub(crate) fn arcs(n_bytes: usize) -> Vec<u8> {
    let mut arc = vec![1];
    arc.extend(0x40_1010_u64.to_le_bytes());
    arc.extend(0x40_1100_u64.to_le_bytes());
    arc.extend(3_u32.to_le_bytes());
    compressed(&gnu_cookie(), &arc, n_bytes, &[], Pack::Gzip)
}

/// A header of GNU's in front of zeros.
pub(crate) fn zeros(n_bytes: usize) -> Vec<u8> {
    compressed(&gnu_cookie(), &[0], n_bytes, &[], Pack::Gzip)
}

/// A callgrind text that repeats itself.
pub(crate) fn callgrind(n_bytes: usize) -> Vec<u8> {
    let start = b"# callgrind format\nversion: 1\nevents: Ir\n\nfl=a.c\nfn=main\n";
    compressed(start, b"1 1\n", n_bytes, &[], Pack::Gzip)
}

/// Compresses compressed data again.
pub(crate) fn twice(inner: &[u8]) -> Vec<u8> {
    Pack::Gzip.pack(inner)
}

/// Empty members, 20 bytes each.
pub(crate) fn empty_members(n_bytes: usize) -> Vec<u8> {
    let none = Pack::Gzip.pack(b"");
    let last = Pack::Gzip.pack(&[gnu_head(1), vec![1, 0]].concat());
    [none.repeat(n_bytes / none.len()), last].concat()
}

/// A dump of a histogram of 16 MiB, in six lines.
pub(crate) fn dump() -> Vec<u8> {
    const END: usize = 16 << 20;
    let mut bytes = gnu_head((END - 61) / 2);
    bytes.resize(80, 0);
    let line = |(index, bytes): (usize, &[u8])| {
        let shown: String = bytes.iter().map(|byte| format!(" {byte:02x}")).collect();
        format!("{:08x} {shown}\n", 16 * index)
    };
    let mut text: String = bytes.chunks(16).enumerate().map(line).collect();
    text += &format!("*\n{END:08x}\n");
    text.into_bytes()
}
