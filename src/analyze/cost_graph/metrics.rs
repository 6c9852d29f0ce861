//! The metrics of a profile, and which columns of its values add up to which.

use crate::model::{EventName, Extent, Profile, Quantity, Samples, Unit, ValueType};
use crate::report::{Basis, Metric, MetricIndex};

/// What is measured, in a word.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Measured {
    /// Time at intervals of a clock, beside counted calls.
    SampledTime,
    /// A heap: bytes and blocks, allocated and unfreed.
    Heap,
    /// Ticks of a clock, so many a second.
    Time(u32),
    /// Bytes that were allocated; what became of them is not known.
    Allocated,
    /// How often functions were entered.
    Entries,
    /// Events that were counted instruction by instruction.
    Events,
    /// Nothing: only which calls are possible.
    Nothing,
}

/// The metrics of a heap, in their order.
pub const HEAP_METRICS: [&str; 4] = ["bytes", "count", "unfreed-bytes", "unfreed-count"];

/// The index of the metric of that name.
#[must_use]
pub fn metric_named(metrics: &[Metric], id: &str) -> Option<MetricIndex> {
    metrics.iter().position(|metric| metric.id == id)
}

/// The metrics of exact values, and what each column adds to them.
pub(super) struct Columns {
    pub(super) measured: Measured,
    pub(super) metrics: Vec<Metric>,
    pub(super) collector: Option<MetricIndex>,
    /// For each column, what one of it adds to each metric of its place alone.
    effects: Vec<Vec<i128>>,
    /// The column of totals that the profile has itself.
    pub(super) inclusive: Option<usize>,
    /// The column of what the collector took meanwhile.
    pub(super) collected: Option<usize>,
}

impl Columns {
    pub(super) fn new(profile: &Profile, total_basis: Option<Basis>) -> Self {
        let samples = &profile.costs.samples;
        let types = samples.types();
        let column = |extent| types.iter().position(|t| t.extent == extent);
        let (inclusive, collected) = (column(Extent::Inclusive), column(Extent::Collector));
        let measured = measured(profile, samples);
        let total_basis = total_basis.or(inclusive.map(|_| Basis::Recorded));
        let metric = |id: &'static str, quantity: &'static str, unit: &'static str| Metric {
            id: id.into(),
            quantity: quantity.into(),
            unit: unit.into(),
            rate: None,
            basis: Basis::Recorded,
            total_basis,
        };
        let mut metrics = match measured {
            Measured::Heap => HEAP_METRICS
                .into_iter()
                .map(|id| {
                    let unit = if id.ends_with("count") {
                        "blocks"
                    } else {
                        "bytes"
                    };
                    let quantity = if id.starts_with("unfreed") {
                        "memory never freed"
                    } else {
                        "allocated memory"
                    };
                    metric(id, quantity, unit)
                })
                .collect(),
            Measured::Time(rate) => vec![Metric {
                rate: Some(rate),
                basis: Basis::Sampled,
                ..metric("ticks", "time", "ticks")
            }],
            Measured::Allocated => vec![metric("bytes", "allocated memory", "bytes")],
            Measured::Entries => vec![metric("entries", "entries", "entries")],
            Measured::Events => event_metrics(profile, total_basis),
            Measured::Nothing | Measured::SampledTime => vec![Metric {
                basis: Basis::Static,
                total_basis: None,
                ..metric("nothing", "nothing", "")
            }],
        };
        let collector = collected.map(|_| {
            metrics.push(Metric {
                id: "collector".into(),
                quantity: "garbage collection".into(),
                ..metrics[0].clone()
            });
            metrics.len() - 1
        });
        let effects = match measured {
            Measured::Events => event_effects(profile),
            _ => types.iter().map(|value| effect(value, &metrics)).collect(),
        };
        Self {
            measured,
            metrics,
            collector,
            effects,
            inclusive,
            collected,
        }
    }

    /// The metric that was asked for, where there is one to choose, and the one that
    /// stands beside it.
    pub(super) fn choose(&self, asked: Option<&str>) -> (MetricIndex, Option<MetricIndex>) {
        let is_heap = self.measured == Measured::Heap;
        let asked = asked.and_then(|id| metric_named(&self.metrics, id));
        let primary = asked.unwrap_or(0);
        // Blocks stand beside bytes, and bytes beside blocks.
        (primary, is_heap.then_some(primary ^ 1))
    }

    /// What the values of one row add to each metric.
    pub(super) fn add(&self, sum: &mut [i128], values: &[u64]) {
        for (effect, &value) in self.effects.iter().zip(values) {
            for (sum, factor) in sum.iter_mut().zip(effect) {
                *sum += factor * i128::from(value);
            }
        }
    }
}

fn measured(profile: &Profile, samples: &Samples) -> Measured {
    let types = samples.types();
    if profile.heap.is_some() || types.iter().any(|t| t.quantity == Quantity::Freed) {
        return Measured::Heap;
    }
    match types.first().map(|first| (first.quantity, first.unit)) {
        Some((Quantity::Time, Unit::Ticks(rate))) => Measured::Time(rate.get()),
        Some((Quantity::Allocated, _)) => Measured::Allocated,
        Some((Quantity::Event(_), _)) => Measured::Events,
        Some(_) => Measured::Entries,
        None => Measured::Nothing,
    }
}

/// The events that were counted, and behind them those that are sums of others.
fn event_metrics(profile: &Profile, total_basis: Option<Basis>) -> Vec<Metric> {
    let costs = &profile.costs;
    let derived = costs.derived_events.iter().map(|event| &event.name);
    let names = costs.events.iter().chain(derived);
    let metric = |name: &EventName| {
        let shown = |text: &[u8]| String::from_utf8_lossy(text).into_owned();
        let id = shown(&name.id);
        let title = name.title.as_ref();
        Metric {
            quantity: title
                .map_or_else(|| id.clone(), |title| shown(title))
                .into(),
            unit: id.clone().into(),
            id: id.into(),
            rate: None,
            basis: Basis::Recorded,
            total_basis,
        }
    };
    names.map(metric).collect()
}

/// For each event that was counted, what one of it adds to each metric.
fn event_effects(profile: &Profile) -> Vec<Vec<i128>> {
    let costs = &profile.costs;
    let n_events = costs.events.len();
    let effect = |event: usize| {
        let mut effect = vec![0; n_events + costs.derived_events.len()];
        effect[event] = 1;
        for (derived, factor) in costs.derived_events.iter().zip(&mut effect[n_events..]) {
            let terms = derived.terms.iter().filter(|(_, of)| of.index() == event);
            *factor = terms.map(|&(factor, _)| i128::from(factor)).sum();
        }
        effect
    };
    (0..n_events).map(effect).collect()
}

/// What a value of this type adds to each metric. What was freed is no longer unfreed.
fn effect(value: &ValueType, metrics: &[Metric]) -> Vec<i128> {
    let mut effect = vec![0; metrics.len()];
    let mut add = |id: &str, factor| {
        if let Some(index) = metric_named(metrics, id) {
            effect[index] = factor;
        }
    };
    if value.extent != Extent::Exclusive {
        return effect;
    }
    let (all, unfreed) = match value.unit {
        Unit::Count => ("count", "unfreed-count"),
        _ => ("bytes", "unfreed-bytes"),
    };
    match value.quantity {
        Quantity::Allocated => {
            add(all, 1);
            add(unfreed, 1);
        }
        Quantity::Freed => add(unfreed, -1),
        Quantity::Time => add("ticks", 1),
        Quantity::Entries => add("entries", 1),
        Quantity::Released | Quantity::Event(_) => {}
    }
    effect
}
