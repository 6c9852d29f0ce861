//! Mprof's reports.

use std::io::Write;
use std::path::Path;

use anyhow::{Context, Result, anyhow, bail};

use super::numbers::{AllocationGraph, MprofOptions, mprof};
use super::options::MprofPlan;
use super::printer::{SitePrinter, write_drawing, write_graph, write_tables};
use crate::compat::{CANNOT_WRITE, WithFirstLine, check_output, first_line};
use crate::load::{Compressions, Hints, Loaded, OpenFile, ReadPolicy, load};
use crate::model::{AddressSize, ContextId, Heap, RecordedCosts, SampleKey};
use crate::output::Output;

/// Prints the report of a plan. Writes the original's messages to `notes`. As in the
/// original, damage that no report needs is silent.
pub(in crate::compat) fn run(
    plan: &MprofPlan,
    out: &mut dyn Write,
    notes: &mut dyn Write,
) -> Result<()> {
    for note in &plan.notes {
        writeln!(notes, "mprof: {note}").context(CANNOT_WRITE)?;
    }
    out.write_all(plan.preface.as_bytes()).context(CANNOT_WRITE)?;
    if let Some(path) = &plan.drawing_file {
        check_output(path, [&*plan.file].into_iter())?;
    }
    let loaded = read(&plan.file).map_err(|error| {
        let line = first_line::of_mpatrol(&error, &plan.file, "Profiling");
        WithFirstLine::add(line.map(|line| format!("mprof: {line}")), error)
    })?;
    let profile = &loaded.profile;
    let (Some(heap), None) = (&profile.heap, &profile.history) else {
        let (path, layout) = (&loaded.path, loaded.layout);
        let error = anyhow!("{path}: not an allocation profile, but of the layout {layout}");
        let line = first_line::of_stranger(&plan.file);
        return Err(WithFirstLine::add(Some(format!("mprof: {line}")), error));
    };
    if plan.options.by_address
        && let Some(symbol) = symbol_without_address(&profile.costs, heap)
    {
        let path = &loaded.path;
        bail!("{path}: symbol {symbol} of a call site has no address, so `-a` has no offset");
    }
    let encoding = loaded.encoding;
    let word = encoding.map_or(AddressSize::Eight, |encoding| encoding.address_size);
    let report = mprof(profile, word, &plan.options);
    let MprofOptions { by_address: has_offsets, measure, .. } = plan.options;
    let names = SitePrinter { costs: &profile.costs, heap, word, has_offsets, measure };
    write_tables(out, &report, &names).context(CANNOT_WRITE)?;
    let Some(graph) = &report.graph else {
        return Ok(());
    };
    if plan.shows_graph {
        write_graph(out, graph, &names).context(CANNOT_WRITE)?;
    }
    if let Some(path) = &plan.drawing_file {
        draw(path, graph, &names, plan, out, notes)?;
    }
    Ok(())
}

/// A symbol beyond the table that a report may name, with the offset of the call site in it.
fn symbol_without_address(costs: &RecordedCosts, heap: &Heap) -> Option<u64> {
    let contexts = &costs.contexts;
    let mut is_used = vec![false; if heap.other_symbols.is_empty() { 0 } else { contexts.len() }];
    for (key, _) in costs.samples.rows() {
        let SampleKey::Context(mut id) = key else { continue };
        while let Some(used) = is_used.get_mut(id.index()).filter(|used| !**used) {
            *used = true;
            id = contexts.get(id).caller.unwrap_or(id);
        }
    }
    let is_named = |id: ContextId| is_used[id.index()] && contexts.get(id).function.is_some();
    heap.other_symbols.iter().find(|(id, _)| is_named(*id)).map(|(_, symbol)| *symbol)
}

fn read(path: &Path) -> Result<Loaded> {
    let hints = Hints { policy: ReadPolicy::CAREFUL, ..Hints::default() };
    let loaded =
        load(&OpenFile::open(path, &hints, |_| false)?.into_input(Compressions::Gzip)?, &hints)?;
    match &loaded.damage {
        Some(damage) if !damage.error.kind.keeps_values() => Err(loaded.refused(damage).into()),
        _ => Ok(loaded),
    }
}

fn draw(
    path: &Path,
    graph: &AllocationGraph,
    names: &SitePrinter<'_>,
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
            let cannot = || format!("cannot write {}", path.display());
            write_file().with_context(cannot).map_err(|error| {
                let line = format!("mprof: {}", first_line::cannot_open(path));
                WithFirstLine::add(Some(line), error)
            })
        }
    }
}
