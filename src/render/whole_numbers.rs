//! Costs as whole numbers, for formats that have no others.

use crate::report::{Cell, Column, IN_CYCLE, Metric, MetricIndex, Role, Row, Section};

/// A column, and the unit in which its costs are whole numbers.
#[derive(Clone, Copy, Debug)]
pub(super) struct WholeColumn {
    column: usize,
    per_unit: u32,
    /// The name of the unit, if it differs from the unit of the metric.
    pub(super) unit: Option<&'static str>,
    /// A short name of the metric in that unit.
    pub(super) id: Option<&'static str>,
}

impl WholeColumn {
    pub(super) fn of_integers(column: usize) -> Self {
        Self { column, per_unit: 1, unit: None, id: None }
    }

    /// The cost in a row, at least 0; `None` if it is unknown.
    pub(super) fn of(&self, row: Row<'_>) -> Option<u64> {
        match row.cells[self.column] {
            Cell::Integer(number) => {
                let whole = number.max(0).saturating_mul(self.per_unit.into());
                Some(u64::try_from(whole).unwrap_or(u64::MAX))
            }
            Cell::Real(number) => Some(nearest(number * f64::from(self.per_unit))),
            _ => None,
        }
    }
}

/// The name of a metric in ASCII letters, digits and underscores.
pub(super) fn as_word(id: &str) -> String {
    id.chars().map(|letter| if letter.is_ascii_alphanumeric() { letter } else { '_' }).collect()
}

#[expect(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "numbers beyond the limits become the limits"
)]
fn nearest(number: f64) -> u64 {
    number.round() as u64
}

/// The column of a role and metric with whole numbers: seconds in nanoseconds, ticks of unknown
/// length in thousandths, others as they are.
pub(super) fn whole_column(
    section: &Section,
    role: Role,
    metric: MetricIndex,
    metrics: &[Metric],
) -> Option<WholeColumn> {
    let columns = section.columns.iter().enumerate();
    let mut columns = columns
        .filter(|(_, one)| one.role == role && one.metric == Some(metric) && one.id != IN_CYCLE);
    let in_seconds = columns.clone().find(|(_, one)| one.id.ends_with("_seconds"));
    if let Some((column, _)) = in_seconds {
        return Some(WholeColumn {
            column,
            per_unit: 1_000_000_000,
            unit: Some("nanoseconds"),
            id: Some("ns"),
        });
    }
    // Ticks come before their length in the unit of the profile.
    let is_unscaled = |(_, one): &(usize, &Column)| matches!(&*one.id, "self" | "total");
    let unscaled = columns.clone().find(is_unscaled);
    let (column, _) = unscaled.or_else(|| columns.next())?;
    Some(match &*metrics[metric].unit {
        _ if metrics[metric].parts.is_some() => {
            WholeColumn { unit: Some("thousandths"), ..WholeColumn::of_integers(column) }
        }
        "ticks" => WholeColumn {
            column,
            per_unit: 1000,
            unit: Some("thousandths of ticks"),
            id: Some("milliticks"),
        },
        _ => WholeColumn::of_integers(column),
    })
}
