//! The formats that reports are printed in, by the names that `--format` takes.

use std::path::Path;

/// A format, and the endings of files that are in it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct OutputFormat {
    /// What `--format` takes.
    pub name: &'static str,
    /// Endings of file names, without the dot.
    pub extensions: &'static [&'static str],
}

/// The format that coverage alone is printed in.
pub(crate) const LCOV: &str = "lcov";

/// Every format, the one that is usual first.
#[must_use]
pub fn formats() -> &'static [OutputFormat] {
    const fn format(name: &'static str, extensions: &'static [&'static str]) -> OutputFormat {
        OutputFormat { name, extensions }
    }
    const FORMATS: &[OutputFormat] = &[
        format("text", &["txt"]),
        format("json", &["json"]),
        format("jsonl", &["jsonl", "ndjson"]),
        format("csv", &["csv"]),
        format("tsv", &["tsv"]),
        format(LCOV, &["info", "lcov"]),
        format("dot", &["dot", "gv"]),
    ];
    FORMATS
}

/// The format that the ending of a file name stands for.
pub(super) fn of_path(path: &Path) -> Option<&'static str> {
    let ending = path.extension()?.to_str()?;
    let stands_for = |format: &&OutputFormat| {
        let mut extensions = format.extensions.iter();
        extensions.any(|known| ending.eq_ignore_ascii_case(known))
    };
    formats().iter().find(stands_for).map(|format| format.name)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(path: &str, expected: Option<&str>) {
        assert_eq!(of_path(Path::new(path)), expected, "for {path}");
    }

    #[test]
    fn the_ending_of_a_file_name_stands_for_a_format() {
        check("report.json", Some("json"));
        check("out/REPORT.CSV", Some("csv"));
        check("coverage.info", Some("lcov"));
        check("calls.gv", Some("dot"));
    }

    #[test]
    fn other_endings_stand_for_none() {
        check("report", None);
        check("json", None);
        check("gmon.sum", None);
        check("a.json/report", None);
    }
}
