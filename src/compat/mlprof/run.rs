//! Mlprof's reports.

mod program;

use std::fs::File;
use std::io::{self, Read, Write};
use std::path::{Path, PathBuf};

use anyhow::{Context, Result};

use super::numbers::{MlprofError, MlprofReport};
use super::options::MlprofPlan;
use super::printer::{write_dot, write_table};
use super::{READ_POLICY, first_line};
use crate::compat::{CANNOT_WRITE, WithFirstLine, check_output};
use crate::files::MOST_BYTES;
use crate::limits::LONGEST_TEXT;
use crate::load::{HEAD_SIZE, read_mlmon};
use crate::model::{MergeError, MlmonCounts, RecordedCosts};
use crate::output::Output;
use crate::standard_ml::words;

/// Prints the report of a plan. Writes the original's messages to `notes`.
pub(in crate::compat) fn run(
    plan: &MlprofPlan,
    out: &mut dyn Write,
    notes: &mut dyn Write,
) -> Result<()> {
    report(plan, out, notes).map_err(|error| {
        let (exception, error) = WithFirstLine::split(error);
        let line = exception.map(|exception| format!("unhandled exception: {exception}"));
        WithFirstLine::add(line, error)
    })
}

fn report(plan: &MlprofPlan, out: &mut dyn Write, notes: &mut dyn Write) -> Result<()> {
    if let Some(path) = &plan.graph {
        let inputs = plan.profiles.iter().chain(&plan.lists).chain([&plan.program]);
        check_output(path, inputs.map(|path| path as &Path))?;
    }
    let table = program::read_table(&plan.program)?;
    let mlmon_counts = read_profiles(plan, &table, notes)?;
    let report = MlprofReport::new(&table, mlmon_counts.as_ref(), plan);
    let report = report.map_err(|error| {
        let exception = match error {
            MlprofError::Gray { .. } => Some("Fail: Dot.gray"),
            MlprofError::ShortName { .. } => Some("Fail: Fold.last"),
            MlprofError::Edges { .. } => None,
        };
        WithFirstLine::add(exception.map(str::to_owned), error.into())
    })?;
    write_graph(plan, &report)?;
    write_table(out, &report, plan).context(CANNOT_WRITE)
}

fn read_profiles(
    plan: &MlprofPlan,
    table: &RecordedCosts,
    notes: &mut dyn Write,
) -> Result<Option<MlmonCounts>> {
    let mut paths = plan.profiles.clone();
    for list in &plan.lists {
        let listed = listed(list)?;
        if let Some(path) = &plan.graph {
            check_output(path, listed.iter().map(|path| path as &Path))?;
        }
        paths.extend(listed);
    }
    let mut sum: Option<MlmonCounts> = None;
    for path in &paths {
        let Err(error) = add_profile(path, table, &mut sum) else {
            continue;
        };
        let shown = path.display();
        let (exception, error) = WithFirstLine::split(error);
        let line =
            exception.map(|exception| format!("Error loading mlmon file '{shown}': {exception}"));
        let error = error.context(format!("cannot use the profile `{shown}`"));
        if !plan.is_tolerant {
            return Err(WithFirstLine::add(line.map(|line| format!("Fail: {line}")), error));
        }
        // Ignores a failure to write to standard error.
        let lines = line.map_or_else(String::new, |line| line + "\n");
        drop(writeln!(notes, "{lines}mlprof: {error:#}"));
    }
    // The original compares lengths with the table when it is too late to pass over a profile.
    if let Some(sum) = &sum {
        let cannot = "cannot use the sum of the profiles";
        let line = Some("Fail: Vector.map2i".to_owned());
        let fits = sum.check_fits(table).context(cannot);
        fits.map_err(|error| WithFirstLine::add(line, error))?;
    }
    Ok(sum)
}

/// Adds a profile to the sum of those before it, whose lengths it must have.
fn add_profile(path: &Path, table: &RecordedCosts, sum: &mut Option<MlmonCounts>) -> Result<()> {
    let mut text = Vec::new();
    let added = read(path).map_err(Into::into).and_then(|read| {
        text = read;
        add(sum, read_profile(&text, table)?)
    });
    added.map_err(|error| WithFirstLine::add(first_line::of_profile(&error, &text, path), error))
}

fn add(sum: &mut Option<MlmonCounts>, found: MlmonCounts) -> Result<()> {
    match sum {
        Some(sum) => sum.add(&found)?,
        None => *sum = Some(found),
    }
    Ok(())
}

fn read_profile(text: &[u8], table: &RecordedCosts) -> Result<MlmonCounts> {
    let found = read_mlmon(text, READ_POLICY)?;
    if let Some(first) = table.build.filter(|&build| build != found.build) {
        let found = found.build;
        return Err(MergeError::Build { first, found }.into());
    }
    Ok(found)
}

const MAGIC: &[u8] = b"MLton prof";

/// All bytes of a profile; only the start of any other file, which may be endless.
fn read(path: &Path) -> io::Result<Vec<u8>> {
    let mut file = File::open(path)?;
    let mut bytes = Vec::new();
    (&mut file).take(MAGIC.len() as u64).read_to_end(&mut bytes)?;
    if bytes == MAGIC {
        file.take(MOST_BYTES).read_to_end(&mut bytes)?;
    } else {
        file.take(HEAD_SIZE as u64).read_to_end(&mut bytes)?;
    }
    Ok(bytes)
}

/// The files named in a file, separated by white space.
fn listed(list: &Path) -> Result<Vec<PathBuf>> {
    let cannot = || format!("cannot read the list of profiles `{}`", list.display());
    let mut text = Vec::new();
    let file = File::open(list).map_err(|error| {
        let exception = first_line::of_unopened(list, &error);
        WithFirstLine::add(exception, anyhow::Error::new(error).context(cannot()))
    })?;
    file.take(LONGEST_TEXT as u64).read_to_end(&mut text).with_context(cannot)?;
    Ok(words(&text).map(path_of).collect())
}

#[cfg(unix)]
fn path_of(bytes: &[u8]) -> PathBuf {
    use std::os::unix::ffi::OsStrExt;
    std::ffi::OsStr::from_bytes(bytes).into()
}

#[cfg(not(unix))]
fn path_of(bytes: &[u8]) -> PathBuf {
    String::from_utf8_lossy(bytes).into_owned().into()
}

fn write_graph(plan: &MlprofPlan, report: &MlprofReport<'_>) -> Result<()> {
    let (Some(path), Some(graph)) = (&plan.graph, &report.graph) else {
        return Ok(());
    };
    let cannot = || format!("cannot write the graph to `{}`", path.display());
    let usual = [plan.program.as_os_str().as_encoded_bytes(), b" call-stack graph"].concat();
    let title = plan.title.as_ref().map(|title| title.as_encoded_bytes());
    let mut out = Output::open(Some(path)).with_context(cannot)?;
    write_dot(&mut out, report, graph, title.unwrap_or(&usual), plan)
        .and_then(|()| out.finish())
        .with_context(cannot)
}
