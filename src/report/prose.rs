//! Sentences in lines that fit a terminal, broken between words.

use memchr::{memchr, memchr3};

use super::Text;
use super::width::display_width;

/// Adds the words of a sentence in a terminal of so many columns. Further lines start
/// below its first word.
pub fn push_words(text: &mut Text, sentence: &[u8], columns: usize) {
    let indent = text.column();
    push_below(text, sentence, columns, indent);
}

/// Adds a message with its label and line end: one line where it fits or nothing limits
/// the columns. On a terminal, further lines are indented, and a clause that fits the next
/// line starts it, so that the fact is the first line and the evidence is below.
pub fn push_message(
    text: &mut Text,
    label: &[u8],
    message: &[u8],
    columns: Option<usize>,
    indent: usize,
) {
    text.word(label);
    let is_too_long = |columns: &usize| text.column() + display_width(message) > *columns;
    if let Some(columns) = columns.filter(is_too_long) {
        for (index, clause) in clauses(message).enumerate() {
            if index > 0 {
                let width = display_width(clause);
                let is_half_full = text.column() > columns / 2;
                let needed = match words(clause).next() {
                    Some(word) if !is_half_full || indent + width > columns => display_width(word),
                    _ => width,
                };
                push_gap(text, needed, columns, indent);
            }
            push_below(text, clause, columns, indent);
        }
    } else {
        text.word(message);
    }
    text.word("\n");
}

/// Adds the advice of a message, which must not contain control characters either.
pub fn push_advice(text: &mut Text, advice: &[u8], columns: Option<usize>) {
    const LABEL: &[u8] = b"  help: ";
    push_message(text, LABEL, advice, columns, LABEL.len());
}

fn push_below(text: &mut Text, sentence: &[u8], columns: usize, indent: usize) {
    for (index, word) in words(sentence).enumerate() {
        if index > 0 {
            push_gap(text, display_width(word), columns, indent);
        }
        text.word(word);
    }
}

/// Adds a blank, or the start of the next line if something so wide does not fit this one.
fn push_gap(text: &mut Text, width: usize, columns: usize, indent: usize) {
    if text.column() + 1 + width > columns {
        text.word("\n");
        text.blanks(indent);
    } else {
        text.word(" ");
    }
}

/// The parts of a message that end in a colon or a semicolon, and the rest.
fn clauses(message: &[u8]) -> impl Iterator<Item = &[u8]> {
    let (mut words, mut start, mut end) = (words(message), 0, 0);
    std::iter::from_fn(move || {
        let mut has_words = false;
        for word in words.by_ref() {
            has_words = true;
            end += word.len() + 1;
            if word.ends_with(b":") || word.ends_with(b";") {
                break;
            }
        }
        let clause = has_words.then(|| &message[start..end - 1]);
        start = end;
        clause
    })
}

/// Words between blanks. Names and commands in quotes or backticks are one word.
fn words(sentence: &[u8]) -> impl Iterator<Item = &[u8]> {
    let mut rest = Some(sentence);
    std::iter::from_fn(move || {
        let text = rest?;
        let mut end = 0;
        while let Some(length) = memchr3(b' ', b'`', b'\'', &text[end..]) {
            let place = end + length;
            end = place + 1;
            if text[place] == b' ' {
                rest = Some(&text[end..]);
                return Some(&text[..place]);
            }
            // Others are apostrophes.
            if place == 0 || matches!(text[place - 1], b'=' | b'(') {
                end += memchr(text[place], &text[end..]).map_or(0, |length| length + 1);
            }
        }
        rest = None;
        Some(text)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(message: &str, columns: Option<usize>, expected: &str) {
        let mut text = Text::default();
        push_message(&mut text, b"a: ", message.as_bytes(), columns, 2);
        assert_eq!(String::from_utf8_lossy(text.as_bytes()), expected);
    }

    #[test]
    fn a_message_that_fits_or_goes_to_a_file_is_one_line() {
        check("one: two; three", None, "a: one: two; three\n");
        check("one: two; three", Some(18), "a: one: two; three\n");
    }

    #[test]
    fn evidence_starts_a_line_of_its_own() {
        let message = "it does not match: one of four; two of three";
        let expected = "a: it does not match:\n  one of four;\n  two of three\n";
        check(message, Some(22), expected);
        check("it is: one of four", Some(20), "a: it is: one of\n  four\n");
        check("it is as it is: one of four of four", Some(20), {
            "a: it is as it is:\n  one of four of\n  four\n"
        });
    }

    #[test]
    fn names_and_commands_stay_whole() {
        let expected = "a: try\n  `profan -p -q`\n  or so\n";
        check("try `profan -p -q` or so", Some(12), expected);
        let expected = "a: it's\n  X='a b'\n  or so\n";
        check("it's X='a b' or so", Some(9), expected);
        check("try `profan -p", Some(12), "a: try\n  `profan -p\n");
    }
}
