//! The call graph.

use std::io::{self, Write};

use super::{Flavor, Report, number};
use crate::compat::gprof::numbers::{
    ArcRow, Entry, GraphNode, IN_REGISTER, Member, Partner, Times,
};
use crate::report::Text;
use crate::report::explanation::SAMPLED_GRAPH;
use crate::report::number::fixed;

const RULE: &str = "-----------------------------------------------";

pub(super) fn write(out: &mut dyn Write, report: &Report<'_>) -> io::Result<()> {
    let mut text = Text::default();
    push_head(&mut text, report);
    for entry in report.analysis.graph.entries() {
        push_entry(&mut text, &entry, report);
        match report.options.flavor {
            Flavor::Gnu => text.word(RULE),
            Flavor::Bsd => text.word(format!("\n{RULE}\n")),
        }
        text.word("\n");
        text.write_piece(out)?;
    }
    if report.options.explains && report.options.flavor == Flavor::Gnu {
        text.word(SAMPLED_GRAPH);
    }
    text.write(out)
}

fn push_head(text: &mut Text, report: &Report<'_>) {
    let (analysis, options) = (report.analysis, report.options);
    match (options.flavor, options.explains) {
        (Flavor::Gnu, false) => text.word("\t\t\tCall graph"),
        (Flavor::Gnu, true) => text.word("\t\t     Call graph (explanation follows)"),
        (Flavor::Bsd, false) => {}
        (Flavor::Bsd, true) => {
            text.word("\n\n\ncall graph profile:\n");
            text.word(SAMPLED_GRAPH);
        }
    }
    if options.flavor == Flavor::Gnu {
        text.word("\n\n");
    }
    text.word("\ngranularity: each sample hit covers ");
    text.count(analysis.bytes_per_bin, 0);
    text.word(" byte(s)");
    if analysis.graph.has_time {
        let percent = fixed(analysis.graph.percent_of_tick(), 2);
        let total = fixed(analysis.graph.total_time(), 2);
        // It says so whatever is measured.
        text.word(format!(" for {percent}% of {total} seconds"));
    } else {
        text.word(" no time propagated");
    }
    text.word("\n\n");
    match options.flavor {
        Flavor::Gnu => text.word("index % time    self  children    called     name\n"),
        Flavor::Bsd => push_bsd_column_heads(text),
    }
}

fn push_bsd_column_heads(text: &mut Text) {
    let callers = format!("{:33}{:>7}/{:<7}     parents ", "", "called", "total");
    let own = format!(
        "{:<6} {:>5} {:>7} {:>11}",
        "index", "%time", "self", "descendants"
    );
    let own = format!("{own} {:>7}+{:<7} {:<8}\tindex", "called", "self", "name");
    let callees = format!("{:33}{:>7}/{:<7}     children", "", "called", "total");
    text.word(format!("{callers}\n{own}\n{callees}\n\n"));
}

fn push_entry(text: &mut Text, entry: &Entry, report: &Report<'_>) {
    if let GraphNode::Cycle(_) = entry.reference.subject {
        return push_cycle(text, entry, report);
    }
    if entry.callers.is_empty() {
        text.blanks(no_times(report) + 16);
        text.word("     <spontaneous>\n");
    }
    for row in &entry.callers {
        push_arc(text, row, report);
    }
    push_own_times(text, entry, report);
    match (entry.calls, entry.self_calls) {
        (0, 0) => text.blanks(17),
        (calls, self_calls) => {
            text.blanks(1);
            text.count(calls, 7);
            push_self_calls(text, self_calls);
            text.blanks(1);
        }
    }
    report.push_reference(text, &entry.reference);
    text.word("\n");
    for row in &entry.callees {
        push_arc(text, row, report);
    }
}

fn push_cycle(text: &mut Text, entry: &Entry, report: &Report<'_>) {
    push_own_times(text, entry, report);
    text.blanks(1);
    text.count(entry.calls, 7);
    push_self_calls(text, entry.self_calls);
    text.blanks(1);
    report.push_reference(text, &entry.reference);
    text.word("\n");
    for member in &entry.members {
        push_member(text, member, report);
    }
}

fn push_member(text: &mut Text, member: &Member, report: &Report<'_>) {
    push_times(text, member.times, report);
    text.blanks(1);
    text.count(member.calls, 7);
    push_self_calls(text, member.self_calls);
    text.blanks(5);
    report.push_reference(text, &member.reference);
    text.word("\n");
}

/// Calls to itself behind a plus; blanks for none.
fn push_self_calls(text: &mut Text, self_calls: u64) {
    if self_calls == 0 {
        return text.blanks(8);
    }
    text.word("+");
    text.count_left(self_calls, 7);
}

fn push_arc(text: &mut Text, row: &ArcRow, report: &Report<'_>) {
    match &row.flow {
        Some((times, calls)) => {
            push_times(text, *times, report);
            text.blanks(1);
            text.count(row.count, 7);
            text.word("/");
            text.count_left(*calls, 7);
        }
        None => {
            text.blanks(no_times(report) + 1);
            text.count(row.count, 7);
            text.blanks(8);
        }
    }
    text.blanks(5);
    match &row.partner {
        Partner::Known(reference) => report.push_reference(text, reference),
        Partner::InRegister => text.word(IN_REGISTER),
    }
    text.word("\n");
}

fn push_own_times(text: &mut Text, entry: &Entry, report: &Report<'_>) {
    // Cut to six columns: a number of five digits loses its closing bracket.
    text.left(number(&entry.reference).as_bytes(), 6, 6);
    text.blanks(1);
    text.fixed(entry.percent, 1, 5);
    push_both(text, entry.times, report);
}

fn push_times(text: &mut Text, times: Times, report: &Report<'_>) {
    text.blanks(12);
    push_both(text, times, report);
}

fn push_both(text: &mut Text, times: Times, report: &Report<'_>) {
    text.blanks(1);
    text.fixed(times.self_time, 2, 7);
    text.blanks(1);
    text.fixed(times.children, 2, children_width(report));
}

/// The columns up to the calls, where there are no times in them.
fn no_times(report: &Report<'_>) -> usize {
    6 + 1 + 5 + 1 + 7 + 1 + children_width(report)
}

fn children_width(report: &Report<'_>) -> usize {
    match report.options.flavor {
        Flavor::Gnu => 7,
        Flavor::Bsd => 11,
    }
}
