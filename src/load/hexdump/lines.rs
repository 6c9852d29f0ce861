//! Lines with groups of hexadecimal digits, with or without an address.

use std::ops::Range;

use super::LineShape;

/// Maximum number of words before the bytes: prompts, times, names of tasks. The limit avoids
/// parsing a long line from each of its words.
const MAX_WORDS_BEFORE: usize = 16;

/// Maximum number of groups after an address; no tool prints as many.
const MAX_GROUPS: usize = 1024;

/// Maximum number of digits in a group that is a word of memory.
const WIDEST_WORD: usize = 16;

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

/// Returns whether the line represents repeated lines.
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
        let digits = if first > WIDEST_WORD { None } else { u8::try_from(first).ok() };
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
    let (has_prefix, digits) = without_prefix(start_of_range(digits, mark));
    if digits.len() > 16 || !digits.iter().all(u8::is_ascii_hexdigit) {
        return None;
    }
    if mark == AddressMark::Bare {
        // GDB names the symbol too, J-Link marks the address with an equals sign, and others
        // put a blank before the colon.
        let mut peeked = LineWords(cleaned, words.1);
        match peeked.next() {
            Some((_, b"=" | b":")) => mark = AddressMark::Colon,
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
    // The line has no address: its first word looks like the others.
    let next = words.clone().next().and_then(|(_, word)| group_in(word));
    let looks_alike = next.is_some_and(|group| group.len() == digits.len());
    if mark == AddressMark::Bare && !has_prefix && looks_alike {
        return None;
    }
    let (groups, characters) = groups_of(cleaned, words.1, mark)?;
    Some(TextLine { mark, address: number_of(digits), groups, characters })
}

/// The first address of `0000-0010:`, as RT-Thread's `ulog_hexdump` marks lines.
fn start_of_range(word: &[u8], mark: AddressMark) -> &[u8] {
    let dash = word.iter().position(|&byte| byte == b'-').filter(|_| mark == AddressMark::Colon);
    let is_range = dash.is_some_and(|dash| word[dash + 1..].iter().all(u8::is_ascii_hexdigit));
    if is_range { &word[..dash.expect("it has one")] } else { word }
}

/// The groups from an offset on, and the text after them. `None` if that is neither empty nor
/// a character column.
fn groups_of(cleaned: &[u8], from: usize, mark: AddressMark) -> Option<(Vec<&[u8]>, &[u8])> {
    let run = GroupRun::new(cleaned, from);
    if let Some(confirmed) = run.confirmed() {
        return Some(confirmed);
    }
    let next = run.rest().find(|byte| !byte.is_ascii_whitespace());
    let has_bar = run.rest().any(|byte| byte == b'|');
    let apart = (1..run.groups.len()).find(|&index| {
        let is_between = index.is_multiple_of(4) && (next.is_none() || has_bar);
        mark == AddressMark::Colon && run.is_apart(index) && !is_between
    });
    if let Some(apart) = apart {
        return Some(run.up_to(apart));
    }
    let is_column = match next {
        None => true,
        Some(b'|' | b'>') => true,
        Some(_) => mark == AddressMark::Colon && !run.groups.is_empty() && run.ends_apart(),
    };
    is_column.then(|| run.up_to(run.groups.len()))
}

/// Consecutive words of a line that may be groups; the last ones may be characters.
struct GroupRun<'l> {
    line: &'l [u8],
    /// The digits of each, and the offsets of its word.
    groups: Vec<(&'l [u8], Range<usize>)>,
    end: usize,
}

impl<'l> GroupRun<'l> {
    /// No group is longer than the first one, and only the last one is shorter.
    fn new(line: &'l [u8], from: usize) -> Self {
        let mut run = Self { line, groups: Vec::new(), end: from };
        let mut first = None;
        for (start, word) in LineWords(line, from) {
            let Some(digits) = group_in(word).filter(|_| run.groups.len() < MAX_GROUPS) else {
                break;
            };
            let len = *first.get_or_insert(digits.len());
            if digits.len() > len {
                break;
            }
            run.end = start + word.len();
            run.groups.push((digits, start..run.end));
            if digits.len() < len {
                break;
            }
        }
        run
    }

    /// The bytes after the groups.
    fn rest(&self) -> impl Iterator<Item = u8> {
        self.line[self.end..].iter().copied()
    }

    /// The first groups, and the text after them as their characters.
    fn up_to(&self, n_groups: usize) -> (Vec<&'l [u8]>, &'l [u8]) {
        let groups = self.groups[..n_groups].iter().map(|(digits, _)| *digits).collect();
        let end = n_groups.checked_sub(1).map_or(self.end, |last| self.groups[last].1.end);
        (groups, characters_in(self.line[end..].trim_ascii_start()))
    }

    /// Returns whether more than a blank precedes a group. xxd puts the last of numbers to the
    /// right of its place.
    fn is_apart(&self, index: usize) -> bool {
        let (digits, place) = &self.groups[index];
        let gap = place.start - self.groups[index - 1].1.end;
        gap > 1 && gap != 1 + self.groups[0].0.len() - digits.len()
    }

    /// Returns whether more than a blank follows the groups.
    fn ends_apart(&self) -> bool {
        self.rest().take_while(u8::is_ascii_whitespace).count() > 1
    }

    /// The groups whose bytes equal the characters after them, which may look like groups too.
    /// One blank may precede the characters, and they may have a blank after eight.
    fn confirmed(&self) -> Option<(Vec<&'l [u8]>, &'l [u8])> {
        let mut n_bytes: usize = self.groups.iter().map(|(digits, _)| digits.len() / 2).sum();
        for (index, (digits, place)) in self.groups.iter().enumerate().rev() {
            let column = &self.line[place.end..];
            let column = column.trim_ascii_end();
            // With fewer groups, the text after them is only longer.
            if column.trim_ascii_start().len() > n_bytes + n_bytes / 8 + 2 {
                return None;
            }
            if self.is_shown(index + 1, column) {
                return Some(self.up_to(index + 1));
            }
            n_bytes -= digits.len() / 2;
        }
        None
    }

    /// Returns whether characters after blanks show the bytes of the first groups.
    fn is_shown(&self, n_groups: usize, column: &[u8]) -> bool {
        let n_blanks = column.iter().take_while(|byte| **byte == b' ').count();
        // The first characters may be blanks too.
        (1..=n_blanks.min(column.len())).rev().take(WIDEST_WORD).any(|start| {
            let column = &column[start..];
            let inside = column.get(1..).filter(|_| !column[0].is_ascii_alphanumeric());
            [Some(column), inside].into_iter().flatten().any(|column| {
                [false, true].into_iter().any(|is_reversed| {
                    let groups = &self.groups[..n_groups];
                    [false, true].into_iter().any(|has_gaps| {
                        let bytes =
                            groups.iter().flat_map(|(digits, _)| bytes_of(digits, is_reversed));
                        shows(column, bytes, has_gaps)
                    })
                })
            })
        })
    }
}

/// The bytes of a group, as they lie or as a little-endian number.
fn bytes_of(digits: &[u8], is_reversed: bool) -> impl Iterator<Item = u8> {
    let n_bytes = digits.len() / 2;
    (0..n_bytes).map(move |index| {
        let index = if is_reversed { n_bytes - 1 - index } else { index };
        byte_of(&digits[2 * index..])
    })
}

/// Returns whether a column consists of the characters of these bytes. The end of the line may
/// have lost its blanks, or may have a delimiter.
fn shows(column: &[u8], bytes: impl Iterator<Item = u8>, has_gaps: bool) -> bool {
    let mut shown = column.iter().copied();
    let mut has_any = false;
    for (index, byte) in bytes.enumerate() {
        if has_gaps && index > 0 && index.is_multiple_of(8) && shown.next() != Some(b' ') {
            return false;
        }
        has_any |= shown.len() > 0;
        let fits = match shown.next() {
            None => byte == b' ',
            Some(character) if byte.is_ascii_graphic() => character == byte,
            Some(character) => !character.is_ascii_alphanumeric(),
        };
        if !fits {
            return false;
        }
    }
    has_any && shown.len() <= 1 && shown.all(|byte| !byte.is_ascii_alphanumeric())
}

/// A character column without its delimiters.
fn characters_in(column: &[u8]) -> &[u8] {
    let column = column.trim_ascii_end();
    let enclosed = |open: &[u8], close: &[u8]| column.strip_prefix(open)?.strip_suffix(close);
    let found = enclosed(b"|", b"|").or_else(|| enclosed(b">", b"<"));
    found.unwrap_or(column)
}

/// Groups of digits up to the end of the line or their characters, possibly after a word that
/// ends a prefix.
fn plain(cleaned: &[u8]) -> Option<TextLine<'_>> {
    let mut from = 0;
    let (groups, characters) = loop {
        let run = GroupRun::new(cleaned, from);
        if let Some(confirmed) = run.confirmed() {
            break confirmed;
        }
        match LineWords(cleaned, run.end).next() {
            None => break run.up_to(run.groups.len()),
            Some((_, word)) if !run.groups.is_empty() && word[0] == b'|' => {
                break run.up_to(run.groups.len());
            }
            Some((start, word)) if ends_prompt(word) => from = start + word.len(),
            Some(_) => return None,
        }
    };
    let first = groups.first()?.len();
    let is_long = first > WIDEST_WORD && groups.len() > 1;
    (!is_long).then_some(TextLine { mark: AddressMark::None, address: 0, groups, characters })
}

/// The address that ends a line such as `/tmp/gmon.out at 00000400:`, from which the offsets in
/// the lines after it count. Source: `cmd_hexdump` in `nshlib/nsh_dbgcmds.c` of NuttX.
pub(super) fn block_address(cleaned: &[u8]) -> Option<u64> {
    let word = cleaned.trim_ascii_end().rsplit(|&byte| byte == b' ').next()?;
    let (_, digits) = without_prefix(word.strip_suffix(b":")?);
    let is_address = (4..=16).contains(&digits.len()) && digits.iter().all(u8::is_ascii_hexdigit);
    is_address.then(|| number_of(digits))
}

/// Returns whether a line has at least four bytes as groups of two digits.
pub(in super::super) fn is_dump_line(line: &[u8]) -> bool {
    let line = text_line(line);
    line.is_some_and(|line| line.groups.len() >= 4 && line.groups[0].len() == 2)
}

/// The digits of a group: pairs, without the punctuation of C.
fn group_in(word: &[u8]) -> Option<&[u8]> {
    let word = word.strip_suffix(b",").unwrap_or(word);
    let (_, digits) = without_prefix(word);
    let is_size = matches!(digits.len(), 2 | 4 | 6 | 8 | 10 | 12 | 14 | 16)
        || digits.len() > WIDEST_WORD && digits.len().is_multiple_of(2);
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
