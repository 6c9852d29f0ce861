//! The layout of GNU gprof.
//!
//! Byte for byte in the personality, and the default layout of profan. It takes
//! finished rows; what a row says is decided elsewhere.

mod call_graph;
mod explanations;
mod file_info;
mod flat;
mod index;
mod names;
mod order;
mod printf;

use std::borrow::Cow;
use std::io::{self, Write};

pub use file_info::write_file_info;
pub use names::{NameOptions, Names, escape_controls};

use crate::analyze::{Analysis, Reference, Subject};
use crate::symbols::SymbolId;

/// Which of two layouts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Flavor {
    /// That of GNU.
    Gnu,
    /// The older one of BSD (`-T`).
    Bsd,
}

/// A part of the report.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Section {
    /// The flat profile.
    Flat,
    /// The call graph.
    Graph,
    /// The index of functions by name.
    Index,
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
    /// The width of the index.
    pub width: usize,
    /// The header of the call graph says `seconds` whatever is measured.
    pub always_seconds: bool,
    /// Something was printed before, so the first section starts a page, too.
    pub follows_text: bool,
    /// There are arcs, so the rows of a BSD flat profile can refer to entries.
    pub has_arcs: bool,
    /// Headings and the lines that entries are about stand out.
    pub has_color: bool,
}

/// Everything that a section is printed from.
struct Report<'a> {
    analysis: &'a Analysis,
    names: &'a Names<'a>,
    options: &'a TextOptions,
}

/// Prints sections in their order, a form feed between two.
///
/// # Errors
/// When the writer fails.
pub fn write_report(
    out: &mut dyn Write,
    sections: &[Section],
    analysis: &Analysis,
    names: &Names<'_>,
    options: &TextOptions,
) -> io::Result<()> {
    let report = Report {
        analysis,
        names,
        options,
    };
    for (index, section) in sections.iter().enumerate() {
        if (index > 0 || options.follows_text) && *section != Section::Order {
            out.write_all(b"\x0c\n")?;
        }
        match section {
            Section::Flat => flat::write(out, &report)?,
            Section::Graph => call_graph::write(out, &report)?,
            Section::Index => index::write(out, &report)?,
            Section::Order => order::write(out, &report)?,
        }
    }
    Ok(())
}

impl Report<'_> {
    /// What makes the text up to [`Self::plain`] stand out.
    fn bold(&self) -> &'static str {
        if self.options.has_color {
            "\x1b[1m"
        } else {
            ""
        }
    }

    fn plain(&self) -> &'static str {
        if self.options.has_color {
            "\x1b[0m"
        } else {
            ""
        }
    }

    /// A heading, which stands out where there is colour.
    fn write_heading(&self, out: &mut dyn Write, text: &str) -> io::Result<()> {
        write!(out, "{}{text}{}", self.bold(), self.plain())
    }

    /// The name in the style of the flavor.
    fn name(&self, id: SymbolId) -> Cow<'_, [u8]> {
        match self.options.flavor {
            Flavor::Gnu => Cow::Borrowed(self.names.name(id)),
            Flavor::Bsd => self.names.raw(id),
        }
    }

    /// The name, the cycle and the number of an entry, as in `f <cycle 1> [12]`.
    fn write_reference(&self, out: &mut dyn Write, reference: &Reference) -> io::Result<()> {
        match reference.subject {
            Subject::Cycle(cycle) => write!(out, "<cycle {} as a whole>", cycle.0)?,
            Subject::Function(id) => {
                out.write_all(&self.name(id))?;
                if let Some(cycle) = reference.cycle {
                    write!(out, " <cycle {}>", cycle.0)?;
                }
            }
        }
        write!(out, " {}", number(reference))
    }
}

/// The number of an entry: in brackets, or in parentheses when it is not shown.
fn number(reference: &Reference) -> String {
    let number = reference.number;
    if reference.is_shown {
        format!("[{number}]")
    } else {
        format!("({number})")
    }
}
