//! A profile as in `mlprof`: copies, and their nodes.

use std::borrow::Cow;

use super::{MlprofError, NodeAmounts};
use crate::analyze::Adjacency;
use crate::filter::keep::{CostShare, Graph, Keep, KeepPattern, NodeSet};
use crate::model::{CalleeListId, ContextId, Function, FunctionId, MlmonCounts, RecordedCosts};

/// A table with its counts. Nodes are functions by number, followed by the copies of split
/// functions.
pub(super) struct View<'a> {
    pub(super) table: &'a RecordedCosts,
    mlmon_counts: Option<&'a MlmonCounts>,
    labels: &'a Labels<'a>,
    is_split: Box<[bool]>,
    total: i128,
}

impl<'a> View<'a> {
    pub(super) fn new(
        table: &'a RecordedCosts,
        mlmon_counts: Option<&'a MlmonCounts>,
        labels: &'a Labels<'a>,
        splits: &[KeepPattern],
    ) -> Self {
        let is_split = |label| {
            let fits = |pattern: &KeepPattern| pattern.fits(&labels.whole(label));
            splits.iter().any(fits)
        };
        Self {
            table,
            mlmon_counts,
            labels,
            is_split: (0..labels.len()).map(is_split).collect(),
            total: mlmon_counts.map_or(0, |t| t.program.saturating_add(t.collector)),
        }
    }

    pub(super) fn n_nodes(&self) -> usize {
        self.table.functions.len() + self.table.contexts.len()
    }

    /// The node of a copy.
    pub(super) fn node_of(&self, copy: usize) -> usize {
        let function = self.function_at(copy);
        if self.is_split[function] { self.table.functions.len() + copy } else { function }
    }

    /// The nodes that an expression selects, ascending: those with a selected copy.
    pub(super) fn kept_nodes(&self, keep: &Keep) -> Vec<usize> {
        let copies = keep.select(self);
        let mut nodes = NodeSet::none(self.n_nodes());
        for copy in copies.iter() {
            nodes.insert(self.node_of(copy));
        }
        nodes.iter().collect()
    }

    pub(super) fn label_of_node(&self, node: usize) -> usize {
        match node.checked_sub(self.table.functions.len()) {
            None => node,
            Some(copy) => self.function_at(copy),
        }
    }

    /// The name of a node.
    pub(super) fn name_of_node(&self, node: usize) -> Cow<'a, [u8]> {
        self.labels.whole(self.label_of_node(node))
    }

    pub(super) fn numbers(&self, node: usize) -> NodeAmounts {
        let row = self.mlmon_counts.map(|mlmon_counts| {
            match node.checked_sub(self.table.functions.len()) {
                None => mlmon_counts.functions.row(node),
                Some(copy) => mlmon_counts.contexts.row(copy),
            }
        });
        let mut values = [0; 3];
        for (value, counted) in values.iter_mut().zip(row.into_iter().flatten()) {
            *value = *counted;
        }
        NodeAmounts { values, percentages: values.map(|value| percentage(value, self.total)) }
    }

    fn function_at(&self, copy: usize) -> usize {
        let copy = u32::try_from(copy).expect("copies have numbers of four bytes");
        let function = self.table.contexts.get(ContextId(copy)).function;
        function.map_or(0, FunctionId::index)
    }
}

/// Multiplies before dividing, which decides the last digit.
fn percentage(value: i128, total: i128) -> f64 {
    match total {
        0 => 0.0,
        _ => 100.0 * value as f64 / total as f64,
    }
}

impl Graph for View<'_> {
    fn n_nodes(&self) -> usize {
        self.table.contexts.len()
    }

    fn n_labels(&self) -> usize {
        self.labels.len()
    }

    fn label_of(&self, copy: usize) -> usize {
        self.function_at(copy)
    }

    fn label(&self, label: usize) -> Cow<'_, [u8]> {
        self.labels.whole(label)
    }

    fn percentage(&self, copy: usize, of: CostShare) -> f64 {
        let [own, stack, collector] = self.numbers(self.node_of(copy)).percentages;
        match of {
            CostShare::SelfCost => own,
            CostShare::Stack => stack,
            CostShare::Collector => collector,
        }
    }

    fn n_lists(&self) -> usize {
        self.table.possible_calls.n_lists()
    }

    fn list_of(&self, copy: usize) -> Option<usize> {
        let copy = ContextId(u32::try_from(copy).ok()?);
        let list = self.table.possible_calls.list_of(copy)?;
        Some(list.index())
    }

    fn callees(&self, list: usize) -> impl Iterator<Item = usize> {
        let list = u32::try_from(list).expect("lists have numbers of 32 bits");
        let callees = self.table.possible_calls.list(CalleeListId(list));
        callees.iter().map(|callee| callee.index())
    }
}

/// The names and positions of functions.
#[derive(Debug)]
pub struct Labels<'a> {
    table: &'a RecordedCosts,
    has_long_names: bool,
}

impl<'a> Labels<'a> {
    /// # Errors
    /// If a name has no short form.
    pub(super) fn new(table: &'a RecordedCosts, has_long_names: bool) -> Result<Self, MlprofError> {
        let labels = Self { table, has_long_names };
        match (0..labels.len()).find(|&label| labels.short_name(label).is_none()) {
            Some(label) if !has_long_names => Err(MlprofError::ShortName {
                name: String::from_utf8_lossy(&table.functions[label].name).into_owned(),
            }),
            _ => Ok(labels),
        }
    }

    pub fn len(&self) -> usize {
        self.table.functions.len()
    }

    pub fn is_empty(&self) -> bool {
        self.table.functions.is_empty()
    }

    /// The name, possibly shortened.
    pub fn name(&self, label: usize) -> &'a [u8] {
        let whole = &self.table.functions[label].name;
        let short = self.short_name(label).filter(|_| !self.has_long_names);
        short.unwrap_or(whole)
    }

    /// The text after the last dot that is not at the end. Names without a position have no
    /// other form.
    fn short_name(&self, label: usize) -> Option<&'a [u8]> {
        let Function { name, location, .. } = &self.table.functions[label];
        if location.is_none() {
            return Some(name);
        }
        let mut parts = name.split(|&byte| byte == b'.');
        parts.rfind(|part| !part.is_empty())
    }

    /// Source position.
    pub fn position(&self, label: usize) -> Option<Cow<'a, [u8]>> {
        let location = self.table.functions[label].location?;
        let file = self.table.locations.file(location);
        Some(match self.table.locations.line(location) {
            None => Cow::Borrowed(&**file),
            Some(line) => Cow::Owned([file, format!(": {line}").as_bytes()].concat()),
        })
    }

    /// Name and position, separated by two blanks.
    pub fn whole(&self, label: usize) -> Cow<'a, [u8]> {
        let name = self.name(label);
        match self.position(label) {
            None => Cow::Borrowed(name),
            Some(position) => Cow::Owned([name, b"  ", &position].concat()),
        }
    }
}

/// The copies of nodes.
pub(super) struct Copies {
    /// For each copy the index of its drawn node, if any.
    pub(super) drawn: Box<[Option<u32>]>,
    /// The copies of each drawn node, ascending.
    by_node: Adjacency,
    pub(super) n_nodes: usize,
}

impl Copies {
    pub(super) fn new(view: &View<'_>, nodes: &[usize]) -> Self {
        let mut indices = vec![None; view.n_nodes()];
        for (index, &node) in (0..).zip(nodes.iter().rev()) {
            indices[node] = Some(index);
        }
        let copies = 0..view.table.contexts.len();
        let drawn: Box<[Option<u32>]> = copies.map(|copy| indices[view.node_of(copy)]).collect();
        let keys = drawn.iter().map(|node| node.map(|index| index as usize));
        Self { by_node: Adjacency::new(nodes.len(), keys), n_nodes: nodes.len(), drawn }
    }

    /// The callee lists of a node's copies.
    pub(super) fn lists(
        &self,
        view: &View<'_>,
        index: usize,
    ) -> impl DoubleEndedIterator<Item = CalleeListId> {
        let copies = self.by_node.of(index).iter().copied().map(ContextId);
        copies.filter_map(|copy| view.table.possible_calls.list_of(copy))
    }
}
