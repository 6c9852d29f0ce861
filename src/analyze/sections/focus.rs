//! Sentences about the selected part of all costs.

use super::Material;
use crate::analyze::amount::Amount;
use crate::analyze::bounds::TickBounds;
use crate::filter::SymSpec;
use crate::report::number::{self, fixed};
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
        let kept = kept.without_rounding();
        let whole = whole.without_rounding();
        let unit = costs.unit(metric);
        let is_for_screen = self.options.is_for_screen();
        let words = |amount: Amount| {
            if is_for_screen {
                costs.in_words(amount, metric)
            } else {
                self.abbreviated(amount, metric)
            }
        };
        let has_unit = is_for_screen && matches!(&*unit, "seconds" | "bytes");
        let unit = if has_unit { String::new() } else { format!(" {unit}") };
        let whole = words(whole) + &unit;
        let through = self.through();
        let percentages = format!("Percentages are of {whole}.");
        Some(match self.selected_bounds() {
            Some(bounds) if !bounds.are_tight() => {
                let of_nobody = nobodys.map_or(0.0, Amount::as_f64);
                let [least, most] =
                    [bounds.low, bounds.high].map(|ticks| words(Amount::Ticks(of_nobody + ticks)));
                let kept = words(kept);
                format!(
                    "Between {least} and {most} of {whole} {through}: {kept} if all calls of a \
                     function cost the same. {percentages}"
                )
            }
            _ => format!("{} of {whole} {through}. {percentages}", words(kept)),
        })
    }

    /// Returns whether the selected part is known only between limits, which the summary has.
    pub fn has_guessed_part(&self) -> bool {
        self.selected_bounds().is_some_and(|bounds| !bounds.are_tight())
    }

    /// The bounds of the selected time of functions, if it depends on the costs of calls.
    fn selected_bounds(&self) -> Option<TickBounds> {
        let selections = self.costs.focus()?.selections()?;
        let of_each = selections.iter().map(|selection| selection.bounds());
        Some(of_each.fold(TickBounds::default(), |all, one| TickBounds {
            low: all.low + one.low,
            high: all.high + one.high,
        }))
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
    number::listed(&quoted, "or")
}
