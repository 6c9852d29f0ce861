//! Sections of some profiles as a report of their own, to be joined with others.

use std::io::{self, Write};

use anyhow::{Context, Result};

use super::objects::reading::Read;
use super::report;
use super::report_writer::ReportWriter;
use super::run_costs::ProgramSet;
use super::{Alert, Terminal};
use crate::cli::{Plan, Styles};
use crate::diagnose::Warning;
use crate::output::Sink;
use crate::render::{json, record};
use crate::report::Report;

/// The plan that asks for reports of the same files, with the contents of JSON.
pub(super) fn plan(plan: &Plan, styles: Styles) -> Plan {
    Plan {
        format: Some(json::NAME),
        output: None,
        choice: Default::default(),
        styles,
        by_file: None,
        ..plan.clone()
    }
}

/// The report of profiles, as a saved report has it; the plan is that of [`plan`].
///
/// # Errors
/// If a requested function does not exist.
pub(super) fn of(
    read: Read<'_>,
    programs: &ProgramSet,
    plan: &Plan,
    warnings: &mut Vec<Warning>,
) -> Result<Report<'static>> {
    let mut of_profiles = read.warnings;
    let mut recording = Recording::default();
    let mut ignore = |_: Alert<'_>| {};
    let mut writer = ReportWriter {
        inputs: read.inputs,
        ..ReportWriter::new(plan, Terminal::default(), &mut recording, &mut ignore)
    };
    report::report(read.objects, programs.external(), &mut writer, &mut of_profiles)?;
    for warning in of_profiles {
        if !warnings.contains(&warning) {
            warnings.push(warning);
        }
    }
    recording.0.context("no report was made")
}

/// Keeps a report instead of printing it.
#[derive(Default)]
pub(super) struct Recording(pub(super) Option<Report<'static>>);

impl Sink for Recording {
    fn take(&mut self, report: &Report<'_>) -> io::Result<bool> {
        self.0 = Some(record(report)?);
        Ok(true)
    }
}

impl Write for Recording {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}
