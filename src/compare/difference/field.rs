//! What is the same for all functions of a comparison: what was sampled, and how far
//! runs vary.

use super::DifferenceOptions;
use super::compare::PIECE;
use super::dispersion::{Dispersion, dispersions};
use super::evidence::Evidence;
use super::side::Side;
use super::totals::TotalSpread;
use super::two_counts::Pair;
use super::unknown_spread::UnknownSpread;
use crate::threads;

/// What is the same for all functions.
#[derive(Clone, Debug)]
pub(super) struct Field {
    /// Ticks by the unit in which times are.
    pub(super) exposures: Pair,
    pub(super) n_runs: Pair,
    pub(super) total_ticks: Pair,
    pub(super) total: Option<TotalSpread>,
    pub(super) independent: f64,
    pub(super) spread: UnknownSpread,
}

impl Field {
    pub(super) fn new(old: &Side, new: &Side, options: &DifferenceOptions) -> Self {
        let total_ticks = Pair::of(old, new, Side::ticks);
        let n_runs = Pair::of(old, new, |side| side.runs().len() as f64);
        let exposures = if options.normalize {
            total_ticks
        } else {
            Pair::of(old, new, Side::exposure)
        };
        Self {
            // Without a run, or without ticks to take shares of, any number will do:
            // there are no ticks to divide by it.
            exposures: exposures.map(|one| if one > 0.0 { one } else { 1.0 }),
            n_runs,
            total_ticks,
            total: TotalSpread::measured(old, new),
            independent: 0.0,
            spread: UnknownSpread::none(),
        }
    }

    /// What the ticks of each function say.
    pub(super) fn evidence(
        &self,
        old: &Side,
        new: &Side,
        n_functions: usize,
        options: &DifferenceOptions,
    ) -> Box<[Evidence]> {
        let shares = self.exposures.shares();
        let one = |index: usize, dispersion: Dispersion| {
            let ticks = Pair::of(old, new, |side| side.sums(index).ticks);
            let share = if options.normalize {
                self.share_of_total(ticks)
            } else {
                0.0
            };
            Evidence::new(ticks, shares, dispersion, share)
        };
        if self.total.is_none() {
            let one = |index| one(index, Dispersion::POISSON);
            return threads::numbered(n_functions, PIECE, one).into();
        }
        let dispersions = dispersions(old, new, n_functions);
        let one = |index| one(index, dispersions[index]);
        threads::numbered(n_functions, PIECE, one).into()
    }

    /// Totals vary by as much as functions do, each by itself, and by what all have in
    /// common.
    pub(super) fn find_spread(&mut self, evidence: &[Evidence], options: &DifferenceOptions) {
        let Some(total) = &self.total else { return };
        if options.normalize {
            return;
        }
        self.independent = if options.inclusive {
            // Of inclusive times nobody can tell what is of one function alone; sampling
            // is.
            1.0 / self.total_ticks.old + 1.0 / self.total_ticks.new
        } else {
            evidence.iter().map(|one| self.part_of_total(one)).sum()
        };
        self.spread = UnknownSpread::of(total, 0.0, self.independent);
    }

    fn part_of_total(&self, evidence: &Evidence) -> f64 {
        let share = self.share_of_total(evidence.clumps.map(|one| one * evidence.clump));
        if evidence.precision > 0.0 {
            share * share / evidence.precision
        } else {
            0.0
        }
    }

    fn share_of_total(&self, ticks: Pair) -> f64 {
        let all = self.total_ticks.both();
        if all > 0.0 { ticks.both() / all } else { 0.0 }
    }
}
