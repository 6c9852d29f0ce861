//! What is said where there is no memory left, by a program that must not allocate.

use std::cell::Cell;
use std::sync::OnceLock;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::thread;
use std::time::Duration;

use crate::signals::remove_unfinished;

/// Whether somebody says it already.
static IS_OVER: AtomicBool = AtomicBool::new(false);

thread_local! {
    /// Whether this thread says it.
    static ENDS_HERE: Cell<bool> = const { Cell::new(false) };
}

/// What is said while the command line is read, and what after it.
static MESSAGES: [OnceLock<OutOfMemoryMessage>; 2] = [const { OnceLock::new() }; 2];

/// What is written to standard error before the program ends, and its status.
#[derive(Clone, Debug)]
pub struct OutOfMemoryMessage {
    /// Whole lines, for where the limit is passed.
    pub over_limit: String,
    /// Whole lines, for where the system has no more to give.
    pub out_of_memory: String,
    /// The status of the process.
    pub status: i32,
}

/// What stopped it.
#[derive(Clone, Copy)]
pub(super) enum MemoryShortage {
    Limit,
    System,
}

/// Prepares what is said when there is no memory left: once before the command line is read,
/// and once after it. Nothing later counts.
pub fn when_over(mut word: OutOfMemoryMessage) {
    for place in &MESSAGES {
        match place.set(word) {
            Ok(()) => return,
            Err(refused) => word = refused,
        }
    }
}

/// Says it and ends the program, once: other threads wait for the end, since a failed
/// allocation would abort the program before it. Nothing where nothing was prepared.
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
    write(match why {
        MemoryShortage::Limit => word.over_limit.as_bytes(),
        MemoryShortage::System => word.out_of_memory.as_bytes(),
    });
    // It does what a handler of signals may, so it neither allocates nor takes a lock.
    remove_unfinished();
    end(word.status)
}

/// There is nowhere to say that it failed.
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

/// Ends the process at once, without what is to run at its end: that could allocate.
#[cfg(unix)]
fn end(status: i32) -> ! {
    signal_hook::low_level::exit(status)
}

#[cfg(not(unix))]
fn end(status: i32) -> ! {
    std::process::exit(status)
}
