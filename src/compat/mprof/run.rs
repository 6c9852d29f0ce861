//! Mprof's reports.

use std::io::Write;
use std::path::Path;

use anyhow::{Context, Result, bail};

use super::numbers::{AllocationGraph, mprof};
use super::options::MprofPlan;
use super::printer::{SiteNames, write_drawing, write_graph, write_tables};
use crate::compat::{CANNOT_WRITE, check_output};
use crate::load::{Compressions, Hints, Input, ReadPolicy, load};
use crate::model::{AddressSize, SizeBounds};
use crate::output::Output;

/// Prints the report of a plan. Writes the original's messages to `notes`.
pub(in crate::compat) fn run(
    plan: &MprofPlan,
    out: &mut dyn Write,
    notes: &mut dyn Write,
) -> Result<()> {
    for note in &plan.notes {
        writeln!(notes, "mprof: {note}").context(CANNOT_WRITE)?;
    }
    out.write_all(plan.preface.as_bytes())
        .context(CANNOT_WRITE)?;
    if let Some(path) = &plan.drawing_file {
        check_output(path, [&*plan.file].into_iter())?;
    }
    let hints = Hints {
        policy: ReadPolicy::CAREFUL,
        ..Hints::default()
    };
    let loaded = load(
        &Input::open_as(&plan.file, Compressions::Gzip, &hints)?,
        &hints,
    )?;
    let profile = &loaded.profile;
    if profile.heap.is_none() || profile.history.is_some() {
        let (path, layout) = (&loaded.path, loaded.layout);
        bail!("{path}: not an allocation profile, but of the layout {layout}");
    }
    let loaded = loaded.undamaged()?;
    let encoding = loaded.encoding;
    let word = encoding.map_or(AddressSize::Eight, |encoding| encoding.address_size);
    let profile = &loaded.profile;
    let report = mprof(profile, word, &plan.options);
    let names = SiteNames::new(&profile.costs, word, plan.options.by_address);
    let bounds = profile
        .heap
        .as_ref()
        .map_or(SizeBounds::default(), |heap| heap.bounds);
    let measure = plan.options.measure;
    write_tables(out, &report, bounds, measure, &names).context(CANNOT_WRITE)?;
    let Some(graph) = &report.graph else {
        return Ok(());
    };
    if plan.shows_graph {
        write_graph(out, graph, measure, &names).context(CANNOT_WRITE)?;
    }
    match &plan.drawing_file {
        Some(path) => draw(path, graph, &names, plan, out, notes),
        None => Ok(()),
    }
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
