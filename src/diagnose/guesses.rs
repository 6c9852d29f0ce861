//! The note on totals that equal costs of calls decide.

use crate::report::number::counted;

/// Guesses among the totals of functions, in words.
#[derive(Debug)]
pub struct GuessNote {
    pub worst: Option<GuessWords>,
    /// The small total that may be largest.
    pub small: Option<GuessWords>,
    pub cause: GuessedCalls,
    pub n_others: usize,
    pub n_small_others: usize,
    /// Totals have marks.
    pub has_marks: bool,
}

#[derive(Debug)]
pub struct GuessWords {
    pub function: String,
    /// A time without its unit.
    pub least: String,
    /// A time with its unit.
    pub most: String,
}

/// The calls whose costs are not known.
#[derive(Debug)]
pub enum GuessedCalls {
    /// Of the cycle with this number.
    InCycle(u32),
    /// Of a function.
    Of(String),
    /// Those of a cycle that the total excludes.
    LeftOut(u32),
}

/// Names the worst guess, and counts the others.
pub fn guesses(note: &GuessNote) -> String {
    let fact = match (&note.worst, &note.small) {
        (Some(GuessWords { function, least, most }), _)
            if let GuessedCalls::LeftOut(cycle) = note.cause =>
        {
            format!(
                "the total of {function} excludes the rest of cycle {cycle} (recursion), with which \
                 it is {least} to {most}"
            )
        }
        (Some(worst), Some(small)) => {
            let GuessWords { function, least, most } = worst;
            let small = format!("that of {} up to {}", small.function, small.most);
            format!("the total of {function} may be {least} to {most}, {small}")
        }
        (Some(GuessWords { function, least, most }), None) => {
            format!("the total of {function} may be {least} to {most}")
        }
        (None, Some(small)) => {
            format!("the total of {} may be up to {}", small.function, small.most)
        }
        (None, None) => String::new(),
    };
    let cause = match &note.cause {
        GuessedCalls::InCycle(cycle) => {
            format!(": calls in cycle {cycle} (recursion) cannot be told apart")
        }
        GuessedCalls::Of(function) => format!(": calls of {function} cannot be told apart"),
        GuessedCalls::LeftOut(_) => String::new(),
    };
    let state = if note.has_marks { "marked `~`" } else { "uncertain" };
    let others = match note.n_others {
        0 => None,
        1 => Some(format!("1 more is {state}")),
        n_others => Some(format!("{n_others} more are {state}")),
    };
    let small = (note.n_small_others > 0).then(|| {
        let small = counted(note.n_small_others as u64, "small one", "small ones");
        format!("{small} may be above 25 %")
    });
    let rest: Vec<String> = others.into_iter().chain(small).collect();
    let rest = if rest.is_empty() { String::new() } else { format!("; {}", rest.join(", ")) };
    format!("{fact}{cause}{rest}; see --error")
}
