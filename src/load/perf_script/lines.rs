//! Lines of `perf script`: the start of a sample, a frame, and the source line of a frame.

use std::num::NonZeroU32;

/// The start of a sample.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct SampleHeader<'a> {
    /// With modifiers: `cycles:u`. Empty if the fields lack it.
    pub(super) event: &'a [u8],
    pub(super) period: Option<u64>,
    /// In seconds, with a point.
    pub(super) time: Option<&'a [u8]>,
    /// The command, process, thread and processor.
    pub(super) task: &'a [u8],
    /// The only frame without its address, if there is no call stack.
    pub(super) inline_frame: Option<&'a [u8]>,
}

impl<'a> SampleHeader<'a> {
    /// Parses `COMM PID/TID [CPU] MISC TIME: PERIOD EVENT: FLAGS FRAME`, of which `-F` may omit
    /// all but the event. The command may contain blanks and end with a colon.
    pub(super) fn parse(line: &'a [u8]) -> Option<Self> {
        // Times and events end with a colon.
        memchr::memchr(b':', line)?;
        let line = line.trim_ascii();
        let mut words = Words::new(line);
        let mut start = 0;
        while let Some(word) = words.next() {
            if is_time(word)
                && let Some(header) = Self::after_time(&line[..start], word, words.rest())
            {
                return Some(header);
            }
            start = line.len() - words.rest().len();
        }
        Self::without_time(line)
    }

    fn after_time(task: &'a [u8], time: &'a [u8], rest: &'a [u8]) -> Option<Self> {
        let mut words = Words::new(rest);
        let word = words.next()?;
        let (event, period) = match event_of(word) {
            Some(event) => (event, None),
            None => {
                let period = number(word)?;
                (event_of(words.next()?)?, Some(period))
            }
        };
        Some(Self::new(event, period, Some(time), task).before(words.rest()))
    }

    fn without_time(line: &'a [u8]) -> Option<Self> {
        let mut words = Words::new(line);
        let mut last = words.next()?;
        let mut is_task = false;
        let (mut last_start, mut start) = (0, line.len() - words.rest().len());
        // Without a colon, a word may belong to the command.
        while let Some(word) = words.next() {
            if let Some(event) = event_of(word) {
                // The first of two numbers is the process.
                let period = number(last).filter(|_| is_task);
                let task_end = period.map_or(start, |_| last_start);
                return Some(
                    Self::new(event, period, None, &line[..task_end]).before(words.rest()),
                );
            }
            is_task = is_end_of_task(last);
            last = word;
            last_start = start;
            start = line.len() - words.rest().len();
        }
        None
    }

    /// A sample without event: `COMM PID/TID [CPU] TIME: PERIOD`, and its frame if there is no
    /// call stack.
    pub(super) fn bare(line: &'a [u8]) -> Option<Self> {
        let line = line.trim_ascii_end();
        let mut words = Words::new(line);
        // The only frame is before its object.
        let object = object_start(line);
        let end = object.unwrap_or(line.len());
        loop {
            let start = line.len() - words.rest().len();
            let Some(word) = words.next().filter(|_| start < end) else {
                break;
            };
            let (task, rest) = (&line[..start], &line[start + word.len()..]);
            let has_object = object.is_some_and(|object| start + word.len() <= object);
            if is_only_address(task, word, rest, has_object) {
                return Some(Self { inline_frame: Some(rest), ..Self::bare_task(task) });
            }
        }
        (!line.is_empty()).then(|| Self::bare_task(line))
    }

    fn bare_task(task: &'a [u8]) -> Self {
        let (before, last) = at_last_word(task.trim_ascii_end());
        if is_time(last) {
            return Self::new(b"", None, Some(last), before);
        }
        match (at_last_word(before.trim_ascii_end()), number(last)) {
            ((before, time), Some(period)) if is_time(time) => {
                Self::new(b"", Some(period), Some(time), before)
            }
            _ => Self::new(b"", None, None, task),
        }
    }

    fn new(event: &'a [u8], period: Option<u64>, time: Option<&'a [u8]>, task: &'a [u8]) -> Self {
        let task = without_fields(task.trim_ascii_end());
        let time = time.map(|word| &word[..word.len() - 1]);
        Self { event, period, time, task, inline_frame: None }
    }

    /// The header before a text, which has the frame or the arguments of a trace point.
    fn before(self, rest: &'a [u8]) -> Self {
        Self { inline_frame: inline_frame(rest), ..self }
    }
}

/// Removes the instruction behind a frame, or below a stack: ` ilen: 6 insn: 89 05 d3 2e 00 00`.
///
/// Source: `perf_sample__fprintf_insn` in `tools/perf/builtin-script.c`.
pub(super) fn without_instruction(line: &[u8]) -> &[u8] {
    let mut line = line.trim_ascii_end();
    if !line.last().is_some_and(u8::is_ascii_hexdigit) || memchr::memchr(b':', line).is_none() {
        return line;
    }
    for key in [b" insn:", b" ilen:"] {
        let is_digit = |byte: &u8| byte.is_ascii_hexdigit() || *byte == b' ';
        let digits = line.iter().rposition(|byte| !is_digit(byte)).map_or(0, |last| last + 1);
        let before = line[..digits].strip_suffix(key);
        line = before.filter(|_| line[digits..].starts_with(b" ")).unwrap_or(line);
    }
    line
}

/// The fewest digits of an address that other fields precede.
const MIN_ADDRESS: usize = 6;

/// Returns whether a word is an address of a library or the kernel, and no decimal number.
pub(super) fn is_long_address(word: &[u8]) -> bool {
    let is_digit = |byte: &u8| byte.is_ascii_digit() || (b'a'..=b'f').contains(byte);
    (12..=16).contains(&word.len())
        && word.iter().all(is_digit)
        && !word.iter().all(u8::is_ascii_digit)
}

/// Returns whether a word is the address of the only frame. An address has 16 columns; behind it
/// is a name, not another address as behind a period.
fn is_only_address(before: &[u8], word: &[u8], rest: &[u8], has_object: bool) -> bool {
    let n_blanks = before.iter().rev().take_while(|&&byte| byte == b' ').count();
    let is_address = word.len() >= MIN_ADDRESS && word.iter().all(u8::is_ascii_hexdigit);
    let n_columns = n_blanks + word.len();
    // Flags and the mode of the processor are blanks if there are none.
    let is_in_column = (17..=18).contains(&n_columns) || n_columns > 18 && is_long_address(word);
    let is_before_another = rest.starts_with(b"  ") && behind_address(rest).is_some();
    is_address && (is_in_column || n_blanks >= 2 && has_object) && !is_before_another
}

/// The frame behind an event, without its address. Flags of a branch and the address of data may
/// precede it.
fn inline_frame(rest: &[u8]) -> Option<&[u8]> {
    if let Some(frame) = behind_address(rest) {
        // A name follows one blank; another address has columns.
        let after_data = behind_address(frame).filter(|_| frame.starts_with(b"  "));
        return Some(after_data.unwrap_or(frame));
    }
    let rest = rest.trim_ascii();
    let object_len = rest.len() - object_start(rest)?;
    let mut words = Words::new(rest);
    while let Some(word) = words.next() {
        let is_flag = word.iter().all(|byte| byte.is_ascii_lowercase() || b"()".contains(byte));
        if !is_flag {
            return None;
        }
        let frame = behind_address(words.rest());
        if let Some(frame) = frame.filter(|frame| frame.len() >= object_len) {
            return Some(frame);
        }
    }
    None
}

/// Returns whether a word is the last one of a task: `12`, `12/13`, `[003]`.
fn is_end_of_task(word: &[u8]) -> bool {
    let is_digit = |byte: &u8| byte.is_ascii_digit() || b"/-".contains(byte);
    !word.is_empty() && word.iter().all(is_digit) || matches!(word, [b'[', .., b']'])
}

/// Removes `[003]`, and the mode of the processor: `U`, `K`.
fn without_fields(task: &[u8]) -> &[u8] {
    let (before, mode) = at_last_word(task);
    let before = before.trim_ascii_end();
    let is_mode = matches!(mode, b"K" | b"U" | b"H" | b"G" | b"g");
    let task = if is_mode && is_end_of_task(at_last_word(before).1) { before } else { task };
    match at_last_word(task) {
        (before, [b'[', .., b']']) => before.trim_ascii_end(),
        _ => task,
    }
}

/// The text before the last word, and that word.
fn at_last_word(text: &[u8]) -> (&[u8], &[u8]) {
    text.split_at(memchr::memrchr2(b' ', b'\t', text).map_or(0, |blank| blank + 1))
}

/// The process and thread of a sample.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Task<'a> {
    pub(super) command: Option<&'a [u8]>,
    pub(super) process: Option<&'a [u8]>,
    pub(super) thread: Option<&'a [u8]>,
}

impl<'a> Task<'a> {
    /// Parses `COMM TID` or `COMM PID/TID`, of which `-F` may omit either.
    pub(super) fn parse(task: &'a [u8]) -> Self {
        let is_number = |word: &[u8]| {
            let digits = word.strip_prefix(b"-").unwrap_or(word);
            !digits.is_empty() && digits.iter().all(u8::is_ascii_digit)
        };
        let (before, word) = at_last_word(task);
        let (process, thread) = match memchr::memchr(b'/', word) {
            Some(slash) => (Some(&word[..slash]), &word[slash + 1..]),
            None => (None, word),
        };
        let has_numbers = is_number(thread) && process.is_none_or(is_number);
        let command = if has_numbers { before } else { task };
        let command = command.trim_ascii();
        Self {
            command: (!command.is_empty()).then_some(command),
            process: process.filter(|_| has_numbers),
            thread: has_numbers.then_some(thread),
        }
    }
}

/// Words between blanks and tabs.
struct Words<'a>(&'a [u8]);

impl<'a> Words<'a> {
    fn new(line: &'a [u8]) -> Self {
        Self(line.trim_ascii())
    }

    fn next(&mut self) -> Option<&'a [u8]> {
        let end = memchr::memchr2(b' ', b'\t', self.0).unwrap_or(self.0.len());
        let (word, rest) = self.0.split_at(end);
        self.0 = rest.trim_ascii_start();
        (!word.is_empty()).then_some(word)
    }

    fn rest(&self) -> &'a [u8] {
        self.0
    }
}

/// `1222.327478:`, in seconds.
fn is_time(word: &[u8]) -> bool {
    let is_digits = |text: &[u8]| !text.is_empty() && text.iter().all(u8::is_ascii_digit);
    let Some(time) = word.strip_suffix(b":") else {
        return false;
    };
    let point = time.iter().position(|&byte| byte == b'.');
    point.is_some_and(|point| is_digits(&time[..point]) && is_digits(&time[point + 1..]))
}

/// `cycles:u:`
fn event_of(word: &[u8]) -> Option<&[u8]> {
    let event = word.strip_suffix(b":")?;
    // `[000]:` is a processor, and `12:` no event.
    let has_name = event.iter().any(u8::is_ascii_alphabetic) && !event.starts_with(b"[");
    has_name.then_some(event)
}

pub(super) fn number(word: &[u8]) -> Option<u64> {
    std::str::from_utf8(word).ok()?.parse().ok()
}

/// The text after the address of a frame. `None` if a line is not an address, alone or before a
/// blank.
pub(super) fn behind_address(line: &[u8]) -> Option<&[u8]> {
    let line = line.trim_ascii();
    let n_digits = line.iter().take_while(|byte| byte.is_ascii_hexdigit()).count();
    let rest = &line[n_digits..];
    let is_address = (1..=16).contains(&n_digits) && rest.first().is_none_or(|&byte| byte == b' ');
    is_address.then_some(rest)
}

/// The frame of a line that need not be indented: a number before an event is a period.
pub(super) fn frame_of(line: &[u8]) -> Option<&[u8]> {
    let frame = behind_address(line)?;
    let mut words = Words::new(frame);
    let is_event = words.next().is_some_and(|word| event_of(word).is_some());
    (!is_event || !words.rest().is_empty()).then_some(frame)
}

/// The object of a frame.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum FrameObject<'a> {
    Unknown,
    /// The object of the function that contains it, which is the next frame.
    Inlined,
    Path(&'a [u8]),
}

/// `11ca mix(int)+0x41 (/tmp/t prog)`
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct FrameLine<'a> {
    pub(super) name: &'a [u8],
    pub(super) object: FrameObject<'a>,
}

impl<'a> FrameObject<'a> {
    pub(super) fn path(self) -> Option<&'a [u8]> {
        match self {
            Self::Path(path) => Some(path),
            Self::Unknown | Self::Inlined => None,
        }
    }
}

pub(super) const UNKNOWN: &[u8] = b"[unknown]";

impl<'a> FrameLine<'a> {
    /// Parses the text after the address.
    pub(super) fn parse(rest: &'a [u8]) -> Self {
        let (name, object) = match object_start(rest) {
            Some(start) => (&rest[..start], &rest[start + 2..rest.len() - 1]),
            None => (rest, UNKNOWN),
        };
        let name = without_offset(name.trim_ascii());
        Self {
            name: if name.is_empty() { UNKNOWN } else { name },
            object: match object {
                UNKNOWN | b"" => FrameObject::Unknown,
                b"inlined" => FrameObject::Inlined,
                path => FrameObject::Path(path),
            },
        }
    }
}

/// Writes the text after an address without the offset in the function: samples often differ in
/// nothing else.
pub(super) fn write_without_offset(rest: &[u8], text: &mut Vec<u8>) {
    text.clear();
    match object_start(rest) {
        Some(start) => {
            text.extend_from_slice(without_offset(rest[..start].trim_ascii_end()));
            text.extend_from_slice(&rest[start..]);
        }
        None => text.extend_from_slice(rest),
    }
}

/// The start of ` (OBJECT)` at the end. Paths may contain parentheses: `(/tmp/a (deleted))`.
fn object_start(text: &[u8]) -> Option<usize> {
    if !text.ends_with(b")") {
        return None;
    }
    let mut depth = 0_usize;
    for at in memchr::memrchr2_iter(b'(', b')', text) {
        if text[at] == b')' {
            depth += 1;
            continue;
        }
        depth -= 1;
        if depth == 0 {
            let start = at.checked_sub(1)?;
            return (text[start] == b' ').then_some(start);
        }
    }
    None
}

/// The last `->` outside of parentheses: between two functions, not in the type of one.
pub(super) fn last_arrow(name: &[u8]) -> Option<usize> {
    let mut depth = 0_usize;
    for (at, byte) in name.iter().enumerate().rev() {
        match byte {
            b')' => depth += 1,
            b'(' => depth = depth.saturating_sub(1),
            b'-' if depth == 0 && name.get(at + 1) == Some(&b'>') => return Some(at),
            _ => {}
        }
    }
    None
}

/// Removes `+0x41`.
fn without_offset(name: &[u8]) -> &[u8] {
    match memchr::memrchr(b'+', name) {
        Some(plus) if is_offset(&name[plus + 1..]) => &name[..plus],
        _ => name,
    }
}

fn is_offset(text: &[u8]) -> bool {
    let digits = text.strip_prefix(b"0x").unwrap_or_default();
    !digits.is_empty() && digits.iter().all(u8::is_ascii_hexdigit)
}

/// The file and line of `  sort.c:12`, the source line of a frame. Unresolved ones are
/// `??:0` or the object and address.
pub(super) fn source_line(line: &[u8]) -> Option<(&[u8], NonZeroU32)> {
    let line = line.trim_ascii();
    let line = line.strip_suffix(b" (inlined)").unwrap_or(line);
    let colon = memchr::memrchr(b':', line)?;
    let file = &line[..colon];
    let number = number(&line[colon + 1..])?;
    let number = NonZeroU32::new(u32::try_from(number).ok()?)?;
    (!file.is_empty() && !file.starts_with(b"??")).then_some((file, number))
}
