//! `@FILE` on a command line is replaced by the words in a file.

use std::collections::HashSet;
use std::ffi::OsString;
use std::io::{self, IsTerminal};
use std::path::Path;

use crate::files::{read_named, read_up_to};
use crate::limits::LONGEST_TEXT;

/// Maximum number of replacements, in case files refer to each other.
const MAX_EXPANSIONS: usize = 2000;

/// Maximum total bytes of files read repeatedly: a file that names itself could produce half
/// a gigabyte.
const MAX_AGAIN: usize = 256 << 10;

/// Replaces `@FILE` by the words of the file, repeatedly. Keeps the word if the file is
/// unreadable or too large.
pub(crate) fn expand(words: Vec<OsString>) -> Vec<OsString> {
    expand_by(words, |path| read_named(Path::new(path), LONGEST_TEXT as u64).ok())
}

/// The same, and replaces `@-` by the words of standard input, unless it is a terminal.
pub(crate) fn expand_with_stdin(words: Vec<OsString>) -> Vec<OsString> {
    expand_by(words, |path| match path {
        "-" if io::stdin().is_terminal() => None,
        "-" => read_up_to(io::stdin().lock(), LONGEST_TEXT as u64).ok(),
        _ => read_named(Path::new(path), LONGEST_TEXT as u64).ok(),
    })
}

fn expand_by(words: Vec<OsString>, read: impl Fn(&str) -> Option<Vec<u8>>) -> Vec<OsString> {
    let (mut n_left, mut n_again) = (MAX_EXPANSIONS, 0);
    let mut known = HashSet::new();
    let mut expanded = Vec::new();
    let mut pending: Vec<_> = words.into_iter().rev().collect();
    while let Some(word) = pending.pop() {
        let content = word
            .to_str()
            .and_then(|word| word.strip_prefix('@'))
            .filter(|_| n_left > 0)
            .and_then(&read)
            .filter(|content| !known.contains(&word) || n_again + content.len() <= MAX_AGAIN);
        match content {
            Some(content) => {
                n_left -= 1;
                if !known.insert(word) {
                    n_again += content.len();
                }
                pending.extend(words_of(&content).into_iter().rev().map(os_string));
            }
            None => expanded.push(word),
        }
    }
    expanded
}

/// Splits at white space, except within quotes and after backslashes. Names of files may be in any
/// encoding.
fn words_of(content: &[u8]) -> Vec<Vec<u8>> {
    let mut words = Vec::new();
    let mut word: Option<Vec<u8>> = None;
    let mut quote = None;
    let mut bytes = content.iter().copied();
    while let Some(byte) = bytes.next() {
        match (byte, quote) {
            (b'\\', _) => word.get_or_insert_default().extend(bytes.next()),
            (_, Some(open)) if byte == open => quote = None,
            (_, Some(_)) => word.get_or_insert_default().push(byte),
            (b'"' | b'\'', None) => {
                quote = Some(byte);
                word.get_or_insert_default();
            }
            (b'\x0b', None) => words.extend(word.take()),
            (_, None) if byte.is_ascii_whitespace() => words.extend(word.take()),
            (_, None) => word.get_or_insert_default().push(byte),
        }
    }
    words.extend(word);
    words
}

#[cfg(unix)]
fn os_string(word: Vec<u8>) -> OsString {
    std::os::unix::ffi::OsStringExt::from_vec(word)
}

#[cfg(not(unix))]
fn os_string(word: Vec<u8>) -> OsString {
    String::from_utf8_lossy(&word).into_owned().into()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_that_names_itself_makes_few_words_of_it() {
        let directory = tempfile::tempdir().expect("a folder can be made");
        let file = directory.path().join("words");
        let itself = OsString::from(format!("@{}", file.display()));
        let text = format!("{} {}", "a ".repeat(1400), itself.display());
        std::fs::write(&file, &text).expect("it can be written");
        let words = expand(vec![itself.clone()]);
        assert!(words.len() <= 1401 * (2 + MAX_AGAIN / text.len()));
        assert_eq!(words.last(), Some(&itself));
    }

    #[test]
    fn words_in_a_file_are_split_at_blanks_outside_quotes() {
        let words = words_of(b"-b  'a b' \"c\\\"d\"\n e\\ f '' \xe9");
        assert_eq!(words, [&b"-b"[..], b"a b", b"c\"d", b"e f", b"", b"\xe9"]);
    }
}
