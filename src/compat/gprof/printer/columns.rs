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
use crate::report::decimal::{put_count, put_count_left, put_fixed};

/// Width of a number of calls.
const CALLS: usize = 7;

/// Maximum width of the numbers in a line.
const LONGEST: usize = 64;

/// Prints the columns of a line.
pub(super) struct LineColumns {
    children: usize,
}

#[derive(Clone, Copy)]
pub(super) struct PrintedNumbers {
    /// Percentage of the total, in an entry's own line.
    pub(super) percent: Option<f64>,
    pub(super) times: Times,
    /// Number of calls, and the number after it.
    pub(super) calls: Option<(u64, Behind)>,
    /// Blanks before the name.
    pub(super) gap: usize,
}

/// The number after the number of calls.
#[derive(Clone, Copy)]
pub(super) enum Behind {
    All(u64),
    /// Direct recursion; omitted if 0.
    Itself(u64),
}

impl LineColumns {
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

    /// Adds a line up to its name; `number` is cut to six columns, as in gprof: a number of
    /// five digits loses its closing bracket.
    pub(super) fn push(&self, text: &mut Text, number: &[u8], numbers: &PrintedNumbers) {
        let mut line = [b' '; LONGEST];
        match self.put(&mut line, number, numbers) {
            Some(len) => text.word(&line[..len]),
            None => self.push_wide(text, number, numbers),
        }
    }

    /// Writes a line of numbers that fit their columns over blanks, four times faster than
    /// column by column. Returns its length.
    fn put(
        &self,
        line: &mut [u8; LONGEST],
        number: &[u8],
        numbers: &PrintedNumbers,
    ) -> Option<usize> {
        let number = &number[..number.len().min(6)];
        line[..number.len()].copy_from_slice(number);
        if let Some(percent) = numbers.percent {
            put_fixed(&mut line[7..12], percent, 1)?;
        }
        put_fixed(&mut line[13..20], numbers.times.self_time, 2)?;
        let end = self.before_calls();
        put_fixed(&mut line[21..end], numbers.times.children, 2)?;
        let behind = end + 1 + CALLS;
        if let Some((calls, what)) = numbers.calls {
            put_count(&mut line[end + 1..behind], calls)?;
            let (sign, count) = match what {
                Behind::All(all) => (b'/', Some(all)),
                Behind::Itself(count) => (b'+', (count != 0).then_some(count)),
            };
            if let Some(count) = count {
                line[behind] = sign;
                put_count_left(&mut line[behind + 1..behind + 1 + CALLS], count)?;
            }
        }
        Some(behind + 1 + CALLS + numbers.gap)
    }

    fn push_wide(&self, text: &mut Text, number: &[u8], numbers: &PrintedNumbers) {
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

#[cfg(test)]
mod tests {
    use super::*;

    /// Both ways print the same if the numbers fit.
    #[test]
    fn numbers_that_fit_are_aligned() {
        let counts = [0, 1, 15, 9_999_999, 10_000_000, u64::MAX];
        let times = [0.0, 0.005, 1.25, 9999.99, 99_999.0, 1e9, -1.0, f64::NAN];
        let both = times.map(|self_time| times.map(|children| Times { self_time, children }));
        let mut n_plain = 0;
        for flavor in [Flavor::Gnu, Flavor::Bsd] {
            let columns = LineColumns::new(flavor);
            for &times in both.as_flattened() {
                for count in counts {
                    for (percent, calls) in [
                        (None, None),
                        (Some(times.self_time), Some((count, Behind::Itself(0)))),
                        (Some(100.0), Some((3, Behind::Itself(count)))),
                        (None, Some((count, Behind::All(count)))),
                        (None, Some((7, Behind::All(count)))),
                    ] {
                        let numbers = PrintedNumbers { percent, times, calls, gap: 5 };
                        let number = b"[12345]";
                        let (mut pushed, mut wide) = (Text::default(), Text::default());
                        columns.push(&mut pushed, number, &numbers);
                        columns.push_wide(&mut wide, number, &numbers);
                        assert_eq!(pushed.as_bytes(), wide.as_bytes());
                        let mut line = [b' '; LONGEST];
                        n_plain += usize::from(columns.put(&mut line, number, &numbers).is_some());
                    }
                }
            }
        }
        assert!(n_plain > 500, "{n_plain} took the quick way");
    }
}
