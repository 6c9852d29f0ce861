//! The note on totals that equal costs of calls decide.

use super::inlined::name_in_note;
use crate::analyze::{GuessCause, GuessedTotal, Guesses, Material};
use crate::diagnose::{self, GuessNote, GuessWords, GuessedCalls};
use crate::report::Audience;
use crate::symbols::{Demangler, SymbolId};

/// The worst of them in words, and how many others there are. If a filter divides functions, the
/// summary has the limits of the whole part.
pub(super) fn note(material: &Material<'_>, demangler: &Demangler) -> Option<String> {
    if material.has_guessed_part() {
        return None;
    }
    let Guesses { worst, n_others, small, n_small_others } = material.guesses()?;
    let name_of = |id: SymbolId| name_in_note(&material.table.get(id).name, demangler);
    let cause = worst.or(small)?.cause;
    let words = |GuessedTotal { function, limits, .. }: GuessedTotal| {
        let [low, high] = [limits.low, limits.high].map(|ticks| material.time_and_unit(ticks));
        let [[low, _], [high, unit]] = [low, high];
        GuessWords { function: name_of(function), least: low, most: format!("{high} {unit}") }
    };
    Some(diagnose::guesses(&GuessNote {
        worst: worst.map(words),
        small: small.map(words),
        cause: match cause {
            GuessCause::Cycle(cycle) => GuessedCalls::InCycle(cycle.0),
            GuessCause::CallsOf(function) => GuessedCalls::Of(name_of(function)),
            GuessCause::RestOf(cycle) => GuessedCalls::LeftOut(cycle.0),
        },
        n_others,
        n_small_others,
        has_marks: material.options.audience == Audience::Screen,
    }))
}
