//! A terminal that was shown how far the work is, and then gets the report.

use std::io::{self, Write};

use super::{ProgressBar, Sink};

/// Takes a line of progress away before anything is written.
pub struct Cleared<'o> {
    out: &'o mut dyn Sink,
    bar: &'o ProgressBar,
    is_cleared: bool,
}

impl<'o> Cleared<'o> {
    /// Writes to `out`, once `bar` is gone.
    #[must_use]
    pub fn new(out: &'o mut dyn Sink, bar: &'o ProgressBar) -> Self {
        Self {
            out,
            bar,
            is_cleared: false,
        }
    }

    #[inline]
    fn out(&mut self) -> &mut dyn Sink {
        if !self.is_cleared {
            self.bar.finish();
            self.is_cleared = true;
        }
        self.out
    }
}

impl Write for Cleared<'_> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.out().write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.out().flush()
    }
}

impl Sink for Cleared<'_> {
    fn preface(&mut self, text: &[u8]) {
        self.out().preface(text);
    }
}
