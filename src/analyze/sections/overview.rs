//! The first lines of a report on a terminal.

use super::Material;
use crate::report::number::{duration, fixed, general};
use crate::report::{Layout, RowTable, Section, SectionId};

/// The totals of the subject `what`, and the cost outside of functions.
pub fn overview_section(material: &Material<'_>, what: String) -> Section {
    let mut summary = vec![what];
    match sampled_total(material) {
        Some(sampled) => summary.push(sampled),
        None => summary.extend(material.sum_up()),
    }
    overview_of(summary)
}

pub fn overview_of(summary: Vec<String>) -> Section {
    let rows = RowTable::default();
    Section { summary, ..Section::new(SectionId::Overview, "", Layout::Table, [], rows) }
}

/// The total of a sampled profile, in time and samples, and the part in no function.
pub fn sampled_total(material: &Material<'_>) -> Option<String> {
    let costs = material.costs;
    let sampling = costs.sampling.as_ref()?;
    let unit = costs.unit(costs.shape.primary);
    let rate = sampling.scale.rate;
    let decimals = costs.decimals().into();
    let ticks = costs.all(costs.shape.primary).as_f64();
    #[expect(clippy::cast_possible_truncation, reason = "a sum of counted ticks")]
    let n_samples = ticks.round() as i128;
    let is_for_screen = material.options.is_for_screen();
    let n_samples = material.counted(n_samples, "sample", "samples");
    let time = |ticks: f64| match ticks / rate {
        seconds if is_for_screen && unit == "seconds" => duration(seconds),
        time => format!("{} {unit}", fixed(time, decimals)),
    };
    let clock = if unit == "seconds" {
        format!("at {} Hz", general(rate))
    } else {
        format!("of {} {unit}", general(sampling.scale.units_per_tick()))
    };
    let percent = costs.percent(crate::analyze::amount::Amount::Ticks(sampling.outside));
    Some(format!(
        "{}, {n_samples} {clock}; {} ({} %) in no function",
        time(ticks),
        time(sampling.outside),
        fixed(percent, 1),
    ))
}
