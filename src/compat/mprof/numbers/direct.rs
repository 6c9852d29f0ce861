//! What was allocated where.

use super::amounts::{Amounts, Measure};
use super::bins::BinTotal;
use super::share::{Classes, Part, classes};
use super::sites::Sites;
use crate::compat::words::Words;
use crate::model::ContextId;

/// What was allocated in one place.
#[derive(Clone, Copy, Debug)]
pub struct DirectRow {
    pub context: ContextId,
    pub allocated: Part,
    /// The same by class of size.
    pub allocated_classes: Classes,
    /// What was not freed.
    pub unfreed: Part,
    /// The same by class of size.
    pub unfreed_classes: Classes,
    /// What was allocated: blocks if all else is bytes, or the other way round.
    pub other: u64,
}

/// What was allocated everywhere.
#[derive(Clone, Copy, Debug)]
pub struct DirectTotal {
    pub allocated: u64,
    /// The same by class of size.
    pub allocated_classes: Classes,
    /// What was not freed.
    pub unfreed: u64,
    /// The same by class of size.
    pub unfreed_classes: Classes,
    /// Blocks if all else is bytes, or the other way round.
    pub other: u64,
}

/// What was allocated where, the most first. Of equal rows the one with the higher
/// address is first.
#[derive(Clone, Debug)]
pub struct DirectTable {
    /// The places.
    pub rows: Box<[DirectRow]>,
    pub total: DirectTotal,
}

impl DirectTable {
    pub(super) fn new(sites: &Sites<'_>, all: &BinTotal, measure: Measure, words: Words) -> Self {
        let whole = all.allocated.of(measure);
        let unfreed_whole = all.unfreed.of(measure);
        let amounts_of = sites.amounts(measure);
        let others_of = sites.amounts(measure.other());
        let mut sum = Amounts::default();
        let mut rows = Vec::new();
        for run in sites.runs() {
            let Some(start) = run.iter().position(|&id| sites.has_data(id)) else {
                continue;
            };
            let (mut amounts, mut others) = (Amounts::default(), Amounts::default());
            for &id in run[start..].iter().filter(|&&id| sites.has_data(id)) {
                amounts.add(&amounts_of(id).unwrap_or_default());
                others.add(&others_of(id).unwrap_or_default());
            }
            sum.add(&amounts);
            let unfreed = amounts.unfreed(words);
            rows.push(DirectRow {
                context: run[start],
                allocated: Part::new(words.sum(amounts.allocated), whole),
                allocated_classes: classes(amounts.allocated.map(|a| words.cut(a)), whole),
                unfreed: Part::or_none(words.sum(unfreed), unfreed_whole),
                unfreed_classes: classes(unfreed, unfreed_whole),
                other: words.sum(others.allocated),
            });
        }
        rows.reverse();
        rows.sort_by_key(|row| std::cmp::Reverse(row.allocated.amount));
        Self {
            rows: rows.into(),
            total: DirectTotal {
                allocated: whole,
                allocated_classes: classes(sum.allocated.map(|a| words.cut(a)), whole),
                unfreed: unfreed_whole,
                unfreed_classes: classes(sum.unfreed(words), unfreed_whole),
                other: all.allocated.of(measure.other()),
            },
        }
    }
}
