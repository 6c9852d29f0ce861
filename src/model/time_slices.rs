//! The times of samples: nanoseconds from the first one.

/// A part of a run.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct TimeRange {
    pub from: u64,
    /// Without an end, up to the last sample.
    pub until: Option<u64>,
}

impl TimeRange {
    pub fn contains(self, time: u64) -> bool {
        self.from <= time && self.until.is_none_or(|until| time < until)
    }
}

/// A part of a run in slices of one width, at most [`MOST`](Self::MOST), which are numbered.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TimeSlices {
    /// The start of the first one.
    pub start: u64,
    pub width: u64,
    /// The time of the last sample of the run.
    pub last: u64,
}

impl TimeSlices {
    pub const N_SLICES: u64 = 200;
}

/// Digits of nanoseconds behind the point.
const DECIMALS: usize = 9;

/// A number of seconds such as `1222.327478` in nanoseconds; `None` if it does not fit, or is not
/// one.
pub fn nanoseconds(seconds: &[u8]) -> Option<u64> {
    let (whole, part) = match seconds.iter().position(|&byte| byte == b'.') {
        Some(point) => (&seconds[..point], &seconds[point + 1..]),
        None => (seconds, &b""[..]),
    };
    let number = |digits: &[u8]| {
        let digit = |number: u64, &byte: &u8| {
            let digit = byte.is_ascii_digit().then(|| u64::from(byte - b'0'))?;
            number.checked_mul(10)?.checked_add(digit)
        };
        digits.iter().try_fold(0, digit)
    };
    let part = &part[..part.len().min(DECIMALS)];
    let scale = 10_u64.pow(u32::try_from(DECIMALS - part.len()).ok()?);
    let whole = number(whole).filter(|_| !whole.is_empty())?;
    whole.checked_mul(1_000_000_000)?.checked_add(number(part)? * scale)
}
