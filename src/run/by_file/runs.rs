//! The call stacks, or the costs and calls, of each file, for formats that show several profiles.

use anyhow::{Result, bail};

use super::names;
use crate::cli::{ByFileOptions, Plan, RequestedSections};
use crate::compare::by_file::FileLabel;
use crate::compare::run_sections::RunSections;
use crate::diagnose::{NotShown, RunError, Warning};
use crate::report::{Report, RunLabel, SectionId};
use crate::run::inputs::run_files::RunFiles;
use crate::run::objects::reading::Read;
use crate::run::run_costs::ProgramSet;
use crate::run::skipping::Skipped;
use crate::run::{labels, sections_report};

/// Makes the report with the call trees, or the costs and calls, of all runs. Files that count as
/// one are adjacent.
///
/// # Errors
/// If a file cannot be used, or has another metric than the first.
pub(super) fn make(
    runs: Vec<Vec<RunFiles>>,
    mut skipped: Skipped,
    file_labels: &[FileLabel],
    programs: &ProgramSet,
    plan: &Plan,
    warnings: &mut Vec<Warning>,
) -> Result<Report> {
    let format = plan.renderer();
    let sections = if format.shows(SectionId::Tree) {
        RequestedSections::only([SectionId::Tree])
    } else {
        RequestedSections::only([SectionId::Flat, SectionId::Graph])
    };
    let plan_of_run = sections_report::plan(plan, sections);
    let (mut sections, mut inputs) = (RunSections::default(), Vec::new());
    let mut n_used = 0;
    for (group, label) in runs.into_iter().zip(file_labels) {
        let path = group.first().map_or_else(String::new, RunFiles::path);
        let mut read = match read_group(group, programs, &plan_of_run) {
            Ok(read) => read,
            Err(error) => {
                skipped.add(path, error, plan.reading.strict)?;
                continue;
            }
        };
        n_used += read.n_profiles();
        skipped.append(std::mem::take(&mut read.skipped));
        let profiles = read.inputs.iter().filter(|input| input.kind == "profile");
        let profiles: Vec<_> = profiles.cloned().collect();
        let path = profiles.first().map_or("", |first| &first.path).to_owned();
        inputs.extend(profiles);
        for (label, read) in parts(read, label, &path, &plan.many, plan.files.len())? {
            let report = sections_report::of(read, programs, &plan_of_run, warnings)?;
            if !sections.add(&label, report, |section| format.shows(section)) {
                bail!(RunError::NotShown { why: NotShown::OtherMetrics { path } });
            }
        }
    }
    warnings.extend(skipped.warning(n_used, programs.is_given() || n_used > 1)?);
    inputs.extend(programs.inputs());
    Ok(sections.into_report(inputs))
}

/// Reads the files that count as one.
fn read_group<'a>(group: Vec<RunFiles>, programs: &'a ProgramSet, plan: &Plan) -> Result<Read<'a>> {
    let mut files = Vec::new();
    for run in group {
        files.extend(run.open(&plan.reading)?);
    }
    programs.read(files, plan)
}

/// The file, or its part with each value of a label.
fn parts<'a>(
    read: Read<'a>,
    label: &FileLabel,
    path: &str,
    many: &ByFileOptions,
    n_files: usize,
) -> Result<Vec<(RunLabel, Read<'a>)>> {
    let Some(key) = &many.by_label else {
        return Ok(vec![(names::run_label(label, many.naming()), read)]);
    };
    let object = read.objects.first().ok_or(RunError::NoProfile)?;
    let split = labels::split(&object.profile.costs, key, path)?;
    let parts = split.into_iter().map(|(value, costs)| {
        let value = labels::shown(value.as_deref().unwrap_or_default(), None);
        let of_file = if n_files > 1 { format!(" ({path})") } else { String::new() };
        let label = RunLabel { key: labels::shown(key.as_bytes(), None), value: value + &of_file };
        let part = Read { objects: vec![object.with_costs(costs)], ..Read::default() };
        (label, part)
    });
    Ok(parts.collect())
}
