//! The call graph for dot to draw.

use std::io::{self, Write};

use super::SiteNames;
use crate::compat::mprof::numbers::{AllocationGraph, Drawing, Node};
use crate::report::Text;

/// Writes the call graph of a profile from `source` in the language of dot.
pub fn write_drawing(
    out: &mut dyn Write,
    graph: &AllocationGraph,
    drawing: Drawing,
    source: &[u8],
    names: &SiteNames<'_>,
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
        text.word(if edge.is_cyclic {
            ", style = dotted"
        } else {
            ""
        });
        text.word("];\n");
        text.write_piece(out)?;
    }
    text.word("}\n");
    text.write(out)
}

fn push_node(text: &mut Text, node: Node, graph: &AllocationGraph, names: &SiteNames<'_>) {
    match node {
        Node::Start => text.word("START"),
        Node::Vertex(vertex) => names.push(text, graph.vertices[vertex as usize]),
        Node::Allocation => text.word("ALLOC"),
    }
}
