//! The message on exhausted memory, printed without allocating.

use std::cell::Cell;
use std::sync::OnceLock;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::thread;
use std::time::Duration;

use crate::signals::clean_up;

/// Whether some thread already prints the message.
static IS_OVER: AtomicBool = AtomicBool::new(false);

thread_local! {
    /// Whether this thread prints it.
    static ENDS_HERE: Cell<bool> = const { Cell::new(false) };
}

/// The messages for the time until the command line is parsed, and after it.
static MESSAGES: [OnceLock<OutOfMemoryMessage>; 2] = [const { OnceLock::new() }; 2];

/// A message on standard error, and the exit status after it.
#[derive(Clone, Debug)]
pub struct OutOfMemoryMessage {
    /// Complete lines, if the program exceeds its limit.
    pub over_limit: String,
    /// Complete lines, if the system refuses memory.
    pub out_of_memory: String,
    /// Exit status of the process.
    pub status: i32,
}

/// Why an allocation failed.
#[derive(Clone, Copy)]
pub(super) enum MemoryShortage {
    Limit,
    System,
}

/// Sets the message: once before the command line is parsed, and once after it. Later calls
/// have no effect.
pub fn when_over(mut word: OutOfMemoryMessage) {
    for place in &MESSAGES {
        match place.set(word) {
            Ok(()) => return,
            Err(refused) => word = refused,
        }
    }
}

/// Prints the message and ends the program, once. Other threads wait for the end, since a
/// failed allocation would abort the program before it. Returns if no message was set.
#[cold]
pub(super) fn print(why: MemoryShortage) {
    let Some(word) = MESSAGES.iter().rev().find_map(OnceLock::get) else {
        return;
    };
    if IS_OVER.swap(true, Relaxed) {
        if !ENDS_HERE.get() {
            loop {
                thread::sleep(Duration::from_secs(1));
            }
        }
        return;
    }
    ENDS_HERE.set(true);
    // Async-signal-safe: it neither allocates nor takes a lock.
    clean_up();
    write(match why {
        MemoryShortage::Limit => word.over_limit.as_bytes(),
        MemoryShortage::System => word.out_of_memory.as_bytes(),
    });
    end(word.status)
}

/// Errors are ignored: they cannot be reported.
#[cfg(unix)]
fn write(mut text: &[u8]) {
    while let Ok(n_written @ 1..) = rustix::io::write(rustix::stdio::stderr(), text) {
        text = &text[n_written..];
    }
}

#[cfg(not(unix))]
fn write(text: &[u8]) {
    use std::io::Write;
    let _ = std::io::stderr().write_all(text);
}

/// Ends the process without running exit handlers, which could allocate.
#[cfg(unix)]
fn end(status: i32) -> ! {
    signal_hook::low_level::exit(status)
}

#[cfg(not(unix))]
fn end(status: i32) -> ! {
    std::process::exit(status)
}
