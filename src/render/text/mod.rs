//! Reports as text.

mod cells;
mod color;
mod counts;
mod coverage;
mod explanations;
mod graph;
mod graph_columns;
mod graph_table;
mod history;
mod index;
mod lines;
mod names;
mod prose;
mod room;
mod screen_names;
mod source;
mod table;
#[cfg(test)]
mod tests;
mod warnings;

use std::borrow::Cow;
use std::io::{self, Write};

use super::ordered::{RowRange, write_columns};
use super::{RenderOptions, RenderResult, Renderer};
use crate::report::escape::printable;
use crate::report::explanation::{EXACT_CALLS, LEAST_CALLS};
use crate::report::prose::push_words;
use crate::report::{Layout, Metric, Report, Role, Row, Section, SectionId, Text};
use prose::{FittedLines, push_paragraphs, push_prose};
use screen_names::ScreenNames;

pub(super) use cells::{InlinePlaces, depth_column, depth_of, push_bound, push_cell};
pub use lines::{LineColumn, LineSubject, ScreenText, SectionLines};
pub(super) use names::NameWriter;
pub use warnings::warnings_above;

/// Text for people.
pub(super) static TEXT: Renderer =
    Renderer { fits_terminals: true, ..Renderer::new("text", &["txt"], "for people", render) };

fn render(report: &Report, options: &RenderOptions, out: &mut dyn Write) -> RenderResult {
    let Some(columns) = options.line_length() else {
        return show(report, options, out);
    };
    let mut out = FittedLines::new(out, columns);
    show(report, options, &mut out)?;
    Ok(out.flush()?)
}

fn show(report: &Report, options: &RenderOptions, out: &mut dyn Write) -> RenderResult {
    let short = ScreenNames::of(report, options);
    let mut page = Page {
        text: Text::default(),
        out,
        names: NameWriter {
            short: short.as_ref(),
            are_in_lines: true,
            ..NameWriter::of(report, *options)
        },
        options: *options,
        shown: Vec::new(),
    };
    let mut before = None;
    for section in &report.sections {
        if is_for_programs(section.id) && report.sections.len() > 1 {
            continue;
        }
        let gap = between(before, section.id);
        // A terminal has no pages.
        let gap = options.screen.map_or(gap, |_| gap.trim_matches('\x0c'));
        page.text.word(gap);
        page.section(section)?;
        before = Some(section.id);
    }
    page.text.write(page.out)?;
    Ok(())
}

/// Sections for programs: they repeat another one, or are for pages.
fn is_for_programs(id: SectionId) -> bool {
    use SectionId as S;
    id.is_of_samples()
        || matches!(id, S::CoverageFunctions | S::CoverageBranches | S::CoverageLines | S::ByFile)
}

/// Separator of two sections: a form feed, unless they belong together.
fn between(before: Option<SectionId>, this: SectionId) -> &'static str {
    use SectionId as S;
    let is_of_source = |id| matches!(id, S::Source | S::SourceTop | S::SourceSummary);
    match (before, this) {
        (None, _) | (_, S::Order | S::SourceTop | S::SourceSummary | S::CoverageMissed) => "",
        (_, this) if this != S::Trace && this.id().starts_with("trace-") => "\n\n",
        (Some(S::Files), S::Files) | (Some(S::Overview), _) => "\n",
        (Some(before), S::Source | S::SourceFiles) if is_of_source(before) => "\n\x0c\n",
        _ => "\x0c\n",
    }
}

/// A text and its destination.
struct Page<'a> {
    text: Text,
    out: &'a mut dyn Write,
    names: NameWriter<'a>,
    options: RenderOptions,
    /// Columns of the last table that fit the screen.
    shown: Vec<usize>,
}

impl Page<'_> {
    fn section(&mut self, section: &Section) -> io::Result<()> {
        use SectionId as S;
        let is_on_screen = self.options.screen.is_some();
        match section.id {
            S::Overview => self.summary(section),
            S::Files => {
                self.text.word(&*section.title);
                self.text.word("\n");
                self.summary(section);
            }
            S::Flat if section.layout == Layout::Bsd => {
                self.bsd_explanation(section);
                self.text.word("\n");
                self.summary(section);
                self.text.word("\n");
                self.table(section)?;
            }
            S::Flat if section.layout == Layout::Gprof => {
                self.heading(section);
                self.summary(section);
                self.table(section)?;
            }
            S::Graph if is_on_screen && section.layout != Layout::Bsd => {
                self.graph_table(section)?;
            }
            S::Graph if section.layout == Layout::Table => self.graph_table(section)?,
            S::Graph => self.graph(section)?,
            S::Index => self.index(section)?,
            S::Counts if section.layout == Layout::Gprof => self.counts(section)?,
            S::Source | S::SourceTop | S::SourceSummary => self.source(section)?,
            S::Order => self.order(section)?,
            S::Coverage => self.coverage(section)?,
            S::CoverageMissed => self.missed(section)?,
            S::TraceHistory => self.history(section)?,
            _ => self.table_section(section)?,
        }
        if self.options.explains && section.layout != Layout::Bsd {
            self.explanation(section);
            if section.id == SectionId::Difference && !section.notes.is_empty() {
                self.text.word("\n");
            }
        }
        if self.options.shows_error && !section.uncertainty.legend.is_empty() {
            self.text.word("\n");
            self.lines(&section.uncertainty.legend);
        }
        for note in &section.notes {
            push_prose(&mut self.text, note.as_bytes(), self.options.screen);
        }
        self.text.write_piece(self.out)
    }

    fn explanation(&mut self, section: &Section) {
        let screen = self.options.screen;
        match (section.id, screen) {
            (SectionId::Flat, Some(columns)) => {
                explanations::push_explanation(&mut self.text, section, &self.shown, screen);
                if self.metric_of(section).is_some_and(Metric::has_least_calls) {
                    push_paragraphs(&mut self.text, LEAST_CALLS, columns);
                }
            }
            (_, None) => self.text.word(&*self.explanation_of(section)),
            (_, Some(columns)) => {
                let explanation = self.explanation_of(section);
                push_paragraphs(&mut self.text, &explanation, columns);
            }
        }
        let is_of_values = matches!(section.id, SectionId::Flat | SectionId::Graph);
        let metric = self.metric_of(section);
        let is_unsaid = section.layout == Layout::Table && is_of_values;
        if let Some(source) = metric.and_then(|metric| metric.source).filter(|_| is_unsaid) {
            let sentence = format!("The values are {}.", source.words());
            self.text.word("\n");
            push_prose(&mut self.text, sentence.as_bytes(), screen);
        }
    }

    /// The metric of self costs.
    fn metric_of(&self, section: &Section) -> Option<&Metric> {
        let of_values = section.columns.iter().find(|column| column.role == Role::SelfValue);
        of_values.and_then(|column| self.names.metrics.get(column.metric?))
    }

    fn explanation_of(&self, section: &Section) -> Cow<'static, str> {
        let explanation = explanations::of(section);
        match self.metric_of(section) {
            Some(metric) if metric.has_least_calls() => {
                explanation.replace(EXACT_CALLS, LEAST_CALLS).into()
            }
            _ => explanation.into(),
        }
    }

    /// The heading, bold if there are colours, and an empty line.
    fn heading(&mut self, section: &Section) {
        self.title("", &section.title);
        self.text.word("\n\n");
    }

    fn title(&mut self, indent: &str, title: &str) {
        let title = printable(title.as_bytes(), self.options.escapes_controls);
        let mut lines = Text::default();
        match self.options.screen {
            Some(columns) => push_words(&mut lines, &title, columns),
            None => lines.word(title),
        }
        let lines = lines.as_bytes().split(|&byte| byte == b'\n');
        for (index, line) in lines.enumerate() {
            self.text.word(if index > 0 { "\n" } else { "" });
            self.text.word(self.bold());
            self.text.word(indent);
            self.text.word(line);
            self.text.word(self.plain());
        }
    }

    fn summary(&mut self, section: &Section) {
        self.lines(&section.summary);
        if self.options.shows_error {
            self.lines(&section.uncertainty.summary);
        }
    }

    fn lines(&mut self, lines: &[String]) {
        for line in lines {
            let line = printable(line.as_bytes(), self.options.escapes_controls);
            push_prose(&mut self.text, &line, self.options.screen);
        }
    }

    fn table_section(&mut self, section: &Section) -> io::Result<()> {
        self.heading(section);
        self.summary(section);
        self.table(section)
    }

    fn bsd_explanation(&mut self, section: &Section) {
        if self.options.explains {
            let title = match section.id {
                SectionId::Flat => "\n\n\nflat profile:\n",
                _ => "\n\n\ncall graph profile:\n",
            };
            self.text.word(title);
            self.text.word(&*self.explanation_of(section));
        }
    }

    /// The sequence for bold text up to [`Self::plain`].
    fn bold(&self) -> &'static str {
        if self.options.has_color { "\x1b[1m" } else { "" }
    }

    fn plain(&self) -> &'static str {
        if self.options.has_color { color::PLAIN } else { "" }
    }

    /// Names only.
    fn order(&mut self, section: &Section) -> io::Result<()> {
        let names = self.names;
        self.each_row(section, |text, row| {
            for cell in row.cells {
                names.push_linkage(text, cell, 0);
            }
            text.word("\n");
        })
    }

    /// Adds the rows of a section one by one.
    fn each_row(
        &mut self,
        section: &Section,
        mut push: impl FnMut(&mut Text, &Row<'_>),
    ) -> io::Result<()> {
        let Self { text, out, .. } = self;
        section.rows.for_each(&mut |row| {
            push(text, &row);
            text.write_piece(*out)
        })
    }

    /// Adds the rows of a section in blocks. `wanted` are the columns that `make` reads, all if
    /// it is empty.
    fn each_block(
        &mut self,
        section: &Section,
        wanted: &[usize],
        make: &(dyn Fn(&mut Text, RowRange<'_, '_>) -> io::Result<()> + Sync),
    ) -> io::Result<()> {
        let Self { text, out, .. } = self;
        text.write(*out)?;
        write_columns(&*section.rows, wanted, &mut |text| text.write(*out), make)
    }
}
