//! What readers say of the numbers that they read, and the parts of a run.

use std::num::NonZeroU32;
use std::sync::Arc;

use super::{Extent, Quantity, SizeClass, Unit, ValueType};

#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct MetricName {
    /// In options and files, such as `bytes` or `Ir`.
    pub id: Arc<[u8]>,
    /// What is measured, such as `allocated memory` or `Instruction Fetch`, where the
    /// reader or the file says so.
    pub title: Option<Arc<[u8]>>,
}

/// How a number came about.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ValueBasis {
    Recorded,
    Sampled,
}

/// A metric of reports, as the reader defines it from columns of values.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ValueMetric {
    pub name: MetricName,
    /// The unit of its numbers; `None` where that is the name.
    pub unit: Option<&'static str>,
    /// Ticks in a second, where it is counted in such.
    pub rate: Option<NonZeroU32>,
    pub basis: ValueBasis,
    /// The columns that it is the sum of, with a factor each.
    pub terms: Box<[(i128, usize)]>,
}

impl ValueMetric {
    /// A metric that is one column.
    pub fn of_column(name: MetricName, basis: ValueBasis, column: usize) -> Self {
        Self {
            name,
            unit: None,
            rate: None,
            basis,
            terms: [(1, column)].into(),
        }
    }

    /// A metric of recorded values that is one column, by what readers call it.
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

/// The metrics of a heap: the name, what is measured, the unit, what it is the sum of and
/// what is taken off that.
type HeapMetric = (
    &'static str,
    &'static str,
    &'static str,
    Unit,
    Option<Quantity>,
);

/// In their order: blocks are beside bytes.
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

/// Whether a metric of heaps is called so.
pub fn is_heap_metric(id: &str) -> bool {
    HEAP_METRICS.iter().any(|metric| metric.0 == id)
}

/// The metrics of a heap, whose values are in columns of these types.
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

/// The columns of a heap: blocks and bytes of each quantity, by class of size if any.
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

/// A part of a run: what one thread did between two dumps.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct RunPart {
    pub command: Option<Arc<[u8]>>,
    pub process: Option<u64>,
    /// The number of the dump, counted from 1.
    pub number: Option<u64>,
    /// The number of the thread, where threads are apart.
    pub thread: Option<u64>,
}
