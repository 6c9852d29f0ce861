//! Usual tests of the same runs, to compare with.

use crate::dice::Dice;
use crate::simulation::Runs;

/// A usual way to compare runs.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Rival {
    /// Welch's test of each function and the program, adjusted by Holm.
    Welch,
    /// Student's test of logarithms, with variances moderated by the variances of all functions
    /// (Smyth 2004), adjusted by Holm.
    Moderated,
    /// The largest statistic of all, over permutations of runs (Westfall and Young 1993).
    MaxT,
    /// Mann and Whitney's test, adjusted by Holm.
    Ranks,
    /// The same, not adjusted, as benchstat does.
    Benchstat,
    /// The exact test of shares: the samples of a function are binomial by the samples of both
    /// sides, if they are Poisson distributed (Przyborowski and Wilenski 1940); adjusted by Holm.
    Binomial,
}

pub(crate) const RIVALS: [Rival; 6] =
    [Rival::Welch, Rival::Moderated, Rival::MaxT, Rival::Ranks, Rival::Benchstat, Rival::Binomial];

/// Mean ticks below which functions are left out, as usual.
const LEAST_TICKS: f64 = 1.0;

/// The ticks of a function in the runs of both sides.
type Row = [Vec<f64>; 2];

impl Rival {
    /// The number of runs a side without which it shows nothing.
    pub(crate) fn least_runs(self) -> usize {
        if self == Self::Binomial { 1 } else { 2 }
    }

    /// Which functions changed, the program last, by their number of the functions.
    pub(crate) fn found(self, dice: &mut Dice, sides: &[Runs; 2], alpha: f64) -> Vec<usize> {
        let n_functions = sides[0][0].len();
        let row = |of: &dyn Fn(&[f64]) -> f64| {
            [0, 1].map(|side: usize| sides[side].iter().map(|run| of(run)).collect())
        };
        let rows = (0..n_functions).map(|function| row(&|run| run[function]));
        let rows = rows.chain([row(&|run| run.iter().sum())]);
        let is_large = |(_, row): &(usize, Row)| {
            row.iter().map(|side| mean(side)).sum::<f64>() >= 2.0 * LEAST_TICKS
        };
        let (numbers, rows): (Vec<usize>, Vec<Row>) = rows.enumerate().filter(is_large).unzip();
        let ps: Vec<f64> = match self {
            Self::Welch => rows.iter().map(welch).collect(),
            Self::Moderated => moderated(&rows),
            Self::MaxT => max_t(dice, &rows),
            Self::Ranks | Self::Benchstat => rows.iter().map(ranks).collect(),
            Self::Binomial => binomial_chances(&rows),
        };
        let ps = match self {
            Self::MaxT | Self::Benchstat => ps,
            _ => holm(&ps),
        };
        let found = numbers.into_iter().zip(ps);
        found.filter(|&(_, p)| p <= alpha).map(|(number, _)| number).collect()
    }
}

fn holm(ps: &[f64]) -> Vec<f64> {
    let mut order: Vec<usize> = (0..ps.len()).collect();
    order.sort_by(|&a, &b| ps[a].total_cmp(&ps[b]));
    let mut adjusted = vec![1.0; ps.len()];
    let mut most = 0.0f64;
    for (rank, index) in order.into_iter().enumerate() {
        most = most.max(ps[index] * (ps.len() - rank) as f64);
        adjusted[index] = most.min(1.0);
    }
    adjusted
}

fn mean(of: &[f64]) -> f64 {
    of.iter().sum::<f64>() / of.len() as f64
}

/// The sum of squared deviations.
fn squares(of: &[f64]) -> f64 {
    let mean = mean(of);
    of.iter().map(|one| (one - mean) * (one - mean)).sum()
}

fn welch_t([old, new]: &Row) -> (f64, f64) {
    let part = |of: &[f64]| {
        let n = of.len() as f64;
        squares(of) / (n - 1.0) / n
    };
    let (a, b) = (part(old), part(new));
    let degrees = |of: &[f64], part: f64| part * part / (of.len() as f64 - 1.0);
    let change = mean(new) - mean(old);
    if a + b == 0.0 {
        return (if change == 0.0 { 0.0 } else { f64::INFINITY }, 1.0);
    }
    let all = (a + b) * (a + b) / (degrees(old, a) + degrees(new, b));
    (change / (a + b).sqrt(), all)
}

fn welch(row: &Row) -> f64 {
    let (t, degrees) = welch_t(row);
    t_beyond(t, degrees)
}

fn moderated(rows: &[Row]) -> Vec<f64> {
    let logs = rows.iter().map(|row| {
        row.each_ref().map(|side| side.iter().map(|ticks| (ticks + 0.5).ln()).collect::<Vec<_>>())
    });
    let logs: Vec<Row> = logs.collect();
    let [n_old, n_new] = [0, 1].map(|side: usize| logs[0][side].len() as f64);
    let degrees = n_old + n_new - 2.0;
    let variances =
        logs.iter().map(|[old, new]| ((squares(old) + squares(new)) / degrees).max(1e-12));
    let variances: Vec<f64> = variances.collect();
    let half = degrees / 2.0;
    let e: Vec<f64> = variances.iter().map(|v| v.ln() - digamma(half) + half.ln()).collect();
    let spread = squares(&e) / (e.len() as f64 - 1.0).max(1.0) - trigamma(half);
    let (prior, scale) = if spread > 0.0 {
        let half_prior = trigamma_inverse(spread);
        (2.0 * half_prior, (mean(&e) + digamma(half_prior) - half_prior.ln()).exp())
    } else {
        (1e6, mean(&e).exp())
    };
    let per_run = 1.0 / n_old + 1.0 / n_new;
    let of_row = logs.iter().zip(variances).map(|([old, new], variance)| {
        let all = prior + degrees;
        let variance = (prior * scale + degrees * variance) / all;
        t_beyond((mean(new) - mean(old)) / (variance * per_run).sqrt(), all)
    });
    of_row.collect()
}

/// Permutations drawn if there are too many for all.
const N_DRAWN: usize = 999;

fn max_t(dice: &mut Dice, rows: &[Row]) -> Vec<f64> {
    let n_old = rows[0][0].len();
    let n_all = n_old + rows[0][1].len();
    let all: Vec<Vec<f64>> = rows.iter().map(|row| row.concat()).collect();
    let t = |row: &Vec<f64>, chosen: &[usize]| {
        let (mut sum, mut squares, mut sum_all, mut squares_all) = (0.0, 0.0, 0.0, 0.0);
        for one in row {
            sum_all += one;
            squares_all += one * one;
        }
        for &one in chosen {
            sum += row[one];
            squares += row[one] * row[one];
        }
        let (n, m) = (chosen.len() as f64, (n_all - chosen.len()) as f64);
        let within = squares - sum * sum / n;
        let other = sum_all - sum;
        let within_other = squares_all - squares - other * other / m;
        let variance = (within + within_other) / (n + m - 2.0) * (1.0 / n + 1.0 / m);
        let change = (sum / n - other / m).abs();
        if change <= 1e-9 { 0.0 } else { change / variance.max(1e-12).sqrt() }
    };
    let first: Vec<usize> = (0..n_old).collect();
    let seen: Vec<f64> = all.iter().map(|row| t(row, &first)).collect();
    let mut sets = Vec::new();
    if binomial(n_all, n_old) <= 1000.0 {
        let mut chosen = first.clone();
        loop {
            sets.push(chosen.clone());
            let Some(place) = (0..n_old).rev().find(|&place| chosen[place] < n_all - n_old + place)
            else {
                break;
            };
            chosen[place] += 1;
            for next in place + 1..n_old {
                chosen[next] = chosen[next - 1] + 1;
            }
        }
    } else {
        sets.push(first.clone());
        for _ in 0..N_DRAWN {
            let mut runs: Vec<usize> = (0..n_all).collect();
            for place in 0..n_old {
                let other = place + dice.below((n_all - place) as u64);
                runs.swap(place, other);
            }
            runs.truncate(n_old);
            sets.push(runs);
        }
    }
    let mut n_as_large = vec![0u32; rows.len()];
    for set in &sets {
        let most = all.iter().map(|row| t(row, set)).fold(0.0, f64::max);
        for (count, seen) in n_as_large.iter_mut().zip(&seen) {
            *count += u32::from(most >= seen * (1.0 - 1e-9));
        }
    }
    n_as_large.into_iter().map(|count| f64::from(count) / sets.len() as f64).collect()
}

fn binomial(n: usize, k: usize) -> f64 {
    (0..k).map(|i| (n - i) as f64 / (i + 1) as f64).product()
}

/// The exact distribution without ties, the normal one from ten runs a side on.
fn ranks([old, new]: &Row) -> f64 {
    let (n, m) = (old.len(), new.len());
    let u: f64 = old
        .iter()
        .flat_map(|a| {
            new.iter().map(move |b| match b.total_cmp(a) {
                std::cmp::Ordering::Greater => 1.0,
                std::cmp::Ordering::Equal => 0.5,
                std::cmp::Ordering::Less => 0.0,
            })
        })
        .sum();
    let most = (n * m) as f64;
    let u = u.min(most - u);
    if n + m > 20 {
        let deviation = (most * (n + m + 1) as f64 / 12.0).sqrt();
        return t_beyond((most / 2.0 - u) / deviation, 1e6).min(1.0);
    }
    // ways[i][u]: i of the runs so far are old.
    let mut ways = vec![vec![0.0; n * m + 1]; n + 1];
    ways[0][0] = 1.0;
    for run in 0..n + m {
        for old in (0..n).rev() {
            let n_new = run - old.min(run);
            if run < old || n_new > m {
                continue;
            }
            for u in 0..=n * m - n_new.min(n * m) {
                let more = ways[old][u];
                ways[old + 1][u + n_new] += more;
            }
        }
    }
    let below: f64 =
        ways[n].iter().enumerate().filter(|&(at, _)| at as f64 <= u).map(|(_, w)| w).sum();
    (2.0 * below / binomial(n + m, n)).min(1.0)
}

/// `rows` end with the program.
fn binomial_chances(rows: &[Row]) -> Vec<f64> {
    let sums: Vec<[f64; 2]> =
        rows.iter().map(|row| row.each_ref().map(|side| side.iter().sum())).collect();
    let [all_old, all_new] = sums[sums.len() - 1];
    let share = all_old / (all_old + all_new);
    let chance = |&[old, new]: &[f64; 2]| {
        let at_least = |n: f64, others: f64, share: f64| {
            if n == 0.0 { 1.0 } else { beta_below(n, others + 1.0, share) }
        };
        let tails = [at_least(old, new, share), at_least(new, old, 1.0 - share)];
        (2.0 * tails[0].min(tails[1])).min(1.0)
    };
    sums.iter().map(chance).collect()
}

fn digamma(mut x: f64) -> f64 {
    let mut sum = 0.0;
    while x < 10.0 {
        sum -= 1.0 / x;
        x += 1.0;
    }
    sum + x.ln() - 0.5 / x - 1.0 / (12.0 * x * x) + 1.0 / (120.0 * x.powi(4))
}

fn trigamma(mut x: f64) -> f64 {
    let mut sum = 0.0;
    while x < 10.0 {
        sum += 1.0 / (x * x);
        x += 1.0;
    }
    sum + 1.0 / x + 0.5 / (x * x) + 1.0 / (6.0 * x.powi(3)) - 1.0 / (30.0 * x.powi(5))
}

fn trigamma_inverse(y: f64) -> f64 {
    let (mut low, mut high) = (1e-3f64, 1e6f64);
    for _ in 0..100 {
        let middle = (low * high).sqrt();
        if trigamma(middle) > y { low = middle } else { high = middle }
    }
    low
}

/// The two-sided tail of Student's distribution.
fn t_beyond(t: f64, degrees: f64) -> f64 {
    if t.is_finite() { beta_below(degrees / 2.0, 0.5, degrees / (degrees + t * t)) } else { 0.0 }
}

/// The regularized incomplete beta function, by its continued fraction.
fn beta_below(a: f64, b: f64, x: f64) -> f64 {
    if x >= 1.0 {
        return 1.0;
    }
    let scale =
        (ln_gamma(a + b) - ln_gamma(a) - ln_gamma(b) + a * x.ln() + b * (1.0 - x).ln()).exp();
    if x < (a + 1.0) / (a + b + 2.0) {
        scale * fraction(a, b, x) / a
    } else {
        1.0 - scale * fraction(b, a, 1.0 - x) / b
    }
}

fn fraction(a: f64, b: f64, x: f64) -> f64 {
    let guard = |v: f64| if v.abs() < 1e-300 { 1e-300 } else { v };
    let mut c = 1.0;
    let mut d = 1.0 / guard(1.0 - (a + b) * x / (a + 1.0));
    let mut result = d;
    for step in 1..10_000 {
        let m = f64::from(step);
        let even = m * (b - m) * x / ((a + 2.0 * m - 1.0) * (a + 2.0 * m));
        d = 1.0 / guard(1.0 + even * d);
        c = guard(1.0 + even / c);
        result *= d * c;
        let odd = -(a + m) * (a + b + m) * x / ((a + 2.0 * m) * (a + 2.0 * m + 1.0));
        d = 1.0 / guard(1.0 + odd * d);
        c = guard(1.0 + odd / c);
        result *= d * c;
        if (d * c - 1.0).abs() < 1e-12 {
            break;
        }
    }
    result
}

fn ln_gamma(x: f64) -> f64 {
    if x < 10.0 {
        return ln_gamma(x + 1.0) - x.ln();
    }
    (x - 0.5) * x.ln() - x + 0.5 * std::f64::consts::TAU.ln() + 1.0 / (12.0 * x)
        - 1.0 / (360.0 * x * x * x)
}
