//! Interrupts of the terminal. They end the program, unless somebody holds them.

#[cfg(unix)]
use std::sync::atomic::{AtomicBool, Ordering::SeqCst};
#[cfg(unix)]
use std::sync::{Arc, LazyLock};

#[cfg(unix)]
use signal_hook::consts::{SIGINT, SIGQUIT};
#[cfg(unix)]
use signal_hook::flag::{register, register_conditional_default};
#[cfg(unix)]
use signal_hook::low_level::emulate_default_handler;

/// Has the program go on where it is interrupted. What comes is kept for [`release`].
pub(super) fn hold() {
    #[cfg(unix)]
    INTERRUPTS.are_deadly.store(false, SeqCst);
}

/// Lets interrupts end the program again, and one that came meanwhile end it now.
pub(super) fn release() {
    #[cfg(unix)]
    {
        INTERRUPTS.are_deadly.store(true, SeqCst);
        for (signal, came) in SIGNALS.into_iter().zip(&INTERRUPTS.came) {
            if came.load(SeqCst) {
                // Where this fails, the program goes on to its usual end.
                let _ = emulate_default_handler(signal);
            }
        }
    }
}

/// Whether one came while they were held.
pub(super) fn came() -> bool {
    #[cfg(unix)]
    return INTERRUPTS.came.iter().any(|came| came.load(SeqCst));
    #[cfg(not(unix))]
    false
}

#[cfg(unix)]
const SIGNALS: [i32; 2] = [SIGINT, SIGQUIT];

/// What handlers look at and leave behind. Once they are there they stay.
#[cfg(unix)]
#[derive(Default)]
struct Interrupts {
    are_deadly: Arc<AtomicBool>,
    came: [Arc<AtomicBool>; 2],
}

#[cfg(unix)]
static INTERRUPTS: LazyLock<Interrupts> = LazyLock::new(|| {
    let interrupts = Interrupts::default();
    for (signal, came) in SIGNALS.into_iter().zip(&interrupts.came) {
        // Where this fails they end the program, as they do without it.
        let _ = register_conditional_default(signal, Arc::clone(&interrupts.are_deadly));
        let _ = register(signal, Arc::clone(came));
    }
    interrupts
});
