//! Values by context and thread, and blocks by size.

use super::sites::{EventSites, RowId};
use crate::model::{
    Heap, Quantity, RecordedCosts, SampleKey, Samples, SizeBins, heap_columns, heap_metrics,
};

/// The quantities of each row, each with a column of counts and a column of bytes.
const QUANTITIES: [Quantity; 3] = [Quantity::ALLOCATED, Quantity::FREED, Quantity::RELEASED];
const N_COLUMNS: usize = 2 * QUANTITIES.len();
const ALLOCATED: usize = 0;
const FREED: usize = 2;
const RELEASED: usize = 4;

/// Number of size bins, as in mpatrol; the last one counts all larger blocks.
const N_BINS: usize = 1024;

/// The values so far.
#[derive(Debug)]
pub(super) struct SiteValues {
    values: Vec<[u64; N_COLUMNS]>,
    allocated: SizeBins,
    freed: SizeBins,
}

impl Default for SiteValues {
    fn default() -> Self {
        Self { values: Vec::new(), allocated: no_blocks(), freed: no_blocks() }
    }
}

impl SiteValues {
    pub(super) fn allocate(&mut self, row: RowId, size: u64) {
        add(self.row(row), ALLOCATED, size);
        add_block(&mut self.allocated, size);
    }

    /// Frees a block: its memory is charged to both rows.
    pub(super) fn release(&mut self, from: RowId, by: RowId, size: u64) {
        add(self.row(from), FREED, size);
        add(self.row(by), RELEASED, size);
        add_block(&mut self.freed, size);
    }

    /// All values, with their contexts.
    pub(super) fn finish(mut self, sites: EventSites) -> (RecordedCosts, Heap) {
        let types = heap_columns(&QUANTITIES, &[None]);
        let metrics = heap_metrics(&types);
        let mut samples = Samples::new(types);
        let has_threads = sites.has_threads();
        self.values.resize(sites.rows().len(), Default::default());
        for (row, values) in sites.rows().zip(&self.values) {
            let key = if has_threads {
                SampleKey::ThreadContext(row.context, row.thread)
            } else {
                SampleKey::Context(row.context)
            };
            samples.push(key, values);
        }
        let heap = Heap { allocated: self.allocated, freed: self.freed, ..Heap::default() };
        let costs = RecordedCosts { samples, metrics, ..sites.into_costs() };
        (costs, heap)
    }

    fn row(&mut self, row: RowId) -> &mut [u64; N_COLUMNS] {
        if row.index() >= self.values.len() {
            self.values.resize(row.index() + 1, Default::default());
        }
        &mut self.values[row.index()]
    }
}

/// Adds a block to a count and its bytes.
fn add(values: &mut [u64; N_COLUMNS], column: usize, size: u64) {
    values[column] = values[column].saturating_add(1);
    values[column + 1] = values[column + 1].saturating_add(size);
}

fn no_blocks() -> SizeBins {
    SizeBins { counts: vec![0; N_BINS].into(), ..SizeBins::default() }
}

/// Adds a block. Empty blocks count as one byte, the first bin.
fn add_block(bins: &mut SizeBins, size: u64) {
    let bin = usize::try_from(size.saturating_sub(1)).unwrap_or(usize::MAX);
    let bin = bin.min(N_BINS - 1);
    bins.counts[bin] = bins.counts[bin].saturating_add(1);
    bins.n_empty += u64::from(size == 0);
    if bin == N_BINS - 1 {
        bins.last_bytes = bins.last_bytes.saturating_add(size);
    }
}
