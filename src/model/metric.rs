//! Metrics, as readers define them, and parts of a run.

use std::num::NonZeroU32;
use std::sync::Arc;

use super::{Extent, Quantity, SizeClass, Unit, ValueSource, ValueType};

#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct MetricName {
    /// As in options and files: `bytes`, `Ir`.
    pub id: Arc<[u8]>,
    /// For people: `allocated memory`, `Instruction Fetch`, if the reader or the file has a
    /// title.
    pub title: Option<Arc<[u8]>>,
}

/// A metric of reports, defined by a reader as a sum of columns.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ValueMetric {
    pub name: MetricName,
    /// `None` if the name is the unit.
    pub unit: Option<&'static str>,
    /// Ticks per second, for metrics in ticks.
    pub rate: Option<NonZeroU32>,
    /// Values are in this many parts of the unit, if some have fractions.
    pub parts: Option<NonZeroU32>,
    pub source: ValueSource,
    /// An amount in use at one time, such as live memory: those of several times do not add up.
    pub is_level: bool,
    /// The columns to add up, each with a factor.
    pub terms: Box<[(i128, usize)]>,
}

impl ValueMetric {
    /// A metric equal to one column.
    pub fn of_column(name: MetricName, source: ValueSource, column: usize) -> Self {
        let terms = [(1, column)].into();
        Self { name, unit: None, rate: None, parts: None, source, is_level: false, terms }
    }

    /// Subtracts columns that are `n_columns` behind those to add.
    pub fn subtract_behind(&mut self, n_columns: usize) {
        let behind = self.terms.iter().map(|&(factor, column)| (-factor, column + n_columns));
        self.terms = self.terms.iter().copied().chain(behind).collect();
    }

    /// A counted metric equal to one column.
    pub fn counted(id: &str, title: &str, unit: &'static str, column: usize) -> Self {
        let name = MetricName { id: id.as_bytes().into(), title: Some(title.as_bytes().into()) };
        Self { unit: Some(unit), ..Self::of_column(name, ValueSource::Counted, column) }
    }
}

/// A heap metric.
struct HeapMetric {
    id: &'static str,
    title: &'static str,
    counted_in: Unit,
    added: Quantity,
    subtracted: Option<Quantity>,
}

impl HeapMetric {
    const fn new(
        id: &'static str,
        title: &'static str,
        counted_in: Unit,
        added: Quantity,
        subtracted: Option<Quantity>,
    ) -> Self {
        Self { id, title, counted_in, added, subtracted }
    }
}

/// Number of heap metrics that every heap profile has.
const N_COMMON: usize = 4;

/// The metric of lifetimes, whose unit is that of the file.
pub const LIFETIME: &str = "lifetime";

/// In report order: blocks next to bytes.
const HEAP_METRICS: [HeapMetric; 9] = {
    const ALLOCATED: Quantity = Quantity::ALLOCATED;
    const FREED: Option<Quantity> = Some(Quantity::FREED);
    const PEAK: &str = "memory in use at the peak";
    const UNFREED: &str = "memory never freed";
    [
        HeapMetric::new("bytes", "allocated memory", Unit::BYTES, ALLOCATED, None),
        HeapMetric::new("count", "allocated memory", Unit::COUNT, ALLOCATED, None),
        HeapMetric::new("unfreed-bytes", UNFREED, Unit::BYTES, ALLOCATED, FREED),
        HeapMetric::new("unfreed-count", UNFREED, Unit::COUNT, ALLOCATED, FREED),
        HeapMetric::new("peak-bytes", PEAK, Unit::BYTES, Quantity::AT_PEAK, None),
        HeapMetric::new("peak-count", PEAK, Unit::COUNT, Quantity::AT_PEAK, None),
        HeapMetric::new("read-bytes", "memory read", Unit::BYTES, Quantity::READ, None),
        HeapMetric::new("written-bytes", "memory written", Unit::BYTES, Quantity::WRITTEN, None),
        HeapMetric::new(LIFETIME, "lifetime of blocks", Unit::COUNT, Quantity::LIFETIME, None),
    ]
};

/// The heap metrics that columns of these types allow.
pub fn heap_metrics(types: &[ValueType]) -> Vec<ValueMetric> {
    let metrics = HEAP_METRICS.iter().enumerate();
    let metrics = metrics.filter_map(|(index, metric)| {
        let factor = |column: &ValueType| match column.quantity {
            _ if column.unit != metric.counted_in || column.extent != Extent::Exclusive => 0,
            quantity if quantity == metric.added => 1,
            quantity if Some(quantity) == metric.subtracted => -1,
            _ => 0,
        };
        let terms = types.iter().map(factor).zip(0..);
        let terms: Box<[_]> = terms.filter(|&(factor, _)| factor != 0).collect();
        let is_known = index < N_COMMON || !terms.is_empty();
        let is_bytes = metric.counted_in == Unit::BYTES;
        let unit = if is_bytes { "bytes" } else { "blocks" };
        is_known.then(|| ValueMetric {
            terms,
            is_level: metric.added == Quantity::AT_PEAK,
            ..ValueMetric::counted(metric.id, metric.title, unit, 0)
        })
    });
    metrics.collect()
}

/// The columns of a heap: blocks and bytes of each quantity, by size class if given.
pub fn heap_columns(quantities: &[Quantity], classes: &[Option<SizeClass>]) -> Vec<ValueType> {
    let column =
        |quantity, unit, class| ValueType { quantity, unit, extent: Extent::Exclusive, class };
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
