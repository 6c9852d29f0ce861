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
use crate::model::{InternedNames, Interner};
use crate::report::{
    CallStacks, Cell, Column, FrameName, Layout, MetricValues, NameId, NameTable, Report, Role,
    Row, RowKind, RowVisitor, Rows, Section, SectionId, StackBasis, StackFrame, value_column,
};

/// A report on a side without its sections, and its call tree.
pub struct SideTree {
    report: Report,
    summary: Vec<String>,
    stacks: Arc<CallStacks>,
}

impl SideTree {
    /// The call tree of a report; `None` if it has none.
    pub fn of(mut report: Report) -> Option<Self> {
        let sections = std::mem::take(&mut report.sections);
        let section = sections.into_iter().find(|section| section.id == SectionId::Tree)?;
        Some(Self { report, summary: section.summary, stacks: section.stacks? })
    }

    /// The same with names as text, for a report with names of its own.
    pub fn with_texts(self) -> Self {
        let stacks = Arc::unwrap_or_clone(self.stacks);
        let names = &self.report.names;
        let stacks = Arc::new(stacks.renamed(|stacks, id| stacks.text(names.name(id))));
        Self { stacks, ..self }
    }

    fn name(&self, frame: &StackFrame) -> &[u8] {
        match frame.name {
            FrameName::Id(id) => self.report.names.name(id),
            FrameName::Text(text) => self.stacks.texts.get(text),
        }
    }
}

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
    let values = common_values(&old, &new);
    // The first one is that which both sides are sorted by.
    let primary = values.first().filter(|[old_index, _]| *old_index == 0)?[0];
    let primary = &old.stacks.values[primary];
    let unit = DifferenceUnit::of(&primary.unit, primary.metric);
    let mut summary = old.summary.clone();
    for line in &new.summary {
        if !summary.contains(line) {
            summary.push(line.clone());
        }
    }
    let mut stacks = CallStacks::default();
    let mut columns =
        vec![Column::hidden("depth", Role::Other), Column::hidden("basis", Role::Other)];
    for &[index, _] in &values {
        let MetricValues { metric, unit, .. } = &old.stacks.values[index];
        let id = value_column(&old.report.metrics, *metric, old.report.primary);
        columns.extend([("old", Role::Old), ("new", Role::New), ("change", Role::Change)].map(
            |(side, role)| {
                let head: [Cow<'_, str>; 2] = [side.into(), unit.clone()];
                Column::on_request(format!("{id}_{side}"), role, head).of(*metric)
            },
        ));
        let (unit, old) = (unit.clone(), Some(Vec::new()));
        stacks.values.push(MetricValues { metric: *metric, unit, values: Vec::new(), old });
    }
    columns.extend(unit.total_columns());
    columns.push(Column::shown("name", Role::Name, ["", "name"]));
    let mut tree = DifferenceTree { n_metrics: values.len(), ..DifferenceTree::default() };
    let mut add = |of_side: SideTree, side: usize| {
        let values: Vec<_> = values.iter().map(|sides| sides[side]).collect();
        tree.add(&of_side, side, &values, n_runs[side]);
        of_side.report
    };
    let reports = [add(old, 0), add(new, 1)];
    tree.finish();
    let graph = CallDifference::of(&tree);
    if n_runs != [1, 1] {
        let [old, new] = n_runs;
        summary.push(format!("Costs are means of {old} old and {new} new runs."));
    }
    summary.extend(graph.largest_changes(&unit));
    let (id, title) = (SectionId::GraphDifference, "Difference of call graphs");
    let heads = CallDifference::columns(&unit);
    let graph = Section {
        summary: summary.clone(),
        ..Section::new(id, title, Layout::Table, heads, graph.rows(&unit))
    };
    let (id, title) = (SectionId::TreeDifference, "Difference of call trees:");
    let rows = DifferenceRows::of(tree, stacks, unit);
    let tree = Section {
        summary,
        stacks: Some(Arc::clone(&rows.stacks)),
        ..Section::new(id, title, Layout::Table, columns, rows)
    };
    Some(([tree, graph], reports))
}

/// The values that both trees have in one unit, by index of each side.
fn common_values(old: &SideTree, new: &SideTree) -> Vec<[usize; 2]> {
    let id = |side: &SideTree, values: &MetricValues| {
        value_column(&side.report.metrics, values.metric, side.report.primary)
    };
    let values = old.stacks.values.iter().enumerate().filter_map(|(index, values)| {
        let is_same =
            |other: &MetricValues| id(new, other) == id(old, values) && other.unit == values.unit;
        Some([index, new.stacks.values.iter().position(is_same)?])
    });
    values.collect()
}

#[derive(Default)]
pub(super) struct DifferenceTree {
    /// Callers before callees.
    pub(super) nodes: Vec<ComparedFrame>,
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
    basis: Option<StackBasis>,
    kind: RowKind,
}

impl ComparedFrame {
    /// The number of the caller, counted from 1.
    fn place(&self) -> u32 {
        self.caller.map_or(0, |caller| caller + 1)
    }
}

impl DifferenceTree {
    fn add(&mut self, of_side: &SideTree, side: usize, values: &[usize], n_runs: u64) {
        let mut open: Vec<u32> = Vec::new();
        for (number, frame) in of_side.stacks.frames.iter().enumerate() {
            open.truncate(frame.depth as usize);
            let index = self.node(open.last().copied(), of_side, frame, side);
            let first = index as usize * self.n_metrics;
            self.weights.resize(self.nodes.len() * self.n_metrics, [0; 2]);
            let sums = &mut self.weights[first..first + self.n_metrics];
            for (sum, &values) in sums.iter_mut().zip(values) {
                sum[side] += of_side.stacks.values[values].value(number);
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
        frame: &StackFrame,
        side: usize,
    ) -> u32 {
        let name = self.names.number(of_side.name(frame));
        let id = match frame.name {
            FrameName::Id(id) => Some(side_name(id, side)),
            FrameName::Text(_) => None,
        };
        let &StackFrame { basis, kind, .. } = frame;
        let node = || ComparedFrame { caller, id, name, basis, kind };
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
    stacks: Arc<CallStacks>,
    /// Of each frame in the first metric, both sides.
    totals: Vec<[i128; 2]>,
    whole: i128,
    unit: DifferenceUnit,
}

impl DifferenceRows {
    fn of(tree: DifferenceTree, mut stacks: CallStacks, unit: DifferenceUnit) -> Self {
        let n_frames = tree.nodes.len();
        let mut totals = Vec::with_capacity(n_frames);
        stacks.frames.reserve_exact(n_frames);
        for values in &mut stacks.values {
            values.values.reserve_exact(n_frames);
            values.old.iter_mut().for_each(|old| old.reserve_exact(n_frames));
        }
        for (index, depth) in tree.frames() {
            let &ComparedFrame { id, name, basis, kind, .. } = &tree.nodes[index];
            let name = id.map_or_else(|| stacks.text(tree.names.get(name)), FrameName::Id);
            let depth = u32::try_from(depth).unwrap_or(u32::MAX);
            stacks.frames.push(StackFrame { depth, name, kind, basis });
            totals.push(tree.totals[index]);
            for (values, &weights) in stacks.values.iter_mut().zip(tree.weights(index)) {
                values.push(weights);
            }
        }
        Self { stacks: Arc::new(stacks), totals, whole: tree.whole(), unit }
    }
}

impl Rows for DifferenceRows {
    fn n_entries(&self) -> usize {
        self.totals.len()
    }

    fn for_each_of(&self, frames: Range<usize>, visit: &mut RowVisitor<'_>) -> io::Result<()> {
        let mut cells = Vec::new();
        for index in frames {
            let frame = &self.stacks.frames[index];
            cells.clear();
            cells.extend([frame.depth.into(), frame.basis.map(StackBasis::id).into()]);
            for values in &self.stacks.values {
                let [old, new] = values.sides(index).unwrap_or_default();
                cells.extend([old.into(), new.into(), Cell::Integer(new - old)]);
            }
            cells.extend(self.unit.total_cells(self.totals[index], self.whole));
            cells.push(self.stacks.name(index));
            visit(Row { kind: frame.kind, cells: &cells })?;
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
