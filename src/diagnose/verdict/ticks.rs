//! Ticks where nothing ever runs: in the padding between functions.

use std::collections::{BTreeSet, HashMap};

use foldhash::fast::RandomState;

use super::Evidence;
use super::setting::{Setting, hit_bins, moved};
use crate::model::Address;

/// Bins are not of a whole number of bytes, and may be off by this much.
const SLACK: u64 = 4;

/// Fewer ticks, or ticks behind a single function that waits in such code,
/// are not worth a word.
const LEAST_TICKS: u64 = 3;

#[derive(Debug, Default)]
pub(super) struct PaddingTicks {
    n_ticks: u64,
    n_all: u64,
    /// Behind how many functions.
    n_places: usize,
}

impl PaddingTicks {
    pub(super) fn contradict(&self) -> bool {
        let is_notable = 100 * u128::from(self.n_ticks) >= u128::from(self.n_all);
        self.n_places > 1 && self.n_ticks >= LEAST_TICKS && is_notable
    }

    pub(super) fn evidence(self) -> Option<Evidence> {
        self.contradict().then_some(Evidence::PaddingTicks {
            n_ticks: self.n_ticks,
            n_all: self.n_all,
        })
    }
}

pub(super) fn examine(setting: &Setting<'_>, slide: u64) -> PaddingTicks {
    let mut found = PaddingTicks::default();
    let mut paddings: HashMap<Address, Address, RandomState> = HashMap::default();
    let mut places = BTreeSet::new();
    let bins = setting.profile.histograms().iter().flat_map(hit_bins);
    for (bin, ticks) in bins {
        found.n_all = found.n_all.saturating_add(ticks);
        let (start, end) = (moved(bin.start, slide), moved(bin.end, slide));
        let Some(function) = setting.function_at(start) else {
            continue;
        };
        let padding = *paddings
            .entry(function.range.start)
            .or_insert_with(|| setting.code.padding_of(&function.range));
        let is_behind = start.0 >= padding.0.saturating_add(SLACK);
        if is_behind && end.0.saturating_add(SLACK) <= function.range.end.0 {
            places.insert(padding);
            found.n_ticks = found.n_ticks.saturating_add(ticks);
        }
    }
    found.n_places = places.len();
    found
}
