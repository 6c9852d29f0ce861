//! Which share of everything runs through what is asked for, in one metric.

use super::inflow::Inflow;
use super::paths::Paths;
use super::stage::Stage;
use crate::analyze::call_graph::GraphArc;
use crate::report::MetricIndex;
use crate::symbols::SymbolId;

/// Shares of what functions cost, and of what flowed along arcs.
pub(super) struct Shares<'a> {
    paths: &'a Paths<'a>,
    inflow: Inflow,
    /// By group, which share of its calls came in each of the open stages.
    arriving: Vec<[f64; 2]>,
    costs: Vec<GroupCosts>,
}

/// What a group costs, and what of that is kept if it is called in each open stage.
#[derive(Clone, Copy, Default)]
struct GroupCosts {
    own: f64,
    below: f64,
    kept_own: [f64; 2],
    kept_below: [f64; 2],
}

/// The shares that are kept of what flowed along an arc.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct ArcShares {
    /// Of the callee's own costs.
    pub(super) own: f64,
    /// Of those of what it called.
    pub(super) below: f64,
    /// Of both together.
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

    /// Whether some calls of a group are nobody's.
    pub(super) fn has_start(&self, group: usize) -> bool {
        self.inflow.outside(group) > 0.0
    }

    /// The share of a symbol's own costs.
    pub(super) fn of(&self, id: SymbolId) -> f64 {
        self.stages(id)[Stage::Within as usize]
    }

    /// The shares along an arc.
    pub(super) fn along(&self, arc: &GraphArc) -> ArcShares {
        self.of_calls(arc.callee, self.stages(arc.caller))
    }

    /// The shares of calls from nowhere.
    pub(super) fn of_unknown_callers(&self, callee: SymbolId) -> ArcShares {
        let stages = Stage::OPEN.map(|stage| f64::from(u8::from(stage == self.paths.first)));
        self.of_calls(callee, stages)
    }

    /// The shares of calls so much of which are made in each of the open stages.
    fn of_calls(&self, callee: SymbolId, stages: [f64; 2]) -> ArcShares {
        let costs = &self.costs[self.paths.groups.of(callee)];
        let sum = |kept: [f64; 2]| stages[0] * kept[0] + stages[1] * kept[1];
        let is_kept = |stage| self.paths.stage(callee, stage) == Stage::Within;
        ArcShares {
            own: sum(Stage::OPEN.map(|stage| f64::from(u8::from(is_kept(stage))))),
            below: sum(costs.kept_below.map(|kept| ratio(kept, costs.below))),
            total: sum([0, 1].map(|stage| costs.kept_share(stage))),
        }
    }

    /// The shares of a symbol that run in each of the open stages.
    fn stages(&self, id: SymbolId) -> [f64; 2] {
        let mut stages = [0.0; 2];
        let arriving = self.arriving[self.paths.groups.of(id)];
        for (stage, share) in Stage::OPEN.into_iter().zip(arriving) {
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
        ratio(self.kept_own[stage] + self.kept_below[stage], self.total())
    }
}

fn ratio(part: f64, whole: f64) -> f64 {
    if whole > 0.0 { part / whole } else { 0.0 }
}

/// Callers first.
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
            for (stage, share) in Stage::OPEN.into_iter().zip(shares) {
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

/// Callees first. Sums of everything and of what is kept go in one order, so that they
/// are equal to the last bit where all is kept.
fn group_costs(paths: &Paths<'_>, inflow: &Inflow, metric: MetricIndex) -> Vec<GroupCosts> {
    let mut all: Vec<GroupCosts> = Vec::with_capacity(paths.groups.len());
    for group in 0..paths.groups.len() {
        let mut costs = GroupCosts::default();
        for id in paths.groups.members(group) {
            let own = paths.costs.self_cost(id, metric).as_f64();
            let insides = Stage::OPEN.map(|stage| paths.stage(id, stage));
            costs.own += own;
            for (kept, inside) in costs.kept_own.iter_mut().zip(insides) {
                *kept += if inside == Stage::Within { own } else { 0.0 };
            }
            for (index, arc) in paths.calls_of(id) {
                let callee = paths.groups.of(arc.callee);
                let amount = inflow.amount(index, callee, all[callee].total());
                costs.below += amount;
                for (kept, inside) in costs.kept_below.iter_mut().zip(insides) {
                    let share = inside
                        .index()
                        .map_or(0.0, |stage| all[callee].kept_share(stage));
                    *kept += amount * share;
                }
            }
        }
        all.push(costs);
    }
    all
}
