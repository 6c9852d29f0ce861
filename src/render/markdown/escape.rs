//! Escapes names and sentences in Markdown.
//!
//! Source: GitHub Flavored Markdown Spec, version 0.29: backslash escapes (6.1), code spans
//! (6.3), tables (4.10). Control characters are escaped first, so that the result is one line
//! of UTF-8.

use std::iter::repeat_n;

use crate::report::escape_controls;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Within {
    /// A heading, paragraph or list item.
    Line,
    /// A table cell, where `|` is escaped even in code.
    Cell,
}

/// Characters with a possible meaning anywhere. Some readers treat `$` as mathematics, and
/// `#` as a reference.
const MARKUP: &str = "\\`*_[]<>|~#&$";

/// A name as code; empty for an empty name.
pub(super) fn code(name: &[u8], within: Within) -> String {
    let name = escape_controls(name);
    let mut text = String::with_capacity(name.len() + 2);
    push_code(&mut text, &String::from_utf8_lossy(&name), within);
    text
}

/// A sentence, with text between backticks as code.
pub(super) fn prose(sentence: &[u8], within: Within) -> String {
    let sentence = escape_controls(sentence);
    let sentence = String::from_utf8_lossy(&sentence);
    let mut text = String::with_capacity(sentence.len() + 8);
    let mut rest = sentence.trim();
    while let Some((words, behind)) = rest.split_once('`') {
        push_words(&mut text, words);
        rest = match behind.split_once('`') {
            Some((code, behind)) if !code.is_empty() => {
                push_code(&mut text, code, within);
                behind
            }
            Some((_, behind)) => {
                text.push_str("\\`\\`");
                behind
            }
            None => {
                text.push_str("\\`");
                behind
            }
        };
    }
    push_words(&mut text, rest);
    text
}

/// Adds a code span, with longer fences than any backticks in it. Readers drop the blank at
/// either end.
fn push_code(text: &mut String, code: &str, within: Within) {
    if code.is_empty() {
        return;
    }
    let has_backtick_end = code.starts_with('`') || code.ends_with('`');
    let loses_blanks =
        code.starts_with(' ') && code.ends_with(' ') && !code.trim_matches(' ').is_empty();
    let margin = if has_backtick_end || loses_blanks { " " } else { "" };
    let fence_length = longest_run(code) + 1;
    text.extend(repeat_n('`', fence_length));
    text.push_str(margin);
    match within {
        Within::Line => text.push_str(code),
        Within::Cell => text.push_str(&code.replace('|', "\\|")),
    }
    text.push_str(margin);
    text.extend(repeat_n('`', fence_length));
}

fn longest_run(code: &str) -> usize {
    let runs = code.split(|character| character != '`');
    runs.map(str::len).max().unwrap_or(0)
}

fn push_words(text: &mut String, words: &str) {
    let is_first = text.is_empty();
    let number = words.trim_start_matches(|digit: char| digit.is_ascii_digit());
    let end_of_number = words.len() - number.len();
    for (place, character) in words.char_indices() {
        let starts_block = is_first
            && match character {
                '+' | '-' | '=' | ':' => place == 0,
                '.' | ')' => place > 0 && place == end_of_number,
                _ => false,
            };
        if starts_block || MARKUP.contains(character) {
            text.push('\\');
        }
        text.push(character);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_code_whatever_is_in_them() {
        let check = |name: &str, line: &str, cell: &str| {
            assert_eq!(code(name.as_bytes(), Within::Line), line);
            assert_eq!(code(name.as_bytes(), Within::Cell), cell);
        };
        check("main", "`main`", "`main`");
        check("a<b>*_", "`a<b>*_`", "`a<b>*_`");
        check("operator||", "`operator||`", "`operator\\|\\|`");
        check("a\\|b", "`a\\|b`", "`a\\\\|b`");
        check("a`b``c", "```a`b``c```", "```a`b``c```");
        check("`a", "`` `a ``", "`` `a ``");
        check(" a ", "`  a  `", "`  a  `");
        check("  ", "`  `", "`  `");
        check("a\nb\x1b", "`a\\x0ab\\x1b`", "`a\\x0ab\\x1b`");
        check("", "", "");
    }

    #[test]
    fn sentences_are_escaped_and_keep_their_code() {
        let check = |sentence: &str, expected: &str| {
            let text = prose(sentence.as_bytes(), Within::Line);
            assert_eq!(text, expected, "for {sentence}");
        };
        check("compile with `-g`", "compile with `-g`");
        check("a ` b", "a \\` b");
        check("`a` and ` b", "`a` and \\` b");
        check("a `` b", "a \\`\\` b");
        check("<b> a_b *c* [d] e|f \\", "\\<b\\> a\\_b \\*c\\* \\[d\\] e\\|f \\\\");
        check("# no heading", "\\# no heading");
        check("- no item", "\\- no item");
        check("1. no item", "1\\. no item");
        check("===", "\\===");
        check(":--", "\\:--");
        check("1.50 s, 2.25 s (-5 %)", "1\\.50 s, 2.25 s (-5 %)");
        check("  no code\n", "no code\\\\x0a");
        check("100 ticks.", "100 ticks.");
    }
}
