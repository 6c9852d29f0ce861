//! The difference of two call trees, by the names of frames: as stacks, and as a graph of
//! functions and calls.

use std::borrow::Cow;
use std::io;
use std::ops::Range;
use std::sync::Arc;

use super::call_difference::CallDifference;
use super::difference_tree::{ComparedFrame, DifferenceTree};
use super::difference_unit::DifferenceUnit;
pub use super::side_tree::{SideTree, side_names};
use crate::report::{
    CallStacks, Cell, Column, FrameName, Layout, MetricValues, Report, Role, Row, RowVisitor, Rows,
    Section, SectionId, StackBasis, StackFrame, value_column,
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
    let values = common_values(&old, &new);
    // The first one is that which both sides are sorted by.
    let primary = values.first().filter(|[old_index, _]| *old_index == 0)?[0];
    let primary = &old.stacks.values[primary];
    let unit = DifferenceUnit::of(primary, &old.report.metrics[primary.metric]);
    let mut summary = of_both([&old.summary, &new.summary]);
    let notes = of_both([&old.notes, &new.notes]);
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
    let mut tree = DifferenceTree::new(values.len());
    let mut add = |of_side: SideTree, side: usize| {
        let values: Vec<_> = values.iter().map(|sides| sides[side]).collect();
        tree.add(&of_side, side, &values, n_runs[side]);
        of_side.report
    };
    let callers_below = old.callers_below;
    let reports = [add(old, 0), add(new, 1)];
    tree.finish();
    let graph = CallDifference::of(&tree, callers_below);
    if n_runs != [1, 1] {
        let [old, new] = n_runs;
        summary.push(format!("Costs are means of {old} old and {new} new runs."));
    }
    summary.extend(graph.largest_changes(&unit));
    // The tree is no longer needed when the rows of functions are made.
    let rows = DifferenceRows::of(tree, stacks, unit);
    let unit = &rows.unit;
    let (id, title) = (SectionId::GraphDifference, "Difference of call graphs");
    let heads = CallDifference::columns(unit);
    let graph = Section {
        summary: summary.clone(),
        ..Section::new(id, title, Layout::Table, heads, graph.rows(unit))
    };
    let (id, title) = (SectionId::TreeDifference, "Difference of call trees:");
    let tree = Section {
        summary,
        notes,
        stacks: Some(Arc::clone(&rows.stacks)),
        ..Section::new(id, title, Layout::Table, columns, rows)
    };
    Some(([tree, graph], reports))
}

/// The lines of both sides, each once.
fn of_both([old, new]: [&[String]; 2]) -> Vec<String> {
    let others = new.iter().filter(|line| !old.contains(line));
    old.iter().chain(others).cloned().collect()
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
