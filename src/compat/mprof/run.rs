//! Mprof's reports.

use std::io::Write;
use std::path::Path;

use anyhow::{Context, Result, bail};

use super::numbers::{AllocationGraph, mprof};
use super::options::MprofPlan;
use super::printer::{SiteNames, write_drawing, write_graph, write_tables};
use crate::compat::{CANNOT_WRITE, check_output};
use crate::diagnose::Warning;
use crate::load::{Compressions, Hints, Input, ReadPolicy, load};
use crate::model::AddressSize;
use crate::output::Output;

/// Prints the report of a plan. Writes the original's messages to `notes`;
/// returns warnings about the profile.
pub(in crate::compat) fn run(
    plan: &MprofPlan,
    out: &mut dyn Write,
    notes: &mut dyn Write,
) -> Result<Vec<Warning>> {
    for note in &plan.notes {
        writeln!(notes, "mprof: {note}").context(CANNOT_WRITE)?;
    }
    out.write_all(plan.preface.as_bytes()).context(CANNOT_WRITE)?;
    if let Some(path) = &plan.drawing_file {
        check_output(path, [&*plan.file].into_iter())?;
    }
    let hints = Hints { policy: ReadPolicy::CAREFUL, ..Hints::default() };
    let loaded = load(&Input::open_as(&plan.file, Compressions::Gzip, &hints)?, &hints)?;
    let profile = &loaded.profile;
    let (Some(heap), None) = (&profile.heap, &profile.history) else {
        let (path, layout) = (&loaded.path, loaded.layout);
        bail!("{path}: not an allocation profile, but of the layout {layout}");
    };
    let mut warnings = Vec::new();
    match &loaded.damage {
        Some(damage) if damage.error.kind.keeps_values() => {
            warnings.push(Warning::Damaged { path: loaded.path.clone(), damage: damage.clone() })
        }
        Some(damage) => return Err(loaded.refused(damage).into()),
        None => {}
    }
    let encoding = loaded.encoding;
    let word = encoding.map_or(AddressSize::Eight, |encoding| encoding.address_size);
    let report = mprof(profile, word, &plan.options);
    let names = SiteNames::new(&profile.costs, heap, word, plan.options.by_address);
    let measure = plan.options.measure;
    write_tables(out, &report, heap.bounds, measure, &names).context(CANNOT_WRITE)?;
    let Some(graph) = &report.graph else {
        return Ok(warnings);
    };
    if plan.shows_graph {
        write_graph(out, graph, measure, &names).context(CANNOT_WRITE)?;
    }
    if let Some(path) = &plan.drawing_file {
        draw(path, graph, &names, plan, out, notes)?;
    }
    Ok(warnings)
}

fn draw(
    path: &Path,
    graph: &AllocationGraph,
    names: &SiteNames<'_>,
    plan: &MprofPlan,
    out: &mut dyn Write,
    notes: &mut dyn Write,
) -> Result<()> {
    let source = plan.file.as_os_str().as_encoded_bytes();
    let write = |out: &mut dyn Write| write_drawing(out, graph, plan.drawing, source, names);
    match path.to_str() {
        Some("stdout") => write(out).context(CANNOT_WRITE),
        Some("stderr") => write(notes).context(CANNOT_WRITE),
        _ => {
            let write_file = || {
                let mut file = Output::create(path)?;
                write(&mut file)?;
                file.finish()
            };
            write_file().with_context(|| format!("cannot write {}", path.display()))
        }
    }
}
