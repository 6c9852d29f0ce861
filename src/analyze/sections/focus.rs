//! Sentences about the selected part of all costs.

use super::Material;
use crate::analyze::amount::Amount;
use crate::filter::SymSpec;
use crate::report::number::fixed;
use crate::report::{Cell, MetricIndex};
use crate::symbols::SymbolId;

impl Material<'_> {
    /// The part of a metric that is selected; `None` if everything is.
    pub(super) fn about_focus(&self, metric: MetricIndex) -> Option<String> {
        let costs = self.costs;
        self.about_part(metric, costs.all(metric), Some(costs.unattributed(metric)))
    }

    /// The same for `whole`, which percentages refer to. `nobodys` is the part outside of
    /// functions.
    pub(super) fn about_part(
        &self,
        metric: MetricIndex,
        whole: Amount,
        nobodys: Option<Amount>,
    ) -> Option<String> {
        let costs = self.costs;
        costs.focus()?;
        let symbols = (0..).map(SymbolId).take(costs.n_nodes());
        let own = symbols.map(|id| costs.self_cost(id, metric));
        let kept = nobodys.into_iter().chain(own).reduce(Amount::plus)?;
        let [kept, whole] = [kept, whole].map(Amount::without_rounding);
        let unit = costs.unit(metric);
        let through = self.through();
        if self.options.is_for_screen() {
            let has_unit = matches!(&*unit, "seconds" | "bytes");
            let unit = if has_unit { String::new() } else { format!(" {unit}") };
            let [kept, whole] = [kept, whole].map(|amount| costs.in_words(amount, metric));
            return Some(format!(
                "{kept} of {whole}{unit} {through}. Percentages are of {whole}{unit}."
            ));
        }
        let [kept, whole] = [kept, whole].map(|amount| self.abbreviated(amount, metric));
        Some(format!("{kept} of {whole} {unit} {through}. Percentages are of {whole} {unit}."))
    }

    fn abbreviated(&self, amount: Amount, metric: MetricIndex) -> String {
        match self.costs.readable(amount, metric) {
            Cell::Real(number) => fixed(number, self.costs.decimals().into()),
            Cell::Integer(number) => number.to_string(),
            _ => String::new(),
        }
    }

    fn through(&self) -> String {
        let specs = &self.filters.focus.specs;
        let is_sampled = self.costs.is_sampled();
        let [do_so, not] = if is_sampled {
            ["were spent in or below", "were not spent in or below"]
        } else {
            ["were recorded in or below", "were not recorded in or below"]
        };
        match (&*specs.include, &*specs.exclude) {
            ([], ignored) => format!("{not} {}", listed(ignored)),
            (focus, []) => format!("{do_so} {}", listed(focus)),
            (focus, ignored) => {
                format!("{do_so} {}, but not {}", listed(focus), listed(ignored))
            }
        }
    }
}

fn listed(specs: &[SymSpec]) -> String {
    let quoted: Vec<_> = specs.iter().map(|spec| format!("`{spec}`")).collect();
    match quoted.split_last() {
        Some((last, first)) if !first.is_empty() => format!("{} or {last}", first.join(", ")),
        _ => quoted.concat(),
    }
}
