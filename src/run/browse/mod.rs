//! `profan browse`: a report on a full screen.
//!
//! Each view is a section of a report, laid out as on a terminal. A key that needs another
//! report adds a choice to the plan of the command line.

mod calls;
mod explorer;
mod place;
mod request;
mod shown;
mod view;

use std::ffi::OsString;
use std::io::{self, IsTerminal};

use anyhow::Result;

use self::calls::Calls;
use self::explorer::Explorer;
use self::request::Request;
use crate::cli::Plan;
use crate::diagnose::RunError;
use crate::diagnose::browsing::NO_TERMINAL;
use crate::output::{FullScreen, ProgressBar, ScreenSize};
use crate::report::{Report, SectionId};

/// A report, and the request for it.
struct Loaded {
    request: Request,
    report: Report,
    calls: Calls,
    /// The program and its profiles.
    origin: String,
    /// The total and its number of samples, after ` | `; empty if unknown.
    total: String,
}

impl Loaded {
    fn new(request: Request) -> Result<Self> {
        let report = request.load(ScreenSize::of_stdout().columns)?;
        let overview = report.sections.iter();
        let mut overview = overview.filter(|section| section.id == SectionId::Overview);
        let mut facts = overview.next().map_or(&[][..], |overview| &overview.summary).iter();
        let origin = facts.next().cloned().unwrap_or_default();
        let total = facts.next().and_then(|fact| fact.split(';').next());
        let total = total.map(|total| total.trim_end_matches('.'));
        Ok(Self {
            calls: Calls::of(&report),
            total: total.map_or_else(String::new, |total| format!(" | {total}")),
            origin,
            request,
            report,
        })
    }
}

/// Shows the report of a plan, made from these words, until the user leaves. Returns the commands
/// that the user requested, one a line.
///
/// # Errors
/// If the report cannot be made, or standard output is not a terminal with a full screen.
pub(super) fn browse(plan: &Plan, words: &[OsString], bar: &ProgressBar) -> Result<String> {
    if !io::stdout().is_terminal() {
        return Err(RunError::NoScreen { reason: NO_TERMINAL.to_owned() }.into());
    }
    let loaded = Loaded::new(Request::new(plan, words))?;
    bar.finish();
    let screen =
        FullScreen::enter().map_err(|error| RunError::NoScreen { reason: error.to_string() })?;
    let commands = Explorer::new(screen, loaded, plan.look.color.has_color(true)).explore()?;
    Ok(commands.iter().map(|command| format!("{command}\n")).collect())
}
