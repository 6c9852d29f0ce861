//! Sections of a report: sorted rows, percentages, running sums.
//!
//! A section is a list of columns and an iterator of rows, so a new column is one list item.

mod counts;
mod coverage;
mod files;
mod flat;
mod focus;
mod graph;
mod heap;
mod heap_stacks;
mod index;
mod order;
mod overview;
mod run;
mod samples;
mod sizes;
mod source;
mod table;
mod trace;
mod trace_places;
mod tree;
mod uncertainty;
mod units;
mod unknown_callers;
mod weights;

/// Maximum number of names in a sentence; then their number.
const N_NAMED: usize = 3;

pub use counts::{class_counts, entry_counts, event_counts, execution_counts};
pub use coverage::coverage_sections;
pub use files::{FileLayout, file_section};
pub use flat::flat_section;
pub use graph::{GraphRanks, graph_section};
pub use heap::{growth_section, peak_section, temporary_section};
pub use heap_stacks::{about_wrappers, leaks_section, peak_stacks_section};
pub use index::index_section;
pub use order::order_section;
pub use overview::{overview_of, overview_section, sampled_total};
pub use run::run_section;
pub use sizes::sizes_section;
pub use source::{
    SourceFile, cost_by_file, cost_sources, empty_source, execution_sources, time_by_file,
};
pub use trace::{TraceOptions, series_sections, trace_sections};
pub use trace_places::DisplayName;
pub use tree::tree_sections;
pub use unknown_callers::{about_shared_calls, about_unknown_callers};

use std::cmp::Ordering;
use std::sync::Arc;

use super::cost_graph::{CostGraph, Guesses};
use crate::filter::FilterSets;
use crate::report::{Audience, Cell, Layout, MetricIndex, NameId, number};
use crate::symbols::{Granularity, SymbolId, SymbolTable};

/// The input of all sections of a report.
#[derive(Clone, Copy, Debug)]
pub struct Material<'a> {
    pub costs: &'a Arc<CostGraph>,
    pub table: &'a Arc<SymbolTable>,
    pub filters: &'a FilterSets,
    pub options: SectionOptions,
}

#[derive(Clone, Copy, Debug, Default)]
pub struct SectionOptions {
    /// Show functions without calls and costs too.
    pub shows_zero_cost: bool,
    /// Show functions too that have only calls, or costs in other metrics.
    pub has_all_metrics: bool,
    pub is_bsd: bool,
    pub audience: Audience,
    /// Columns are requested by name, so all must exist.
    pub has_all_columns: bool,
    /// Functions with equal self costs are in the order of their totals, so that rows that a
    /// screen omits come last.
    pub orders_by_total: bool,
    pub has_error: bool,
    /// Marks totals that equal costs of calls decide.
    pub marks_guesses: bool,
    /// Number of runs, as far as known.
    pub n_runs: u32,
    /// It is a side of a comparison, whose head has the totals of both.
    pub is_side: bool,
    /// Metrics whose ratio is a column.
    pub ratio: Option<[MetricIndex; 2]>,
}

impl SectionOptions {
    fn is_for_screen(&self) -> bool {
        self.audience == Audience::Screen
    }
}

impl Material<'_> {
    /// Returns whether guesses are marked.
    fn marks_guesses(&self) -> bool {
        self.options.marks_guesses && self.has_propagated_totals() && self.costs.has_guesses()
    }

    /// Returns whether text shows the marks: on a screen, except in BSD's layout.
    fn shows_marks(&self) -> bool {
        self.options.is_for_screen() && self.layout() != Layout::Bsd
    }

    /// The totals of functions that equal costs of calls decide, if any.
    pub fn guesses(&self) -> Option<Guesses> {
        self.costs.guesses().filter(|_| self.has_propagated_totals())
    }

    /// Returns whether totals follow calls. A call leads to one line of a function only.
    fn has_propagated_totals(&self) -> bool {
        self.table.granularity() != Granularity::Lines
    }

    /// The order of two functions by name. Symbols of contexts are in that order.
    fn compare_names(&self, a: SymbolId, b: SymbolId) -> Ordering {
        match self.costs.sampling {
            Some(_) => self.table.get(a).name.cmp(&self.table.get(b).name),
            None => a.cmp(&b),
        }
    }

    /// A number and its noun.
    fn counted(&self, number: i128, one: &str, many: &str) -> String {
        let counted =
            if self.options.is_for_screen() { number::counted_in_groups } else { number::counted };
        counted(number, one, many)
    }

    fn layout(&self) -> Layout {
        match (self.costs.sampling.is_some(), self.options.is_bsd) {
            (true, false) => Layout::Gprof,
            (true, true) => Layout::Bsd,
            (false, _) => Layout::Table,
        }
    }
}

fn name(id: SymbolId) -> Cell {
    Cell::Name(NameId(id.0))
}

fn counted(amount: i128, what: &str) -> String {
    number::counted(amount, what, &format!("{what}s"))
}
