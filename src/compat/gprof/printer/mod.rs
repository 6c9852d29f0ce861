//! The layouts of GNU gprof 2.40, byte for byte.
//!
//! It takes finished rows; what a row says is decided elsewhere.

mod annotated;
mod call_graph;
mod columns;
mod flat;
mod index;
mod names;
mod side_by_side;

use std::io::{self, Write};

use crate::analyze::OrderedName;
use crate::compat::gprof::numbers::{Analysis, CountRow, GraphNode, Reference};
use crate::report::Text;
use crate::symbols::SymbolId;

pub use annotated::{AnnotatedSource, write_annotated, write_file_info};
pub use names::{LocationStyle, NameOptions, Names};

/// Which of two layouts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Flavor {
    Gnu,
    /// The older one of BSD (`-T`).
    Bsd,
}

/// A part of the report.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Section {
    Flat,
    Graph,
    /// The index of functions by name.
    Index,
    /// How often functions and basic blocks were executed.
    ExecCounts,
    /// Source with counts beside its lines.
    AnnotatedSource,
    /// An order of functions or files.
    Order,
}

/// How the report is printed.
#[derive(Clone, Copy, Debug)]
pub struct TextOptions {
    /// Which layout.
    pub flavor: Flavor,
    /// Print what the columns mean.
    pub explains: bool,
    pub width: usize,
    /// Something was printed before, so the first section starts a page, too.
    pub follows_text: bool,
    /// There are arcs, so the rows of a BSD flat profile can refer to entries.
    pub has_arcs: bool,
}

/// What sections are printed from.
#[derive(Clone, Copy, Debug)]
pub struct Contents<'a> {
    /// The numbers.
    pub analysis: &'a Analysis,
    /// Those of the execution counts.
    pub exec_counts: &'a [CountRow],
    pub sources: &'a [AnnotatedSource],
}

/// Everything that a section is printed from.
struct Report<'a> {
    analysis: &'a Analysis,
    names: &'a Names<'a>,
    options: &'a TextOptions,
}

/// Prints sections in their order, a form feed between two.
pub fn write_report(
    out: &mut dyn Write,
    sections: &[Section],
    contents: &Contents<'_>,
    mut names: Names<'_>,
    options: &TextOptions,
) -> io::Result<()> {
    let analysis = contents.analysis;
    let subjects: Vec<_> = match sections.contains(&Section::Graph) {
        true => analysis.graph.subjects().collect(),
        false => Vec::new(),
    };
    if options.flavor == Flavor::Gnu {
        names.demangle(&named(sections, analysis));
    }
    let report = Report {
        analysis,
        names: &names,
        options,
    };
    let mut is_first = !options.follows_text;
    for section in sections {
        if !matches!(section, Section::AnnotatedSource | Section::Order) {
            separate(out, &mut is_first)?;
        }
        match section {
            Section::Flat => flat::write(out, &report)?,
            Section::Graph => call_graph::write(out, &subjects, &report)?,
            Section::Index => index::write(out, &report)?,
            Section::ExecCounts => report.write_counts(out, contents.exec_counts)?,
            Section::AnnotatedSource => {
                report.write_sources(out, contents.sources, &mut is_first)?;
            }
            Section::Order => report.write_order(out)?,
        }
    }
    Ok(())
}

/// The symbols that are named in sections with demangled names, each once and in the order
/// of their addresses. Costs symbols and arcs.
fn named(sections: &[Section], analysis: &Analysis) -> Vec<SymbolId> {
    let graph = &analysis.graph;
    let mut is_named = vec![false; graph.functions().len()];
    let mut name = |symbol: SymbolId| is_named[symbol.index()] = true;
    if sections.contains(&Section::Flat) {
        analysis.flat.rows.iter().for_each(|row| name(row.symbol));
    }
    // Each of the two lists every function that has time or calls.
    if sections.contains(&Section::Graph) || sections.contains(&Section::Index) {
        for entry in &analysis.index {
            if let GraphNode::Function(symbol) = *entry {
                name(symbol);
            }
        }
        for arc in graph.graph().arcs() {
            name(arc.caller);
            name(arc.callee);
        }
    }
    let all = (0..).map(SymbolId).zip(is_named);
    all.filter_map(|(symbol, is_named)| is_named.then_some(symbol))
        .collect()
}

/// A form feed, where something was printed before.
fn separate(out: &mut dyn Write, is_first: &mut bool) -> io::Result<()> {
    if std::mem::take(is_first) {
        return Ok(());
    }
    out.write_all(b"\x0c\n")
}

impl Report<'_> {
    /// Adds the name, the cycle and the number of the entry, as in `f <cycle 1> [12]`, and
    /// ends the line.
    fn push_reference(&self, text: &mut Text, symbol: SymbolId) {
        let reference = self.analysis.graph.reference(symbol);
        self.names.push(text, symbol);
        if let Some(cycle) = reference.cycle {
            text.word(" <cycle ");
            text.count(cycle.0.into(), 0);
            text.word(">");
        }
        text.word(" ");
        push_number(text, &reference);
        text.word("\n");
    }

    /// Writes annotated sources, each as a section of its own.
    fn write_sources(
        &self,
        out: &mut dyn Write,
        sources: &[AnnotatedSource],
        is_first: &mut bool,
    ) -> io::Result<()> {
        for (index, source) in sources.iter().enumerate() {
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

    /// How often functions and basic blocks were executed.
    fn write_counts(&self, out: &mut dyn Write, rows: &[CountRow]) -> io::Result<()> {
        for row in rows {
            let (file, line) = self.names.source(row.symbol);
            out.write_all(file)?;
            write!(out, ":{line}: (")?;
            out.write_all(self.names.raw(row.symbol))?;
            writeln!(out, ":{}) {} executions", row.address, row.count)?;
        }
        Ok(())
    }

    /// An order of functions or files for the linker: names, and nothing else.
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

/// The number of an entry: in brackets, or in parentheses when it is not shown.
fn push_number(text: &mut Text, reference: &Reference) {
    let (open, close) = if reference.is_shown {
        ("[", "]")
    } else {
        ("(", ")")
    };
    text.word(open);
    text.count(reference.number as u64, 0);
    text.word(close);
}
