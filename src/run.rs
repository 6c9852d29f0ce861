//! The pipeline. The only file, with those below it, that knows every room.

mod annotated;
mod charges;
mod inputs;
mod lacks;
mod mlprof;
mod mprof;
mod mptrace;
mod placing;
mod sum;

pub use mlprof::run_mlprof;
pub use mprof::run_mprof;
pub use mptrace::run_mptrace;

use std::io::Write;
use std::path::PathBuf;

use anyhow::{Context, Result, bail};

use crate::analyze::{Analysis, OrderOf, SymbolGraph, analyze, order};
use crate::cli::{Face, OutputStyle, Plan};
use crate::compat::gprof;
use crate::diagnose::{self, RunError, Subject, Warning};
use crate::filter::Filters;
use crate::model::{Kind, Profile};
use crate::report::gnu::{Contents, NameOptions, Names, Section, TextOptions, write_report};
use crate::symbols::{
    Executable, FileMap, StaticCall, StaticCallError, Style, SymbolId, SymbolTable, demangle,
    read_program, static_calls,
};

const CANNOT_WRITE: &str = "cannot write the report";

/// What the terminal, if there is one, makes of the report.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Surface {
    /// Control characters in names must not reach it.
    pub escapes_controls: bool,
    /// It shows colour.
    pub has_color: bool,
}

impl Surface {
    /// No terminal.
    const PLAIN: Self = Self {
        escapes_controls: false,
        has_color: false,
    };
}

/// Makes the report of a plan, and returns what is odd about the profile.
///
/// # Errors
/// When an input cannot be used, or the report cannot be written.
pub fn run(plan: &Plan, surface: Surface, out: &mut dyn Write) -> Result<Vec<Warning>> {
    match plan.face {
        Face::Gprof => run_gprof(plan, surface, out),
        _ => run_profan(plan, surface, out),
    }
}

fn run_gprof(plan: &Plan, surface: Surface, out: &mut dyn Write) -> Result<Vec<Warning>> {
    let mut files = plan.files.iter().cloned();
    let image = files.next().unwrap_or_else(|| "a.out".into());
    let mut profiles: Vec<PathBuf> = files.collect();
    if profiles.is_empty() {
        profiles.push("gmon.out".into());
    }
    let executable = Executable::open(&image)?;
    let program = gprof::symbols::read_program(&executable, &plan.symbols)?;
    let profile = inputs::read_profiles_as_gprof(&profiles, plan, &program, out)?;
    if let Some(path) = &plan.sum {
        sum::write_as_gprof(path, &profile, &program, plan)?;
    }
    let records = profile.records();
    let sections = plan.styles.sections(&records, plan.text.flavor);
    let first = profiles[0].display();
    if sections.contains(&Section::Flat) && !records.has_histogram {
        bail!("{first}: no histogram, so no flat profile");
    }
    if sections.contains(&Section::Graph) && !records.has_arcs {
        bail!("{first}: no call arcs, so no call graph");
    }
    let ranges: Vec<_> = profile.histograms().iter().map(|h| h.low..h.high).collect();
    let (calls, no_calls) = told_calls(
        plan.static_calls
            .then(|| gprof::symbols::static_calls(&executable, &program.table, &ranges)),
    )?;
    let evidence = Evidence {
        profile: &profile,
        table: &program.table,
        executable: Some(&executable),
        static_calls: &calls,
        file_map: program.file_map.as_ref(),
    };
    let (_, about_sources) = report(&evidence, &sections, plan, surface, out)?;
    let subject = Subject {
        path: executable.path(),
        program: &program,
    };
    let mut warnings: Vec<_> = no_calls.into_iter().collect();
    warnings.extend(diagnose::check_blocks(&profile, &program.table));
    warnings.extend(diagnose::check_debug_info(subject));
    warnings.extend(about_sources);
    Ok(warnings)
}

fn run_profan(plan: &Plan, surface: Surface, out: &mut dyn Write) -> Result<Vec<Warning>> {
    let (executable, paths) = inputs::sort_out(&plan.files)?;
    let program = match &executable {
        Some(executable) => Some(read_program(executable, &plan.symbols)?),
        None => None,
    };
    let both = executable.as_ref().zip(program.as_ref());
    let summed = inputs::read_profiles(&paths, plan, both, out)?;
    let (mut profile, mut warnings) = (summed.profile, summed.warnings);
    let other_kind = profile.kind().filter(|&kind| kind != Kind::Sampled);
    if let Some(path) = &plan.sum {
        if let Some(kind) = other_kind {
            return Err(RunError::NoSum { kind }.into());
        }
        sum::write(path, &profile, summed.encoding, plan)?;
    }
    if plan.styles.need_no_symbols() {
        return Ok(warnings);
    }
    if other_kind.is_some() {
        let about = charges::report(&profile, both, plan, surface, out)?;
        warnings.extend(about);
        return Ok(warnings);
    }
    if let Some(base) = plan.base {
        let link_base = program.as_ref().map_or(0, |program| program.link_base.0);
        profile.move_down(base.0.0.wrapping_sub(link_base));
    }
    profile.sort_arcs();
    let own_table = program.as_ref().map(|program| &program.table);
    let by_address;
    let table = match own_table.filter(|table| !table.symbols().is_empty()) {
        Some(table) => table,
        None => {
            by_address = SymbolTable::of_entries(profile.arcs().iter().map(|arc| arc.callee));
            &by_address
        }
    };
    let sections = sections_of(&profile, plan);
    let executable_of_calls = executable.as_ref().filter(|_| plan.static_calls);
    let (calls, no_calls) =
        told_calls(executable_of_calls.map(|executable| static_calls(executable, table)))?;
    let evidence = Evidence {
        profile: &profile,
        table,
        executable: executable.as_ref(),
        static_calls: &calls,
        file_map: program.as_ref().and_then(|p| p.file_map.as_ref()),
    };
    let (analysis, about_sources) = report(&evidence, &sections, plan, surface, out)?;
    let subject = both.map(|(executable, program)| Subject {
        path: executable.path(),
        program,
    });
    warnings.extend(lacks::of_gmon(plan));
    let idle_specs = plan.filters.without_match(table).into_iter();
    warnings.extend(idle_specs.map(|spec| Warning::NothingNamed {
        spec: spec.to_string(),
    }));
    warnings.extend(no_calls);
    warnings.extend(diagnose::check(
        &profile,
        summed.encoding,
        subject,
        &analysis,
    ));
    warnings.extend(diagnose::check_blocks(&profile, table));
    warnings.extend(about_sources);
    Ok(warnings)
}

/// The parts to print: a call graph only where calls were recorded, unless it was
/// asked for, and a flat profile for calls alone too.
fn sections_of(profile: &Profile, plan: &Plan) -> Vec<Section> {
    let mut records = profile.records();
    records.has_histogram = true;
    records.has_arcs = !profile.arcs().is_empty();
    plan.styles.sections(&records, plan.text.flavor)
}

/// The calls that stand in the code, where they were looked for and can be told.
fn told_calls(
    found: Option<Result<Vec<StaticCall>, StaticCallError>>,
) -> Result<(Vec<StaticCall>, Option<Warning>)> {
    match found {
        None => Ok((Vec::new(), None)),
        Some(Ok(calls)) => Ok((calls, None)),
        Some(Err(error @ StaticCallError::UnknownMachine { .. })) => {
            let reason = error.to_string();
            Ok((Vec::new(), Some(Warning::NoStaticCalls { reason })))
        }
        Some(Err(error)) => Err(error.into()),
    }
}

/// The name that keep expressions look at.
fn spelled(table: &SymbolTable, id: SymbolId, style: Style) -> Vec<u8> {
    let raw = &table.get(id).name;
    demangle(raw, style).unwrap_or_else(|| raw.to_vec())
}

/// What a report is made from.
struct Evidence<'a> {
    profile: &'a Profile,
    table: &'a SymbolTable,
    executable: Option<&'a Executable>,
    static_calls: &'a [StaticCall],
    file_map: Option<&'a FileMap>,
}

/// Counts and prints. Returns what was counted, and what is odd about sources.
fn report(
    evidence: &Evidence<'_>,
    sections: &[Section],
    plan: &Plan,
    surface: Surface,
    out: &mut dyn Write,
) -> Result<(Analysis, Vec<Warning>)> {
    let &Evidence { profile, table, .. } = evidence;
    let mut filters = Filters::resolve(&plan.filters, table);
    let options = plan.analyze_options();
    let calls = evidence.static_calls;
    if let Some(keep) = &plan.keep {
        let whole = analyze(profile, table, &filters, calls, &options);
        let name = |id| spelled(table, id, plan.text.demangle);
        filters.keep(&SymbolGraph::of_calls(&whole, table, name).kept_by(keep));
    }
    let mut analysis = analyze(profile, table, &filters, calls, &options);
    if sections.contains(&Section::Order) {
        let map = evidence.file_map;
        let of = map.map_or(OrderOf::Functions(&filters), OrderOf::Files);
        analysis.order = order(&analysis, table, of);
    }
    let names = Names::new(
        table,
        NameOptions {
            demangle: plan.text.demangle,
            escapes_controls: surface.escapes_controls,
            shows_paths: plan.text.shows_paths,
            places: plan.text.places,
        },
    );
    let mut exec_counts = Vec::new();
    if sections.contains(&Section::ExecCounts) {
        exec_counts = analysis.exec_counts(table, &filters, &options);
    }
    let (mut sources, mut warnings) = (Vec::new(), Vec::new());
    if sections.contains(&Section::AnnotatedSource) {
        let counts = analysis.file_counts(table, &filters, &options);
        // gprof does not look at the age of sources.
        let executable = evidence.executable.filter(|_| plan.face == Face::Profan);
        (sources, warnings) = annotated::annotate(&counts, table, &plan.source, executable);
    }
    if plan.source.is_in_files {
        warnings.extend(annotated::write_files(&sources, table));
        sources.clear();
    }
    let contents = Contents {
        analysis: &analysis,
        exec_counts: &exec_counts,
        sources: &sources,
    };
    let options = TextOptions {
        flavor: plan.text.flavor,
        explains: plan.text.explains,
        width: plan.text.width,
        always_seconds: plan.face == Face::Gprof,
        has_arcs: profile.records().has_arcs,
        has_color: surface.has_color,
        follows_text: plan.styles.wants(OutputStyle::FileInfo),
    };
    write_report(out, sections, &contents, &names, &options).context(CANNOT_WRITE)?;
    Ok((analysis, warnings))
}
