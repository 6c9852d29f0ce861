//! Nothing is written over what it is made from.

use std::path::Path;

use crate::cli::{GivenRunTime, Plan};
use crate::diagnose::RunError;
use crate::files::are_same;

/// Refuses to write a report over what it is made from: the files given, and those that
/// options name.
///
/// # Errors
/// When it would be.
pub(in crate::run) fn check_output<'a>(
    plan: &'a Plan,
    inputs: impl Iterator<Item = &'a Path>,
) -> Result<(), RunError> {
    match &plan.output {
        Some(output) => check_file("-o", output, inputs.chain(files_of_options(plan))),
        None => Ok(()),
    }
}

/// Refuses to write a sum over the programs, or over files that options name. One of
/// the profiles may have its name.
///
/// # Errors
/// When it would be.
pub(in crate::run) fn check_sum<'a>(
    plan: &'a Plan,
    programs: impl Iterator<Item = &'a Path>,
) -> Result<(), RunError> {
    match &plan.sum {
        Some(sum) => check_file("-s", sum, programs.chain(files_of_options(plan))),
        None => Ok(()),
    }
}

/// Refuses to write the file of an option over one of these, whatever name it has.
///
/// # Errors
/// When it would be.
pub(in crate::run) fn check_file<'a>(
    option: &'static str,
    output: &Path,
    mut inputs: impl Iterator<Item = &'a Path>,
) -> Result<(), RunError> {
    match inputs.any(|input| are_same(input, output)) {
        true => Err(RunError::OverInput {
            path: output.display().to_string(),
            option,
        }),
        false => Ok(()),
    }
}

fn files_of_options(plan: &Plan) -> impl Iterator<Item = &Path> {
    let run_time = match &plan.run_time {
        Some(GivenRunTime::File(path)) => Some(path),
        _ => None,
    };
    let symbols = &plan.symbols;
    let named = [&symbols.external, &symbols.file_map].into_iter().flatten();
    named.chain(run_time).map(|path| &**path)
}
