//! The allocation call graph.

use std::io::{self, Write};

use super::{SitePrinter, push_classes, width_of};
use crate::compat::mprof::numbers::{AllocationGraph, Drawing, Edge, EdgeEnd, TableMeasure};
use crate::model::ContextId;
use crate::report::Text;

const HEAD_OF_BYTES: &str = "
           allocated               unfreed
     ---------------------  ---------------------
index   bytes   s  m  l  x     bytes   s  m  l  x  function
";

const HEAD_OF_BLOCKS: &str = "
          allocated             unfreed
     -------------------  -------------------
index count   s  m  l  x   count   s  m  l  x  function
";

pub fn write_graph(
    out: &mut dyn Write,
    graph: &AllocationGraph,
    names: &SitePrinter<'_>,
) -> io::Result<()> {
    let mut text = Text::default();
    text.word("\n\n");
    text.blanks(29);
    text.word("ALLOCATION CALL GRAPH\n\n");
    text.blanks(28);
    text.word("(number of vertices: ");
    text.count(graph.vertices.len() as u64, 0);
    text.word(")\n");
    let (head, n_dashes, name_column) = match names.measure {
        TableMeasure::Bytes => (HEAD_OF_BYTES, 49, 51),
        TableMeasure::Blocks => (HEAD_OF_BLOCKS, 45, 47),
    };
    text.word(head);
    let rule = "-".repeat(n_dashes) + "\n";
    for (vertex, &context) in (0..).zip(&graph.vertices) {
        text.word(&rule);
        for edge in graph.incoming(EdgeEnd::Vertex(vertex)) {
            push_partner(&mut text, edge, edge.caller, graph, names);
            text.write_piece(out)?;
        }
        let index = format!("[{}]", vertex + 1);
        text.left(index.as_bytes(), name_column, index.len());
        push_name(&mut text, context, vertex, names);
        for edge in graph.outgoing(EdgeEnd::Vertex(vertex)) {
            push_partner(&mut text, edge, edge.callee, graph, names);
            text.write_piece(out)?;
        }
        text.write_piece(out)?;
    }
    text.write(out)
}

/// The line of a caller or callee, unless it is not a vertex.
fn push_partner(
    text: &mut Text,
    edge: &Edge,
    partner: EdgeEnd,
    graph: &AllocationGraph,
    names: &SitePrinter<'_>,
) {
    let EdgeEnd::Vertex(vertex) = partner else {
        return;
    };
    text.word(if edge.is_cyclic { " (*) " } else { "     " });
    text.count(edge.allocated.amount, width_of(names.measure));
    text.blanks(1);
    push_classes(text, &edge.allocated.classes);
    text.blanks(2);
    text.count(edge.unfreed.amount, width_of(names.measure));
    text.blanks(1);
    push_classes(text, &edge.unfreed.classes);
    text.blanks(6);
    push_name(text, graph.vertices[vertex as usize], vertex, names);
}

fn push_name(text: &mut Text, context: ContextId, vertex: u32, names: &SitePrinter<'_>) {
    names.push(text, context);
    text.word(" [");
    text.count(u64::from(vertex) + 1, 0);
    text.word("]\n");
}

/// Writes the call graph of the profile `source` in dot's language.
pub fn write_drawing(
    out: &mut dyn Write,
    graph: &AllocationGraph,
    drawing: Drawing,
    source: &[u8],
    names: &SitePrinter<'_>,
) -> io::Result<()> {
    let mut text = Text::default();
    text.word("/* produced by mprof 1.3 from ");
    text.word(source);
    text.word(" */\n\ndigraph \"");
    text.word(match drawing {
        Drawing::Allocations => "allocation call graph",
        Drawing::Leaks => "memory leak call graph",
    });
    text.word("\"\n{\n");
    for edge in graph.depth_first() {
        let Some(amount) = drawing.amount(edge) else {
            continue;
        };
        text.word("    \"");
        push_node(&mut text, edge.caller, graph, names);
        text.word("\" -> \"");
        push_node(&mut text, edge.callee, graph, names);
        text.word("\" [label = \"");
        text.count(amount, 0);
        text.word("\"");
        text.word(if edge.is_cyclic { ", style = dotted" } else { "" });
        text.word("];\n");
        text.write_piece(out)?;
    }
    text.word("}\n");
    text.write(out)
}

fn push_node(text: &mut Text, node: EdgeEnd, graph: &AllocationGraph, names: &SitePrinter<'_>) {
    match node {
        EdgeEnd::Start => text.word("START"),
        EdgeEnd::Vertex(vertex) => names.push(text, graph.vertices[vertex as usize]),
        EdgeEnd::Allocation => text.word("ALLOC"),
    }
}
