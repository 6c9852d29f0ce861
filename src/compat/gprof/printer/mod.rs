//! The layouts of GNU gprof 2.40, byte for byte.
//!
//! Prints finished rows.

mod annotated;
mod call_graph;
mod flat;
mod index;
mod names;

use std::io::{self, Write};

use super::plan::{Flavor, GprofPlan, GprofSection, GprofStyle};
use crate::analyze::OrderedName;
use crate::compat::gprof::numbers::{Analysis, CountRow, GraphNode};
use crate::report::Text;
use crate::report::gprof_layout::push_reference;
use crate::symbols::SymbolId;

pub use annotated::{AnnotatedSource, write_annotated, write_file_info};
pub use names::PrintedNames;

/// Usual number of lines made by a thread at once.
const LINES: usize = 1 << 11;

/// The input of all sections.
pub struct GprofReport<'a> {
    pub plan: &'a GprofPlan,
    pub analysis: &'a Analysis,
    /// Rows of the execution counts.
    pub exec_counts: &'a [CountRow],
    pub sources: &'a [AnnotatedSource],
    pub names: PrintedNames<'a>,
    /// The profile has arcs, so the rows of a BSD flat profile refer to entries.
    pub has_arcs: bool,
}

/// Prints sections in order, separated by form feeds.
pub fn write_report(
    out: &mut dyn Write,
    sections: &[GprofSection],
    report: &mut GprofReport<'_>,
) -> io::Result<()> {
    if report.plan.flavor == Flavor::Gnu {
        report.names.demangle(&named(sections, report.analysis));
    }
    // After other output, the first section starts a page, too.
    let mut is_first = !report.plan.styles.wants(GprofStyle::FileInfo);
    for section in sections {
        if !matches!(section, GprofSection::AnnotatedSource | GprofSection::Order) {
            separate(out, &mut is_first)?;
        }
        match section {
            GprofSection::Flat => flat::write(out, report)?,
            GprofSection::Graph => call_graph::write(out, report)?,
            GprofSection::Index => index::write(out, report)?,
            GprofSection::ExecCounts => report.write_counts(out)?,
            GprofSection::AnnotatedSource => report.write_sources(out, &mut is_first)?,
            GprofSection::Order => report.write_order(out)?,
        }
    }
    Ok(())
}

/// The symbols in sections with demangled names, by address. Linear in symbols and arcs.
fn named(sections: &[GprofSection], analysis: &Analysis) -> Vec<SymbolId> {
    let graph = &analysis.graph;
    let mut is_named = vec![false; graph.times.functions.len()];
    let mut name = |symbol: SymbolId| is_named[symbol.index()] = true;
    if sections.contains(&GprofSection::Flat) {
        analysis.flat.rows.iter().for_each(|row| name(row.symbol));
    }
    // Each of the two lists every function that has time or calls.
    if sections.contains(&GprofSection::Graph) || sections.contains(&GprofSection::Index) {
        for entry in &analysis.index {
            if let GraphNode::Function(symbol) = *entry {
                name(symbol);
            }
        }
        for arc in graph.graph.arcs() {
            name(arc.caller);
            name(arc.callee);
        }
    }
    let all = (0..).map(SymbolId).zip(is_named);
    all.filter_map(|(symbol, is_named)| is_named.then_some(symbol)).collect()
}

/// A form feed, except at the start.
fn separate(out: &mut dyn Write, is_first: &mut bool) -> io::Result<()> {
    if std::mem::take(is_first) {
        return Ok(());
    }
    out.write_all(b"\x0c\n")
}

impl GprofReport<'_> {
    /// Adds name, cycle and index number: `f <cycle 1> [12]`, and a line end.
    fn push_reference(&self, text: &mut Text, symbol: SymbolId) {
        let graph = &self.analysis.graph;
        self.names.push(text, symbol);
        let cycle = graph.cycle_of(symbol).map(|cycle| cycle.0.into());
        push_reference(text, cycle, graph.index_number(GraphNode::Function(symbol)));
        text.word("\n");
    }

    /// Writes annotated sources, each as a section.
    fn write_sources(&self, out: &mut dyn Write, is_first: &mut bool) -> io::Result<()> {
        for (index, source) in self.sources.iter().enumerate() {
            if index > 0 {
                out.write_all(b"\n")?;
            }
            separate(out, is_first)?;
            out.write_all(b"*** File ")?;
            out.write_all(self.names.file(source.annotations.file))?;
            out.write_all(b":\n")?;
            write_annotated(out, source)?;
        }
        Ok(())
    }

    /// Execution counts of functions and basic blocks.
    fn write_counts(&self, out: &mut dyn Write) -> io::Result<()> {
        for row in self.exec_counts {
            let (file, line) = self.names.source(row.symbol);
            out.write_all(file)?;
            write!(out, ":{line}: (")?;
            out.write_all(self.names.raw(row.symbol))?;
            writeln!(out, ":{}) {} executions", row.address, row.count)?;
        }
        Ok(())
    }

    /// An order of functions or files for the linker: names only.
    fn write_order(&self, out: &mut dyn Write) -> io::Result<()> {
        for name in &self.analysis.order {
            match name {
                OrderedName::Symbol(id) => out.write_all(self.names.raw(*id))?,
                OrderedName::Other(name) => out.write_all(name)?,
            }
            out.write_all(b"\n")?;
        }
        Ok(())
    }
}
