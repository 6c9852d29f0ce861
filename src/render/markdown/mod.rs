//! Reports as Markdown, for GitHub and GitLab.
//!
//! Headings, paragraphs, tables and lists. Rows and columns are the same as in text, without
//! drawings and sources.

mod escape;
mod table;
#[cfg(test)]
mod tests;

use std::io::Write;

use self::escape::{Within, prose};
use self::table::write_table;
use super::text::NameWriter;
use super::{RenderOptions, RenderResult, Renderer};
use crate::report::{Diagnostic, Report, Section, SectionId, Text};

/// Sections as tables of Markdown.
pub(super) static MARKDOWN: Renderer = Renderer {
    accepts: |section| {
        use SectionId as S;
        !matches!(
            section,
            S::Index
                | S::Source
                | S::SourceTop
                | S::SourceSummary
                | S::TraceHistory
                | S::CoverageFunctions
                | S::CoverageBranches
                | S::CoverageLines
                | S::Order
        )
    },
    ..Renderer::new(
        "markdown",
        &["md", "markdown"],
        "the tables of text, for merge requests",
        render,
    )
};

fn render(report: &Report, options: &RenderOptions, out: &mut dyn Write) -> RenderResult {
    let sections = MARKDOWN.accepted(report)?;
    let names = NameWriter::of(report, *options);
    let mut text = Text::default();
    for (index, section) in sections.into_iter().enumerate() {
        text.word(if index > 0 { "\n" } else { "" });
        push_words_above(&mut text, section, &names);
        write_table(section, &names, &mut text, out)?;
        let legend = section.uncertainty.legend.iter();
        let legend = legend.filter(|_| names.options.shows_error);
        push_list(&mut text, legend.chain(&section.notes));
    }
    push_diagnostics(&mut text, &report.diagnostics);
    text.write(out)?;
    Ok(())
}

fn push_words_above(text: &mut Text, section: &Section, names: &NameWriter<'_>) {
    let title = section.title.trim().trim_end_matches(':');
    text.word(format!("## {}\n", prose(title.as_bytes(), Within::Line)));
    let uncertainty = section.uncertainty.summary.iter();
    let uncertainty = uncertainty.filter(|_| names.options.shows_error);
    // A sentence may go on in the next line.
    let mut is_in_paragraph = false;
    for line in section.summary.iter().chain(uncertainty) {
        let line = prose(line.as_bytes(), Within::Line);
        if !line.is_empty() {
            text.word(if is_in_paragraph { "" } else { "\n" });
            text.word(format!("{line}\n"));
        }
        is_in_paragraph = !line.is_empty();
    }
}

/// Adds a list after an empty line.
fn push_list<'l>(text: &mut Text, lines: impl Iterator<Item = &'l String>) {
    let items = lines.map(|line| prose(line.as_bytes(), Within::Line));
    for (index, item) in items.filter(|item| !item.is_empty()).enumerate() {
        text.word(if index == 0 { "\n" } else { "" });
        text.word(format!("- {item}\n"));
    }
}

/// Adds diagnostics with their advice.
fn push_diagnostics(text: &mut Text, diagnostics: &[Diagnostic]) {
    let said = |one: &Diagnostic| format!("`{}`: {}; help: {}", one.code, one.message, one.advice);
    let said: Vec<String> = diagnostics.iter().map(said).collect();
    if !said.is_empty() {
        text.word("\n## Warnings\n");
    }
    push_list(text, said.iter());
}
