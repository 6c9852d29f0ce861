//! Signals that end the program. Files in the making go with it; and interrupts of the
//! terminal wait while somebody holds them.

#[cfg(unix)]
use std::sync::Once;
#[cfg(unix)]
use std::sync::atomic::{AtomicBool, Ordering::SeqCst};

#[cfg(unix)]
use signal_hook::consts::{
    SIGALRM, SIGHUP, SIGINT, SIGQUIT, SIGTERM, SIGUSR1, SIGUSR2, SIGXCPU, SIGXFSZ,
};
#[cfg(unix)]
use signal_hook::low_level::emulate_default_handler;

#[cfg(unix)]
use super::unfinished::remove_unfinished;

/// Has the program go on where it is interrupted. What comes is kept for [`release`].
pub(crate) fn hold() {
    #[cfg(unix)]
    {
        listen();
        ARE_HELD.store(true, SeqCst);
    }
}

/// Lets interrupts end the program again, and one that came meanwhile end it now.
pub(crate) fn release() {
    #[cfg(unix)]
    {
        ARE_HELD.store(false, SeqCst);
        for (signal, came) in INTERRUPTS.into_iter().zip(&CAME) {
            if came.load(SeqCst) {
                end(signal);
            }
        }
    }
}

/// Whether one came while they were held.
pub(crate) fn came() -> bool {
    #[cfg(unix)]
    return CAME.iter().any(|came| came.load(SeqCst));
    #[cfg(not(unix))]
    false
}

/// Those that the terminal sends to all programs that it waits for.
#[cfg(unix)]
const INTERRUPTS: [i32; 2] = [SIGINT, SIGQUIT];

/// All that end a program that does nothing about them, those aside that tell of its own
/// faults.
#[cfg(unix)]
const DEADLY: [i32; 9] = [
    SIGINT, SIGQUIT, SIGTERM, SIGHUP, SIGALRM, SIGUSR1, SIGUSR2, SIGXCPU, SIGXFSZ,
];

#[cfg(unix)]
static ARE_HELD: AtomicBool = AtomicBool::new(false);

#[cfg(unix)]
static CAME: [AtomicBool; 2] = [const { AtomicBool::new(false) }; 2];

/// Has deadly signals remove files in the making from now on. Those that the program was
/// started to ignore, as `nohup` does, stay ignored.
#[cfg(unix)]
pub(super) fn listen() {
    static LISTENS: Once = Once::new();
    LISTENS.call_once(|| {
        for signal in DEADLY {
            if !is_ignored(signal) {
                handle(signal);
            }
        }
    });
}

#[cfg(unix)]
#[expect(unsafe_code, reason = "a handler has no safe form")]
fn handle(signal: i32) {
    // SAFETY: `on_signal` does only what a handler may: it looks at atomics, removes
    // files and raises the signal. Where registering fails the signal does what it did.
    let _ = unsafe { signal_hook::low_level::register(signal, move || on_signal(signal)) };
}

#[cfg(unix)]
fn on_signal(signal: i32) {
    let held = INTERRUPTS.into_iter().zip(&CAME);
    let mut held = held.filter(|_| ARE_HELD.load(SeqCst));
    match held.find(|(interrupt, _)| *interrupt == signal) {
        Some((_, came)) => came.store(true, SeqCst),
        None => end(signal),
    }
}

/// Ends the program as the signal does that nobody handles.
#[cfg(unix)]
fn end(signal: i32) {
    remove_unfinished();
    // Where this fails, the program goes on to its usual end.
    let _ = emulate_default_handler(signal);
}

/// Whether the program was started with a signal ignored.
#[cfg(unix)]
#[expect(unsafe_code, reason = "asking for a handler has no safe form")]
fn is_ignored(signal: i32) -> bool {
    // SAFETY: a `sigaction` is plain numbers, for which zeros are fine; nothing is set,
    // and what is asked for is written into `action` alone.
    unsafe {
        let mut action: libc::sigaction = std::mem::zeroed();
        libc::sigaction(signal, std::ptr::null(), &raw mut action) == 0
            && action.sa_sigaction == libc::SIG_IGN
    }
}
