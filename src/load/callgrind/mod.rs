//! `callgrind.out`, the profile of an instrumented run, and `cachegrind.out`, which is
//! written in a part of the same language.
//!
//! The format is that of the chapter "Callgrind Format Specification" of Valgrind's
//! manual, version 1. Other programs write it too, so what the specification leaves
//! open is read as `callgrind_annotate` and KCachegrind do: a function is in the file
//! and the object that stand before it, and so is a callee that names none.

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
use super::{Claim, Format, Hints, Layout, Reading};
use crate::model::{FileKind, Profile};
use lines::Lines;

/// The first line of what callgrind writes.
const FIRST_LINE: &[u8] = b"# callgrind format";

/// Bytes at the start of a file in which a line `events:` is looked for.
const HEAD_SIZE: usize = 1 << 14;

/// What may stand at the start of a line of a header, with the colon behind it.
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

/// The most events that a file may count. Callgrind knows some twenty.
const MAX_EVENTS: usize = 32;

/// A profile.
pub(super) struct Callgrind;

impl Format for Callgrind {
    fn name(&self) -> &'static str {
        "callgrind"
    }

    fn sniff(&self, data: &[u8], _hints: &Hints) -> Claim {
        if data.starts_with(FIRST_LINE) || has_header(data) {
            Claim::Certain
        } else {
            Claim::No
        }
    }

    fn read(&self, data: &[u8], hints: &Hints) -> Result<Reading, ReadError> {
        let read = reader::read(data, hints.progress)?;
        let mut profile = Profile::default();
        profile.kind = Some(FileKind::named("a callgrind profile"));
        profile.costs = read.costs;
        Ok(Reading {
            profile,
            layout: Layout::named("callgrind"),
            encoding: None,
            version: read.version,
            damage: read.damage,
        })
    }
}

/// Whether there is a line `events:`, and nothing but a header before it.
fn has_header(data: &[u8]) -> bool {
    let mut lines = Lines::new(&data[..data.len().min(HEAD_SIZE)]);
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

/// What is wrong with a profile of callgrind.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub(super) enum CallgrindFault {
    /// The text ends too early.
    #[error("the text ends where {what} should follow")]
    End {
        /// What should follow.
        what: &'static str,
    },
    /// A line is none that the format has.
    #[error("no line of this format starts like this one")]
    Line,
    /// The version of the format is not known.
    #[error("version {version} of this format is not known")]
    Version {
        /// The version.
        version: u64,
    },
    /// A number is missing, or is too large.
    #[error("{what} should stand here: a number of at most 64 bits")]
    Number {
        /// What the number means.
        what: &'static str,
    },
    /// A position is none, or out of range.
    #[error(
        "a position should stand here: a {what}, `+` or `-` and a distance within range, or `*`"
    )]
    Position {
        /// What the position means.
        what: &'static str,
    },
    /// The positions of costs are not those that the format has.
    #[error("positions can be `line`, `instr` or `instr line`")]
    Positions,
    /// There are costs, but nothing says of what.
    #[error("there is no line `events:` before this one")]
    NoEvents,
    /// There are too many events.
    #[error("there are more than {limit} events")]
    TooManyEvents {
        /// How many there may be.
        limit: usize,
    },
    /// A later part counts other events.
    #[error("these are other events than those of the part before")]
    OtherEvents,
    /// A line has more costs than there are events.
    #[error("there are more costs on this line than the {n_events} events")]
    Costs {
        /// How many events there are.
        n_events: usize,
    },
    /// A name is referred to by a number that it does not have yet.
    #[error("no name was given to the number {number} before")]
    Name {
        /// The number.
        number: u64,
    },
    /// Calls are of nobody.
    #[error("there is no line `cfn=` before these calls")]
    NoCallee,
    /// Calls have no costs.
    #[error("the costs of the calls on the line before should stand here")]
    NoCallCosts,
    /// A sum of costs is too large.
    #[error("the sum of costs does not fit into 64 bits")]
    Overflow,
    /// There are more things than can be numbered.
    #[error("there are more {what} than can be numbered")]
    TooMany {
        /// What there is too much of.
        what: &'static str,
    },
}

impl FormatFault for CallgrindFault {}
