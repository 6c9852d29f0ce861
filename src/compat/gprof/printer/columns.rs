//! The columns of a line of the call graph, up to the name. This is a hot path.
//!
//! ```text
//! index % time    self  children    called     name
//! [7]     12.5    0.25    1.00      10+5       f [7]
//!                 0.25    1.00      10/15          g [9]
//! ```

use crate::compat::gprof::numbers::Times;
use crate::compat::gprof::plan::Flavor;
use crate::report::Text;

/// The width of a number of calls.
const CALLS: usize = 7;

/// A line in the making.
pub(super) struct Columns {
    children: usize,
}

#[derive(Clone, Copy)]
pub(super) struct Numbers {
    /// The share of the total, in an entry's own line.
    pub(super) percent: Option<f64>,
    pub(super) times: Times,
    /// Calls, and what stands behind them.
    pub(super) calls: Option<(u64, Behind)>,
    /// Blanks before the name.
    pub(super) gap: usize,
}

/// What stands behind a number of calls.
#[derive(Clone, Copy)]
pub(super) enum Behind {
    All(u64),
    /// Calls of itself; none are not said.
    Itself(u64),
}

impl Columns {
    pub(super) fn new(flavor: Flavor) -> Self {
        Self {
            children: match flavor {
                Flavor::Gnu => 7,
                Flavor::Bsd => 11,
            },
        }
    }

    pub(super) fn before_calls(&self) -> usize {
        6 + 1 + 5 + 1 + 7 + 1 + self.children
    }

    /// Adds a line up to its name; `number` is cut to six columns, as gprof does: one of
    /// five digits loses its closing bracket.
    pub(super) fn push(&self, text: &mut Text, number: &[u8], numbers: &Numbers) {
        text.left(number, 6, 6);
        text.blanks(1);
        match numbers.percent {
            Some(percent) => text.fixed(percent, 1, 5),
            None => text.blanks(5),
        }
        text.blanks(1);
        text.fixed(numbers.times.self_time, 2, 7);
        text.blanks(1);
        text.fixed(numbers.times.children, 2, self.children);
        match numbers.calls {
            None => text.blanks(1 + CALLS + 1 + CALLS),
            Some((calls, what)) => {
                text.blanks(1);
                text.count(calls, CALLS);
                match what {
                    Behind::All(all) => {
                        text.word("/");
                        text.count_left(all, CALLS);
                    }
                    Behind::Itself(0) => text.blanks(1 + CALLS),
                    Behind::Itself(count) => {
                        text.word("+");
                        text.count_left(count, CALLS);
                    }
                }
            }
        }
        text.blanks(numbers.gap);
    }

    /// Adds a line without times up to its name.
    pub(super) fn push_count(&self, text: &mut Text, calls: u64, gap: usize) {
        text.blanks(self.before_calls() + 1);
        text.count(calls, CALLS);
        text.blanks(1 + CALLS + gap);
    }
}
