//! The call graph.

use std::io::{self, Write};
use std::ops::Range;

use super::columns::{Behind, Columns, Numbers};
use super::labels::push_number;
use super::side_by_side::{LINES, is_full, write_blocks};
use super::{Flavor, Report};
use crate::compat::gprof::numbers::{EntryLines, GraphLine, GraphNode, IN_REGISTER, Times};
use crate::report::Text;
use crate::report::explanation::SAMPLED_GRAPH;
use crate::report::number::fixed;
use crate::symbols::SymbolId;

const RULE: &str = "-----------------------------------------------";

pub(super) fn write(
    out: &mut dyn Write,
    subjects: &[GraphNode],
    report: &Report<'_>,
) -> io::Result<()> {
    let mut text = Text::default();
    push_head(&mut text, report);
    text.write(out)?;
    let entries = Entries {
        report,
        subjects,
        columns: Columns::new(report.options.flavor),
    };
    write_blocks(out, &entries.blocks(), |left, at, text| {
        entries.push(left, at, text);
    })?;
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

/// What is printed between head and explanation.
struct Entries<'a> {
    report: &'a Report<'a>,
    subjects: &'a [GraphNode],
    columns: Columns,
}

/// How far an entry is printed.
#[derive(Default)]
struct Place {
    /// The lines of the entry at which it is, once the first of them is printed.
    lines: EntryLines,
    n_printed: usize,
}

impl Entries<'_> {
    /// Entries of about so many lines as a block has, as ranges of their numbers.
    fn blocks(&self) -> Vec<Range<usize>> {
        let (mut blocks, mut start, mut n_lines) = (Vec::new(), 0, 0);
        for (index, &subject) in self.subjects.iter().enumerate() {
            n_lines += self.report.analysis.graph.n_lines(subject);
            if n_lines >= LINES {
                blocks.push(start..index + 1);
                (start, n_lines) = (index + 1, 0);
            }
        }
        if start < self.subjects.len() {
            blocks.push(start..self.subjects.len());
        }
        blocks
    }

    /// Adds the lines of the first entries.
    fn push(&self, left: &mut Range<usize>, at: &mut Place, text: &mut Text) {
        let graph = &self.report.analysis.graph;
        while left.start < left.end && !is_full(text) {
            let subject = self.subjects[left.start];
            if at.n_printed == 0 {
                at.lines.fill(graph, subject);
                self.report.labels.bring(at.lines.symbols(graph, subject));
            }
            for &line in &at.lines.lines()[at.n_printed..] {
                self.push_line(text, subject, line);
                at.n_printed += 1;
                if is_full(text) {
                    break;
                }
            }
            if at.n_printed == at.lines.lines().len() {
                match self.report.options.flavor {
                    Flavor::Gnu => text.word(RULE),
                    Flavor::Bsd => text.word(format!("\n{RULE}\n")),
                }
                text.word("\n");
                at.n_printed = 0;
                left.start += 1;
            }
        }
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
        let numbers = Numbers {
            percent: Some(row.percent),
            times: row.times,
            calls: is_said.then_some((row.calls, Behind::Itself(row.self_calls))),
            gap: 1,
        };
        self.columns.push(text, number.as_bytes(), &numbers);
        match subject {
            GraphNode::Function(symbol) => self.report.labels.push_reference(text, symbol),
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
                let numbers = Numbers {
                    percent: None,
                    times,
                    calls: Some((row.count, Behind::All(all))),
                    gap: 5,
                };
                self.columns.push(text, b"", &numbers);
            }
            None => self.columns.push_count(text, row.count, 5),
        }
        self.report.labels.push_reference(text, row.partner);
    }

    fn push_member(&self, text: &mut Text, member: SymbolId) {
        let row = self
            .report
            .analysis
            .graph
            .node_row(GraphNode::Function(member));
        let numbers = Numbers {
            percent: None,
            times: row.times,
            calls: Some((row.calls, Behind::Itself(row.self_calls))),
            gap: 5,
        };
        self.columns.push(text, b"", &numbers);
        self.report.labels.push_reference(text, member);
    }

    fn push_in_register(&self, text: &mut Text) {
        let numbers = Numbers {
            percent: None,
            times: Times {
                self_time: 0.0,
                children: 0.0,
            },
            calls: Some((0, Behind::All(0))),
            gap: 5,
        };
        self.columns.push(text, b"", &numbers);
        text.word(IN_REGISTER);
        text.word("\n");
    }
}
