//! Minimum, maximum, mean and median over many files.

use super::median::Median;
use crate::analyze::Amount;

/// Collects a number of each file, in file order; zeros need not be added. Constant memory.
#[derive(Clone, Debug, Default)]
pub(super) struct Distribution {
    n_added: u32,
    sum: Option<Amount>,
    least: Option<Amount>,
    /// The maximum, and the first file that has it.
    most: Option<(Amount, u32)>,
    /// The mean of the numbers added, and the sum of squared deviations (Welford,
    /// Technometrics 4, 1962).
    mean: f64,
    squares: f64,
    median: Median,
}

/// The distribution of a number over many files.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Summary {
    pub sum: Amount,
    pub least: Amount,
    pub most: Amount,
    /// The first file with the maximum; `None` if that is 0.
    pub file_of_most: Option<u32>,
    /// Within 0.2 % for many files.
    pub median: f64,
    pub mean: f64,
    /// Sample standard deviation; `None` for one file.
    pub deviation: Option<f64>,
    /// Maximum divided by mean; `None` if the mean is 0.
    pub imbalance: Option<f64>,
}

impl Summary {
    /// Maximum minus mean: the time that all files lose if each waits for the slowest.
    pub fn excess(&self) -> f64 {
        (self.most.as_f64() - self.mean).max(0.0)
    }
}

impl Distribution {
    /// Adds the number of a file. Files that are not added have 0.
    pub(super) fn add(&mut self, file: u32, amount: Amount) {
        if amount.is_zero() {
            // A zero has a known unit.
            self.sum = self.sum.or(Some(amount));
            return;
        }
        self.n_added += 1;
        self.sum = Some(self.sum.map_or(amount, |sum| sum.plus(amount)));
        if self.least.is_none_or(|least| amount.compare(least).is_lt()) {
            self.least = Some(amount);
        }
        if self.most.is_none_or(|(most, _)| amount.compare(most).is_gt()) {
            self.most = Some((amount, file));
        }
        let number = amount.as_f64();
        let before = number - self.mean;
        self.mean += before / f64::from(self.n_added);
        self.squares += before * (number - self.mean);
        self.median.add(number);
    }

    /// Returns whether all files have 0.
    pub(super) fn is_nothing(&self) -> bool {
        self.n_added == 0
    }

    /// The summary for `n_files` files in total.
    pub(super) fn of(&self, n_files: u32) -> Summary {
        let sum = self.sum.unwrap_or(Amount::Exact(0));
        let nothing = sum.less(sum);
        let n_nothings = n_files.saturating_sub(self.n_added);
        let or_nothing = |amount: Option<Amount>, is_beyond: fn(Amount) -> bool| match amount {
            Some(amount) if n_nothings == 0 || is_beyond(amount) => amount,
            _ => nothing,
        };
        let least = or_nothing(self.least, |least| !least.is_positive());
        let most = or_nothing(self.most.map(|(most, _)| most), Amount::is_positive);
        let file_of_most = self.most.filter(|(amount, _)| *amount == most);
        let n = f64::from(n_files.max(1));
        let mean = sum.as_f64() / n;
        let parts = f64::from(self.n_added) * f64::from(n_nothings) / n;
        let squares = self.squares + self.mean * self.mean * parts;
        Summary {
            sum,
            least,
            most,
            file_of_most: file_of_most.map(|(_, file)| file),
            median: self.median.of(n_files),
            mean,
            deviation: (n_files > 1).then(|| (squares.max(0.0) / (n - 1.0)).sqrt()),
            imbalance: (mean > 0.0).then(|| most.as_f64() / mean),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn summary(numbers: &[i128]) -> Summary {
        let mut all = Distribution::default();
        for (file, &number) in (0..).zip(numbers) {
            all.add(file, Amount::Exact(number));
        }
        all.of(u32::try_from(numbers.len()).expect("they are few"))
    }

    #[test]
    fn a_number_of_many_files_is_summed_up() {
        let found = summary(&[2, 4, 4, 4, 5, 5, 7, 9]);
        assert_eq!(found.least, Amount::Exact(2));
        assert_eq!((found.most, found.file_of_most), (Amount::Exact(9), Some(7)));
        assert_eq!((found.mean, found.median), (5.0, 4.5));
        assert_eq!(found.imbalance, Some(1.8));
        assert_eq!(found.excess(), 4.0);
        let deviation = found.deviation.expect("there are several");
        assert!((deviation - (32.0f64 / 7.0).sqrt()).abs() < 1e-12);
    }

    #[test]
    fn files_that_have_nothing_count_as_nothing() {
        let found = summary(&[0, 6, 0, 6]);
        assert_eq!(found.least, Amount::Exact(0));
        assert_eq!((found.most, found.file_of_most), (Amount::Exact(6), Some(1)));
        assert_eq!((found.mean, found.median), (3.0, 3.0));
        let deviation = found.deviation.expect("there are several");
        assert!((deviation - 12.0f64.sqrt()).abs() < 1e-12);
    }

    #[test]
    fn one_file_has_no_deviation_and_nothing_has_no_imbalance() {
        assert_eq!(summary(&[5]).deviation, None);
        let nothing = summary(&[0, 0]);
        assert_eq!((nothing.imbalance, nothing.file_of_most), (None, None));
        assert_eq!(nothing.excess(), 0.0);
    }

    #[test]
    fn less_than_nothing_is_less_than_nothing() {
        let found = summary(&[0, -3, -1]);
        assert_eq!((found.least, found.most), (Amount::Exact(-3), Amount::Exact(0)));
        assert_eq!((found.imbalance, found.file_of_most), (None, None));
        assert_eq!(found.median, -1.0);
    }
}
