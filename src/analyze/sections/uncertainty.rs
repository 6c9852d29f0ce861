//! Text about uncertainty: marks after numbers, their legend, and a sentence about the order
//! of rows.

use crate::analyze::uncertainty::{MANY_RUNS, OrderVerdict, Remedy};
use crate::report::Cell;
use crate::report::number::counted;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum UncertaintyMark {
    /// Too few samples: not significantly more than 0.
    Noise,
    /// Samples that may belong to another row.
    Split,
    /// The row could change places with another.
    Loose,
    /// Propagated time, which may be distributed differently.
    SharedOut,
}

/// The signs of marks, with their meanings in the flat profile.
const SIGNS: [(UncertaintyMark, u8, &str); 4] = [
    (UncertaintyMark::Noise, b'?', "fewer than five samples: cannot be told from zero"),
    (UncertaintyMark::Split, b'/', "some of its samples are in bins that span other rows"),
    (UncertaintyMark::Loose, b'=', "its order relative to a row below is uncertain"),
    (
        UncertaintyMark::SharedOut,
        b'~',
        "the total assumes that all calls of a function cost the same",
    ),
];

pub(super) fn signs(marks: impl IntoIterator<Item = UncertaintyMark>) -> Cell {
    let sign = |mark| SIGNS.iter().find(|(one, ..)| *one == mark);
    let signs = marks.into_iter().filter_map(sign);
    let signs: Vec<u8> = signs.map(|&(_, sign, _)| sign).collect();
    if signs.is_empty() { Cell::Absent } else { Cell::text(signs) }
}

/// The mark of a guess.
pub(super) fn guess_mark(is_guess: bool) -> Cell {
    signs(is_guess.then_some(UncertaintyMark::SharedOut))
}

/// The errors that limits exclude, if samples were taken by the clock of gmon.out.
const CLOCK_LEFT_OUT: &str = "not included: errors of the clock, and time without samples (--wall \
    shows both)";

/// The legend of limits, and of the marks that occur.
pub(super) fn flat_legend(
    has_clock: bool,
    has_mark: impl Fn(UncertaintyMark) -> bool,
) -> Vec<String> {
    let limits = "at least, at most: the 95 % confidence interval of the number before them";
    let signs = SIGNS.iter().filter(|(mark, ..)| has_mark(*mark));
    let meanings = signs.map(|&(_, sign, meaning)| format!("{}  {meaning}", char::from(sign)));
    let about_clock = has_clock.then(|| CLOCK_LEFT_OUT.to_owned());
    let about_limits = std::iter::once(limits.to_owned()).chain(about_clock);
    about_limits.chain(meanings).collect()
}

/// The legend of the call graph.
pub(super) fn graph_legend(is_shared_out: bool) -> Vec<String> {
    let limits = "at least, at most: 95 % confidence limits of self plus children, whatever calls \
        cost";
    let mark = "~  distributed as if all calls of a function cost the same";
    let mark = is_shared_out.then(|| mark.to_owned());
    [limits.to_owned(), CLOCK_LEFT_OUT.to_owned()].into_iter().chain(mark).collect()
}

/// Whether the order of the first rows is significant, or how to make it so.
pub(super) fn order_sentence(verdict: OrderVerdict) -> Option<String> {
    match verdict {
        OrderVerdict::Nothing => None,
        OrderVerdict::InOrder { n_rows: 1 } => {
            Some("The first row is in the right place, with 95 % confidence.".to_owned())
        }
        OrderVerdict::InOrder { n_rows } => {
            let rows = formatted(n_rows);
            Some(format!("The first {rows} rows are in the right order, with 95 % confidence."))
        }
        OrderVerdict::Loose { n_pairs, has_more_below, row, rival, remedy } => {
            let rows = if has_more_below {
                "Among the first ten rows, the order of rows"
            } else {
                "The order of rows"
            };
            let others = match n_pairs - 1 {
                0 => String::new(),
                n_others => {
                    format!(" (and {})", counted(n_others as u64, "more pair", "more pairs"))
                }
            };
            let (row, rival, remedy) = (row + 1, rival + 1, named(remedy));
            Some(format!(
                "{rows} {row} and {rival}{others} is uncertain; {remedy} would settle it."
            ))
        }
        OrderVerdict::Faint { n_rows, row, remedy } => {
            let others = match n_rows - 1 {
                0 => String::new(),
                n_others => format!(" (and {n_others} more)"),
            };
            let (row, remedy) = (row + 1, named(remedy));
            Some(format!("Row {row}{others} may have taken no time; {remedy} would settle it."))
        }
    }
}

fn named(remedy: Remedy) -> String {
    match remedy {
        Remedy::Runs(n_runs) => counted(n_runs, "more run", "more runs"),
        Remedy::ManyRuns => format!("more than {MANY_RUNS} runs"),
        Remedy::FinerBins => "smaller bins".to_owned(),
    }
}

fn formatted(n_rows: usize) -> String {
    const WORDS: [&str; 9] =
        ["two", "three", "four", "five", "six", "seven", "eight", "nine", "ten"];
    let word = n_rows.checked_sub(2).and_then(|index| WORDS.get(index));
    word.map_or_else(|| n_rows.to_string(), |&word| word.to_owned())
}
