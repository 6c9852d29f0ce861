//! Numbered lines of text, and numbers in them.

use super::super::error::ReadError;
use super::{MltonFault, MltonPolicy};
use crate::model::BuildId;
use crate::standard_ml::{Word, is_space, number, plain_number, trim_start};

/// Iterates over the lines of a text.
#[derive(Clone, Debug)]
pub(super) struct MltonLines<'a> {
    rest: &'a [u8],
    policy: MltonPolicy,
    /// Number of the last line, from 1.
    number: u64,
}

impl<'a> MltonLines<'a> {
    pub(super) fn new(text: &'a [u8], policy: MltonPolicy) -> Self {
        Self { rest: text, policy, number: 0 }
    }

    /// The next line without its end.
    ///
    /// # Errors
    /// At the end of the text; the error names `what`.
    pub(super) fn next(&mut self, what: &'static str) -> Result<&'a [u8], ReadError> {
        if self.rest.is_empty() {
            self.number += 1;
            return Err(self.error(MltonFault::End { what }));
        }
        Ok(self.take())
    }

    fn take(&mut self) -> &'a [u8] {
        self.number += 1;
        let end = memchr::memchr(b'\n', self.rest);
        let (line, rest) = match end {
            Some(end) => (&self.rest[..end], &self.rest[end + 1..]),
            None => (self.rest, &[][..]),
        };
        self.rest = rest;
        match line.split_last() {
            Some((b'\r', line)) if self.policy.ignores_blank_ends => line,
            _ => line,
        }
    }

    pub(super) fn rest(&self) -> &'a [u8] {
        self.rest
    }

    /// Number of remaining lines, without trailing blank lines if the policy ignores these.
    pub(super) fn n_left(&self) -> u64 {
        let mut lines = self.clone();
        let (mut n_lines, mut n_left) = (0, 0);
        while !lines.rest.is_empty() {
            n_lines += 1;
            let is_blank = lines.take().iter().all(is_space);
            if !(is_blank && self.policy.ignores_blank_ends) {
                n_left = n_lines;
            }
        }
        n_left
    }

    /// Number of the last line.
    pub(super) fn line_number(&self) -> u64 {
        self.number
    }

    /// An error at the last line.
    pub(super) fn error(&self, fault: MltonFault) -> ReadError {
        self.error_at(self.number, fault)
    }

    /// An error at a line.
    pub(super) fn error_at(&self, line: u64, fault: MltonFault) -> ReadError {
        ReadError::at_line(line, fault)
    }

    /// The number at the start of the next line, from 0 to `limit`; the rest of the line is
    /// ignored.
    pub(super) fn number(&mut self, what: &'static str, limit: u64) -> Result<u64, ReadError> {
        let line = self.next(what)?;
        number_to(line, limit).ok_or_else(|| self.error(MltonFault::Number { what, limit }))
    }

    pub(super) fn build(&mut self) -> Result<BuildId, ReadError> {
        let line = self.next("a build number")?;
        build(line).ok_or_else(|| self.error(MltonFault::NoBuild))
    }
}

/// The number at the start of a text, from 0 to `limit`.
#[inline]
pub(super) fn number_to(text: &[u8], limit: u64) -> Option<u64> {
    let number = match plain_number(text) {
        Some(number) => number,
        None => u64::try_from(number(text)?).ok()?,
    };
    (number <= limit).then_some(number)
}

/// The value of a word, from 0 to `limit`.
#[inline]
pub(super) fn word_to(word: Word<'_>, limit: u64) -> Option<u64> {
    match word.plain {
        Some(number) => (number <= limit).then_some(number),
        None => number_to(word.text, limit),
    }
}

/// The hexadecimal number at the start of a text, as Standard ML reads a word: with `0x`,
/// `0wx` or no prefix.
pub(super) fn build(text: &[u8]) -> Option<BuildId> {
    let text = trim_start(text);
    let digit = |byte: &u8| char::from(*byte).to_digit(16);
    let prefixes: [&[u8]; 4] = [b"0wx", b"0wX", b"0x", b"0X"];
    let behind = prefixes.iter().find_map(|prefix| text.strip_prefix(*prefix));
    // A prefix without digits is the digit 0, followed by other text.
    let digits = behind
        .filter(|digits| digits.first().is_some_and(|byte| digit(byte).is_some()))
        .unwrap_or(text);
    let mut value = None;
    for digit in digits.iter().map_while(digit) {
        let higher = value.unwrap_or(0_u32).checked_mul(16)?;
        value = Some(higher + digit);
    }
    value.map(BuildId)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check_build(text: &str, expected: Option<u32>) {
        let found = build(text.as_bytes());
        assert_eq!(found, expected.map(BuildId), "for {text}");
    }

    #[test]
    fn build_numbers_may_lack_their_prefix() {
        check_build("0x0000a1b2", Some(0xa1b2));
        check_build("0wxa1b2", Some(0xa1b2));
        check_build(" a1b2 and more", Some(0xa1b2));
        check_build("0x", Some(0));
        check_build("0x1ffffffff", None);
        check_build("xa1b2", None);
        check_build("", None);
    }
}
