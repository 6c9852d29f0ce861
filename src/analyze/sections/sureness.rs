//! What is said of how sure numbers are: signs behind them, what the signs mean, and a
//! sentence about the order of rows.

use crate::analyze::sureness::{MAX_RUNS, Verdict};
use crate::report::Cell;
use crate::report::number::counted;

/// What a number is worth. Signs of a row stand together.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Mark {
    /// Too few samples to tell it from nothing.
    Noise,
    /// The row could change places with another.
    Loose,
    /// Time was shared out by calls, and could have been otherwise.
    SharedOut,
}

impl Mark {
    fn sign(self) -> u8 {
        match self {
            Self::Noise => b'?',
            Self::Loose => b'=',
            Self::SharedOut => b'~',
        }
    }
}

/// The signs of a row.
pub(super) fn signs(marks: impl IntoIterator<Item = Mark>) -> Cell {
    let signs: Vec<u8> = marks.into_iter().map(Mark::sign).collect();
    if signs.is_empty() {
        Cell::Absent
    } else {
        Cell::text(signs)
    }
}

/// What limits and signs of the flat profile mean.
pub(super) fn flat_legend(has_shared_out: bool) -> Vec<String> {
    let mut legend = vec![
        "at least, at most: the 95 % interval of self, for the error of sampling".to_owned(),
        "?  too few ticks (fewer than five) to be told from none".to_owned(),
        "=  could change places with a row below it".to_owned(),
    ];
    if has_shared_out {
        legend.push("~  total rests on all calls of a function costing the same".to_owned());
    }
    legend
}

/// The same of the call graph.
pub(super) fn graph_legend() -> Vec<String> {
    vec![
        "at least, at most: self and children together, whatever single calls cost".to_owned(),
        "~  shared out as if all calls of a function cost the same".to_owned(),
    ]
}

/// Whether the first rows are in the right order, and what would make sure of it.
pub(super) fn order_sentence(verdict: Verdict) -> Option<String> {
    match verdict {
        Verdict::Nothing => None,
        Verdict::InOrder { n_rows: 1 } => {
            Some("The first row belongs there, with 95 % confidence.".to_owned())
        }
        Verdict::InOrder { n_rows } => {
            let rows = spelled(n_rows);
            Some(format!(
                "The first {rows} rows are in the right order, with 95 % confidence."
            ))
        }
        Verdict::Loose {
            n_pairs,
            row,
            rival,
            n_more_runs,
        } => {
            let pair = match rival {
                Some(rival) => format!("Rows {} and {}", row + 1, rival + 1),
                None => format!("Row {} and those without time", row + 1),
            };
            let others = match n_pairs - 1 {
                0 => String::new(),
                n_others => format!(
                    " (and {})",
                    counted(n_others as u64, "more pair", "more pairs")
                ),
            };
            let runs = match n_more_runs {
                Some(n_runs) => counted(n_runs, "more run", "more runs"),
                None => format!("over {MAX_RUNS} runs"),
            };
            Some(format!(
                "{pair}{others} could change places; {runs} would tell."
            ))
        }
    }
}

/// A number of rows in words.
fn spelled(n_rows: usize) -> String {
    const WORDS: [&str; 9] = [
        "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten",
    ];
    let word = n_rows.checked_sub(2).and_then(|index| WORDS.get(index));
    word.map_or_else(|| n_rows.to_string(), |&word| word.to_owned())
}
