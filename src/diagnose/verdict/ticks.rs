//! Ticks where no instruction starts: within instructions, or in the padding between functions. A
//! sample is the address of an instruction, so the right build never has such ticks.

use std::collections::BTreeSet;
use std::ops::Range;

use super::Evidence;
use super::setting::{Setting, hit_bins, moved};
use crate::model::Address;
use crate::symbols::{FunctionCode, Symbol, SymbolId};
use crate::threads;

/// Maximum rounding error of bins in bytes.
const SLACK: u64 = 4;

/// Minimum number of ticks, and not all in a single function, which may be written by hand.
const LEAST_TICKS: u64 = 3;

#[derive(Debug, Default)]
pub(super) struct MisplacedTicks {
    n_ticks: u64,
    n_all: u64,
    /// Functions with such ticks.
    functions: BTreeSet<SymbolId>,
}

impl MisplacedTicks {
    pub(super) fn contradict(&self) -> bool {
        let is_notable = 100 * u128::from(self.n_ticks) >= u128::from(self.n_all);
        self.functions.len() > 1 && self.n_ticks >= LEAST_TICKS && is_notable
    }

    pub(super) fn evidence(self) -> Option<Evidence> {
        self.contradict()
            .then_some(Evidence::MisplacedTicks { n_ticks: self.n_ticks, n_all: self.n_all })
    }

    fn add(&mut self, other: Self) {
        self.n_ticks = self.n_ticks.saturating_add(other.n_ticks);
        self.n_all = self.n_all.saturating_add(other.n_all);
        self.functions.extend(other.functions);
    }
}

/// The range of a bin, and its ticks.
type HitBin = (Range<Address>, u64);

pub(super) fn inspect(setting: &Setting<'_>, slide: u64) -> MisplacedTicks {
    let examination = TickInspection { setting, slide };
    let mut found = MisplacedTicks::default();
    let bins = setting.profile.histograms().iter().flat_map(hit_bins);
    let add = |more| found.add(more);
    threads::batches(bins, |bins| examination.inspect(bins), add);
    found
}

struct TickInspection<'a, 'b> {
    setting: &'a Setting<'b>,
    slide: u64,
}

/// Returns whether a sample may be in a range of a function.
fn can_run_in(code: &FunctionCode, range: &Range<Address>) -> bool {
    if range.start.0 >= code.padding.0.saturating_add(SLACK) {
        return false;
    }
    code.starts.as_ref().is_none_or(|starts| {
        let n_before = starts.partition_point(|&start| start < range.start.0);
        starts.get(n_before).is_some_and(|&start| start < range.end.0)
    })
}

impl TickInspection<'_, '_> {
    fn inspect(&self, bins: &[HitBin]) -> MisplacedTicks {
        let mut found = MisplacedTicks::default();
        // Bins come in order, several of them of one function.
        let mut last: Option<(SymbolId, &Symbol)> = None;
        for (bin, ticks) in bins {
            found.n_all = found.n_all.saturating_add(*ticks);
            let (start, end) = (moved(bin.start, self.slide), moved(bin.end, self.slide));
            let is_in_last = last.is_some_and(|(id, function)| {
                function.range.contains(&start) && !self.starts_before(id, start)
            });
            if !is_in_last {
                last = self.setting.numbered_function_at(start);
            }
            let Some((id, function)) = last else {
                continue;
            };
            let is_within = end.0.saturating_add(SLACK) <= function.range.end.0;
            if !is_within || start < function.range.start {
                continue;
            }
            let code = self.setting.checked.decoded[id.index()]
                .get_or_init(|| self.setting.code.function_code(&function.range));
            if !can_run_in(code, &(start..end)) {
                found.functions.insert(id);
                found.n_ticks = found.n_ticks.saturating_add(*ticks);
            }
        }
        found
    }

    /// Returns whether the function after `id` starts at or before an address.
    fn starts_before(&self, id: SymbolId, address: Address) -> bool {
        let table = self.setting.functions();
        let next = table.and_then(|table| table.symbols().get(id.index() + 1));
        next.is_some_and(|next| next.range.start <= address)
    }
}
