//! Why the new side is refused, in words.

use crate::cli::ComparisonPlan;
use crate::compare::comparison::{Compared, Failure};
use crate::compare::matching::Joined;
use crate::diagnose::Warning;
use crate::report::{NameId, NameTable};

/// Each reason to refuse, with the name of what it is about.
pub(super) fn refusals(
    failures: &[Failure],
    joined: &Joined,
    names: &dyn NameTable,
) -> Vec<String> {
    let said = failures.iter();
    said.map(|failure| refusal(failure, joined, names))
        .collect()
}

fn refusal(failure: &Failure, joined: &Joined, names: &dyn NameTable) -> String {
    let what = match joined.rows.len() {
        n_rows if failure.row < n_rows => {
            let id = u32::try_from(failure.row).unwrap_or(u32::MAX);
            let name = names.name(NameId(id));
            format!("`{}`", String::from_utf8_lossy(name))
        }
        n_rows if failure.row == n_rows => "what is in no function".to_owned(),
        _ => "the whole program".to_owned(),
    };
    format!("{what}: {}", failure.reason)
}

/// Reasons that what was compared can never give.
pub(super) fn idle_reasons(compared: &Compared, comparison: &ComparisonPlan) -> Vec<Warning> {
    let idle = comparison
        .fail_on
        .iter()
        .filter(|on| !on.can_be_found(compared));
    let idle: Vec<_> = idle.map(|on| on.id()).collect();
    match idle.is_empty() {
        true => Vec::new(),
        false => vec![Warning::IdleGate {
            reasons: idle.join(","),
            is_sampled: compared.is_by_chance(),
        }],
    }
}
