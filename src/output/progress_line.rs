//! The terminal line with the progress bar.

use std::cell::Cell;
use std::io::{self, Write};
use std::time::{Duration, Instant};

use terminal_size::{Width, terminal_size_of};

use super::screen::is_in_foreground;
use crate::progress::{Reached, Stage};

/// Percentage of a stage before its remaining time is shown.
const MIN_PERCENT: u64 = 3;

/// Width of the bar in characters.
const BAR_WIDTH: usize = 24;

/// Width of terminals that do not report it.
const USUAL_WIDTH: u16 = 80;

/// A line on standard error that can be redrawn and erased. It is not drawn while another
/// process has the terminal.
#[derive(Debug, Default)]
pub(super) struct ProgressLine {
    /// Height in lines of the terminal.
    height: Cell<usize>,
    n_shown: Cell<usize>,
}

impl ProgressLine {
    /// Draws the line.
    pub(super) fn show(&self, reached: Reached, stage_start: Instant) {
        if !is_in_foreground() {
            return;
        }
        let words = words(reached.stage);
        let text = match reached.total {
            Some(total) => {
                let done = u128::from(reached.done.min(total));
                let of = |n: usize| {
                    let part = done * n as u128 / u128::from(total.max(1));
                    usize::try_from(part).unwrap_or(n)
                };
                let bar = format!("{:-<1$}", "#".repeat(of(BAR_WIDTH)), BAR_WIDTH);
                let left = time_left(reached.done, total, stage_start.elapsed());
                format!("{words} [{bar}] {} %{left}", of(100))
            }
            None => {
                let turn = ["|", "/", "-", "\\"][self.n_shown.get() % 4];
                format!("{words} {turn}{}", so_far(reached))
            }
        };
        self.n_shown.set(self.n_shown.get() + 1);
        let width = match terminal_size_of(io::stderr()) {
            Some((Width(columns @ 1..), _)) => columns,
            _ => USUAL_WIDTH,
        };
        let erase = self.erase();
        self.height.set(text.len().div_ceil(width.into()));
        // From the end of the line, the `^C` of an interrupt would move to the next one.
        write_at_once(&format!("{erase}{text}\r"));
    }

    /// Erases the line.
    pub(super) fn clear(&self) {
        if is_in_foreground() {
            write_at_once(&self.erase());
        }
    }

    /// Control sequences that erase the line.
    fn erase(&self) -> String {
        match self.height.take() {
            0 => String::new(),
            1 => "\r\x1b[J".to_owned(),
            height => format!("\r\x1b[{}A\x1b[J", height - 1),
        }
    }
}

/// Errors are ignored: they cannot be reported.
fn write_at_once(text: &str) {
    let mut stderr = io::stderr().lock();
    let _ = stderr.write_all(text.as_bytes());
}

fn words(stage: Stage) -> &'static str {
    match stage {
        Stage::Reading => "reading",
        Stage::Symbols => "finding functions",
        Stage::Lines => "finding lines",
        Stage::Adding => "adding up",
        Stage::Sources => "annotating sources",
    }
}

/// The amount done, for work of unknown size.
fn so_far(reached: Reached) -> String {
    if reached.stage != Stage::Reading || reached.done == 0 {
        return String::new();
    }
    let (mut size, mut unit) = (reached.done as f64, " B");
    for larger in [" KiB", " MiB", " GiB", " TiB"] {
        if size >= 1024.0 {
            (size, unit) = (size / 1024.0, larger);
        }
    }
    match unit {
        " B" => format!(" {size}{unit}"),
        _ => format!(" {size:.2}{unit}"),
    }
}

/// The remaining time at the present speed.
fn time_left(done: u64, total: u64, elapsed: Duration) -> String {
    let (done, total) = (u128::from(done), u128::from(total));
    if done * 100 < total * u128::from(MIN_PERCENT) || done == 0 {
        return String::new();
    }
    let left = elapsed.as_millis().saturating_mul(total - done) / done;
    match left.div_ceil(1000) {
        0 => String::new(),
        seconds @ ..=90 => format!(", {seconds} s left"),
        seconds => format!(", {} min left", seconds.div_ceil(60)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(done: u64, total: u64, seconds: u64, expected: &str) {
        let left = time_left(done, total, Duration::from_secs(seconds));
        assert_eq!(left, expected, "{done} of {total} in {seconds} s");
    }

    #[test]
    fn the_remaining_time_is_proportional() {
        check(50, 100, 4, ", 4 s left");
        check(75, 100, 4, ", 2 s left");
        check(1, 10, 10, ", 90 s left");
        check(1 << 62, u64::MAX, 31, ", 2 min left");
        check(99, 100, 4, ", 1 s left");
    }

    #[test]
    fn no_estimate_at_the_start_or_end() {
        check(0, 100, 4, "");
        check(2, 100, 4, "");
        check(100, 100, 4, "");
        check(0, 0, 4, "");
        check(0, u64::MAX, u64::MAX, "");
    }
}
