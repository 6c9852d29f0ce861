//! What a report on a terminal has and leaves out.

use std::borrow::Cow;

use crate::analyze::overview_of;
use crate::cli::{OutputStyle, Plan};
use crate::model::RunPart;
use crate::report::{Input, Layout, Report, Section, SectionId};

/// Names of files that are said before their number is all that is.
const MAX_NAMED: usize = 3;

/// The program and the profiles of a report, in a line. The program is the file that was
/// given, or else what the profile says was run.
pub(super) fn what_it_is(inputs: &[Input], parts: &[RunPart]) -> String {
    let of_kind = |kind: &'static str| {
        let inputs = inputs.iter().filter(move |input| input.kind == kind);
        let inputs = inputs.filter(|input| !input.has_only_names());
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
    let program = of_kind("executable").first().copied().map(Cow::Borrowed);
    match program.or_else(|| command_of(parts)) {
        None => runs,
        Some(program) => format!("{program}, {runs}"),
    }
}

/// The command that was run, where all parts are of one.
fn command_of(parts: &[RunPart]) -> Option<Cow<'_, str>> {
    let command = parts.first()?.command.as_deref()?;
    let is_of_it = |part: &RunPart| part.command.as_deref() == Some(command);
    let command = String::from_utf8_lossy(command.trim_ascii());
    (parts.iter().all(is_of_it) && !command.is_empty()).then_some(command)
}

/// Says of a report that was kept where it is from.
pub(super) fn introduce(report: &mut Report<'_>) {
    let what = format!(
        "{} (a report that was kept)",
        what_it_is(&report.inputs, &[])
    );
    report.sections.insert(0, overview_of(vec![what]));
}

/// Leaves out the index, unless it was asked for with the call graph, or all. It would be
/// what stands on the screen in the end, and names are found without it.
pub(super) fn leave_out_index(report: &mut Report<'_>, plan: &Plan) {
    if plan.text.shows_all || plan.styles.wants(OutputStyle::Graph) {
        return;
    }
    let is_left_out =
        |section: &Section<'_>| section.id == SectionId::Index && section.layout != Layout::Bsd;
    report.sections.retain(|section| !is_left_out(section));
}

/// Whether the flat profile has no rows for what costs nothing itself.
pub(super) fn leaves_out_idle(plan: &Plan) -> bool {
    let shows_all = plan.text.shows_all || plan.shows_idle;
    !shows_all && plan.filters.flat.include.is_empty()
}

/// Whether differences have no rows for what was not shown to have changed, and files none
/// for those that are like the others. What is for programs has everything, and who asks
/// for so many rows gets them.
pub(super) fn leaves_out_quiet(plan: &Plan) -> bool {
    let asks_for_rows = plan.choice.top.is_some() || plan.choice.min_percent.is_some();
    let is_for_programs = plan.renderer().shows_error;
    !is_for_programs && !plan.text.shows_all && !asks_for_rows
}
