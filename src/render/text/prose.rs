//! Sentences, in lines that are as long as the terminal is wide.

use crate::report::Text;
use crate::report::width::display_width;

/// Adds a line with its end, or several of them where a terminal is not wide enough. A
/// word that is wider than the terminal has a line of its own.
///
/// Where a word is explained, as in ` calls       how often it was called`, further lines
/// stand below the explanation.
pub(super) fn push_prose(text: &mut Text, line: &[u8], screen: Option<usize>) {
    let Some(columns) = screen.filter(|&columns| display_width(line) > columns) else {
        text.word(line);
        text.word("\n");
        return;
    };
    let (head, words) = line.split_at(length_of_head(line));
    text.word(head);
    push_words(text, words, columns);
    text.word("\n");
}

/// Adds the words of a sentence in a terminal of so many columns. Further lines start
/// below its first word.
pub(super) fn push_words(text: &mut Text, sentence: &[u8], columns: usize) {
    let indent = text.column();
    for (index, word) in sentence.split(|&byte| byte == b' ').enumerate() {
        if index > 0 && text.column() + 1 + display_width(word) > columns {
            text.word("\n");
            text.blanks(indent);
        } else if index > 0 {
            text.word(" ");
        }
        text.word(word);
    }
}

/// The longest indent of lines that are not the first.
const MAX_INDENT: usize = 20;

/// The length of what stands to the left of the sentence: blanks, or a word that is
/// explained with the blanks around it.
fn length_of_head(line: &[u8]) -> usize {
    let start_of_text = |from: usize| {
        let mut behind = line[from..].iter();
        behind
            .position(|&byte| byte != b' ')
            .map(|length| from + length)
    };
    let Some(start) = start_of_text(0) else {
        return 0;
    };
    let gap = line[start..].windows(2).position(|pair| pair == b"  ");
    let sentence = gap.and_then(|length| start_of_text(start + length));
    sentence
        .filter(|&start| start <= MAX_INDENT)
        .unwrap_or(start)
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
        check(
            " calls  how often",
            Some(12),
            " calls  how\n        often\n",
        );
        check("unbreakable", Some(4), "unbreakable\n");
    }
}
