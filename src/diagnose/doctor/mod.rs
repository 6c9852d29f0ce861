//! Determines how to profile a program, without running it: whether it was built for
//! profiling, which profiles exist, and the next command.

mod build;
mod next;
mod profiles;
mod values;
mod words;

pub use build::inspect_build;
pub use next::{next_step, short_advice};
pub use profiles::{ProfileState, inspect_library_profile, inspect_profile};
pub use values::inspect_values;

use std::path::Path;

use super::Environment;
use crate::report::{Cell, Column, Layout, Role, RowKind, RowTable, Section, SectionId};
use crate::symbols::{Code, Executable, ExecutableError, Instruments, NamesFrom, Program};

/// A program, with facts on its profiling.
pub struct Inspected<'a> {
    pub executable: &'a Executable,
    /// Functions and their sources.
    pub program: &'a Program,
    /// Its instrumentation.
    pub instruments: Instruments,
    /// For each function whether it calls mcount, if known.
    pub instrumented: Option<Box<[bool]>>,
    /// Variables that determine where profiles are written.
    pub environment: &'a Environment,
}

impl<'a> Inspected<'a> {
    /// Inspects a program.
    ///
    /// # Errors
    /// If it is damaged.
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

    /// The path as given.
    pub(super) fn name(&self) -> String {
        self.executable.path().display().to_string()
    }

    /// Returns whether the program was stripped.
    pub(super) fn is_stripped(&self) -> bool {
        let from = &self.program.names_from;
        matches!(from, NamesFrom::DynamicSymbols | NamesFrom::Nothing)
    }

    /// How the program may end without a profile in its directory, in one sentence.
    pub(super) fn ending(&self) -> Option<&'static str> {
        let linkage = &self.program.linkage;
        let is_concerned = self.instruments.has_start_up && !linkage.is_library;
        match (linkage.exits_early, linkage.changes_directory) {
            _ if !is_concerned => None,
            (true, false) => Some("it calls _exit(), which writes no profile: end it by exit()"),
            (false, true) => {
                Some("it calls chdir(): the profile is in the directory where the program ends")
            }
            (true, true) => Some(
                "it calls _exit(), which writes no profile, and chdir(): the profile is in the \
                 directory where the program ends",
            ),
            (false, false) => None,
        }
    }

    /// Returns whether MLton compiled it, and not for gprof.
    pub(super) fn is_of_mlton(&self) -> bool {
        self.instruments.is_of_mlton && self.counts_calls() == Some(false)
    }

    /// Returns whether any function calls mcount; `None` if unknown.
    pub(super) fn counts_calls(&self) -> Option<bool> {
        if self.instruments.is_nameless {
            return None;
        }
        let refers_to_mcount = self.instruments.refers_to_mcount;
        let known = self.instrumented.as_deref().filter(|known| !known.is_empty());
        Some(refers_to_mcount && known.is_none_or(|functions| functions.contains(&true)))
    }
}

/// A fact about the program or a file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Finding {
    pub status: Status,
    /// The subject, in one word.
    pub about: &'static str,
    pub sentence: String,
}

impl Finding {
    pub fn new(status: Status, about: &'static str, sentence: impl Into<String>) -> Self {
        Self { status, about, sentence: sentence.into() }
    }
}

/// The rating of a fact.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Status {
    /// As required.
    Good,
    /// A problem.
    Bad,
    /// A note.
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

/// All findings, and the next step.
pub fn doctor_section(program: &Path, findings: &[Finding], next: String) -> Section {
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
