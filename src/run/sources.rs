//! Annotated source: sources are found, annotated and put into the report or into
//! files of their own.

use std::path::PathBuf;

use crate::analyze::{Annotator, SourceFile};
use crate::cli::Plan;
use crate::diagnose::{self, Warning};
use crate::output::write_here;
use crate::render::{RenderOptions, default_renderer};
use crate::report::{NoNames, Report, Section};
use crate::sources::path_of;
use crate::symbols::{Executable, FileId, SymbolTable};

/// What came of sources.
pub(super) struct Annotated {
    /// Sections of the report; none where each source gets a file of its own.
    pub(super) sections: Vec<Section<'static>>,
    /// The names of those that could not be found, where none could.
    pub(super) missing: Vec<String>,
}

/// Finds and annotates sources. Those that are not there, or are newer than the
/// executable, are worth a warning.
pub(super) fn annotate(
    files: Vec<SourceFile>,
    table: &SymbolTable,
    plan: &Plan,
    executable: Option<&Executable>,
    warnings: &mut Vec<Warning>,
) -> Annotated {
    let (mut n_found, mut missing) = (0, Vec::new());
    let mut annotator = Annotator::new(plan.source.marks);
    let mut sections = Vec::new();
    for source in files {
        let file = source.file;
        let name = table.files().name(file);
        let shown = String::from_utf8_lossy(name).into_owned();
        let Some(found) = plan.source.search.find(name) else {
            missing.push(shown.clone());
            warnings.push(Warning::SourceMissing { name: shown });
            continue;
        };
        n_found += 1;
        warnings.extend(executable.and_then(|built| diagnose::check_source(&found, built.path())));
        let annotated = source.sections(&shown, found.text, &mut annotator);
        if plan.source.is_in_files {
            warnings.extend(write_file(table, file, annotated));
        } else {
            sections.extend(annotated);
        }
    }
    if n_found > 0 {
        missing.clear();
    }
    Annotated { sections, missing }
}

/// Writes a file `NAME-ann` in the current directory. Returns a warning if that fails.
fn write_file(
    table: &SymbolTable,
    file: FileId,
    sections: Vec<Section<'static>>,
) -> Option<Warning> {
    let name = table.files().last_component(file);
    let name: PathBuf = path_of(&[name, b"-ann"].concat());
    let report = Report {
        inputs: Vec::new(),
        metrics: Vec::new(),
        primary: 0,
        names: Box::new(NoNames),
        sections,
        diagnostics: Vec::new(),
    };
    let written = write_here(&name, |out| {
        let written = default_renderer().render(&report, &RenderOptions::default(), out);
        written.map_err(std::io::Error::other)
    });
    written.err().map(|error| Warning::SourceUnwritten {
        name: name.display().to_string(),
        reason: error.to_string(),
    })
}
