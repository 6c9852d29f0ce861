//! Control characters in names and text, which must not reach a terminal.

use std::borrow::Cow;
use std::fmt::Write as _;

/// A name as it is or, for a terminal, without control characters.
pub fn printable(name: &[u8], escapes_controls: bool) -> Cow<'_, [u8]> {
    if escapes_controls {
        escape_controls(name)
    } else {
        Cow::Borrowed(name)
    }
}

/// Writes control characters as `\x1b`, so that a name cannot drive a terminal.
/// Bytes that are not UTF-8 go the same way; they may be controls of their own.
#[must_use]
pub fn escape_controls(name: &[u8]) -> Cow<'_, [u8]> {
    let is_clean = |chunk: std::str::Utf8Chunk<'_>| {
        chunk.invalid().is_empty() && !chunk.valid().contains(char::is_control)
    };
    if name.utf8_chunks().all(is_clean) {
        return Cow::Borrowed(name);
    }
    let mut escaped = String::with_capacity(name.len());
    for chunk in name.utf8_chunks() {
        for character in chunk.valid().chars() {
            if character.is_control() {
                // Writing to a string cannot fail.
                let _ = write!(escaped, "\\x{:02x}", u32::from(character));
            } else {
                escaped.push(character);
            }
        }
        for byte in chunk.invalid() {
            let _ = write!(escaped, "\\x{byte:02x}");
        }
    }
    Cow::Owned(escaped.into_bytes())
}

/// The same for a line of text, whose tabs and line ends stay. A carriage return is part
/// of the line end that follows it.
#[must_use]
pub fn escape_line(line: &[u8]) -> Vec<u8> {
    let is_kept = |byte: &u8| matches!(byte, b'\t' | b'\n');
    let mut escaped = Vec::with_capacity(line.len());
    for piece in line.split_inclusive(is_kept) {
        let (text, end) = match piece.split_last() {
            Some((last, text)) if is_kept(last) => (text, &piece[text.len()..]),
            _ => (piece, &[][..]),
        };
        let text = match end {
            b"\n" => text.strip_suffix(b"\r").unwrap_or(text),
            _ => text,
        };
        escaped.extend_from_slice(&escape_controls(text));
        escaped.extend_from_slice(end);
    }
    escaped
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn line_ends_of_all_systems_are_line_ends() {
        let check = |line: &[u8], expected: &str| {
            assert_eq!(escape_line(line), expected.as_bytes());
        };
        check(b"\tint i;\r\n", "\tint i;\n");
        check(b"a\rb\r", "a\\x0db\\x0d");
        check(b"\r\n", "\n");
    }

    #[test]
    fn control_characters_are_escaped() {
        let check = |name: &[u8], expected: &str| {
            assert_eq!(escape_controls(name), expected.as_bytes());
        };
        check(b"main", "main");
        check("größe".as_bytes(), "größe");
        check(b"a\x1b[31mred", "a\\x1b[31mred");
        check(b"tab\there", "tab\\x09here");
        check(b"\xff\xfe", "\\xff\\xfe");
        check("\u{9b}31m".as_bytes(), "\\x9b31m");
    }
}
