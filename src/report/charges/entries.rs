//! How often functions and branches were entered, in the layout of gprof's execution
//! counts.

use std::io::{self, Write};

use super::ChargeText;
use crate::analyze::coverage::{Coverage, EntryCount};

/// Prints a line for each function and branch, by file and line.
///
/// # Errors
/// When the writer fails.
pub fn write_entries(
    out: &mut dyn Write,
    coverage: &Coverage,
    text: &ChargeText<'_>,
) -> io::Result<()> {
    text.write_heading(out, "Entries of functions and branches:")?;
    for file in &coverage.files {
        let branches = file.branches.iter().map(|branch| &branch.entry);
        let mut entries: Vec<&EntryCount> = file.functions.iter().chain(branches).collect();
        entries.sort_by(|a, b| (a.line, &a.name).cmp(&(b.line, &b.name)));
        for entry in entries {
            out.write_all(&text.names.printable(&file.file))?;
            write!(out, ":{}: (", entry.line)?;
            out.write_all(&text.names.printable(&entry.name))?;
            writeln!(out, ") {} executions", entry.entries)?;
        }
    }
    Ok(())
}
