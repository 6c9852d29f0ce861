//! Standard error as a terminal on which what was written is written over.

use std::fmt::Write as _;
use std::io::{self, Write};
use std::mem;
use std::sync::{Mutex, MutexGuard, PoisonError};

use indicatif::TermLike;
use terminal_size::{Width, terminal_size_of};

/// The width of terminals that do not say theirs.
const USUAL_WIDTH: u16 = 80;

/// Writes all of a drawing at once, and then leaves the cursor at the start of its last
/// line: from the end of it, the `^C` of an interrupt would move it to the next one.
#[derive(Debug, Default)]
pub(super) struct Overwritten {
    drawing: Mutex<String>,
}

impl Overwritten {
    fn drawing(&self) -> MutexGuard<'_, String> {
        self.drawing.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn move_cursor(&self, n: usize, direction: char) -> io::Result<()> {
        if n > 0 {
            write!(self.drawing(), "\x1b[{n}{direction}").map_err(io::Error::other)?;
        }
        Ok(())
    }
}

impl TermLike for Overwritten {
    fn width(&self) -> u16 {
        match terminal_size_of(io::stderr()) {
            Some((Width(columns @ 1..), _)) => columns,
            _ => USUAL_WIDTH,
        }
    }

    fn move_cursor_up(&self, n: usize) -> io::Result<()> {
        self.move_cursor(n, 'A')
    }

    fn move_cursor_down(&self, n: usize) -> io::Result<()> {
        self.move_cursor(n, 'B')
    }

    fn move_cursor_right(&self, n: usize) -> io::Result<()> {
        self.move_cursor(n, 'C')
    }

    fn move_cursor_left(&self, n: usize) -> io::Result<()> {
        self.move_cursor(n, 'D')
    }

    fn write_line(&self, text: &str) -> io::Result<()> {
        self.drawing().extend([text, "\n"]);
        Ok(())
    }

    fn write_str(&self, text: &str) -> io::Result<()> {
        self.drawing().push_str(text);
        Ok(())
    }

    fn clear_line(&self) -> io::Result<()> {
        self.write_str("\r\x1b[2K")
    }

    fn flush(&self) -> io::Result<()> {
        let mut drawing = mem::take(&mut *self.drawing());
        drawing.push('\r');
        let mut stderr = io::stderr().lock();
        stderr.write_all(drawing.as_bytes())?;
        stderr.flush()
    }
}
