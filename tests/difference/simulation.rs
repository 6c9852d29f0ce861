//! Programs and runs of them of which the truth is known.

use profan::compare::difference::{
    ChangeVerdict, Comparison, DifferenceOptions, Presence, Side, SideRun, compare,
};

use crate::dice::Dice;

/// A program: the ticks that each function has in a run, on average.
#[derive(Clone, Debug)]
pub(crate) struct Program {
    pub(crate) means: Vec<f64>,
}

/// How runs vary, apart from sampling.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Variation {
    /// Not at all.
    Sampling,
    /// Each function by itself, by so much of its time.
    Functions(f64),
    /// Each function by itself, so that its ticks come in clumps of so many.
    Overdispersed(f64),
    /// All functions of a run together, by so much of their time.
    Runs(f64),
    /// All together, and each by itself.
    RunsAndFunctions(f64, f64),
    /// One function in ten by far more than others.
    Some(f64, f64),
    /// The first function, which has half of all ticks, by so much of its time.
    First(f64),
}

/// Ways to vary, of which the first is not to.
pub(crate) const VARIATIONS: [Variation; 9] = [
    Variation::Sampling,
    Variation::Functions(0.05),
    Variation::Functions(0.2),
    Variation::Overdispersed(3.0),
    Variation::Runs(0.03),
    Variation::Runs(0.1),
    Variation::RunsAndFunctions(0.03, 0.05),
    Variation::Some(0.02, 0.3),
    Variation::First(0.1),
];

impl Program {
    /// Of 50 to 500 functions and 50 to 50,000 ticks, which is to vary like that.
    pub(crate) fn draw_any(dice: &mut Dice, variation: Variation) -> Self {
        let n_functions = dice.below(451) + 50;
        let n_ticks = dice.between(50f64.ln(), 50_000f64.ln()).exp();
        let program = Self::draw(dice, n_functions, n_ticks);
        match variation {
            Variation::First(_) => program.with_first(0.5),
            _ => program,
        }
    }

    /// So many functions and ticks in all; a few functions have most of them.
    pub(crate) fn draw(dice: &mut Dice, n_functions: usize, n_ticks: f64) -> Self {
        let steepness = dice.between(0.6, 1.6);
        let is_curved = dice.share() < 0.5;
        let means: Vec<f64> = (1..=n_functions)
            .map(|place| {
                if is_curved {
                    (2.0 * steepness * normal(dice)).exp()
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

    fn with_ticks(mut self, n_ticks: f64) -> Self {
        let all: f64 = self.means.iter().sum();
        for mean in &mut self.means {
            *mean *= n_ticks / all;
        }
        self
    }

    /// Runs it so many times.
    pub(crate) fn side(&self, dice: &mut Dice, n_runs: usize, variation: Variation) -> Side {
        let mut side = Side::default();
        for _ in 0..n_runs {
            let ticks = self.run(dice, variation);
            let run = SideRun {
                seconds_per_tick: 0.01,
                ticks: ticks.iter().sum(),
                n_runs: 1,
            };
            side.add_run(run, ticks.into_iter().enumerate());
        }
        side
    }

    fn run(&self, dice: &mut Dice, variation: Variation) -> Vec<f64> {
        use Variation as V;
        let of_run = match variation {
            V::Runs(spread) | V::RunsAndFunctions(spread, _) => factor(dice, spread),
            _ => 1.0,
        };
        let numbered = self.means.iter().enumerate();
        let ticks = numbered.map(|(place, &mean)| {
            let of_function = match variation {
                V::Functions(spread) | V::RunsAndFunctions(_, spread) => factor(dice, spread),
                V::Overdispersed(overdisperse) => {
                    factor(dice, ((overdisperse - 1.0) / mean).sqrt())
                }
                V::Some(most, some) => factor(dice, if place % 10 == 3 { some } else { most }),
                V::First(spread) if place == 0 => factor(dice, spread),
                V::Sampling | V::Runs(_) | V::First(_) => 1.0,
            };
            poisson(dice, mean * of_run * of_function)
        });
        ticks.collect()
    }
}

/// Compares, as files do that name functions with ticks only.
pub(crate) fn compared(old: &Side, new: &Side, options: &DifferenceOptions) -> Comparison {
    let n_functions = old.n_functions().max(new.n_functions());
    compare(old, new, &vec![Presence::Unknown; n_functions], options)
}

pub(crate) fn is_change(verdict: ChangeVerdict) -> bool {
    !matches!(verdict, ChangeVerdict::Same | ChangeVerdict::Unclear)
}

/// Whether any function, or the total, is said to have changed.
pub(crate) fn says_any_change(comparison: &Comparison) -> bool {
    let functions = comparison.functions.iter();
    let mut all = functions.chain([&comparison.total]);
    all.any(|difference| is_change(difference.verdict))
}

fn normal(dice: &mut Dice) -> f64 {
    (-2.0 * dice.share().ln()).sqrt() * (std::f64::consts::TAU * dice.share()).cos()
}

/// A gamma distributed number of mean 1 and this deviation.
fn factor(dice: &mut Dice, deviation: f64) -> f64 {
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
        let x = normal(dice);
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
    // Stirling's series, of which the rest counts where numbers are small.
    let x = n + 1.0;
    if x < 10.0 {
        return ln_factorial(n + 1.0) - x.ln();
    }
    (x - 0.5) * x.ln() - x + 0.5 * std::f64::consts::TAU.ln() + 1.0 / (12.0 * x)
        - 1.0 / (360.0 * x * x * x)
}
