//! Lines of text: of a stream, many at once in a buffer of limited size, and of a whole text.

use std::io::{self, Read};

use crate::limits::LONGEST_TEXT;
use crate::progress::Progress;

/// Size of the buffer: the first one, and the largest for short lines.
const SIZES: [usize; 2] = [1 << 18, 1 << 21];

/// Whole lines of a stream.
pub(super) struct TextLines<'a> {
    stream: &'a mut dyn Read,
    /// The bytes that were read and not returned yet.
    rest: Vec<u8>,
    size: usize,
    /// Why the stream ended, once it did.
    ended: Option<io::Result<()>>,
}

impl<'a> TextLines<'a> {
    pub(super) fn new(stream: &'a mut dyn Read) -> Self {
        Self { stream, rest: Vec::new(), size: SIZES[0], ended: None }
    }

    /// The next lines, with their ends, in `buffer`. The last one of the stream may have none.
    ///
    /// # Errors
    /// If reading fails, or a line is longer than 16 MiB.
    pub(super) fn next_lines(&mut self, mut buffer: Vec<u8>) -> io::Result<Option<Vec<u8>>> {
        buffer.clear();
        buffer.append(&mut self.rest);
        loop {
            self.fill(&mut buffer)?;
            let n_whole = match self.ended {
                Some(Ok(())) => buffer.len(),
                _ => memchr::memrchr(b'\n', &buffer).map_or(0, |end| end + 1),
            };
            if n_whole > 0 {
                self.rest.extend_from_slice(&buffer[n_whole..]);
                buffer.truncate(n_whole);
                return Ok(Some(buffer));
            }
            if let Some(ended) = self.ended.take() {
                return ended.map(|()| None);
            }
        }
    }

    /// Reads until the buffer has its size.
    fn fill(&mut self, buffer: &mut Vec<u8>) -> io::Result<()> {
        if self.ended.is_some() {
            return Ok(());
        }
        if buffer.len() >= LONGEST_TEXT {
            return Err(io::Error::other("a line is longer than 16 MiB"));
        }
        let size = self.size.max(2 * buffer.len());
        self.size = (2 * self.size).min(SIZES[1]);
        buffer.reserve_exact(size - buffer.len());
        let mut limited = (&mut *self.stream).take((size - buffer.len()) as u64);
        match limited.read_to_end(buffer) {
            Ok(_) if limited.limit() > 0 => self.ended = Some(Ok(())),
            Ok(_) => {}
            Err(error) => self.ended = Some(Err(error)),
        }
        Ok(())
    }
}

/// The end of the first line, behind its newline.
pub(super) fn line_end(text: &[u8]) -> usize {
    memchr::memchr(b'\n', text).map_or(text.len(), |end| end + 1)
}

/// The lines of a whole text, with their ends.
pub(super) fn lines_with_ends(mut text: &[u8]) -> impl Iterator<Item = &[u8]> {
    std::iter::from_fn(move || {
        let (line, rest) = text.split_at(line_end(text));
        text = rest;
        (!line.is_empty()).then_some(line)
    })
}

/// What was read of a text, up to the first fault.
pub(super) struct LinesRead<F> {
    pub(super) n_lines: u64,
    /// Bytes from the line with the fault on.
    pub(super) n_left: u64,
    pub(super) fault: Option<F>,
}

/// Reads each line of a text, with its number from 1 and its end.
pub(super) fn read_lines<'a, F>(
    text: &'a [u8],
    progress: Progress,
    mut read: impl FnMut(u64, &'a [u8]) -> Result<(), F>,
) -> LinesRead<F> {
    let (mut n_lines, mut n_left) = (0, text.len() as u64);
    let mut fault = None;
    for line in lines_with_ends(text) {
        n_lines += 1;
        fault = read(n_lines, line).err();
        if fault.is_some() {
            break;
        }
        n_left -= line.len() as u64;
        progress.advance(line.len() as u64);
    }
    LinesRead { n_lines, n_left, fault }
}
