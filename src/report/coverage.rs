//! What was entered and what never was, as text.

use std::io::{self, Write};

use super::escape::printable;
use crate::analyze::coverage::{Coverage, CoverageTally, EntryKind, FileCoverage, Share};

/// How coverage is printed.
#[derive(Clone, Copy, Debug, Default)]
pub struct CoverageText {
    /// Control characters in names are shown in another way.
    pub escapes_controls: bool,
}

/// Prints the shares of files, and then what was never entered.
///
/// # Errors
/// When the writer fails.
pub fn write_coverage(
    out: &mut dyn Write,
    coverage: &Coverage,
    text: CoverageText,
) -> io::Result<()> {
    if coverage.files.is_empty() {
        return writeln!(out, "Nothing was counted that stands in the source.");
    }
    writeln!(out, "{:>21}  {:>21}", "functions", "branches")?;
    writeln!(out, "entered     of      %  entered     of      %  file")?;
    for file in &coverage.files {
        write_shares(out, &file.tally)?;
        out.write_all(&printable(&file.file, text.escapes_controls))?;
        writeln!(out)?;
    }
    if coverage.files.len() > 1 {
        write_shares(out, &coverage.tally())?;
        writeln!(out, "all files")?;
    }
    for file in &coverage.files {
        write_never(out, file, text)?;
    }
    Ok(())
}

fn write_shares(out: &mut dyn Write, tally: &CoverageTally) -> io::Result<()> {
    for Share { n_entered, n } in [tally.functions, tally.branches] {
        write!(out, "{n_entered:>7} {n:>6} ")?;
        match (Share { n_entered, n }).percentage() {
            Some(percentage) => write!(out, "{percentage:>6.1}  ")?,
            None => write!(out, "{:>6}  ", "-")?,
        }
    }
    Ok(())
}

/// What was never entered in a file, by line.
fn write_never(out: &mut dyn Write, file: &FileCoverage, text: CoverageText) -> io::Result<()> {
    let never = file.never_entered();
    if never.is_empty() {
        return Ok(());
    }
    out.write_all(b"\nNever entered in ")?;
    out.write_all(&printable(&file.file, text.escapes_controls))?;
    writeln!(out, ":")?;
    for (kind, entry) in never {
        let kind = match kind {
            EntryKind::Function => "function",
            EntryKind::Branch => "branch",
        };
        write!(out, "{:>7}  {kind:<8}  ", entry.line)?;
        out.write_all(&printable(&entry.name, text.escapes_controls))?;
        writeln!(out)?;
    }
    Ok(())
}
