//! Interrupts of the terminal. They end the program, unless somebody holds them.

/// Has the program go on where it is interrupted. What came is for [`release`].
#[cfg(unix)]
pub(super) fn hold() {
    INTERRUPTS.are_deadly.store(false, SeqCst);
}

/// Lets interrupts end the program again, and one that came meanwhile end it now.
#[cfg(unix)]
pub(super) fn release() {
    INTERRUPTS.are_deadly.store(true, SeqCst);
    let signals = [SIGINT, SIGQUIT].into_iter().zip(&INTERRUPTS.came);
    for (signal, came) in signals {
        if came.load(SeqCst) {
            // Where it cannot be ended so, it goes on to its usual end.
            let _ = emulate_default_handler(signal);
        }
    }
}

/// Whether one came while they were held.
#[cfg(unix)]
pub(super) fn came() -> bool {
    INTERRUPTS.came.iter().any(|came| came.load(SeqCst))
}

#[cfg(unix)]
use {
    signal_hook::consts::{SIGINT, SIGQUIT},
    signal_hook::flag::{register, register_conditional_default},
    signal_hook::low_level::emulate_default_handler,
    std::sync::atomic::{AtomicBool, Ordering::SeqCst},
    std::sync::{Arc, LazyLock},
};

/// The state that the handlers look at, which stay once they are there.
#[cfg(unix)]
#[derive(Default)]
struct Interrupts {
    are_deadly: Arc<AtomicBool>,
    came: [Arc<AtomicBool>; 2],
}

#[cfg(unix)]
static INTERRUPTS: LazyLock<Interrupts> = LazyLock::new(|| {
    let interrupts = Interrupts::default();
    for (signal, came) in [SIGINT, SIGQUIT].into_iter().zip(&interrupts.came) {
        // Where this fails they end the program, as they do without it.
        let _ = register_conditional_default(signal, Arc::clone(&interrupts.are_deadly));
        let _ = register(signal, Arc::clone(came));
    }
    interrupts
});

#[cfg(not(unix))]
pub(super) fn hold() {}

#[cfg(not(unix))]
pub(super) fn release() {}

#[cfg(not(unix))]
pub(super) fn came() -> bool {
    false
}
