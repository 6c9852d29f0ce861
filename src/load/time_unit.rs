//! Names of units of time.

use std::num::NonZeroU32;

/// The long name of a unit of time, and so many in a second.
pub(super) fn time_unit(name: &[u8]) -> Option<(&'static str, NonZeroU32)> {
    let (name, rate) = match name {
        b"nanoseconds" | b"ns" => ("nanoseconds", 1_000_000_000),
        b"microseconds" | b"us" => ("microseconds", 1_000_000),
        b"milliseconds" | b"ms" => ("milliseconds", 1000),
        b"seconds" | b"s" => ("seconds", 1),
        _ => return None,
    };
    Some((name, NonZeroU32::new(rate)?))
}
