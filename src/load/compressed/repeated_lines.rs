//! A long hex dump without the lines that repeat, as most tools leave them out themselves:
//! one that shows them shrinks to a thousandth, so that its size says nothing about it.

use std::io::{self, BufRead, BufReader, Read};

/// A longer line is no line of a dump.
const MAX_LINE: usize = 1024;

/// Passes on the text of a dump. Of lines that repeat the one before at addresses in equal
/// steps, the first two and the last stay; `*` stands for those between. Lines keep their
/// numbers.
pub(super) struct RepeatedLines<R> {
    text: BufReader<R>,
    /// What is to be passed on next.
    ready: Vec<u8>,
    n_given: usize,
    /// The line before, and how far it was from the one before it.
    last: Vec<u8>,
    steps: Steps,
    /// The line before is passed on when the next one does not repeat it.
    is_last_held: bool,
    /// What stands for it where it is not.
    instead: &'static [u8],
}

impl<R: Read> RepeatedLines<R> {
    pub(super) fn new(text: R) -> Self {
        Self {
            text: BufReader::new(text),
            ready: Vec::new(),
            n_given: 0,
            last: Vec::new(),
            steps: Steps::default(),
            is_last_held: false,
            instead: b"*\n",
        }
    }

    /// Reads one line, or a part of a long one.
    fn advance(&mut self) -> io::Result<()> {
        self.ready.clear();
        self.n_given = 0;
        let mut line = Vec::new();
        let limit = MAX_LINE as u64;
        let read = self.text.by_ref().take(limit).read_until(b'\n', &mut line);
        let steps = steps(&self.last, &line);
        let is_same = |(step, before): (&Option<u64>, _)| step.is_some() && step == before;
        let is_repeated = steps.iter().zip(&self.steps).any(is_same);
        if self.is_last_held {
            let held = if is_repeated {
                self.instead
            } else {
                &self.last
            };
            self.ready.extend_from_slice(held);
            self.instead = if is_repeated { b"\n" } else { b"*\n" };
        }
        if !is_repeated {
            self.ready.extend_from_slice(&line);
        }
        self.is_last_held = is_repeated;
        self.steps = steps;
        self.last = line;
        read.map(|_| ())
    }
}

/// The bases that addresses may be in.
const BASES: [u32; 3] = [16, 10, 8];

/// How far a line is from another, where its address is of each base.
type Steps = [Option<u64>; BASES.len()];

/// How far a line is from one that shows the same at an address before.
fn steps(before: &[u8], line: &[u8]) -> Steps {
    let (address_before, shown_before) = addressed(before);
    let (address, shown) = addressed(line);
    BASES.map(|base| {
        let before = u64::from_str_radix(address_before, base).ok()?;
        let step = u64::from_str_radix(address, base).ok()?.checked_sub(before);
        step.filter(|&step| step > 0 && shown == shown_before && !shown.trim_ascii().is_empty())
    })
}

/// The digits that a line starts with, and what follows.
fn addressed(line: &[u8]) -> (&str, &[u8]) {
    let is_digit = |byte: &u8| byte.is_ascii_hexdigit();
    let n_digits = line.iter().take_while(|byte| is_digit(byte)).count();
    let (digits, shown) = line.split_at(n_digits);
    (std::str::from_utf8(digits).unwrap_or_default(), shown)
}

impl<R: Read> Read for RepeatedLines<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        while self.n_given == self.ready.len() {
            self.advance()?;
            if self.last.is_empty() && self.ready.is_empty() {
                return Ok(0);
            }
        }
        let mut rest = &self.ready[self.n_given..];
        let n_read = rest.read(buffer)?;
        self.n_given += n_read;
        Ok(n_read)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(text: &str, expected: &str) {
        let mut found = String::new();
        let mut lines = RepeatedLines::new(text.as_bytes());
        lines.read_to_string(&mut found).expect("it is text");
        assert_eq!(found, expected);
    }

    #[test]
    fn a_star_stands_for_lines_that_repeat() {
        check(
            "00: 6d67\n10: 00\n20: 00\n30: 00\n40: 00\n50: 00\n60: 01\n",
            "00: 6d67\n10: 00\n20: 00\n*\n\n50: 00\n60: 01\n",
        );
        check(
            "00: 00\n10: 00\n20: 00\n30: 00",
            "00: 00\n10: 00\n20: 00\n30: 00",
        );
        check(
            "00: 00\n10: 00\n20: 00\n30: 00\n",
            "00: 00\n10: 00\n*\n30: 00\n",
        );
        let octal = |places: [u32; 9]| places.map(|place| format!("{place:04o} 0\n"));
        let lines = octal([0, 8, 16, 24, 32, 40, 48, 56, 64]);
        let expected = format!("{}{}*\n\n\n\n\n\n{}", lines[0], lines[1], lines[8]);
        check(&lines.concat(), &expected);
        check(
            "0: 0\n1: 0\n2: 0\n3: 0\n4: 1\n5: 1\n6: 1\n7: 1\n",
            "0: 0\n1: 0\n*\n3: 0\n4: 1\n5: 1\n*\n7: 1\n",
        );
    }

    #[test]
    fn lines_that_are_missing_stay_missing() {
        let text = "00: 00\n10: 00\n20: 00\n50: 00\n60: 00\n";
        check(text, text);
        for text in ["6d\n00\n00\n00\n00\n", "01\n02\n03\n04\n05\n"] {
            check(text, text);
        }
    }

    #[test]
    fn long_lines_come_whole() {
        let text = format!("00: {}\n", "ab".repeat(3000)).repeat(3);
        check(&text, &text);
    }
}
