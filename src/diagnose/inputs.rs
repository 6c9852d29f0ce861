//! Sentences on the files of a command line.

use std::borrow::Cow;
use std::path::Path;

use regex::bytes::Regex;

use crate::model::RunPart;
use crate::report::number::counted;
use crate::report::{ReportInput, escape_controls};

/// Maximum number of file names in a line; then their number.
pub(super) const N_NAMED_FILES: usize = 3;

/// One line with the program and its profiles. The program is the executable, or the command
/// that the profile recorded.
pub fn origin(inputs: &[ReportInput], parts: &[RunPart]) -> String {
    let of_kind = |kind: &'static str| {
        let inputs = inputs.iter().filter(move |input| input.kind == kind);
        let inputs = inputs.filter(|input| !input.has_only_names());
        inputs.map(|input| &*input.path).collect::<Vec<_>>()
    };
    let profiles = of_kind("profile");
    let runs = match profiles.len() {
        0 => "no profile".to_owned(),
        1 => format!("1 profile: {}", profiles[0]),
        n_profiles if n_profiles <= N_NAMED_FILES => {
            format!("{n_profiles} profiles: {}", profiles.join(", "))
        }
        n_profiles => format!("{n_profiles} profiles"),
    };
    let program = of_kind("executable").first().copied().map(Cow::Borrowed);
    match program.or_else(|| command_of(parts)) {
        None => runs,
        Some(program) => format!("{program}, {runs}"),
    }
}

/// The recorded command, if all parts have the same.
fn command_of(parts: &[RunPart]) -> Option<Cow<'_, str>> {
    let command = parts.first()?.command.as_deref()?;
    let is_of_it = |part: &RunPart| part.command.as_deref() == Some(command);
    let command = String::from_utf8_lossy(command.trim_ascii());
    (parts.iter().all(is_of_it) && !command.is_empty()).then_some(command)
}

/// The same for a saved report.
pub fn saved_origin(inputs: &[ReportInput]) -> String {
    format!("{} (saved report)", origin(inputs, &[]))
}

/// Profiles of which the latest is newer than the default one.
pub fn newer_profiles(latest: &Path, n_profiles: usize, usual: &Path) -> String {
    let (latest, usual) = (latest.display(), usual.display());
    match n_profiles {
        1 => format!("{latest} is newer than {usual}; name it to report it"),
        n => format!("{latest} and {} more are newer than {usual}; name one to report it", n - 1),
    }
}

/// The note that an executable does not name the functions of a profile.
pub fn unused_program(program: &Path) -> String {
    format!(
        "{} was not used: it has none of the code that the profile records by address; give the \
         executable that ran",
        program.display()
    )
}

/// An executable that was not given.
pub fn found_program(program: &Path, profile: &str) -> String {
    format!("{} is the executable that wrote {profile}", program.display())
}

/// A library that has no profile.
pub fn unprofiled(library: &str) -> String {
    format!("{library} has no profile")
}

/// An executable of several in which nothing ran.
pub fn unused(executable: &str) -> String {
    format!("{executable} has no samples or calls")
}

/// Rows by file and function that a page has no room for.
pub fn left_out_rows(n_rows: u64) -> String {
    format!("{n_rows} rows by file and function are left out; --format csv has them.")
}

/// A new baseline, before any comparison.
pub fn new_baseline(path: &Path, n_runs: u64) -> String {
    let runs = counted(n_runs, "profile", "profiles");
    format!("{} created from {runs}; nothing to compare yet.", path.display())
}

/// A baseline into which the runs of one program were saved, to show how runs vary.
pub fn learned(path: &Path) -> String {
    format!("Saved in {}: how much runs vary, for later comparisons.", path.display())
}

/// No line of annotated source has a number of a sampled profile.
pub const NO_TIMED_LINES: &str = "No source line has time or calls.";

/// The same for a recorded profile.
pub const NO_COSTLY_LINES: &str = "No source line has any recorded cost.";

/// Why a file that was not named is not read.
pub const NOT_REGULAR: &str = "not a regular file";

/// The kind of a profile that no sum can contain.
pub const OF_LD_PROFILE: &str = "a profile of LD_PROFILE";

/// The start of an error while a sum is written.
pub fn cannot_write_sum(path: &Path) -> String {
    format!("cannot write the sum to `{}`", path.display())
}

/// A file that was written while it was read.
pub fn changed_file(path: &str) -> String {
    format!("{path}: changed while it was read: it has other functions now")
}

/// A run with functions of another program.
pub fn other_functions(path: &str) -> String {
    format!("{path}: its functions do not match the program")
}

/// A run without samples, where the other runs of its side have them.
pub fn failed_run(path: &str) -> String {
    format!("{path}: it has no samples, unlike the other runs: did the program fail?")
}

/// A note on paths that do not match.
pub fn other_names<'a>(
    pattern: &Regex,
    paths: impl Iterator<Item = (bool, &'a str)>,
) -> Option<String> {
    let others = paths.filter(|(fits, _)| !fits).map(|(_, path)| path);
    let others: Vec<&str> = others.collect();
    let first = others.iter().take(N_NAMED_FILES);
    let shown = first.map(|path| {
        let escaped = escape_controls(path.as_bytes());
        String::from_utf8_lossy(&escaped).into_owned()
    });
    let mut shown: Vec<String> = shown.collect();
    let n_more = others.len().saturating_sub(N_NAMED_FILES);
    if n_more > 0 {
        shown.push(format!("{n_more} more"));
    }
    (!others.is_empty()).then(|| {
        let shown = shown.join(", ");
        format!("`{pattern}` does not match some names, which are unchanged: {shown}.")
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_that_do_not_fit_are_named() {
        let pattern = Regex::new(r"gmon\.out\.(\d+)").expect("it is one");
        let about =
            |fits| other_names(&pattern, [(true, "a/gmon.out.1"), (fits, "gmon.sum")].into_iter());
        assert_eq!(about(true), None);
        assert_eq!(
            about(false).as_deref(),
            Some(
                "`gmon\\.out\\.(\\d+)` does not match some names, which are unchanged: \
                 gmon.sum."
            )
        );
    }
}
