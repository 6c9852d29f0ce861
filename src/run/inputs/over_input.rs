//! Prevents an output file from replacing an input.

use std::path::Path;

use crate::cli::{GivenRunTime, Plan, ReadingOptions};
use crate::diagnose::{RunError, RunResult};
use crate::files::are_same;

/// Refuses a report, or a list of omitted files, that would replace an input: a file on the
/// command line, or one that an option names.
///
/// # Errors
/// If it would.
pub(in crate::run) fn check_output<'a>(
    plan: &'a Plan,
    inputs: impl Iterator<Item = &'a Path>,
) -> RunResult {
    let outputs = [("-o", &plan.look.output), ("--list-skipped", &plan.reading.list_skipped)];
    let inputs: Vec<_> = inputs.chain(files_of_options(&plan.reading)).collect();
    for (option, output) in outputs {
        if let Some(output) = output {
            check_file(option, output, inputs.iter().copied())?;
        }
    }
    Ok(())
}

/// Refuses a sum that would replace a program, or a file that an option names. It may replace
/// a profile.
///
/// # Errors
/// If it would.
pub(in crate::run) fn check_sum<'a>(
    plan: &'a Plan,
    programs: impl Iterator<Item = &'a Path>,
) -> RunResult {
    match &plan.sum {
        Some(sum) => check_file("-s", sum, programs.chain(files_of_options(&plan.reading))),
        None => Ok(()),
    }
}

/// Refuses the output file of an option that is one of `inputs`, under any name.
///
/// # Errors
/// If it is.
pub(in crate::run) fn check_file<'a>(
    option: &'static str,
    output: &Path,
    mut inputs: impl Iterator<Item = &'a Path>,
) -> RunResult {
    if inputs.any(|input| are_same(input, output)) {
        Err(RunError::OverInput { path: output.display().to_string(), option })
    } else {
        Ok(())
    }
}

fn files_of_options(reading: &ReadingOptions) -> impl Iterator<Item = &Path> {
    let run_time = match &reading.wall {
        Some(GivenRunTime::File(path)) => Some(path),
        _ => None,
    };
    let symbols = &reading.symbols;
    let named = [&symbols.external, &symbols.file_map].into_iter().flatten();
    named.chain(run_time).map(|path| &**path)
}
