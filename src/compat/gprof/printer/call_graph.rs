//! The call graph.

use std::io::{self, Write};

use super::{GprofReport, LINES};
use crate::compat::gprof::numbers::{EntryLines, GraphLine, GraphNode, IN_REGISTER};
use crate::compat::gprof::plan::Flavor;
use crate::report::Text;
use crate::report::explanation::SAMPLED_GRAPH;
use crate::report::gprof_layout::{AfterCalls, GraphLayout, GraphNumbers};
use crate::report::in_blocks::write_blocks;
use crate::report::number::fixed;
use crate::symbols::SymbolId;
use crate::threads;

pub(super) fn write(out: &mut dyn Write, report: &GprofReport<'_>) -> io::Result<()> {
    let subjects: Vec<_> = report.analysis.graph.subjects().collect();
    let mut text = Text::default();
    push_head(&mut text, report);
    text.write(out)?;
    let entries = Entries { report, layout: GraphLayout::new(report.plan.flavor, String::new()) };
    let n_lines = |index: usize| report.analysis.graph.n_lines(subjects[index]);
    let blocks = threads::blocks(subjects.len(), LINES, n_lines);
    write_blocks(&blocks, &mut |text| text.write(out), &|text, mut part| {
        let mut lines = EntryLines::default();
        for &subject in &subjects[part.items.clone()] {
            lines.fill(&report.analysis.graph, subject);
            for &line in &lines.lines {
                entries.push_line(text, subject, line);
                part.flush(text)?;
            }
            entries.layout.push_rule(text);
        }
        Ok(())
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
    GraphLayout::new(options.flavor, String::new()).push_heads(text);
}

/// The text between head and explanation.
struct Entries<'a> {
    report: &'a GprofReport<'a>,
    layout: GraphLayout,
}

impl Entries<'_> {
    fn push_line(&self, text: &mut Text, subject: GraphNode, line: GraphLine) {
        match (line, subject) {
            (GraphLine::Own, _) => self.push_own(text, subject),
            (GraphLine::Arc(index), GraphNode::Function(id)) => self.push_arc(text, index, id),
            (GraphLine::Member(member), _) => self.push_member(text, member),
            (GraphLine::InRegister, _) => self.push_in_register(text),
            // Cycles have no lines about arcs.
            (GraphLine::NoCallers | GraphLine::Arc(_), _) => self.layout.push_no_callers(text),
        }
    }

    fn push_own(&self, text: &mut Text, subject: GraphNode) {
        let graph = &self.report.analysis.graph;
        let number = graph.index_number(subject);
        let mut numbers = graph.node_numbers(subject);
        let is_function = matches!(subject, GraphNode::Function(_));
        numbers.calls.take_if(|calls| is_function && matches!(calls, (0, AfterCalls::Itself(0))));
        self.layout.push(text, Some(number), &numbers);
        match subject {
            GraphNode::Function(symbol) => self.report.push_reference(text, symbol),
            GraphNode::Cycle(cycle) => {
                text.word(format!("<cycle {} as a whole> ", cycle.0));
                number.push(text);
                text.word("\n");
            }
        }
    }

    fn push_arc(&self, text: &mut Text, index: u32, symbol: SymbolId) {
        let graph = &self.report.analysis.graph;
        let arc = graph.graph.arc(index);
        match graph.arc_numbers(index) {
            Some(numbers) => self.layout.push(text, None, &numbers),
            None => self.layout.push_count(text, Some(arc.count)),
        }
        let partner = if arc.caller == symbol { arc.callee } else { arc.caller };
        self.report.push_reference(text, partner);
    }

    fn push_member(&self, text: &mut Text, member: SymbolId) {
        let numbers = self.report.analysis.graph.node_numbers(GraphNode::Function(member));
        self.layout.push(text, None, &GraphNumbers { percent: None, ..numbers });
        self.report.push_reference(text, member);
    }

    fn push_in_register(&self, text: &mut Text) {
        let numbers = GraphNumbers { calls: Some((0, AfterCalls::All(0))), ..GraphNumbers::NONE };
        self.layout.push(text, None, &numbers);
        text.word(IN_REGISTER);
        text.word("\n");
    }
}
