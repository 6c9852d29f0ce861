//! What anything that is fuzzed may take of memory and time.

use std::fs;
use std::time::{Duration, Instant};

use profan::memory::{self, Counted};

#[global_allocator]
static ALLOCATOR: Counted = Counted;

/// What a report may take beside the multiple of what it reads, in bytes.
pub const BASE: u64 = 64 << 20;

/// What it may take for each byte of its files beside it.
pub const FACTOR: u64 = 64;

/// What a decoder of xz or zstd may keep beside both, in bytes.
pub const DECODER: u64 = 128 << 20;

/// What it may take of time.
pub const TIME: Duration = Duration::from_secs(2);

/// What something took.
#[derive(Clone, Copy, Debug)]
pub struct Taken {
    /// The most memory that all threads had in use beside what was before, in bytes.
    pub memory: u64,
    /// From its start to its end, or what it had of the processors, if that was less: other
    /// programs may run beside it.
    pub time: Duration,
}

/// Does something, and says what it took.
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

/// Gives bytes to a target, which may take as much memory as a report of them. What it
/// prints and compares is a part of that.
///
/// # Panics
/// When it takes more. libFuzzer looks after the time.
pub fn hold(target: fn(&[u8]), data: &[u8]) {
    let ((), Taken { memory, .. }) = measure(|| target(data));
    let most = BASE + DECODER + FACTOR * data.len() as u64;
    assert!(memory <= most, "{memory} bytes, {most} at most");
}

/// What this process had of the processors since it was started, where the system says so.
fn of_processors() -> Option<Duration> {
    let stat = fs::read_to_string("/proc/self/stat").ok()?;
    // Behind the name, which stands in parentheses, the twelfth field is the time in the
    // program, the next that in the system, in hundredths of seconds (proc(5)).
    let (_, fields) = stat.rsplit_once(") ")?;
    let mut fields = fields.split(' ').skip(11);
    let mut hundredths = || fields.next()?.parse().ok();
    let (program, system): (u64, u64) = (hundredths()?, hundredths()?);
    Some(Duration::from_millis(10 * (program + system)))
}
