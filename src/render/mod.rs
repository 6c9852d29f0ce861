//! Renders finished reports: JSON, tables, pictures.
//!
//! A renderer receives a report and a writer. It neither sorts nor divides: all numbers are
//! cells. A new format is a file with a [`Renderer`], its `mod` line, and its line in
//! [`RENDERERS`].

mod callgrind;
mod change;
mod cpuprofile;
mod dot;
mod error;
mod fields;
mod firefox;
mod flame_graph;
mod folded;
mod github;
mod html;
pub mod json;
mod junit;
mod lcov;
mod markdown;
mod modules;
mod name_form;
mod ordered;
mod pprof;
mod recorded;
mod separated;
mod speedscope;
mod stacks;
mod tau;
#[cfg(test)]
mod testing;
mod text;
mod whole_numbers;

use std::io::{self, Write};
use std::path::Path;

pub use error::{RenderError, RenderResult};
pub use name_form::NameForm;
pub use text::{LineColumn, LineSubject, ScreenText, SectionLines, warnings_above};

use crate::report::{Cell, NameId, Report, Section, SectionId, escape_controls};

type Render = fn(&Report, &RenderOptions, &mut dyn Write) -> RenderResult;

/// Writes the contents of a file.
pub type FileContents<'c> = dyn Fn(&mut dyn Write) -> io::Result<()> + 'c;

/// Writes a file of a directory: its name and contents.
pub type WriteFile<'w> = dyn FnMut(&str, &FileContents<'_>) -> io::Result<()> + 'w;

type RenderFiles = fn(&Report, &RenderOptions, &mut WriteFile<'_>) -> RenderResult<FileLosses>;

/// How the files of a directory differ from the report.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct FileLosses {
    pub cut_paths: Option<CutPaths>,
    /// Files that got another number, because an earlier file has their rank.
    pub n_renumbered: usize,
}

/// Call paths that count for their callers, because the text of all would take too much.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CutPaths {
    pub n_paths: usize,
    /// The longest path that remains.
    pub n_bytes: u32,
}

/// A format for reports.
pub struct Renderer {
    /// Name in options.
    pub name: &'static str,
    /// File suffixes, without the dot before them.
    pub extensions: &'static [&'static str],
    /// What it contains and who reads it, in one line of help.
    pub about: &'static str,
    /// The sections that it contains by default; empty if the profile decides.
    pub default_sections: &'static [SectionId],
    /// Returns whether it supports a section.
    accepts: fn(SectionId) -> bool,
    /// Has another layout on terminals.
    pub fits_terminals: bool,
    /// Contains source locations of functions.
    pub shows_sources: bool,
    /// Contains functions that have calls, or costs in any metric.
    pub has_all_metrics: bool,
    /// Contains uncertainties without `--error`.
    pub shows_error: bool,
    /// Marks totals that equal costs of calls decide, with their limits.
    pub shows_guesses: bool,
    /// Contains what only terminals show otherwise: shares of totals, functions with a total
    /// alone, and inlined code.
    pub has_screen_rows: bool,
    /// Never shortens names.
    pub keeps_names: bool,
    /// Comparisons are lists of tests, including those that pass.
    pub rows_are_tests: bool,
    /// Contains every report that people read, call trees and sources too, by default.
    pub is_page: bool,
    /// With `--by-file`, contains the call tree of each file, or else its costs and calls.
    pub shows_runs: bool,
    /// Contains the use of a heap over time by default.
    pub has_time_axis: bool,
    /// The greatest cost, for formats with numbers of limited width.
    greatest: Option<i128>,
    /// Not text, so never written to a terminal.
    is_binary: bool,
    render: Render,
    /// For formats that are a directory of files.
    render_files: Option<RenderFiles>,
}

impl Renderer {
    /// Returns whether files of this format are always compressed.
    pub fn compresses_itself(&self) -> bool {
        self.extensions.iter().any(|extension| extension.ends_with(".gz"))
    }

    /// A format that treats all sections and destinations the same.
    const fn new(
        name: &'static str,
        extensions: &'static [&'static str],
        about: &'static str,
        render: Render,
    ) -> Self {
        Self {
            name,
            extensions,
            about,
            default_sections: &[],
            accepts: |_| true,
            fits_terminals: false,
            shows_sources: false,
            has_all_metrics: false,
            shows_error: false,
            shows_guesses: false,
            has_screen_rows: false,
            keeps_names: false,
            rows_are_tests: false,
            is_page: false,
            shows_runs: false,
            has_time_axis: false,
            greatest: None,
            is_binary: false,
            render,
            render_files: None,
        }
    }

    /// Renders a report without the sections that the format does not support.
    ///
    /// # Errors
    /// If no section is supported, or `out` fails.
    pub fn render(
        &self,
        report: &Report,
        options: &RenderOptions,
        out: &mut dyn Write,
    ) -> RenderResult {
        if self.is_binary && options.escapes_controls {
            return Err(RenderError::Binary { format: self.name });
        }
        if self.fits_terminals {
            return (self.render)(report, options, out);
        }
        // Output for programs does not depend on the terminal.
        let (has_color, screen) = (false, None);
        let options = RenderOptions { escapes_controls: true, has_color, screen, ..*options };
        (self.render)(report, &options, out)
    }

    /// Returns whether it is a directory of files.
    pub fn writes_files(&self) -> bool {
        self.render_files.is_some()
    }

    /// Renders a report as files of a directory.
    ///
    /// # Errors
    /// If no section is supported, or a file cannot be written.
    pub fn render_files(
        &self,
        report: &Report,
        options: &RenderOptions,
        write_file: &mut WriteFile<'_>,
    ) -> RenderResult<FileLosses> {
        let render = self.render_files.ok_or(RenderError::Nothing { format: self.name })?;
        render(report, options, write_file)
    }

    /// Returns whether it supports a section.
    pub fn shows(&self, section: SectionId) -> bool {
        (self.accepts)(section)
    }

    /// Returns whether it shows differences of call stacks, and no others.
    pub fn compares_stacks(&self) -> bool {
        let of_stacks = [SectionId::TreeDifference, SectionId::GraphDifference];
        of_stacks.iter().any(|&section| (self.accepts)(section))
            && !(self.accepts)(SectionId::Difference)
    }

    /// The maximum cost of the format, if the report exceeds it; larger costs become the maximum.
    pub fn saturates(&self, report: &Report) -> Option<i128> {
        let greatest = self.greatest?;
        let mut is_greater = false;
        for section in report.sections.iter().filter(|one| (self.accepts)(one.id)) {
            if let Some(stacks) = &section.stacks {
                let frames = 0..stacks.frames.len();
                is_greater |= stacks.values.iter().any(|values| {
                    frames.clone().any(|frame| values.value(frame).saturating_abs() > greatest)
                });
                continue;
            }
            let costs = section.columns.iter().enumerate();
            let costs = costs.filter(|(_, column)| column.metric.is_some());
            let costs: Vec<_> =
                costs.map(|(index, column)| (index, column.id.ends_with("_seconds"))).collect();
            // The error only ends the loop.
            let _ = section.rows.for_each(&mut |row| {
                is_greater |= costs.iter().any(|&(index, is_time)| match row.cells[index] {
                    Cell::Integer(cost) => cost.abs() > greatest,
                    Cell::Real(seconds) => is_time && seconds * 1e9 > greatest as f64,
                    _ => false,
                });
                if is_greater {
                    return Err(io::ErrorKind::Other.into());
                }
                Ok(())
            });
        }
        is_greater.then_some(greatest)
    }

    /// The supported sections.
    fn accepted<'r>(&self, report: &'r Report) -> RenderResult<Vec<&'r Section>> {
        let sections = report.sections.iter();
        let accepted: Vec<_> = sections.filter(|one| (self.accepts)(one.id)).collect();
        if accepted.is_empty() {
            return Err(RenderError::cannot_show(self.name, report));
        }
        Ok(accepted)
    }
}

/// The function of a cell, if it is one of the name table.
fn name_id(cell: &Cell) -> Option<NameId> {
    match cell {
        Cell::Name(id) => Some(*id),
        _ => None,
    }
}

/// A text without control characters.
fn visible(text: impl AsRef<[u8]>) -> String {
    String::from_utf8_lossy(&escape_controls(text.as_ref())).into_owned()
}

/// A name of a program as people write it, in so many columns.
pub fn short_name(name: &[u8], columns: usize) -> Vec<u8> {
    name_form::fitting(&name_form::folded(name), columns).into_owned()
}

/// How to render a report.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct RenderOptions {
    /// Escape control characters in names.
    pub escapes_controls: bool,
    pub has_color: bool,
    /// Width of the index in text.
    pub width: usize,
    /// Width of the terminal, for text on one: sizes are abbreviated.
    pub screen: Option<usize>,
    /// Columns were requested, so keep all of them on a terminal.
    pub keeps_columns: bool,
    /// How to shorten names in text.
    pub names: NameForm,
    pub explains: bool,
    pub shows_paths: bool,
    /// Add source locations to names.
    pub shows_locations: bool,
    pub shows_error: bool,
    /// Protect CSV and TSV against formulas.
    pub is_csv_safe: bool,
    /// The section, for formats with a single one.
    pub section: Option<SectionId>,
}

impl RenderOptions {
    /// Maximum length of lines, if any; `None` if whole names were requested.
    fn line_length(&self) -> Option<usize> {
        let has_whole_names = matches!(self.names, NameForm::Full | NameForm::Linkage);
        self.screen.filter(|_| !has_whole_names)
    }
}

/// In the order of help.
pub static RENDERERS: &[&Renderer] = &[
    &text::TEXT,
    &json::JSON,
    &json::JSON_LINES,
    &separated::CSV,
    &separated::TSV,
    &markdown::MARKDOWN,
    &lcov::LCOV,
    &dot::DOT,
    &callgrind::CALLGRIND,
    &html::HTML,
    &flame_graph::SVG,
    &folded::FOLDED,
    &pprof::PPROF,
    &speedscope::SPEEDSCOPE,
    &firefox::FIREFOX,
    &cpuprofile::CPUPROFILE,
    &cpuprofile::HEAPPROFILE,
    &tau::TAU,
    &junit::JUNIT,
    &github::GITHUB,
];

/// The default format.
pub fn default_renderer() -> &'static Renderer {
    &text::TEXT
}

/// The format with this name.
pub fn named(name: &str) -> Option<&'static Renderer> {
    RENDERERS.iter().copied().find(|one| one.name == name)
}

/// The format for a file suffix.
pub fn for_extension(path: &Path) -> Option<&'static Renderer> {
    let name = path.file_name()?.to_str()?.to_ascii_lowercase();
    // In `a.b.c`, `b.c` counts before `c`.
    let endings = name.match_indices('.').map(|(dot, _)| &name[dot + 1..]);
    let mut named = endings.skip_while(|ending| ending.len() + 1 == name.len());
    let of = |ending: &str| {
        let mut all = RENDERERS.iter().copied();
        all.find(|one| one.extensions.contains(&ending))
    };
    named.find_map(|ending| {
        let plain = ending.strip_suffix(".gz").or_else(|| ending.strip_suffix(".zst"));
        of(ending).or_else(|| of(plain?))
    })
}

/// The names of all formats.
pub fn names() -> impl Iterator<Item = &'static str> {
    RENDERERS.iter().map(|one| one.name)
}

/// The JSON Schema of the format `json`.
pub fn schema() -> &'static str {
    json::SCHEMA
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::*;

    #[test]
    fn formats_are_told_by_the_endings_of_files() {
        let check = |path: &str, expected: Option<&str>| {
            let found = for_extension(Path::new(path)).map(|one| one.name);
            assert_eq!(found, expected, "for {path}");
        };
        check("a.json", Some("json"));
        check("folder.csv/a.NDJSON", Some("jsonl"));
        check("a.tsv", Some("tsv"));
        check("a.csv.zst", Some("csv"));
        check("a.gz", None);
        check("coverage.info", Some("lcov"));
        check("difference.md", Some("markdown"));
        check("tests.xml", Some("junit"));
        check("a.gv", Some("dot"));
        check("a.b.PB.gz", Some("pprof"));
        check("a.json", Some("json"));
        check("a.speedscope.json", Some("speedscope"));
        check("a.csv.gz", Some("csv"));
        check("a.csv.old", None);
        check(".csv", None);
        check("a.xyz", None);
        check("json", None);
    }

    #[test]
    fn costs_that_a_format_cannot_hold_are_found() {
        use crate::report::{Column, Role, RowKind, RowTable};
        let check = |format: &str, cost: i128, expected: Option<i128>| {
            let mut rows = RowTable::default();
            rows.push(RowKind::Entry, [Cell::Integer(i128::MAX), Cell::Integer(cost)]);
            let columns =
                [Column::hidden("depth", Role::Other), Column::hidden("weight", Role::Count).of(1)];
            let section = testing::section(SectionId::Tree, columns, rows);
            let report = testing::report(Vec::new(), vec![section]);
            let renderer = named(format).expect("it is one");
            assert_eq!(renderer.saturates(&report), expected, "{format} {cost}");
        };
        let greatest = i128::from(i64::MAX);
        check("pprof", greatest, None);
        check("pprof", greatest + 1, Some(greatest));
        check("pprof", -greatest - 1, Some(greatest));
        check("tau", greatest + 1, None);
        check("tau", i128::MAX, Some(u64::MAX.into()));
        check("speedscope", i128::MAX, None);
    }

    #[test]
    fn names_begin_no_lines() {
        use crate::report::RowTable;
        let report = testing::hostile_report();
        let empty = testing::section(SectionId::Flat, [], RowTable::default());
        let empty = testing::report(Vec::new(), vec![empty]);
        // These formats quote line ends, as in RFC 4180.
        let quotes = |one: &&&Renderer| !matches!(one.name, "csv" | "tsv");
        let mut n_shown = 0;
        for renderer in RENDERERS.iter().filter(quotes) {
            let mut out = Vec::new();
            let options = RenderOptions::default();
            n_shown += usize::from(renderer.render(&report, &options, &mut out).is_ok());
            // A page has a script, whose lines may begin so.
            let mut own = Vec::new();
            let _ = renderer.render(&empty, &options, &mut own);
            let is_end = |byte: &u8| matches!(byte, b'\n' | b'\r');
            let own: HashSet<_> = own.split(is_end).collect();
            let mut lines = out.split(is_end).filter(|line| !own.contains(line));
            let forged = lines.find(|line| line.starts_with(b"end") || line.starts_with(b"again"));
            assert_eq!(forged, None, "{}", renderer.name);
        }
        assert!(n_shown >= 5, "{n_shown}");
    }

    #[test]
    fn names_and_endings_are_of_one_format_each() {
        for name in names() {
            assert_eq!(named(name).map(|one| one.name), Some(name));
        }
        let endings: Vec<_> = RENDERERS.iter().flat_map(|one| one.extensions).collect();
        for (index, ending) in endings.iter().enumerate() {
            assert!(!endings[..index].contains(ending), "`{ending}` is of two");
        }
    }
}
