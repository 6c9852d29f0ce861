//! Lines of text, counted.

/// Goes through a text line by line.
#[derive(Clone, Debug)]
pub(super) struct Lines<'a> {
    rest: &'a [u8],
    /// The line that was read last, counted from 1.
    number: u64,
    is_ended: bool,
}

impl<'a> Lines<'a> {
    pub(super) fn new(text: &'a [u8]) -> Self {
        Self {
            rest: text,
            number: 0,
            is_ended: true,
        }
    }

    /// The next line without its end and without blanks around it.
    pub(super) fn next(&mut self) -> Option<&'a [u8]> {
        if self.rest.is_empty() {
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

    /// Whether the line that was read last has an end.
    pub(super) fn is_ended(&self) -> bool {
        self.is_ended
    }

    /// How many bytes are left.
    pub(super) fn n_left(&self) -> usize {
        self.rest.len()
    }

    /// The number of the line that was read last.
    pub(super) fn number(&self) -> u64 {
        self.number
    }
}
