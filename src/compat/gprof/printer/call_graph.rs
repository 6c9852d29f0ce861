//! The call graph.

use std::io::{self, Write};

use super::columns::{Behind, LineColumns, PrintedNumbers};
use super::in_parallel::{blocks_of, write_blocks};
use super::{GprofReport, push_number};
use crate::compat::gprof::numbers::{EntryLines, GraphLine, GraphNode, IN_REGISTER, Times};
use crate::compat::gprof::plan::Flavor;
use crate::report::Text;
use crate::report::explanation::SAMPLED_GRAPH;
use crate::report::number::fixed;
use crate::symbols::SymbolId;

const RULE: &str = "-----------------------------------------------";

pub(super) fn write(out: &mut dyn Write, report: &GprofReport<'_>) -> io::Result<()> {
    let subjects: Vec<_> = report.analysis.graph.subjects().collect();
    let mut text = Text::default();
    push_head(&mut text, report);
    text.write(out)?;
    let entries = Entries { report, columns: LineColumns::new(report.plan.flavor) };
    let n_lines = |index: usize| report.analysis.graph.n_lines(subjects[index]);
    let blocks = blocks_of(subjects.len(), n_lines);
    write_blocks(out, &blocks, |index, lines, text| {
        entries.push_next_line(subjects[index], lines, text)
    })?;
    if report.plan.explains && report.plan.flavor == Flavor::Gnu {
        text.word(SAMPLED_GRAPH);
    }
    text.write(out)
}

fn push_head(text: &mut Text, report: &GprofReport<'_>) {
    let (analysis, options) = (report.analysis, report.plan);
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
        // gprof prints seconds whatever the dimension of the histogram.
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
    let own = format!("{:<6} {:>5} {:>7} {:>11}", "index", "%time", "self", "descendants");
    let own = format!("{own} {:>7}+{:<7} {:<8}\tindex", "called", "self", "name");
    let callees = format!("{:33}{:>7}/{:<7}     children", "", "called", "total");
    text.word(format!("{callers}\n{own}\n{callees}\n\n"));
}

/// The text between head and explanation.
struct Entries<'a> {
    report: &'a GprofReport<'a>,
    columns: LineColumns,
}

/// The lines of the current entry, and the number of those printed.
#[derive(Default)]
struct EntryProgress {
    lines: EntryLines,
    n_printed: usize,
}

impl Entries<'_> {
    /// Adds the next line of an entry, and a rule after the last one; returns whether it was
    /// the last.
    fn push_next_line(&self, subject: GraphNode, at: &mut EntryProgress, text: &mut Text) -> bool {
        if at.n_printed == 0 {
            at.lines.fill(&self.report.analysis.graph, subject);
        }
        self.push_line(text, subject, at.lines.lines[at.n_printed]);
        at.n_printed += 1;
        if at.n_printed < at.lines.lines.len() {
            return false;
        }
        at.n_printed = 0;
        text.word(match self.report.plan.flavor {
            Flavor::Gnu => "",
            Flavor::Bsd => "\n",
        });
        text.word(RULE);
        text.word(match self.report.plan.flavor {
            Flavor::Gnu => "\n",
            Flavor::Bsd => "\n\n",
        });
        true
    }

    fn push_line(&self, text: &mut Text, subject: GraphNode, line: GraphLine) {
        match (line, subject) {
            (GraphLine::Own, _) => self.push_own(text, subject),
            (GraphLine::Arc(index), GraphNode::Function(id)) => self.push_arc(text, index, id),
            (GraphLine::Member(member), _) => self.push_member(text, member),
            (GraphLine::InRegister, _) => self.push_in_register(text),
            // Cycles have no lines about arcs.
            (GraphLine::NoCallers | GraphLine::Arc(_), _) => {
                text.blanks(self.columns.before_calls() + 16);
                text.word("     <spontaneous>\n");
            }
        }
    }

    fn push_own(&self, text: &mut Text, subject: GraphNode) {
        let graph = &self.report.analysis.graph;
        let row = graph.node_row(subject);
        let reference = graph.reference_to(subject);
        let mut number = Text::default();
        push_number(&mut number, &reference);
        let is_said = match subject {
            GraphNode::Function(_) => (row.calls, row.self_calls) != (0, 0),
            GraphNode::Cycle(_) => true,
        };
        let numbers = PrintedNumbers {
            percent: Some(row.percent),
            times: row.times,
            calls: is_said.then_some((row.calls, Behind::Itself(row.self_calls))),
            gap: 1,
        };
        self.columns.push(text, number.as_bytes(), &numbers);
        match subject {
            GraphNode::Function(symbol) => self.report.push_reference(text, symbol),
            GraphNode::Cycle(cycle) => {
                text.word(format!("<cycle {} as a whole> ", cycle.0));
                push_number(text, &reference);
                text.word("\n");
            }
        }
    }

    fn push_arc(&self, text: &mut Text, index: u32, symbol: SymbolId) {
        let row = self.report.analysis.graph.arc_row(index, symbol);
        match row.flow {
            Some((times, all)) => {
                let numbers = PrintedNumbers {
                    percent: None,
                    times,
                    calls: Some((row.count, Behind::All(all))),
                    gap: 5,
                };
                self.columns.push(text, b"", &numbers);
            }
            None => self.columns.push_count(text, row.count, 5),
        }
        self.report.push_reference(text, row.partner);
    }

    fn push_member(&self, text: &mut Text, member: SymbolId) {
        let graph = &self.report.analysis.graph;
        let row = graph.node_row(GraphNode::Function(member));
        let numbers = PrintedNumbers {
            percent: None,
            times: row.times,
            calls: Some((row.calls, Behind::Itself(row.self_calls))),
            gap: 5,
        };
        self.columns.push(text, b"", &numbers);
        self.report.push_reference(text, member);
    }

    fn push_in_register(&self, text: &mut Text) {
        let numbers = PrintedNumbers {
            percent: None,
            times: Times { self_time: 0.0, children: 0.0 },
            calls: Some((0, Behind::All(0))),
            gap: 5,
        };
        self.columns.push(text, b"", &numbers);
        text.word(IN_REGISTER);
        text.word("\n");
    }
}
