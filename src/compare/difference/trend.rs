//! Variation of functions between runs, by their number of ticks.

/// The least multiple: ticks at even intervals vary less than ticks at random times.
pub(super) const LEAST: f64 = 0.1;

/// Variance of the ticks of a function, as a multiple of the Poisson variance.
///
/// Sampling contributes a constant: 1 at random times, less at even intervals. Times that vary by
/// the same share in all functions add a term proportional to ticks.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Trend {
    floor: f64,
    slope: f64,
}

impl Trend {
    /// Poisson variance.
    pub(super) const POISSON: Self = Self { floor: 1.0, slope: 0.0 };

    /// Fits pairs of mean ticks per run and observed multiple.
    ///
    /// The standard deviation of a multiple is proportional to it, so weights are the inverse
    /// squares of fitted values, in several rounds. Linear in functions.
    pub(super) fn fit(found: &[(f64, f64)]) -> Self {
        let mut trend = Self::POISSON;
        if found.is_empty() {
            return trend;
        }
        for _ in 0..10 {
            trend = trend.refit(found);
        }
        trend
    }

    pub(super) fn at(&self, mean: f64) -> f64 {
        self.floor + self.slope * mean
    }

    /// A least-squares line, limited to [`LEAST`] or more.
    fn refit(&self, found: &[(f64, f64)]) -> Self {
        let (mut n, mut x, mut xx, mut y, mut xy) = (0.0, 0.0, 0.0, 0.0, 0.0);
        for &(mean, multiple) in found {
            let expected = self.at(mean);
            let weight = 1.0 / (expected * expected);
            n += weight;
            x += weight * mean;
            xx += weight * mean * mean;
            y += weight * multiple;
            xy += weight * mean * multiple;
        }
        let scale = n * xx - x * x;
        let flat = Self { floor: (y / n).max(LEAST), slope: 0.0 };
        // All functions have about as many ticks, so a line cannot be fitted.
        if scale <= 1e-9 * n * xx {
            return flat;
        }
        let (floor, slope) = ((y * xx - xy * x) / scale, (xy * n - y * x) / scale);
        if slope <= 0.0 {
            flat
        } else if floor < LEAST {
            let slope = ((xy - LEAST * x) / xx).max(0.0);
            Self { floor: LEAST, slope }
        } else {
            Self { floor, slope }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn fit(of: impl Fn(f64) -> f64) -> Trend {
        let found: Vec<_> = (1..200u32)
            .map(|step| f64::from(step * step) / 10.0)
            .map(|mean| (mean, of(mean)))
            .collect();
        Trend::fit(&found)
    }

    #[test]
    fn lines_are_found() {
        for (floor, slope) in [(1.0, 0.0), (3.0, 0.0), (1.0, 0.01), (2.0, 0.5)] {
            let trend = fit(|mean| floor + slope * mean);
            assert!((trend.floor - floor).abs() < 1e-6, "{trend:?}");
            assert!((trend.slope - slope).abs() < 1e-6, "{trend:?}");
        }
    }

    #[test]
    fn ticks_at_even_intervals_vary_less_but_not_at_will() {
        let flat = |floor| Trend { floor, slope: 0.0 };
        assert_eq!(fit(|_| 0.0), flat(LEAST));
        let even = fit(|_| 0.2);
        assert!((even.floor - 0.2).abs() < 1e-6 && even.slope.abs() < 1e-6);
        assert!(fit(|mean| 0.2 * mean).at(0.0) >= LEAST);
        assert_eq!(Trend::fit(&[]), Trend::POISSON);
        assert_eq!(Trend::fit(&[(0.0, 0.0)]), flat(LEAST));
        assert_eq!(Trend::fit(&[(4.0, 6.0)]).at(4.0), 6.0);
    }
}
