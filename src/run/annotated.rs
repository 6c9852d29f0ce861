//! Annotated source: sources are found, annotated and written.

use std::io::{self, Write};
use std::path::PathBuf;

use crate::analyze::{Annotator, FileCounts};
use crate::cli::SourcePlan;
use crate::diagnose::{self, Warning};
use crate::output::write_here;
use crate::report::gnu::{AnnotatedSource, write_annotated};
use crate::sources::path_of;
use crate::symbols::{Executable, FileId, SymbolTable};

/// Finds and annotates sources. Returns warnings for those that are not there, or
/// are newer than the executable.
pub(super) fn annotate(
    files: &[FileCounts],
    table: &SymbolTable,
    plan: &SourcePlan,
    executable: Option<&Executable>,
) -> (Vec<AnnotatedSource>, Vec<Warning>) {
    let mut annotator = Annotator::new(plan.marks);
    let (mut sources, mut warnings) = (Vec::new(), Vec::new());
    for counts in files {
        let name = table.files().name(counts.file);
        let Some(source) = plan.search.find(name) else {
            let name = String::from_utf8_lossy(name).into_owned();
            warnings.push(Warning::SourceMissing { name });
            continue;
        };
        warnings.extend(executable.and_then(|built| diagnose::check_source(&source, built.path())));
        sources.push(AnnotatedSource {
            annotations: annotator.annotate(counts, source.n_lines()),
            text: source.text,
        });
    }
    (sources, warnings)
}

/// Writes a file `NAME-ann` in the current directory for each source. Returns a
/// warning for each that fails.
pub(super) fn write_files(sources: &[AnnotatedSource], table: &SymbolTable) -> Vec<Warning> {
    let files = sources.iter().filter_map(|source| {
        let write = |out: &mut dyn Write| write_annotated(out, source, false);
        write_file(table, source.annotations.file, write)
    });
    files.collect()
}

/// Writes the file for one source. Returns a warning if that fails.
pub(super) fn write_file(
    table: &SymbolTable,
    file: FileId,
    write: impl FnOnce(&mut dyn Write) -> io::Result<()>,
) -> Option<Warning> {
    let name = table.files().last_component(file);
    let name: PathBuf = path_of(&[name, b"-ann"].concat());
    let written = write_here(&name, write);
    written.err().map(|error| Warning::SourceUnwritten {
        name: name.display().to_string(),
        reason: error.to_string(),
    })
}
