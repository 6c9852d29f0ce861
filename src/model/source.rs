//! Where values come from, which decides how far they may be off.

use std::num::NonZeroU64;

/// How the writer of a file obtained a value.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum ValueSource {
    /// Counted completely.
    #[default]
    Counted,
    /// Counted, but some may be missing.
    CountedAtLeast,
    /// Samples, each of which adds `period` to the value.
    Sampled { period: NonZeroU64 },
    /// Samples that add different amounts, or blocks seen with a probability that depends on
    /// their size.
    Weighted { squares: SquareColumn, by_size: bool },
    /// Read from a clock, so it varies from run to run.
    Measured,
    /// A sum of amounts of an unknown number of samples.
    Unknown,
}

/// A column with the sum of the squared amounts of samples: the variance of their sum.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SquareColumn {
    pub column: usize,
    /// The column is in units of the square of this amount.
    pub unit: NonZeroU64,
}

impl ValueSource {
    /// A count of samples.
    pub const SAMPLES: Self = Self::sampled(NonZeroU64::MIN);

    pub const fn sampled(period: NonZeroU64) -> Self {
        Self::Sampled { period }
    }
}

/// Amounts are at least this many units, on average.
const UNITS_PER_AMOUNT: u64 = 1024;

impl SquareColumn {
    /// A column for `n_samples` that add up to `sum`. Its unit makes rounding negligible, and
    /// sums fit.
    pub fn for_samples(column: usize, sum: u64, n_samples: u64) -> Self {
        let mean = sum / n_samples.max(1);
        let unit = NonZeroU64::new(mean / UNITS_PER_AMOUNT).unwrap_or(NonZeroU64::MIN);
        Self { column, unit }
    }

    /// The value of the column for this variance.
    pub fn of_variance(self, variance: f64) -> u64 {
        let unit = self.unit.get() as f64;
        #[expect(clippy::cast_possible_truncation, reason = "larger numbers become the largest")]
        #[expect(clippy::cast_sign_loss, reason = "variances are not negative")]
        let value = (variance / unit / unit).ceil() as u64;
        value
    }
}
