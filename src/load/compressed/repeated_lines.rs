//! Removes repeated lines from a long hex dump, as most dump tools do. A dump that contains
//! them compresses to a thousandth, so its compressed size does not limit it.

use std::io::{self, BufRead, BufReader, Read};

/// Maximum length of a line of a dump.
const MAX_LINE: usize = 1024;

/// Passes on the text of a dump. Of lines that repeat the one before at equal address steps,
/// the first two and the last remain, and `*` replaces the others. Line numbers stay the
/// same.
pub(super) struct RepeatedLines<R> {
    text: BufReader<R>,
    /// Output not yet read.
    ready: Vec<u8>,
    n_given: usize,
    /// The previous line, and its distance from the line before it.
    last: Vec<u8>,
    steps: Steps,
    /// The previous line is written if the next one does not repeat it.
    is_last_held: bool,
    /// Replaces the previous line otherwise.
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

    /// Reads a line, or a part of a long one.
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
            let held = if is_repeated { self.instead } else { &self.last };
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

/// Possible radixes of addresses.
const BASES: [u32; 3] = [16, 10, 8];

/// Distance of two lines, for each radix.
type Steps = [Option<u64>; BASES.len()];

/// Distance from an earlier line with the same contents.
fn steps(before: &[u8], line: &[u8]) -> Steps {
    let (address_before, shown_before) = addressed(before);
    let (address, shown) = addressed(line);
    BASES.map(|base| {
        let before = u64::from_str_radix(address_before, base).ok()?;
        let step = u64::from_str_radix(address, base).ok()?.checked_sub(before);
        step.filter(|&step| step > 0 && shown == shown_before && !shown.trim_ascii().is_empty())
    })
}

/// The digits at the start of a line, and the rest.
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
        check("00: 00\n10: 00\n20: 00\n30: 00", "00: 00\n10: 00\n20: 00\n30: 00");
        check("00: 00\n10: 00\n20: 00\n30: 00\n", "00: 00\n10: 00\n*\n30: 00\n");
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
