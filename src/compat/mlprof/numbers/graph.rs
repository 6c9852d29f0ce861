//! The graph of possible calls between the nodes that are shown.

use super::clearable_set::ClearableSet;
use super::dashed::DashedEdges;
use super::view::{Copies, View};
use super::{MlprofError, NodeAmounts};

/// Maximum number of edges: a gigabyte of text.
const MAX_EDGES: usize = 1 << 25;

/// A graph in drawing order.
#[derive(Debug)]
pub struct DotGraph {
    pub nodes: Vec<DotNode>,
}

#[derive(Debug)]
pub struct DotNode {
    pub label: usize,
    pub numbers: NodeAmounts,
    /// Brightness of the border in percent, if requested.
    pub gray: Option<u8>,
    pub edges: Box<[DotEdge]>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct DotEdge {
    /// Index of the target node.
    pub to: u32,
    /// Represents calls through nodes that are not drawn.
    pub is_dashed: bool,
}

impl DotGraph {
    /// The graph of nodes, ascending, with these brightnesses.
    pub(super) fn new(
        view: &View<'_>,
        nodes: &[usize],
        grays: Option<&[u8]>,
    ) -> Result<Self, MlprofError> {
        let copies = Copies::new(view, nodes);
        let too_many = || MlprofError::Edges { limit: MAX_EDGES };
        let dashed = DashedEdges::new(view, &copies, MAX_EDGES).ok_or_else(too_many)?;
        let mut drawn = Vec::with_capacity(nodes.len());
        let mut n_edges = 0;
        let mut met = PassedNodes {
            nodes: ClearableSet::new(nodes.len()),
            lists: ClearableSet::new(view.table.possible_calls.n_lists()),
        };
        for (index, &node) in nodes.iter().rev().enumerate() {
            let edges = edges_of(index, view, &copies, &dashed, &mut met);
            n_edges += edges.len();
            if n_edges > MAX_EDGES {
                return Err(too_many());
            }
            drawn.push(DotNode {
                label: view.label_of_node(node),
                numbers: view.numbers(node),
                gray: grays.map(|grays| grays[nodes.len() - 1 - index]),
                edges: edges.into(),
            });
        }
        Ok(Self { nodes: drawn })
    }
}

/// The edges of a node.
///
/// The original puts each new edge before the others, dashed ones first, so the last one
/// found is drawn first. Copies with a list that already occurred add nothing.
fn edges_of(
    index: usize,
    view: &View<'_>,
    copies: &Copies,
    dashed: &DashedEdges,
    met: &mut PassedNodes,
) -> Vec<DotEdge> {
    let mut edges = Vec::new();
    let mut add = |to: u32, is_dashed: bool| {
        if met.nodes.insert(to) {
            edges.push(DotEdge { to, is_dashed });
        }
    };
    let lists = copies.lists(view, index).rev();
    for list in lists.filter(|list| met.lists.insert(list.0)) {
        dashed.found[list.index()].iter().rev().for_each(|&to| add(to, true));
    }
    met.lists.clear();
    let lists = copies.lists(view, index);
    for list in lists.filter(|list| met.lists.insert(list.0)) {
        let callees = view.table.possible_calls.list(list).iter();
        let drawn = callees.filter_map(|callee| copies.drawn[callee.index()]);
        drawn.for_each(|to| add(to, false));
    }
    met.nodes.clear();
    met.lists.clear();
    edges.reverse();
    edges
}

/// The nodes and lists already used for one node.
struct PassedNodes {
    nodes: ClearableSet,
    lists: ClearableSet,
}

/// The brightness of each of these nodes.
///
/// # Errors
/// If the stack share of any node of the view is not between 0 and 100 %.
pub(super) fn grays(view: &View<'_>, nodes: &[usize]) -> Result<Vec<u8>, MlprofError> {
    let grays: Result<Vec<_>, _> = (0..view.n_nodes()).map(|node| gray(view, node)).collect();
    let grays = grays?;
    Ok(nodes.iter().map(|&node| grays[node]).collect())
}

fn gray(view: &View<'_>, node: usize) -> Result<u8, MlprofError> {
    let [_, percentage, _] = view.numbers(node).percentages;
    let rounded = percentage.round_ties_even();
    if !(0.0..=100.0).contains(&rounded) {
        let label = String::from_utf8_lossy(&view.name_of_node(node)).into_owned();
        return Err(MlprofError::Gray { label, percentage });
    }
    #[expect(clippy::cast_possible_truncation, reason = "from 0 to 100")]
    #[expect(clippy::cast_sign_loss, reason = "from 0 to 100")]
    let gray = (100.0 - rounded) as u8;
    Ok(gray)
}
