//! The call tree: stacks from the outermost caller, each frame with its cost.

use std::cmp::Ordering;
use std::io;
use std::ops::Range;
use std::sync::Arc;

use super::Material;
use super::samples::{FrameSamples, TooManySums};
use super::table::Columns;
use super::uncertainty::{graph_legend, guess_mark};
use super::weights::{in_units, weight_of};
use crate::analyze::amount::Amount;
use crate::analyze::bounds::TickBounds;
use crate::analyze::call_tree::{CallTree, FrameOf, TreeFrame, nearest};
use crate::analyze::cost_graph::CostGraph;
use crate::model::RecordedCosts;
use crate::report::{
    CallStacks, Column, FrameName, Layout, MetricIndex, MetricValues, NameId, Role, Row, RowKind,
    RowVisitor, Rows, Section, SectionId, StackBasis, StackFrame, Uncertainty, value_column,
};
use crate::symbols::SymbolId;

/// The call tree: a row for each frame, in pre-order, callees by cost. Then its samples by label
/// and time, if `recorded` has any.
pub fn tree_sections(
    material: &Material<'_>,
    tree: CallTree,
    recorded: Option<&RecordedCosts>,
) -> Vec<Section> {
    let costs = material.costs;
    let is_in_head = material.options.is_side && costs.is_of_memory();
    let mut summary =
        if is_in_head { Vec::new() } else { material.unless_in_overview(Material::sum_up) };
    summary.push(about_stacks(&tree).to_owned());
    summary.extend(tree.begins_with_callees.then(|| CALLERS_BELOW.to_owned()));
    summary.extend(material.about_focus(costs.shape.primary));
    let mut notes = costs.notes_on_time();
    if tree.lacks_zero_cost_calls {
        notes.push(NO_ZERO_COST_CALLS.to_owned());
    }
    notes.extend(tree.lacks_callers.then(|| TOO_MANY_FRAMES.to_owned()));
    let (frames, of_contexts) = Frames::new(material, tree);
    let frames = Arc::new(frames);
    let values = &frames.stacks.values;
    let samples = recorded.map(|one| FrameSamples::new(costs, one, &of_contexts, values));
    let samples = samples.transpose().unwrap_or_else(|TooManySums| {
        notes.push(TOO_MANY_SAMPLES.to_owned());
        None
    });
    let samples = samples.flatten();
    let uncertainty = Uncertainty {
        legend: if frames.bounds.is_empty() { Vec::new() } else { graph_legend(true) },
        ..Uncertainty::default()
    };
    let columns = columns(costs, &frames, material.options.is_for_screen());
    let stacks = Arc::clone(&frames.stacks);
    let samples = samples.map(|samples| samples.sections(costs, &stacks.values));
    let (heads, rows) = (columns.columns(), TreeRows { columns, stacks: Arc::clone(&stacks) });
    let section = Section {
        summary,
        notes,
        stacks: Some(stacks),
        uncertainty,
        ..Section::new(SectionId::Tree, "Call tree:", Layout::Table, heads, rows)
    };
    [section].into_iter().chain(samples.into_iter().flatten()).collect()
}

const NO_ZERO_COST_CALLS: &str =
    "The call tree has too many frames: calls without cost are omitted.";

const TOO_MANY_SAMPLES: &str =
    "The labels and times of samples are omitted: there are too many different stacks.";

const CALLERS_BELOW: &str = "Callers are below the functions that they called, with their part of the \
    self cost.";

/// Costs of functions that are not shown, without a caller to get them.
const HIDDEN: &str = "<hidden>";

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

/// The frames of a section, with the costs outside of functions as the last one.
struct Frames {
    stacks: Arc<CallStacks>,
    self_costs: Vec<Amount>,
    totals: Vec<Amount>,
    /// The arc of a call that is in no other frame, which then has its number of calls.
    arcs: Vec<Option<u32>>,
    /// The bounds of totals in ticks, if guesses are marked.
    bounds: Vec<TickBounds>,
}

fn columns(
    costs: &Arc<CostGraph>,
    all: &Arc<Frames>,
    is_for_screen: bool,
) -> Columns<'static, usize> {
    let metric = costs.shape.primary;
    let is_timed = costs.ticks_per_unit(metric).is_some();
    // Values inferred from counts are not whole numbers.
    let decimals = if is_timed { costs.decimals() } else { 0 };
    let id = |id: &str| costs.shown_id(id, metric);
    let head = |what: &str| [what.to_owned(), costs.unit(metric)];
    let (whole, readable) = (costs.all(metric), costs.reader(metric));
    let self_cost = || {
        let all = Arc::clone(all);
        move |frame: usize| all.self_costs[frame]
    };
    let total = || {
        let all = Arc::clone(all);
        move |frame: usize| all.totals[frame]
    };
    let stacks = || Arc::clone(&all.stacks);
    let (share, shown_total, whole_total) = (total(), total(), total());
    let (self_share, shown_self, whole_self) = (self_cost(), self_cost(), self_cost());
    let (names, depths, bases) = (stacks(), stacks(), stacks());
    let (with_arcs, graph) = (Arc::clone(all), Arc::clone(costs));
    let calls = move |frame: usize| {
        let arc = graph.calls.arc(with_arcs.arcs[frame]?);
        (!graph.calls.is_inlined(arc.callee)).then_some(arc.count)
    };
    let mut columns = Columns::<usize>::new()
        .shown(Role::Share, "percent", ["total", "%"], move |&row| share(row).percent_of(whole))
        .of(metric)
        .printed(0, 1)
        .shown(Role::Total, id("total"), head("total"), move |&row| readable(shown_total(row)))
        .of(metric)
        .printed(0, decimals);
    if !all.bounds.is_empty() {
        columns = guess_columns(columns, costs, all, is_for_screen);
    }
    columns = columns
        .shown(Role::SelfValue, id("self"), head("self"), move |&row| readable(shown_self(row)))
        .of(metric)
        .printed(0, decimals)
        .named(Role::Calls, "calls", move |&row| calls(row));
    if let (None, Some(calls)) = (&costs.counted, columns.0.last_mut()) {
        calls.column.print = None;
    }
    columns = columns
        .named(Role::Name, "name", move |&row| names.name(row))
        .hidden(Role::Other, "depth", move |&row| depths.frames[row].depth)
        .hidden(Role::Share, "self_percent", move |&row| self_share(row).percent_of(whole))
        .of(metric)
        .hidden(Role::Other, "basis", move |&row| bases.frames[row].basis.map(StackBasis::id));
    if !costs.calls.inlined.is_empty() {
        let (stacks, graph) = (stacks(), Arc::clone(costs));
        columns =
            columns.hidden(Role::Other, "inlined", move |&row| match stacks.frames[row].name {
                FrameName::Id(id) => graph.calls.is_inlined(SymbolId(id.0)).then_some("inlined"),
                FrameName::Text(_) => None,
            });
    }
    for (index, values) in stacks().values.iter().enumerate() {
        let stacks = stacks();
        let id = value_column(&costs.shape.metrics, values.metric, metric);
        let column = Column::on_request(id, Role::Count, ["weight".into(), values.unit.clone()]);
        columns =
            columns.with(column, move |&row| stacks.values[index].value(row)).of(values.metric);
    }
    if !is_timed {
        return columns;
    }
    columns
        .hidden(Role::Total, "total", move |&row| whole_total(row))
        .of(metric)
        .hidden(Role::SelfValue, "self", move |&row| whole_self(row))
        .of(metric)
}

impl Frames {
    /// The frames, and the one of each recorded context.
    fn new(material: &Material<'_>, mut tree: CallTree) -> (Self, Vec<Option<u32>>) {
        let costs = material.costs;
        tree.omit_shared_arcs(costs);
        let (order, depths) = pre_order(material, &mut tree);
        let totals = in_order(std::mem::take(&mut tree.totals), &order);
        let of_contexts = places_of_contexts(&tree, &order);
        let mut stacks = CallStacks::default();
        // Each pass of a format reads all values in order, so the caches hold the next ones.
        let mut push = |metric: MetricIndex, weights: Vec<i128>| {
            let ((unit, _), values) = (weight_of(costs, metric), in_order(weights, &order));
            stacks.values.push(MetricValues { metric, unit, values, old: None });
        };
        push(costs.shape.primary, tree.folded_weights(weight_of(costs, costs.shape.primary).1));
        for (metric, mut weights) in std::mem::take(&mut tree.other_costs) {
            tree.fold_deep_frames(&mut weights);
            let per_unit = weight_of(costs, metric).1;
            weights.iter_mut().for_each(|weight| *weight = in_units(*weight, per_unit));
            push(metric, weights);
        }
        stacks.frames.reserve_exact(order.len() + 1);
        let frames = || order.iter().map(|&index| &tree.frames[index as usize]);
        for (frame, depth) in frames().zip(depths) {
            let (kind, name) = match frame.of {
                FrameOf::Function(id) => (RowKind::Entry, FrameName::Id(NameId(id.0))),
                FrameOf::Cycle(cycle) => {
                    (RowKind::Cycle, stacks.text(format!("<cycle {}>", cycle.0).as_bytes()))
                }
                FrameOf::Hidden => (RowKind::Entry, stacks.text(HIDDEN.as_bytes())),
            };
            stacks.frames.push(StackFrame { depth, name, kind, basis: Some(tree.basis) });
        }
        // Below a callee, a caller has a part of the cost of the callee, and none of its own.
        let self_cost = |(frame, total): (&TreeFrame, &Amount)| match frame.caller {
            _ if !tree.begins_with_callees => frame.self_cost,
            None => *total,
            Some(_) => total.less(*total),
        };
        let self_costs = frames().zip(&totals).map(self_cost).collect();
        let mut all = Self {
            self_costs,
            totals,
            arcs: frames().map(|frame| frame.arc).collect(),
            bounds: bounds_of_paths(material, &tree, &order),
            stacks: Arc::default(),
        };
        all.add_outside(costs, &mut stacks, tree.basis);
        (Self { stacks: Arc::new(stacks), ..all }, of_contexts)
    }

    /// Adds the cost outside of functions, if any.
    fn add_outside(&mut self, costs: &CostGraph, stacks: &mut CallStacks, basis: StackBasis) {
        let outside = costs.unattributed(costs.shape.primary);
        let weight = |values: &MetricValues| match costs.unattributed(values.metric) {
            _ if values.metric == costs.shape.primary => {
                nearest(outside.as_f64() * weight_of(costs, values.metric).1)
            }
            amount => in_units(amount.as_exact(), weight_of(costs, values.metric).1),
        };
        let weights: Vec<i128> = stacks.values.iter().map(weight).collect();
        if outside.is_zero() && weights.iter().skip(1).all(|&weight| weight == 0) {
            return;
        }
        let (kind, name) = (RowKind::Unattributed, stacks.text(b"<no function>"));
        stacks.frames.push(StackFrame { depth: 0, name, kind, basis: Some(basis) });
        for (values, weight) in stacks.values.iter_mut().zip(weights) {
            values.push([0, weight]);
        }
        self.self_costs.push(outside);
        self.totals.push(outside);
        self.arcs.push(None);
        if !self.bounds.is_empty() {
            let ticks = outside.as_f64();
            self.bounds.push(TickBounds { low: ticks, high: ticks });
        }
    }
}

/// Adds marks of guesses, and limits with the error of sampling.
fn guess_columns(
    columns: Columns<'static, usize>,
    costs: &Arc<CostGraph>,
    all: &Arc<Frames>,
    is_for_screen: bool,
) -> Columns<'static, usize> {
    let metric = costs.shape.primary;
    let is_guess = |costs: &CostGraph, all: &Frames, frame: usize| {
        costs.is_guess(all.totals[frame], all.bounds[frame])
    };
    let shared = || (Arc::clone(costs), Arc::clone(all));
    let limit = |id, head, of: fn(TickBounds) -> f64| {
        let (costs, all) = shared();
        let column = Column::on_request(costs.timed_id(id, metric), Role::Limit, ["", head]);
        let cell = move |&frame: &usize| {
            let limits = || of(costs.with_sampling_error(all.bounds[frame]));
            is_guess(&costs, &all, frame).then(|| costs.timed_ticks(limits()))
        };
        (column.of(metric), cell)
    };
    let (low, high) = (
        limit("total_low", "at least", |bounds| bounds.low),
        limit("total_high", "at most", |bounds| bounds.high),
    );
    let (costs, all) = shared();
    columns
        .with(Column::guess(is_for_screen), move |&frame| guess_mark(is_guess(&costs, &all, frame)))
        .with(low.0, low.1)
        .with(high.0, high.1)
}

/// The bounds of the total of each frame in pre-order, if guesses are marked. All of a function is
/// below a path if every call on the path is the only call of its callee. Otherwise a path may have
/// taken nothing, and at most the least that one of its calls reaches.
fn bounds_of_paths(material: &Material<'_>, tree: &CallTree, order: &[u32]) -> Vec<TickBounds> {
    let costs = material.costs;
    let is_inferred =
        tree.basis == StackBasis::Inferred && !tree.begins_with_callees && material.marks_guesses();
    let Some(bounds) = costs.propagated_bounds().filter(|_| is_inferred) else {
        return Vec::new();
    };
    let Some(topology) = costs.topology() else {
        return Vec::new();
    };
    // Bounds by frame of the tree, and whether each call on its path is an only one.
    let mut paths = vec![(TickBounds::default(), false); tree.frames.len()];
    for (index, frame) in tree.frames.iter().enumerate() {
        let caller = frame.caller.map(|caller| caller as usize);
        let (above, is_only_path) =
            caller.map_or((f64::INFINITY, true), |caller| (paths[caller].0.high, paths[caller].1));
        let is_member = !frame.is_moved
            && caller.is_some_and(|caller| matches!(tree.frames[caller].of, FrameOf::Cycle(_)));
        let (own, is_only) = match frame.of {
            FrameOf::Cycle(cycle) => {
                let first = topology.cycles[cycle.index()].members[0];
                (bounds.of_cycle(cycle), bounds.is_only_call(first))
            }
            // Below its cycle, the frame of a member excludes the others.
            FrameOf::Function(id) if is_member => {
                (TickBounds { low: costs.self_bounds(id).low, ..bounds.of_function(id) }, true)
            }
            FrameOf::Function(id) => (bounds.of_function(id), bounds.is_only_call(id)),
            FrameOf::Hidden => {
                (TickBounds { low: 0.0, high: costs.all(costs.shape.primary).as_f64() }, false)
            }
        };
        let is_only_path = is_only_path && is_only && !frame.is_moved;
        let low = if is_only_path { own.low } else { 0.0 };
        paths[index] = (TickBounds { low, high: above.min(own.high) }, is_only_path);
    }
    order.iter().map(|&frame| paths[frame as usize].0).collect()
}

/// The place in the order of the frame of each context. Frames below the maximum depth are the last
/// one above it.
fn places_of_contexts(tree: &CallTree, order: &[u32]) -> Vec<Option<u32>> {
    let mut places = vec![0; order.len()];
    for (place, &frame) in (0..).zip(order) {
        places[frame as usize] = place;
    }
    let shown = tree.frames_above_maximum();
    let place = |frame: u32| places[shown[frame as usize] as usize];
    tree.of_contexts.iter().map(|frame| frame.map(place)).collect()
}

/// Values in an order of their indices, with room for one more.
fn in_order<T: Copy>(values: Vec<T>, order: &[u32]) -> Vec<T> {
    let mut ordered = Vec::with_capacity(order.len() + 1);
    ordered.extend(order.iter().map(|&index| values[index as usize]));
    ordered
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
        (FrameOf::Function(_), _) => Ordering::Less,
        (_, FrameOf::Function(_)) => Ordering::Greater,
        (FrameOf::Cycle(_) | FrameOf::Hidden, _) => Ordering::Equal,
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

/// Each frame is an entry.
struct TreeRows {
    columns: Columns<'static, usize>,
    stacks: Arc<CallStacks>,
}

impl Rows for TreeRows {
    fn n_entries(&self) -> usize {
        self.stacks.frames.len()
    }

    fn for_each_of(&self, entries: Range<usize>, visit: &mut RowVisitor<'_>) -> io::Result<()> {
        let mut cells = Vec::new();
        for frame in entries {
            self.columns.fill(&mut cells, &frame);
            visit(Row { kind: self.stacks.frames[frame].kind, cells: &cells })?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::analyze::cycles::CycleNumber;

    #[test]
    fn frames_of_one_cost_have_one_order() {
        let self_cost = Amount::Exact(0);
        let frame = |of| TreeFrame { caller: None, of, arc: None, self_cost, is_moved: false };
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
}
