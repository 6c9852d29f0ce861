//! A plain file read whole, a long one by all threads: what takes the time is less the
//! bytes than the memory for them, which the system prepares page by page, and for each
//! thread beside the other.

use std::fs::File;
use std::io::{self, Read};
#[cfg(unix)]
use std::io::{Seek, SeekFrom};

/// A shorter file is read by one thread.
#[cfg(unix)]
const WORTH_THREADS: u64 = 8 << 20;

/// What a thread reads at once.
#[cfg(unix)]
const PIECE: usize = 1 << 20;

/// All bytes of a plain file that was opened and said to have `size` bytes. It may have
/// more or fewer by now.
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

/// So many bytes from the start of a file; `None` where that is not to be had, which who
/// reads them in their order is told of.
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
        for size in [
            0,
            5,
            len - (1 << 20),
            len - 1,
            len,
            len + 1,
            len + (4 << 20),
        ] {
            std::io::Seek::rewind(&mut file).expect("it is a file");
            let read = read_whole(&mut file, size).expect("it can be read");
            assert!(read == written, "as a file of {size} bytes");
        }
    }
}
