//! The distance of files from the typical one, and outliers.

use super::{FileCosts, Spreads};

/// The typical file, in which each function has its median cost.
#[derive(Clone, Debug)]
pub struct Typical {
    /// Functions with a nonzero median, by number.
    medians: Box<[(u32, f64)]>,
    unattributed: f64,
}

impl Typical {
    /// The typical file of those added up.
    pub fn of(spreads: &Spreads) -> Self {
        let medians = spreads.self_costs().map(|(function, cost)| (function, cost.median));
        Self {
            medians: medians.filter(|(_, median)| *median != 0.0).collect(),
            unattributed: spreads.unattributed().map_or(0.0, |all| all.median),
        }
    }

    /// The sum over functions of the absolute difference from the typical file, in the unit
    /// of the metric. Linear in both.
    pub fn distance(&self, costs: &FileCosts) -> f64 {
        let mut typical = self.medians.iter().peekable();
        let mut distance = (costs.unattributed.as_f64() - self.unattributed).abs();
        for row in &costs.rows {
            while let Some((_, median)) = typical.next_if(|(id, _)| *id < row.function) {
                distance += median.abs();
            }
            let median = typical.next_if(|(id, _)| *id == row.function);
            let median = median.map_or(0.0, |(_, median)| *median);
            distance += (row.self_cost.as_f64() - median).abs();
        }
        let rest: f64 = typical.map(|(_, median)| median.abs()).sum();
        distance + rest
    }
}

/// The minimum number of files to find outliers.
pub const LEAST_FILES: usize = 8;

/// The distance above which a file is an outlier: the upper quartile plus three times the
/// interquartile range (Tukey, *Exploratory Data Analysis*, 1977). `None` for fewer than
/// eight files. Quartiles are interpolated.
pub fn fence_of(distances: &[f64]) -> Option<f64> {
    if distances.len() < LEAST_FILES {
        return None;
    }
    let mut sorted = distances.to_vec();
    sorted.sort_by(f64::total_cmp);
    let quartile = |quarters: usize| {
        let place = (sorted.len() - 1) * quarters;
        let (below, part) = (place / 4, (place % 4) as f64 / 4.0);
        let above = sorted.get(below + 1).unwrap_or(&sorted[below]);
        sorted[below] + part * (above - sorted[below])
    };
    let (first, third) = (quartile(1), quartile(3));
    Some(third + 3.0 * (third - first))
}

#[cfg(test)]
mod tests {
    use super::super::FunctionInFile;
    use super::*;
    use crate::analyze::Amount;

    fn file(rows: &[(u32, f64)], unattributed: f64) -> FileCosts {
        let row = |&(function, ticks): &(u32, f64)| FunctionInFile {
            function,
            self_cost: Amount::Ticks(ticks),
            total: None,
            calls: None,
        };
        FileCosts {
            program: 0,
            all: Amount::Ticks(rows.iter().map(|(_, ticks)| ticks).sum::<f64>() + unattributed),
            unattributed: Amount::Ticks(unattributed),
            rows: rows.iter().map(row).collect(),
        }
    }

    #[test]
    fn differences_in_costs_are_the_distance() {
        let mut spreads = Spreads::default();
        let usual = || file(&[(1, 10.0), (3, 5.0)], 2.0);
        for _ in 0..3 {
            spreads.add(&usual());
        }
        let typical = Typical::of(&spreads);
        let check = |rows, unattributed, expected| {
            assert_eq!(typical.distance(&file(rows, unattributed)), expected);
        };
        check(&[(1, 10.0), (3, 5.0)], 2.0, 0.0);
        check(&[(1, 13.0), (3, 1.0)], 2.0, 7.0);
        check(&[(0, 1.0), (2, 1.0), (9, 1.0)], 0.0, 20.0);
        check(&[], 2.0, 15.0);
    }

    #[test]
    fn files_far_above_the_quartiles_are_far_out() {
        assert_eq!(fence_of(&[1.0; 7]), None);
        assert_eq!(fence_of(&[1.0; 8]), Some(1.0));
        let distances: Vec<f64> = (0..=8).map(f64::from).collect();
        // Quartiles 2 and 6.
        assert_eq!(fence_of(&distances), Some(18.0));
        let ten: Vec<f64> = (1..=10).rev().map(f64::from).collect();
        // Quartiles 3.25 and 7.75.
        assert_eq!(fence_of(&ten), Some(21.25));
    }
}
