//! Text with a byte order mark, as Windows writes it.

/// The byte order mark in UTF-8.
pub(super) const BYTE_ORDER_MARK: &[u8] = b"\xef\xbb\xbf";

/// Number of characters at the start that have to be text.
const N_CHECKED: usize = 256;

/// Returns whether bytes start with a byte order mark.
pub(super) fn has_mark(bytes: &[u8]) -> bool {
    [BYTE_ORDER_MARK, b"\xff\xfe", b"\xfe\xff"].iter().any(|mark| bytes.starts_with(mark))
}

/// Bytes in UTF-8 without byte order mark, if they are a text with one; otherwise the same
/// bytes.
pub(super) fn without_mark(bytes: Vec<u8>) -> Vec<u8> {
    if let Some(rest) = bytes.strip_prefix(BYTE_ORDER_MARK) {
        return rest.to_vec();
    }
    let word: fn([u8; 2]) -> u16 = match bytes.get(..2) {
        Some([0xff, 0xfe]) => u16::from_le_bytes,
        Some([0xfe, 0xff]) => u16::from_be_bytes,
        _ => return bytes,
    };
    let (words, _) = bytes[2..].as_chunks::<2>();
    let text = || char::decode_utf16(words.iter().map(|&pair| word(pair)));
    let is_text = |found: Result<char, _>| {
        found.is_ok_and(|found| {
            let is_noncharacter = u32::from(found) & 0xfffe == 0xfffe;
            let is_control = found.is_control() && !"\t\r\n\x0c".contains(found);
            !is_noncharacter && !is_control
        })
    };
    if !text().take(N_CHECKED).all(is_text) {
        return bytes;
    }
    let characters = text().map(|found| found.unwrap_or(char::REPLACEMENT_CHARACTER));
    characters.collect::<String>().into_bytes()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_with_a_mark_become_utf8() {
        let check = |bytes: &[u8], expected: &[u8]| {
            assert_eq!(without_mark(bytes.to_vec()), expected, "{bytes:?}");
        };
        check(b"\xff\xfea\0;\0", b"a;");
        check(b"\xfe\xff\0a\0\n", b"a\n");
        check(b"\xff\xfe\xe4\0\x34\xd8\x1e\xdd!", "\u{e4}\u{1d11e}".as_bytes());
        check(b"\xef\xbb\xbfa;b", b"a;b");
        // Not text.
        check(b"\xff\xfe\x01\0", b"\xff\xfe\x01\0");
        // An address at the end of all memory.
        check(b"\xfe\xff\xff\xff", b"\xfe\xff\xff\xff");
        check(b"\xff\xfe\0\xd8a\0", b"\xff\xfe\0\xd8a\0");
        check(b"\xff", b"\xff");
    }
}
