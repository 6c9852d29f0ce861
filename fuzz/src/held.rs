//! Limits on memory and time for all fuzzed code.

use std::fs;
use std::time::{Duration, Instant};

use profan::memory::{self, Counted};

#[global_allocator]
static ALLOCATOR: Counted = Counted;

/// Memory of a report in addition to the multiple of its input, in bytes.
pub const BASE: u64 = 64 << 20;

/// Memory for each byte of its input.
pub const FACTOR: u64 = 64;

/// Additional memory for a decoder of xz or zstd, in bytes.
pub const DECODER: u64 = 128 << 20;

/// Maximum time.
pub const TIME: Duration = Duration::from_secs(2);

/// The usage of an action.
#[derive(Clone, Copy, Debug)]
pub struct Taken {
    /// The maximum memory of all threads in addition to the memory in use before, in bytes.
    pub memory: u64,
    /// Elapsed time, or processor time if that is less: other programs may run at the same time.
    pub time: Duration,
}

/// Does something, and returns its usage.
pub fn measure<T>(action: impl FnOnce() -> T) -> (T, Taken) {
    let (start, had) = (Instant::now(), of_processors());
    let before = memory::start_peak();
    let outcome = action();
    let memory = memory::peak().saturating_sub(before);
    let time = start.elapsed();
    let had = of_processors().zip(had).map(|(now, then)| now - then);
    let time = had.map_or(time, |had| had.min(time));
    (outcome, Taken { memory, time })
}

/// Passes bytes to a target, which may use as much memory as a report on them. This includes its
/// output and comparisons.
///
/// # Panics
/// When it takes more. libFuzzer looks after the time.
pub fn hold(target: fn(&[u8]), data: &[u8]) {
    let ((), Taken { memory, .. }) = measure(|| target(data));
    let most = BASE + DECODER + FACTOR * data.len() as u64;
    assert!(memory <= most, "{memory} bytes, {most} at most");
}

/// The processor time of this process, if the system reports it.
fn of_processors() -> Option<Duration> {
    let stat = fs::read_to_string("/proc/self/stat").ok()?;
    // After the name in parentheses, the twelfth field is the user time, and the next one the
    // system time, in hundredths of seconds (proc(5)).
    let (_, fields) = stat.rsplit_once(") ")?;
    let mut fields = fields.split(' ').skip(11);
    let mut hundredths = || fields.next()?.parse().ok();
    let (program, system): (u64, u64) = (hundredths()?, hundredths()?);
    Some(Duration::from_millis(10 * (program + system)))
}
