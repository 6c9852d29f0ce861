//! What shares are shares of.

use super::rest::unit_of;
use super::unit::Unit;
use crate::report::number::fixed;
use crate::report::{Metric, Role, RowKind, Section, SectionId};

/// Where it stands what rows cost themselves, if anywhere.
pub(super) struct OwnColumns {
    /// In the unit of the metric.
    pub(super) amount: Option<usize>,
    /// In percent of the whole.
    pub(super) percent: Option<usize>,
}

/// The columns of what rows cost themselves.
pub(super) fn own_columns(section: &Section<'_>) -> OwnColumns {
    let columns = || section.columns.iter();
    let printed =
        columns().position(|column| column.role == Role::SelfValue && column.print.is_some());
    OwnColumns {
        amount: printed.or_else(|| columns().position(|column| column.role == Role::SelfValue)),
        percent: match section.id {
            // What stands before an entry there is the share of its total.
            SectionId::Graph => section.column("self_percent"),
            // Changes go both ways, so that they are no parts of a whole.
            SectionId::Difference | SectionId::DifferenceCalls => None,
            _ => columns().position(|column| column.role == Role::Share),
        },
    }
}

/// What turns shares of the whole into those of what is shown; `None` where nothing is.
pub(super) fn relative_factor(units: &[Unit]) -> Option<f64> {
    let percent: f64 = shown(units).map(|unit| unit.own.percent).sum();
    (percent > 0.0).then(|| 100.0 / percent)
}

/// Says how many rows there are and what their shares are of.
pub(super) fn about_shares(
    section: &Section<'_>,
    units: &[Unit],
    metrics: &[Metric],
    is_relative: bool,
) -> Option<String> {
    let own = own_columns(section);
    own.percent?;
    let sum = |of: fn(&Unit) -> f64| -> f64 { units.iter().map(of).sum() };
    let percent = sum(|unit| unit.own.percent);
    let amount = own.amount.filter(|_| percent > 0.0).map(|column| {
        let unit = unit_of(&section.columns[column], metrics).to_owned();
        let all = sum(|unit| unit.own.amount) * 100.0 / percent;
        (all, unit)
    });
    let spelled = |amount: f64, unit: &str| {
        let decimals = if unit.contains("second") { 2 } else { 0 };
        format!("{} {unit}", fixed(amount, decimals))
    };
    Some(match (is_relative, amount) {
        (true, Some((_, unit))) => {
            let shown = shown(units).map(|unit| unit.own.amount).sum();
            format!(
                "Percentages are of the {} shown here.",
                spelled(shown, &unit)
            )
        }
        (true, None) => "Percentages are of what is shown here.".to_owned(),
        (false, Some((all, unit))) => format!("Percentages are of all {}.", spelled(all, &unit)),
        (false, None) => "Percentages are of the whole.".to_owned(),
    })
}

/// The units that are shown, without what was left out before.
fn shown(units: &[Unit]) -> impl Iterator<Item = &Unit> {
    let shown = units.iter().filter(|unit| unit.is_shown);
    shown.filter(|unit| unit.kind != RowKind::Rest)
}
