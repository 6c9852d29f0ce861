//! `callgrind.out`, the profile of an instrumented run, and `cachegrind.out`, which uses a
//! part of the same format.
//!
//! Source: Valgrind's manual, "Callgrind Format Specification", version 1. Other programs write
//! the format too, so its ambiguities are read as by `callgrind_annotate` and KCachegrind: a
//! function belongs to the last file and object above it, and so does a callee without its own.

mod contexts;
mod event_definitions;
mod levels;
mod lines;
mod names;
mod numbers;
mod parts;
mod reader;
mod tables;
#[cfg(test)]
mod tests;

use super::error::{FormatFault, ReadError};
use super::sparse::Bytes;
use super::{Claim, Format, Hints, Reading};
use crate::model::FileKind;
use crate::progress::Progress;
use lines::CallgrindLines;

/// First line of a file written by callgrind.
const FIRST_LINE: &[u8] = b"# callgrind format";

/// Keys of header lines, with their colon.
const HEADER_KEYS: [&[u8]; 11] = [
    b"version",
    b"creator",
    b"pid",
    b"cmd",
    b"part",
    b"thread",
    b"desc",
    b"positions",
    b"event",
    b"events",
    b"summary",
];

/// Maximum number of events in a file. Callgrind has about twenty.
const MAX_EVENTS: usize = 32;

pub(super) struct Callgrind;

impl Format for Callgrind {
    fn name(&self) -> &'static str {
        "callgrind"
    }

    fn sniff(&self, data: Bytes<'_>, _hints: &Hints) -> Claim {
        let head = data.head();
        Claim::certain_if(head.starts_with(FIRST_LINE) || has_header(head))
    }

    fn read(&self, data: Bytes<'_>, hints: &Hints) -> Result<Reading, ReadError> {
        let data = data.whole()?;
        let read = reader::read(data, hints.progress)?;
        let kind = FileKind::named("a callgrind profile");
        Ok(Reading {
            version: read.version,
            damage: read.damage,
            ..Reading::of_text("callgrind", kind, read.costs)
        })
    }
}

/// Returns whether an `events:` line exists, preceded only by a header.
fn has_header(head: &[u8]) -> bool {
    let mut lines = CallgrindLines::new(head, Progress::default());
    while let Some(line) = lines.next() {
        if line.is_empty() || line.starts_with(b"#") {
            continue;
        }
        let colon = line.iter().position(|&byte| byte == b':');
        match colon.map(|colon| &line[..colon]) {
            Some(b"events") => return true,
            Some(key) if HEADER_KEYS.contains(&key) => {}
            _ => return false,
        }
    }
    false
}

#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub(super) enum CallgrindFault {
    #[error("the file ends before {what}")]
    End { what: &'static str },
    #[error("unknown kind of line")]
    Line,
    #[error("unknown format version {version}")]
    Version { version: u64 },
    #[error("expected {what}: a number of at most 64 bits")]
    Number { what: &'static str },
    #[error("a negative cost")]
    Negative,
    #[error("expected a position: a {what}, `+` or `-` and a valid distance, or `*`")]
    Position { what: &'static str },
    #[error("unknown positions; valid are `line`, `instr` and `instr line`")]
    Positions,
    #[error("no `events:` line before this one")]
    NoEvents,
    #[error("more than {limit} events")]
    TooManyEvents { limit: usize },
    #[error("the events differ from those of the preceding part")]
    OtherEvents,
    #[error("more costs on this line than the {n_events} events")]
    Costs { n_events: usize },
    #[error("no `cfn=` line before these calls")]
    NoCallee,
    #[error("expected the costs of the calls on the preceding line")]
    NoCallCosts,
    #[error("the sum of costs exceeds 64 bits")]
    Overflow,
}

impl FormatFault for CallgrindFault {}
