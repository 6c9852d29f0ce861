//! Counts allocated memory and limits it.
//!
//! [`Counted`] is the program's allocator. Each thread has its own counter and adds it to the
//! common one after every [`BATCH`] bytes, so that counting costs no measurable time. A
//! failed allocation cannot be handled by its caller: the program prints one message and
//! exits. It is neither aborted nor killed.
//!
//! Readers that know the size of a table before its allocation report the error with its
//! position. For unknown sizes there is [`ThreadBudget`].

mod limits;
mod out_of_memory;

use std::alloc::{GlobalAlloc, Layout, System};
use std::cell::Cell;
use std::sync::atomic::{AtomicIsize, AtomicUsize, Ordering::Relaxed};

pub(crate) use limits::{Budget, Limits};
pub use out_of_memory::{OutOfMemoryMessage, when_over};

/// The default limit in bytes: half the memory of an ordinary machine.
pub const DEFAULT_LIMIT: u64 = 4 << 30;

/// Bytes that a thread allocates or frees before it updates the common counter.
const BATCH: usize = 1 << 16;

/// Bytes in use by all threads, without those not yet added.
static IN_USE: AtomicIsize = AtomicIsize::new(0);
/// Maximum of `IN_USE`.
static PEAK: AtomicIsize = AtomicIsize::new(0);
/// Maximum of bytes that may be in use.
static LIMIT: AtomicUsize = AtomicUsize::new(usize::MAX);

/// The counter of a thread.
struct ThreadMemory {
    /// Bytes in use. Negative if the thread freed blocks of other threads.
    in_use: Cell<isize>,
    /// The part of `in_use` that the common counter contains.
    published: Cell<isize>,
}

thread_local! {
    // Neither allocates on first use nor is dropped, so an allocator may use it.
    static OWN: ThreadMemory = const { ThreadMemory { in_use: Cell::new(0), published: Cell::new(0) } };
}

/// The system's allocator, counting bytes in use.
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

/// `Layout` guarantees that sizes fit `isize`.
fn size_of(layout: Layout) -> isize {
    layout.size().cast_signed()
}

/// Ends the program on a null pointer.
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

/// Sets the limit, in bytes.
pub fn set_limit(bytes: u64) {
    LIMIT.store(usize::try_from(bytes).unwrap_or(usize::MAX), Relaxed);
}

/// The limit in bytes. Readers refuse a single table that needs more than a part of it.
pub fn limit() -> u64 {
    match LIMIT.load(Relaxed) {
        usize::MAX => DEFAULT_LIMIT,
        limit => limit as u64,
    }
}

/// Maximum size in bytes of a single item of a report whose size does not depend on its file.
pub fn share() -> u64 {
    limit() / 256
}

/// The maximum of bytes in use since the start of the program or [`start_peak`]; 0 if
/// [`Counted`] is not the allocator.
pub fn peak() -> u64 {
    PEAK.load(Relaxed).max(0).unsigned_abs() as u64
}

/// Restarts [`peak`], and returns the bytes in use.
pub fn start_peak() -> u64 {
    OWN.with(ThreadMemory::publish);
    let now = IN_USE.load(Relaxed);
    PEAK.store(now, Relaxed);
    now.max(0).unsigned_abs() as u64
}

/// The bytes that a task in one thread may still allocate. It uses the counter of the thread,
/// so other threads do not change the result.
#[derive(Clone, Copy, Debug)]
pub struct ThreadBudget {
    end: isize,
}

impl ThreadBudget {
    /// Allows `bytes` more from now on.
    pub fn of(bytes: u64) -> Self {
        let bytes = isize::try_from(bytes).unwrap_or(isize::MAX);
        Self { end: OWN.with(|own| own.in_use.get()).saturating_add(bytes) }
    }

    /// Returns whether `n_bytes` more fit. Always true if [`Counted`] is not the allocator.
    pub fn has_room(self, n_bytes: usize) -> bool {
        let in_use = OWN.with(|own| own.in_use.get());
        in_use.saturating_add_unsigned(n_bytes) <= self.end
    }

    /// Remaining bytes.
    pub fn left(self) -> usize {
        let in_use = OWN.with(|own| own.in_use.get());
        self.end.saturating_sub(in_use).max(0).unsigned_abs()
    }
}
