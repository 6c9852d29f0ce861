//! Blocks by function and class of size.

use std::cmp::Reverse;

use super::Ledger;
use crate::filter::FilterSets;
use crate::model::{Charges, Quantity, SizeClass, Subject, Unit};
use crate::symbols::{NamedContexts, SymbolId};

/// How many blocks of each class one function allocated.
#[derive(Clone, Debug)]
pub struct ClassRow {
    /// Which function.
    pub symbol: SymbolId,
    /// Blocks of each class, by rising size.
    pub n_blocks: [i128; 4],
    /// Blocks of all classes.
    pub n_all: i128,
}

impl ClassRow {
    /// One row for each function that `filters` shows and that allocated, most
    /// blocks first. None where classes were not recorded.
    #[must_use]
    pub fn all(
        charges: &Charges,
        ledger: &Ledger,
        names: &NamedContexts,
        filters: &FilterSets,
    ) -> Vec<Self> {
        let class_of_column: Vec<_> = charges
            .samples
            .types()
            .iter()
            .map(|t| match (t.quantity, t.unit) {
                (Quantity::Allocated, Unit::Count) => t.class.map(class_index),
                _ => None,
            })
            .collect();
        let mut by_symbol = vec![[0i128; 4]; names.table.symbols().len()];
        for (subject, values) in charges.samples.rows() {
            let Subject::Context(context) = subject else {
                continue;
            };
            let sums = &mut by_symbol[names.of(context).index()];
            for (class, &value) in class_of_column.iter().zip(values) {
                if let Some(class) = class {
                    sums[*class] += i128::from(value);
                }
            }
        }
        let ids = (0..).map(SymbolId).zip(by_symbol);
        let shown =
            ids.filter(|(id, _)| filters.exec_counts.contains(*id) && !ledger.own(*id).is_zero());
        let mut rows: Vec<_> = shown
            .map(|(symbol, n_blocks)| Self {
                symbol,
                n_blocks,
                n_all: n_blocks.iter().sum(),
            })
            .filter(|row| row.n_all != 0)
            .collect();
        rows.sort_by_key(|row| (Reverse(row.n_all), row.symbol));
        rows
    }
}

fn class_index(class: SizeClass) -> usize {
    class as usize
}
