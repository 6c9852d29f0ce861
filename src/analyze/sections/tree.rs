//! The call tree: stacks from the outermost caller, each frame with its cost.

use std::cmp::Ordering;
use std::io;

use super::table::Columns;
use super::{Material, name};
use crate::analyze::adjacency::Adjacency;
use crate::analyze::amount::Amount;
use crate::analyze::call_tree::{CallTree, FrameOf, StackBasis, nearest};
use crate::analyze::cost_graph::CostGraph;
use crate::report::{
    Cell, Column, Layout, MetricIndex, Role, Row, RowKind, Rows, Section, SectionId,
};

/// A row for each frame, in pre-order, callees by cost.
pub fn tree_section<'a>(material: &Material<'a>, tree: CallTree) -> Section<'a> {
    let costs = material.costs;
    let mut summary = material.unless_in_overview(Material::sum_up);
    summary.push(about_stacks(&tree).to_owned());
    summary.extend(material.about_focus(costs.primary));
    let mut notes = costs.notes_on_time();
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

fn columns<'a>(costs: &'a CostGraph, tree: &CallTree) -> Columns<'a, TreeRow> {
    let metric = costs.primary;
    let is_timed = costs.ticks_per_unit(metric).is_some();
    // What is inferred of what was counted is no whole number.
    let decimals = if is_timed { 2 } else { 0 };
    let id = |id: &str| costs.shown_id(id, metric);
    let head = |what: &str| [what.to_owned(), costs.unit(metric)];
    let basis = tree.basis.id();
    let mut columns = Columns::<TreeRow>::new()
        .shown(Role::Share, "percent", ["total", "%"], |row| {
            costs.percent(row.total)
        })
        .of(metric)
        .printed(0, 1)
        .shown(Role::Total, id("total"), head("total"), move |row| {
            costs.readable(row.total, metric)
        })
        .of(metric)
        .printed(0, decimals)
        .shown(Role::SelfValue, id("self"), head("self"), move |row| {
            costs.readable(row.self_cost, metric)
        })
        .of(metric)
        .printed(0, decimals)
        .named(Role::Calls, "calls", |row| row.calls)
        .named(Role::Name, "name", |row| row.name.clone())
        .hidden(Role::Other, "depth", |row| Cell::Integer(row.depth as i128))
        .hidden(Role::Share, "self_percent", |row| {
            costs.percent(row.self_cost)
        })
        .of(metric)
        .hidden(Role::Other, "basis", move |_| basis)
        .with(weight_column(costs, metric), |row| row.weight);
    for (index, &(metric, _)) in tree.other_costs.iter().enumerate() {
        columns = columns.with(weight_column(costs, metric), move |row| {
            row.other_weights[index]
        });
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
    let id = if metric == costs.primary {
        "weight".to_owned()
    } else {
        format!("weight_{}", costs.metrics[metric].id)
    };
    let unit = match costs.ticks_per_unit(metric) {
        Some(_) if costs.unit(metric) == "seconds" => "nanoseconds".to_owned(),
        Some(_) => "thousandths of ticks".to_owned(),
        None => costs.unit(metric),
    };
    Column::on_request(id, Role::Count, ["weight".to_owned(), unit]).of(metric)
}

struct TreeRows<'a> {
    costs: &'a CostGraph,
    tree: CallTree,
    columns: Columns<'a, TreeRow>,
    /// Frames without caller; and the callees of each frame, by cost.
    roots: Vec<u32>,
    callees: Adjacency,
    /// Self cost of each frame, in integers of nanoseconds or of the metric's unit.
    weights: Vec<i128>,
    other_weights: Vec<Vec<i128>>,
    /// For each arc, whether it has a single frame, which then has its number of calls.
    has_one_frame: Vec<bool>,
}

impl<'a> TreeRows<'a> {
    fn new(material: &Material<'a>, tree: CallTree, columns: Columns<'a, TreeRow>) -> Self {
        let costs = material.costs;
        let by_function = |a, b| match (a, b) {
            (FrameOf::Function(a), FrameOf::Function(b)) => material.compare_names(a, b),
            _ => Ordering::Equal,
        };
        let compare = |&a: &u32, &b: &u32| {
            let (one, other) = (a as usize, b as usize);
            let by_total = tree.totals[other].compare(tree.totals[one]);
            let by_name = || by_function(tree.frames[one].of, tree.frames[other].of);
            by_total.then_with(by_name).then(a.cmp(&b))
        };
        let is_root = |&index: &u32| tree.frames[index as usize].caller.is_none();
        let frames = (0..).take(tree.frames.len());
        let mut roots: Vec<u32> = frames.filter(is_root).collect();
        roots.sort_by(compare);
        let mut n_frames = vec![0_u32; costs.calls.arcs().len()];
        for arc in tree.frames.iter().filter_map(|frame| frame.arc) {
            n_frames[arc as usize] += 1;
        }
        Self {
            costs,
            columns,
            roots,
            callees: tree.callees.sorted_by(compare),
            weights: tree.folded_weights(units_of_weight(costs)),
            other_weights: other_weights(&tree),
            has_one_frame: n_frames.iter().map(|&n_frames| n_frames == 1).collect(),
            tree,
        }
    }

    fn row(&self, index: usize, depth: usize) -> (RowKind, TreeRow) {
        let frame = &self.tree.frames[index];
        let arc = frame.arc.filter(|&arc| self.has_one_frame[arc as usize]);
        let (kind, name) = match frame.of {
            FrameOf::Function(id) => (RowKind::Entry, name(id)),
            FrameOf::Cycle(cycle) => {
                let name = format!("<cycle {}>", cycle.0);
                (RowKind::Cycle, Cell::text(name))
            }
        };
        let row = TreeRow {
            name,
            depth,
            calls: arc.map(|arc| self.costs.calls.arc(arc).count),
            self_cost: frame.self_cost,
            total: self.tree.totals[index],
            weight: self.weights[index],
            other_weights: self.other_weights.iter().map(|all| all[index]).collect(),
        };
        (kind, row)
    }
}

fn other_weights(tree: &CallTree) -> Vec<Vec<i128>> {
    let costs = tree.other_costs.iter().map(|(_, costs)| {
        let mut weights = costs.clone();
        tree.fold_deep_frames(&mut weights);
        weights
    });
    costs.collect()
}

/// Weight units per unit of cost: nanoseconds for time, thousandths of ticks if the length of
/// a tick is unknown.
fn units_of_weight(costs: &CostGraph) -> f64 {
    match costs.ticks_per_unit(costs.primary) {
        Some(rate) if costs.unit(costs.primary) == "seconds" => 1e9 / rate,
        Some(_) => 1e3,
        None => 1.0,
    }
}

impl Rows for TreeRows<'_> {
    fn for_each(&self, visit: &mut dyn FnMut(Row<'_>) -> io::Result<()>) -> io::Result<()> {
        let mut cells = Vec::new();
        let mut show = |kind, row: &TreeRow| {
            self.columns.fill(&mut cells, row);
            visit(Row {
                kind,
                cells: &cells,
            })
        };
        // What is still to be shown of the callees of each frame on the stack.
        let mut stack: Vec<&[u32]> = vec![&self.roots];
        while let Some(rest) = stack.last_mut() {
            let Some((&index, others)) = rest.split_first() else {
                stack.pop();
                continue;
            };
            *rest = others;
            let (kind, row) = self.row(index as usize, stack.len() - 1);
            show(kind, &row)?;
            stack.push(self.callees.of(index as usize));
        }
        let outside = self.costs.unattributed(self.costs.primary);
        let others = self.tree.other_costs.iter();
        let others = others.map(|&(metric, _)| match self.costs.unattributed(metric) {
            Amount::Exact(amount) => amount,
            Amount::Ticks(_) => 0,
        });
        let other_weights: Box<[i128]> = others.collect();
        if outside.is_zero() && other_weights.iter().all(|&weight| weight == 0) {
            return Ok(());
        }
        let row = TreeRow {
            name: Cell::text("<no function>"),
            depth: 0,
            calls: None,
            self_cost: outside,
            total: outside,
            weight: nearest(outside.as_f64() * units_of_weight(self.costs)),
            other_weights,
        };
        show(RowKind::Unattributed, &row)
    }
}
