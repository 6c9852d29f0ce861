//! The selected share of all costs, in one metric.

use super::paths::Paths;
use super::stage::PathStage;
use crate::analyze::call_graph::GraphArc;
use crate::analyze::cost_graph::TotalsFrom;
use crate::report::MetricIndex;
use crate::symbols::SymbolId;

/// Selected shares of functions and arcs.
pub(super) struct Shares<'a> {
    paths: &'a Paths<'a>,
    inflow: Inflow,
    /// For each group, the share of its calls in each open stage.
    arriving: Vec<[f64; 2]>,
    costs: Vec<GroupCosts>,
}

/// The cost of a group, and the part selected in each open stage.
#[derive(Clone, Copy, Default)]
struct GroupCosts {
    own: f64,
    below: f64,
    kept_self: [f64; 2],
    kept_below: [f64; 2],
}

/// The selected shares of the flow along an arc.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct ArcShares {
    /// The share of the callee's self cost.
    pub(super) own: f64,
    /// The share of the cost of its callees.
    pub(super) below: f64,
    /// The share of its total cost.
    pub(super) total: f64,
}

impl<'a> Shares<'a> {
    pub(super) fn new(paths: &'a Paths<'a>, metric: MetricIndex) -> Self {
        let inflow = Inflow::new(paths, metric);
        Self {
            arriving: arriving(paths, &inflow),
            costs: group_costs(paths, &inflow, metric),
            inflow,
            paths,
        }
    }

    /// Returns whether a group has calls without caller.
    pub(super) fn has_start(&self, group: usize) -> bool {
        self.inflow.outside(group) > 0.0
    }

    /// The share of a symbol's self cost.
    pub(super) fn of(&self, id: SymbolId) -> f64 {
        self.stages(id)[PathStage::Within as usize]
    }

    /// Along an arc.
    pub(super) fn along(&self, arc: &GraphArc) -> ArcShares {
        self.of_calls(arc.callee, self.stages(arc.caller))
    }

    /// Along calls without caller.
    pub(super) fn of_unknown_callers(&self, callee: SymbolId) -> ArcShares {
        let stages = PathStage::OPEN.map(|stage| f64::from(u8::from(stage == self.paths.first)));
        self.of_calls(callee, stages)
    }

    /// Along calls with these shares in the open stages.
    fn of_calls(&self, callee: SymbolId, stages: [f64; 2]) -> ArcShares {
        let costs = &self.costs[self.paths.groups.of(callee)];
        let sum = |kept: [f64; 2]| stages[0] * kept[0] + stages[1] * kept[1];
        let is_kept = |stage| self.paths.stage(callee, stage) == PathStage::Within;
        ArcShares {
            own: sum(PathStage::OPEN.map(|stage| f64::from(u8::from(is_kept(stage))))),
            below: sum(costs.kept_below.map(|kept| ratio(kept, costs.below))),
            total: sum([0, 1].map(|stage| costs.kept_share(stage))),
        }
    }

    /// The shares of a symbol in each open stage.
    fn stages(&self, id: SymbolId) -> [f64; 2] {
        let mut stages = [0.0; 2];
        let arriving = self.arriving[self.paths.groups.of(id)];
        for (stage, share) in PathStage::OPEN.into_iter().zip(arriving) {
            if let Some(inside) = self.paths.stage(id, stage).index() {
                stages[inside] += share;
            }
        }
        stages
    }
}

impl GroupCosts {
    fn total(&self) -> f64 {
        self.own + self.below
    }

    fn kept_share(&self, stage: usize) -> f64 {
        ratio(self.kept_self[stage] + self.kept_below[stage], self.total())
    }
}

fn ratio(part: f64, whole: f64) -> f64 {
    if whole > 0.0 { part / whole } else { 0.0 }
}

/// Visits callers first.
fn arriving(paths: &Paths<'_>, inflow: &Inflow) -> Vec<[f64; 2]> {
    let mut arriving = vec![[0.0; 2]; paths.groups.len()];
    for group in (0..paths.groups.len()).rev() {
        if let Some(first) = paths.first.index() {
            arriving[group][first] += inflow.outside(group);
        }
        for share in &mut arriving[group] {
            *share /= inflow.whole(group);
        }
        let shares = arriving[group];
        for id in paths.groups.members(group) {
            for (stage, share) in PathStage::OPEN.into_iter().zip(shares) {
                let Some(inside) = paths.stage(id, stage).index().filter(|_| share > 0.0) else {
                    continue;
                };
                for (index, arc) in paths.calls_of(id) {
                    let callee = &mut arriving[paths.groups.of(arc.callee)];
                    callee[inside] += share * inflow.weight(index);
                }
            }
        }
    }
    arriving
}

/// Visits callees first. The whole and the selected part are added up in the same order, so
/// that they are bitwise equal if everything is selected.
fn group_costs(paths: &Paths<'_>, inflow: &Inflow, metric: MetricIndex) -> Vec<GroupCosts> {
    let mut all: Vec<GroupCosts> = Vec::with_capacity(paths.groups.len());
    for group in 0..paths.groups.len() {
        let mut costs = GroupCosts::default();
        for id in paths.groups.members(group) {
            let own = paths.costs.self_cost(id, metric).as_f64();
            let insides = PathStage::OPEN.map(|stage| paths.stage(id, stage));
            costs.own += own;
            for (kept, inside) in costs.kept_self.iter_mut().zip(insides) {
                *kept += if inside == PathStage::Within { own } else { 0.0 };
            }
            for (index, arc) in paths.calls_of(id) {
                let callee = paths.groups.of(arc.callee);
                let amount = inflow.amount(index, callee, all[callee].total());
                costs.below += amount;
                for (kept, inside) in costs.kept_below.iter_mut().zip(insides) {
                    let share = inside.index().map_or(0.0, |stage| all[callee].kept_share(stage));
                    *kept += amount * share;
                }
            }
        }
        all.push(costs);
    }
    all
}

/// The weights of the calls of each group.
pub(super) struct Inflow {
    /// By arc; 0 within a group.
    weights: Vec<f64>,
    /// Total weight of each group's calls; positive.
    wholes: Vec<f64>,
    /// Weight of calls without caller, by group.
    outside: Vec<f64>,
    are_costs: bool,
}

impl Inflow {
    pub(super) fn new(paths: &Paths<'_>, metric: MetricIndex) -> Self {
        match paths.costs.shape.totals_from {
            TotalsFrom::Arcs => Self::of_costs(paths, metric),
            _ => Self::of_counts(paths),
        }
    }

    fn of_counts(paths: &Paths<'_>) -> Self {
        let weights = weights(paths, |arc| paths.costs.calls.arc(arc).count as f64);
        let groups = 0..paths.groups.len();
        let outside: Vec<f64> = groups.map(|group| paths.calls_from_outside(group)).collect();
        let inside = inside(paths, &weights);
        let wholes = inside.iter().zip(&outside).map(|(inside, outside)| inside + outside);
        let wholes = wholes.collect();
        Self { weights, wholes, outside, are_costs: false }.with_roots()
    }

    /// Costs of a group beyond its calls count as calls that were not recorded.
    fn of_costs(paths: &Paths<'_>, metric: MetricIndex) -> Self {
        let costs = paths.costs;
        let of_arc = |arc| costs.flow(arc, metric).map_or(0.0, |flow| flow.total().as_f64());
        let weights = weights(paths, |arc| of_arc(arc).max(0.0));
        let inside = inside(paths, &weights);
        let total = |group| -> f64 {
            let members = paths.groups.members(group);
            let totals = members.map(|id| {
                let calls = paths.calls_of(id).map(|(arc, _)| weights[arc as usize]);
                costs.self_cost(id, metric).as_f64() + calls.sum::<f64>()
            });
            totals.sum()
        };
        let wholes: Vec<f64> =
            (0..).zip(&inside).map(|(group, &inside)| inside.max(total(group))).collect();
        let outside = wholes.iter().zip(&inside).map(|(whole, inside)| whole - inside);
        Self { outside: outside.collect(), weights, wholes, are_costs: true }.with_roots()
    }

    /// Groups without calls have one without caller.
    fn with_roots(mut self) -> Self {
        for (whole, outside) in self.wholes.iter_mut().zip(&mut self.outside) {
            if *whole <= 0.0 {
                (*whole, *outside) = (1.0, 1.0);
            }
        }
        self
    }

    pub(super) fn weight(&self, arc: u32) -> f64 {
        self.weights[arc as usize]
    }

    pub(super) fn whole(&self, group: usize) -> f64 {
        self.wholes[group]
    }

    pub(super) fn outside(&self, group: usize) -> f64 {
        self.outside[group]
    }

    /// The flow along an arc, given the cost of the callee's group.
    pub(super) fn amount(&self, arc: u32, callee: usize, cost_of_callee: f64) -> f64 {
        if self.are_costs {
            self.weight(arc)
        } else {
            self.weight(arc) / self.whole(callee) * cost_of_callee
        }
    }
}

fn weights(paths: &Paths<'_>, weight: impl Fn(u32) -> f64) -> Vec<f64> {
    let arcs = (0..).zip(paths.costs.calls.arcs());
    let weights =
        arcs.map(|(index, arc)| if paths.groups.are_together(arc) { 0.0 } else { weight(index) });
    weights.collect()
}

/// Weight of the calls from other groups, by group.
fn inside(paths: &Paths<'_>, weights: &[f64]) -> Vec<f64> {
    let mut inside = vec![0.0; paths.groups.len()];
    for (arc, weight) in paths.costs.calls.arcs().iter().zip(weights) {
        inside[paths.groups.of(arc.callee)] += weight;
    }
    inside
}
