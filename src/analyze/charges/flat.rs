//! The flat profile of exact charges.

use std::cmp::Reverse;

use super::{Amounts, Ledger};
use crate::filter::FilterSets;
use crate::symbols::{SymbolId, SymbolTable};

/// One function, or line of one.
#[derive(Clone, Debug)]
pub struct ChargeRow {
    /// Which; `None` for what was charged to nobody.
    pub symbol: Option<SymbolId>,
    /// What was charged to it alone, in percent of everything.
    pub percent: f64,
    /// The sum of that down to this row.
    pub cumulative: i128,
    /// What was charged to it alone.
    pub own: Amounts,
    /// That and all that it called, in the measure of the report.
    pub total: i128,
    /// What the collector took while it was active.
    pub collector: i128,
}

/// The flat profile.
#[derive(Debug)]
pub struct FlatCharges {
    /// From most to least; then by name.
    pub rows: Vec<ChargeRow>,
}

impl FlatCharges {
    /// The rows of all symbols that `filters` shows and that have a number, or of
    /// all that it shows.
    #[must_use]
    pub fn new(
        ledger: &Ledger,
        table: &SymbolTable,
        filters: &FilterSets,
        shows_idle: bool,
    ) -> Self {
        let shown = table.iter().filter(|&(id, _)| filters.flat.contains(id));
        let mut rows: Vec<_> = shown
            .map(|(id, _)| ChargeRow {
                symbol: Some(id),
                percent: ledger.percent(ledger.own(id).get(ledger.measure)),
                cumulative: 0,
                own: *ledger.own(id),
                total: ledger.total(id).get(ledger.measure),
                collector: ledger.collector(id),
            })
            .filter(|row| shows_idle || !row.own.lacks(ledger.measure) || row.total != 0)
            .collect();
        let rest = ledger.unattributed(filters);
        rows.extend(
            rest.filter(|rest| !rest.lacks(ledger.measure))
                .map(|own| ChargeRow {
                    symbol: None,
                    percent: ledger.percent(own.get(ledger.measure)),
                    cumulative: 0,
                    own,
                    total: own.get(ledger.measure),
                    collector: 0,
                }),
        );
        rows.sort_by_key(|row| {
            let own = row.own.get(ledger.measure);
            let companion = row.own.get(ledger.measure.companion());
            (Reverse((own, row.total, companion)), row.symbol)
        });
        let mut cumulative = 0;
        for row in &mut rows {
            cumulative += row.own.get(ledger.measure);
            row.cumulative = cumulative;
        }
        Self { rows }
    }
}
