//! One report after the other, from what was added up by function or by line.

use std::io::{self, Write};

use anyhow::{Context, Result};

use super::super::{CANNOT_WRITE, Surface, annotated, lacks, spelled};
use crate::analyze::SymbolGraph;
use crate::analyze::charges::{
    ChargedFile, ClassRow, EventRow, FlatCharges, GraphCharges, Kind, Leaks, Ledger, SizeSteps,
    SizeTable,
};
use crate::analyze::coverage::Coverage;
use crate::analyze::trace::{TraceOptions, trace_report};
use crate::cli::{OutputStyle, Plan};
use crate::diagnose::{self, Warning};
use crate::filter::FilterSets;
use crate::model::Profile;
use crate::report::charges::{
    ChargeStyle, ChargeText, ChargedSource, write_charged_source, write_classes, write_entries,
    write_events, write_flat, write_graph, write_leaks, write_sizes,
};
use crate::report::gnu::{NameOptions, Names, Places};
use crate::report::heap::{TraceTextOptions, write_trace};
use crate::report::{CoverageText, write_coverage, write_lcov};
use crate::symbols::{
    ContextNames, Executable, Granularity, NamedContexts, Program, Style, read_program,
};

/// What every report is made from.
#[derive(Clone, Copy)]
pub(super) struct Desk<'a> {
    pub(super) profile: &'a Profile,
    pub(super) plan: &'a Plan,
    pub(super) surface: Surface,
}

/// Everything added up, by function or by line.
pub(super) struct Book {
    pub(super) names: NamedContexts,
    filters: FilterSets,
    pub(super) ledger: Ledger,
    pub(super) is_by_line: bool,
}

impl Desk<'_> {
    pub(super) fn book(&self, program: Option<&Program>, granularity: Granularity) -> Book {
        let plan = self.plan;
        let is_by_line = granularity == Granularity::Lines;
        let program = program.map(|program| &program.table);
        let names_as = match (is_by_line, plan.charges.merges_names) {
            (true, _) => ContextNames::Lines,
            (false, true) => ContextNames::Spellings,
            (false, false) => ContextNames::Functions,
        };
        let names = NamedContexts::new(&self.profile.charges, program, names_as);
        let mut filters = FilterSets::resolve(&plan.filters, &names.table);
        if plan.charges.hides_library {
            filters.keep(&names.outside_library());
        }
        let ledger = Ledger::new(self.profile, &names, &filters, plan.charges.measure);
        if let Some(keep) = &plan.keep {
            let name = |id| spelled(&names.table, id, self.demangling());
            let graph = SymbolGraph::of_charges(&ledger, &names.table, name);
            filters.keep(&graph.kept_by(keep));
        }
        Book {
            names,
            filters,
            ledger,
            is_by_line,
        }
    }

    /// mpatrol records C++ names as the linker knows them; MLton mangles none.
    fn demangling(&self) -> Style {
        match self.profile.heap {
            Some(_) => self.plan.text.demangle,
            None => Style::None,
        }
    }

    pub(super) fn write(
        &self,
        style: OutputStyle,
        book: &Book,
        text: &ChargeText<'_>,
        executable: Option<(&Executable, &Program)>,
        out: &mut dyn Write,
    ) -> Result<Vec<Warning>> {
        if style == OutputStyle::AnnotatedSource {
            return self.annotate(book, executable, out);
        }
        let (ledger, table, filters) = (&book.ledger, &book.names.table, &book.filters);
        let charges = &self.profile.charges;
        let shows_idle = self.plan.shows_idle;
        let written = match style {
            OutputStyle::Trace => {
                let options = TraceOptions {
                    chart_width: self.plan.text.width,
                    ..TraceOptions::default()
                };
                let options_of_text = TraceTextOptions {
                    demangle: self.demangling(),
                    escapes_controls: self.surface.escapes_controls,
                };
                match trace_report(self.profile, &options) {
                    Some(report) => write_trace(out, &report, &options_of_text),
                    None => Ok(()),
                }
            }
            OutputStyle::Flat => {
                let flat = FlatCharges::new(ledger, table, filters, shows_idle);
                write_flat(out, &flat, text)
            }
            OutputStyle::Graph => {
                let graph = GraphCharges::new(ledger, table, filters, shows_idle);
                write_graph(out, &graph, text)
            }
            OutputStyle::Leaks => {
                let (depth, measure) = (self.plan.charges.leak_depth(), ledger.measure);
                let leaks = Leaks::new(charges, ledger, &book.names, filters, depth, measure);
                write_leaks(out, &leaks, text)
            }
            OutputStyle::Bins => {
                let steps = match self.plan.charges.lists_all_sizes {
                    true => SizeSteps::Single,
                    false => SizeSteps::Doubling,
                };
                let sizes = |heap| write_sizes(out, &SizeTable::new(heap, steps), text);
                self.profile.heap.as_ref().map_or(Ok(()), sizes)
            }
            OutputStyle::Coverage => self.write_coverage(book, out),
            OutputStyle::ExecCounts if ledger.kind == Kind::Entries => {
                let coverage = self.coverage(book);
                coverage.map_or(Ok(()), |coverage| write_entries(out, &coverage, text))
            }
            OutputStyle::ExecCounts if self.profile.course.is_some() => {
                let rows = EventRow::all(charges, &book.names, filters);
                write_events(out, &rows, text)
            }
            OutputStyle::ExecCounts => {
                let rows = ClassRow::all(charges, ledger, &book.names, filters);
                let bounds = self.profile.heap.as_ref().map(|heap| heap.bounds);
                write_classes(out, &rows, &bounds.unwrap_or_default(), text)
            }
            _ => Ok(()),
        };
        written.context(CANNOT_WRITE)?;
        Ok(Vec::new())
    }

    fn write_coverage(&self, book: &Book, out: &mut dyn Write) -> io::Result<()> {
        let Some(coverage) = self.coverage(book) else {
            return Ok(());
        };
        let text = CoverageText {
            escapes_controls: self.surface.escapes_controls,
        };
        match self.plan.format {
            Some("lcov") => write_lcov(out, &coverage),
            _ => write_coverage(out, &coverage, text),
        }
    }

    fn coverage(&self, book: &Book) -> Option<Coverage> {
        let shown = &book.filters.exec_counts;
        Coverage::new(&self.profile.charges, |function| {
            shown.contains(book.names.of_function(function))
        })
    }

    pub(super) fn names<'b>(&self, book: &'b Book) -> Names<'b> {
        let places = match book.is_by_line {
            true => Places::Lines,
            false => self.plan.text.places,
        };
        let options = NameOptions {
            demangle: self.demangling(),
            escapes_controls: self.surface.escapes_controls,
            shows_paths: self.plan.text.shows_paths,
            places,
        };
        Names::new(&book.names.table, options)
    }

    pub(super) fn text<'b>(&self, book: &'b Book, names: &'b Names<'b>) -> ChargeText<'b> {
        ChargeText {
            ledger: &book.ledger,
            names,
            style: ChargeStyle {
                explains: self.plan.text.explains,
                has_color: self.surface.has_color,
                width: self.plan.text.width,
            },
        }
    }

    fn book_by_line(&self, executable: Option<(&Executable, &Program)>) -> Result<Book> {
        let mut symbols = self.plan.symbols.clone();
        symbols.granularity = Granularity::Lines;
        let program = match executable {
            Some((executable, _)) => Some(read_program(executable, &symbols)?),
            None => None,
        };
        Ok(self.book(program.as_ref(), Granularity::Lines))
    }

    /// Prints sources with charges beside their lines. What is counted by function
    /// elsewhere in the report is counted by line here.
    fn annotate(
        &self,
        book: &Book,
        executable: Option<(&Executable, &Program)>,
        out: &mut dyn Write,
    ) -> Result<Vec<Warning>> {
        if self.plan.source.is_in_files && self.surface != Surface::PLAIN {
            let surface = Surface::PLAIN;
            return Desk { surface, ..*self }.annotate(book, executable, out);
        }
        let by_line;
        let book = match book.is_by_line {
            true => book,
            false => {
                by_line = self.book_by_line(executable)?;
                &by_line
            }
        };
        let names = self.names(book);
        let text = self.text(book, &names);
        let table = &book.names.table;
        let files = ChargedFile::all(&book.ledger, table, &book.filters);
        let mut warnings = Vec::new();
        if !table.has_sources() {
            let what = "no annotated source: no line of the source is known";
            warnings.push(lacks::of_lines(what, self.profile));
        } else if files.is_empty() {
            text.write_no_sources(out).context(CANNOT_WRITE)?;
        }
        let mut separator: &[u8] = b"";
        for file in &files {
            let name = table.files().name(file.file);
            let Some(source) = self.plan.source.search.find(name) else {
                let name = String::from_utf8_lossy(name).into_owned();
                warnings.push(Warning::SourceMissing { name });
                continue;
            };
            let built = executable.map(|(executable, _)| executable.path());
            warnings.extend(built.and_then(|built| diagnose::check_source(&source, built)));
            let source = ChargedSource {
                file,
                text: source.text,
            };
            if self.plan.source.is_in_files {
                let write = |out: &mut dyn Write| write_charged_source(out, &source, &text);
                warnings.extend(annotated::write_file(table, file.file, write));
                continue;
            }
            out.write_all(separator).context(CANNOT_WRITE)?;
            separator = b"\n\x0c\n";
            write_charged_source(out, &source, &text).context(CANNOT_WRITE)?;
        }
        Ok(warnings)
    }
}
