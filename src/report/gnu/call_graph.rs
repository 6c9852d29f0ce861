//! The call graph.

use std::io::{self, Write};

use super::printf::{fixed, left};
use super::{Flavor, Report, explanations, number};
use crate::analyze::{ArcRow, Entry, Member, Partner, Subject};

const RULE: &str = "-----------------------------------------------";

pub(super) fn write(out: &mut dyn Write, report: &Report<'_>) -> io::Result<()> {
    write_head(out, report)?;
    for entry in report.analysis.graph.entries() {
        write_entry(out, &entry, report)?;
        match report.options.flavor {
            Flavor::Gnu => writeln!(out, "{RULE}")?,
            Flavor::Bsd => writeln!(out, "\n{RULE}\n")?,
        }
    }
    if report.options.explains && report.options.flavor == Flavor::Gnu {
        out.write_all(explanations::GRAPH.as_bytes())?;
    }
    Ok(())
}

fn write_head(out: &mut dyn Write, report: &Report<'_>) -> io::Result<()> {
    let (analysis, options) = (report.analysis, report.options);
    match (options.flavor, options.explains) {
        (Flavor::Gnu, false) => {
            report.write_heading(out, "\t\t\tCall graph")?;
            out.write_all(b"\n\n")?;
        }
        (Flavor::Gnu, true) => {
            report.write_heading(out, "\t\t     Call graph (explanation follows)")?;
            out.write_all(b"\n\n")?;
        }
        (Flavor::Bsd, false) => {}
        (Flavor::Bsd, true) => {
            out.write_all(b"\n\n\ncall graph profile:\n")?;
            out.write_all(explanations::GRAPH.as_bytes())?;
        }
    }
    write!(
        out,
        "\ngranularity: each sample hit covers {} byte(s)",
        analysis.bytes_per_bin
    )?;
    if analysis.graph.has_time {
        let percent = fixed(analysis.graph.percent_of_tick(), 2);
        let total = fixed(analysis.graph.total_time(), 2);
        write!(out, " for {percent}% of {total} ")?;
        out.write_all(if options.always_seconds {
            b"seconds"
        } else {
            &analysis.scale.dimension
        })?;
    } else {
        out.write_all(b" no time propagated")?;
    }
    out.write_all(b"\n\n")?;
    match options.flavor {
        Flavor::Gnu => out.write_all(b"index % time    self  children    called     name\n"),
        Flavor::Bsd => write_bsd_column_heads(out),
    }
}

fn write_bsd_column_heads(out: &mut dyn Write) -> io::Result<()> {
    let blank = "";
    writeln!(out, "{blank:33}{:>7}/{:<7}     parents ", "called", "total")?;
    let index = format!(
        "{:<6} {:>5} {:>7} {:>11}",
        "index", "%time", "self", "descendants"
    );
    writeln!(
        out,
        "{index} {:>7}+{:<7} {:<8}\tindex",
        "called", "self", "name"
    )?;
    writeln!(out, "{blank:33}{:>7}/{:<7}     children", "called", "total")?;
    writeln!(out)
}

fn write_entry(out: &mut dyn Write, entry: &Entry, report: &Report<'_>) -> io::Result<()> {
    if let Subject::Cycle(_) = entry.reference.subject {
        return write_cycle(out, entry, report);
    }
    if entry.callers.is_empty() {
        write_blank_times(out, report)?;
        writeln!(out, " {:7} {:7}     <spontaneous>", "", "")?;
    }
    for row in &entry.callers {
        write_arc(out, row, report)?;
    }
    out.write_all(report.bold().as_bytes())?;
    write_own_times(out, entry, report)?;
    match (entry.calls, entry.self_calls) {
        (0, 0) => write!(out, " {:7} {:7} ", "", "")?,
        (calls, 0) => write!(out, " {calls:>7} {:7} ", "")?,
        (calls, self_calls) => write!(out, " {calls:>7}+{self_calls:<7} ")?,
    }
    report.write_reference(out, &entry.reference)?;
    writeln!(out, "{}", report.plain())?;
    for row in &entry.callees {
        write_arc(out, row, report)?;
    }
    Ok(())
}

fn write_cycle(out: &mut dyn Write, entry: &Entry, report: &Report<'_>) -> io::Result<()> {
    out.write_all(report.bold().as_bytes())?;
    write_own_times(out, entry, report)?;
    write!(out, " {:>7}", entry.calls)?;
    write_self_calls(out, entry.self_calls)?;
    write!(out, " ")?;
    report.write_reference(out, &entry.reference)?;
    writeln!(out, "{}", report.plain())?;
    for member in &entry.members {
        write_member(out, member, report)?;
    }
    Ok(())
}

fn write_member(out: &mut dyn Write, member: &Member, report: &Report<'_>) -> io::Result<()> {
    write_times(out, member.times.self_time, member.times.children, report)?;
    write!(out, " {:>7}", member.calls)?;
    write_self_calls(out, member.self_calls)?;
    write!(out, "     ")?;
    report.write_reference(out, &member.reference)?;
    writeln!(out)
}

fn write_self_calls(out: &mut dyn Write, self_calls: u64) -> io::Result<()> {
    match self_calls {
        0 => write!(out, " {:7}", ""),
        _ => write!(out, "+{self_calls:<7}"),
    }
}

fn write_arc(out: &mut dyn Write, row: &ArcRow, report: &Report<'_>) -> io::Result<()> {
    match &row.flow {
        Some((times, calls)) => {
            write_times(out, times.self_time, times.children, report)?;
            write!(out, " {:>7}/{calls:<7}     ", row.count)?;
        }
        None => {
            write_blank_times(out, report)?;
            write!(out, " {:>7} {:7}     ", row.count, "")?;
        }
    }
    match &row.partner {
        Partner::Known(reference) => report.write_reference(out, reference)?,
        Partner::InRegister => out.write_all(b"<indirect child>")?,
        Partner::Unknown => out.write_all(b"<unknown>")?,
    }
    writeln!(out)
}

fn write_own_times(out: &mut dyn Write, entry: &Entry, report: &Report<'_>) -> io::Result<()> {
    // Cut to six columns: a number of five digits loses its closing bracket.
    left(out, number(&entry.reference).as_bytes(), 6, 6)?;
    let (percent, own) = (fixed(entry.percent, 1), fixed(entry.times.self_time, 2));
    let (width, children) = (children_width(report), fixed(entry.times.children, 2));
    write!(out, " {percent:>5} {own:>7} {children:>width$}")
}

fn write_times(
    out: &mut dyn Write,
    own: f64,
    children: f64,
    report: &Report<'_>,
) -> io::Result<()> {
    let (own, children) = (fixed(own, 2), fixed(children, 2));
    let width = children_width(report);
    write!(out, "{:6} {:5} {own:>7} {children:>width$}", "", "")
}

fn write_blank_times(out: &mut dyn Write, report: &Report<'_>) -> io::Result<()> {
    let width = children_width(report);
    write!(out, "{:6} {:5} {:7} {:width$}", "", "", "", "")
}

fn children_width(report: &Report<'_>) -> usize {
    match report.options.flavor {
        Flavor::Gnu => 7,
        Flavor::Bsd => 11,
    }
}
