//! Simulated programs and runs with known truth.

use profan::compare::difference::{
    ChangeVerdict, Comparison, DifferenceOptions, Presence, Side, SideRun, compare,
};

use crate::dice::Dice;

/// A program: the ticks that each function has in a run, on average.
#[derive(Clone, Debug)]
pub(crate) struct Program {
    pub(crate) means: Vec<f64>,
}

/// How runs vary; each number is a share of the time, and 0 is not at all.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Variation {
    /// The clock ticks at even intervals: totals are exact, and split by chance.
    pub(crate) even: bool,
    /// Functions run once and for long, so that ticks at even intervals find each as often.
    pub(crate) regular: bool,
    /// All functions of a run together.
    pub(crate) runs: f64,
    /// All together, and never faster than usual: exponentially distributed delays.
    pub(crate) delays: f64,
    /// Each function by itself.
    pub(crate) each: f64,
    /// Each function by itself, so that its ticks come in clumps of so many.
    pub(crate) clump: f64,
    /// One function in ten, in addition.
    pub(crate) some: f64,
    /// The first function, in addition.
    pub(crate) first: f64,
    /// Four groups of functions, each together.
    pub(crate) groups: f64,
    /// Half of the runs take so much longer.
    pub(crate) two_kinds: f64,
    /// In half of the runs, the first function takes so much longer.
    pub(crate) first_of_two_kinds: f64,
    /// One run in ten takes so much longer.
    pub(crate) outliers: f64,
    /// In one run of ten, the first function takes so much longer.
    pub(crate) first_outliers: f64,
    /// Each run takes so much longer than the one before.
    pub(crate) drift: f64,
    /// All together, nearly as in the run before.
    pub(crate) neighbours: f64,
    /// All runs of the old side come first, instead of both sides in turn.
    pub(crate) one_after_the_other: bool,
}

/// Only sampling, at random times.
pub(crate) const SAMPLING: Variation = Variation {
    even: false,
    regular: false,
    runs: 0.0,
    delays: 0.0,
    each: 0.0,
    clump: 0.0,
    some: 0.0,
    first: 0.0,
    groups: 0.0,
    two_kinds: 0.0,
    first_of_two_kinds: 0.0,
    outliers: 0.0,
    first_outliers: 0.0,
    drift: 0.0,
    neighbours: 0.0,
    one_after_the_other: false,
};

/// Only sampling, at even intervals.
pub(crate) const EVEN: Variation = Variation { even: true, ..SAMPLING };

/// A program and the way in which its runs vary.
pub(crate) struct Setting {
    pub(crate) name: &'static str,
    pub(crate) n_functions: usize,
    pub(crate) n_ticks: f64,
    pub(crate) variation: Variation,
}

pub(crate) const fn setting(
    name: &'static str,
    n_functions: usize,
    n_ticks: f64,
    variation: Variation,
) -> Setting {
    Setting { name, n_functions, n_ticks, variation }
}

/// Settings for few runs a side, then settings that need more runs.
pub(crate) const SETTINGS: [Setting; 26] = [
    setting("even clock, 10 functions, 200 ticks", 10, 200.0, EVEN),
    setting("even clock, 4 functions, 1000 ticks", 4, 1000.0, EVEN),
    setting("even clock, 60 functions, 2000 ticks", 60, 2000.0, EVEN),
    setting("random clock, 10 functions, 200 ticks", 10, 200.0, SAMPLING),
    setting("random clock, 100 functions, 5000 ticks", 100, 5000.0, SAMPLING),
    setting("random clock, 400 functions, 50,000 ticks", 400, 50_000.0, SAMPLING),
    setting(
        "regular: each function once and for long",
        20,
        1000.0,
        Variation { regular: true, ..EVEN },
    ),
    setting("regular, all by 3 %", 20, 1000.0, Variation { regular: true, runs: 0.03, ..EVEN }),
    setting("regular, each by 5 %", 20, 1000.0, Variation { regular: true, each: 0.05, ..EVEN }),
    setting("each by 5 %", 60, 2000.0, Variation { each: 0.05, ..EVEN }),
    setting("each by 20 %", 60, 2000.0, Variation { each: 0.2, ..EVEN }),
    setting("in clumps of 3 ticks", 60, 2000.0, Variation { clump: 3.0, ..SAMPLING }),
    setting("all by 3 %", 60, 2000.0, Variation { runs: 0.03, ..EVEN }),
    setting("all by 10 %", 60, 2000.0, Variation { runs: 0.1, ..EVEN }),
    setting(
        "all by 3 %, each by 5 %, random clock",
        100,
        5000.0,
        Variation { runs: 0.03, each: 0.05, ..SAMPLING },
    ),
    setting("all by delays of 5 % on average", 60, 2000.0, Variation { delays: 0.05, ..EVEN }),
    setting(
        "each by 2 %, one in ten by 30 %",
        60,
        5000.0,
        Variation { each: 0.02, some: 0.3, ..EVEN },
    ),
    setting("the largest by 10 %", 60, 5000.0, Variation { first: 0.1, ..EVEN }),
    setting("four groups of functions by 10 %", 60, 2000.0, Variation { groups: 0.1, ..EVEN }),
    setting("one run in ten 50 % longer", 60, 2000.0, Variation { outliers: 0.5, ..EVEN }),
    setting("drift of 1 % a run, sides in turn", 60, 2000.0, Variation { drift: 0.01, ..EVEN }),
    setting(
        "5 %, like the run before, sides in turn",
        60,
        2000.0,
        Variation { neighbours: 0.05, ..EVEN },
    ),
    setting(
        "largest twice as long in one run of ten",
        60,
        2000.0,
        Variation { first_outliers: 1.0, ..EVEN },
    ),
    setting("half of the runs 10 % longer", 60, 2000.0, Variation { two_kinds: 0.1, ..EVEN }),
    setting(
        "largest 30 % longer in half of the runs",
        60,
        2000.0,
        Variation { first_of_two_kinds: 0.3, ..EVEN },
    ),
    setting(
        "5 %, like the run before, one side first",
        60,
        2000.0,
        Variation { neighbours: 0.05, one_after_the_other: true, ..EVEN },
    ),
];

/// The number of settings in which few runs a side are enough.
pub(crate) const N_USUAL: usize = 22;

/// The ticks of the functions in each run of a side.
pub(crate) type Runs = Vec<Vec<f64>>;

/// How much of the difference to the usual time is left in the next run.
const KEPT: f64 = 0.8;

/// The state of the machine.
#[derive(Default)]
struct Machine {
    n_runs: u32,
    deviation: f64,
}

impl Machine {
    /// The time of the next run, relative to the usual one.
    fn next(&mut self, dice: &mut Dice, variation: &Variation) -> f64 {
        let news = (1.0 - KEPT * KEPT).sqrt();
        self.deviation = if self.n_runs == 0 {
            dice.normal()
        } else {
            KEPT * self.deviation + news * dice.normal()
        };
        self.n_runs += 1;
        let happens = |dice: &mut Dice, chance: f64, more: f64| {
            if more > 0.0 && dice.share() < chance { 1.0 + more } else { 1.0 }
        };
        factor(dice, variation.runs)
            * (1.0 - variation.delays * dice.share().ln())
            * happens(dice, 0.5, variation.two_kinds)
            * happens(dice, 0.1, variation.outliers)
            * (1.0 + variation.drift * f64::from(self.n_runs))
            * (variation.neighbours * self.deviation).exp()
    }
}

impl Program {
    /// So many functions and ticks in all; a few functions have most of them.
    pub(crate) fn draw(dice: &mut Dice, n_functions: usize, n_ticks: f64) -> Self {
        let steepness = dice.between(0.6, 1.6);
        let is_curved = dice.share() < 0.5;
        let means: Vec<f64> = (1..=n_functions)
            .map(|place| {
                if is_curved {
                    (2.0 * steepness * dice.normal()).exp()
                } else {
                    (place as f64).powf(-steepness)
                }
            })
            .collect();
        Self { means }.with_ticks(n_ticks)
    }

    /// The same with a first function that has such a share.
    pub(crate) fn with_first(mut self, share: f64) -> Self {
        let n_ticks: f64 = self.means.iter().sum();
        let others: f64 = self.means[1..].iter().sum();
        for mean in &mut self.means[1..] {
            *mean *= (1.0 - share) * n_ticks / others;
        }
        self.means[0] = share * n_ticks;
        self
    }

    /// The same with a first function that takes so many times as long.
    pub(crate) fn with_first_slower(mut self, factor: f64) -> Self {
        self.means[0] *= factor;
        self
    }

    /// The same with all functions so many times as long.
    pub(crate) fn with_all_slower(mut self, factor: f64) -> Self {
        for mean in &mut self.means {
            *mean *= factor;
        }
        self
    }

    fn with_ticks(mut self, n_ticks: f64) -> Self {
        let all: f64 = self.means.iter().sum();
        for mean in &mut self.means {
            *mean *= n_ticks / all;
        }
        self
    }

    /// Runs it so many times.
    pub(crate) fn side(&self, dice: &mut Dice, n_runs: usize, variation: &Variation) -> Side {
        let [runs, _] = both(dice, [self, self], [n_runs, 0], variation);
        side_of(&runs)
    }

    fn run(&self, dice: &mut Dice, of_run: f64, variation: &Variation) -> Vec<f64> {
        let groups = [0; 4].map(|_| factor(dice, variation.groups));
        let mut of_first = factor(dice, variation.first);
        if dice.share() < 0.5 {
            of_first *= 1.0 + variation.first_of_two_kinds;
        }
        if dice.share() < 0.1 {
            of_first *= 1.0 + variation.first_outliers;
        }
        let numbered = self.means.iter().enumerate();
        let times: Vec<f64> = numbered
            .map(|(place, &mean)| {
                let clump = (variation.clump / mean).sqrt();
                let mut time = mean * of_run * factor(dice, variation.each) * factor(dice, clump);
                time *= groups[place % groups.len()];
                if place % 10 == 3 {
                    time *= factor(dice, variation.some);
                }
                if place == 0 { time * of_first } else { time }
            })
            .collect();
        if !variation.even {
            return times.into_iter().map(|time| poisson(dice, time)).collect();
        }
        let start = dice.share();
        if variation.regular {
            let mut sum = start;
            return times
                .into_iter()
                .map(|time| {
                    let before = sum.floor();
                    sum += time;
                    sum.floor() - before
                })
                .collect();
        }
        let all: f64 = times.iter().sum();
        let n_ticks = (all + start).floor();
        split(dice, n_ticks, &times)
    }
}

/// Ticks at random functions, by their times.
fn split(dice: &mut Dice, n_ticks: f64, times: &[f64]) -> Vec<f64> {
    let mut sums = Vec::with_capacity(times.len());
    let mut sum = 0.0;
    for time in times {
        sum += time;
        sums.push(sum);
    }
    let mut ticks = vec![0.0; times.len()];
    let mut left = n_ticks;
    while left >= 1.0 {
        let at = dice.share() * sum;
        let function = sums.partition_point(|&sum| sum < at);
        ticks[function.min(times.len() - 1)] += 1.0;
        left -= 1.0;
    }
    ticks
}

/// Runs an old and a new program, in turn.
pub(crate) fn both(
    dice: &mut Dice,
    programs: [&Program; 2],
    n_runs: [usize; 2],
    variation: &Variation,
) -> [Runs; 2] {
    let mut machine = Machine::default();
    let mut sides = [Runs::new(), Runs::new()];
    let n_rounds = n_runs[0].max(n_runs[1]);
    let in_turn = (0..n_rounds).flat_map(|round| [(round, 0), (round, 1)]);
    let mut order: Vec<_> = in_turn.filter(|&(round, side)| round < n_runs[side]).collect();
    if variation.one_after_the_other {
        order.sort_by_key(|&(round, side)| (side, round));
    }
    for (_, side) in order {
        let of_run = machine.next(dice, variation);
        sides[side].push(programs[side].run(dice, of_run, variation));
    }
    sides
}

/// The clock of the simulated runs.
pub(crate) const SECONDS_PER_TICK: f64 = 0.01;

pub(crate) fn side_of(runs: &Runs) -> Side {
    let mut side = Side::default();
    for ticks in runs {
        let run =
            SideRun { seconds_per_tick: SECONDS_PER_TICK, ticks: ticks.iter().sum(), n_runs: 1 };
        side.add_run(run, ticks.iter().copied().enumerate());
    }
    side.set_order((0..runs.len()).collect());
    side
}

/// Compares, as files do that name functions with ticks only.
pub(crate) fn compared(old: &Side, new: &Side, options: &DifferenceOptions) -> Comparison {
    let n_functions = old.n_functions().max(new.n_functions());
    compare(old, new, &vec![Presence::Unknown; n_functions], options)
}

pub(crate) fn is_change(verdict: ChangeVerdict) -> bool {
    !matches!(verdict, ChangeVerdict::Same | ChangeVerdict::Unclear)
}

/// Whether a comparison reports a change of any function, or of the total.
pub(crate) fn says_any_change(comparison: &Comparison) -> bool {
    let functions = comparison.functions.iter();
    let mut all = functions.chain([&comparison.total]);
    all.any(|difference| is_change(difference.verdict))
}

/// A gamma distributed number of mean 1 and this deviation.
fn factor(dice: &mut Dice, deviation: f64) -> f64 {
    if deviation == 0.0 {
        return 1.0;
    }
    let shape = 1.0 / (deviation * deviation);
    gamma(dice, shape) / shape
}

/// Marsaglia and Tsang (2000).
fn gamma(dice: &mut Dice, shape: f64) -> f64 {
    if shape < 1.0 {
        let power = dice.share().powf(1.0 / shape);
        return gamma(dice, shape + 1.0) * power;
    }
    let d = shape - 1.0 / 3.0;
    loop {
        let x = dice.normal();
        let v = (1.0 + x / (9.0 * d).sqrt()).powi(3);
        if v > 0.0 && dice.share().ln() < x * x / 2.0 + d - d * v + d * v.ln() {
            return d * v;
        }
    }
}

/// From so many on, Poisson numbers are drawn by rejection, and not one by one.
const MANY: f64 = 30.0;

/// Hörmann's transformed rejection (1993).
fn poisson(dice: &mut Dice, mean: f64) -> f64 {
    if mean < MANY {
        return dice.poisson(mean) as f64;
    }
    let b = 0.931 + 2.53 * mean.sqrt();
    let a = -0.059 + 0.024_83 * b;
    let inverse_alpha = 1.1239 + 1.1328 / (b - 3.4);
    let v_r = 0.9277 - 3.6224 / (b - 2.0);
    loop {
        let (u, v) = (dice.share() - 0.5, dice.share());
        let side = 0.5 - u.abs();
        let found = ((2.0 * a / side + b) * u + mean + 0.43).floor();
        if side >= 0.07 && v <= v_r {
            return found;
        }
        if found < 0.0 || (side < 0.013 && v > side) {
            continue;
        }
        let density = found * mean.ln() - mean - ln_factorial(found);
        if (v * inverse_alpha / (a / (side * side) + b)).ln() <= density {
            return found;
        }
    }
}

fn ln_factorial(n: f64) -> f64 {
    // Stirling's series; its correction matters for small numbers.
    let x = n + 1.0;
    if x < 10.0 {
        return ln_factorial(n + 1.0) - x.ln();
    }
    (x - 0.5) * x.ln() - x + 0.5 * std::f64::consts::TAU.ln() + 1.0 / (12.0 * x)
        - 1.0 / (360.0 * x * x * x)
}
