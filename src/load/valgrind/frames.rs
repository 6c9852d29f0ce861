//! Frames as valgrind writes them: `0x10919A: grab (t.c:4)`, `0x4848899: malloc (in
//! /usr/libexec/valgrind/vgpreload_dhat-amd64-linux.so)`, `0x1: ???`. Source: `VG_(describe_IP)`
//! in `coregrind/m_debuginfo/debuginfo.c`, and dhat-rs, which adds columns to lines.

use std::num::NonZeroU32;

use super::super::frame_parts::{FrameParts, base};

impl<'a> FrameParts<'a> {
    pub(super) fn of(text: &'a [u8]) -> Self {
        let (address, rest) = address_of(text);
        let (name, place) = match rest.strip_suffix(b")").and_then(split_at_bracket) {
            Some((name, place)) => (name, Some(place)),
            None => (rest, None),
        };
        let object = place.and_then(|place| place.strip_prefix(b"in ")).map(base);
        let place = place.filter(|_| object.is_none());
        let (file, line) = place.map_or((None, None), |place| {
            let (file, line) = lines_of(place);
            (Some(file), line)
        });
        Self {
            address,
            name: if name == b"???" { b"" } else { name },
            file: file.filter(|file| !file.is_empty()),
            line,
            object: object.filter(|object| !object.is_empty()),
        }
    }

    /// The text that distinguishes a frame: without the address if the function has a name.
    pub(super) fn text_of(text: &[u8]) -> &[u8] {
        match address_of(text) {
            (_, rest) if rest.starts_with(b"???") => text,
            (_, rest) => rest,
        }
    }

    /// Returns whether it is one of the functions with which valgrind replaces functions of the
    /// program.
    pub(super) fn is_of_valgrind(&self) -> bool {
        self.object.is_some_and(|object| object.starts_with(b"vgpreload_"))
    }
}

/// The address at the start, and the text after it.
fn address_of(text: &[u8]) -> (Option<&[u8]>, &[u8]) {
    let digits = text.strip_prefix(b"0x").unwrap_or_default();
    let n_digits = digits.iter().take_while(|byte| byte.is_ascii_hexdigit()).count();
    let (address, rest) = text.split_at(if n_digits == 0 { 0 } else { 2 + n_digits });
    match rest.strip_prefix(b": ") {
        Some(rest) if n_digits > 0 => (Some(address), rest),
        _ => (None, text),
    }
}

/// Name and place, at the last bracket after a blank.
fn split_at_bracket(text: &[u8]) -> Option<(&[u8], &[u8])> {
    let found = text.windows(2).rposition(|pair| pair == b" (")?;
    Some((&text[..found], &text[found + 2..]))
}

/// The file and line of `file:line` or `file:line:column`.
fn lines_of(place: &[u8]) -> (&[u8], Option<NonZeroU32>) {
    let Some((rest, last)) = number_behind(place) else {
        return (place, None);
    };
    match number_behind(rest) {
        Some((file, line)) => (file, NonZeroU32::new(line)),
        None => (rest, NonZeroU32::new(last)),
    }
}

/// The number after the last colon, and the text before.
fn number_behind(text: &[u8]) -> Option<(&[u8], u32)> {
    let colon = text.iter().rposition(|&byte| byte == b':')?;
    let number = std::str::from_utf8(&text[colon + 1..]).ok()?;
    Some((&text[..colon], number.parse().ok()?))
}
