//! Sentences, in lines that are as long as the terminal is wide.

use crate::report::Text;
use crate::report::width::display_width;

/// Adds a line with its end, or several of them where a terminal is not wide enough. A
/// word that is wider than the terminal has a line of its own.
pub(super) fn push_prose(text: &mut Text, line: &[u8], screen: Option<usize>) {
    let Some(columns) = screen.filter(|&columns| display_width(line) > columns) else {
        text.word(line);
        text.word("\n");
        return;
    };
    let n_blanks = line.iter().take_while(|&&byte| byte == b' ').count();
    let (indent, words) = line.split_at(n_blanks);
    text.word(indent);
    for (index, word) in words.split(|&byte| byte == b' ').enumerate() {
        if index > 0 && text.column() + 1 + display_width(word) > columns {
            text.word("\n");
            text.word(indent);
        } else if index > 0 {
            text.word(" ");
        }
        text.word(word);
    }
    text.word("\n");
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_break_between_words_and_keep_their_indent() {
        let check = |line: &str, screen: Option<usize>, expected: &str| {
            let mut text = Text::default();
            push_prose(&mut text, line.as_bytes(), screen);
            assert_eq!(String::from_utf8_lossy(text.as_bytes()), expected);
        };
        check("one two three", None, "one two three\n");
        check("one two three", Some(13), "one two three\n");
        check("one two three", Some(12), "one two\nthree\n");
        check("  one two", Some(6), "  one\n  two\n");
        check("unbreakable", Some(4), "unbreakable\n");
    }
}
