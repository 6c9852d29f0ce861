//! The runs of one side, added up so that their number costs no memory.

/// One profile of a side.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SideRun {
    /// The time between two ticks.
    pub seconds_per_tick: f64,
    /// All ticks, those of no function as well.
    pub ticks: f64,
    /// How many runs of the program are added up in the profile; 1 if nobody knows.
    pub n_runs: u32,
}

impl SideRun {
    /// Ticks for each second that a function takes in one run of the program.
    pub(super) fn exposure(&self) -> f64 {
        let rate = 1.0 / self.seconds_per_tick;
        if rate.is_finite() && rate > 0.0 {
            self.weight() * rate
        } else {
            self.weight()
        }
    }

    /// The seconds that one run of the program took.
    pub(super) fn seconds(&self) -> f64 {
        sound(self.ticks) / self.exposure()
    }

    /// What it weighs among others: a sum of runs varies less.
    pub(super) fn weight(&self) -> f64 {
        f64::from(self.n_runs.max(1))
    }
}

/// What is known of one function on one side.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct TickSums {
    /// Its ticks in all runs.
    pub(super) ticks: f64,
    /// The square of its ticks in each run by all ticks of the run, added up.
    pub(super) squares: f64,
}

/// All runs of one side of a comparison.
///
/// Takes memory for functions and for runs, not for both multiplied.
#[derive(Clone, Debug, Default)]
pub struct Side {
    runs: Vec<SideRun>,
    sums: Vec<TickSums>,
}

impl Side {
    /// Adds a run, with the ticks of those functions that have any: numbers of functions
    /// from 0, each once. Ticks may have fractions, as those of a bin of two functions,
    /// or inclusive ones, do.
    pub fn add_run(&mut self, run: SideRun, ticks: impl IntoIterator<Item = (usize, f64)>) {
        self.runs.push(run);
        let all = sound(run.ticks);
        for (function, ticks) in ticks {
            if function >= self.sums.len() {
                self.sums.resize(function + 1, TickSums::default());
            }
            let (sums, ticks) = (&mut self.sums[function], sound(ticks));
            sums.ticks += ticks;
            if all > 0.0 {
                sums.squares += ticks * ticks / all;
            }
        }
    }

    pub fn runs(&self) -> &[SideRun] {
        &self.runs
    }

    /// How many functions were named: one more than the highest number.
    pub fn n_functions(&self) -> usize {
        self.sums.len()
    }

    pub(super) fn sums(&self, function: usize) -> TickSums {
        self.sums.get(function).copied().unwrap_or_default()
    }

    pub(super) fn ticks(&self) -> f64 {
        self.runs.iter().map(|run| sound(run.ticks)).sum()
    }

    pub(super) fn exposure(&self) -> f64 {
        self.runs.iter().map(SideRun::exposure).sum()
    }
}

/// Ticks are not negative, and no file has more than can be counted.
fn sound(ticks: f64) -> f64 {
    if ticks.is_finite() {
        ticks.max(0.0)
    } else {
        0.0
    }
}
