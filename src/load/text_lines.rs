//! Lines of text: of a stream, in a buffer of limited size, and of a whole text.

use std::io::{self, Read};

/// Initial size of the buffer.
const SIZE: usize = 1 << 18;

/// Maximum length of a line in bytes.
const LONGEST: usize = 1 << 24;

/// Lines without their ends.
pub(super) struct TextLines<'a> {
    stream: &'a mut dyn Read,
    buffer: Vec<u8>,
    /// The bytes of `buffer` that were read and not returned yet.
    start: usize,
    end: usize,
    n_lines: u64,
}

impl<'a> TextLines<'a> {
    pub(super) fn new(stream: &'a mut dyn Read) -> Self {
        Self { stream, buffer: Vec::new(), start: 0, end: 0, n_lines: 0 }
    }

    /// The number of lines that were returned.
    pub(super) fn n_lines(&self) -> u64 {
        self.n_lines
    }

    /// The next line.
    ///
    /// # Errors
    /// If reading fails, or a line is longer than 16 MiB.
    pub(super) fn next_line(&mut self) -> io::Result<Option<&[u8]>> {
        let mut n_searched = 0;
        loop {
            let rest = &self.buffer[self.start + n_searched..self.end];
            if let Some(at) = memchr::memchr(b'\n', rest) {
                let line = self.start..self.start + n_searched + at;
                self.start = line.end + 1;
                self.n_lines += 1;
                return Ok(Some(&self.buffer[line]));
            }
            n_searched = self.end - self.start;
            if self.fill()? == 0 {
                let line = self.start..self.end;
                self.start = self.end;
                self.n_lines += u64::from(!line.is_empty());
                return Ok((!line.is_empty()).then(|| &self.buffer[line]));
            }
        }
    }

    /// Appends more bytes, and returns their number.
    fn fill(&mut self) -> io::Result<usize> {
        if self.start > 0 {
            self.buffer.copy_within(self.start..self.end, 0);
            self.end -= self.start;
            self.start = 0;
        }
        if self.end == self.buffer.len() {
            if self.end >= LONGEST {
                return Err(io::Error::other("a line is longer than 16 MiB"));
            }
            self.buffer.resize((2 * self.end).max(SIZE), 0);
        }
        loop {
            match self.stream.read(&mut self.buffer[self.end..]) {
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                result => {
                    let n_read = result?;
                    self.end += n_read;
                    return Ok(n_read);
                }
            }
        }
    }
}

/// The lines of a whole text, with their ends.
pub(super) fn lines_with_ends(mut text: &[u8]) -> impl Iterator<Item = &[u8]> {
    std::iter::from_fn(move || {
        let end = memchr::memchr(b'\n', text).map_or(text.len(), |end| end + 1);
        let (line, rest) = text.split_at(end);
        text = rest;
        (!line.is_empty()).then_some(line)
    })
}
