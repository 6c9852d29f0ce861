//! The layouts of GNU gprof 2.40, byte for byte.
//!
//! It takes finished rows; what a row says is decided elsewhere.

mod annotated;
mod call_graph;
mod columns;
mod exec_counts;
mod file_info;
mod flat;
mod index;
mod labels;
mod names;
mod order;
mod shown;
mod side_by_side;

use std::io::{self, Write};

pub use annotated::{AnnotatedSource, write_annotated};
pub use file_info::write_file_info;
pub use names::{LocationStyle, NameOptions, Names};

use crate::compat::gprof::numbers::{Analysis, CountRow, Reference};
use labels::Labels;
use shown::Shown;

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
    labels: Labels<'a>,
    options: &'a TextOptions,
}

/// Prints sections in their order, a form feed between two.
pub fn write_report(
    out: &mut dyn Write,
    sections: &[Section],
    contents: &Contents<'_>,
    names: &Names<'_>,
    options: &TextOptions,
) -> io::Result<()> {
    let analysis = contents.analysis;
    let subjects: Vec<_> = match sections.contains(&Section::Graph) {
        true => analysis.graph.subjects().collect(),
        false => Vec::new(),
    };
    let shown = Shown::new(sections, contents, &subjects);
    let report = Report {
        analysis,
        names,
        labels: Labels::new(names, &analysis.graph, options.flavor, &shown),
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
            Section::ExecCounts => exec_counts::write(out, contents.exec_counts, &report)?,
            Section::AnnotatedSource => {
                report.write_sources(out, contents.sources, &mut is_first)?;
            }
            Section::Order => order::write(out, &report)?,
        }
    }
    Ok(())
}

/// A form feed, where something was printed before.
fn separate(out: &mut dyn Write, is_first: &mut bool) -> io::Result<()> {
    if std::mem::take(is_first) {
        return Ok(());
    }
    out.write_all(b"\x0c\n")
}

impl Report<'_> {
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
            out.write_all(&self.names.file(source.annotations.file))?;
            out.write_all(b":\n")?;
            write_annotated(out, source)?;
        }
        Ok(())
    }
}

fn brackets(reference: &Reference) -> (u8, u8) {
    if reference.is_shown {
        (b'[', b']')
    } else {
        (b'(', b')')
    }
}
