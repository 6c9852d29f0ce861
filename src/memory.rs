//! How much memory is in use, and the most that may be.
//!
//! [`Counted`] is the allocator of the program. Threads count for themselves, and tell the
//! others after every [`BATCH`]: counting must not be felt. What a limit stops is not for
//! the code that allocates to handle: there is one message, and the program is over, in
//! order: it is neither aborted nor killed.
//!
//! Readers that know how much something will take before it is allocated say so themselves,
//! with its place. For what they cannot know beforehand there is [`ThreadBudget`].

mod out_of_memory;

use std::alloc::{GlobalAlloc, Layout, System};
use std::cell::Cell;
use std::sync::atomic::{AtomicIsize, AtomicUsize, Ordering::Relaxed};

pub use out_of_memory::{OutOfMemoryMessage, when_over};

/// What the program may allocate where nothing else is said: half of what an ordinary
/// machine has.
pub const DEFAULT_LIMIT: u64 = 4 << 30;

/// What a thread may allocate or free before the others know of it, in bytes.
const BATCH: usize = 1 << 16;

/// Bytes in use by all threads, as far as they told.
static IN_USE: AtomicIsize = AtomicIsize::new(0);
/// The most that was ever in use.
static PEAK: AtomicIsize = AtomicIsize::new(0);
/// The most that may be.
static LIMIT: AtomicUsize = AtomicUsize::new(usize::MAX);

/// What a thread counts.
struct ThreadMemory {
    /// Bytes that it has in use. Below zero where it freed what another one allocated.
    in_use: Cell<isize>,
    /// What of that the others know of.
    published: Cell<isize>,
}

thread_local! {
    // Neither allocates on first use nor is dropped, so an allocator may use it.
    static OWN: ThreadMemory = const { ThreadMemory { in_use: Cell::new(0), published: Cell::new(0) } };
}

/// The allocator of the system, with what is in use counted.
#[derive(Clone, Copy, Debug, Default)]
pub struct Counted;

#[allow(unsafe_code, reason = "an allocator is unsafe by its interface")]
// SAFETY: every call goes to the system's allocator as it came, and counting neither
// allocates nor unwinds.
unsafe impl GlobalAlloc for Counted {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        count(size_of(layout));
        // SAFETY: the caller keeps the contract.
        given(unsafe { System.alloc(layout) })
    }

    unsafe fn alloc_zeroed(&self, layout: Layout) -> *mut u8 {
        count(size_of(layout));
        // SAFETY: the caller keeps the contract.
        given(unsafe { System.alloc_zeroed(layout) })
    }

    unsafe fn dealloc(&self, pointer: *mut u8, layout: Layout) {
        count(-size_of(layout));
        // SAFETY: the caller keeps the contract.
        unsafe { System.dealloc(pointer, layout) }
    }

    unsafe fn realloc(&self, pointer: *mut u8, layout: Layout, new_size: usize) -> *mut u8 {
        count(new_size.cast_signed() - size_of(layout));
        // SAFETY: the caller keeps the contract.
        given(unsafe { System.realloc(pointer, layout, new_size) })
    }
}

/// Layouts are no larger than what has a sign.
fn size_of(layout: Layout) -> isize {
    layout.size().cast_signed()
}

/// Ends the program where the system has nothing left to give.
#[inline]
fn given(pointer: *mut u8) -> *mut u8 {
    if pointer.is_null() {
        out_of_memory::print(out_of_memory::MemoryShortage::System);
    }
    pointer
}

#[inline]
fn count(difference: isize) {
    OWN.with(|own| {
        let in_use = own.in_use.get().wrapping_add(difference);
        own.in_use.set(in_use);
        if in_use.wrapping_sub(own.published.get()).unsigned_abs() >= BATCH {
            own.publish();
        }
    });
}

impl ThreadMemory {
    #[cold]
    fn publish(&self) {
        let news = self.in_use.get().wrapping_sub(self.published.get());
        self.published.set(self.in_use.get());
        let in_use = IN_USE.fetch_add(news, Relaxed).wrapping_add(news);
        if news > 0 {
            PEAK.fetch_max(in_use, Relaxed);
            if in_use > 0 && in_use.unsigned_abs() > LIMIT.load(Relaxed) {
                out_of_memory::print(out_of_memory::MemoryShortage::Limit);
            }
        }
    }
}

/// Lets the program have so many bytes from now on.
pub fn set_limit(bytes: u64) {
    LIMIT.store(usize::try_from(bytes).unwrap_or(usize::MAX), Relaxed);
}

/// The most that the program may have in use, in bytes. Readers refuse single things that
/// would need more than a part of it.
pub fn limit() -> u64 {
    match LIMIT.load(Relaxed) {
        usize::MAX => DEFAULT_LIMIT,
        limit => limit as u64,
    }
}

/// What a single thing of a report may take that is no multiple of its file, in bytes.
pub fn share() -> u64 {
    limit() / 256
}

/// The most that was in use since the program started, or since [`start_peak`], in bytes;
/// nothing where [`Counted`] is not its allocator.
pub fn peak() -> u64 {
    PEAK.load(Relaxed).max(0).unsigned_abs() as u64
}

/// Forgets what was in use before, and returns what is in use now, in bytes.
pub fn start_peak() -> u64 {
    OWN.with(ThreadMemory::publish);
    let now = IN_USE.load(Relaxed);
    PEAK.store(now, Relaxed);
    now.max(0).unsigned_abs() as u64
}

/// Steps or bytes that a piece of work may still take.
#[derive(Debug)]
pub(crate) struct Budget(Cell<u64>);

impl Budget {
    /// So many, and some for each byte that it is made of: honest files take little more
    /// than they have.
    pub(crate) fn of(base: u64, n_bytes: usize, per_byte: u64) -> Self {
        let more = (n_bytes as u64).saturating_mul(per_byte);
        Self(Cell::new(base.saturating_add(more)))
    }

    /// Takes some of it, and returns whether there were as many.
    #[inline]
    pub(crate) fn spend(&self, n: u64) -> bool {
        let left = self.0.get().checked_sub(n);
        left.inspect(|&left| self.0.set(left)).is_some()
    }
}

/// What a piece of work may allocate that is done by one thread. It is counted by what
/// that thread has in use, so that the others have no part in what comes out.
#[derive(Clone, Copy, Debug)]
pub struct ThreadBudget {
    end: isize,
}

impl ThreadBudget {
    /// So many bytes from now on.
    pub fn of(bytes: u64) -> Self {
        let bytes = isize::try_from(bytes).unwrap_or(isize::MAX);
        Self {
            end: OWN.with(|own| own.in_use.get()).saturating_add(bytes),
        }
    }

    /// Whether so many bytes more would be within it. Where [`Counted`] is not the
    /// allocator nothing is ever used up.
    pub fn has_room(self, n_bytes: usize) -> bool {
        let in_use = OWN.with(|own| own.in_use.get());
        in_use.saturating_add_unsigned(n_bytes) <= self.end
    }

    /// How many bytes are left of it.
    pub fn left(self) -> usize {
        let in_use = OWN.with(|own| own.in_use.get());
        self.end.saturating_sub(in_use).max(0).unsigned_abs()
    }
}
