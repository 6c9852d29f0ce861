//! Events of a trace by function.

use std::cmp::Reverse;

use crate::filter::FilterSets;
use crate::model::{Charges, Quantity, Unit};
use crate::symbols::{NamedContexts, SymbolId};

/// How many blocks one function allocated and freed.
#[derive(Clone, Copy, Debug)]
pub struct EventRow {
    /// Which function.
    pub symbol: SymbolId,
    /// Blocks that it allocated.
    pub n_allocated: u64,
    /// Blocks of those that were freed, anywhere.
    pub n_freed: u64,
    /// Blocks that it freed, whoever allocated them.
    pub n_released: u64,
}

impl EventRow {
    /// One row for each function that `filters` shows and that did anything, most
    /// allocations first.
    #[must_use]
    pub fn all(charges: &Charges, names: &NamedContexts, filters: &FilterSets) -> Vec<Self> {
        let columns = charges.samples.types();
        let column = |quantity| {
            let mut columns = columns.iter();
            columns.position(|t| t.quantity == quantity && t.unit == Unit::Count)
        };
        let quantities = [Quantity::Allocated, Quantity::Freed, Quantity::Released];
        let columns = quantities.map(column);
        let mut sums = vec![[0u64; 3]; names.table.symbols().len()];
        for (subject, values) in charges.samples.rows() {
            let Some(context) = subject.context() else {
                continue;
            };
            let sums = &mut sums[names.of(context).index()];
            for (sum, column) in sums.iter_mut().zip(columns) {
                *sum = sum.saturating_add(column.map_or(0, |column| values[column]));
            }
        }
        let ids = (0..).map(SymbolId).zip(sums);
        let shown = ids.filter(|(id, sums)| filters.exec_counts.contains(*id) && *sums != [0; 3]);
        let mut rows: Vec<_> = shown
            .map(|(symbol, [n_allocated, n_freed, n_released])| Self {
                symbol,
                n_allocated,
                n_freed,
                n_released,
            })
            .collect();
        rows.sort_by_key(|row| (Reverse((row.n_allocated, row.n_released)), row.symbol));
        rows
    }
}
