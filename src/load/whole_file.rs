//! Reads a whole regular file; a large one in parallel. Most of the time goes to allocating
//! pages, which the system does for all threads at once.

use std::fs::File;
use std::io::{self, Read};
#[cfg(unix)]
use std::io::{Seek, SeekFrom};

/// Minimum size in bytes worth several threads.
#[cfg(unix)]
const WORTH_THREADS: u64 = 8 << 20;

/// Chunk size of a thread in bytes.
#[cfg(unix)]
const PIECE: usize = 1 << 20;

/// All bytes of a regular file with an expected `size`. The actual size may have changed.
pub(super) fn read_whole(file: &mut File, size: u64) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    #[cfg(unix)]
    if size >= WORTH_THREADS
        && let Some(pieces) = read_pieces(file, size)
    {
        bytes = pieces;
        file.seek(SeekFrom::Start(size))?;
    }
    file.read_to_end(&mut bytes)?;
    Ok(bytes)
}

/// `size` bytes from the start of a file; `None` on any error, which sequential reading then
/// reports.
#[cfg(unix)]
fn read_pieces(file: &File, size: u64) -> Option<Vec<u8>> {
    use crate::threads;
    use rayon::prelude::*;
    use std::os::unix::fs::FileExt;

    if threads::start() == 1 {
        return None;
    }
    let mut bytes = vec![0; usize::try_from(size).ok()?];
    let pieces = bytes.par_chunks_mut(PIECE).enumerate();
    let read =
        pieces.try_for_each(|(number, piece)| file.read_exact_at(piece, (number * PIECE) as u64));
    read.ok().map(|()| bytes)
}

#[cfg(test)]
mod tests {
    use std::io::Write;

    use super::*;

    #[test]
    fn a_file_is_read_to_its_end_whatever_its_size_was() {
        let mut file = tempfile::tempfile().expect("there is room");
        let written: Vec<u8> = (0..251).cycle().take((9 << 20) + 5).collect();
        file.write_all(&written).expect("there is room");
        let len = written.len() as u64;
        for size in [0, 5, len - (1 << 20), len - 1, len, len + 1, len + (4 << 20)] {
            std::io::Seek::rewind(&mut file).expect("it is a file");
            let read = read_whole(&mut file, size).expect("it can be read");
            assert!(read == written, "as a file of {size} bytes");
        }
    }
}
