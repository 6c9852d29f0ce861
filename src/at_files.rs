//! `@FILE` on a command line is replaced by the words in a file.

use std::collections::HashSet;
use std::ffi::OsString;
use std::io::{self, IsTerminal};
use std::path::Path;

use crate::files::{read_named, read_up_to};

/// Maximum number of replacements, in case files refer to each other.
const MAX_EXPANSIONS: usize = 2000;

/// Maximum size of a file in bytes: more than systems allow for a command line.
const MAX_SIZE: u64 = 16 << 20;

/// Maximum total bytes of files read repeatedly: a file that names itself could produce half
/// a gigabyte.
const MAX_AGAIN: usize = 256 << 10;

/// Replaces `@FILE` by the words of the file, repeatedly. Keeps the word if the file is
/// unreadable or too large.
pub(crate) fn expand(words: Vec<OsString>) -> Vec<OsString> {
    expand_by(words, |path| read_named(Path::new(path), MAX_SIZE).ok())
}

/// The same, and replaces `@-` by the words of standard input, unless it is a terminal.
pub(crate) fn expand_with_stdin(words: Vec<OsString>) -> Vec<OsString> {
    expand_by(words, |path| match path {
        "-" if io::stdin().is_terminal() => None,
        "-" => read_up_to(io::stdin().lock(), MAX_SIZE).ok(),
        _ => read_named(Path::new(path), MAX_SIZE).ok(),
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
            .and_then(|content| String::from_utf8(content).ok())
            .filter(|content| !known.contains(&word) || n_again + content.len() <= MAX_AGAIN);
        match content {
            Some(content) => {
                n_left -= 1;
                if !known.insert(word) {
                    n_again += content.len();
                }
                pending.extend(words_of(&content).into_iter().rev().map(OsString::from));
            }
            None => expanded.push(word),
        }
    }
    expanded
}

/// Splits at white space, except within quotes and after backslashes.
fn words_of(content: &str) -> Vec<String> {
    let mut words = Vec::new();
    let mut word: Option<String> = None;
    let mut quote = None;
    let mut characters = content.chars();
    while let Some(character) = characters.next() {
        match (character, quote) {
            ('\\', _) => word.get_or_insert_default().extend(characters.next()),
            (c, Some(open)) if c == open => quote = None,
            (c, Some(_)) => word.get_or_insert_default().push(c),
            (c @ ('"' | '\''), None) => {
                quote = Some(c);
                word.get_or_insert_default();
            }
            (c, None) if c.is_whitespace() => words.extend(word.take()),
            (c, None) => word.get_or_insert_default().push(c),
        }
    }
    words.extend(word);
    words
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
        assert_eq!(words_of("-b  'a b' \"c\\\"d\"\n e\\ f ''"), ["-b", "a b", "c\"d", "e f", ""]);
    }
}
