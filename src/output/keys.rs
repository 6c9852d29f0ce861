//! Keys, as the bytes that terminals send for them (ECMA-48 8.3; xterm's control sequences,
//! "PC-Style Function Keys").

/// A key.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Key {
    Char(char),
    Enter,
    Backspace,
    Escape,
    Up,
    Down,
    Left,
    Right,
    PageUp,
    PageDown,
    Home,
    End,
    Tab,
    /// A key without meaning here.
    Other,
}

/// The first key of some bytes, and its number of bytes; `None` if it is incomplete.
pub(super) fn first(bytes: &[u8]) -> Option<(Key, usize)> {
    let key = match bytes {
        [] => return None,
        [b'\x1b', b'[' | b'O', ..] => return sequence(bytes),
        [b'\x1b', ..] => Key::Escape,
        [b'\r' | b'\n', ..] => Key::Enter,
        [b'\t', ..] => Key::Tab,
        [0x08 | 0x7f, ..] => Key::Backspace,
        [0x06, ..] => Key::PageDown,
        [0x02, ..] => Key::PageUp,
        [..0x20, ..] => Key::Other,
        _ => return character(bytes),
    };
    Some((key, 1))
}

/// Returns whether more bytes may belong to the key at the start.
pub(super) fn may_go_on(bytes: &[u8]) -> bool {
    bytes == b"\x1b"
}

/// The longest sequence that any key sends.
const LONGEST: usize = 16;

fn sequence(bytes: &[u8]) -> Option<(Key, usize)> {
    let is_last = |byte: &u8| (0x40..=0x7e).contains(byte);
    let Some(last) = bytes[2..].iter().position(is_last) else {
        // Something else than a key.
        return (bytes.len() > LONGEST).then_some((Key::Other, bytes.len()));
    };
    let n_bytes = last + 3;
    let key = match &bytes[2..n_bytes] {
        b"A" => Key::Up,
        b"B" => Key::Down,
        b"C" => Key::Right,
        b"D" => Key::Left,
        b"H" | b"1~" | b"7~" => Key::Home,
        b"F" | b"4~" | b"8~" => Key::End,
        b"5~" => Key::PageUp,
        b"6~" => Key::PageDown,
        b"M" => Key::Enter,
        _ => Key::Other,
    };
    Some((key, n_bytes))
}

fn character(bytes: &[u8]) -> Option<(Key, usize)> {
    let chunk = bytes.utf8_chunks().next()?;
    match chunk.valid().chars().next() {
        Some(character) => Some((Key::Char(character), character.len_utf8())),
        // The rest of a character may follow.
        None if bytes.len() < 4 && std::str::from_utf8(bytes).is_err_and(is_cut) => None,
        None => Some((Key::Other, 1)),
    }
}

fn is_cut(error: std::str::Utf8Error) -> bool {
    error.error_len().is_none()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bytes_are_keys() {
        let check = |bytes: &[u8], expected: Option<(Key, usize)>| {
            assert_eq!(first(bytes), expected, "for {bytes:?}");
        };
        check(b"", None);
        check(b"q", Some((Key::Char('q'), 1)));
        check("ö".as_bytes(), Some((Key::Char('ö'), 2)));
        check(&"ö".as_bytes()[..1], None);
        check(b"\xff", Some((Key::Other, 1)));
        check(b"\x1b", Some((Key::Escape, 1)));
        check(b"\x1b[A", Some((Key::Up, 3)));
        check(b"\x1bOB", Some((Key::Down, 3)));
        check(b"\x1b[5~x", Some((Key::PageUp, 4)));
        check(b"\x1b[1;5D", Some((Key::Other, 6)));
        check(b"\x1b[1", None);
        check(&[b"\x1b[".as_slice(), &[b'1'; 20]].concat(), Some((Key::Other, 22)));
        check(b"\r", Some((Key::Enter, 1)));
        check(b"\x7f", Some((Key::Backspace, 1)));
    }
}
