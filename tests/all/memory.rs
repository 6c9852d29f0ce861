//! How much memory something takes at most.

use std::alloc::{GlobalAlloc, Layout, System};
use std::cell::Cell;

/// Counts the allocations of each thread, and remembers the maximum.
struct Counting;

thread_local! {
    // Neither allocates on first use nor is dropped, so an allocator may use them. Below zero in
    // a thread that frees memory of another one.
    static NOW: Cell<isize> = const { Cell::new(0) };
    static MOST: Cell<isize> = const { Cell::new(0) };
}

#[global_allocator]
static ALLOCATOR: Counting = Counting;

#[expect(unsafe_code, reason = "an allocator is unsafe by its interface")]
// SAFETY: every call goes to the system's allocator as it came.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        let now = NOW.get() + layout.size() as isize;
        NOW.set(now);
        MOST.set(MOST.get().max(now));
        // SAFETY: the caller keeps the contract.
        unsafe { System.alloc(layout) }
    }

    unsafe fn dealloc(&self, pointer: *mut u8, layout: Layout) {
        NOW.set(NOW.get() - layout.size() as isize);
        // SAFETY: the caller keeps the contract.
        unsafe { System.dealloc(pointer, layout) }
    }
}

/// Does something, and returns the maximum number of bytes allocated meanwhile. Only this thread
/// counts: tests run in parallel, and profan uses one thread here.
pub(crate) fn most_during<T>(action: impl FnOnce() -> T) -> (T, usize) {
    let before = NOW.get();
    MOST.set(before);
    let outcome = action();
    (outcome, (MOST.get() - before).unsigned_abs())
}
