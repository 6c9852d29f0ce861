//! `callgrind.out`, the profile of an instrumented run, and `cachegrind.out`, which uses a
//! part of the same format.
//!
//! Source: Valgrind's manual, "Callgrind Format Specification", version 1. Other programs
//! write the format too, so its ambiguities are read as by `callgrind_annotate` and
//! KCachegrind: a function belongs to the last file and object above it, and so does a callee
//! without its own.

mod event_definitions;
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

/// Bytes at the start of a file to search for an `events:` line.
const HEAD_SIZE: usize = 1 << 14;

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
        let data = data.start();
        Claim::certain_if(data.starts_with(FIRST_LINE) || has_header(data))
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
fn has_header(data: &[u8]) -> bool {
    let mut lines = CallgrindLines::new(&data[..data.len().min(HEAD_SIZE)], Progress::default());
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
    #[error("the text ends where {what} should follow")]
    End { what: &'static str },
    #[error("no line of this format starts like this one")]
    Line,
    #[error("version {version} of this format is not known")]
    Version { version: u64 },
    #[error("{what} should stand here: a number of at most 64 bits")]
    Number { what: &'static str },
    #[error(
        "a position should stand here: a {what}, `+` or `-` and a distance within range, or `*`"
    )]
    Position { what: &'static str },
    #[error("positions can be `line`, `instr` or `instr line`")]
    Positions,
    #[error("there is no line `events:` before this one")]
    NoEvents,
    #[error("there are more than {limit} events")]
    TooManyEvents { limit: usize },
    #[error("these are other events than those of the part before")]
    OtherEvents,
    #[error("there are more costs on this line than the {n_events} events")]
    Costs { n_events: usize },
    #[error("there is no line `cfn=` before these calls")]
    NoCallee,
    #[error("the costs of the calls on the line before should stand here")]
    NoCallCosts,
    #[error("the sum of costs does not fit into 64 bits")]
    Overflow,
}

impl FormatFault for CallgrindFault {}
