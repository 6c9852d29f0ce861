//! The graph of possible calls between the nodes that are shown.

use super::dashed::DashedEdges;
use super::view::View;
use super::{MlprofError, Numbers};
use crate::analyze::Adjacency;
use crate::model::{CalleeListId, ContextId};

/// The most edges of a graph. They take a gigabyte as text, and nothing draws it.
const MAX_EDGES: usize = 1 << 25;

/// A graph, in the order in which it is drawn.
#[derive(Debug)]
pub struct DotGraph {
    pub nodes: Vec<DotNode>,
    edges: Vec<DotEdge>,
}

#[derive(Clone, Copy, Debug)]
pub struct DotNode {
    pub label: usize,
    pub numbers: Numbers,
    /// How light its border is in percent, where that means something.
    pub gray: Option<u8>,
    edges_end: usize,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct DotEdge {
    /// The index of the node that it leads to.
    pub to: u32,
    /// It stands for calls by way of nodes that are not shown.
    pub is_dashed: bool,
}

impl DotGraph {
    pub fn edges(&self, index: usize) -> &[DotEdge] {
        let start = match index.checked_sub(1) {
            None => 0,
            Some(before) => self.nodes[before].edges_end,
        };
        &self.edges[start..self.nodes[index].edges_end]
    }

    /// Draws the nodes, which come in rising order, with these shades of gray.
    pub(super) fn new(
        view: &View<'_>,
        nodes: &[usize],
        grays: Option<&[u8]>,
    ) -> Result<Self, MlprofError> {
        let copies = Copies::new(view, nodes);
        let too_many = || MlprofError::Edges { limit: MAX_EDGES };
        let dashed = DashedEdges::new(view, &copies, MAX_EDGES).ok_or_else(too_many)?;
        let mut graph = Self {
            nodes: Vec::with_capacity(nodes.len()),
            edges: Vec::new(),
        };
        let mut met = Met::new(view, nodes);
        for (index, &node) in nodes.iter().rev().enumerate() {
            graph.add_edges(index, view, &copies, &dashed, &mut met);
            if graph.edges.len() > MAX_EDGES {
                return Err(too_many());
            }
            let numbers = view.numbers(node);
            graph.nodes.push(DotNode {
                label: view.label_of_node(node),
                numbers,
                gray: grays.map(|grays| grays[nodes.len() - 1 - index]),
                edges_end: graph.edges.len(),
            });
        }
        Ok(graph)
    }

    /// Adds the edges of the node with some index.
    ///
    /// The original puts each edge before the others unless it is there, the dashed
    /// ones first: what it found last is drawn first. Copies with a list that was
    /// there already add nothing.
    fn add_edges(
        &mut self,
        index: usize,
        view: &View<'_>,
        copies: &Copies,
        dashed: &DashedEdges,
        met: &mut Met,
    ) {
        let start = self.edges.len();
        met.nodes.clear();
        met.lists.clear();
        let lists = copies.lists(view, index).rev();
        for list in lists.filter(|list| met.lists.insert(list.0)) {
            for &to in dashed.behind(list).iter().rev() {
                if met.nodes.insert(to) {
                    let is_dashed = true;
                    self.edges.push(DotEdge { to, is_dashed });
                }
            }
        }
        met.lists.clear();
        let lists = copies.lists(view, index);
        for list in lists.filter(|list| met.lists.insert(list.0)) {
            for &callee in view.table.possible_calls.list(list) {
                let to = copies.drawn[callee.index()];
                if let Some(to) = to.filter(|&to| met.nodes.insert(to)) {
                    let is_dashed = false;
                    self.edges.push(DotEdge { to, is_dashed });
                }
            }
        }
        self.edges[start..].reverse();
    }
}

/// What was met on the way to the edges of one node.
struct Met {
    nodes: Seen,
    lists: Seen,
}

impl Met {
    fn new(view: &View<'_>, nodes: &[usize]) -> Self {
        Self {
            nodes: Seen::new(nodes.len()),
            lists: Seen::new(view.table.possible_calls.n_lists()),
        }
    }
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
    n_nodes: usize,
}

impl Copies {
    fn new(view: &View<'_>, nodes: &[usize]) -> Self {
        let mut indices = vec![None; view.n_nodes()];
        for (index, &node) in (0..).zip(nodes.iter().rev()) {
            indices[node] = Some(index);
        }
        let ids = (0..).map(ContextId).take(view.table.contexts.len());
        let drawn: Box<[Option<u32>]> = ids.map(|id| indices[view.node_of(id)]).collect();
        let keys = drawn.iter().map(|node| node.map(|index| index as usize));
        Self {
            by_node: Adjacency::new(nodes.len(), keys),
            n_nodes: nodes.len(),
            drawn,
        }
    }

    pub(super) fn n_nodes(&self) -> usize {
        self.n_nodes
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
pub(super) struct Seen {
    rounds: Box<[u32]>,
    round: u32,
}

impl Seen {
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
