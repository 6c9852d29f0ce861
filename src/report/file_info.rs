//! What is in each profile file (`-i`), in profan's own words.

use std::io::{self, Write};

use super::gnu::escape_controls;
use crate::analyze::FileSummary;

/// Prints what is in one file.
///
/// # Errors
/// When the writer fails.
pub fn write_file_info(out: &mut dyn Write, file: &FileSummary) -> io::Result<()> {
    out.write_all(&escape_controls(file.path.as_bytes()))?;
    write!(out, ": {} layout", file.layout)?;
    if let Some(encoding) = file.encoding {
        write!(out, ", {encoding}")?;
    }
    if file.version > 0 {
        write!(out, ", version {}", file.version)?;
    }
    writeln!(out)?;
    for histogram in &file.histograms {
        let (n_ticks, n_bins) = (histogram.n_ticks, histogram.n_bins);
        write!(
            out,
            "  histogram  {} to {}: ",
            histogram.low, histogram.high
        )?;
        write!(out, "{}", counted(n_bins, "bin"))?;
        if let Some(bytes) = histogram.bytes_per_bin {
            write!(out, " of {} bytes", rounded(bytes))?;
        }
        write!(out, ", {}", counted(n_ticks, "tick"))?;
        match histogram.rate {
            Some(rate) => write!(out, ", {rate} to the ")?,
            None => write!(out, ", not known how many to the ")?,
        }
        out.write_all(&escape_controls(singular(&histogram.dimension)))?;
        writeln!(out)?;
    }
    let records = &file.records;
    let n_arcs = counted(records.n_arcs, "record");
    writeln!(
        out,
        "  arcs       {n_arcs}, {}",
        counted(file.n_calls, "call")
    )?;
    if records.n_blocks > 0 {
        let n_blocks = counted(file.n_blocks as u64, "block");
        writeln!(
            out,
            "  blocks     {}, {n_blocks}",
            counted(records.n_blocks, "record")
        )?;
    }
    Ok(())
}

fn counted(n: u64, what: &str) -> String {
    match n {
        1 => format!("1 {what}"),
        _ => format!("{n} {what}s"),
    }
}

fn singular(dimension: &[u8]) -> &[u8] {
    match dimension {
        b"seconds" => b"second",
        other => other,
    }
}

/// A number with as many decimals as it needs, two at most.
fn rounded(number: f64) -> String {
    let text = format!("{number:.2}");
    let text = text.trim_end_matches('0').trim_end_matches('.');
    text.to_owned()
}
