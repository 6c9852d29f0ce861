//! Escapes control sequences before they reach a terminal.
//!
//! Renderers escape names for their layout. All their output also passes this filter, in case one
//! forgets. It escapes by the same rule, except for line ends, tabs, and the colours of reports.

use std::borrow::Cow;
use std::io::{self, IsTerminal, Write};

use crate::report::escape::{COLORS, push_escaped};

/// Escapes text that arrives in chunks, wherever they end.
#[derive(Debug, Default)]
pub(super) struct Guard {
    has_color: bool,
    /// The end of the last chunk, which may be the start of a sequence or character.
    held: Vec<u8>,
    cleaned: Vec<u8>,
}

impl Guard {
    /// Passes colour sequences.
    pub(super) fn allow_color(&mut self) {
        self.has_color = true;
    }

    /// The escaped chunk.
    pub(super) fn cleaned(&mut self, bytes: &[u8]) -> &[u8] {
        self.cleaned.clear();
        let whole = if self.held.is_empty() {
            Cow::Borrowed(bytes)
        } else {
            Cow::Owned([&*std::mem::take(&mut self.held), bytes].concat())
        };
        let rest = self.push(&whole);
        self.held = rest.to_vec();
        &self.cleaned
    }

    /// The escaped end of the last chunk, which turned out to be incomplete.
    pub(super) fn rest(&mut self) -> &[u8] {
        self.cleaned.clear();
        push_escaped(&mut self.cleaned, &std::mem::take(&mut self.held));
        &self.cleaned
    }

    /// Escapes a complete text.
    pub(super) fn whole(&self, text: &[u8]) -> Vec<u8> {
        let mut guard = Self { has_color: self.has_color, ..Self::default() };
        let mut cleaned = guard.cleaned(text).to_vec();
        cleaned.extend_from_slice(guard.rest());
        cleaned
    }

    /// Adds escaped bytes. Returns the end of `bytes` that may be the start of something
    /// longer.
    fn push<'b>(&mut self, mut bytes: &'b [u8]) -> &'b [u8] {
        while !bytes.is_empty() {
            let is_text = |&byte: &u8| !matches!(byte, b'\n' | b'\t' | b'\x0c' | b'\r' | b'\x1b');
            let length = bytes.iter().take_while(|byte| is_text(byte)).count();
            let (text, behind) = bytes.split_at(length);
            if behind.is_empty() {
                let whole = text.len() - length_of_start(text);
                push_escaped(&mut self.cleaned, &text[..whole]);
                return &text[whole..];
            }
            push_escaped(&mut self.cleaned, text);
            match self.length_of_order(behind) {
                Some(0) => return behind,
                Some(length) => {
                    self.cleaned.extend_from_slice(&behind[..length]);
                    bytes = &behind[length..];
                }
                None => {
                    push_escaped(&mut self.cleaned, &behind[..1]);
                    bytes = &behind[1..];
                }
            }
        }
        bytes
    }

    /// Length of the sequence at the start that may pass; 0 if it is possibly incomplete.
    fn length_of_order(&self, bytes: &[u8]) -> Option<usize> {
        match bytes {
            [b'\n' | b'\t' | b'\x0c', ..] => Some(1),
            [b'\r', b'\n', ..] => Some(2),
            [b'\r'] => Some(0),
            _ if self.has_color => {
                let mut colors = COLORS.iter().map(|color| color.as_bytes());
                let fits = colors.clone().find(|color| bytes.starts_with(color));
                let may_fit = || colors.any(|color| color.starts_with(bytes)).then_some(0);
                fits.map(<[u8]>::len).or_else(may_fit)
            }
            _ => None,
        }
    }
}

/// Number of bytes at the end that start a character.
fn length_of_start(text: &[u8]) -> usize {
    let last = text.len().saturating_sub(3);
    let starts = (last..text.len()).filter(|&at| {
        let end = &text[at..];
        let error = std::str::from_utf8(end).err();
        error.is_some_and(|error| error.valid_up_to() == 0 && error.error_len().is_none())
    });
    starts.map(|at| text.len() - at).max().unwrap_or(0)
}

/// Text for a terminal, or any other writer.
#[derive(Debug)]
pub struct Guarded<W: Write> {
    out: W,
    guard: Option<Guard>,
}

impl<W: Write + IsTerminal> Guarded<W> {
    /// Escapes text if `out` is a terminal.
    pub fn new(out: W) -> Self {
        Self { guard: out.is_terminal().then(Guard::default), out }
    }
}

impl<W: Write> Write for Guarded<W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        match &mut self.guard {
            None => self.out.write(bytes),
            Some(guard) => {
                self.out.write_all(guard.cleaned(bytes))?;
                Ok(bytes.len())
            }
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        self.out.flush()
    }
}

impl<W: Write> Drop for Guarded<W> {
    fn drop(&mut self) {
        if let Some(guard) = &mut self.guard {
            // A failure cannot be reported.
            let _ = self.out.write_all(guard.rest());
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// As one chunk, and as chunks of every length.
    fn check(has_color: bool, text: &[u8], expected: &str) {
        for length in 1..=text.len() {
            let mut guard = Guard { has_color, ..Guard::default() };
            let mut cleaned = Vec::new();
            for piece in text.chunks(length) {
                cleaned.extend_from_slice(guard.cleaned(piece));
            }
            cleaned.extend_from_slice(guard.rest());
            let cleaned = String::from_utf8(cleaned).expect("what is cleaned is text");
            assert_eq!(cleaned, expected, "in pieces of {length}");
        }
    }

    #[test]
    fn text_passes_and_controls_are_escaped() {
        check(true, b"main\n\tgr\xc3\xb6\xc3\x9fe\r\n\x0c", "main\n\tgröße\r\n\x0c");
        check(true, "漢字\u{1f600}".as_bytes(), "漢字\u{1f600}");
        check(true, b"\x1b[2J\x07\r!", "\\x1b[2J\\x07\\x0d!");
        check(true, b"\xff\xc3", "\\xff\\xc3");
        check(true, "\u{9b}2J\u{202e}\u{2028}".as_bytes(), "\\x9b2J\\u{202e}\\u{2028}");
    }

    #[test]
    fn only_colours_of_reports_pass_and_only_where_there_is_colour() {
        check(true, b"\x1b[1;31mhot\x1b[0m", "\x1b[1;31mhot\x1b[0m");
        check(false, b"\x1b[1;31mhot\x1b[0m", "\\x1b[1;31mhot\\x1b[0m");
        check(true, b"\x1b[5mblink\x1b[", "\\x1b[5mblink\\x1b[");
    }
}
