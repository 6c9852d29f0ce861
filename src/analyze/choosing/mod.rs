//! Which rows and columns of finished sections are shown, and in which order.
//!
//! What is left out is one row, so that columns still add up. Shares stay those of the
//! whole, unless those of what is shown are asked for. All of this looks at rows alone,
//! so it is the same for every kind of profile and for reports that were kept.
//!
//! Each section is looked at twice: once for the numbers that decide, of each entry with
//! what belongs to it, and once for the rows themselves. Costs the rows, and sorting the
//! entries.

mod columns;
mod ranking;
mod rest;
mod rows;
mod shares;
mod stable;
#[cfg(test)]
mod tests;
mod unit;

use std::collections::HashSet;
use std::fmt;

use crate::report::{Layout, Metric, NameTable, Report, RowKind, Section, SectionId};
use columns::{check_columns, find, project};
use ranking::{is_ranking, what_rows_are};
use rest::rest_of;
use rows::{keep_indices, put_rows};
use shares::{about_shares, relative_factor};
use unit::{Unit, share_of, units};

/// What is to be shown of every section that ranks something.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct RowChoice {
    /// So many entries, the first ones in the order of `sort`.
    pub top: Option<usize>,
    /// Entries with at least this share of the whole, in percent.
    pub min_percent: Option<f64>,
    /// The column by which entries are in order: numbers from most to least, names as
    /// they are spelled.
    pub sort: Option<String>,
    /// What is shown is turned around.
    pub is_reversed: bool,
    /// The columns, in order.
    pub columns: Option<Box<[String]>>,
    /// Shares are those of what is shown.
    pub is_relative: bool,
    /// Other columns are left out of files too.
    pub drops_columns: bool,
    /// The flat profile is made for comparing texts.
    pub is_stable: bool,
}

impl RowChoice {
    /// Whether everything is shown as it is.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        *self == Self::default()
    }

    /// Whether columns are asked for that sections have for nothing else.
    #[must_use]
    pub fn names_columns(&self) -> bool {
        self.columns.is_some() || self.sort.is_some()
    }
}

/// What is left out of the flat profile for other reasons.
#[derive(Default)]
pub struct FlatFold {
    /// Functions that cost nothing themselves: there may be thousands.
    pub leaves_out_idle: bool,
    /// Functions for which this is `false`, by number.
    pub kept: Option<Box<[bool]>>,
}

/// A column that was asked for and is in no section.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NoColumn {
    /// What was asked for.
    pub column: String,
    /// The columns that there are, each once.
    pub has: Vec<String>,
}

impl fmt::Display for NoColumn {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "nothing has a column `{}`", self.column)
    }
}

/// Shows of a report what was chosen. Returns whether the choice means anything to it.
///
/// # Errors
/// When a column is asked for that no section has.
pub fn choose(
    report: &mut Report<'_>,
    choice: &RowChoice,
    fold: &FlatFold,
) -> Result<bool, NoColumn> {
    check_columns(choice, &report.sections)?;
    let terms = Terms {
        names: &*report.names,
        metrics: &report.metrics,
    };
    let mut listed: Option<HashSet<i128>> = None;
    let mut has_ranking = false;
    for section in &mut report.sections {
        if let (SectionId::Index, Some(listed)) = (section.id, &listed) {
            keep_indices(section, listed);
        }
        if !is_ranking(section.id) {
            continue;
        }
        has_ranking = true;
        let shown = choose_rows(section, choice, fold, terms);
        if section.id == SectionId::Graph {
            listed = shown;
        }
        let is_stable = choice.is_stable && section.id == SectionId::Flat;
        if is_stable {
            stable::sort_by_name(section, terms.names);
        }
        match &choice.columns {
            Some(columns) => project(section, columns, choice.drops_columns),
            None if is_stable => project(section, &stable::usual_columns(section), true),
            None => {}
        }
        if is_stable {
            stable::fix_widths(section);
        }
    }
    if choice.is_stable {
        stable::forget_addresses(report);
    }
    Ok(has_ranking)
}

/// What cells and columns refer to.
#[derive(Clone, Copy)]
struct Terms<'r> {
    names: &'r dyn NameTable,
    metrics: &'r [Metric],
}

/// Chooses the rows of a section. Returns the indices of those of the call graph that
/// are left, if some are not.
fn choose_rows(
    section: &mut Section<'_>,
    choice: &RowChoice,
    fold: &FlatFold,
    terms: Terms<'_>,
) -> Option<HashSet<i128>> {
    let is_flat = section.id == SectionId::Flat;
    let leaves_out_idle = is_flat && fold.leaves_out_idle && section.layout != Layout::Bsd;
    let kept_names = fold.kept.as_ref().filter(|_| is_flat);
    if choice.is_empty() && !leaves_out_idle && kept_names.is_none() {
        return None;
    }
    let is_stable = choice.is_stable && is_flat;
    let sort = choice.sort.as_deref().filter(|_| !is_stable);
    let sort = sort.and_then(|sort| find(section, sort));
    let mut units = units(section, sort, terms.names);
    let n_all = units.len();
    // Where rows have no shares the limit means nothing.
    let least = choice
        .min_percent
        .filter(|_| share_of(section, sort).is_some());
    let is_asked_for = |unit: &Unit| {
        let is_kept = kept_names.is_none_or(|kept| unit.is_of(kept));
        let is_enough = least.is_none_or(|least| unit.percent >= Some(least));
        unit.stays() || is_kept && is_enough
    };
    for unit in &mut units {
        unit.is_shown = is_asked_for(unit);
    }
    let is_narrowed = units.iter().any(|unit| !unit.is_shown);
    let n_idle = if leaves_out_idle {
        leave_out_idle(&mut units)
    } else {
        0
    };
    if sort.is_some() {
        unit::sort(&mut units);
    }
    let is_cut = choice.top.is_some_and(|top| cut(&mut units, top));
    if choice.is_reversed {
        units.reverse();
        unit::put_rest_last(&mut units);
    }
    let is_narrowed = is_narrowed || is_cut;
    if !is_narrowed && n_idle == 0 && sort.is_none() && !choice.is_reversed && !choice.is_relative {
        return None;
    }
    let n_shown = units.iter().filter(|unit| unit.is_shown).count();
    let factor = choice
        .is_relative
        .then(|| relative_factor(&units))
        .flatten();
    let says_shares = (is_narrowed || factor.is_some()) && !is_stable;
    let about = says_shares.then(|| about_shares(section, &units, terms.metrics, factor.is_some()));
    let rest = (n_shown < n_all).then(|| {
        let what = what_rows_are(section.id, terms.names.are_lines());
        rest_of(section, &units, what, terms.metrics, !is_narrowed)
    });
    let listed = (is_narrowed && section.id == SectionId::Graph)
        .then(|| units.iter().filter(|unit| unit.is_shown))
        .map(|shown| shown.filter_map(|unit| unit.index).collect());
    put_rows(section, &units, rest, factor);
    // A report that was kept may say so already.
    let about = about
        .flatten()
        .filter(|about| !section.summary.contains(about));
    section.summary.extend(about);
    listed
}

/// Leaves out what costs nothing itself, and returns how many that are. A sum of one row
/// would be as long as that row, which stays; and where all cost nothing all stay.
fn leave_out_idle(units: &mut [Unit]) -> usize {
    let is_idle = |unit: &&mut Unit| unit.is_shown && unit.kind == RowKind::Entry && unit.is_idle;
    let n_shown = units.iter().filter(|unit| unit.is_shown).count();
    let n_idle = units.iter_mut().filter(is_idle).count();
    if n_idle < 2 || n_idle == n_shown {
        return 0;
    }
    units
        .iter_mut()
        .filter(is_idle)
        .for_each(|unit| unit.is_shown = false);
    n_idle
}

/// Leaves out all but the first entries. Returns whether there were more.
fn cut(units: &mut [Unit], top: usize) -> bool {
    let entries = units
        .iter_mut()
        .filter(|unit| unit.is_shown && !unit.stays());
    let mut is_cut = false;
    for unit in entries.skip(top) {
        unit.is_shown = false;
        is_cut = true;
    }
    is_cut
}
