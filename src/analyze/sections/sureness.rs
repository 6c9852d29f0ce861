//! What is said of how sure numbers are: signs behind them, what the signs mean, and a
//! sentence about the order of rows.

use crate::analyze::sureness::{MAX_RUNS, OrderVerdict, Remedy};
use crate::report::Cell;
use crate::report::number::counted;

/// What a number is worth. Signs of a row stand together.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Mark {
    /// Too few samples to tell it from nothing.
    Noise,
    /// Samples that may be another row's.
    Split,
    /// The row could change places with another.
    Loose,
    /// Time was shared out by calls, and could have been otherwise.
    SharedOut,
}

impl Mark {
    fn sign(self) -> u8 {
        match self {
            Self::Noise => b'?',
            Self::Split => b'/',
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

/// What limits and signs of the flat profile mean. Without a histogram there are no
/// bins, and nothing was shared out.
pub(super) fn flat_legend(has_bins: bool) -> Vec<String> {
    let of_bins = "/  its ticks lie in bins that are of other rows too";
    let of_totals = "~  total rests on all calls of a function costing the same";
    let lines = [
        Some("at least, at most: the 95 % interval of the number before, for it was sampled"),
        Some("?  too few ticks (fewer than five) to be told from none"),
        has_bins.then_some(of_bins),
        Some("=  could change places with a row below it"),
        has_bins.then_some(of_totals),
    ];
    lines.into_iter().flatten().map(str::to_owned).collect()
}

/// The same of the call graph.
pub(super) fn graph_legend() -> Vec<String> {
    vec![
        "at least, at most: self and children together, whatever single calls cost".to_owned(),
        "~  shared out as if all calls of a function cost the same".to_owned(),
    ]
}

/// Whether the first rows are in the right order, and what would make sure of it.
pub(super) fn order_sentence(verdict: OrderVerdict) -> Option<String> {
    match verdict {
        OrderVerdict::Nothing => None,
        OrderVerdict::InOrder { n_rows: 1 } => {
            Some("The first row belongs there, with 95 % confidence.".to_owned())
        }
        OrderVerdict::InOrder { n_rows } => {
            let rows = spelled(n_rows);
            Some(format!(
                "The first {rows} rows are in the right order, with 95 % confidence."
            ))
        }
        OrderVerdict::Loose {
            n_pairs,
            row,
            rival,
            remedy,
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
            let remedy = match remedy {
                Remedy::Runs(n_runs) => counted(n_runs, "more run", "more runs"),
                Remedy::ManyRuns => format!("over {MAX_RUNS} runs"),
                Remedy::FinerBins => "finer bins".to_owned(),
            };
            Some(format!(
                "{pair}{others} could change places; {remedy} would tell."
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
