//! The call tree: stacks from the outermost caller, each frame with its cost.

use std::cmp::Ordering;
use std::io;
use std::ops::Range;
use std::sync::Arc;

use super::table::Columns;
use super::{Material, name};
use crate::analyze::amount::Amount;
use crate::analyze::call_tree::{CallTree, FrameOf, StackBasis, TreeFrame, nearest};
use crate::analyze::cost_graph::CostGraph;
use crate::report::{
    Cell, Column, Layout, MetricIndex, Role, Row, RowKind, Rows, Section, SectionId, StackWeight,
    VisitRow,
};
use crate::symbols::SymbolId;

/// A row for each frame, in pre-order, callees by cost.
pub fn tree_section(material: &Material<'_>, tree: CallTree) -> Section {
    let costs = material.costs;
    let mut summary = material.unless_in_overview(Material::sum_up);
    summary.push(about_stacks(&tree).to_owned());
    summary.extend(material.about_focus(costs.shape.primary));
    let mut notes = costs.notes_on_time();
    if tree.lacks_zero_cost_calls {
        notes.push(NO_ZERO_COST_CALLS.to_owned());
    }
    notes.extend(tree.lacks_callers.then(|| TOO_MANY_FRAMES.to_owned()));
    let columns = columns(costs, &tree);
    let heads = columns.columns();
    let rows = TreeRows::new(material, tree, columns);
    Section {
        summary,
        notes,
        ..Section::new(SectionId::Tree, "Call tree:", Layout::Table, heads, rows)
    }
}

const NO_ZERO_COST_CALLS: &str =
    "The call tree has too many frames: calls without cost are omitted.";

const TOO_MANY_FRAMES: &str = "The call tree has too many frames: functions whose callers are \
    left out stand where stacks begin.";

fn about_stacks(tree: &CallTree) -> &'static str {
    match tree.basis {
        StackBasis::Recorded => "Call stacks are recorded.",
        StackBasis::Inferred => {
            "Call stacks are inferred from the call graph; they were not recorded."
        }
        StackBasis::Functions => "Call stacks are not known; each function is one of its own.",
    }
}

struct TreeRow {
    name: Cell,
    depth: usize,
    calls: Option<u64>,
    self_cost: Amount,
    total: Amount,
    weight: i128,
    /// In other metrics.
    other_weights: Box<[i128]>,
}

fn columns(costs: &CostGraph, tree: &CallTree) -> Columns<'static, TreeRow> {
    let metric = costs.shape.primary;
    let is_timed = costs.ticks_per_unit(metric).is_some();
    // Values inferred from counts are not whole numbers.
    let decimals = if is_timed { 2 } else { 0 };
    let id = |id: &str| costs.shown_id(id, metric);
    let head = |what: &str| [what.to_owned(), costs.unit(metric)];
    let basis = tree.basis.id();
    let (whole, readable) = (costs.all(metric), costs.reader(metric));
    let mut columns = Columns::<TreeRow>::new()
        .shown(Role::Share, "percent", ["total", "%"], move |row| row.total.percent_of(whole))
        .of(metric)
        .printed(0, 1)
        .shown(Role::Total, id("total"), head("total"), move |row| readable(row.total))
        .of(metric)
        .printed(0, decimals)
        .shown(Role::SelfValue, id("self"), head("self"), move |row| readable(row.self_cost))
        .of(metric)
        .printed(0, decimals)
        .named(Role::Calls, "calls", |row| row.calls)
        .named(Role::Name, "name", |row| row.name.clone())
        .hidden(Role::Other, "depth", |row| Cell::Integer(row.depth as i128))
        .hidden(Role::Share, "self_percent", move |row| row.self_cost.percent_of(whole))
        .of(metric)
        .hidden(Role::Other, "basis", move |_| basis)
        .with(weight_column(costs, metric), |row| row.weight);
    for (index, &(metric, _)) in tree.other_costs.iter().enumerate() {
        columns = columns.with(weight_column(costs, metric), move |row| row.other_weights[index]);
    }
    if !is_timed {
        return columns;
    }
    columns
        .hidden(Role::Total, "total", |row| row.total)
        .of(metric)
        .hidden(Role::SelfValue, "self", |row| row.self_cost)
        .of(metric)
}

/// The self cost as an integer, for formats of stacks; the unit is in its heading.
fn weight_column(costs: &CostGraph, metric: MetricIndex) -> Column {
    let id = if metric == costs.shape.primary {
        "weight".to_owned()
    } else {
        format!("weight_{}", costs.shape.metrics[metric].id)
    };
    let unit = match costs.ticks_per_unit(metric) {
        Some(_) if costs.unit(metric) == "seconds" => "nanoseconds".to_owned(),
        Some(_) => "thousandths of ticks".to_owned(),
        None => costs.unit(metric),
    };
    Column::weight(id, StackWeight::Whole, unit).of(metric)
}

struct TreeRows {
    costs: Arc<CostGraph>,
    columns: Columns<'static, TreeRow>,
    /// In pre-order, callees by cost, as all that follows.
    frames: Vec<TreeFrame>,
    depths: Vec<u32>,
    totals: Vec<Amount>,
    /// Self cost of each frame, in integers of nanoseconds or of the metric's unit.
    weights: Vec<i128>,
    other_weights: Vec<(MetricIndex, Vec<i128>)>,
    /// For each arc, whether it has a single frame, which then has its number of calls.
    has_one_frame: Vec<bool>,
    outside: Option<TreeRow>,
}

impl TreeRows {
    fn new(
        material: &Material<'_>,
        mut tree: CallTree,
        columns: Columns<'static, TreeRow>,
    ) -> Self {
        let costs = material.costs;
        let (order, depths) = pre_order(material, &mut tree);
        let mut n_frames = vec![0_u32; costs.calls.arcs().len()];
        for arc in tree.frames.iter().filter_map(|frame| frame.arc) {
            n_frames[arc as usize] += 1;
        }
        // Each pass of a format reads all values in order, so the caches hold the next ones.
        let mut weights = tree.folded_weights(units_of_weight(costs));
        let mut other_weights = other_weights(&tree);
        rearrange(&mut weights, &order);
        for (_, weights) in &mut other_weights {
            rearrange(weights, &order);
        }
        rearrange(&mut tree.frames, &order);
        rearrange(&mut tree.totals, &order);
        Self {
            costs: Arc::clone(costs),
            columns,
            outside: outside(costs, &other_weights),
            weights,
            other_weights,
            depths,
            frames: tree.frames,
            totals: tree.totals,
            has_one_frame: n_frames.iter().map(|&n_frames| n_frames == 1).collect(),
        }
    }

    fn row(&self, index: usize) -> (RowKind, TreeRow) {
        let frame = &self.frames[index];
        let arc = frame.arc.filter(|&arc| self.has_one_frame[arc as usize]);
        let (kind, name) = match frame.of {
            FrameOf::Function(id) => (RowKind::Entry, name(id)),
            FrameOf::Cycle(cycle) => {
                let name = format!("<cycle {}>", cycle.0);
                (RowKind::Cycle, Cell::text(name))
            }
        };
        let others = self.other_weights.iter();
        let row = TreeRow {
            name,
            depth: self.depths[index] as usize,
            calls: arc.map(|arc| self.costs.calls.arc(arc).count),
            self_cost: frame.self_cost,
            total: self.totals[index],
            weight: self.weights[index],
            other_weights: others.map(|(_, weights)| weights[index]).collect(),
        };
        (kind, row)
    }
}

/// Puts a value at `order[index]` to `index`; `order` has each index once.
fn rearrange<T: Copy>(values: &mut [T], order: &[u32]) {
    let mut is_done = vec![false; values.len()];
    for first in 0..values.len() {
        let (value, mut index) = (values[first], first);
        while !std::mem::replace(&mut is_done[index], true) {
            let next = order[index] as usize;
            values[index] = if next == first { value } else { values[next] };
            index = next;
        }
    }
}

/// The order of frames below one caller: by cost, and of the same cost functions by name, before
/// cycles.
fn compare_frames(
    tree: &CallTree,
    compare_names: impl Fn(SymbolId, SymbolId) -> Ordering,
    a: u32,
    b: u32,
) -> Ordering {
    let (one, other) = (a as usize, b as usize);
    let by_kind_and_name = || match (tree.frames[one].of, tree.frames[other].of) {
        (FrameOf::Function(a), FrameOf::Function(b)) => compare_names(a, b),
        (FrameOf::Function(_), FrameOf::Cycle(_)) => Ordering::Less,
        (FrameOf::Cycle(_), FrameOf::Function(_)) => Ordering::Greater,
        (FrameOf::Cycle(_), FrameOf::Cycle(_)) => Ordering::Equal,
    };
    let by_total = tree.totals[other].compare(tree.totals[one]);
    by_total.then_with(by_kind_and_name).then(a.cmp(&b))
}

/// The frames in pre-order, callees by cost, and the depth of each. Drops the callees.
fn pre_order(material: &Material<'_>, tree: &mut CallTree) -> (Vec<u32>, Vec<u32>) {
    let mut callees = std::mem::take(&mut tree.callees);
    let tree = &*tree;
    let names = |a, b| material.compare_names(a, b);
    let compare = |&a: &u32, &b: &u32| compare_frames(tree, names, a, b);
    let is_root = |&index: &u32| tree.frames[index as usize].caller.is_none();
    let frames = (0..).take(tree.frames.len());
    let mut roots: Vec<u32> = frames.filter(is_root).collect();
    roots.sort_by(compare);
    callees.sort_by(compare);
    let mut order = Vec::with_capacity(tree.frames.len());
    let mut depths = Vec::with_capacity(tree.frames.len());
    // For each frame on the stack, the callees still to visit.
    let mut stack: Vec<&[u32]> = vec![&roots];
    while let Some(rest) = stack.last_mut() {
        let Some((&index, others)) = rest.split_first() else {
            stack.pop();
            continue;
        };
        *rest = others;
        order.push(index);
        depths.push(u32::try_from(stack.len() - 1).expect("frames have such numbers"));
        stack.push(callees.of(index as usize));
    }
    (order, depths)
}

fn other_weights(tree: &CallTree) -> Vec<(MetricIndex, Vec<i128>)> {
    let costs = tree.other_costs.iter().map(|(metric, costs)| {
        let mut weights = costs.clone();
        tree.fold_deep_frames(&mut weights);
        (*metric, weights)
    });
    costs.collect()
}

/// Weight units per unit of cost: nanoseconds for time, thousandths of ticks if the length of
/// a tick is unknown.
fn units_of_weight(costs: &CostGraph) -> f64 {
    match costs.ticks_per_unit(costs.shape.primary) {
        Some(rate) if costs.unit(costs.shape.primary) == "seconds" => 1e9 / rate,
        Some(_) => 1e3,
        None => 1.0,
    }
}

/// Each frame is an entry, and so is the cost outside of functions.
impl Rows for TreeRows {
    fn n_entries(&self) -> usize {
        self.frames.len() + usize::from(self.outside.is_some())
    }

    fn for_each_of(&self, entries: Range<usize>, visit: &mut VisitRow<'_>) -> io::Result<()> {
        let mut cells = Vec::new();
        let mut show = |kind, row: &TreeRow| {
            self.columns.fill(&mut cells, row);
            visit(Row { kind, cells: &cells })
        };
        let n_frames = self.frames.len();
        for index in entries.start..entries.end.min(n_frames) {
            let (kind, row) = self.row(index);
            show(kind, &row)?;
        }
        match self.outside.as_ref().filter(|_| entries.end > n_frames) {
            Some(outside) => show(RowKind::Unattributed, outside),
            None => Ok(()),
        }
    }
}

/// The cost outside of functions, if any.
fn outside(costs: &CostGraph, other_weights: &[(MetricIndex, Vec<i128>)]) -> Option<TreeRow> {
    let outside = costs.unattributed(costs.shape.primary);
    let others = other_weights.iter().map(|&(metric, _)| match costs.unattributed(metric) {
        Amount::Exact(amount) => amount,
        Amount::Ticks(_) => 0,
    });
    let other_weights: Box<[i128]> = others.collect();
    let is_any = !outside.is_zero() || other_weights.iter().any(|&weight| weight != 0);
    is_any.then(|| TreeRow {
        name: Cell::text("<no function>"),
        depth: 0,
        calls: None,
        self_cost: outside,
        total: outside,
        weight: nearest(outside.as_f64() * units_of_weight(costs)),
        other_weights,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::analyze::cycles::CycleNumber;

    #[test]
    fn frames_of_one_cost_have_one_order() {
        let frame = |of| TreeFrame { caller: None, of, arc: None, self_cost: Amount::Exact(0) };
        let function = |id| frame(FrameOf::Function(SymbolId(id)));
        // By name the last is before the first, and the cycle is between them in the tree.
        let cycle = frame(FrameOf::Cycle(CycleNumber(1)));
        let frames = vec![function(1), cycle, function(0)];
        let tree = CallTree::new(frames, StackBasis::Inferred);
        let names = |a: SymbolId, b: SymbolId| a.cmp(&b);
        for order in [[0, 1, 2], [0, 2, 1], [1, 0, 2], [1, 2, 0], [2, 0, 1], [2, 1, 0]] {
            let mut sorted = order;
            sorted.sort_by(|&a, &b| compare_frames(&tree, names, a, b));
            assert_eq!(sorted, [2, 0, 1], "{order:?}");
        }
    }

    #[test]
    fn values_follow_an_order() {
        let mut values = ['a', 'b', 'c', 'd', 'e'];
        rearrange(&mut values, &[2, 0, 1, 3, 4]);
        assert_eq!(values, ['c', 'a', 'b', 'd', 'e']);
    }
}
