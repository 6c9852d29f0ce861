//! Values by context and thread, and blocks by size.

use super::sites::{RowId, Sites};
use crate::model::{
    Extent, Heap, Quantity, RecordedCosts, SampleKey, Samples, SizeBins, SizeBounds, Unit,
    ValueType,
};

/// What is charged to each row: the column of a value is its place here. Bytes stand
/// right behind counts.
const COLUMNS: [(Quantity, Unit); 6] = [
    (Quantity::Allocated, Unit::Count),
    (Quantity::Allocated, Unit::Bytes),
    (Quantity::Freed, Unit::Count),
    (Quantity::Freed, Unit::Bytes),
    (Quantity::Released, Unit::Count),
    (Quantity::Released, Unit::Bytes),
];
const ALLOCATED: usize = 0;
const FREED: usize = 2;
const RELEASED: usize = 4;

/// The bins of sizes, the last one for all larger blocks, as mpatrol has them.
const N_BINS: usize = 1024;

/// Values in the making.
#[derive(Debug)]
pub(super) struct CostTable {
    values: Vec<[u64; COLUMNS.len()]>,
    allocated: Bins,
    freed: Bins,
}

#[derive(Debug)]
struct Bins {
    counts: Box<[u64]>,
    last_bytes: u64,
    n_empty: u64,
}

impl CostTable {
    pub(super) fn new() -> Self {
        Self {
            values: Vec::new(),
            allocated: Bins::new(),
            freed: Bins::new(),
        }
    }

    pub(super) fn allocate(&mut self, row: RowId, size: u64) {
        add(self.row(row), ALLOCATED, size);
        self.allocated.add(size);
    }

    /// A block that was allocated in one row is given up in another.
    pub(super) fn release(&mut self, from: RowId, by: RowId, size: u64) {
        add(self.row(from), FREED, size);
        add(self.row(by), RELEASED, size);
        self.freed.add(size);
    }

    /// All values, with the contexts that they are charged to.
    pub(super) fn finish(mut self, sites: Sites) -> (RecordedCosts, Heap) {
        let types = COLUMNS.map(|(quantity, unit)| ValueType {
            quantity,
            unit,
            extent: Extent::Exclusive,
            class: None,
        });
        let mut samples = Samples::new(types);
        let has_threads = sites.has_threads();
        self.values.resize(sites.rows().len(), Default::default());
        for (row, values) in sites.rows().iter().zip(&self.values) {
            let key = if has_threads {
                SampleKey::ThreadContext(row.context, row.thread)
            } else {
                SampleKey::Context(row.context)
            };
            samples.push(key, values);
        }
        let heap = Heap {
            bounds: SizeBounds::default(),
            allocated: self.allocated.finish(),
            freed: self.freed.finish(),
        };
        let costs = RecordedCosts {
            samples,
            ..sites.into_costs()
        };
        (costs, heap)
    }

    fn row(&mut self, row: RowId) -> &mut [u64; COLUMNS.len()] {
        if row.index() >= self.values.len() {
            self.values.resize(row.index() + 1, Default::default());
        }
        &mut self.values[row.index()]
    }
}

/// Adds a block to a count and to the bytes behind it.
fn add(values: &mut [u64; COLUMNS.len()], column: usize, size: u64) {
    values[column] = values[column].saturating_add(1);
    values[column + 1] = values[column + 1].saturating_add(size);
}

impl Bins {
    fn new() -> Self {
        Self {
            counts: vec![0; N_BINS].into(),
            last_bytes: 0,
            n_empty: 0,
        }
    }

    /// A block of no bytes counts with those of one: the bins begin there.
    fn add(&mut self, size: u64) {
        let bin = usize::try_from(size.saturating_sub(1)).unwrap_or(usize::MAX);
        let bin = bin.min(N_BINS - 1);
        self.counts[bin] = self.counts[bin].saturating_add(1);
        self.n_empty += u64::from(size == 0);
        if bin == N_BINS - 1 {
            self.last_bytes = self.last_bytes.saturating_add(size);
        }
    }

    fn finish(self) -> SizeBins {
        SizeBins {
            counts: self.counts,
            last_bytes: self.last_bytes,
            n_empty: self.n_empty,
        }
    }
}
