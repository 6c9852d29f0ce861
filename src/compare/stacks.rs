//! The difference of two call trees, by the names of frames: as stacks, and as a graph of
//! functions and calls.

use std::borrow::Cow;
use std::cmp::Reverse;
use std::io;
use std::ops::Range;
use std::sync::Arc;

use super::call_difference::CallDifference;
use super::difference_unit::DifferenceUnit;
use super::several_names::SeveralNames;
use super::side_tree::{SideFrame, SideTree};
use crate::model::{InternedNames, Interner};
use crate::report::{
    Cell, Column, Layout, MetricIndex, NameId, NameTable, Report, Role, Row, RowKind, Rows,
    Section, SectionId, StackWeight, VisitRow,
};

/// The difference as two sections: a row for each frame of either tree, callers above callees,
/// and a row for each function and each of its calls. Both contain the costs of both sides, as
/// means of `n_runs`. With them come the reports of both sides, without sections. `None` if the
/// trees have no common unit.
///
/// Frames are the same if they have the same callers and the same name. [`side_names`] names the
/// sections. Linear in frames, plus sorting.
pub fn stack_difference(
    [old, new]: [SideTree; 2],
    n_runs: [u64; 2],
) -> Option<([Section; 2], [Report; 2])> {
    let metrics = common_weights(&old, &new);
    // The first one is that which both sides are sorted by.
    metrics.first().filter(|metric| metric.columns[0] == 0)?;
    let mut summary = old.summary.clone();
    for line in &new.summary {
        if !summary.contains(line) {
            summary.push(line.clone());
        }
    }
    let mut tree = DifferenceTree { n_metrics: metrics.len(), ..DifferenceTree::default() };
    let mut add = |of_side: SideTree, side: usize| {
        let columns: Vec<_> = metrics.iter().map(|metric| metric.columns[side]).collect();
        tree.add(&of_side, side, &columns, n_runs[side]);
        of_side.report
    };
    let reports = [add(old, 0), add(new, 1)];
    let mut columns =
        vec![Column::hidden("depth", Role::Other), Column::hidden("basis", Role::Other)];
    for metric in &metrics {
        use StackWeight as W;
        columns.extend([("old", W::Old), ("new", W::New), ("change", W::Change)].map(
            |(part, weight)| {
                let id = format!("{}_{part}", metric.id);
                Column::weight(id, weight, metric.unit.clone()).of(metric.metric)
            },
        ));
    }
    let primary = DifferenceUnit::of(&metrics[0].unit, metrics[0].metric);
    columns.extend(primary.total_columns());
    columns.push(Column::shown("name", Role::Name, ["", "name"]));
    tree.finish();
    let graph = CallDifference::of(&tree);
    if n_runs != [1, 1] {
        let [old, new] = n_runs;
        summary.push(format!("Costs are means of {old} old and {new} new runs."));
    }
    summary.extend(graph.largest_changes(&primary));
    let section = |id, title, columns: Vec<Column>, rows: Box<dyn Rows>| Section {
        id,
        run: None,
        title: Cow::Borrowed(title),
        layout: Layout::Table,
        summary: summary.clone(),
        columns: columns.into(),
        rows,
        notes: Vec::new(),
        uncertainty: Default::default(),
    };
    let graph_columns = CallDifference::columns(&primary);
    let graph = Box::new(graph.rows(&primary));
    let rows = Box::new(DifferenceRows { tree, unit: primary });
    let sections = [
        section(SectionId::TreeDifference, "Difference of call trees:", columns, rows),
        section(SectionId::GraphDifference, "Difference of call graphs", graph_columns, graph),
    ];
    Some((sections, reports))
}

/// A column of weights that both trees have.
struct CommonWeight {
    id: Cow<'static, str>,
    unit: Cow<'static, str>,
    /// The metric of the old side.
    metric: MetricIndex,
    columns: [usize; 2],
}

fn common_weights(old: &SideTree, new: &SideTree) -> Vec<CommonWeight> {
    let weights = old.weight_columns.iter().enumerate().filter_map(|(index, column)| {
        let is_same = |other: &Column| other.id == column.id && other.head == column.head;
        let other = new.weight_columns.iter().position(is_same)?;
        Some(CommonWeight {
            id: column.id.clone(),
            unit: column.head[1].clone(),
            metric: column.metric?,
            columns: [index, other],
        })
    });
    weights.collect()
}

#[derive(Default)]
pub(super) struct DifferenceTree {
    /// Callers before callees.
    pub(super) nodes: Vec<ComparedFrame>,
    /// The names and bases of nodes.
    pub(super) names: InternedNames,
    n_metrics: usize,
    /// Of each node, by metric, both sides.
    weights: Vec<[i128; 2]>,
    /// By caller, counted from 1, and name.
    known: Interner<(u32, u32)>,
    /// Of each node in the first metric, both sides.
    pub(super) totals: Vec<[i128; 2]>,
    /// The callees of roots (0) and of each node, counted from 1: all, and where each starts.
    callees: Vec<u32>,
    starts: Vec<u32>,
}

pub(super) struct ComparedFrame {
    caller: Option<u32>,
    /// In the table of both sides.
    id: Option<NameId>,
    pub(super) name: u32,
    basis: u32,
    kind: RowKind,
}

impl ComparedFrame {
    /// The number of the caller, counted from 1.
    fn place(&self) -> u32 {
        self.caller.map_or(0, |caller| caller + 1)
    }
}

impl DifferenceTree {
    fn add(&mut self, of_side: &SideTree, side: usize, columns: &[usize], n_runs: u64) {
        let mut open: Vec<u32> = Vec::new();
        for (number, frame) in of_side.frames.iter().enumerate() {
            open.truncate(frame.depth as usize);
            let index = self.node(open.last().copied(), of_side, frame, side);
            let first = index as usize * self.n_metrics;
            self.weights.resize(self.nodes.len() * self.n_metrics, [0; 2]);
            let sums = &mut self.weights[first..first + self.n_metrics];
            let weights = of_side.weights(number);
            for (sum, &column) in sums.iter_mut().zip(columns) {
                sum[side] += weights[column];
            }
            open.push(index);
        }
        let n_runs = i128::from(n_runs.max(1));
        for sum in &mut self.weights {
            sum[side] = (2 * sum[side] + n_runs).div_euclid(2 * n_runs);
        }
    }

    fn node(
        &mut self,
        caller: Option<u32>,
        of_side: &SideTree,
        frame: &SideFrame,
        side: usize,
    ) -> u32 {
        let name = self.names.number(of_side.name(frame));
        let names = &mut self.names;
        let node = || ComparedFrame {
            caller,
            id: SideTree::name_id(frame).map(|id| side_name(id, side)),
            name,
            basis: names.number(of_side.basis(frame)),
            kind: frame.kind,
        };
        let key = (caller.map_or(0, |caller| caller + 1), name);
        self.known.find(key, &mut self.nodes, node)
    }

    /// Adds up totals, and puts callees in the order of the total of both sides, then of names.
    fn finish(&mut self) {
        self.known = Interner::default();
        self.totals = self.weights.iter().step_by(self.n_metrics).copied().collect();
        for (index, node) in self.nodes.iter().enumerate().rev() {
            if let Some(caller) = node.caller {
                let [old, new] = self.totals[index];
                self.totals[caller as usize][0] += old;
                self.totals[caller as usize][1] += new;
            }
        }
        let n_nodes = u32::try_from(self.nodes.len()).expect("frames have such numbers");
        let mut callees: Vec<u32> = (0..n_nodes).collect();
        callees.sort_by_key(|&index| {
            let node = &self.nodes[index as usize];
            let total = self.totals[index as usize].iter().sum::<i128>();
            (node.place(), Reverse(total), self.names.get(node.name))
        });
        let place = |&index: &u32| self.nodes[index as usize].place();
        let starts = (0..=n_nodes + 1).map(|at| callees.partition_point(|index| place(index) < at));
        self.starts = starts.map(|start| u32::try_from(start).unwrap_or(n_nodes)).collect();
        self.callees = callees;
    }

    /// The callees of a node, or the roots.
    fn callees(&self, caller: Option<u32>) -> &[u32] {
        let place = caller.map_or(0, |caller| caller as usize + 1);
        &self.callees[self.starts[place] as usize..self.starts[place + 1] as usize]
    }

    /// The cost of both sides together.
    pub(super) fn whole(&self) -> i128 {
        self.callees(None).iter().flat_map(|&root| self.totals[root as usize]).sum()
    }

    /// The costs of a node in each metric, on both sides.
    pub(super) fn weights(&self, node: usize) -> &[[i128; 2]] {
        &self.weights[node * self.n_metrics..(node + 1) * self.n_metrics]
    }

    pub(super) fn name_cell(&self, node: usize) -> Cell {
        let ComparedFrame { id, name, .. } = self.nodes[node];
        id.map_or_else(|| Cell::Text(Arc::clone(self.names.get(name))), Cell::Name)
    }

    /// The frames in pre-order, each with its depth.
    pub(super) fn frames(&self) -> impl Iterator<Item = (usize, usize)> {
        // Frames that follow, the next one last.
        let mut next: Vec<_> = self.callees(None).iter().rev().map(|&root| (root, 0)).collect();
        std::iter::from_fn(move || {
            let (index, depth) = next.pop()?;
            let callees = self.callees(Some(index)).iter().rev();
            next.extend(callees.map(|&callee| (callee, depth + 1)));
            Some((index as usize, depth))
        })
    }
}

/// A row for each frame, made when it is shown.
struct DifferenceRows {
    tree: DifferenceTree,
    unit: DifferenceUnit,
}

impl Rows for DifferenceRows {
    fn for_each_of(&self, _: Range<usize>, visit: &mut VisitRow<'_>) -> io::Result<()> {
        let Self { tree, unit } = self;
        let whole = tree.whole();
        let mut cells = Vec::new();
        for (index, depth) in tree.frames() {
            let node = &tree.nodes[index];
            cells.clear();
            let basis = tree.names.get(node.basis);
            cells.extend([depth.into(), Cell::Text(Arc::clone(basis))]);
            for &[old, new] in tree.weights(index) {
                cells.extend([old.into(), new.into(), Cell::Integer(new - old)]);
            }
            cells.extend(unit.total_cells(tree.totals[index], whole));
            cells.push(tree.name_cell(index));
            visit(Row { kind: node.kind, cells: &cells })?;
        }
        Ok(())
    }
}

/// The names of both sides in one table.
pub fn side_names(sides: [Box<dyn NameTable>; 2]) -> impl NameTable {
    SeveralNames {
        tables: sides.into(),
        place: |id: NameId| ((id.0 & 1) as usize, NameId(id.0 >> 1)),
    }
}

/// The number of a name of a side in the table of both.
fn side_name(id: NameId, side: usize) -> NameId {
    NameId(id.0 << 1 | u32::from(side == 1))
}
