//! The age of profiles relative to their executable, by the times of the files. Copies may have
//! other times, so this is never a warning.

use std::fs;
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};

/// Some file systems store even seconds only.
const PRECISION: Duration = Duration::from_secs(2);

/// How long before the executable was built a profile was written; `None` if it was not.
pub(super) fn time_before(
    written: Option<SystemTime>,
    built: Option<SystemTime>,
) -> Option<Duration> {
    let span = built?.duration_since(written?).ok()?;
    (span > PRECISION).then_some(span)
}

/// The time of the last change of a file, if the system has it.
pub(super) fn modified(path: &Path) -> Option<SystemTime> {
    let metadata = fs::metadata(path).ok().filter(fs::Metadata::is_file)?;
    metadata.modified().ok()
}

/// Names profiles that are older than the executable, whose code matches.
pub fn older_profiles(profiles: &[PathBuf], executable: &Path) -> Option<String> {
    let built = modified(executable)?;
    let mut older = profiles.iter().filter_map(|path| {
        let span = time_before(modified(path), Some(built))?;
        Some((rounded(span)?, path.display()))
    });
    let (span, first) = older.next()?;
    let others = match older.count() {
        0 => String::new(),
        n_more => format!(" (and {n_more} more before it)"),
    };
    Some(format!(
        "{first} was written {span} before {} was built{others}: by an earlier build, unless a \
         copy changed the times",
        executable.display()
    ))
}

/// The age of a file relative to the program, if they differ.
pub(super) fn age(
    written: Option<SystemTime>,
    built: Option<SystemTime>,
    program: &str,
) -> Option<String> {
    if let Some(span) = time_before(written, built) {
        let span = rounded(span)?;
        return Some(format!(
            "written {span} before {program} was built, so an earlier build may have written it"
        ));
    }
    let span = rounded(written?.duration_since(built?).ok()?)?;
    Some(format!("written {span} after {program} was built"))
}

/// In the largest unit with at least two; `None` below two seconds.
fn rounded(span: Duration) -> Option<String> {
    const UNITS: [(u64, &str); 4] =
        [(24 * 60 * 60, "days"), (60 * 60, "hours"), (60, "minutes"), (1, "seconds")];
    let seconds = span.as_secs();
    let unit = UNITS.iter().find(|(length, _)| seconds >= 2 * length);
    unit.map(|(length, name)| format!("{} {name}", seconds / length))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn spans_are_in_the_largest_unit_of_which_there_are_two() {
        let check = |seconds, expected: Option<&str>| {
            let span = rounded(Duration::from_secs(seconds));
            assert_eq!(span.as_deref(), expected, "{seconds}");
        };
        check(1, None);
        check(2, Some("2 seconds"));
        check(119, Some("119 seconds"));
        check(120, Some("2 minutes"));
        check(7_199, Some("119 minutes"));
        check(7_200, Some("2 hours"));
        check(172_800, Some("2 days"));
    }

    #[test]
    fn a_profile_is_older_by_more_than_two_seconds() {
        let at = |seconds| Some(SystemTime::UNIX_EPOCH + Duration::from_secs(seconds));
        assert_eq!(time_before(at(10), at(12)), None);
        assert_eq!(time_before(at(10), at(13)), Some(Duration::from_secs(3)));
        assert_eq!(time_before(at(13), at(10)), None);
        assert_eq!(time_before(None, at(10)), None);
    }
}
