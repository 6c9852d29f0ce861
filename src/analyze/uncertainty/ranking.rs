//! Which rows of a table could change places in another run.

use super::contest::{is_more, times_as_long};

/// Number of rows to check.
const N_FIRST: usize = 10;

/// The samples of a row, certain and possible.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SampleRange {
    pub certain: f64,
    /// Including samples that may belong to another row.
    pub possible: f64,
}

/// The certainty of the order of rows, most samples first.
#[derive(Debug)]
pub struct Ranking {
    rows: Vec<SampleRange>,
    /// For each row, the later row with the most possible samples.
    rivals: Vec<Rival>,
}

#[derive(Clone, Copy, Debug)]
struct Rival {
    /// `None` for a function without samples.
    row: Option<usize>,
    possible: f64,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RankCertainty {
    /// No samples.
    Empty,
    /// Not significantly more than 0 samples.
    Noise,
    /// As `Noise`, without samples that may belong to another row.
    Split,
    /// Could change places with a later row.
    Loose,
    /// Significantly more than all later rows.
    Firm,
}

/// The verdict on the first rows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum OrderVerdict {
    Nothing,
    /// The first rows (all, or ten) are in the right order.
    InOrder {
        n_rows: usize,
    },
    /// Some could change places.
    Loose {
        /// Number of checked rows with a rival.
        n_pairs: usize,
        /// Whether later rows have rivals too.
        has_more_below: bool,
        row: usize,
        rival: usize,
        /// How to separate them.
        remedy: Remedy,
    },
    /// The order is certain, but some rows are not significantly above 0.
    Faint {
        n_rows: usize,
        row: usize,
        /// How to separate them from 0.
        remedy: Remedy,
    },
}

/// How to separate rows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Remedy {
    /// This number of further runs.
    Runs(u32),
    /// Too many runs to be practical.
    ManyRuns,
    /// Bins that do not span several functions.
    FinerBins,
}

pub const MANY_RUNS: u32 = 1000;

impl Ranking {
    /// Ranks rows in their order. Linear.
    pub fn new(rows: Vec<SampleRange>) -> Self {
        let mut best = Rival { row: None, possible: 0.0 };
        let mut rivals = vec![best; rows.len()];
        for (index, row) in rows.iter().enumerate().rev() {
            rivals[index] = best;
            if row.possible > 0.0 && row.possible >= best.possible {
                best = Rival { row: Some(index), possible: row.possible };
            }
        }
        Self { rows, rivals }
    }

    pub fn standing(&self, row: usize) -> RankCertainty {
        let SampleRange { certain, possible } = self.rows[row];
        if possible == 0.0 {
            RankCertainty::Empty
        } else if !is_more(possible, 0.0) {
            RankCertainty::Noise
        } else if !is_more(certain, 0.0) {
            RankCertainty::Split
        } else if !is_more(certain, self.rivals[row].possible) {
            RankCertainty::Loose
        } else {
            RankCertainty::Firm
        }
    }

    /// The verdict on the first ten rows, for samples of `n_runs` runs.
    pub fn verdict(&self, n_runs: u32) -> OrderVerdict {
        let has_samples = |row: &&SampleRange| row.possible > 0.0;
        let n_rows = self.rows.iter().take_while(has_samples).take(N_FIRST).count();
        let is_loose = |row: &usize| self.standing(*row) == RankCertainty::Loose;
        let is_firm = |row: &usize| self.standing(*row) == RankCertainty::Firm;
        let loose: Vec<_> = (0..n_rows).filter(is_loose).collect();
        let first = loose.first().copied();
        if let Some((row, rival)) = first.and_then(|row| Some((row, self.rivals[row].row?))) {
            return OrderVerdict::Loose {
                n_pairs: loose.len(),
                has_more_below: (n_rows..self.rows.len()).any(|row| is_loose(&row)),
                row,
                rival,
                remedy: self.remedy(&loose, n_runs),
            };
        }
        let faint: Vec<_> = (0..n_rows).filter(|row| !is_firm(row)).collect();
        match (faint.first(), n_rows) {
            (Some(&row), _) => OrderVerdict::Faint {
                n_rows: faint.len(),
                row,
                remedy: self.remedy(&faint, n_runs),
            },
            (None, 0) => OrderVerdict::Nothing,
            (None, n_rows) => OrderVerdict::InOrder { n_rows },
        }
    }

    /// How to separate these rows from their rivals.
    fn remedy(&self, loose: &[usize], n_runs: u32) -> Remedy {
        if loose.iter().any(|&row| self.standing(row) == RankCertainty::Split) {
            return Remedy::FinerBins;
        }
        let times = |&row: &usize| times_as_long(self.rows[row].certain, self.rivals[row].possible);
        let longest = loose.iter().map(times).fold(1.0, f64::max);
        let n_more_runs = (f64::from(n_runs) * (longest - 1.0)).ceil().max(1.0);
        if n_more_runs > f64::from(MANY_RUNS) {
            return Remedy::ManyRuns;
        }
        #[expect(clippy::cast_possible_truncation, reason = "there are not many")]
        #[expect(clippy::cast_sign_loss, reason = "it is 1 at least")]
        let n_more_runs = n_more_runs as u32;
        Remedy::Runs(n_more_runs)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ranking(samples: &[f64]) -> Ranking {
        let whole = |&samples: &f64| SampleRange { certain: samples, possible: samples };
        Ranking::new(samples.iter().map(whole).collect())
    }

    #[test]
    fn rows_far_apart_are_in_order() {
        let verdict = ranking(&[1000.0, 500.0, 100.0, 0.0]).verdict(1);
        assert_eq!(verdict, OrderVerdict::InOrder { n_rows: 3 });
        assert_eq!(ranking(&[0.0, 0.0]).verdict(1), OrderVerdict::Nothing);
        assert_eq!(ranking(&[]).verdict(1), OrderVerdict::Nothing);
    }

    #[test]
    fn the_eleventh_row_may_belong_among_the_first_ten() {
        let mut samples: Vec<f64> = (0..10u32).map(|row| 1e6 / f64::from(1 + row)).collect();
        samples.push(1000.0);
        assert_eq!(ranking(&samples).verdict(1), OrderVerdict::InOrder { n_rows: 10 });
        samples[10] = 99_999.0;
        let expected = OrderVerdict::Loose {
            n_pairs: 1,
            has_more_below: false,
            row: 9,
            rival: 10,
            remedy: Remedy::ManyRuns,
        };
        assert_eq!(ranking(&samples).verdict(1), expected);
    }

    #[test]
    fn the_closest_pair_determines_the_runs() {
        // 110 and 90 take 3.924 times as long, see `contest`; of three runs, 8.77 more.
        let verdict = |n_runs| ranking(&[1000.0, 110.0, 90.0]).verdict(n_runs);
        let expected = |n_more_runs| OrderVerdict::Loose {
            n_pairs: 1,
            has_more_below: false,
            row: 1,
            rival: 2,
            remedy: Remedy::Runs(n_more_runs),
        };
        assert_eq!(verdict(1), expected(3));
        assert_eq!(verdict(3), expected(9));
    }

    #[test]
    fn pairs_are_as_many_as_loose_rows() {
        // The last two have too few samples to be anything.
        let verdict = ranking(&[1000.0, 60.0, 55.0, 50.0, 4.0, 1.0]).verdict(1);
        let OrderVerdict::Loose { n_pairs, has_more_below, row, rival, .. } = verdict else {
            panic!("{verdict:?}");
        };
        assert_eq!((n_pairs, has_more_below, row, rival), (2, false, 1, 2));
        // All but the last of fifteen equal rows are loose; nine are not among the first.
        let verdict = ranking(&[50.0; 15]).verdict(1);
        let expected = OrderVerdict::Loose {
            n_pairs: 10,
            has_more_below: true,
            row: 0,
            rival: 1,
            remedy: Remedy::ManyRuns,
        };
        assert_eq!(verdict, expected);
    }

    #[test]
    fn four_samples_are_noise_and_five_are_not() {
        use RankCertainty as S;
        let ranking = ranking(&[100.0, 5.0, 4.0, 0.0]);
        let standings: Vec<_> = (0..4).map(|row| ranking.standing(row)).collect();
        assert_eq!(standings, [S::Firm, S::Loose, S::Noise, S::Empty]);
    }

    #[test]
    fn samples_that_may_be_of_either_of_two_rows_tell_neither_from_the_other() {
        let check = |rows: &[(f64, f64)], expected: &[RankCertainty]| {
            let row = |&(certain, possible): &(f64, f64)| SampleRange { certain, possible };
            let ranking = Ranking::new(rows.iter().map(row).collect());
            let standings: Vec<_> = (0..rows.len()).map(|row| ranking.standing(row)).collect();
            assert_eq!(standings, expected, "for {rows:?}");
        };
        use RankCertainty as S;
        check(&[(100.0, 100.0), (50.0, 50.0)], &[S::Firm, S::Firm]);
        check(&[(70.0, 130.0), (20.0, 80.0)], &[S::Loose, S::Firm]);
        check(&[(90.0, 90.0), (4.0, 40.0)], &[S::Firm, S::Split]);
        // A row further down may have more than the next one.
        let hidden = [(100.0, 100.0), (50.0, 50.0), (0.0, 95.0)];
        check(&hidden, &[S::Loose, S::Loose, S::Split]);
    }

    #[test]
    fn more_runs_do_not_resolve_shared_ticks() {
        let row = |certain, possible| SampleRange { certain, possible };
        let verdict = |rows: &[SampleRange]| Ranking::new(rows.to_vec()).verdict(1);
        let expected = |remedy| OrderVerdict::Faint { n_rows: 1, row: 1, remedy };
        let split = verdict(&[row(90.0, 90.0), row(4.0, 40.0)]);
        assert_eq!(split, expected(Remedy::FinerBins));
        let few = verdict(&[row(90.0, 90.0), row(4.0, 4.0)]);
        assert_eq!(few, expected(Remedy::Runs(1)));
    }
}
