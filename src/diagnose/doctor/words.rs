//! Lists and durations in words.

use std::time::{Duration, SystemTime};

/// The first names, and the number of others.
pub(super) fn some_of(names: &[impl AsRef<str>]) -> String {
    const MOST: usize = 5;
    let shown: Vec<_> = names.iter().take(MOST).map(AsRef::as_ref).collect();
    let shown = shown.join(", ");
    match names.len().saturating_sub(MOST) {
        0 => shown,
        n_more => format!("{shown} and {n_more} more"),
    }
}

/// The age of a file relative to the program, if they differ.
pub(super) fn age(
    written: Option<SystemTime>,
    built: Option<SystemTime>,
    program: &str,
) -> Option<String> {
    let (written, built) = (written?, built?);
    let (span, which) = match written.duration_since(built) {
        Ok(span) => (span, "after"),
        Err(error) => (error.duration(), "before"),
    };
    let span = rounded(span)?;
    Some(format!("written {span} {which} {program} was built"))
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
    fn long_lists_are_cut() {
        assert_eq!(some_of(&["a", "b"]), "a, b");
        let many = ["a", "b", "c", "d", "e", "f", "g"];
        assert_eq!(some_of(&many), "a, b, c, d, e and 2 more");
    }
}
