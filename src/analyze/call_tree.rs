//! Call stacks as a tree of frames: recorded, inferred from calls, or of one frame each.

use super::adjacency::Adjacency;
use super::amount::Amount;
use super::cost_graph::CostGraph;
use super::cycles::CycleNumber;
use crate::filter::ArcSet;
use crate::model::{ContextId, Interner, RecordedCosts, callers_first};
use crate::report::{MAX_FOLDED_FRAMES, MetricIndex, StackBasis};
use crate::symbols::{NamedContexts, SymbolId};

/// The frames of all stacks; stacks share their common outer frames.
#[derive(Debug)]
pub struct CallTree {
    /// Callers before callees.
    pub(super) frames: Vec<TreeFrame>,
    /// Total cost of each frame.
    pub(super) totals: Vec<Amount>,
    /// Callees by caller.
    pub(super) callees: Adjacency,
    pub basis: StackBasis,
    /// Self costs in other metrics, by frame, where stacks have them.
    pub(super) other_costs: Vec<(MetricIndex, Vec<i128>)>,
    /// The frame of each recorded context, if it has one.
    pub(super) of_contexts: Vec<Option<u32>>,
    /// The limit of frames was reached, so some callers are missing.
    pub lacks_callers: bool,
    /// Callers are below their callees.
    pub begins_with_callees: bool,
    /// The tree omits calls without cost: it would have too many frames.
    pub lacks_zero_cost_calls: bool,
}

#[derive(Clone, Copy, Debug)]
pub(super) struct TreeFrame {
    pub(super) caller: Option<u32>,
    pub(super) of: FrameOf,
    /// The arc of the call, if it is a single one.
    pub(super) arc: Option<u32>,
    /// Self cost.
    pub(super) self_cost: Amount,
    /// It lost a caller that is not kept.
    pub(super) is_moved: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum FrameOf {
    Function(SymbolId),
    /// A cycle, whose first function is the frame below.
    Cycle(CycleNumber),
    /// All functions without a caller that are not shown.
    Hidden,
}

impl CallTree {
    /// Recorded stacks, as far as `arcs` has their calls. Linear in contexts.
    pub fn recorded(
        costs: &CostGraph,
        recorded: &RecordedCosts,
        names: &NamedContexts,
        arcs: &ArcSet,
    ) -> Self {
        let contexts = &recorded.contexts;
        let values = &costs.costs.by_context;
        let order = callers_first(contexts).expect("readers refuse contexts that call themselves");
        let mut is_needed = vec![false; contexts.len()];
        for id in &values.contexts {
            is_needed[id.index()] = true;
        }
        let caller_of = |id: ContextId| {
            let caller = contexts.get(id).caller?;
            arcs.contains(names.of(caller), names.of(id)).then_some(caller)
        };
        for &id in order.iter().rev() {
            if is_needed[id.index()]
                && let Some(caller) = caller_of(id)
            {
                is_needed[caller.index()] = true;
            }
        }
        let mut frames: Vec<TreeFrame> = Vec::new();
        let mut frame_of: Vec<Option<u32>> = vec![None; contexts.len()];
        let mut numbers = Interner::default();
        for &id in order.iter().filter(|id| is_needed[id.index()]) {
            let caller = caller_of(id).and_then(|caller| frame_of[caller.index()]);
            let symbol = names.of(id);
            let (of, self_cost) = (FrameOf::Function(symbol), Amount::Exact(0));
            let frame = || TreeFrame { caller, of, arc: None, self_cost, is_moved: false };
            frame_of[id.index()] = Some(numbers.find((caller, symbol), &mut frames, frame));
        }
        let mut others = other_metrics(costs, frames.len());
        for (row, id) in values.contexts.iter().enumerate() {
            if let (Some(amounts), Some(frame)) = (&values.amounts, frame_of[id.index()]) {
                let frame = frame as usize;
                let cost = &mut frames[frame].self_cost;
                *cost = cost.plus(amounts.get(row, costs.shape.primary));
                for (metric, costs) in &mut others {
                    add_exact(&mut costs[frame], amounts.get(row, *metric));
                }
            }
        }
        let tree = Self::new(frames, StackBasis::Recorded);
        Self { other_costs: others, of_contexts: frame_of, ..tree }
    }

    /// A stack of one frame for each function or line with a cost or a call.
    pub fn functions(costs: &CostGraph) -> Self {
        let symbols = (0..).map(SymbolId).take(costs.n_nodes());
        let symbols: Vec<_> = symbols.filter(|&id| costs.took_part(id)).collect();
        let frames = symbols.iter().map(|&id| TreeFrame {
            caller: None,
            of: FrameOf::Function(id),
            arc: None,
            self_cost: costs.self_cost(id, costs.shape.primary),
            is_moved: false,
        });
        let mut others = other_metrics(costs, symbols.len());
        for (metric, amounts) in &mut others {
            for (amount, &id) in amounts.iter_mut().zip(&symbols) {
                add_exact(amount, costs.self_cost(id, *metric));
            }
        }
        Self { other_costs: others, ..Self::new(frames.collect(), StackBasis::Functions) }
    }

    pub(super) fn new(frames: Vec<TreeFrame>, basis: StackBasis) -> Self {
        let mut totals: Vec<_> = frames.iter().map(|frame| frame.self_cost).collect();
        for index in (0..frames.len()).rev() {
            if let Some(caller) = frames[index].caller {
                totals[caller as usize] = totals[caller as usize].plus(totals[index]);
            }
        }
        let callers = frames.iter().map(|frame| frame.caller.map(|caller| caller as usize));
        Self {
            callees: Adjacency::new(frames.len(), callers),
            frames,
            totals,
            basis,
            other_costs: Vec::new(),
            of_contexts: Vec::new(),
            lacks_callers: false,
            begins_with_callees: false,
            lacks_zero_cost_calls: false,
        }
    }

    /// Omits the arcs of calls in several frames, whose numbers of calls are unknown.
    pub(super) fn omit_shared_arcs(&mut self, costs: &CostGraph) {
        let mut n_frames = vec![0_u32; costs.calls.arcs().len()];
        for arc in self.frames.iter().filter_map(|frame| frame.arc) {
            n_frames[arc as usize] += 1;
        }
        for frame in &mut self.frames {
            frame.arc = frame.arc.filter(|&arc| n_frames[arc as usize] == 1);
        }
    }

    /// The self cost of each frame, in integers of 1/`per_unit` units; includes frames below
    /// the maximum depth.
    pub(super) fn folded_weights(&self, per_unit: f64) -> Vec<i128> {
        let mut weights = self.whole_numbers(per_unit);
        self.fold_deep_frames(&mut weights);
        weights
    }

    /// Adds the costs of frames below the maximum depth to the last frame above it.
    pub(super) fn fold_deep_frames(&self, weights: &mut [i128]) {
        for (index, shown) in self.frames_above_maximum().into_iter().enumerate() {
            if shown as usize != index {
                weights[shown as usize] += std::mem::take(&mut weights[index]);
            }
        }
    }

    /// For each frame, the last one of its stack above the maximum depth.
    pub(super) fn frames_above_maximum(&self) -> Vec<u32> {
        let mut depths: Vec<usize> = Vec::with_capacity(self.frames.len());
        let mut shown: Vec<u32> = Vec::with_capacity(self.frames.len());
        for (index, frame) in (0..).zip(&self.frames) {
            let depth = frame.caller.map_or(0, |caller| depths[caller as usize] + 1);
            depths.push(depth);
            let caller = frame.caller.filter(|_| depth >= MAX_FOLDED_FRAMES);
            shown.push(caller.map_or(index, |caller| shown[caller as usize]));
        }
        shown
    }

    /// The self cost of each frame in integers of 1/`per_unit` units, such that the sums over
    /// each function and over everything are rounded correctly (largest remainder method).
    fn whole_numbers(&self, per_unit: f64) -> Vec<i128> {
        let exact = self.frames.iter().map(|frame| match frame.self_cost {
            Amount::Exact(cost) if per_unit == 1.0 => Some(cost),
            _ => None,
        });
        if let Some(exact) = exact.collect() {
            return exact;
        }
        let mut weights = vec![0; self.frames.len()];
        let functions = self.frames.iter().filter_map(|frame| match frame.of {
            FrameOf::Function(id) => Some(id.index() + 1),
            FrameOf::Cycle(_) | FrameOf::Hidden => None,
        });
        // Cycles and hidden functions have costs of their own if functions are not kept.
        let n_symbols = functions.max().unwrap_or(0) + 1;
        let keys = self.frames.iter().map(|frame| match frame.of {
            FrameOf::Function(id) => Some(id.index()),
            FrameOf::Cycle(_) | FrameOf::Hidden => Some(n_symbols - 1),
        });
        let by_function = Adjacency::new(n_symbols, keys);
        let scaled = |frame: &u32| self.frames[*frame as usize].self_cost.as_f64() * per_unit;
        let sum = |symbol| by_function.of(symbol).iter().map(scaled).sum();
        let of_functions: Vec<f64> = (0..n_symbols).map(sum).collect();
        let of_functions = apportion(&of_functions, nearest(of_functions.iter().sum()));
        for (symbol, whole) in of_functions.into_iter().enumerate() {
            let frames = by_function.of(symbol);
            let parts: Vec<f64> = frames.iter().map(scaled).collect();
            for (&frame, part) in frames.iter().zip(apportion(&parts, whole)) {
                weights[frame as usize] = part;
            }
        }
        weights
    }
}

/// Zero costs of frames in each exact metric but the primary one.
fn other_metrics(costs: &CostGraph, n_frames: usize) -> Vec<(MetricIndex, Vec<i128>)> {
    let metrics = 0..costs.shape.metrics.len();
    let is_exact = |metric| matches!(costs.all(metric), Amount::Exact(_));
    let others = metrics.filter(|&metric| metric != costs.shape.primary && is_exact(metric));
    others.map(|metric| (metric, vec![0; n_frames])).collect()
}

fn add_exact(sum: &mut i128, amount: Amount) {
    if let Amount::Exact(amount) = amount {
        *sum += amount;
    }
}

pub(super) fn number(n_frames: usize) -> u32 {
    u32::try_from(n_frames).expect("there are fewer frames than contexts, or than fit")
}

/// Rounds `parts` to integers with the sum `whole`: down, except for the largest remainders.
fn apportion(parts: &[f64], whole: i128) -> Vec<i128> {
    let mut numbers: Vec<i128> = parts.iter().map(|part| nearest(part.floor())).collect();
    let n_left = whole - numbers.iter().sum::<i128>();
    let remainder = |index: usize| parts[index] - parts[index].floor();
    let mut order: Vec<usize> = (0..parts.len()).filter(|&index| parts[index] != 0.0).collect();
    order.sort_by(|&a, &b| remainder(b).total_cmp(&remainder(a)).then(a.cmp(&b)));
    let n_parts = (order.len() as i128).max(1);
    for (rank, index) in (0..).zip(order) {
        let has_more = rank < n_left.rem_euclid(n_parts);
        numbers[index] += n_left.div_euclid(n_parts) + i128::from(has_more);
    }
    numbers
}

#[expect(clippy::cast_possible_truncation, reason = "sums of a profile have fewer bits")]
pub(super) fn nearest(number: f64) -> i128 {
    number.round() as i128
}
