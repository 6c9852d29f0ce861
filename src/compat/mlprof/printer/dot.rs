//! The graph, in the language of `dot`.

use std::io::{self, Write};

use super::table::push_cells;
use crate::compat::mlprof::numbers::{DotGraph, DotNode, MlprofReport};
use crate::compat::mlprof::options::MlprofPlan;
use crate::model::Quantity;

/// Writes the graph with a title.
pub fn write_dot(
    mut out: &mut dyn Write,
    report: &MlprofReport<'_>,
    graph: &DotGraph,
    title: &[u8],
    plan: &MlprofPlan,
) -> io::Result<()> {
    out.write_all(b"digraph \"")?;
    out.write_all(title)?;
    out.write_all(b"\" {\nlabel = \"")?;
    write_escaped(&mut out, title)?;
    out.write_all(b"\"\n")?;
    let mut names = NodeNumbers { numbers: vec![None; graph.nodes.len()], n_named: 0 };
    for (index, node) in graph.nodes.iter().enumerate() {
        let from = names.of(index);
        write!(out, "n{from} [shape = \"box\", label = \"")?;
        write_label(&mut out, report, node, plan)?;
        match node.gray {
            None => out.write_all(b"\", color = \"Black\"]\n")?,
            Some(gray) => writeln!(out, "\", color = \"Gray{gray}\"]")?,
        }
        for edge in &node.edges {
            let to = names.of(edge.to as usize);
            let style = if edge.is_dashed { "style = \"dashed\"" } else { "" };
            writeln!(out, "n{from} -> n{to} [{style}]")?;
        }
    }
    out.write_all(b"}")
}

/// Names of nodes: numbers in order of first appearance.
struct NodeNumbers {
    numbers: Vec<Option<usize>>,
    n_named: usize,
}

impl NodeNumbers {
    fn of(&mut self, index: usize) -> usize {
        *self.numbers[index].get_or_insert_with(|| {
            self.n_named += 1;
            self.n_named - 1
        })
    }
}

fn write_label(
    out: &mut impl Write,
    report: &MlprofReport<'_>,
    node: &DotNode,
    plan: &MlprofPlan,
) -> io::Result<()> {
    write_escaped(out, report.labels.name(node.label))?;
    out.write_all(b"\\n")?;
    if plan.shows_positions
        && let Some(position) = report.labels.position(node.label)
    {
        write_escaped(out, &position)?;
        out.write_all(b"\\n")?;
    }
    if !node.numbers.is_positive() {
        return Ok(());
    }
    let quantity = report.headline.map_or(Quantity::ENTRIES, |h| h.quantity);
    let mut cells = Vec::new();
    push_cells(&mut cells, &node.numbers, report.n_columns, quantity, plan);
    out.write_all(cells.trim_ascii_end())?;
    out.write_all(b"\\n")
}

/// The original escapes for Standard ML first, then for `dot`.
fn write_escaped(out: &mut impl Write, text: &[u8]) -> io::Result<()> {
    for &byte in text {
        match byte {
            b'"' => out.write_all(b"\\\"")?,
            b'\\' => out.write_all(b"\\\\\\\\")?,
            b'\t' => out.write_all(b"\\\\\\\\t")?,
            b'\n' => out.write_all(b"\\\\\\\\n")?,
            b' '..=b'~' => out.write_all(&[byte])?,
            _ => write!(out, "\\\\\\\\{byte:o}")?,
        }
    }
    Ok(())
}
