//! The flat profile.

use std::io::{self, Write};

use super::{GprofReport, LINES};
use crate::compat::gprof::numbers::GprofFlatRow;
use crate::compat::gprof::plan::Flavor;
use crate::report::Text;
use crate::report::explanation::SAMPLED_FLAT;
use crate::report::in_blocks::write_blocks;
use crate::report::number::{fixed, general};
use crate::threads;

pub(super) fn write(out: &mut dyn Write, report: &GprofReport<'_>) -> io::Result<()> {
    let mut text = Text::default();
    match report.plan.flavor {
        Flavor::Gnu => push_head(&mut text, report),
        Flavor::Bsd => push_bsd_head(&mut text, report),
    }
    push_column_heads(&mut text, report);
    text.write(out)?;
    let rows = &report.analysis.flat.rows;
    let blocks = threads::blocks(rows.len(), LINES, |_| 1);
    write_blocks(&blocks, &mut |text| text.write(out), &|text, mut part| {
        for row in &rows[part.items.clone()] {
            push_row(text, row, report);
            part.flush(text)?;
        }
        Ok(())
    })?;
    if report.plan.explains && report.plan.flavor == Flavor::Gnu {
        text.word(SAMPLED_FLAT);
    }
    text.write(out)
}

fn push_head(text: &mut Text, report: &GprofReport<'_>) {
    let scale = &report.analysis.scale;
    text.word("Flat profile:\n\nEach sample counts as ");
    text.word(general(scale.units_per_tick()));
    text.word(" ");
    text.word(&scale.dimension);
    text.word(".\n");
    if !report.analysis.flat.has_time {
        text.word(" no time accumulated\n\n");
    }
}

fn push_bsd_head(text: &mut Text, report: &GprofReport<'_>) {
    let analysis = report.analysis;
    if report.plan.explains {
        text.word("\n\n\nflat profile:\n");
        text.word(SAMPLED_FLAT);
    }
    text.word("\ngranularity: each sample hit covers ");
    text.count(analysis.bytes_per_bin, 0);
    text.word(" byte(s)");
    if !analysis.flat.has_time {
        return text.word(" no time accumulated\n\n");
    }
    let percent = fixed(analysis.flat.percent_of_tick, 2);
    let total = fixed(analysis.flat.total, 2);
    text.word(format!(" for {percent}% of {total} "));
    text.word(&analysis.scale.dimension);
    text.word("\n\n");
}

fn push_column_heads(text: &mut Text, report: &GprofReport<'_>) {
    let scale = &report.analysis.scale;
    let unit = report.analysis.flat.prefix.per_call(scale);
    let dimension = &*scale.dimension;
    text.right(b"%  ", 5, 5);
    text.right(b"cumulative", 11, 10);
    for word in [&b"self  "[..], b"", b"self  ", b"total "] {
        text.right(word, 9, 8);
    }
    text.blanks(10);
    text.word("\n");
    text.right(b"time", 5, 5);
    text.right(dimension, 10, 9);
    text.blanks(1);
    for word in [dimension, b"calls", &unit, &unit] {
        text.right(word, 9, 8);
    }
    text.blanks(2);
    text.left(b"name", 8, 8);
    text.word("\n");
}

fn push_row(text: &mut Text, row: &GprofFlatRow, report: &GprofReport<'_>) {
    match report.plan.flavor {
        Flavor::Gnu => {
            text.fixed(row.percent, 2, 6);
            text.blanks(1);
            text.fixed(row.cumulative, 2, 9);
        }
        Flavor::Bsd => {
            text.fixed(row.percent, 1, 5);
            text.blanks(1);
            text.fixed(row.cumulative, 2, 10);
        }
    }
    text.blanks(1);
    text.fixed(row.self_time, 2, 8);
    match &row.calls {
        None => text.blanks(27),
        Some(costs) => {
            text.blanks(1);
            text.count(costs.calls, 8);
            text.blanks(1);
            text.fixed(costs.self_per_call, 2, 8);
            text.blanks(1);
            text.fixed(costs.total_per_call, 2, 8);
        }
    }
    text.blanks(2);
    if report.plan.flavor == Flavor::Bsd && report.has_arcs {
        return report.push_reference(text, row.symbol);
    }
    report.names.push(text, row.symbol);
    text.word("\n");
}
