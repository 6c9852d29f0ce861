//! Control characters in names and text, which must not reach a terminal.

use std::borrow::Cow;
use std::io::Write as _;

use memchr::memchr2;

/// A name within a line: without line ends, after which a CI system could find commands; and
/// without control characters if `escapes_controls`.
pub fn printable(name: &[u8], escapes_controls: bool) -> Cow<'_, [u8]> {
    if escapes_controls {
        return escape_controls(name);
    }
    if !may_have_controls(name) {
        return Cow::Borrowed(name);
    }
    let Some(first) = memchr2(b'\n', b'\r', name) else {
        return Cow::Borrowed(name);
    };
    let mut escaped = name[..first].to_vec();
    for byte in &name[first..] {
        match byte {
            b'\n' => escaped.extend_from_slice(b"\\x0a"),
            b'\r' => escaped.extend_from_slice(b"\\x0d"),
            byte => escaped.push(*byte),
        }
    }
    Cow::Owned(escaped)
}

/// Returns whether some byte may be a control character: a hot path, as a name is in every row.
fn may_have_controls(name: &[u8]) -> bool {
    // Taking 0x20 from a smaller byte sets its highest bit, which it lacks.
    const HIGHEST: u64 = (u64::MAX / 255) << 7;
    let may_have = |word: &[u8; 8]| {
        let bytes = u64::from_le_bytes(*word);
        bytes.wrapping_sub(HIGHEST >> 2) & !bytes & HIGHEST != 0
    };
    let (words, rest) = name.as_chunks();
    words.iter().any(may_have) || rest.iter().any(|&byte| byte < b' ')
}

/// A name where a line starts, if only after blanks: GitHub Actions takes `::error::` there for a
/// command, after any blanks (`TryParseV2` in `ActionCommand.cs` of github.com/actions/runner).
pub fn line_start(name: &[u8]) -> Cow<'_, [u8]> {
    if name.first().is_some_and(|byte| byte.is_ascii_graphic() && *byte != b':') {
        return Cow::Borrowed(name);
    }
    let text = name.utf8_chunks().next().map_or("", |chunk| chunk.valid());
    let (blanks, rest) = name.split_at(text.len() - text.trim_start().len());
    match rest.strip_prefix(b"::") {
        None => Cow::Borrowed(name),
        Some(rest) => Cow::Owned([blanks, b"\\x3a:", rest].concat()),
    }
}

/// A word or sentence that is a line, or starts one.
pub(super) fn line(words: &str, escapes_controls: bool) -> Cow<'_, str> {
    let escaped = printable(words.as_bytes(), escapes_controls);
    match line_start(&escaped) {
        Cow::Borrowed(same) if same.len() == words.len() => Cow::Borrowed(words),
        escaped => Cow::Owned(String::from_utf8_lossy(&escaped).into_owned()),
    }
}

/// The colour sequences of reports; the first one resets colours.
pub const COLORS: [&str; 10] = [
    "\x1b[0m",
    "\x1b[1m",
    "\x1b[2m",
    "\x1b[31m",
    "\x1b[32m",
    "\x1b[33m",
    "\x1b[35m",
    "\x1b[36m",
    "\x1b[1;31m",
    "\x1b[1;32m",
];

/// Writes control characters as `\x1b` and other invisible characters as `\u{202e}`, so that
/// a name can neither control a terminal nor look like another name. Bytes outside UTF-8 are
/// escaped too, since they may be controls in another encoding.
pub fn escape_controls(name: &[u8]) -> Cow<'_, [u8]> {
    if is_clean(name) {
        return Cow::Borrowed(name);
    }
    let mut escaped = Vec::with_capacity(name.len());
    push_escaped(&mut escaped, name);
    Cow::Owned(escaped)
}

/// Returns whether no byte needs an escape.
pub fn is_clean(name: &[u8]) -> bool {
    let is_plain = |byte: &u8| (b' '..=b'~').contains(byte);
    let is_clean = |chunk: std::str::Utf8Chunk<'_>| {
        chunk.invalid().is_empty() && !chunk.valid().contains(is_unseen)
    };
    name.iter().all(is_plain) || name.utf8_chunks().all(is_clean)
}

/// Appends [`escape_controls`] of `name`.
pub fn push_escaped(text: &mut Vec<u8>, name: &[u8]) {
    if is_clean(name) {
        return text.extend_from_slice(name);
    }
    for chunk in name.utf8_chunks() {
        for character in chunk.valid().chars() {
            // Writing to a vector cannot fail.
            let _ = match u32::from(character) {
                _ if !is_unseen(character) => write!(text, "{character}"),
                code @ ..0x100 => write!(text, "\\x{code:02x}"),
                code => write!(text, "\\u{{{code:x}}}"),
            };
        }
        for byte in chunk.invalid() {
            let _ = write!(text, "\\x{byte:02x}");
        }
    }
}

/// Returns whether a character is a control or invisible: the categories Cc, Cf, Zl and Zp of
/// Unicode 16, and U+FFFE and U+FFFF, which XML 1.0 (2.2) forbids; dot writes XML.
fn is_unseen(character: char) -> bool {
    character.is_control()
        || matches!(
            character,
            '\u{ad}'
            | '\u{600}'..='\u{605}'
            | '\u{61c}'
            | '\u{6dd}'
            | '\u{70f}'
            | '\u{890}'..='\u{891}'
            | '\u{8e2}'
            | '\u{180e}'
            | '\u{200b}'..='\u{200f}'
            | '\u{2028}'..='\u{202e}'
            | '\u{2060}'..='\u{206f}'
            | '\u{feff}'
            | '\u{fff9}'..='\u{fffb}'
            | '\u{fffe}'..='\u{ffff}'
            | '\u{110bd}'
            | '\u{110cd}'
            | '\u{13430}'..='\u{1343f}'
            | '\u{1bca0}'..='\u{1bca3}'
            | '\u{1d173}'..='\u{1d17a}'
            | '\u{e0000}'..='\u{e007f}'
        )
}

/// Escapes a line but keeps tabs and line ends. A carriage return before a line feed belongs
/// to the line end.
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
    fn a_name_adds_no_lines_to_a_text() {
        let check = |name: &[u8], expected: &[u8]| assert_eq!(&*printable(name, false), expected);
        check(b"a\n::error::b\r\n", b"a\\x0a::error::b\\x0d\\x0a");
        check(b"a\tb\xff", b"a\tb\xff");
    }

    #[test]
    fn a_name_begins_no_command() {
        let check = |name: &str, expected: &str| {
            assert_eq!(line_start(name.as_bytes()), expected.as_bytes());
        };
        check("main::f", "main::f");
        check("::error::x", "\\x3a:error::x");
        check(" \u{3000}::error::x", " \u{3000}\\x3a:error::x");
        check("", "");
        assert_eq!(line("a\n::b", false), "a\\x0a::b");
        assert_eq!(line("::b\u{1b}", true), "\\x3a:b\\x1b");
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
        check("\u{202e}niam".as_bytes(), "\\u{202e}niam");
        check("a\u{2028}b\u{200b}".as_bytes(), "a\\u{2028}b\\u{200b}");
        check("\u{e0041}\u{feff}".as_bytes(), "\\u{e0041}\\u{feff}");
        check("e\u{301}\u{a0}\u{1f600}".as_bytes(), "e\u{301}\u{a0}\u{1f600}");
    }
}
