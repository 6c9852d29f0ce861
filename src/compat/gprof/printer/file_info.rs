//! What is in each profile file (`-i`), as gprof says it.

use std::io::{self, Write};

use crate::model::RecordCounts;

/// Prints how many records a file has.
pub fn write_file_info(
    out: &mut dyn Write,
    path: &str,
    version: u32,
    records: &RecordCounts,
) -> io::Result<()> {
    writeln!(out, "File `{path}' (version {version}) contains:")?;
    let kinds = [
        (records.n_histograms, "histogram"),
        (records.n_arcs, "call-graph"),
        (records.n_blocks, "basic-block count"),
    ];
    for (n_records, kind) in kinds {
        let plural = if n_records == 1 { "" } else { "s" };
        writeln!(out, "\t{n_records} {kind} record{plural}")?;
    }
    Ok(())
}
