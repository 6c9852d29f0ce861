//! The flat profile.

use std::io::{self, Write};

use super::printf::{blanks, fixed, general, left, right};
use super::{Flavor, Report, explanations};
use crate::analyze::{FlatName, FlatRow};

/// What stands in the place of a name for ticks in no function.
const NO_FUNCTION: &[u8] = b"<no function>";

/// Columns of words: for each, its width and where it is cut.
const WORD: (usize, usize) = (8, 8);

pub(super) fn write(out: &mut dyn Write, report: &Report<'_>) -> io::Result<()> {
    match report.options.flavor {
        Flavor::Gnu => write_head(out, report)?,
        Flavor::Bsd => write_bsd_head(out, report)?,
    }
    write_column_heads(out, report)?;
    for row in &report.analysis.flat.rows {
        write_row(out, row, report)?;
    }
    if report.options.explains && report.options.flavor == Flavor::Gnu {
        out.write_all(explanations::FLAT.as_bytes())?;
    }
    Ok(())
}

fn write_head(out: &mut dyn Write, report: &Report<'_>) -> io::Result<()> {
    let scale = &report.analysis.scale;
    report.write_heading(out, "Flat profile:")?;
    write!(out, "\n\nEach sample counts as ")?;
    write!(out, "{} ", general(scale.units_per_tick()))?;
    out.write_all(&scale.dimension)?;
    out.write_all(b".\n")?;
    if !report.analysis.flat.has_time {
        out.write_all(b" no time accumulated\n\n")?;
    }
    Ok(())
}

fn write_bsd_head(out: &mut dyn Write, report: &Report<'_>) -> io::Result<()> {
    let analysis = report.analysis;
    if report.options.explains {
        out.write_all(b"\n\n\nflat profile:\n")?;
        out.write_all(explanations::FLAT.as_bytes())?;
    }
    write!(
        out,
        "\ngranularity: each sample hit covers {} byte(s)",
        analysis.bytes_per_bin
    )?;
    if !analysis.flat.has_time {
        return out.write_all(b" no time accumulated\n\n");
    }
    let percent = fixed(analysis.flat.percent_of_tick, 2);
    write!(out, " for {percent}% of {} ", fixed(analysis.flat.total, 2))?;
    out.write_all(&analysis.scale.dimension)?;
    out.write_all(b"\n\n")
}

fn write_column_heads(out: &mut dyn Write, report: &Report<'_>) -> io::Result<()> {
    let scale = &report.analysis.scale;
    let unit = report.analysis.flat.prefix.per_call(scale);
    let dimension = &*scale.dimension;
    let first: [(&[u8], usize, usize); 6] = [
        (b"%  ", 5, 5),
        (b"cumulative", 11, 10),
        (b"self  ", 9, 8),
        (b"", 9, 8),
        (b"self  ", 9, 8),
        (b"total ", 9, 8),
    ];
    for (word, width, precision) in first {
        right(out, word, width, precision)?;
    }
    out.write_all(b"  ")?;
    left(out, b"", WORD.0, WORD.1)?;
    out.write_all(b"\n")?;
    right(out, b"time", 5, 5)?;
    right(out, dimension, 10, 9)?;
    out.write_all(b" ")?;
    for word in [dimension, b"calls", &unit, &unit] {
        out.write_all(b" ")?;
        right(out, word, WORD.0, WORD.1)?;
    }
    out.write_all(b"  ")?;
    left(out, b"name", WORD.0, WORD.1)?;
    out.write_all(b"\n")
}

fn write_row(out: &mut dyn Write, row: &FlatRow, report: &Report<'_>) -> io::Result<()> {
    let [percent, cumulative, own] = [row.percent, row.cumulative, row.self_time];
    match report.options.flavor {
        Flavor::Gnu => {
            let percent = fixed(percent, 2);
            write!(
                out,
                "{percent:>6} {:>9} {:>8}",
                fixed(cumulative, 2),
                fixed(own, 2)
            )?;
        }
        Flavor::Bsd => {
            let percent = fixed(percent, 1);
            write!(
                out,
                "{percent:>5} {:>10} {:>8}",
                fixed(cumulative, 2),
                fixed(own, 2)
            )?;
        }
    }
    match &row.calls {
        Some(costs) => {
            let [own, total] = [costs.self_per_call, costs.total_per_call];
            write!(
                out,
                " {:>8} {:>8} {:>8}",
                costs.calls,
                fixed(own, 2),
                fixed(total, 2)
            )?;
        }
        None => blanks(out, 27)?,
    }
    out.write_all(b"  ")?;
    match row.name {
        FlatName::NoFunction => out.write_all(NO_FUNCTION)?,
        FlatName::Symbol(id) if report.options.flavor == Flavor::Bsd && report.options.has_arcs => {
            let reference = report.analysis.graph.reference(id);
            report.write_reference(out, &reference)?;
        }
        FlatName::Symbol(id) => out.write_all(&report.name(id))?,
    }
    out.write_all(b"\n")
}
