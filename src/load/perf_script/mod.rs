//! Text of `perf script`: samples of the Linux kernel's profiler with their call stacks. Also
//! `simpleperf`'s `report_sample.py`, which prints the same with tabs.
//!
//! ```text
//! t prog 20078  1222.327478:     500000 cpu-clock:ppp:
//!         ffffffff821f53b5 exc_page_fault+0x365 ([kernel.kallsyms])
//!                     11ca mix+0x41 (inlined)
//!                     11ca work+0x41 (/tmp/t prog)
//!   t.cpp:6
//! ```
//!
//! Source: `process_event` in `tools/perf/builtin-script.c` and `sample__fprintf_callchain` in
//! `tools/perf/util/evsel_fprintf.c` of Linux 4.4 to 6.12. The fields of a sample depend on
//! `-F`; without event and time, a sample is known by its frame. The innermost frame is the first
//! one. Without `-g`, it is on the line of the sample.

mod lines;
mod reader;
mod samples;
#[cfg(test)]
mod tests;
mod times;

use std::io::Read;

use super::error::{FormatFault, ReadError};
use super::hexdump::is_dump_line;
use super::sparse::Bytes;
use super::{Claim, Format, Hints, Loaded};
use lines::{SampleHeader, Task, behind_address, frame_of, is_long_address, without_instruction};

/// Bytes at the start of a file to search for a sample.
const HEAD_SIZE: usize = 1 << 18;

/// First lines of `perf script --header`.
const HEADER: &[u8] = b"# ========\n# captured on";

/// Name of the format.
const NAME: &str = "perf script";

pub(super) struct PerfScript;

impl Format for PerfScript {
    fn name(&self) -> &'static str {
        NAME
    }

    /// The first line is the start of a sample, and the next one is a frame.
    fn sniff(&self, data: Bytes<'_>, _hints: &Hints) -> Claim {
        let data = data.start();
        let head = &data[..data.len().min(HEAD_SIZE)];
        Claim::certain_if(head.starts_with(HEADER) || starts_with_sample(head))
    }

    fn read(&self, data: Bytes<'_>, hints: &Hints) -> Result<Loaded, ReadError> {
        let mut data = data.whole()?;
        reader::read(&mut data, hints.progress, hints.policy.times)
    }

    fn stream(&self) -> Option<fn(&mut dyn Read, &Hints) -> Result<Loaded, ReadError>> {
        // The stream counts its own progress.
        Some(|stream, hints| reader::read(stream, Default::default(), hints.policy.times))
    }
}

/// Returns whether the first sample comes first, or after fewer lines of other programs than lines
/// of samples: `perf script > FILE 2>&1` writes warnings too.
fn starts_with_sample(head: &[u8]) -> bool {
    if memchr::memchr(0, head).is_some() {
        return false;
    }
    let lines = head.split(|&byte| byte == b'\n').map(without_instruction);
    let mut lines: Vec<_> = lines.filter(|line| !line.starts_with(b"#")).collect();
    // Behind the last line is none.
    lines.pop_if(|last| last.is_empty());
    let texts = lines.iter().enumerate().filter(|(_, line)| !line.is_empty());
    for (n_others, (index, line)) in texts.enumerate() {
        let following = &lines[index + 1..];
        if n_others == 0 && is_sample(line, following) {
            return true;
        }
        let has_frame = following.first().is_some_and(|next| is_frame_of_bare(next));
        if has_frame && is_sample(line, following) || is_timed_inline(line) {
            let is_known = |line: &&&[u8]| {
                let is_timed =
                    || SampleHeader::parse(line).is_some_and(|header| header.time.is_some());
                is_frame_of_bare(line) || is_timed()
            };
            return lines[index..].iter().filter(is_known).take(n_others + 1).count() > n_others;
        }
    }
    false
}

/// Returns whether a line is a whole sample with its time.
fn is_timed_inline(line: &[u8]) -> bool {
    let header = SampleHeader::parse(line).filter(|header| header.time.is_some());
    header.is_some_and(|header| header.inline_frame.is_some())
}

/// Returns whether a line starts a sample, before the `following` ones.
fn is_sample(line: &[u8], following: &[&[u8]]) -> bool {
    let Some(header) = SampleHeader::parse(line) else {
        return is_bare_sample(line, following);
    };
    // A sample without a time looks like many other lines.
    if let Some(frame) = header.inline_frame {
        return header.time.is_some() || frame.ends_with(b")") || has_address_in_column(line);
    }
    following.first().is_some_and(|line| {
        let is_indented = line.starts_with(b"\t") || line.starts_with(b" ");
        let is_next = || SampleHeader::parse(line).is_some_and(|header| header.time.is_some());
        // `def` is a word of other texts.
        let has_digit =
            line.iter().find(|byte| !byte.is_ascii_whitespace() && !b"abcdefABCDEF".contains(byte));
        let has_digit = has_digit.is_some_and(u8::is_ascii_digit);
        let is_frame = frame_of(line).is_some() && has_digit && !is_dump_line(line) && !is_next();
        is_frame && (is_indented || header.time.is_some() || line.ends_with(b")"))
            || header.time.is_some() && line.trim_ascii().is_empty()
    })
}

/// Returns whether a line has blanks and an address before a name.
fn has_address_in_column(line: &[u8]) -> bool {
    let blanks = line.windows(2).rposition(|two| two == b"  ");
    let start = blanks.map_or(line.len(), |blanks| blanks + 2);
    line[start..].split(|&byte| byte == b' ').next().is_some_and(is_long_address)
}

/// Returns whether a line starts a sample without event: a frame follows, or the frame is there and
/// in one of the next two lines, before which may be a source line.
fn is_bare_sample(line: &[u8], following: &[&[u8]]) -> bool {
    let is_inline =
        |line: &[u8]| SampleHeader::bare(line).is_some_and(|header| header.inline_frame.is_some());
    let starts_stack = |next| is_frame_of_bare(next) && !is_frame_of_bare(line);
    following.first().is_some_and(|next| starts_stack(next))
        || is_inline(line) && following.iter().take(2).any(|line| is_inline(line))
}

/// Returns whether a line is a frame for sure: indented, with an object or with an address in 16
/// columns.
fn is_frame_of_bare(line: &[u8]) -> bool {
    if !line.starts_with(b"\t") && !line.starts_with(b"    ") {
        return false;
    }
    let n_digits = line.trim_ascii().iter().take_while(|byte| byte.is_ascii_hexdigit()).count();
    let frame = behind_address(line).filter(|_| n_digits >= 4);
    let is_in_column = |line: &[u8]| {
        let ends = line.split_at_checked(17).filter(|_| line.starts_with(b"\t"));
        ends.is_some_and(|(address, name)| {
            behind_address(address).is_some_and(<[u8]>::is_empty)
                && name.first().is_none_or(|&byte| byte == b' ')
        })
    };
    frame.is_some_and(|frame| frame.ends_with(b")") && frame.contains(&b'(')) || is_in_column(line)
}

/// Returns whether all lines are samples without frames, whose functions perf did not print.
pub(super) fn lacks_frames(head: &[u8]) -> bool {
    let lines = head.split(|&byte| byte == b'\n').map(without_instruction);
    let lines: Vec<_> = lines.filter(|line| !line.is_empty()).collect();
    let is_sample = |line: &&[u8]| {
        let header = SampleHeader::parse(line).or_else(|| SampleHeader::bare(line));
        header.is_some_and(|header| {
            let has_process = || Task::parse(header.task).process.is_some();
            header.time.is_some() || !header.event.is_empty() || has_process()
        })
    };
    // The last line may be a part of one.
    lines.len() > 3 && lines[..lines.len() - 1].iter().all(is_sample)
}

#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub(super) enum PerfScriptFault {
    #[error("the file contains no sample")]
    NoSample,
    #[error("more than {limit} kinds of events")]
    TooManyEvents { limit: usize },
    #[error("more than {limit} frames in a stack")]
    TooManyFrames { limit: usize },
    #[error("the sum of samples or periods exceeds 64 bits")]
    Overflow,
    #[error("cannot be read further: {0}")]
    Io(String),
}

impl FormatFault for PerfScriptFault {
    fn advice(&self) -> Option<&'static str> {
        match self {
            Self::TooManyEvents { .. } => Some("select events with `perf script --event`"),
            Self::NoSample => Some("write it again with `perf script -i perf.data`"),
            _ => None,
        }
    }
}
