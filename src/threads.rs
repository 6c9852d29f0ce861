//! How many threads work side by side: one for each core, if nothing else is said.
//!
//! They are started where there is enough to do for the first time, since a small profile
//! is reported before they would have started. What comes out does not depend on them.

use std::env;
use std::sync::OnceLock;
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};

use rayon::ThreadPoolBuilder;

/// More than any machine has cores for reading profiles.
pub const MOST: usize = 512;

/// The number that was asked for; 0 for that of the cores.
static WANTED: AtomicUsize = AtomicUsize::new(0);

/// How many there are.
static STARTED: OnceLock<usize> = OnceLock::new();

/// The number that a text says, from 1 to [`MOST`].
#[must_use]
pub fn number(text: &str) -> Option<usize> {
    let number = text.parse().ok();
    number.filter(|number| (1..=MOST).contains(number))
}

/// The number that `PROFAN_THREADS` says, where it is set and not empty.
///
/// # Errors
/// Where it says something else: what, and what would be right.
pub fn of_environment() -> Result<Option<usize>, String> {
    let Some(said) = env::var_os("PROFAN_THREADS").filter(|said| !said.is_empty()) else {
        return Ok(None);
    };
    match said.to_str().and_then(number) {
        None => Err(format!(
            "PROFAN_THREADS is `{}`: write a number from 1 to {MOST}",
            said.display()
        )),
        number => Ok(number),
    }
}

/// Has so many threads work, from 1 to [`MOST`], if they were not started before.
pub fn set(n_threads: usize) {
    WANTED.store(n_threads.clamp(1, MOST), Relaxed);
}

/// Starts the threads, unless they were, and returns how many there are. Where the system
/// refuses them, the one that asks is the only one.
pub fn start() -> usize {
    *STARTED.get_or_init(|| {
        let alone = || ThreadPoolBuilder::new().num_threads(1).use_current_thread();
        let builder = match WANTED.load(Relaxed) {
            1 => alone(),
            wanted => ThreadPoolBuilder::new().num_threads(wanted),
        };
        if builder.build_global().is_err() {
            // Threads may have been started by somebody else, too, as in tests.
            let _ = alone().build_global();
        }
        rayon::current_num_threads()
    })
}
