//! Numbered lines of text.

use super::super::BUFFER_SIZE;
use crate::progress::Progress;

/// Iterates over the lines of a text.
#[derive(Clone, Debug)]
pub(super) struct CallgrindLines<'a> {
    pub(super) rest: &'a [u8],
    progress: Progress,
    /// Remaining bytes at the last update of the progress.
    n_left_at_update: usize,
    /// Number of the last line, from 1.
    pub(super) number: u64,
    /// Whether the last line ends with a newline.
    pub(super) is_ended: bool,
}

impl<'a> CallgrindLines<'a> {
    /// Adds the bytes read to `progress`.
    pub(super) fn new(text: &'a [u8], progress: Progress) -> Self {
        Self { rest: text, progress, n_left_at_update: text.len(), number: 0, is_ended: true }
    }

    /// The next line, trimmed.
    pub(super) fn next(&mut self) -> Option<&'a [u8]> {
        if self.rest.is_empty() {
            return None;
        }
        self.number += 1;
        let end = memchr::memchr(b'\n', self.rest);
        self.is_ended = end.is_some();
        let (line, rest) = self.rest.split_at(end.unwrap_or(self.rest.len()));
        self.rest = rest.get(1..).unwrap_or_default();
        let n_untold = self.n_left_at_update - self.rest.len();
        if n_untold >= BUFFER_SIZE || self.rest.is_empty() {
            self.progress.advance(n_untold as u64);
            self.n_left_at_update = self.rest.len();
        }
        Some(line.trim_ascii())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(text: &[u8]) {
        let mut lines = CallgrindLines::new(text, Progress::default());
        let mut expected = text.split_inclusive(|&byte| byte == b'\n');
        let mut n_left = text.len();
        while let Some(line) = lines.next() {
            let expected = expected.next().expect("there are as many lines");
            assert_eq!(line, expected.trim_ascii());
            assert_eq!(lines.is_ended, expected.ends_with(b"\n"));
            n_left -= expected.len();
            assert_eq!(lines.rest.len(), n_left);
        }
        assert_eq!(expected.next(), None);
    }

    #[test]
    fn every_line_comes_in_its_order() {
        check(b"");
        check(b"\n");
        check(b"a\n\nb");
        for length in [1, 100, BUFFER_SIZE - 1, BUFFER_SIZE, 2 * BUFFER_SIZE] {
            let line = [&vec![b'x'; length][..], b"\n"].concat();
            check(&line.repeat(3 * BUFFER_SIZE / length + 2));
            check(&line.repeat(3)[..2 * length + 1]);
        }
    }
}
