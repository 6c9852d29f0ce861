//! Two sides, compared row by row.

use super::both::Both;
use super::change::Change;
use super::measure::{Measure, UnlikeSides};
use super::side_sums::{ArcRows, SideSums};
use crate::compare::difference::{Comparison, DifferenceOptions};
use crate::report::{Metric, MetricIndex};

/// Everything that there is to say of two sides, in numbers.
#[derive(Debug)]
pub struct Compared {
    /// What is compared.
    pub(super) measure: Measure,
    /// Numbers are percent of each side's total.
    pub(super) is_normalized: bool,
    /// Rows in which anything differs, in their order.
    pub(super) rows: Vec<RowChange>,
    /// The program.
    pub(super) total: RowChange,
    /// Calls that differ; none where a side does not say who called whom.
    pub(super) arcs: Vec<ArcChange>,
    /// Whether either side says who called whom.
    pub(super) has_arcs: [bool; 2],
    /// What was sampled, for what could have been seen.
    pub(super) own: Option<Comparison>,
    /// Calls were counted on both sides.
    pub(super) counts_calls: bool,
    /// Runs of both sides, and the profiles that they are in.
    pub(super) sides: [SideSize; 2],
}

/// How much there is of a side.
#[derive(Clone, Copy, Debug)]
pub(super) struct SideSize {
    pub(super) n_runs: u64,
    pub(super) n_profiles: u64,
}

/// What changed in a row.
#[derive(Clone, Debug)]
pub struct RowChange {
    /// The row; the number of rows for what is in no function.
    pub row: usize,
    /// What it costs itself, by metric; of what was sampled only the primary one.
    pub own: Vec<(MetricIndex, Change)>,
    /// What it costs with all that it calls, of the primary metric.
    pub total: Option<Change>,
    /// Calls.
    pub calls: Option<Change>,
}

/// What changed of the calls from one row to another.
#[derive(Clone, Copy, Debug)]
pub struct ArcChange {
    /// The rows of the caller and the callee.
    pub rows: ArcRows,
    /// The calls.
    pub calls: Option<Change>,
    /// What flowed along them, for comparing only: it was shared out by calls.
    pub total: Option<Change>,
}

impl RowChange {
    /// The change of the primary metric.
    ///
    /// # Panics
    /// Never: all rows have one.
    #[must_use]
    pub fn primary(&self) -> &Change {
        let (_, change) = self.own.first().expect("the primary metric is there");
        change
    }

    pub(super) fn differs(&self) -> bool {
        let own = self.own.iter().map(|(_, change)| change);
        let mut all = own.chain(&self.total).chain(&self.calls);
        all.any(|change| !change.is_none() || change.finding.is_change())
    }
}

impl Compared {
    /// What the numbers are of, and which of it is the primary one.
    #[must_use]
    pub fn metrics(&self) -> (Vec<Metric>, MetricIndex) {
        let shown = |metric: &Metric| Metric {
            unit: match self.is_normalized {
                true => "percent".into(),
                false => metric.unit.clone(),
            },
            // Ticks are seconds here.
            rate: None,
            ..metric.clone()
        };
        let metrics = self.measure.metrics.iter().map(shown);
        (metrics.collect(), self.measure.primary)
    }

    /// Whether numbers come by chance, so that some changes cannot be seen.
    #[must_use]
    pub fn is_by_chance(&self) -> bool {
        self.own.is_some()
    }
}

/// Compares two sides of as many rows. Costs rows, sorting them, and calls.
///
/// # Errors
/// When they measure different things.
pub fn compare_sides(
    old: &SideSums,
    new: &SideSums,
    options: &DifferenceOptions,
) -> Result<Compared, UnlikeSides> {
    let measured = |side: &SideSums| {
        let measure = side.measured();
        measure.map_or_else(|| "nothing".to_owned(), |measure| measure.said().join(", "))
    };
    let unlike = || UnlikeSides {
        old: measured(old),
        new: measured(new),
    };
    let (Some(measure), Some(found)) = (old.measured(), new.measured()) else {
        return Err(unlike());
    };
    measure.check(found).map_err(|_| unlike())?;
    let both = Both { old, new, options };
    let n_rows = old.n_rows();
    let presence: Vec<_> = (0..=n_rows).map(|row| both.presence(row)).collect();
    let (rows, total, own) = match measure.is_sampled() {
        true => both.sampled(measure, &presence),
        false => both.exact(measure, &presence),
    };
    Ok(Compared {
        measure: measure.clone(),
        is_normalized: options.normalize,
        rows,
        total,
        arcs: both.arcs(measure),
        has_arcs: [old, new].map(SideSums::has_arcs),
        counts_calls: both.counts_calls(),
        own,
        sides: [old, new].map(|side| SideSize {
            n_runs: side.n_runs(),
            n_profiles: side.n_profiles(),
        }),
    })
}
