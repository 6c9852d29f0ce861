//! The incomplete gamma and beta functions: cumulative Poisson and binomial distributions,
//! for fractional arguments too.
//!
//! Evaluated by a series or a continued fraction, whichever converges, in about as many steps
//! as the square root of the arguments, to ten digits. Source: Abramowitz and Stegun,
//! *Handbook of Mathematical Functions*, 6.1, 6.5 and 26.5.

/// A series ends when the next term is smaller than this part of the sum.
const PRECISION: f64 = 1e-16;

/// Maximum number of steps, enough for all arguments.
const N_STEPS: u32 = 100_000;

/// Replaces 0 in a denominator.
const TINY: f64 = 1e-300;

/// The regularised lower incomplete gamma function P(a, x): the probability that a Poisson
/// number of mean `x` is `a` or more.
pub(super) fn gamma_below(a: f64, x: f64) -> f64 {
    if a <= 0.0 {
        return 1.0;
    }
    if x <= 0.0 {
        return 0.0;
    }
    let scale = (a * x.ln() - x - ln_gamma(a)).exp();
    if x < a + 1.0 { scale * gamma_series(a, x) } else { 1.0 - scale * gamma_fraction(a, x) }
}

/// The upper one, Q(a, x), accurate if small.
pub(crate) fn gamma_above(a: f64, x: f64) -> f64 {
    if x < a + 1.0 {
        return 1.0 - gamma_below(a, x);
    }
    let scale = (a * x.ln() - x - ln_gamma(a)).exp();
    scale * gamma_fraction(a, x)
}

/// The derivative of P(a, x) by `x`.
pub(super) fn gamma_density(a: f64, x: f64) -> f64 {
    if a <= 0.0 || x <= 0.0 {
        return 0.0;
    }
    ((a - 1.0) * x.ln() - x - ln_gamma(a)).exp()
}

/// The regularised incomplete beta function at 1/2: the probability of `a` or more heads in
/// `a + b - 1` throws of a fair coin. Converges unless `a` is much less than `b`.
pub(super) fn beta_below_half(a: f64, b: f64) -> f64 {
    if a <= 0.0 {
        return 1.0;
    }
    if b <= 0.0 {
        return 0.0;
    }
    let ln_scale = ln_gamma(a + b) - ln_gamma(a) - ln_gamma(b) - (a + b) * 2f64.ln();
    ln_scale.exp() / (a * beta_fraction(a, b, 0.5))
}

/// The regularised incomplete beta function: the probability of `a` or more heads in `a + b -
/// 1` throws of a coin with probability `x`. `rest` is 1 - `x`, without loss of digits.
pub(crate) fn beta_below(a: f64, b: f64, x: f64, rest: f64) -> f64 {
    if a <= 0.0 || rest <= 0.0 {
        return 1.0;
    }
    if b <= 0.0 || x <= 0.0 {
        return 0.0;
    }
    let ln_scale = ln_gamma(a + b) - ln_gamma(a) - ln_gamma(b) + a * x.ln() + b * rest.ln();
    // The fraction converges on one side of the mean, and for the rest on the other.
    if x <= (a + 1.0) / (a + b + 2.0) {
        ln_scale.exp() / (a * beta_fraction(a, b, x))
    } else {
        1.0 - ln_scale.exp() / (b * beta_fraction(b, a, rest))
    }
}

/// The continued fraction of the incomplete beta function.
fn beta_fraction(a: f64, b: f64, x: f64) -> f64 {
    continued_fraction(1.0, 1.0, |step| {
        let m = f64::from(step / 2);
        let numerator = if step % 2 == 0 {
            m * (b - m) * x / ((a + 2.0 * m - 1.0) * (a + 2.0 * m))
        } else {
            -(a + m) * (a + b + m) * x / ((a + 2.0 * m) * (a + 2.0 * m + 1.0))
        };
        (numerator, 1.0)
    })
}

fn gamma_series(a: f64, x: f64) -> f64 {
    let mut term = 1.0 / a;
    let mut sum = term;
    for step in 1..N_STEPS {
        term *= x / (a + f64::from(step));
        sum += term;
        if term < sum * PRECISION {
            break;
        }
    }
    sum
}

fn gamma_fraction(a: f64, x: f64) -> f64 {
    let first = x + 1.0 - a;
    1.0 / continued_fraction(first, first, |step| {
        let step = f64::from(step);
        (step * (a - step), x + 1.0 - a + 2.0 * step)
    })
}

/// `first + n1 / (d1 + n2 / (d2 + …))`; `part` returns numerators and denominators from 1 on.
/// Lentz's method.
fn continued_fraction(first: f64, start: f64, part: impl Fn(u32) -> (f64, f64)) -> f64 {
    let away_from_zero = |value: f64| if value.abs() < TINY { TINY } else { value };
    let mut value = away_from_zero(start);
    let mut up = away_from_zero(first);
    let mut down = 0.0;
    for step in 1..N_STEPS {
        let (numerator, denominator) = part(step);
        down = 1.0 / away_from_zero(denominator + numerator * down);
        up = away_from_zero(denominator + numerator / up);
        let change = up * down;
        value *= change;
        if (change - 1.0).abs() < PRECISION {
            break;
        }
    }
    value
}

/// The logarithm of the gamma function of a positive number, by Stirling's series, which is
/// exact to double precision from 15 on.
pub(crate) fn ln_gamma(x: f64) -> f64 {
    let (mut x, mut product) = (x, 1.0);
    while x < 15.0 {
        product *= x;
        x += 1.0;
    }
    let square = 1.0 / (x * x);
    let series = 1.0 / 12.0 - square * (1.0 / 360.0 - square * (1.0 / 1260.0 - square / 1680.0));
    let half_ln_two_pi = 0.5 * std::f64::consts::TAU.ln();
    (x - 0.5) * x.ln() - x + half_ln_two_pi + series / x - product.ln()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(found: f64, expected: f64) {
        let error = (found - expected).abs();
        assert!(error <= 1e-10 * expected.abs().max(1e-3), "{found} is not {expected}");
    }

    #[test]
    fn the_gamma_function_is_the_factorial() {
        let mut factorial = 1.0f64;
        for n in 1..=30u32 {
            check(ln_gamma(f64::from(n)), factorial.ln());
            factorial *= f64::from(n);
        }
        check(ln_gamma(0.5), std::f64::consts::PI.sqrt().ln());
    }

    #[test]
    fn poisson_chances_are_sums_of_their_terms() {
        for mean in [0.01, 0.7, 3.0, 12.5, 80.0, 400.0f64] {
            let mut term = (-mean).exp();
            let mut below = term;
            for n in 1..600u32 {
                // The probability of n or more is the complement of fewer than n.
                check(gamma_below(f64::from(n), mean), 1.0 - below);
                term *= mean / f64::from(n);
                below += term;
            }
        }
    }

    #[test]
    fn coins_follow_the_binomial_distribution() {
        // In 10 throws, by hand: 1, 10, 45, 120, 210, 252 ways of 1024.
        check(beta_below_half(10.0, 1.0), 1.0 / 1024.0);
        check(beta_below_half(9.0, 2.0), 11.0 / 1024.0);
        check(beta_below_half(8.0, 3.0), 56.0 / 1024.0);
        check(beta_below_half(6.0, 5.0), 386.0 / 1024.0);
        check(beta_below(6.0, 5.0, 0.5, 0.5), 386.0 / 1024.0);
        // In 2000 throws, at least as many heads as tails: half, plus half of the middle.
        let middle = 0.017_838_967_0; // 2000 over 1000, by 2 to the 2000th
        assert!((beta_below_half(1000.0, 1001.0) - (0.5 + middle / 2.0)).abs() < 1e-6);
    }
    #[test]
    fn coins_may_be_loaded() {
        for (n, x) in [(10i32, 0.25), (40, 0.01), (60, 0.9), (200, 0.4f64)] {
            let rest = 1.0 - x;
            let mut ways = 1.0;
            let mut terms = Vec::new();
            for face in 0..=n {
                terms.push(ways * x.powi(face) * rest.powi(n - face));
                ways *= f64::from(n - face) / f64::from(face + 1);
            }
            for face in 1..=n {
                // Small terms first, so that small sums are right.
                let chance: f64 = terms[face as usize..].iter().rev().sum();
                let (a, b) = (f64::from(face), f64::from(n - face + 1));
                let found = beta_below(a, b, x, rest);
                let error = (found / chance - 1.0).abs();
                assert!(error < 1e-9, "{face} of {n} at {x}: {found} is not {chance}");
                check(beta_below(b, a, rest, x), 1.0 - chance);
            }
        }
    }

    #[test]
    fn upper_tails_complement_lower_ones_and_are_precise() {
        for (a, x) in [(0.5, 0.1), (0.5, 3.0), (7.0, 5.0), (7.0, 20.0)] {
            check(gamma_above(a, x), 1.0 - gamma_below(a, x));
        }
        // For shape 1 the upper tail is e^-x.
        let small = gamma_above(1.0, 300.0);
        assert!((small / (-300f64).exp() - 1.0).abs() < 1e-9, "{small}");
    }
}
