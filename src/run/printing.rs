//! Prints a report, or writes it to its file.

use std::io::{self, IsTerminal};
use std::slice;

use anyhow::Result;

use super::destination::{open_directory, open_output, written};
use super::rendering::may_refuse_late;
use super::{Alert, Outcome, Terminal, run};
use crate::cli::{Plan, ReadingOptions};
use crate::diagnose::{Warning, messages};
use crate::output::{
    ColorWhen, Compression, Output, Paged, PagerWhen, ProgressBar, ScreenSize, Severity,
    pager_command, print_advice, print_message, print_sentence,
};

/// Makes the report of a plan and writes it to its destination.
///
/// # Errors
/// If the report cannot be made or written.
pub(super) fn print_report(plan: &Plan, bar: &ProgressBar) -> Result<Outcome> {
    let path = plan.look.output.as_deref();
    let is_screen = path.is_none() && io::stdout().is_terminal();
    let size = is_screen.then(ScreenSize::of_stdout);
    let pager = match plan.look.pager {
        PagerWhen::Never => None,
        PagerWhen::Auto | PagerWhen::Always => pager_command(),
    };
    let mut out = match (size.zip(pager), path) {
        (Some((size, command)), _) => Output::screen(Paged::new(plan.look.pager, command, size)),
        (None, Some(path)) if plan.renderer().writes_files() => open_directory(path)?,
        (None, path) => open_output(path)?,
    };
    if let Some(compression) = path.and_then(Compression::of)
        && !plan.renderer().compresses_itself()
    {
        out.compress(compression);
    }
    let fits_terminals = plan.renderer().fits_terminals;
    let terminal = Terminal {
        // A file of -o may be one, too.
        escapes_controls: out.is_terminal(),
        has_color: plan.look.color.has_color(is_screen),
        columns: size.map(|size| size.columns).filter(|_| fits_terminals),
    };
    if terminal.has_color && fits_terminals {
        out.allow_color();
    }
    out.clear_before(bar.clone());
    if may_refuse_late(&plan.reading, plan.renderer().name) {
        out.outlive_reader();
    }
    let made = run(plan, terminal, &mut out, &mut alert(plan, bar));
    bar.finish();
    let outcome = match made {
        Ok(outcome) => outcome,
        Err(error) => {
            out.abandon();
            return Err(error);
        }
    };
    let no_pager = out.missing_pager();
    // A file appears only on success; printed text stays.
    if plan.look.output.is_none() || !plan.reading.denies_any(&outcome.warnings) {
        written(out.finish(), plan.look.output.as_deref())?;
    }
    if let Some(why) = no_pager {
        print_sentence("profan: ", &why);
    }
    Ok(outcome)
}

/// Reports urgent problems before the report.
fn alert<'a>(plan: &'a Plan, bar: &'a ProgressBar) -> impl FnMut(Alert<'_>) + 'a {
    |alert| {
        bar.suspend(|| match alert {
            Alert::Warning(warning) => {
                print_warnings(slice::from_ref(warning), &plan.reading, plan.look.color)
            }
            Alert::Note(note) => {
                print_message("profan", Severity::Note, None, note, plan.look.color);
            }
        });
    }
}

/// Prints warnings, as errors where the plan denies them.
pub(super) fn print_warnings(warnings: &[Warning], reading: &ReadingOptions, color: ColorWhen) {
    for message in messages(warnings, reading.verbose) {
        let severity =
            if reading.denies(&message.code) { Severity::Error } else { Severity::Warning };
        let code = Some(&*message.code);
        print_message("profan", severity, code, &message.message, color);
        print_advice(&message.advice);
    }
}
