//! The input of gprof's linker order: functions, ranges named by arc specs, and targets of
//! indirect calls.

use super::entry_lines::EntryLines;
use super::graph_report::GraphReport;
use super::rows::{GraphLine, GraphNode, IN_REGISTER};
use crate::analyze::{CallGraph, GraphArc, OrderArc, OrderNode, OrderedFunctions, OrderedName};
use crate::compat::gprof::filters::NamedArcs;
use crate::symbols::{StaticCall, SymbolId, SymbolTable};

/// Functions, then the target of indirect calls, then the ranges of `named`. Arcs of specs
/// come first, without calls.
pub(super) fn nodes(
    graph: &CallGraph,
    table: &SymbolTable,
    named: &NamedArcs,
    static_calls: &[StaticCall],
) -> OrderedFunctions {
    let n_functions = table.symbols().len();
    let in_register = OrderNode(n_functions);
    let range = |index: usize| OrderNode(n_functions + 1 + index);
    let mut arcs: Vec<_> = named
        .arcs
        .iter()
        .map(|&(caller, callee)| OrderArc {
            caller: range(caller),
            callee: range(callee),
            count: 0,
        })
        .collect();
    arcs.extend(of_graph(graph, static_calls, in_register));
    arcs.retain(|arc| arc.caller != arc.callee);
    let ranges = named.ranges.iter();
    let ranges = ranges.map(|range| OrderedName::Symbol(range.first));
    let in_register = OrderedName::Other(IN_REGISTER.as_bytes().into());
    OrderedFunctions {
        n_functions,
        others: [in_register].into_iter().chain(ranges).collect(),
        links: named.ranges.iter().map(|range| range.next).collect(),
        arcs,
    }
}

/// The ends of the arcs in a function's entry, as printed; empty without an entry.
pub(super) fn arcs_of_entry(graph: &GraphReport, symbol: SymbolId) -> Vec<(OrderNode, OrderNode)> {
    let subject = GraphNode::Function(symbol);
    let mut entry = EntryLines::default();
    if graph.has_entry(subject) {
        entry.fill(graph, subject);
    }
    let ends = |line: &GraphLine| match *line {
        GraphLine::Arc(index) => {
            let arc = graph.graph.arc(index);
            Some((arc.caller.into(), arc.callee.into()))
        }
        GraphLine::InRegister => Some((symbol.into(), OrderNode(graph.graph.n_symbols()))),
        _ => None,
    };
    entry.lines.iter().filter_map(ends).collect()
}

/// The arcs of the graph in gprof's order, with one for each function with indirect calls.
fn of_graph(
    graph: &CallGraph,
    static_calls: &[StaticCall],
    in_register: OrderNode,
) -> Vec<OrderArc> {
    let arc = |caller, callee, count| OrderArc { caller, callee, count };
    let (recorded, of_code) = graph.arcs().split_at(graph.n_recorded);
    let recorded = recorded.iter();
    let mut arcs: Vec<_> =
        recorded.map(|known| arc(known.caller.into(), known.callee.into(), known.count)).collect();
    let mut of_code = of_code.iter().peekable();
    let mut last = None;
    for call in static_calls {
        match call.callee {
            Some(callee) => {
                let is_this = |next: &&_| is_of(next, call.caller, callee);
                if of_code.next_if(is_this).is_some() {
                    arcs.push(arc(call.caller.into(), callee.into(), 0));
                }
            }
            // Calls of one caller are adjacent.
            None if last == Some(call.caller) => {}
            None => {
                last = Some(call.caller);
                arcs.push(arc(call.caller.into(), in_register, 0));
            }
        }
    }
    arcs
}

fn is_of(arc: &GraphArc, caller: SymbolId, callee: SymbolId) -> bool {
    (arc.caller, arc.callee) == (caller, callee)
}
