//! Signals that end the program. They remove incomplete files; interrupts of the terminal can
//! be held.

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
use super::clean_up;

/// Holds interrupts until [`release`].
pub(crate) fn hold() {
    #[cfg(unix)]
    {
        listen();
        ARE_HELD.store(true, SeqCst);
    }
}

/// Releases interrupts; one that arrived meanwhile ends the program.
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

/// Returns whether an interrupt arrived while held.
pub(crate) fn came() -> bool {
    #[cfg(unix)]
    return CAME.iter().any(|came| came.load(SeqCst));
    #[cfg(not(unix))]
    false
}

/// Signals that the terminal sends to all processes in the foreground.
#[cfg(unix)]
const INTERRUPTS: [i32; 2] = [SIGINT, SIGQUIT];

/// Signals that end a program by default, except those for its own faults.
#[cfg(unix)]
const DEADLY: [i32; 9] =
    [SIGINT, SIGQUIT, SIGTERM, SIGHUP, SIGALRM, SIGUSR1, SIGUSR2, SIGXCPU, SIGXFSZ];

#[cfg(unix)]
static ARE_HELD: AtomicBool = AtomicBool::new(false);

#[cfg(unix)]
static CAME: [AtomicBool; 2] = [const { AtomicBool::new(false) }; 2];

/// Lets deadly signals remove incomplete files from now on. Signals that were ignored at the
/// start, as by `nohup`, remain ignored.
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
    // SAFETY: `on_signal` is async-signal-safe: it reads atomics, removes files and raises the
    // signal. If registering fails, the signal keeps its previous action.
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

/// Ends the program by the default action of a signal.
#[cfg(unix)]
fn end(signal: i32) {
    clean_up();
    // If this fails, the program continues to its usual end.
    let _ = emulate_default_handler(signal);
}

/// Returns whether a signal was ignored at the start.
#[cfg(unix)]
#[expect(unsafe_code, reason = "asking for a handler has no safe form")]
fn is_ignored(signal: i32) -> bool {
    // SAFETY: a `sigaction` consists of plain numbers, for which zeros are valid. The call sets
    // nothing and writes only to `action`.
    unsafe {
        let mut action: libc::sigaction = std::mem::zeroed();
        libc::sigaction(signal, std::ptr::null(), &raw mut action) == 0
            && action.sa_sigaction == libc::SIG_IGN
    }
}
