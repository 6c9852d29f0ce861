//! What is in each profile file (`-i`), in profan's own words.

use std::io::{self, Write};

use super::gnu::escape_controls;
use crate::analyze::{
    ChargeSummary, EventSummary, FileSummary, HeapSummary, RunSummary, TallySummary,
};
use crate::model::SizeBounds;

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
    if let Some(heap) = &file.heap {
        write_heap(out, heap)?;
    }
    if let Some(events) = &file.events {
        write_events(out, events)?;
    }
    if let Some(tallies) = &file.tallies {
        write_tallies(out, tallies)?;
    }
    if let Some(run) = &file.run {
        write_events_of_run(out, run)?;
    }
    if let Some(charges) = &file.charges {
        write_charges(out, charges)?;
    }
    if let Some(run) = &file.run {
        write_calls_and_parts(out, run)?;
    }
    if let Some(build) = file.build {
        writeln!(out, "  build      {build}")?;
    }
    let records = &file.records;
    let is_of_gmon = file.charges.is_none() && file.tallies.is_none() && file.run.is_none();
    if !is_of_gmon && records.n_arcs == 0 {
        return Ok(());
    }
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

fn write_heap(out: &mut dyn Write, heap: &HeapSummary) -> io::Result<()> {
    let SizeBounds {
        small,
        medium,
        large,
    } = heap.bounds;
    writeln!(
        out,
        "  allocated  {} blocks, {} bytes",
        heap.n_allocated, heap.n_allocated_bytes
    )?;
    writeln!(
        out,
        "  freed      {} blocks, {} bytes",
        heap.n_freed, heap.n_freed_bytes
    )?;
    let n_bins = counted(heap.n_bins as u64, "bin");
    writeln!(
        out,
        "  sizes      {n_bins}; small to {small}, medium to {medium}, large to {large} bytes"
    )
}

fn write_events(out: &mut dyn Write, events: &EventSummary) -> io::Result<()> {
    let parts = [
        counted(events.n_allocations, "allocation"),
        counted(events.n_reallocations, "reallocation"),
        counted(events.n_frees, "free"),
        counted(events.n_regions, "region"),
        counted(events.n_threads as u64, "thread"),
    ];
    writeln!(out, "  events     {}", parts.join(", "))
}

fn write_tallies(out: &mut dyn Write, tallies: &TallySummary) -> io::Result<()> {
    let (quantity, style) = (tallies.quantity, tallies.style);
    writeln!(out, "  values     {quantity}, {style}")?;
    let (program, collector) = (tallies.program, tallies.collector);
    writeln!(
        out,
        "  totals     {program}, and {collector} of the garbage collector"
    )?;
    let n_functions = counted(tallies.n_functions as u64, "function");
    writeln!(
        out,
        "  rows       {n_functions}, {} of their copies",
        tallies.n_copies
    )
}

fn write_events_of_run(out: &mut dyn Write, run: &RunSummary) -> io::Result<()> {
    if let Some(command) = &run.command {
        out.write_all(b"  command    ")?;
        out.write_all(&escape_controls(command))?;
        writeln!(out)?;
    }
    for event in &run.events {
        out.write_all(b"  event      ")?;
        out.write_all(&escape_controls(&event.name.id))?;
        if let Some(title) = &event.name.title {
            out.write_all(b" (")?;
            out.write_all(&escape_controls(title))?;
            out.write_all(b")")?;
        }
        write!(out, ": {}", event.charged)?;
        match event.stated {
            Some(stated) if u128::from(stated) == event.charged => writeln!(out)?,
            Some(stated) => writeln!(out, ", but {stated} by the totals of the file")?,
            None => writeln!(out, ", without totals to compare")?,
        }
    }
    Ok(())
}

fn write_calls_and_parts(out: &mut dyn Write, run: &RunSummary) -> io::Result<()> {
    if run.n_call_sites > 0 {
        let n_sites = counted(run.n_call_sites as u64, "site");
        let calls = if run.n_calls == 1 { "call" } else { "calls" };
        writeln!(out, "  calls      {n_sites}, {} {calls}", run.n_calls)?;
    }
    write!(out, "  parts      {}", run.n_parts)?;
    if run.n_threads > 0 {
        write!(out, " of {}", counted(run.n_threads as u64, "thread"))?;
    }
    writeln!(out)
}

fn write_charges(out: &mut dyn Write, charges: &ChargeSummary) -> io::Result<()> {
    let n_functions = counted(charges.n_functions as u64, "name");
    writeln!(out, "  functions  {n_functions}")?;
    let n_contexts = counted(charges.n_contexts as u64, "context");
    write!(out, "  contexts   {n_contexts}")?;
    if charges.n_samples > 0 {
        let n_samples = counted(charges.n_samples as u64, "row");
        write!(out, ", {n_samples} of values")?;
    }
    writeln!(out)?;
    if charges.n_possible_calls > 0 {
        let n_calls = counted(charges.n_possible_calls as u64, "possible call");
        writeln!(out, "  calls      {n_calls}")?;
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
