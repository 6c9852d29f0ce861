//! The graph of possible calls between the nodes that are shown.

use super::dashed::DashedEdges;
use super::view::View;
use super::{MlprofError, NodeAmounts};
use crate::analyze::Adjacency;
use crate::model::{CalleeListId, ContextId};

/// The most edges of a graph. They take a gigabyte as text, and nothing draws it.
const MAX_EDGES: usize = 1 << 25;

/// A graph, in the order in which it is drawn.
#[derive(Debug)]
pub struct DotGraph {
    pub nodes: Vec<DotNode>,
}

#[derive(Debug)]
pub struct DotNode {
    pub label: usize,
    pub numbers: NodeAmounts,
    /// How light its border is in percent, where that means something.
    pub gray: Option<u8>,
    pub edges: Box<[DotEdge]>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct DotEdge {
    /// The index of the node that it leads to.
    pub to: u32,
    /// It stands for calls by way of nodes that are not shown.
    pub is_dashed: bool,
}

impl DotGraph {
    /// Draws the nodes, which come in rising order, with these shades of gray.
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

/// The edges of the node with some index.
///
/// The original puts each edge before the others unless it is there, the dashed
/// ones first: what it found last is drawn first. Copies with a list that was
/// there already add nothing.
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
        dashed.found[list.index()]
            .iter()
            .rev()
            .for_each(|&to| add(to, true));
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

/// What was met on the way to the edges of one node.
struct PassedNodes {
    nodes: ClearableSet,
    lists: ClearableSet,
}

/// The shade of gray of each node.
///
/// # Errors
/// When a node has none: its share of the stack is not one of 100 %.
pub(super) fn grays(view: &View<'_>, nodes: &[usize]) -> Result<Vec<u8>, MlprofError> {
    nodes.iter().map(|&node| gray(view, node)).collect()
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

/// The copies that nodes stand for.
pub(super) struct Copies {
    /// The index of the node that is drawn for each copy, if one is.
    pub(super) drawn: Box<[Option<u32>]>,
    /// The copies by the node that is drawn for them, rising.
    by_node: Adjacency,
    pub(super) n_nodes: usize,
}

impl Copies {
    fn new(view: &View<'_>, nodes: &[usize]) -> Self {
        let mut indices = vec![None; view.n_nodes()];
        for (index, &node) in (0..).zip(nodes.iter().rev()) {
            indices[node] = Some(index);
        }
        let copies = 0..view.table.contexts.len();
        let drawn: Box<[Option<u32>]> = copies.map(|copy| indices[view.node_of(copy)]).collect();
        let keys = drawn.iter().map(|node| node.map(|index| index as usize));
        Self {
            by_node: Adjacency::new(nodes.len(), keys),
            n_nodes: nodes.len(),
            drawn,
        }
    }

    /// The lists of callees of the copies of a node.
    fn lists(
        &self,
        view: &View<'_>,
        index: usize,
    ) -> impl DoubleEndedIterator<Item = CalleeListId> {
        let copies = self.by_node.of(index).iter().copied().map(ContextId);
        copies.filter_map(|copy| view.table.possible_calls.list_of(copy))
    }
}

/// A set of indices that is cleared at no cost.
pub(super) struct ClearableSet {
    rounds: Box<[u32]>,
    round: u32,
}

impl ClearableSet {
    pub(super) fn new(length: usize) -> Self {
        Self {
            rounds: vec![0; length].into(),
            round: 1,
        }
    }

    pub(super) fn clear(&mut self) {
        if self.round == u32::MAX {
            self.rounds.fill(0);
            self.round = 0;
        }
        self.round += 1;
    }

    pub(super) fn insert(&mut self, index: u32) -> bool {
        let round = &mut self.rounds[index as usize];
        let is_new = *round != self.round;
        *round = self.round;
        is_new
    }
}
