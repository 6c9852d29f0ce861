//! The index of functions by name, in three columns.

use std::io::{self, Write};

use super::GprofReport;
use crate::compat::gprof::numbers::GraphNode;
use crate::compat::gprof::plan::Flavor;
use crate::report::Text;
use crate::report::gprof_layout::write_index;

pub(super) fn write(out: &mut dyn Write, report: &GprofReport<'_>) -> io::Result<()> {
    let graph = &report.analysis.graph;
    let entries = report.analysis.index.iter();
    let entries = entries.map(|&entry| (graph.index_number(entry), entry));
    let entries: Vec<_> = entries.collect();
    let mut text = Text::default();
    text.word("Index by function name\n\n");
    let width = report.plan.width;
    write_index(report.plan.flavor, width, &entries, &mut text, out, |text, entry| {
        push_name(text, *entry, report);
    })
}

/// Adds the name of an entry, and the file of a static function.
fn push_name(text: &mut Text, entry: GraphNode, report: &GprofReport<'_>) {
    let id = match entry {
        GraphNode::Function(id) => id,
        GraphNode::Cycle(cycle) => return text.word(format!("<cycle {}>", cycle.0)),
    };
    if report.plan.flavor == Flavor::Bsd {
        return text.word(report.names.raw(id));
    }
    report.names.push(text, id);
    if let Some(file) = report.names.file_of_static(id) {
        text.word(" (");
        text.word(file);
        text.word(")");
    }
}
