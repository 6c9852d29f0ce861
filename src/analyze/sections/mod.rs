//! Costs to sections of a report: rows in order, shares, running sums.
//!
//! A section is a list of columns and an iterator of rows, so a new column is one
//! entry in one list.

mod counts;
mod coverage;
mod files;
mod flat;
mod focus;
mod graph;
mod heap;
mod index;
mod leaks;
mod order;
mod overview;
mod run;
mod sizes;
mod source;
mod table;
mod trace;
mod tree;
mod uncertainty;
mod units;
mod unknown_callers;

pub use counts::{class_counts, entry_counts, event_counts, execution_counts};
pub use coverage::coverage_sections;
pub use files::{FileLayout, file_section};
pub use flat::flat_section;
pub use graph::{GraphRanks, graph_section};
pub use heap::{growth_section, peak_section, temporary_section};
pub use index::index_section;
pub use leaks::leaks_section;
pub use order::order_section;
pub use overview::{overview_of, overview_section};
pub use run::run_section;
pub use sizes::sizes_section;
pub use source::{SourceFile, cost_sources, empty_source, execution_sources, time_by_file};
pub use trace::{TraceOptions, trace_sections};
pub use tree::tree_section;
pub use unknown_callers::{about_shared_calls, about_unknown_callers};

use std::cmp::Ordering;

use super::cost_graph::CostGraph;
use crate::filter::FilterSets;
use crate::report::{Cell, Layout, NameId, number};
use crate::symbols::{SymbolId, SymbolTable};

/// What the sections of one report are made from.
#[derive(Clone, Copy, Debug)]
pub struct Material<'a> {
    pub costs: &'a CostGraph,
    pub table: &'a SymbolTable,
    pub filters: &'a FilterSets,
    pub options: SectionOptions,
}

#[derive(Clone, Copy, Debug, Default)]
pub struct SectionOptions {
    /// Functions without calls and costs are shown too.
    pub shows_zero_cost: bool,
    pub is_bsd: bool,
    /// What people look at on a terminal, in place of what files have.
    pub is_for_screen: bool,
    /// Columns are asked for by name, so that there have to be all.
    pub has_all_columns: bool,
    pub has_error: bool,
    /// How many runs the numbers are of, as far as files tell.
    pub n_runs: u32,
}

impl Material<'_> {
    /// The order of two functions by name. Symbols of contexts are in that order.
    fn compare_names(&self, a: SymbolId, b: SymbolId) -> Ordering {
        match self.costs.sampling {
            Some(_) => self.table.get(a).name.cmp(&self.table.get(b).name),
            None => a.cmp(&b),
        }
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
