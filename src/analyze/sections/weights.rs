//! Costs as whole numbers in a unit, as formats of stacks have them.

use std::borrow::Cow;

use crate::analyze::call_tree::nearest;
use crate::analyze::cost_graph::CostGraph;
use crate::report::MetricIndex;

/// The unit of self costs as whole numbers, for formats of stacks, and how many of it are one of
/// cost: nanoseconds for time, thousandths of ticks if the length of a tick is unknown.
pub(super) fn weight_of(costs: &CostGraph, metric: MetricIndex) -> (Cow<'static, str>, f64) {
    match costs.ticks_per_unit(metric) {
        Some(rate) if costs.unit(metric) == "seconds" => ("nanoseconds".into(), 1e9 / rate),
        Some(_) if costs.sampling.is_some() => ("thousandths of ticks".into(), 1e3),
        Some(_) => (format!("thousandths of {}", costs.unit(metric)).into(), 1.0),
        None => (costs.unit(metric).into(), 1.0),
    }
}

/// An exact amount in the unit of weights.
pub(super) fn in_units(amount: i128, per_unit: f64) -> i128 {
    if per_unit == 1.0 { amount } else { nearest(amount as f64 * per_unit) }
}
