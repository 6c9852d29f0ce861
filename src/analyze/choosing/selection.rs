//! Selects and orders the entries of a section.

use super::columns::find;
use super::unit::{RowGroup, reverse, share_of, sort, units};
use super::{FlatFold, RowChoice};
use crate::report::{Layout, NameTable, RowKind, Section, SectionId};
use crate::sorting::ColdSort;

/// Default minimum percentage of a frame of the call tree, an entry or line of the call graph,
/// or a line of a source.
pub const LEAST_PERCENT: f64 = 0.5;

/// Default maximum of call-graph entries: a few screens.
const N_ENTRIES: usize = 40;

pub(super) struct Wish<'c> {
    top: Option<usize>,
    /// Minimum percentage, if rows have one.
    min_percent: Option<f64>,
    sort: Option<usize>,
    is_reversed: bool,
    leaves_out_zero_cost: bool,
    is_short: IsShort,
    /// Entries are frames below their callers: the most expensive ones are shown at their
    /// places.
    is_tree: bool,
    is_usual_cut: bool,
    folds_lines: bool,
    kept: Option<&'c [bool]>,
}

impl<'c> Wish<'c> {
    pub(super) fn of(section: &Section, choice: &'c RowChoice, fold: &'c FlatFold) -> Self {
        let is_flat = section.id == SectionId::Flat;
        // A stable text, for comparison, has an order of its own.
        let sort = choice.sort.as_deref();
        let sort = sort.filter(|_| !(choice.is_stable && is_flat));
        let sort = sort.and_then(|sort| find(section, sort));
        let is_tree = section.id == SectionId::Tree;
        let sort = sort.filter(|_| !is_tree);
        let has_shares = share_of(section, sort).is_some();
        let folds_lines = section.id == SectionId::Graph
            && section.layout != Layout::Bsd
            && fold.leaves_out_small_calls;
        let is_usual_cut = (is_tree && fold.leaves_out_small_frames
            || folds_lines && choice.sort.is_none())
            && choice.top.is_none()
            && choice.min_percent.is_none();
        let least = is_usual_cut.then_some(LEAST_PERCENT).or(choice.min_percent);
        let has_most = is_usual_cut && !is_tree;
        Self {
            top: choice.top.or(has_most.then_some(N_ENTRIES)),
            min_percent: least.filter(|_| has_shares),
            sort,
            is_reversed: choice.is_reversed && !is_tree,
            is_tree,
            is_usual_cut,
            folds_lines,
            leaves_out_zero_cost: is_flat
                && fold.leaves_out_zero_cost
                && section.layout != Layout::Bsd
                || has_unchanged(section.id) && fold.leaves_out_unchanged,
            is_short: match section.id {
                SectionId::Difference | SectionId::DifferenceCalls => IsShort::Never,
                SectionId::SpreadFiles => IsShort::UpTo(N_FILES),
                _ => IsShort::WhereAllCostNothing,
            },
            kept: fold.kept.as_deref().filter(|_| is_flat),
        }
    }

    pub(super) fn is_empty(&self) -> bool {
        let keeps_all = self.top.is_none() && self.min_percent.is_none() && self.kept.is_none();
        let keeps_lines = !self.leaves_out_zero_cost && !self.folds_lines;
        keeps_all && keeps_lines && self.sort.is_none() && !self.is_reversed
    }

    /// The percentage below which lines of the call graph are summed up; `None` if no time
    /// was recorded.
    pub(super) fn least_of_lines(&self, units: &[RowGroup]) -> Option<f64> {
        let has_shares = || units.iter().any(|unit| unit.percent > Some(0.0));
        let least = self.min_percent.map_or(LEAST_PERCENT, |least| least.min(LEAST_PERCENT));
        (self.folds_lines && has_shares()).then_some(least)
    }

    /// Returns whether only the default limits apply.
    pub(super) fn is_usual_cut(&self) -> bool {
        self.is_usual_cut
    }

    fn asks_for(&self, unit: &RowGroup) -> bool {
        let is_kept = self.kept.is_none_or(|kept| unit.is_of(kept));
        let least = self.min_percent;
        let is_enough = least.is_none_or(|least| unit.percent >= Some(least));
        unit.stays() || is_kept && is_enough
    }
}

pub(super) struct Selected {
    pub(super) units: Vec<RowGroup>,
    /// Some omitted entries have or may have costs.
    pub(super) is_narrowed: bool,
    pub(super) is_whole: bool,
}

pub(super) fn select(section: &Section, wish: &Wish<'_>, names: &dyn NameTable) -> Selected {
    let mut units = units(section, wish.sort, names);
    // Without any time, all frames are equal.
    let has_cut = !wish.is_usual_cut || units.iter().any(|unit| unit.percent > Some(0.0));
    for unit in units.iter_mut().filter(|_| has_cut) {
        unit.is_shown = wish.asks_for(unit);
    }
    let is_narrowed = units.iter().any(|unit| !unit.is_shown);
    if wish.leaves_out_zero_cost {
        leave_out_zero_cost(&mut units, wish.is_short);
    }
    if wish.sort.is_some() {
        sort(&mut units);
    }
    let top = wish.top.filter(|_| has_cut);
    let is_cut = top.is_some_and(|top| cut(&mut units, top, wish.is_tree));
    if wish.is_reversed {
        reverse(&mut units);
    }
    let is_in_order = units.is_sorted_by_key(|unit| unit.place);
    let has_all = units.iter().all(|unit| unit.is_shown);
    // Had there been more, they would not be there either.
    let is_full = top.is_some() && !has_all;
    Selected {
        is_narrowed: is_narrowed || is_cut || is_full,
        is_whole: is_in_order && has_all,
        units,
    }
}

/// When to keep negligible rows.
#[derive(Clone, Copy)]
enum IsShort {
    /// Never: an empty table is informative.
    Never,
    /// If all rows are negligible.
    WhereAllCostNothing,
    /// If the table has at most this many rows.
    UpTo(usize),
}

/// Up to this number of files, all are listed.
const N_FILES: usize = 10;

fn has_unchanged(id: SectionId) -> bool {
    use SectionId as S;
    matches!(id, S::Difference | S::DifferenceCalls | S::SpreadFiles)
}

/// Omits negligible rows. Keeps a single one, since a sum would be as long, unless it would
/// appear to be significant.
fn leave_out_zero_cost(units: &mut [RowGroup], is_short: IsShort) {
    let is_zero_cost =
        |unit: &RowGroup| unit.is_shown && unit.kind == RowKind::Entry && unit.is_negligible;
    let n_shown = units.iter().filter(|unit| unit.is_shown).count();
    let n_zero_cost = units.iter().filter(|unit| is_zero_cost(unit)).count();
    let stays = match is_short {
        IsShort::Never => n_zero_cost == 0,
        IsShort::WhereAllCostNothing => n_zero_cost < 2 || n_zero_cost == n_shown,
        IsShort::UpTo(most) => n_zero_cost < 2 || n_shown <= most,
    };
    if stays {
        return;
    }
    for unit in units.iter_mut().filter(|unit| is_zero_cost(unit)) {
        unit.is_shown = false;
    }
}

/// Omits all but the first entries. Returns whether it omitted any.
fn cut(units: &mut [RowGroup], top: usize, by_share: bool) -> bool {
    let entries = units.iter_mut();
    let mut entries: Vec<_> = entries.filter(|unit| unit.is_shown && !unit.stays()).collect();
    if by_share {
        let share = |unit: &RowGroup| unit.percent.unwrap_or(0.0);
        entries.cold_sort_by(|a, b| share(b).total_cmp(&share(a)));
    }
    let mut is_cut = false;
    for unit in entries.into_iter().skip(top) {
        unit.is_shown = false;
        is_cut = true;
    }
    is_cut
}
