//! gprof's reports.

use std::io::Write;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail};

use super::filters::{Filters, NamedArcs};
use super::numbers::{Analysis, ArcSum, SymbolArcs, summed_blocks};
use super::plan::{GprofPlan, GprofSection, GprofStyle};
use super::printer::{
    AnnotatedSource, GprofReport, PrintedNames, write_annotated, write_file_info, write_report,
};
use super::symbols::{read_program, static_calls};
use super::{OVERFLOW, READ_POLICY};
use crate::analyze::{Annotator, FileCounts};
use crate::compat::{CANNOT_WRITE, check_output};
use crate::diagnose::{self, ProgramRef, Warning};
use crate::load::{
    Compressions, GmonRecords, Hints, Loaded, OpenFile, RequestedLayout, Sum, WriteOptions,
    in_parallel, load, plain_size, write_profile,
};
use crate::model::{BasicBlockCount, Profile, RecordCounts};
use crate::output::{Output, write_here};
use crate::sources::{ReadSources, path_of};
use crate::symbols::{Executable, Program, StaticCall, StaticCallError, SymbolTable};
use crate::threads;

/// Prints the report of a plan, and returns warnings about the profile.
pub(in crate::compat) fn run(plan: &GprofPlan, out: &mut dyn Write) -> Result<Vec<Warning>> {
    let mut files = plan.files.iter().cloned();
    let image = files.next().unwrap_or_else(|| "a.out".into());
    let mut profiles: Vec<PathBuf> = files.collect();
    if profiles.is_empty() {
        profiles.push("gmon.out".into());
    }
    let executable = Executable::open(&image)?;
    if let Some(sum) = &plan.sum {
        // A sum may take the place of one of its parts.
        let symbols = &plan.symbols;
        let named = [&symbols.external, &symbols.file_map].into_iter().flatten();
        check_output(sum, named.chain([&image]).map(|path| path as &Path))?;
    }
    let hints = Hints {
        encoding: Some(executable.encoding()?),
        layout: plan.layout,
        policy: READ_POLICY,
        ..Hints::default()
    };
    let is_long = plain_size(&profiles[0]).is_some_and(|n_bytes| n_bytes >= threads::WORTH_BYTES);
    let (first, program) = threads::in_parallel(
        is_long,
        || is_long.then(|| read_profile(&profiles[0], &hints)),
        || read_program(&executable, &plan.symbols),
    );
    let program = program?;
    // `-s` prints only the reports that an option requests.
    let nothing = plan.styles.sections(&RecordCounts::default(), plan.flavor);
    let is_only_summed = plan.sum.is_some() && nothing.is_empty();
    let mut arcs = is_only_summed.then(|| ArcSum::new(&program.table));
    let (profile, sums_blocks) =
        read_profiles(&profiles, first, &hints, plan, &program, arcs.as_mut(), out)?;
    if let Some(path) = &plan.sum {
        let arcs = arcs.unwrap_or_else(|| {
            let mut arcs = ArcSum::new(&program.table);
            arcs.add(&SymbolArcs::new(profile.arcs(), &program.table));
            arcs
        });
        let blocks = sums_blocks.then(|| summed_blocks(profile.blocks(), &program.table));
        write_sum(path, &profile, arcs, blocks, &program, plan)?;
    }
    let records = profile.records();
    let sections = plan.styles.sections(&records, plan.flavor);
    let first = profiles[0].display();
    if sections.contains(&GprofSection::Flat) && !records.has_histogram {
        bail!("{first}: no histogram, so no flat profile");
    }
    if sections.contains(&GprofSection::Graph) && !records.has_arcs {
        bail!("{first}: no call arcs, so no call graph");
    }
    let (calls, no_calls) = find_static_calls(&executable, &profile, &program.table, plan)?;
    let about_sources = if is_only_summed {
        Vec::new()
    } else {
        report(&profile, &program, &calls, &sections, plan, out)?
    };
    let program_ref = ProgramRef { path: executable.path(), program: &program };
    let mut warnings: Vec<_> = no_calls.into_iter().collect();
    warnings.extend(diagnose::check_blocks(&profile, &program.table));
    warnings.extend(diagnose::check_debug_info(program_ref));
    warnings.extend(diagnose::check_size_of_debug_info(program_ref));
    warnings.extend(about_sources);
    Ok(warnings)
}

/// Reads an undamaged profile.
fn read_profile(path: &Path, hints: &Hints) -> Result<Loaded> {
    let input = OpenFile::open(path, hints, |_| false)?.into_input(Compressions::Gzip)?;
    Ok(load(&input, hints)?.undamaged()?)
}

/// Adds up profiles, read in parallel except for the first if it was read before. Refuses a
/// damaged one. Moves their arcs to `arcs`, if given. Returns also whether the sum includes
/// basic-block counts: when gprof reads a BSD file, it forgets the earlier ones.
fn read_profiles(
    paths: &[PathBuf],
    first: Option<Result<Loaded>>,
    hints: &Hints,
    plan: &GprofPlan,
    program: &Program,
    mut arcs: Option<&mut ArcSum<'_>>,
    out: &mut dyn Write,
) -> Result<(Profile, bool)> {
    let takes_arcs = arcs.is_some();
    let of_symbols = |mut loaded: Loaded| -> (Loaded, Option<SymbolArcs>) {
        let arcs = takes_arcs.then(|| loaded.profile.take_arcs());
        let arcs = arcs.map(|arcs| SymbolArcs::new(&arcs, &program.table));
        (loaded, arcs)
    };
    let read = |path: &PathBuf| read_profile(path, hints).map(of_symbols);
    let mut sum = Sum::new(READ_POLICY);
    let (mut version, mut sums_blocks) = (0, false);
    let mut add = |batch: Vec<Result<(Loaded, Option<SymbolArcs>)>>| -> Result<()> {
        for read in batch {
            let (loaded, arcs_of_it) = read?;
            if let (Some(arcs), Some(arcs_of_it)) = (&mut arcs, &arcs_of_it) {
                arcs.add(arcs_of_it);
            }
            let (name, records) = (loaded.path.clone(), loaded.profile.records());
            version = loaded.version.unwrap_or(version);
            sums_blocks = !loaded.layout.is_bsd && (sums_blocks || records.has_blocks);
            sum.add(loaded)?;
            if plan.styles.wants(GprofStyle::FileInfo) {
                write_file_info(out, &name, version, &records).context(CANNOT_WRITE)?;
            }
        }
        Ok(())
    };
    let rest = &paths[usize::from(first.is_some())..];
    if let Some(first) = first {
        add(vec![first.map(of_symbols)])?;
    }
    in_parallel(rest, |path| plain_size(path), read, &mut add)?;
    Ok((sum.into_profile(), sums_blocks))
}

/// Writes gprof's sum of profiles, with arcs and blocks of symbols.
fn write_sum(
    path: &Path,
    profile: &Profile,
    arcs: ArcSum<'_>,
    blocks: Option<Vec<BasicBlockCount>>,
    program: &Program,
    plan: &GprofPlan,
) -> Result<()> {
    let table = &program.table;
    let filters = Filters::resolve(&plan.filters, table);
    let selects = |caller, callee| filters.arcs.selects(table.get(caller), table.get(callee));
    let arcs = arcs.into_arcs(selects);
    let records =
        GmonRecords { histograms: profile.histograms(), arcs: &[&arcs], blocks: blocks.as_deref() };
    let options = WriteOptions {
        encoding: program.encoding,
        layout: plan.layout.unwrap_or(RequestedLayout::Gnu),
        overflow: OVERFLOW,
    };
    let cannot = || format!("cannot write the sum to `{}`", path.display());
    let mut out = Output::open(Some(path)).with_context(cannot)?;
    write_profile(&mut out, &records, &options).with_context(cannot)?;
    out.finish().with_context(cannot)
}

/// Calls from the code, if requested and available.
fn find_static_calls(
    executable: &Executable,
    profile: &Profile,
    table: &SymbolTable,
    plan: &GprofPlan,
) -> Result<(Vec<StaticCall>, Option<Warning>)> {
    // A profile without arcs has no call graph to add static calls to.
    if !plan.static_calls || !profile.records().has_arcs {
        return Ok((Vec::new(), None));
    }
    let ranges: Vec<_> = profile.histograms().iter().map(|h| h.low..h.high).collect();
    match static_calls(executable, table, &ranges) {
        Ok(calls) => Ok((calls, None)),
        Err(error @ StaticCallError::UnknownMachine { .. }) => {
            let reason = error.to_string();
            Ok((Vec::new(), Some(Warning::NoStaticCalls { reason })))
        }
        Err(error) => Err(error.into()),
    }
}

/// Computes and prints. Returns warnings about sources.
fn report(
    profile: &Profile,
    program: &Program,
    calls: &[StaticCall],
    sections: &[GprofSection],
    plan: &GprofPlan,
    out: &mut dyn Write,
) -> Result<Vec<Warning>> {
    let table = &program.table;
    let filters = Filters::resolve(&plan.filters, table);
    let options = plan.analyze_options();
    let mut analysis = Analysis::new(profile, table, &filters, calls, &options);
    if sections.contains(&GprofSection::Order) {
        let named = NamedArcs::resolve(&plan.filters, table);
        let map = program.file_map.as_ref();
        let has_graph = sections.contains(&GprofSection::Graph);
        analysis.order = analysis.linker_order(table, map, &named, calls, has_graph);
    }
    let mut exec_counts = Vec::new();
    if sections.contains(&GprofSection::ExecCounts) {
        exec_counts = analysis.exec_counts(table, &filters);
    }
    let (mut sources, mut warnings) = (Vec::new(), Vec::new());
    if sections.contains(&GprofSection::AnnotatedSource) {
        let counts = analysis.file_counts(table, &filters);
        (sources, warnings) = annotate(&counts, table, plan);
    }
    if plan.is_in_files {
        let unwritten = sources.iter();
        warnings.extend(unwritten.filter_map(|source| write_source(source, table, plan)));
        sources.clear();
    }
    let mut report = GprofReport {
        plan,
        analysis: &analysis,
        exec_counts: &exec_counts,
        sources: &sources,
        names: PrintedNames::new(table, plan),
        has_arcs: profile.records().has_arcs,
    };
    write_report(out, sections, &mut report).context(CANNOT_WRITE)?;
    Ok(warnings)
}

/// Finds and annotates sources, regardless of their age.
fn annotate(
    files: &[FileCounts],
    table: &SymbolTable,
    plan: &GprofPlan,
) -> (Vec<AnnotatedSource>, Vec<Warning>) {
    let mut annotator = Annotator::new(plan.marks);
    let (mut sources, mut warnings) = (Vec::new(), Vec::new());
    let mut known = ReadSources::default();
    for counts in files {
        let name = table.files().name(counts.file);
        let lookup = plan.search.find(name, &mut known);
        warnings.extend(lookup.passed_over.iter().map(diagnose::passed_over));
        match lookup.source {
            Some(source) => sources.push(AnnotatedSource {
                annotations: annotator.annotate(counts, source.n_lines()),
                text: source.text,
            }),
            None => warnings
                .push(Warning::SourceMissing { name: String::from_utf8_lossy(name).into_owned() }),
        }
    }
    (sources, warnings)
}

/// Writes a file `NAME-ann` in the current directory. Returns a warning if that fails.
fn write_source(
    source: &AnnotatedSource,
    table: &SymbolTable,
    plan: &GprofPlan,
) -> Option<Warning> {
    let name = table.files().last_component(source.annotations.file);
    let name: PathBuf = path_of(&[name, b"-ann"].concat());
    let written = write_here(&name, &plan.files, |out| write_annotated(out, source));
    written.err().map(|error| Warning::SourceUnwritten {
        name: name.display().to_string(),
        reason: error.to_string(),
    })
}
