//! `callgrind.out`, the profile of an instrumented run, and `cachegrind.out`, which uses a
//! part of the same format.
//!
//! Source: Valgrind's manual, "Callgrind Format Specification", version 1. Other programs write
//! the format too, so its ambiguities are read as by `callgrind_annotate` and KCachegrind: a
//! function belongs to the last file and object above it, and so does a callee without its own.

mod contexts;
mod event_definitions;
mod levels;
mod names;
mod numbers;
mod parts;
mod reader;
mod tables;
#[cfg(test)]
mod tests;

use super::error::{FormatFault, ReadError};
use super::sparse::Bytes;
use super::text_lines::lines_with_ends;
use super::{Claim, Format, Hints, Loaded};
use crate::model::FileKind;

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

pub(super) struct Callgrind;

impl Format for Callgrind {
    fn name(&self) -> &'static str {
        "callgrind"
    }

    fn sniff(&self, data: Bytes<'_>, _hints: &Hints) -> Claim {
        let head = data.head();
        Claim::certain_if(head.starts_with(FIRST_LINE) || has_header(head))
    }

    fn read(&self, data: Bytes<'_>, hints: &Hints) -> Result<Loaded, ReadError> {
        let data = data.whole()?;
        let read = reader::read(data, hints.progress)?;
        let kind = FileKind::named("a callgrind profile");
        Ok(Loaded {
            version: read.version,
            damage: read.damage,
            ..Loaded::of_text("callgrind", kind, read.costs)
        })
    }
}

/// Returns whether an `events:` line exists, preceded only by a header.
fn has_header(head: &[u8]) -> bool {
    for line in lines_with_ends(head).map(<[u8]>::trim_ascii) {
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
