//! Metrics, as readers define them, and parts of a run.

use std::num::NonZeroU32;
use std::sync::Arc;

use super::{Extent, Quantity, SizeClass, Unit, ValueType};

#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct MetricName {
    /// As in options and files: `bytes`, `Ir`.
    pub id: Arc<[u8]>,
    /// For people: `allocated memory`, `Instruction Fetch`, if the reader or the file has a
    /// title.
    pub title: Option<Arc<[u8]>>,
}

/// How a value was obtained.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ValueBasis {
    Recorded,
    Sampled,
}

/// A metric of reports, defined by a reader as a sum of columns.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ValueMetric {
    pub name: MetricName,
    /// `None` if the name is the unit.
    pub unit: Option<&'static str>,
    /// Ticks per second, for metrics in ticks.
    pub rate: Option<NonZeroU32>,
    pub basis: ValueBasis,
    /// The columns to add up, each with a factor.
    pub terms: Box<[(i128, usize)]>,
}

impl ValueMetric {
    /// A metric equal to one column.
    pub fn of_column(name: MetricName, basis: ValueBasis, column: usize) -> Self {
        Self {
            name,
            unit: None,
            rate: None,
            basis,
            terms: [(1, column)].into(),
        }
    }

    /// A recorded metric equal to one column.
    pub fn recorded(id: &str, title: &str, unit: &'static str, column: usize) -> Self {
        let name = MetricName {
            id: id.as_bytes().into(),
            title: Some(title.as_bytes().into()),
        };
        Self {
            unit: Some(unit),
            ..Self::of_column(name, ValueBasis::Recorded, column)
        }
    }
}

/// A heap metric: name, title, unit, the quantity to add, and the quantity to subtract.
type HeapMetric = (
    &'static str,
    &'static str,
    &'static str,
    Unit,
    Option<Quantity>,
);

/// In report order: blocks next to bytes.
const HEAP_METRICS: [HeapMetric; 4] = [
    ("bytes", "allocated memory", "bytes", Unit::BYTES, None),
    ("count", "allocated memory", "blocks", Unit::COUNT, None),
    (
        "unfreed-bytes",
        "memory never freed",
        "bytes",
        Unit::BYTES,
        Some(Quantity::FREED),
    ),
    (
        "unfreed-count",
        "memory never freed",
        "blocks",
        Unit::COUNT,
        Some(Quantity::FREED),
    ),
];

/// Returns whether a heap metric has this name.
pub fn is_heap_metric(id: &str) -> bool {
    HEAP_METRICS.iter().any(|metric| metric.0 == id)
}

/// The heap metrics that columns of these types allow.
pub fn heap_metrics(types: &[ValueType]) -> Vec<ValueMetric> {
    let metrics = HEAP_METRICS.iter();
    let metrics = metrics.map(|&(id, title, unit, counted_in, taken_off)| {
        let factor = |column: &ValueType| match column.quantity {
            _ if column.unit != counted_in || column.extent != Extent::Exclusive => 0,
            Quantity::ALLOCATED => 1,
            quantity if Some(quantity) == taken_off => -1,
            _ => 0,
        };
        let terms = types.iter().map(factor).zip(0..);
        ValueMetric {
            terms: terms.filter(|&(factor, _)| factor != 0).collect(),
            ..ValueMetric::recorded(id, title, unit, 0)
        }
    });
    metrics.collect()
}

/// The columns of a heap: blocks and bytes of each quantity, by size class if given.
pub fn heap_columns(quantities: &[Quantity], classes: &[Option<SizeClass>]) -> Vec<ValueType> {
    let column = |quantity, unit, class| ValueType {
        quantity,
        unit,
        extent: Extent::Exclusive,
        class,
    };
    let mut columns = Vec::new();
    for &quantity in quantities {
        for unit in [Unit::COUNT, Unit::BYTES] {
            columns.extend(classes.iter().map(|&class| column(quantity, unit, class)));
        }
    }
    columns
}

/// A part of a run: the costs of one thread between two dumps.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct RunPart {
    pub command: Option<Arc<[u8]>>,
    pub process: Option<u64>,
    /// Number of the dump, from 1.
    pub number: Option<u64>,
    /// Number of the thread, if the file separates threads.
    pub thread: Option<u64>,
}
