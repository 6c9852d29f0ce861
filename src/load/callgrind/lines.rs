//! Lines of text, counted.

use crate::progress::Progress;

/// Bytes after which it is told how far reading is.
const PIECE_SIZE: usize = 1 << 16;

/// Goes through a text line by line.
///
/// It has a piece of it in hand, of whole lines, so that who is told of progress costs
/// nothing line by line.
#[derive(Clone, Debug)]
pub(super) struct Lines<'a> {
    /// The rest of the piece.
    rest: &'a [u8],
    behind: &'a [u8],
    piece_size: usize,
    progress: Progress,
    /// The line that was read last, counted from 1.
    number: u64,
    is_ended: bool,
}

impl<'a> Lines<'a> {
    pub(super) fn new(text: &'a [u8]) -> Self {
        Self {
            rest: &[],
            behind: text,
            piece_size: 0,
            progress: Progress::default(),
            number: 0,
            is_ended: true,
        }
    }

    /// The same, telling how many bytes were read.
    pub(super) fn telling(self, progress: Progress) -> Self {
        Self { progress, ..self }
    }

    /// The next line without its end and without blanks around it.
    pub(super) fn next(&mut self) -> Option<&'a [u8]> {
        if self.rest.is_empty() && !self.take_piece() {
            return None;
        }
        self.number += 1;
        let end = self.rest.iter().position(|&byte| byte == b'\n');
        self.is_ended = end.is_some();
        let (line, rest) = match end {
            Some(end) => (&self.rest[..end], &self.rest[end + 1..]),
            None => (self.rest, &[][..]),
        };
        self.rest = rest;
        Some(line.trim_ascii())
    }

    /// Goes on to the next piece, if there is one.
    #[cold]
    fn take_piece(&mut self) -> bool {
        self.progress.advance(self.piece_size as u64);
        let start = self.behind.len().min(PIECE_SIZE);
        let end = self.behind[start..].iter().position(|&byte| byte == b'\n');
        let end = end.map_or(self.behind.len(), |end| start + end + 1);
        (self.rest, self.behind) = self.behind.split_at(end);
        self.piece_size = self.rest.len();
        !self.rest.is_empty()
    }

    /// Whether the line that was read last has an end.
    pub(super) fn is_ended(&self) -> bool {
        self.is_ended
    }

    /// How many bytes are left.
    pub(super) fn n_left(&self) -> usize {
        self.rest.len() + self.behind.len()
    }

    /// The number of the line that was read last.
    pub(super) fn number(&self) -> u64 {
        self.number
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(text: &[u8]) {
        let mut lines = Lines::new(text);
        let mut expected = text.split_inclusive(|&byte| byte == b'\n');
        let mut n_left = text.len();
        while let Some(line) = lines.next() {
            let expected = expected.next().expect("there are as many lines");
            assert_eq!(line, expected.trim_ascii());
            assert_eq!(lines.is_ended(), expected.ends_with(b"\n"));
            n_left -= expected.len();
            assert_eq!(lines.n_left(), n_left);
        }
        assert_eq!(expected.next(), None);
    }

    #[test]
    fn pieces_end_where_lines_do() {
        check(b"");
        check(b"\n");
        check(b"a\n\nb");
        for length in [1, 100, PIECE_SIZE - 1, PIECE_SIZE, 2 * PIECE_SIZE] {
            let line = [&vec![b'x'; length][..], b"\n"].concat();
            check(&line.repeat(3 * PIECE_SIZE / length + 2));
            check(&line.repeat(3)[..2 * length + 1]);
        }
    }
}
