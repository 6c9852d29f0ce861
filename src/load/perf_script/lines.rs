//! Lines of `perf script`: the start of a sample, a frame, and the source line of a frame.

use std::num::NonZeroU32;

/// The start of a sample.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct SampleHeader<'a> {
    /// With modifiers: `cycles:u`.
    pub(super) event: &'a [u8],
    pub(super) period: Option<u64>,
    pub(super) has_time: bool,
    /// The command, process, thread and processor.
    pub(super) task: &'a [u8],
    /// The only frame without its address, if there is no call stack.
    pub(super) inline_frame: Option<&'a [u8]>,
}

impl<'a> SampleHeader<'a> {
    /// Parses `COMM PID/TID [CPU] TIME: PERIOD EVENT: FRAME`, of which `-F` may omit everything
    /// but the event. The command may contain blanks.
    pub(super) fn parse(line: &'a [u8]) -> Option<Self> {
        let mut words = Words::new(line);
        let line = words.rest();
        let mut last = words.next()?;
        let mut last_but_one = None;
        let (mut last_start, mut start) = (0, line.len() - words.rest().len());
        // Without a colon, a word may belong to the command.
        while let Some(word) = words.next() {
            if is_time(word) {
                return Self::after_time(&line[..start], words);
            }
            if let Some(event) = event_of(word) {
                // The first of two numbers is the process.
                let period = last_but_one.and(number(last));
                let task_end = period.map_or(start, |_| last_start);
                return Self::new(event, period, false, &line[..task_end], words.rest());
            }
            let is_number = number(last).is_some();
            last_but_one = is_number.then_some(last);
            last = word;
            last_start = start;
            start = line.len() - words.rest().len();
        }
        None
    }

    fn after_time(task: &'a [u8], mut words: Words<'a>) -> Option<Self> {
        let word = words.next()?;
        match event_of(word) {
            Some(event) => Self::new(event, None, true, task, words.rest()),
            None => {
                let period = number(word)?;
                let event = event_of(words.next()?)?;
                Self::new(event, Some(period), true, task, words.rest())
            }
        }
    }

    fn new(
        event: &'a [u8],
        period: Option<u64>,
        has_time: bool,
        task: &'a [u8],
        rest: &'a [u8],
    ) -> Option<Self> {
        Some(Self {
            event,
            period,
            has_time,
            task: without_processor(task.trim_ascii_end()),
            // Behind a trace point are its arguments.
            inline_frame: behind_address(rest),
        })
    }
}

/// Removes `[003]`.
fn without_processor(task: &[u8]) -> &[u8] {
    let last = memchr::memrchr2(b' ', b'\t', task).map_or(0, |blank| blank + 1);
    match &task[last..] {
        [b'[', .., b']'] => task[..last].trim_ascii_end(),
        _ => task,
    }
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
        let last = memchr::memrchr2(b' ', b'\t', task).map_or(0, |blank| blank + 1);
        let word = &task[last..];
        let (process, thread) = match memchr::memchr(b'/', word) {
            Some(slash) => (Some(&word[..slash]), &word[slash + 1..]),
            None => (None, word),
        };
        let has_numbers = is_number(thread) && process.is_none_or(is_number);
        let command = if has_numbers { &task[..last] } else { task };
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
