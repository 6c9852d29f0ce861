//! Keys and the mouse, as the bytes that terminals send for them (ECMA-48 8.3; xterm's control
//! sequences, "PC-Style Function Keys" and "Mouse Tracking").

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
    WheelUp,
    WheelDown,
    /// The first button of the mouse on a line of the screen, from 0.
    Click(usize),
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
const KEY_BYTES: usize = 16;

fn sequence(bytes: &[u8]) -> Option<(Key, usize)> {
    // The button and the place in one byte each, from terminals that know nothing newer.
    if let [_, b'[', b'M', rest @ ..] = bytes {
        let [button, _column, line, ..] = rest else { return None };
        let (button, line) = (button.wrapping_sub(32), line.wrapping_sub(32));
        return Some((mouse(button.into(), line.into()), 6));
    }
    let is_last = |byte: &u8| (0x40..=0x7e).contains(byte);
    let Some(last) = bytes[2..].iter().position(is_last) else {
        // Something else than a key.
        return (bytes.len() > KEY_BYTES).then_some((Key::Other, bytes.len()));
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
        [b'<', place @ .., b'M'] => pressed(place),
        _ => Key::Other,
    };
    Some((key, n_bytes))
}

/// A pressed button: its number, the column and the line.
fn pressed(place: &[u8]) -> Key {
    let mut numbers = place.split(|&byte| byte == b';').map(|digits| {
        let digits = std::str::from_utf8(digits).ok()?;
        digits.parse::<usize>().ok()
    });
    match (numbers.next().flatten(), numbers.nth(1).flatten()) {
        (Some(button), Some(line)) => mouse(button, line),
        _ => Key::Other,
    }
}

/// A button by its number; `line` counts from 1.
fn mouse(button: usize, line: usize) -> Key {
    match button {
        0 => line.checked_sub(1).map_or(Key::Other, Key::Click),
        64 => Key::WheelUp,
        65 => Key::WheelDown,
        _ => Key::Other,
    }
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
        check(b"\x1bOM", Some((Key::Enter, 3)));
        check(b"\x1b[<0;10;3M", Some((Key::Click(2), 10)));
        check(b"\x1b[<0;10;3m", Some((Key::Other, 10)));
        check(b"\x1b[<64;1;1M", Some((Key::WheelUp, 10)));
        check(b"\x1b[<65;1;1M", Some((Key::WheelDown, 10)));
        check(b"\x1b[<0;1;0M", Some((Key::Other, 9)));
        check(b"\x1b[<;;M", Some((Key::Other, 6)));
        check(b"\x1b[M !#q", Some((Key::Click(2), 6)));
        check(b"\x1b[M !", None);
        check(b"\x1b[Ma!!", Some((Key::WheelDown, 6)));
        check(b"\x7f", Some((Key::Backspace, 1)));
    }
}
