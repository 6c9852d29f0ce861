//! A full screen on the terminal, and the keys that its user presses.

use std::fs::File;
use std::io::{self, Read, Write};
use std::os::unix::net::UnixStream;
use std::sync::Arc;
use std::time::{Duration, Instant};
use std::{env, panic};

use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::process::{Signal, getpid, kill_process};
use rustix::termios::{
    LocalModes, OptionalActions, SpecialCodeIndex, Termios, tcgetattr, tcsetattr,
};
use signal_hook::consts::{SIGCONT, SIGTSTP, SIGWINCH};
use signal_hook::low_level::pipe;

use super::ScreenSize;
use super::guard::Guard;
use super::keys::{self, Key};
use super::screen::is_dumb;
use crate::report::width::{cut_line, display_width};
use crate::signals::{SavedTerminal, restore_terminal};

/// The other screen of the terminal, without a cursor and without line wrapping, with reports of
/// the mouse's buttons.
const ENTER: &[u8] = b"\x1b[?1049h\x1b[?25l\x1b[?7l\x1b[?1000h\x1b[?1006h";

/// Back to the screen of the shell.
const LEAVE: &[u8] = b"\x1b[?1006l\x1b[?1000l\x1b[0m\x1b[?7h\x1b[?25h\x1b[?1049l";

/// How long the rest of a key's bytes may take to arrive.
const WITHIN_A_KEY: Timespec = Timespec { tv_sec: 0, tv_nsec: 30_000_000 };

const AT_ONCE: Timespec = Timespec { tv_sec: 0, tv_nsec: 0 };

/// While input arrives, a frame is drawn after this time at the latest.
const FRAME_INTERVAL: Duration = Duration::from_millis(100);

/// An input of the user.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Event {
    Key(Key),
    /// The size may have changed, or another program has used the screen: draw again.
    Redraw,
    /// The terminal is gone.
    Closed,
}

/// A line of a full screen.
#[derive(Clone, Copy, Debug)]
pub struct ScreenLine<'l> {
    /// Text with the colours of reports.
    pub text: &'l [u8],
    /// The line is selected, or a bar.
    pub is_reversed: bool,
}

/// A terminal in full-screen mode, restored when this is dropped, and by signals and panics.
#[derive(Debug)]
pub struct FullScreen {
    terminal: Arc<File>,
    usual: Termios,
    saved: Option<SavedTerminal>,
    /// Receives a byte for each signal.
    signals: [UnixStream; 3],
    /// Keys that arrived together.
    waiting: Vec<u8>,
    drawn: Option<Instant>,
    guard: Guard,
}

impl FullScreen {
    /// Enters full-screen mode.
    ///
    /// # Errors
    /// If the process has no terminal, or one that cannot move its cursor.
    pub fn enter() -> io::Result<Self> {
        if is_dumb() {
            let term = env::var_os("TERM").unwrap_or_default();
            let term = term.to_string_lossy();
            return Err(io::Error::other(format!(
                "a terminal of type `{term}` has no full screen"
            )));
        }
        let terminal = File::options().read(true).write(true).open("/dev/tty")?;
        let usual = tcgetattr(&terminal)?;
        let mut screen = Self {
            terminal: Arc::new(terminal),
            usual,
            saved: None,
            signals: [receive(SIGWINCH)?, receive(SIGTSTP)?, receive(SIGCONT)?],
            waiting: Vec::new(),
            drawn: None,
            guard: Guard::default(),
        };
        screen.guard.allow_color();
        screen.begin()?;
        let before = panic::take_hook();
        panic::set_hook(Box::new(move |panic| {
            restore_terminal();
            before(panic);
        }));
        Ok(screen)
    }

    /// Number of columns and lines.
    pub fn size(&self) -> ScreenSize {
        ScreenSize::of_stdout()
    }

    fn begin(&mut self) -> io::Result<()> {
        self.saved =
            Some(SavedTerminal::new(Arc::clone(&self.terminal), self.usual.clone(), LEAVE));
        let mut raw = self.usual.clone();
        // Keys that send signals still do.
        raw.local_modes -= LocalModes::ICANON | LocalModes::ECHO | LocalModes::IEXTEN;
        raw.special_codes[SpecialCodeIndex::VMIN] = 1;
        raw.special_codes[SpecialCodeIndex::VTIME] = 0;
        tcsetattr(&self.terminal, OptionalActions::Now, &raw)?;
        (&*self.terminal).write_all(ENTER)
    }

    fn end(&mut self) {
        if self.saved.is_some() {
            restore_terminal();
            self.saved = None;
        }
    }

    /// Shows lines from the top, cut to the screen. Control characters in them are escaped. Draws
    /// nothing if more input is there that will change them.
    ///
    /// # Errors
    /// If the terminal is gone.
    pub fn draw(&mut self, lines: &[ScreenLine<'_>]) -> io::Result<()> {
        let was_drawn = self.drawn.is_some_and(|drawn| drawn.elapsed() < FRAME_INTERVAL);
        if was_drawn && (!self.waiting.is_empty() || self.has_input(AT_ONCE)) {
            return Ok(());
        }
        self.drawn = Some(Instant::now());
        let ScreenSize { columns, lines: height } = self.size();
        let mut frame = b"\x1b[H".to_vec();
        for (index, line) in lines.iter().take(height).enumerate() {
            frame.extend_from_slice(if index > 0 { b"\r\n" } else { b"" });
            let mut text = self.guard.whole(line.text);
            if display_width(&text) > columns {
                text = cut_line(&text, columns);
            }
            if line.is_reversed {
                let text = without_colors(&text);
                let width = display_width(&text);
                frame.extend_from_slice(b"\x1b[7m");
                frame.extend_from_slice(&text);
                frame.resize(frame.len() + columns.saturating_sub(width), b' ');
                frame.extend_from_slice(b"\x1b[0m");
            } else {
                frame.extend_from_slice(&text);
                frame.extend_from_slice(b"\x1b[0m\x1b[K");
            }
        }
        frame.extend_from_slice(b"\x1b[J");
        (&*self.terminal).write_all(&frame)
    }

    /// Waits for a key or another event.
    ///
    /// # Errors
    /// If the terminal cannot be read.
    pub fn next_event(&mut self) -> io::Result<Event> {
        loop {
            if let Some((key, n_bytes)) = keys::first(&self.waiting)
                && (n_bytes < self.waiting.len() || !self.has_more()?)
            {
                self.waiting.drain(..n_bytes);
                return Ok(Event::Key(key));
            }
            let [resized, stopped, continued] = &self.signals;
            let mut sources = [
                PollFd::new(&*self.terminal, PollFlags::IN),
                PollFd::new(resized, PollFlags::IN),
                PollFd::new(stopped, PollFlags::IN),
                PollFd::new(continued, PollFlags::IN),
            ];
            match poll(&mut sources, None) {
                Err(rustix::io::Errno::INTR) => continue,
                polled => polled?,
            };
            let has = |at: usize| !sources[at].revents().is_empty();
            let [has_input, was_resized, was_stopped, was_continued] = [0, 1, 2, 3].map(has);
            if was_stopped {
                drain(&self.signals[1])?;
                self.stop()?;
                return Ok(Event::Redraw);
            }
            if was_resized || was_continued {
                drain(&self.signals[0])?;
                drain(&self.signals[2])?;
                return Ok(Event::Redraw);
            }
            if has_input && !self.read()? {
                return Ok(Event::Closed);
            }
        }
    }

    /// Returns whether more bytes of a key arrive at once.
    fn has_more(&mut self) -> io::Result<bool> {
        if !keys::may_go_on(&self.waiting) {
            return Ok(false);
        }
        Ok(self.has_input(WITHIN_A_KEY) && self.read()?)
    }

    /// Returns whether input arrives within this time.
    fn has_input(&self, within: Timespec) -> bool {
        let mut source = [PollFd::new(&*self.terminal, PollFlags::IN)];
        poll(&mut source, Some(&within)).unwrap_or(0) > 0
    }

    /// Reads keys; `false` at the end.
    fn read(&mut self) -> io::Result<bool> {
        let mut bytes = [0; 256];
        match (&*self.terminal).read(&mut bytes) {
            Ok(n_bytes) => {
                self.waiting.extend_from_slice(&bytes[..n_bytes]);
                Ok(n_bytes > 0)
            }
            Err(error) if error.kind() == io::ErrorKind::Interrupted => Ok(true),
            // A terminal that hung up.
            Err(_) => Ok(false),
        }
    }

    /// Gives the terminal back, and stops until it is ours again.
    fn stop(&mut self) -> io::Result<()> {
        self.end();
        kill_process(getpid(), Signal::STOP)?;
        drain(&self.signals[2])?;
        self.begin()
    }
}

impl Drop for FullScreen {
    fn drop(&mut self) {
        self.end();
    }
}

/// A stream that receives a byte for each signal.
fn receive(signal: i32) -> io::Result<UnixStream> {
    let (reader, writer) = UnixStream::pair()?;
    reader.set_nonblocking(true)?;
    pipe::register(signal, writer)?;
    Ok(reader)
}

fn drain(mut signals: &UnixStream) -> io::Result<()> {
    let mut bytes = [0; 64];
    loop {
        match signals.read(&mut bytes) {
            Ok(0) => return Ok(()),
            Ok(_) => {}
            Err(error) if error.kind() == io::ErrorKind::WouldBlock => return Ok(()),
            Err(error) => return Err(error),
        }
    }
}

/// A line without the colours of reports.
fn without_colors(line: &[u8]) -> Vec<u8> {
    let mut plain = Vec::with_capacity(line.len());
    let mut is_order = false;
    for &byte in line {
        match byte {
            b'\x1b' => is_order = true,
            b'm' if is_order => is_order = false,
            _ if is_order => {}
            _ => plain.push(byte),
        }
    }
    plain
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_selected_line_has_no_colours() {
        let check = |line: &str, expected: &str| {
            assert_eq!(without_colors(line.as_bytes()), expected.as_bytes());
        };
        check("\x1b[1;31m30.2  main\x1b[0m", "30.2  main");
        check("mmm", "mmm");
    }
}
