//! Writes a report in the requested format.

use anyhow::Result;

use super::Terminal;
use super::destination::written;
use crate::cli::{LookOptions, Plan, ReadingOptions};
use crate::diagnose::{NotShown, RunError, Warning, is_unavailable, messages};
use crate::output::Sink;
use crate::render::{
    CutPaths, FileContents, FileLosses, NameForm, RenderError, RenderOptions, warnings_above,
};
use crate::report::width::bounded;
use crate::report::{NoNames, Report, ShortNames};

/// Default width in columns.
const USUAL_WIDTH: usize = 80;

/// Default width of a report, in columns.
pub(super) fn usual_width(look: &LookOptions, terminal: Terminal) -> usize {
    bounded(look.width.or(terminal.columns).unwrap_or(USUAL_WIDTH))
}

/// Writes a report in the requested format, with the warnings above it in a pager. Then adds
/// warnings about names, which are known after all names were printed.
///
/// # Errors
/// If the format cannot show the report, or writing fails.
pub(super) fn render(
    report: &mut Report,
    warnings: &mut Vec<Warning>,
    plan: &Plan,
    terminal: Terminal,
    out: &mut dyn Sink,
) -> Result<()> {
    report.escape_words(terminal.escapes_controls);
    let look = &plan.look;
    let screen = terminal.columns;
    let usual_names = match screen {
        Some(_) => NameForm::Fitting,
        None => NameForm::Full,
    };
    // A format with a single section shows the requested one.
    let mut asked = report.sections.iter().map(|section| section.id);
    let options = RenderOptions {
        escapes_controls: terminal.escapes_controls,
        has_color: terminal.has_color,
        width: usual_width(look, terminal),
        screen,
        keeps_columns: plan.rows.columns.is_some(),
        names: look.names.unwrap_or(usual_names),
        explains: look.explain,
        shows_paths: look.print_path,
        shows_locations: look.inline_file_names,
        shows_error: look.error,
        is_csv_safe: look.csv_safe,
        section: asked.find(|&id| plan.sections.want_only(id.first())),
    };
    let is_error = |code: &str| plan.reading.denies(code);
    let said = messages(warnings, plan.reading.verbose);
    out.preface(&warnings_above(&said, &is_error, &options));
    if !plan.renderer().keeps_names {
        let whole = std::mem::replace(&mut report.names, Box::new(NoNames));
        report.names = Box::new(ShortNames::new(whole));
    }
    report.command.clone_from(&plan.command);
    report.has_chosen_rows |= plan.rows.limit_rows();
    let renderer = plan.renderer();
    let format = renderer.name;
    let too_large = renderer.saturates(report);
    warnings.extend(too_large.map(|greatest| Warning::TooLarge { format, greatest }));
    let rendered = if plan.look.output.is_some() && renderer.writes_files() {
        let mut write_file =
            |name: &str, contents: &FileContents<'_>| out.write_file(name, contents);
        let losses = renderer.render_files(report, &options, &mut write_file);
        losses.map(|losses| warnings.extend(about_files(losses)))
    } else {
        renderer.render(report, &options, out)
    };
    let shown = match rendered {
        Ok(()) => Ok(()),
        Err(RenderError::Io(error)) => {
            written(Err(error), plan.look.output.as_deref()).map_err(Into::into)
        }
        Err(error) => {
            let lack = report.diagnostics.iter().find(|one| is_unavailable(&one.code));
            Err(RunError::NotShown { why: NotShown::of(&error, lack) }.into())
        }
    };
    let [given_up, shortened] = [report.names.n_given_up(), report.names.n_shortened()];
    let about_names = [
        (given_up > 0).then_some(Warning::NamesGivenUp { n_names: given_up }),
        (shortened > 0).then_some(Warning::NamesShortened { n_names: shortened }),
    ];
    warnings.extend(about_names.into_iter().flatten());
    shown
}

/// Warnings about the files of a directory.
fn about_files(losses: FileLosses) -> impl Iterator<Item = Warning> {
    let FileLosses { cut_paths, n_renumbered } = losses;
    let cut = cut_paths.map(|CutPaths { n_paths, n_bytes }| Warning::PathsCut { n_paths, n_bytes });
    let renumbered = (n_renumbered > 0).then_some(Warning::RanksTaken { n_files: n_renumbered });
    cut.into_iter().chain(renumbered)
}

/// Returns whether rendering may still find a problem that the plan refuses.
pub(super) fn may_refuse_late(reading: &ReadingOptions, format: &'static str) -> bool {
    reading.denies_any(&[
        Warning::NamesGivenUp { n_names: 1 },
        Warning::NamesShortened { n_names: 1 },
        Warning::TooLarge { format, greatest: 0 },
        Warning::PathsCut { n_paths: 1, n_bytes: 1 },
        Warning::RanksTaken { n_files: 1 },
    ])
}
