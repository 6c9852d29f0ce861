//! The symbols of an executable, and the files that options name for them.

use std::path::Path;

use anyhow::Result;

use crate::cli::Plan;
use crate::diagnose::RunError;
use crate::symbols::{Executable, ExecutableError, Program, read_program};

const MAP: &str = "-R takes what `nm -A *.o` prints, in a file of its own";
const TABLE: &str = "-S takes what `nm PROGRAM` prints, in a file of its own";

/// Reads the symbols of the executable, if there is one.
///
/// # Errors
/// When it cannot be used, or the file of -R or -S cannot.
pub(super) fn read(executable: Option<&Executable>, plan: &Plan) -> Result<Option<Program>> {
    let map = plan.symbols.file_map.as_deref();
    let Some(executable) = executable else {
        return match map {
            None => Ok(None),
            Some(path) => Err(unusable_map(path, "there is no program to go with it").into()),
        };
    };
    let program = read_program(executable, &plan.symbols);
    let program = program.map_err(|error| with_option(error, plan))?;
    let symbols = program.table.symbols();
    let lists_any = program.file_map.as_ref().is_none_or(|map| {
        let mut names = symbols.iter().map(|symbol| &*symbol.name);
        names.any(|name| map.has_file(name))
    });
    match map.filter(|_| !lists_any) {
        None => Ok(Some(program)),
        Some(path) => Err(unusable_map(path, "it lists no function of the program").into()),
    }
}

/// The error, naming the option whose file it is about.
fn with_option(error: ExecutableError, plan: &Plan) -> anyhow::Error {
    let (path, code, reason) = match &error {
        ExecutableError::NoSymbols { path } => (path, "E005", "it lists no function".to_owned()),
        ExecutableError::Io { path, source } => (path, "E001", source.to_string()),
        ExecutableError::Format { .. } => return error.into(),
    };
    let symbols = &plan.symbols;
    let options = [
        ("-S", &symbols.external, TABLE),
        ("-R", &symbols.file_map, MAP),
    ];
    let found = options.into_iter().find_map(|(option, file, advice)| {
        let file = file.as_deref()?;
        let is_this = file.display().to_string() == *path;
        is_this.then(|| unusable(code, (option, advice), file, reason.clone()))
    });
    found.map_or_else(|| error.into(), anyhow::Error::from)
}

fn unusable_map(path: &Path, reason: &str) -> RunError {
    unusable("E005", ("-R", MAP), path, reason.to_owned())
}

fn unusable(
    code: &'static str,
    (option, advice): (&'static str, &'static str),
    path: &Path,
    reason: String,
) -> RunError {
    RunError::UnusableArgument {
        code,
        option,
        path: path.display().to_string(),
        reason,
        advice,
    }
}
