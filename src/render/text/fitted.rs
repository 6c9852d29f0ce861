//! Lines that fit the terminal.

use std::io::{self, Write};

use crate::report::width::{cut_line, display_width};

/// Cuts lines that are wider than a terminal, and passes all others on.
pub(super) struct Fitted<'a> {
    out: &'a mut dyn Write,
    columns: usize,
    /// A line without its end so far.
    line: Vec<u8>,
}

impl<'a> Fitted<'a> {
    pub(super) fn new(out: &'a mut dyn Write, columns: usize) -> Self {
        Self {
            out,
            columns,
            line: Vec::new(),
        }
    }

    fn end_line(&mut self, end: &[u8]) -> io::Result<()> {
        if display_width(&self.line) > self.columns {
            self.out.write_all(&cut_line(&self.line, self.columns))?;
        } else {
            self.out.write_all(&self.line)?;
        }
        self.line.clear();
        self.out.write_all(end)
    }
}

impl Write for Fitted<'_> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        for piece in bytes.split_inclusive(|&byte| byte == b'\n') {
            match piece.strip_suffix(b"\n") {
                Some(end) => {
                    self.line.extend_from_slice(end);
                    self.end_line(b"\n")?;
                }
                None => self.line.extend_from_slice(piece),
            }
        }
        Ok(bytes.len())
    }

    /// What is written to it ends in a line without its end at most at the very last.
    fn flush(&mut self) -> io::Result<()> {
        self.end_line(b"")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_wide_lines_are_cut_however_they_come() {
        let mut out = Vec::new();
        let mut fitted = Fitted::new(&mut out, 8);
        for piece in ["01234567\n012345", "678\n\nlast ", "line"] {
            fitted
                .write_all(piece.as_bytes())
                .expect("a vector takes everything");
        }
        fitted.flush().expect("a vector takes everything");
        let text = String::from_utf8(out).expect("text stays text");
        assert_eq!(text, "01234567\n01234...\n\nlast ...");
    }
}
