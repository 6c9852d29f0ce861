//! Width of text on a terminal.

use unicode_width::{UnicodeWidthChar, UnicodeWidthStr};

const TAB: usize = 8;

/// Width of the widest terminal that a system can report.
pub const WIDEST_TERMINAL: usize = u16::MAX as usize;

/// Limits a width from data or options before text is padded to it.
pub fn bounded(width: usize) -> usize {
    width.min(WIDEST_TERMINAL)
}

/// Width of a line, without colours.
pub fn display_width(text: &[u8]) -> usize {
    if text.iter().all(|byte| (b' '..=b'~').contains(byte)) {
        return text.len();
    }
    pieces(text).fold(0, |column, piece| column + piece.width_at(column))
}

/// A line cut to `columns`, ending in `...`. Keeps all colour sequences, so that colours end
/// as before.
pub fn cut_line(line: &[u8], columns: usize) -> Vec<u8> {
    let room = columns.saturating_sub(CUT.len());
    let (mut cut, mut column, mut is_cut) = (Vec::with_capacity(line.len()), 0, false);
    for piece in pieces(line) {
        if !piece.is_seen {
            cut.extend_from_slice(piece.bytes);
            continue;
        }
        column += piece.width_at(column);
        if column <= room {
            cut.extend_from_slice(piece.bytes);
        } else if !is_cut {
            cut.extend_from_slice(CUT.as_bytes());
            is_cut = true;
        }
    }
    cut
}

/// Replaces omitted text.
pub const CUT: &str = "...";

/// A name, without its middle if it is wider than `columns`.
pub fn cut_middle(name: &[u8], columns: usize) -> Vec<u8> {
    if display_width(name) <= columns {
        return name.to_vec();
    }
    let name = String::from_utf8_lossy(name);
    let room = columns.saturating_sub(CUT.len());
    // The end of a name is more distinctive than its start, so it gets more columns.
    let n_end = room - room / 2;
    let start = prefix(name.chars(), room - n_end);
    let end = prefix(name.chars().rev(), n_end);
    let end: String = end.chars().rev().collect();
    // Dots next to the ellipsis would look like part of it; with a bracket before it, it would
    // look like omitted arguments.
    let start = start.trim_end_matches(['.', '<']);
    let end = end.trim_start_matches('.');
    format!("{start}{CUT}{end}").into_bytes()
}

fn prefix(characters: impl Iterator<Item = char>, columns: usize) -> String {
    let mut left = columns;
    let fitting = characters.take_while(|character| {
        let width = character.width().unwrap_or(1);
        let fits = width <= left;
        left = left.saturating_sub(width);
        fits
    });
    fitting.collect()
}

/// A character, or a control sequence.
struct TerminalToken<'t> {
    bytes: &'t [u8],
    is_seen: bool,
}

impl TerminalToken<'_> {
    fn width_at(&self, column: usize) -> usize {
        match self.bytes {
            _ if !self.is_seen => 0,
            b"\t" => TAB - column % TAB,
            bytes => std::str::from_utf8(bytes).map_or(bytes.len(), UnicodeWidthStr::width),
        }
    }
}

fn pieces(text: &[u8]) -> impl Iterator<Item = TerminalToken<'_>> {
    let mut rest = text;
    std::iter::from_fn(move || {
        let order = length_of_color(rest);
        let length = order.or_else(|| length_of_character(rest))?;
        let (bytes, behind) = rest.split_at(length);
        rest = behind;
        Some(TerminalToken { bytes, is_seen: order.is_none() })
    })
}

/// Length of the colour sequence `ESC [ … m` at the start.
fn length_of_color(text: &[u8]) -> Option<usize> {
    let numbers = text.strip_prefix(b"\x1b[")?;
    let end = numbers.iter().position(|byte| !matches!(byte, b'0'..=b'9' | b';'))?;
    (numbers[end] == b'm').then_some(end + 3)
}

fn length_of_character(text: &[u8]) -> Option<usize> {
    // No character is longer, and lines can be.
    let first = text[..text.len().min(4)].utf8_chunks().next()?;
    match first.valid().chars().next() {
        Some(character) => Some(character.len_utf8()),
        None => Some(1),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn wide_characters_take_two_columns_and_colours_none() {
        let check = |text: &str, expected: usize| {
            assert_eq!(display_width(text.as_bytes()), expected, "for {text:?}");
        };
        check("main", 4);
        check("größe", 5);
        check("漢字", 4);
        check("e\u{301}", 1);
        check("\x1b[1;31mred\x1b[0m", 3);
        check("a\tb", 9);
        check("\t", 8);
    }

    #[test]
    fn invalid_text_takes_a_column_for_each_byte() {
        assert_eq!(display_width(b"\xff\xfe"), 2);
        assert_eq!(display_width(b"\x1b[1;31"), 6);
    }

    #[test]
    fn a_line_that_is_cut_ends_in_dots_and_keeps_its_colours() {
        let cut = |line: &str, columns| {
            String::from_utf8(cut_line(line.as_bytes(), columns)).expect("text stays text")
        };
        assert_eq!(cut("0123456789", 8), "01234...");
        assert_eq!(cut("\x1b[1m0123456789\x1b[0m", 8), "\x1b[1m01234...\x1b[0m");
        assert_eq!(cut("漢字漢字漢字", 8), "漢字...");
        assert_eq!(cut("a\tbcdefghij", 12), "a\tb...");
    }

    #[test]
    fn names_lose_their_middle() {
        let cut = |name: &str, columns| {
            String::from_utf8(cut_middle(name.as_bytes(), columns)).expect("text stays text")
        };
        assert_eq!(cut("short", 8), "short");
        assert_eq!(cut("a_long_function", 10), "a_l...tion");
        assert_eq!(cut("漢字漢字漢字漢字", 10), "漢...漢字");
    }
}
