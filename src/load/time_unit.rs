//! Names of units of time.

use std::num::NonZeroU32;

/// With the Greek letter, as Austin writes it.
const MU_SECONDS: &[u8] = "\u{3bc}s".as_bytes();
/// With the micro sign.
const MICRO_SECONDS: &[u8] = "\u{b5}s".as_bytes();

/// The long name of a unit of time, and so many in a second.
pub(super) fn time_unit(name: &[u8]) -> Option<(&'static str, NonZeroU32)> {
    let (name, rate) = match name {
        b"nanoseconds" | b"nanosecond" | b"ns" => ("nanoseconds", 1_000_000_000),
        b"microseconds" | b"microsecond" | b"us" | MU_SECONDS | MICRO_SECONDS => {
            ("microseconds", 1_000_000)
        }
        b"milliseconds" | b"millisecond" | b"ms" => ("milliseconds", 1000),
        b"seconds" | b"second" | b"s" => ("seconds", 1),
        _ => return None,
    };
    Some((name, NonZeroU32::new(rate)?))
}

#[cfg(test)]
mod tests {
    use super::time_unit;

    #[test]
    fn microseconds_have_several_spellings() {
        for name in ["microseconds", "microsecond", "us", "\u{3bc}s", "\u{b5}s"] {
            let found = time_unit(name.as_bytes()).map(|(name, rate)| (name, rate.get()));
            assert_eq!(found, Some(("microseconds", 1_000_000)), "{name}");
        }
        assert_eq!(time_unit(b"count"), None);
    }
}
