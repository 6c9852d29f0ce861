//! Values for signal handlers.

use std::ptr;
use std::sync::atomic::{AtomicPtr, Ordering::SeqCst};

/// Up to `N` values; more are not stored.
#[derive(Debug)]
pub(super) struct Slots<T: 'static, const N: usize>([AtomicPtr<T>; N]);

/// The place of a value, until it is dropped.
#[derive(Debug)]
pub(super) struct Slot<T: 'static>(&'static AtomicPtr<T>);

impl<T: Sync, const N: usize> Slots<T, N> {
    pub(super) const fn new() -> Self {
        Self([const { AtomicPtr::new(ptr::null_mut()) }; N])
    }

    /// Stores a value. Its memory is never freed, since a handler may be reading it.
    pub(super) fn put(&'static self, value: T) -> Option<Slot<T>> {
        let value = ptr::from_mut(Box::leak(Box::new(value)));
        let is_taken = |slot: &&AtomicPtr<T>| {
            let taken = slot.compare_exchange(ptr::null_mut(), value, SeqCst, SeqCst);
            taken.is_ok()
        };
        self.0.iter().find(is_taken).map(Slot)
    }

    /// The stored values. Async-signal-safe.
    pub(super) fn values(&'static self) -> impl Iterator<Item = &'static T> {
        self.0.iter().filter_map(|slot| {
            let value = slot.load(SeqCst);
            #[expect(unsafe_code, reason = "what a handler looks at is behind pointers")]
            // SAFETY: it is null, or a value that `put` leaked and nobody changes.
            unsafe {
                value.as_ref()
            }
        })
    }
}

impl<T> Drop for Slot<T> {
    fn drop(&mut self) {
        self.0.store(ptr::null_mut(), SeqCst);
    }
}
