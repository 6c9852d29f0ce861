//! What a report on a terminal has and leaves out.

use crate::analyze::overview_of;
use crate::cli::Plan;
use crate::report::{Input, Report};

/// Names of files that are said before their number is all that is.
const MAX_NAMED: usize = 3;

/// The program and the profiles of a report, in a line.
pub(super) fn what_it_is(inputs: &[Input]) -> String {
    let of_kind = |kind: &'static str| {
        let inputs = inputs.iter().filter(move |input| input.kind == kind);
        // Names and nothing else are no profile.
        let inputs = inputs.filter(|input| !input.layout.ends_with(" table"));
        inputs.map(|input| &*input.path).collect::<Vec<_>>()
    };
    let profiles = of_kind("profile");
    let runs = match profiles.len() {
        0 => "no profile".to_owned(),
        1 => format!("1 profile: {}", profiles[0]),
        n_profiles if n_profiles <= MAX_NAMED => {
            format!("{n_profiles} profiles: {}", profiles.join(", "))
        }
        n_profiles => format!("{n_profiles} profiles"),
    };
    match of_kind("executable")[..] {
        [] => runs,
        [program, ..] => format!("{program}, {runs}"),
    }
}

/// Says of a report that was kept where it is from.
pub(super) fn introduce(report: &mut Report<'_>) {
    let what = format!("{} (a report that was kept)", what_it_is(&report.inputs));
    report.sections.insert(0, overview_of(vec![what]));
}

/// Whether the flat profile has no rows for what costs nothing itself.
pub(super) fn leaves_out_idle(plan: &Plan) -> bool {
    let shows_all = plan.text.shows_all || plan.shows_idle;
    !shows_all && plan.filters.flat.include.is_empty()
}
