//! Lines with groups of hexadecimal digits, with or without an address.

use super::LineShape;

/// Maximum number of words before the bytes: prompts, times, names of tasks. The limit avoids
/// parsing a long line from each of its words.
const MAX_WORDS_BEFORE: usize = 16;

/// Maximum number of groups after an address; no tool prints as many.
const MAX_GROUPS: usize = 1024;

/// Maximum number of digits in a group that is a word of memory.
const MAX_GROUP: usize = 16;

/// How an address is marked.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum AddressMark {
    /// By a colon or an equals sign.
    Colon,
    /// By being first.
    Bare,
    None,
}

/// A line without control sequences.
#[derive(Default)]
pub(super) struct Clean(Vec<u8>);

impl Clean {
    /// Removes colours, other escape sequences, and control characters.
    pub(super) fn line(&mut self, raw: &[u8]) -> &[u8] {
        self.0.clear();
        let mut bytes = raw.iter().copied();
        while let Some(byte) = bytes.next() {
            match byte {
                0x1b => skip_escape(&mut bytes),
                b'\r' | b'\t' => self.0.push(byte),
                0..b' ' | 0x7f => {}
                _ => self.0.push(byte),
            }
        }
        &self.0
    }
}

/// Skips an escape sequence: up to its final letter, a title up to BEL or the next ESC, or
/// one letter. Source: ECMA-48, 5.4.
fn skip_escape(bytes: &mut impl Iterator<Item = u8>) {
    match bytes.next() {
        Some(b'[') => while bytes.next().is_some_and(|byte| !(0x40..=0x7e).contains(&byte)) {},
        Some(b']') => while bytes.next().is_some_and(|byte| !matches!(byte, 0x07 | 0x1b)) {},
        _ => {}
    }
}

/// Returns whether the line stands for repeated lines.
pub(super) fn is_star(cleaned: &[u8]) -> bool {
    behind_prefix(cleaned).is_some_and(|(_, word)| word == b"*")
}

/// The last word of a line and its offset, if only a prompt or a time precedes it.
fn behind_prefix(cleaned: &[u8]) -> Option<(usize, &[u8])> {
    let mut before = None;
    let mut words = LineWords(cleaned, 0).take(MAX_WORDS_BEFORE + 1);
    let mut last = words.next()?;
    for word in words {
        before = Some(last.1);
        last = word;
    }
    let is_last = LineWords(cleaned, last.0).count() == 1;
    (is_last && before.is_none_or(|before| ends_prompt(before) || is_time(before))).then_some(last)
}

/// Returns whether a word may end a prompt or the prefix of a log line.
fn ends_prompt(word: &[u8]) -> bool {
    matches!(word.last(), Some(b':' | b']' | b'>'))
}

/// Returns whether a word looks like `10:01:54` or `1.234567`.
fn is_time(word: &[u8]) -> bool {
    let is_part = |byte: &u8| byte.is_ascii_digit() || matches!(byte, b'.' | b':');
    word.iter().all(is_part) && word[0].is_ascii_digit() && !word.iter().all(u8::is_ascii_digit)
}

/// A line that may contain bytes.
#[derive(Debug)]
pub(super) struct TextLine<'l> {
    pub(super) mark: AddressMark,
    /// Read as hexadecimal; 0 without address.
    pub(super) address: u64,
    groups: Vec<&'l [u8]>,
    /// The character column after the groups.
    pub(super) characters: &'l [u8],
}

/// The contents of a line, if it may contain bytes.
pub(super) fn text_line(cleaned: &[u8]) -> Option<TextLine<'_>> {
    let starts = LineWords(cleaned, 0).map(|(start, _)| start);
    let mut starts = starts.take(MAX_WORDS_BEFORE);
    let shows = |start| addressed(cleaned, start).filter(|line| !line.groups.is_empty());
    starts.find_map(shows).or_else(|| plain(cleaned))
}

/// The address that a line consists of, except for a prefix, as in the last line of hexdump.
pub(super) fn address_alone(cleaned: &[u8]) -> Option<u64> {
    let (start, _) = behind_prefix(cleaned)?;
    let line = addressed(cleaned, start)?;
    let is_alone = line.groups.is_empty() && line.characters.is_empty();
    (is_alone && line.mark == AddressMark::Bare).then_some(line.address)
}

impl TextLine<'_> {
    /// The shape, and the number of bytes; `None` without bytes.
    pub(super) fn shape_and_len(&self) -> Option<(LineShape, usize)> {
        let first = self.groups.first()?.len();
        let digits = if first > MAX_GROUP { None } else { u8::try_from(first).ok() };
        let mark = self.mark;
        let n_digits: usize = self.groups.iter().map(|group| group.len()).sum();
        Some((LineShape::Text { mark, digits }, n_digits / 2))
    }

    /// The bytes, in the order of their digits, if the line has that shape. The last line of
    /// a dump may have a single short group.
    pub(super) fn bytes_as(&self, shape: LineShape) -> Option<Vec<u8>> {
        let LineShape::Text { mark, digits } = shape else {
            return None;
        };
        let first = self.groups.first()?.len();
        let fits = match digits {
            None => self.groups.len() == 1,
            Some(digits) => {
                let is_short = self.groups.len() == 1 && first < usize::from(digits);
                first == usize::from(digits) || is_short
            }
        };
        let digits = self.groups.iter().flat_map(|group| group.chunks_exact(2));
        (fits && mark == self.mark).then(|| digits.map(byte_of).collect())
    }
}

/// An address and groups of digits, from a word on.
fn addressed(cleaned: &[u8], start: usize) -> Option<TextLine<'_>> {
    let mut words = LineWords(cleaned, start);
    let (_, word) = words.next()?;
    let (mut mark, digits) = match word.strip_suffix(b":") {
        Some(digits) => (AddressMark::Colon, digits),
        None => (AddressMark::Bare, word),
    };
    let (has_prefix, digits) = without_prefix(digits);
    if digits.len() > 16 || !digits.iter().all(u8::is_ascii_hexdigit) {
        return None;
    }
    if mark == AddressMark::Bare {
        // GDB names the symbol too, and J-Link marks the address with an equals sign.
        let mut peeked = LineWords(cleaned, words.1);
        match peeked.next() {
            Some((_, b"=")) => mark = AddressMark::Colon,
            Some((_, name)) if name.starts_with(b"<") && name.ends_with(b">:") => {
                mark = AddressMark::Colon;
            }
            _ => {}
        }
        if mark == AddressMark::Colon {
            words = peeked;
        }
    }
    let least = match (mark, has_prefix) {
        (AddressMark::Bare, false) => 6,
        (AddressMark::Bare, true) | (_, false) => 4,
        (_, true) => 1,
    };
    if digits.len() < least {
        return None;
    }
    // Words of memory without an address, the first of which looks like one.
    let next = words.clone().next().and_then(|(_, word)| group_in(word));
    let looks_alike = next.is_some_and(|group| group.len() == digits.len());
    if mark == AddressMark::Bare && !has_prefix && looks_alike {
        return None;
    }
    let (groups, characters) = groups_of(cleaned, words.1, mark)?;
    Some(TextLine { mark, address: number_of(digits), groups, characters })
}

/// The groups from an offset on, and the text after them. `None` if that is neither empty nor
/// a character column.
fn groups_of(cleaned: &[u8], from: usize, mark: AddressMark) -> Option<(Vec<&[u8]>, &[u8])> {
    let mut groups: Vec<&[u8]> = Vec::new();
    let mut end = from;
    let mut is_last = false;
    for (start, word) in LineWords(cleaned, from) {
        let group = group_in(word).filter(|_| !is_last);
        let first = groups.first().map(|first| first.len());
        // xxd puts the last of numbers to the right of its place.
        let is_to_the_right = first
            .zip(group)
            .is_some_and(|(first, group)| start - end == 1 + first.saturating_sub(group.len()));
        let is_apart = !groups.is_empty() && start - end > 1 && !is_to_the_right;
        let fits = group.is_some_and(|group| first.is_none_or(|first| group.len() <= first));
        let in_middle = groups.len() == 8 && cleaned[start..].contains(&b'|');
        let ends = !fits || mark == AddressMark::Colon && is_apart && !in_middle;
        if ends {
            let is_column =
                matches!(word[0], b'|' | b'>') || mark == AddressMark::Colon && is_apart;
            return is_column.then(|| (groups, characters_in(&cleaned[start..])));
        }
        let group = group.filter(|_| groups.len() < MAX_GROUPS)?;
        is_last = first.is_some_and(|first| group.len() < first);
        groups.push(group);
        end = start + word.len();
    }
    Some((groups, &[]))
}

/// A character column without its delimiters.
fn characters_in(column: &[u8]) -> &[u8] {
    let column = column.trim_ascii_end();
    let enclosed = |open: &[u8], close: &[u8]| column.strip_prefix(open)?.strip_suffix(close);
    let found = enclosed(b"|", b"|").or_else(|| enclosed(b">", b"<"));
    found.unwrap_or(column)
}

/// Groups of digits up to the end of the line, possibly after a word that ends a prefix.
fn plain(cleaned: &[u8]) -> Option<TextLine<'_>> {
    let mut groups: Vec<&[u8]> = Vec::new();
    for (_, word) in LineWords(cleaned, 0) {
        match group_in(word) {
            Some(group) => groups.push(group),
            None if ends_prompt(word) => groups.clear(),
            None => return None,
        }
    }
    let (last, others) = groups.split_last()?;
    let first = groups.first()?.len();
    let is_even = others.iter().all(|group| group.len() == first) && last.len() <= first;
    let is_long = first > MAX_GROUP && groups.len() > 1;
    (is_even && !is_long).then_some(TextLine {
        mark: AddressMark::None,
        address: 0,
        groups,
        characters: &[],
    })
}

/// The digits of a group: pairs, without the punctuation of C.
fn group_in(word: &[u8]) -> Option<&[u8]> {
    let word = word.strip_suffix(b",").unwrap_or(word);
    let (_, digits) = without_prefix(word);
    let is_size = matches!(digits.len(), 2 | 4 | 6 | 8 | 10 | 12 | 14 | 16)
        || digits.len() > MAX_GROUP && digits.len().is_multiple_of(2);
    (is_size && digits.iter().all(u8::is_ascii_hexdigit)).then_some(digits)
}

fn without_prefix(word: &[u8]) -> (bool, &[u8]) {
    let bare = word.strip_prefix(b"0x").or(word.strip_prefix(b"0X"));
    (bare.is_some(), bare.unwrap_or(word))
}

fn number_of(digits: &[u8]) -> u64 {
    let digits = digits.iter();
    digits.fold(0, |number, &digit| number << 4 | u64::from(digit_of(digit)))
}

pub(super) fn byte_of(pair: &[u8]) -> u8 {
    digit_of(pair[0]) << 4 | digit_of(pair[1])
}

fn digit_of(digit: u8) -> u8 {
    match digit {
        b'0'..=b'9' => digit - b'0',
        _ => (digit | 0x20).wrapping_sub(b'a') + 10,
    }
}

/// The words of a line from an offset on, each with its offset.
#[derive(Clone)]
pub(super) struct LineWords<'l>(pub(super) &'l [u8], pub(super) usize);

impl<'l> Iterator for LineWords<'l> {
    type Item = (usize, &'l [u8]);

    fn next(&mut self) -> Option<Self::Item> {
        let is_blank = |byte: &u8| matches!(byte, b' ' | b'\t' | b'\r');
        let rest = &self.0[self.1..];
        let start = self.1 + rest.iter().position(|byte| !is_blank(byte))?;
        let word = &self.0[start..];
        let len = word.iter().position(is_blank).unwrap_or(word.len());
        self.1 = start + len;
        Some((start, &word[..len]))
    }
}
