//! Infers call stacks from the costs of calls, without losing any cost.
//!
//! A profile of calls records the flow along each call, but not which call of a caller led to
//! which call of a callee. The usual assumption is proportionality: the flow into a function
//! continues in the same proportions, wherever it came from. Literally, that makes as many stacks
//! as there are paths through the graph, most of them with a millionth of a tick. Omitting these
//! would lose most of some profiles.
//!
//! So the flow is divided into pieces, each with its stack. Units (functions, and cycles as a
//! whole) are visited callers first, and have ways out: the self cost of a member, and the
//! flow along each of its calls of other units.
//!
//! ```text
//! main ── 60 ──┐      ┌── itself 1
//! init ── 40 ──┴ read ┼── parse  98      main;read;parse 58.8, init;read;parse 39.2 as
//!                     └── close  1       assumed; `itself` and `close` go to one each
//! ```
//!
//! A piece of `x` and a way out of `o` of `total` make a piece of `x · o / total`, if that is
//! at least a minimal piece: half a tick, or a 20,000th of the total. The rests of pieces are
//! paired with the rests of ways out in order, with the smaller of both amounts at a time
//! (the north-west corner rule of transportation problems). So each way out gets exactly its
//! flow, and each piece continues completely.
//!
//! The number of pieces is limited. The rounding rest of a large piece is less than a minimal
//! piece, and would be a further small piece at each unit. Instead it joins the largest way
//! out, which owes it to the smaller ones and repays it as soon as it owes a minimal piece.
//! Let a piece of `x` count as `max(1, x / least)`. Then only the pairing at a unit adds to
//! the sum of these counts, by less than its number of ways out; initially the sum is the
//! number of minimal pieces, plus one for each root. So there are at most
//!
//! ```text
//! functions + arcs + whole / least       stacks
//! ```
//!
//! Callers form a tree, and pieces share the frames of common callers. Linear in frames. If
//! there are too many frames in spite of few stacks, calls without cost are omitted, then
//! minimal pieces become larger, and finally callers are omitted.

use std::collections::HashMap;

use foldhash::fast::RandomState;

use super::amount::Amount;
use super::call_tree::{CallTree, FrameOf, TreeFrame, number};
use super::cost_graph::{CostGraph, TotalsFrom};
use super::cycles::{CycleNumber, Topology};
use crate::limits::MOST_LISTED;
use crate::report::StackBasis;
use crate::symbols::SymbolId;

/// Number of minimal pieces in the total cost.
const LEAST_PIECES: f64 = 20_000.0;

/// Minimal piece of a sampled metric, in ticks.
const HALF_A_TICK: f64 = 0.5;

/// Maximum number of minimal pieces, for any number of ticks.
const MOST_PIECES: f64 = 2e6;

/// Factor for larger minimal pieces if there are too many frames.
const COARSER: f64 = 16.0;

/// A smaller share of the total is a rounding error.
const ROUNDING: f64 = 1e-13;

impl CallTree {
    /// Stacks inferred from the costs of calls, for the primary metric; `None` if these are
    /// unknown.
    pub fn inferred(costs: &CostGraph) -> Option<Self> {
        let topology = costs.topology()?;
        let has_flows = matches!(costs.shape.totals_from, TotalsFrom::Calls | TotalsFrom::Arcs);
        has_flows.then(|| infer(costs, topology))
    }
}

pub(super) fn infer(costs: &CostGraph, topology: &Topology) -> CallTree {
    let whole = whole(costs);
    let mut least = least_piece(costs, whole);
    let mut lacks_zero_cost_calls = false;
    loop {
        let is_last = least > whole;
        let mut stacks = InferredStacks {
            lacks_zero_cost_calls,
            ..InferredStacks::new(costs, topology, least, whole)
        };
        if stacks.follow(if is_last { FrameOverflow::MergeCallers } else { FrameOverflow::Stop }) {
            return stacks.finish();
        }
        if std::mem::replace(&mut lacks_zero_cost_calls, true) {
            least *= COARSER;
        }
    }
}

/// Total cost of all functions.
fn whole(costs: &CostGraph) -> f64 {
    let symbols = (0..).map(SymbolId).take(costs.n_nodes());
    symbols.map(|id| costs.self_cost(id, costs.shape.primary).as_f64()).sum()
}

fn least_piece(costs: &CostGraph, whole: f64) -> f64 {
    match costs.shape.totals_from {
        TotalsFrom::Calls => HALF_A_TICK.max(whole / MOST_PIECES),
        _ => whole / LEAST_PIECES,
    }
}

/// The action at the maximum number of frames.
#[derive(Clone, Copy, PartialEq, Eq)]
enum FrameOverflow {
    Stop,
    /// Treat all that arrives at a unit as one piece with unknown callers.
    MergeCallers,
}

/// A part of the flow, and the frame of its call.
#[derive(Clone, Copy)]
struct FrameFlow {
    caller: Option<u32>,
    arc: Option<u32>,
    flow: f64,
}

/// A way out of a unit: self cost or a call of a member.
#[derive(Clone, Copy)]
struct WayOut {
    member: SymbolId,
    /// `None` for self cost.
    arc: Option<u32>,
    cost: f64,
}

struct InferredStacks<'a> {
    costs: &'a CostGraph,
    topology: &'a Topology,
    /// For each symbol the representative of its unit: itself, or the first of its cycle.
    unit_of: Vec<SymbolId>,
    least: f64,
    rounding: f64,
    frames: Vec<TreeFrame>,
    self_costs: Vec<f64>,
    /// The flow into each unit, by the representative of the unit.
    arriving: Vec<Vec<FrameFlow>>,
    lacks_callers: bool,
    lacks_zero_cost_calls: bool,
}

impl<'a> InferredStacks<'a> {
    fn new(costs: &'a CostGraph, topology: &'a Topology, least: f64, whole: f64) -> Self {
        let mut unit_of: Vec<_> = (0..).map(SymbolId).take(costs.n_nodes()).collect();
        for cycle in &topology.cycles {
            for member in &cycle.members {
                unit_of[member.index()] = cycle.members[0];
            }
        }
        Self {
            unit_of,
            least,
            rounding: whole * ROUNDING,
            frames: Vec::new(),
            self_costs: Vec::new(),
            arriving: vec![Vec::new(); costs.n_nodes()],
            lacks_callers: false,
            lacks_zero_cost_calls: false,
            costs,
            topology,
        }
    }

    /// Visits all units, callers first. Returns whether all frames fit.
    fn follow(&mut self, overflow: FrameOverflow) -> bool {
        let topology = self.topology;
        for &id in topology.bottom_up.iter().rev() {
            if self.unit_of[id.index()] != id {
                continue;
            }
            let cycle = topology.cycle_of[id.index()];
            let members = match cycle {
                None => std::slice::from_ref(&id),
                Some(cycle) => &*topology.cycles[cycle.index()].members,
            };
            let mut pieces = std::mem::take(&mut self.arriving[id.index()]);
            if self.frames.len() > MOST_LISTED / 2 {
                if overflow == FrameOverflow::Stop {
                    return false;
                }
                self.lacks_callers = true;
                pieces.clear();
            }
            self.pass_on(pieces, members, cycle);
        }
        true
    }

    /// Makes frames of the flow into a unit, and passes it on.
    fn pass_on(
        &mut self,
        pieces: Vec<FrameFlow>,
        members: &[SymbolId],
        cycle: Option<CycleNumber>,
    ) {
        let outs = self.ways_out(members);
        let pieces = self.merged(pieces, outs.iter().map(|out| out.cost).sum(), members);
        let mut unit = UnitFrames {
            frames: Vec::with_capacity(pieces.len()),
            members: HashMap::default(),
            is_cycle: cycle.is_some(),
        };
        for piece in &pieces {
            let (of, arc) = match cycle {
                None => (FrameOf::Function(members[0]), piece.arc),
                Some(cycle) => (FrameOf::Cycle(cycle), None),
            };
            unit.frames.push(self.add_frame(piece.caller, of, arc));
        }
        let flows: Vec<f64> = pieces.iter().map(|piece| piece.flow).collect();
        let costs: Vec<f64> = outs.iter().map(|out| out.cost).collect();
        let limits = (self.least, self.rounding);
        split(&flows, &costs, limits, |piece, out, flow| {
            let WayOut { member, arc, .. } = outs[out];
            let frame = self.frame_of_member(&mut unit, piece, member);
            match arc {
                None => self.self_costs[frame as usize] += flow,
                Some(arc) => self.send(frame, arc, flow),
            }
        });
        let has_zero_cost_calls =
            !self.lacks_zero_cost_calls && self.frames.len() <= MOST_LISTED / 2;
        if has_zero_cost_calls && !unit.frames.is_empty() {
            self.send_zero_cost_calls(&mut unit, members);
        }
    }

    /// Self costs of members, and the flow along their calls of other units.
    fn ways_out(&self, members: &[SymbolId]) -> Vec<WayOut> {
        let mut outs = Vec::new();
        for &member in members {
            let own = self.costs.self_cost(member, self.costs.shape.primary).as_f64();
            outs.push(WayOut { member, arc: None, cost: own });
            outs.extend(self.calls_of(member).map(|arc| WayOut {
                member,
                arc: Some(arc),
                cost: self.flow(arc),
            }));
        }
        outs.retain(|out| out.cost > self.rounding);
        outs
    }

    /// Calls of other units.
    fn calls_of(&self, member: SymbolId) -> impl Iterator<Item = u32> {
        let arcs = self.costs.calls.outgoing(member).iter().copied();
        arcs.filter(move |&arc| {
            let callee = self.costs.calls.arc(arc).callee;
            self.unit_of[callee.index()] != self.unit_of[member.index()]
        })
    }

    fn flow(&self, arc: u32) -> f64 {
        let flow = self.costs.flow(arc, self.costs.shape.primary);
        flow.map_or(0.0, |flow| flow.total().as_f64())
    }

    /// One piece for each caller, and a root for the rest of `total`, which has no known
    /// caller.
    fn merged(
        &self,
        mut pieces: Vec<FrameFlow>,
        total: f64,
        members: &[SymbolId],
    ) -> Vec<FrameFlow> {
        pieces.sort_by_key(|piece| piece.caller);
        pieces.dedup_by(|piece, first| {
            let is_same = piece.caller == first.caller;
            if is_same {
                first.flow += piece.flow;
                first.arc = first.arc.filter(|_| first.arc == piece.arc);
            }
            is_same
        });
        let sum: f64 = pieces.iter().map(|piece| piece.flow).sum();
        let root = |flow| FrameFlow { caller: None, arc: None, flow };
        let has_root = total - sum > self.rounding * ROOT_ROUNDING || sum <= 0.0 && total > 0.0;
        if has_root {
            pieces.insert(0, root(total - sum));
        } else if sum > 0.0 {
            // The flow may exceed the recorded total.
            for piece in &mut pieces {
                piece.flow *= total / sum;
            }
        }
        let was_called = |&id: &SymbolId| {
            let calls = &self.costs.calls;
            let mut arcs = calls.outgoing(id).iter();
            self.costs.took_part(id) || arcs.any(|&arc| calls.arc(arc).count > 0)
        };
        if pieces.is_empty() && members.iter().any(was_called) {
            pieces.push(root(0.0));
        }
        pieces
    }

    fn add_frame(&mut self, caller: Option<u32>, of: FrameOf, arc: Option<u32>) -> u32 {
        let self_cost = Amount::Ticks(0.0);
        self.frames.push(TreeFrame { caller, of, arc, self_cost, is_moved: false });
        self.self_costs.push(0.0);
        number(self.frames.len() - 1)
    }

    /// The frame of a member of a unit, below the frame of a piece.
    fn frame_of_member(&mut self, unit: &mut UnitFrames, piece: usize, member: SymbolId) -> u32 {
        let frame = unit.frames[piece];
        if !unit.is_cycle {
            return frame;
        }
        let known = unit.members.entry((frame, member));
        *known.or_insert_with(|| self.add_frame(Some(frame), FrameOf::Function(member), None))
    }

    fn send(&mut self, caller: u32, arc: u32, flow: f64) {
        let callee = self.costs.calls.arc(arc).callee;
        let unit = self.unit_of[callee.index()];
        self.arriving[unit.index()].push(FrameFlow { caller: Some(caller), arc: Some(arc), flow });
    }

    /// Passes on calls without cost, each below one frame of its caller.
    fn send_zero_cost_calls(&mut self, unit: &mut UnitFrames, members: &[SymbolId]) {
        for &member in members {
            let is_zero_cost = |arc: &u32| {
                self.costs.calls.arc(*arc).count > 0 && self.flow(*arc) <= self.rounding
            };
            let zero_cost: Vec<u32> = self.calls_of(member).filter(is_zero_cost).collect();
            for arc in zero_cost {
                let frame = self.frame_of_member(unit, 0, member);
                self.send(frame, arc, 0.0);
            }
        }
    }

    fn finish(mut self) -> CallTree {
        for (frame, &cost) in self.frames.iter_mut().zip(&self.self_costs) {
            frame.self_cost = Amount::Ticks(cost);
        }
        CallTree {
            lacks_callers: self.lacks_callers,
            lacks_zero_cost_calls: self.lacks_zero_cost_calls,
            ..CallTree::new(self.frames, StackBasis::Inferred)
        }
    }
}

/// Minimum cost of a root, in rounding errors.
const ROOT_ROUNDING: f64 = 1e3;

/// The frames of a unit.
struct UnitFrames {
    /// By piece.
    frames: Vec<u32>,
    /// For a cycle, frames of members below those.
    members: HashMap<(u32, SymbolId), u32, RandomState>,
    is_cycle: bool,
}

/// Pairs pieces with ways out, which have the same sum: `give` gets the indices of both, and
/// the amount.
fn split(
    pieces: &[f64],
    outs: &[f64],
    (least, rounding): (f64, f64),
    mut give: impl FnMut(usize, usize, f64),
) {
    let total: f64 = outs.iter().sum();
    let mut order: Vec<usize> = (0..outs.len()).collect();
    order.sort_by(|&a, &b| outs[b].total_cmp(&outs[a]).then(a.cmp(&b)));
    let Some(&largest) = order.first() else {
        return;
    };
    let mut left = outs.to_vec();
    // The rests of pieces, for the smaller ways out.
    let mut rests: Vec<(usize, f64)> = Vec::new();
    let mut to_largest: Vec<(usize, f64)> = Vec::new();
    let mut debt = 0.0;
    for (piece, &flow) in pieces.iter().enumerate().filter(|(_, flow)| **flow > 0.0) {
        let mut rest = flow;
        let products = order.iter().map(|&out| (out, flow * outs[out] / total));
        for (out, part) in products.take_while(|&(_, part)| part >= least) {
            rest -= part;
            left[out] -= part;
            if out == largest {
                to_largest.push((piece, part));
            } else {
                give(piece, out, part);
            }
        }
        if let Some((_, part)) = to_largest.last_mut().filter(|(of, _)| *of == piece) {
            if rest < least {
                *part += rest;
                debt += rest;
                left[largest] -= rest;
                rest = 0.0;
            }
            let pays = f64::min(debt, *part - least);
            if pays >= least {
                *part -= pays;
                debt -= pays;
                left[largest] += pays;
                rest += pays;
            }
        }
        if rest > 0.0 {
            rests.push((piece, rest));
        }
    }
    // Whole pieces repay the remaining debt as far as possible.
    while left[largest] < -rounding {
        let Some((piece, part)) = to_largest.pop() else {
            break;
        };
        let taken = part.min(-left[largest]);
        left[largest] += taken;
        rests.push((piece, taken));
        if part > taken {
            to_largest.push((piece, part - taken));
        }
    }
    for (piece, part) in to_largest {
        give(piece, largest, part);
    }
    rests.sort_by_key(|&(piece, _)| piece);
    let mut ways = left.into_iter().enumerate().filter(|(_, left)| *left > rounding).peekable();
    let mut last = 0;
    for (piece, mut rest) in rests {
        last = piece;
        while rest > rounding
            && let Some((out, left)) = ways.peek_mut()
        {
            let part = rest.min(*left);
            give(piece, *out, part);
            rest -= part;
            *left -= part;
            if *left <= rounding {
                ways.next();
            }
        }
    }
    // Sums of many numbers may have larger rounding errors.
    for (out, left) in ways {
        give(last, out, left);
    }
}

#[cfg(test)]
mod tests;
