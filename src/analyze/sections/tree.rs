//! The call tree: stacks from the outermost caller, each frame with its cost.

use std::cmp::Ordering;
use std::io;

use super::table::Columns;
use super::{Material, name};
use crate::analyze::adjacency::Adjacency;
use crate::analyze::amount::Amount;
use crate::analyze::call_tree::{CallTree, FrameOf, nearest};
use crate::analyze::cost_graph::CostGraph;
use crate::report::{Cell, Layout, Role, Row, RowKind, Rows, Section, SectionId};

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
    if tree.is_recorded {
        "Call stacks are recorded."
    } else {
        "Call stacks are inferred from the call graph; they were not recorded."
    }
}

struct TreeRow {
    name: Cell,
    depth: usize,
    calls: Option<u64>,
    self_cost: Amount,
    total: Amount,
    weight: i128,
}

fn columns<'a>(costs: &'a CostGraph, tree: &CallTree) -> Columns<'a, TreeRow> {
    let metric = costs.primary;
    let is_timed = costs.ticks_per_unit(metric).is_some();
    // What is inferred of what was counted is no whole number.
    let decimals = if is_timed { 2 } else { 0 };
    let id = |id: &str| costs.shown_id(id, metric);
    let head = |what: &str| [what.to_owned(), costs.unit(metric)];
    let basis = if tree.is_recorded {
        "recorded"
    } else {
        "inferred"
    };
    let columns = Columns::<TreeRow>::new()
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
        .hidden(Role::Count, "weight", |row| row.weight);
    if !is_timed {
        return columns;
    }
    columns
        .hidden(Role::Total, "total", |row| row.total)
        .of(metric)
        .hidden(Role::SelfValue, "self", |row| row.self_cost)
        .of(metric)
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
        };
        (kind, row)
    }
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
        if outside.is_zero() {
            return Ok(());
        }
        let row = TreeRow {
            name: Cell::text("<no function>"),
            depth: 0,
            calls: None,
            self_cost: outside,
            total: outside,
            weight: nearest(outside.as_f64() * units_of_weight(self.costs)),
        };
        show(RowKind::Unattributed, &row)
    }
}
