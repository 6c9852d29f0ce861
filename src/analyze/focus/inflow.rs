//! How the costs of a function are shared among those who called it: by the number of
//! their calls or, where that was recorded, by what these cost.

use super::paths::Paths;
use crate::analyze::cost_graph::TotalsFrom;
use crate::report::MetricIndex;

/// What tells the calls of each group apart.
pub(super) struct Inflow {
    /// By arc; 0 where it leads from a group to itself.
    weights: Vec<f64>,
    /// By group, all that calls weigh; more than 0.
    wholes: Vec<f64>,
    /// By group, what nobody's calls weigh.
    outside: Vec<f64>,
    are_costs: bool,
}

impl Inflow {
    pub(super) fn new(paths: &Paths<'_>, metric: MetricIndex) -> Self {
        match paths.costs.totals_from {
            TotalsFrom::Arcs => Self::of_costs(paths, metric),
            _ => Self::of_counts(paths),
        }
    }

    fn of_counts(paths: &Paths<'_>) -> Self {
        let weights = weights(paths, |arc| paths.costs.calls.arc(arc).count as f64);
        let groups = 0..paths.groups.len();
        let outside: Vec<f64> = groups
            .map(|group| paths.calls_from_outside(group))
            .collect();
        let inside = inside(paths, &weights);
        let wholes = inside
            .iter()
            .zip(&outside)
            .map(|(inside, outside)| inside + outside);
        let wholes = wholes.collect();
        Self {
            weights,
            wholes,
            outside,
            are_costs: false,
        }
        .with_roots()
    }

    /// What a group cost beyond its calls is that of calls which were not recorded.
    fn of_costs(paths: &Paths<'_>, metric: MetricIndex) -> Self {
        let costs = paths.costs;
        let of_arc = |arc| {
            costs
                .flow(arc, metric)
                .map_or(0.0, |flow| flow.total().as_f64())
        };
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
        let wholes: Vec<f64> = (0..)
            .zip(&inside)
            .map(|(group, &inside)| inside.max(total(group)))
            .collect();
        let outside = wholes
            .iter()
            .zip(&inside)
            .map(|(whole, inside)| whole - inside);
        Self {
            outside: outside.collect(),
            weights,
            wholes,
            are_costs: true,
        }
        .with_roots()
    }

    /// The same, where all calls of a group that has none are nobody's.
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

    /// What flows along an arc to its caller, where the callee's group costs so much.
    pub(super) fn amount(&self, arc: u32, callee: usize, cost_of_callee: f64) -> f64 {
        match self.are_costs {
            true => self.weight(arc),
            false => self.weight(arc) / self.whole(callee) * cost_of_callee,
        }
    }
}

fn weights(paths: &Paths<'_>, weight: impl Fn(u32) -> f64) -> Vec<f64> {
    let arcs = (0..).zip(paths.costs.calls.arcs());
    let weights = arcs.map(|(index, arc)| match paths.groups.are_together(arc) {
        true => 0.0,
        false => weight(index),
    });
    weights.collect()
}

/// By group, what the calls of others weigh.
fn inside(paths: &Paths<'_>, weights: &[f64]) -> Vec<f64> {
    let mut inside = vec![0.0; paths.groups.len()];
    for (arc, weight) in paths.costs.calls.arcs().iter().zip(weights) {
        inside[paths.groups.of(arc.callee)] += weight;
    }
    inside
}
