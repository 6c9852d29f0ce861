//! The reports of a command line that are available, and the reasons why others are not.

use super::{RunError, RunResult, Warning, messages};
use crate::report::Diagnostic;

/// Counts available reports and collects unavailable ones.
#[derive(Debug, Default)]
pub struct UnavailableReports {
    unavailable: Vec<Diagnostic>,
    n_available: usize,
}

impl UnavailableReports {
    /// Starts with a number of available reports.
    pub fn of(n_available: usize) -> Self {
        Self { n_available, ..Self::default() }
    }

    /// Counts an available report.
    pub fn add_available(&mut self) {
        self.n_available += 1;
    }

    /// Adds an unavailable report; warns if others are available. Several reports may have
    /// the same reason.
    pub fn add_unavailable(&mut self, why: Warning, warnings: &mut Vec<Warning>) {
        if warnings.contains(&why) {
            return;
        }
        self.unavailable.push(why.diagnostic());
        warnings.push(why);
    }

    /// Adds annotated source without source files. If other reports are available, each
    /// missing source has a warning.
    pub fn add_missing_sources(&mut self, missing: &MissingSources, lists_all: bool) {
        let refused = messages(&missing.outside, lists_all).into_iter();
        self.unavailable.extend(refused.map(|why| Diagnostic {
            message: format!("no annotated source: {}", why.message),
            ..why
        }));
        let missing = &*missing.names;
        let which = match missing {
            [] => return,
            [only] => only.clone(),
            [first, more @ ..] => format!("neither {first} nor {} more sources", more.len()),
        };
        let verb = if missing.len() == 1 { "cannot" } else { "can" };
        let name = String::new();
        self.unavailable.push(Diagnostic {
            message: format!("no annotated source: {which} {verb} be found"),
            ..Warning::SourceMissing { name }.diagnostic()
        });
    }

    /// Refuses a command line without any available report.
    ///
    /// # Errors
    /// If all requested reports are unavailable.
    pub fn check(self) -> RunResult {
        let causes = self.unavailable;
        if self.n_available == 0 && !causes.is_empty() {
            return Err(RunError::NothingToReport { causes });
        }
        Ok(())
    }
}

/// Sources that cannot be printed.
#[derive(Default)]
pub struct MissingSources {
    /// Names of missing files.
    pub names: Vec<String>,
    /// Why existing files are not read.
    pub outside: Vec<Warning>,
}

impl MissingSources {
    pub fn is_empty(&self) -> bool {
        self.names.is_empty() && self.outside.is_empty()
    }
}
