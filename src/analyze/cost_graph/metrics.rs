//! The metrics of a profile, as sums of columns.

use std::num::NonZeroU32;

use super::samples::SampleAmounts;
use super::{CostShape, TotalsFrom};
use crate::model::{Extent, Profile, Quantity, ValueMetric, ValueSource};
use crate::report::{Basis, Metric, MetricIndex, Source};

/// The metric with a name. That of an event may have modifiers, and the kind of cores, as in
/// `cycles:u` or `cpu_core/cycles/P`.
pub fn metric_named(metrics: &[Metric], id: &str) -> Option<MetricIndex> {
    let named = |id: &str| metrics.iter().position(|metric| metric.id == id);
    let of_core = || id.strip_prefix("cpu_core/").or_else(|| id.strip_prefix("cpu_atom/"));
    let bare = || of_core()?.split('/').next();
    named(id).or_else(|| named(bare()?)).or_else(|| named(id.rsplit_once(':')?.0))
}

/// The exact metrics, and the effect of each column on them.
pub(super) struct MetricColumns {
    pub(super) shape: CostShape,
    /// For each column, the metrics of which it is a part, and its factor in their self costs.
    effects: Vec<Vec<(MetricIndex, i128)>>,
    /// The column of recorded totals.
    pub(super) inclusive: Option<usize>,
    /// The column of the garbage collector's cost.
    pub(super) collected: Option<usize>,
}

impl MetricColumns {
    /// The columns of a profile; `asked` is the metric to sort by, if it exists.
    pub(super) fn new(profile: &Profile, totals_from: TotalsFrom, asked: Option<&str>) -> Self {
        let types = profile.costs.samples.types();
        let column = |extent| types.iter().position(|t| t.extent == extent);
        let (inclusive, collected) = (column(Extent::Inclusive), column(Extent::Collector));
        let has_totals = totals_from != TotalsFrom::Nothing || inclusive.is_some();
        let total_basis = has_totals.then_some(Basis::Recorded);
        let given = profile.costs.metrics.iter();
        let mut metrics: Vec<_> = given.map(|metric| shown(metric, total_basis)).collect();
        if metrics.is_empty() {
            metrics.push(Metric {
                id: "nothing".into(),
                quantity: "nothing".into(),
                unit: "".into(),
                rate: None,
                parts: None,
                basis: Basis::Static,
                source: None,
                calls_source: None,
                per_sample: None,
                is_level: false,
                total_basis: None,
            });
        }
        let collector = collected.map(|_| {
            metrics.push(Metric {
                id: "collector".into(),
                quantity: "garbage collection".into(),
                ..metrics[0].clone()
            });
            metrics.len() - 1
        });
        let has = |quantity| types.iter().any(|column| column.quantity == quantity);
        let is_heap = profile.heap.is_some() || has(Quantity::FREED);
        let primary = asked.and_then(|id| metric_named(&metrics, id)).unwrap_or(0);
        let source = profile.costs.metrics.get(primary).map(|metric| metric.source);
        // Blocks go with bytes, and bytes with blocks. Accesses have no number of blocks.
        let paired = Some(primary ^ 1).filter(|&paired| {
            let part = |metric: MetricIndex| metrics.get(metric).map(Metric::part_of_heap);
            is_heap && part(paired) == part(primary)
        });
        let shape = CostShape {
            primary,
            amounts: source.and_then(SampleAmounts::of),
            is_heap,
            paired,
            collector,
            counts_entries: has(Quantity::ENTRIES),
            totals_from,
            metrics,
        };
        let effect = |column| {
            let mut effect = effect(profile, column, shape.n_amounts());
            if let Some(ValueSource::Weighted { squares, .. }) = source {
                effect[shape.metrics.len()] = i128::from(squares.column == column);
            }
            let parts = effect.into_iter().enumerate();
            parts.filter(|&(_, factor)| factor != 0).collect()
        };
        let effects = (0..types.len()).map(effect).collect();
        Self { shape, effects, inclusive, collected }
    }

    pub(super) fn add(&self, sum: &mut [i128], values: &[u64]) {
        for (effect, &value) in self.effects.iter().zip(values) {
            for &(metric, factor) in effect {
                sum[metric] += factor * i128::from(value);
            }
        }
    }
}

/// The source of a value in reports.
pub fn source_of(source: ValueSource) -> Source {
    match source {
        ValueSource::Counted => Source::Counted,
        ValueSource::CountedAtLeast => Source::CountedAtLeast,
        ValueSource::Sampled { .. } => Source::Sampled,
        ValueSource::Weighted { by_size: false, .. } => Source::Weighted,
        ValueSource::Weighted { by_size: true, .. } => Source::BySize,
        ValueSource::Measured => Source::Measured,
        ValueSource::Unknown => Source::Unknown,
    }
}

fn shown(metric: &ValueMetric, total_basis: Option<Basis>) -> Metric {
    let text = |text: &[u8]| String::from_utf8_lossy(text).into_owned();
    let id = text(&metric.name.id);
    let title = metric.name.title.as_ref();
    Metric {
        quantity: title.map_or_else(|| id.clone(), |title| text(title)).into(),
        unit: metric.unit.map_or_else(|| id.clone().into(), Into::into),
        id: id.into(),
        rate: metric.rate.map(NonZeroU32::get),
        parts: metric.parts.map(NonZeroU32::get),
        basis: match metric.source {
            ValueSource::Sampled { period } if period.get() == 1 => Basis::Sampled,
            _ => Basis::Recorded,
        },
        source: Some(source_of(metric.source)),
        calls_source: None,
        per_sample: match metric.source {
            ValueSource::Sampled { period } if period.get() > 1 => Some(period.get() as f64),
            _ => None,
        },
        is_level: metric.is_level,
        total_basis,
    }
}

fn effect(profile: &Profile, column: usize, n_amounts: usize) -> Vec<i128> {
    let factor = |metric: &ValueMetric| {
        let terms = metric.terms.iter().filter(|(_, of)| *of == column);
        terms.map(|&(factor, _)| factor).sum()
    };
    let mut effect: Vec<_> = profile.costs.metrics.iter().map(factor).collect();
    effect.resize(n_amounts, 0);
    effect
}
