//! The line of the terminal that shows how far the work is.

use std::time::{Duration, Instant};

use indicatif::{BinaryBytes, ProgressBar, ProgressDrawTarget, ProgressStyle};

use super::overwritten::Overwritten;
use super::screen::is_in_foreground;
use crate::progress::{Reached, Stage};

/// Shares of a stage before which nothing is said of its end, in percent.
const MIN_PERCENT: u64 = 3;

/// A line that changes, and goes away. It is not touched while others have the terminal.
#[derive(Debug)]
pub(super) struct ProgressLine {
    bar: ProgressBar,
}

impl ProgressLine {
    /// One that is not seen yet.
    pub(super) fn on_stderr() -> Self {
        let terminal = Box::new(Overwritten::default());
        let target = ProgressDrawTarget::term_like(terminal);
        Self {
            bar: ProgressBar::with_draw_target(None, target),
        }
    }

    /// Draws it.
    pub(super) fn show(&self, reached: Reached, stage_start: Instant) {
        if !is_in_foreground() {
            return;
        }
        let words = words(reached.stage);
        match reached.total {
            Some(total) => {
                let left = time_left(reached.done, total, stage_start.elapsed());
                let style = style(&format!("{words} [{{bar:24}}] {{percent}} %{left}"));
                self.bar.set_style(style.progress_chars("##-"));
                self.bar.update(|state| {
                    state.set_len(total);
                    state.set_pos(reached.done);
                });
            }
            None => {
                let so_far = so_far(reached);
                let style = style(&format!("{words} {{spinner}}{so_far}"));
                self.bar.set_style(style.tick_chars("|/-\\ "));
                self.bar.tick();
            }
        }
    }

    /// Says something where it is, and draws it again below.
    pub(super) fn step_aside(&self, say: impl FnOnce()) {
        if !is_in_foreground() {
            return say();
        }
        self.bar.suspend(say);
    }

    /// Takes it away.
    pub(super) fn clear(&self) {
        if !is_in_foreground() {
            self.bar.set_draw_target(ProgressDrawTarget::hidden());
        }
        self.bar.finish_and_clear();
    }
}

fn style(template: &str) -> ProgressStyle {
    ProgressStyle::with_template(template).expect("it is well formed")
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

/// What is done of what has no known end.
fn so_far(reached: Reached) -> String {
    match (reached.stage, reached.done) {
        (Stage::Reading, 1..) => format!(" {}", BinaryBytes(reached.done)),
        _ => String::new(),
    }
}

/// How long the rest takes if it goes on as it did.
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
    fn the_rest_takes_as_long_as_what_was_done() {
        check(50, 100, 4, ", 4 s left");
        check(75, 100, 4, ", 2 s left");
        check(1, 10, 10, ", 90 s left");
        check(1 << 62, u64::MAX, 31, ", 2 min left");
        check(99, 100, 4, ", 1 s left");
    }

    #[test]
    fn nothing_is_said_of_the_end_at_either_end() {
        check(0, 100, 4, "");
        check(2, 100, 4, "");
        check(100, 100, 4, "");
        check(0, 0, 4, "");
        check(0, u64::MAX, u64::MAX, "");
    }
}
