//! Selects and orders the rows and columns of finished sections.
//!
//! All omitted rows become one, so that columns still add up. Percentages refer to the whole,
//! unless percentages of the shown rows are requested. Only rows are used, so all kinds of
//! profiles and saved reports work the same.
//!
//! Each section is visited twice: once for the numbers that decide, and once for the rows.
//! Linear in rows, plus sorting the entries.

mod columns;
mod hot_lines;
mod lines;
mod rest;
mod rows;
mod selection;
mod stable;
#[cfg(test)]
mod tests;
mod unit;

use std::collections::HashSet;
use std::fmt;

use crate::report::{Metric, NameTable, Report, Section, SectionId};
use columns::{check_columns, project};
pub use hot_lines::SourceFold;
use hot_lines::choose_lines;
use lines::LineFold;
use rest::{RestWords, about_shares, relative_factor, rest_of};
use rows::{keep_indices, put_rows};
pub use selection::LEAST_PERCENT;
use selection::{Selected, Wish, select};
use unit::{RowGroup, is_ranking, what_rows_are};

#[derive(Clone, Debug, Default, PartialEq)]
pub struct RowChoice {
    /// Number of entries, the first ones in the order of `sort`.
    pub top: Option<usize>,
    /// Minimum percentage of an entry; for changes, the absolute value.
    pub min_percent: Option<f64>,
    /// The column to sort by: numbers descending, changes by absolute value, names ascending.
    pub sort: Option<String>,
    pub is_reversed: bool,
    pub columns: Option<Box<[String]>>,
    pub is_relative: bool,
    /// Files omit the other columns too.
    pub drops_columns: bool,
    /// The flat profile is for text comparisons.
    pub is_stable: bool,
}

impl RowChoice {
    pub fn is_empty(&self) -> bool {
        *self == Self::default()
    }
}

/// The rows that the flat profile, differences and sources omit by default.
#[derive(Default)]
pub struct FlatFold {
    /// Functions without self cost: there may be thousands.
    pub leaves_out_zero_cost: bool,
    /// Changes without statistical support.
    pub leaves_out_unchanged: bool,
    /// Frames of the call tree below half a percent, unless frames were requested by number
    /// or share.
    pub leaves_out_small_frames: bool,
    /// Entries and lines of the call graph below that.
    pub leaves_out_small_calls: bool,
    pub sources: SourceFold,
    /// Omit functions for which this is `false`.
    pub kept: Option<Box<[bool]>>,
}

/// A requested column that no section has.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NoColumn {
    pub column: String,
    pub has: Vec<String>,
}

impl fmt::Display for NoColumn {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "no column `{}`", self.column)
    }
}

/// Applies a choice to a report. Returns whether it has any effect.
pub fn choose(report: &mut Report, choice: &RowChoice, fold: &FlatFold) -> Result<bool, NoColumn> {
    check_columns(choice, &report.sections)?;
    let mut has_ranking = choose_lines(report, choice, &fold.sources);
    let terms = Terms { names: &*report.names, metrics: &report.metrics };
    let mut listed: Option<HashSet<i128>> = None;
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

const SMALL_FRAMES: &str = "Frames below 0.5 % of the total are omitted; --all shows them.";

#[derive(Clone, Copy)]
struct Terms<'r> {
    names: &'r dyn NameTable,
    metrics: &'r [Metric],
}

/// Selects the rows of a section. Returns the index numbers of the remaining call-graph
/// entries, if some are omitted.
fn choose_rows(
    section: &mut Section,
    choice: &RowChoice,
    fold: &FlatFold,
    terms: Terms<'_>,
) -> Option<HashSet<i128>> {
    let wish = Wish::of(section, choice, fold);
    if wish.is_empty() && !choice.is_relative {
        return None;
    }
    let selection = select(section, &wish, terms.names);
    let lines = wish.least_of_lines(&selection.units);
    if selection.is_whole && lines.is_none() && !choice.is_relative {
        return None;
    }
    let Selected { units, is_narrowed, .. } = selection;
    let lines = lines.and_then(|least| LineFold::new(section, &units, least));
    let factor = choice.is_relative.then(|| relative_factor(&units));
    let factor = factor.flatten();
    let is_made_for_diff = choice.is_stable && section.id == SectionId::Flat;
    let is_usual = wish.is_usual_cut();
    let says_shares = (is_narrowed && !is_usual || factor.is_some()) && !is_made_for_diff;
    let about = says_shares.then(|| about_shares(section, &units, terms.metrics, factor.is_some()));
    let is_left_out = |unit: &RowGroup| !unit.is_shown;
    let what = what_rows_are(section.id, terms.names.are_lines());
    let what = what.filter(|_| units.iter().any(is_left_out));
    let names_all = is_usual && section.id == SectionId::Graph;
    let said = RestWords { what: what.unwrap_or_default(), are_zero_cost: !is_narrowed, names_all };
    let rest = what.map(|_| rest_of(section, &units, said, terms.metrics));
    if is_usual && rest.is_some() && !names_all {
        section.notes.push(SMALL_FRAMES.to_owned());
    }
    put_rows(section, &units, rest, lines, factor);
    // A saved report may already contain the sentence.
    let about = about.flatten();
    let about = about.filter(|about| !section.summary.contains(about));
    section.summary.extend(about);
    let shown = units.iter().filter(|unit| unit.is_shown);
    let has_index = is_narrowed && section.id == SectionId::Graph;
    has_index.then(|| shown.filter_map(|unit| unit.index).collect())
}
