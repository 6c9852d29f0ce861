//! Wraps sentences to the terminal.

use std::io::{self, Write};

use crate::report::Text;
use crate::report::prose::push_words;
use crate::report::width::{cut_line, display_width};

/// Adds a line, wrapped to the terminal. A word wider than the terminal has its own line.
///
/// In an explanation such as ` calls       how often it was called`, later lines align with
/// the explanation.
pub(super) fn push_prose(text: &mut Text, line: &[u8], screen: Option<usize>) {
    let Some(columns) = screen.filter(|&columns| display_width(line) > columns) else {
        text.word(line);
        text.word("\n");
        return;
    };
    let (head, words) = line.split_at(length_of_head(line));
    text.word(head);
    push_words(text, words, columns);
    text.word("\n");
}

/// Adds paragraphs, rewrapped. A line with one leading blank explains a word; lines with more
/// continue it.
pub(super) fn push_paragraphs(text: &mut Text, lines: &str, columns: usize) {
    let mut paragraph = String::new();
    for line in lines.lines() {
        let is_other = match line.as_bytes() {
            [b' ', b' ', ..] => false,
            [] | [b' ', ..] => true,
            _ => paragraph.starts_with(' '),
        };
        if paragraph.is_empty() || is_other {
            push_paragraph(text, &mut paragraph, columns);
            paragraph.push_str(line);
        } else {
            paragraph.push(' ');
            paragraph.push_str(line.trim_start());
        }
        if line.is_empty() {
            text.word("\n");
        }
    }
    push_paragraph(text, &mut paragraph, columns);
}

fn push_paragraph(text: &mut Text, paragraph: &mut String, columns: usize) {
    if !paragraph.is_empty() {
        push_prose(text, paragraph.as_bytes(), Some(columns));
        paragraph.clear();
    }
}

/// Maximum indent of continuation lines.
const DEEP_INDENT: usize = 20;

/// Width of the text before the sentence: blanks, or an explained word.
fn length_of_head(line: &[u8]) -> usize {
    let start_of_text = |from: usize| {
        let mut behind = line[from..].iter();
        behind.position(|&byte| byte != b' ').map(|length| from + length)
    };
    let Some(start) = start_of_text(0) else {
        return 0;
    };
    let gap = line[start..].windows(2).position(|pair| pair == b"  ");
    let sentence = gap.and_then(|length| start_of_text(start + length));
    sentence.filter(|&start| start <= DEEP_INDENT).unwrap_or(start)
}

/// Cuts lines to the terminal, and passes on all others.
pub(super) struct FittedLines<'a> {
    out: &'a mut dyn Write,
    columns: usize,
    /// The current line.
    line: Vec<u8>,
}

impl<'a> FittedLines<'a> {
    pub(super) fn new(out: &'a mut dyn Write, columns: usize) -> Self {
        Self { out, columns, line: Vec::new() }
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

impl Write for FittedLines<'_> {
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

    /// Only the last line may lack its end.
    fn flush(&mut self) -> io::Result<()> {
        self.end_line(b"")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_break_between_words_and_keep_their_indent() {
        let check = |line: &str, screen: Option<usize>, expected: &str| {
            let mut text = Text::default();
            push_prose(&mut text, line.as_bytes(), screen);
            assert_eq!(String::from_utf8_lossy(text.as_bytes()), expected);
        };
        check("one two three", None, "one two three\n");
        check("one two three", Some(13), "one two three\n");
        check("one two three", Some(12), "one two\nthree\n");
        check("  one two", Some(6), "  one\n  two\n");
        check(" calls  how often", Some(12), " calls  how\n        often\n");
        check("unbreakable", Some(4), "unbreakable\n");
    }

    #[test]
    fn paragraphs_are_broken_anew() {
        let mut text = Text::default();
        let lines = "\none two\nthree\n\n self   its\n        own\n total  all\nend\n";
        push_paragraphs(&mut text, lines, 14);
        let expected = "\none two three\n\n self   its own\n total  all\nend\n";
        let shorter = "\none two three\n\n self   its\n        own\n total  all\nend\n";
        assert_eq!(String::from_utf8_lossy(text.as_bytes()), shorter);
        text.clear();
        push_paragraphs(&mut text, lines, 15);
        assert_eq!(String::from_utf8_lossy(text.as_bytes()), expected);
    }

    #[test]
    fn only_wide_lines_are_cut_however_they_come() {
        let mut out = Vec::new();
        let mut fitted = FittedLines::new(&mut out, 8);
        for piece in ["01234567\n012345", "678\n\nlast ", "line"] {
            fitted.write_all(piece.as_bytes()).expect("a vector takes everything");
        }
        fitted.flush().expect("a vector takes everything");
        let text = String::from_utf8(out).expect("text stays text");
        assert_eq!(text, "01234567\n01234...\n\nlast ...");
    }
}
