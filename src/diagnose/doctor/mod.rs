//! How to profile a program, found out without running it: whether it was built for
//! profiling and will write a profile, which profiles exist, and the next command.

mod build;
mod next;
mod profiles;
mod words;

pub use build::inspect_build;
pub use next::{next_step, short_advice};
pub use profiles::{ProfileState, inspect_library_profile, inspect_profile};

use std::path::Path;

use super::Environment;
use crate::report::{Cell, Column, Layout, Role, RowKind, RowTable, Section, SectionId};
use crate::symbols::{Code, Executable, ExecutableError, Instruments, NamesFrom, Program};

/// A program, and what of it is of interest here.
pub struct Inspected<'a> {
    pub executable: &'a Executable,
    /// Its functions and their sources.
    pub program: &'a Program,
    /// What of profilers it has.
    pub instruments: Instruments,
    /// For each function whether its calls are counted, where that can be told.
    pub instrumented: Option<Box<[bool]>>,
    /// Where profiles go.
    pub environment: &'a Environment,
}

impl<'a> Inspected<'a> {
    /// Looks at a program.
    ///
    /// # Errors
    /// When it is damaged.
    pub fn new(
        executable: &'a Executable,
        program: &'a Program,
        environment: &'a Environment,
    ) -> Result<Self, ExecutableError> {
        // Calls of an object file lead nowhere yet.
        let instrumented = if program.linkage.is_unlinked {
            None
        } else {
            Code::new(executable)?.instrumented_functions(&program.table)
        };
        Ok(Self {
            executable,
            program,
            instruments: Instruments::of(executable)?,
            instrumented,
            environment,
        })
    }

    /// The name it was given.
    pub(super) fn name(&self) -> String {
        self.executable.path().display().to_string()
    }

    /// Whether its symbols were taken out.
    pub(super) fn is_stripped(&self) -> bool {
        let from = &self.program.names_from;
        matches!(from, NamesFrom::DynamicSymbols | NamesFrom::Nothing)
    }

    /// Whether any function of it counts its calls; `None` where that cannot be told.
    pub(super) fn counts_calls(&self) -> Option<bool> {
        if self.instruments.is_nameless {
            return None;
        }
        let mentions_hook = self.instruments.mentions_hook;
        let known = self
            .instrumented
            .as_deref()
            .filter(|known| !known.is_empty());
        Some(mentions_hook && known.is_none_or(|functions| functions.contains(&true)))
    }
}

/// What was found out about one thing.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Finding {
    pub status: Status,
    /// What it is about, in a word.
    pub about: &'static str,
    pub sentence: String,
}

impl Finding {
    fn new(status: Status, about: &'static str, sentence: impl Into<String>) -> Self {
        Self {
            status,
            about,
            sentence: sentence.into(),
        }
    }
}

/// How things are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Status {
    /// As they should be.
    Good,
    /// Something stands in the way.
    Bad,
    /// It is good to know.
    Note,
}

impl Status {
    fn id(self) -> &'static str {
        match self {
            Self::Good => "ok",
            Self::Bad => "problem",
            Self::Note => "note",
        }
    }
}

/// All findings, and what to do next.
pub fn doctor_section(program: &Path, findings: &[Finding], next: String) -> Section<'static> {
    let mut rows = RowTable::default();
    for finding in findings {
        let cells = [
            Cell::text(finding.status.id()),
            Cell::text(finding.about),
            Cell::text(&finding.sentence),
        ];
        rows.push(RowKind::Entry, cells);
    }
    let columns = [
        Column::shown("status", Role::Other, ["", ""]),
        Column::shown("about", Role::Other, ["", ""]),
        Column::shown("finding", Role::Other, ["", ""]),
    ];
    let title = format!("{}:", program.display());
    Section {
        notes: vec![format!("next: {next}")],
        ..Section::new(SectionId::Doctor, title, Layout::Table, columns, rows)
    }
}
