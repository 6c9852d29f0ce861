//! What is said above the rows.

use crate::analyze::cost_graph::Sampling;
use crate::analyze::sections::Material;
use crate::report::Basis;
use crate::report::number::general;

pub(super) fn summary(material: &Material<'_>) -> Vec<String> {
    let mut summary = about_all(material);
    summary.extend(material.about_focus(material.costs.primary));
    summary
}

fn about_all(material: &Material<'_>) -> Vec<String> {
    let costs = material.costs;
    let Some(sampling) = &costs.sampling else {
        return material.unless_in_overview(Material::sum_up);
    };
    let unit = costs.unit(costs.primary);
    let all = costs.all(costs.primary);
    if material.options.is_bsd {
        let whole = if all.is_positive() { all.as_f64() } else { 1.0 };
        let share = all.is_positive().then(|| 100.0 / whole);
        return vec![sampling.granularity(share, whole, &unit, "accumulated")];
    }
    let mut summary = material.unless_in_overview(|_| {
        let tick = general(sampling.scale.units_per_tick());
        vec![format!("Each sample counts as {tick} {unit}.")]
    });
    if !all.is_positive() {
        summary.extend([" no time accumulated".to_owned(), String::new()]);
    }
    debug_assert!(costs.metrics[costs.primary].basis == Basis::Sampled);
    summary
}

impl Sampling {
    /// What one tick stands for, and which share of the whole it is if there is one.
    pub(in crate::analyze::sections) fn granularity(
        &self,
        share: Option<f64>,
        whole: f64,
        unit: &str,
        what: &str,
    ) -> String {
        let start = format!(
            "granularity: each sample hit covers {} byte(s)",
            self.bytes_per_bin
        );
        match share {
            Some(share) => {
                let total = whole / self.scale.rate;
                format!("{start} for {share:.2}% of {total:.2} {unit}")
            }
            None => format!("{start} no time {what}"),
        }
    }
}
