//! Costs of two sides as cells that people read: seconds for nanoseconds.

use crate::report::number::fixed;
use crate::report::{Cell, Column, Metric, MetricIndex, MetricValues, Role};

/// The unit of the costs of a difference.
pub(super) struct DifferenceUnit {
    name: String,
    per_unit: f64,
    /// Decimals of costs that are not counted.
    decimals: u8,
    metric: MetricIndex,
}

impl DifferenceUnit {
    /// For the weights of a metric.
    pub(super) fn of(weights: &MetricValues, metric: &Metric) -> Self {
        let unit = &*weights.unit;
        let (name, per_unit) = match (unit, unit.strip_prefix("thousandths of ")) {
            ("nanoseconds", _) => ("s", 1e9),
            (_, Some(unit)) => (unit, 1e3),
            (unit, None) => (unit, 1.0),
        };
        Self {
            name: name.to_owned(),
            per_unit,
            decimals: metric.decimals(),
            metric: weights.metric,
        }
    }

    /// Columns for totals: the share of both sides together, which gives every frame of either
    /// side a width, both sides, and the change in percent of the old one.
    pub(super) fn total_columns(&self) -> [Column; 4] {
        let column = |id, role, head: [&str; 2], decimals| {
            let head = head.map(str::to_owned);
            let column = Column::shown(id, role, head).of(self.metric);
            column.printed(0, decimals)
        };
        let unit = &*self.name;
        let decimals = if self.is_counted() { 0 } else { self.decimals };
        [
            column("percent", Role::Share, ["total", "%"], 1),
            column("total_old", Role::Old, ["old", unit], decimals),
            column("total_new", Role::New, ["new", unit], decimals),
            column("change_percent", Role::Change, ["change", "%"], 1).signed(),
        ]
    }

    pub(super) fn total_cells(&self, sides: [i128; 2], whole: i128) -> [Cell; 4] {
        let [old, new] = sides;
        let change = (old != 0).then(|| percent(new - old, old));
        let share = percent(old + new, whole);
        [share.into(), self.cell(old), self.cell(new), change.into()]
    }

    pub(super) fn cell(&self, cost: i128) -> Cell {
        if self.is_counted() {
            Cell::Integer(cost)
        } else {
            Cell::Real(cost as f64 / self.per_unit)
        }
    }

    /// A change with its sign and unit.
    pub(super) fn change_in_words(&self, change: i128) -> String {
        let sign = if change < 0 { "-" } else { "+" };
        let cost = change.unsigned_abs();
        let cost = if self.is_counted() {
            cost.to_string()
        } else {
            fixed(cost as f64 / self.per_unit, self.decimals.into())
        };
        format!("{sign}{cost} {}", self.name)
    }

    fn is_counted(&self) -> bool {
        self.per_unit == 1.0
    }
}

/// A share in percent; 0 if the whole is 0.
pub(super) fn percent(part: i128, whole: i128) -> f64 {
    if whole == 0 {
        return 0.0;
    }
    100.0 * part as f64 / whole as f64
}
