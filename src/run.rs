//! The pipeline. The only file that knows every room.

use std::fs::File;
use std::io::{self, Read, Write};
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail};

use crate::analyze::{FileSummary, OrderOf, analyze, order, summed_arcs, summed_blocks};
use crate::cli::{Face, Plan};
use crate::diagnose::{self, RunError, Subject, Warning};
use crate::filter::Filters;
use crate::load::{
    Hints, Input, Loaded, Overflow, Records, Requested, Sum, WriteOptions, load, write_profile,
};
use crate::model::{Encoding, Profile};
use crate::output::Output;
use crate::report::gnu::{self, NameOptions, Names, Section, TextOptions, write_report};
use crate::report::write_file_info;
use crate::symbols::{
    CallSearch, Executable, FileMap, Program, StaticCall, StaticCallError, SymbolTable,
    read_program, static_calls,
};

const CANNOT_WRITE: &str = "cannot write the report";

/// What the terminal, if there is one, makes of the report.
#[derive(Clone, Copy, Debug)]
pub struct Surface {
    /// Control characters in names must not reach it.
    pub escapes_controls: bool,
    /// It shows colour.
    pub has_color: bool,
}

/// Makes the report of a plan, and returns what is odd about the profile.
///
/// # Errors
/// When an input cannot be used, or the report cannot be written.
pub fn run(plan: &Plan, surface: Surface, out: &mut dyn Write) -> Result<Vec<Warning>> {
    match plan.face {
        Face::Gprof => run_gprof(plan, surface, out),
        Face::Profan => run_profan(plan, surface, out),
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
    let program = read_program(&executable, &plan.symbols)?;
    let mut sum = Sum::new(plan.manner());
    let mut version = 0;
    for path in &profiles {
        let loaded = load(&Input::open(path)?, &hints(plan, Some(&program)))?;
        let (name, records) = (loaded.path().to_owned(), loaded.profile().records());
        version = loaded.version().unwrap_or(version);
        sum.add(undamaged(loaded)?)?;
        if plan.styles.wants_file_info {
            gnu::write_file_info(out, &name, version, &records).context(CANNOT_WRITE)?;
        }
    }
    let profile = sum.into_profile();
    if let Some(path) = &plan.sum {
        write_gprof_sum(path, &profile, &program, plan)?;
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
    let search = CallSearch::Gprof(&ranges);
    let (calls, no_calls) = find_static_calls(Some(&executable), &program.table, search, plan)?;
    let evidence = Evidence {
        profile: &profile,
        table: &program.table,
        static_calls: &calls,
        file_map: program.file_map.as_ref(),
    };
    report(&evidence, &sections, plan, surface, out)?;
    let subject = Subject {
        path: executable.path(),
        program: &program,
    };
    let unused_blocks = (!profile.blocks().is_empty()).then_some(Warning::BlocksNeedLines);
    let debug_info = diagnose::check_debug_info(subject);
    let warnings = no_calls.into_iter().chain(unused_blocks);
    Ok(warnings.chain(debug_info).collect())
}

fn run_profan(plan: &Plan, surface: Surface, out: &mut dyn Write) -> Result<Vec<Warning>> {
    let (executable, paths) = sort_out(&plan.files)?;
    let program = match &executable {
        Some(executable) => Some(read_program(executable, &plan.symbols)?),
        None => None,
    };
    let (mut profile, encoding, mut warnings) = read_profiles(&paths, plan, program.as_ref(), out)?;
    if let (Some(path), Some(encoding)) = (&plan.sum, encoding) {
        let records = Records {
            histograms: profile.histograms(),
            arcs: profile.arcs(),
            blocks: Some(profile.blocks()).filter(|blocks| !blocks.is_empty()),
        };
        write_sum(path, &records, encoding, plan)?;
    }
    if plan.styles.prints_no_report() {
        return Ok(warnings);
    }
    if let Some(base) = plan.base {
        let link_base = program.as_ref().map_or(0, |program| program.link_base.0);
        profile.move_down(base.0.0.wrapping_sub(link_base));
    }
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
    let (calls, no_calls) =
        find_static_calls(executable.as_ref(), table, CallSearch::Decode, plan)?;
    warnings.extend(no_calls);
    let evidence = Evidence {
        profile: &profile,
        table,
        static_calls: &calls,
        file_map: program
            .as_ref()
            .and_then(|program| program.file_map.as_ref()),
    };
    let analysis = report(&evidence, &sections, plan, surface, out)?;
    let subject = executable.as_ref().zip(program.as_ref());
    let subject = subject.map(|(executable, program)| Subject {
        path: executable.path(),
        program,
    });
    warnings.extend(diagnose::check(&profile, encoding, subject, &analysis));
    Ok(warnings)
}

/// Tells the executable from the profiles, by what is in them. Where one of them
/// is missing, its usual name is tried.
fn sort_out(files: &[PathBuf]) -> Result<(Option<Executable>, Vec<PathBuf>)> {
    let mut executable: Option<Executable> = None;
    let mut profiles = Vec::new();
    for path in files {
        if !is_executable(path)? {
            profiles.push(path.clone());
            continue;
        }
        if let Some(first) = &executable {
            bail!(RunError::TwoExecutables {
                first: first.path().display().to_string(),
                second: path.display().to_string(),
            });
        }
        executable = Some(Executable::open(path)?);
    }
    let usual = Path::new("a.out");
    if executable.is_none() && is_executable(usual).unwrap_or(false) {
        executable = Some(Executable::open(usual)?);
    }
    if profiles.is_empty() {
        let usual = PathBuf::from("gmon.out");
        if !usual.exists() {
            bail!(RunError::NoProfile);
        }
        profiles.push(usual);
    }
    Ok((executable, profiles))
}

/// Bytes at the start of a file that tell what it is.
const HEAD_SIZE: u64 = 4096;

fn is_executable(path: &Path) -> Result<bool> {
    if path == Path::new("-") {
        return Ok(false);
    }
    let read_head = || -> io::Result<Vec<u8>> {
        let mut head = Vec::new();
        File::open(path)?.take(HEAD_SIZE).read_to_end(&mut head)?;
        Ok(head)
    };
    let head = read_head().map_err(|source| RunError::Unreadable {
        path: path.display().to_string(),
        source,
    })?;
    Ok(Executable::is_one(&head))
}

/// Adds up profiles. Returns the sum, how the first one stores words, and what is
/// odd about single files.
fn read_profiles(
    paths: &[PathBuf],
    plan: &Plan,
    program: Option<&Program>,
    out: &mut dyn Write,
) -> Result<(Profile, Option<Encoding>, Vec<Warning>)> {
    let hints = hints(plan, program);
    let mut sum = Sum::new(plan.manner());
    let mut warnings = Vec::new();
    let mut encoding = None;
    for path in paths {
        let mut loaded = load(&Input::open(path)?, &hints)?;
        if plan.is_strict {
            loaded = undamaged(loaded)?;
        }
        warnings.extend(diagnose::check_file(&loaded));
        encoding = encoding.or(Some(loaded.encoding()));
        if plan.styles.wants_file_info {
            write_file_info(out, &summary_of(&loaded)).context(CANNOT_WRITE)?;
        }
        sum.add(loaded)?;
    }
    Ok((sum.into_profile(), encoding, warnings))
}

fn summary_of(loaded: &Loaded) -> FileSummary {
    FileSummary::new(
        loaded.path(),
        loaded.layout().to_string(),
        loaded.encoding(),
        loaded.version().unwrap_or(0),
        loaded.profile(),
    )
}

/// Writes what gprof makes of profiles: arcs and blocks are those of symbols.
fn write_gprof_sum(path: &Path, profile: &Profile, program: &Program, plan: &Plan) -> Result<()> {
    let table = &program.table;
    let filters = Filters::resolve(&plan.filters, table);
    let blocks = summed_blocks(profile.blocks(), table);
    let records = Records {
        histograms: profile.histograms(),
        arcs: &summed_arcs(profile, table, &filters),
        blocks: profile.records().has_blocks.then_some(&*blocks),
    };
    write_sum(path, &records, program.encoding, plan)
}

fn write_sum(path: &Path, records: &Records<'_>, encoding: Encoding, plan: &Plan) -> Result<()> {
    let options = WriteOptions {
        encoding,
        layout: plan.layout.unwrap_or(Requested::Gnu),
        overflow: match plan.face {
            Face::Profan => Overflow::Spill,
            Face::Gprof => Overflow::Wrap,
        },
    };
    let cannot = || format!("cannot write the sum to `{}`", path.display());
    let mut out = Output::open(Some(path)).with_context(cannot)?;
    write_profile(&mut out, records, &options).with_context(cannot)?;
    out.finish().with_context(cannot)
}

fn undamaged(loaded: Loaded) -> Result<Loaded> {
    match loaded.damage() {
        None => Ok(loaded),
        Some(_) => {
            let error = loaded.into_error().expect("damage makes an error");
            Err(error.into())
        }
    }
}

fn hints(plan: &Plan, program: Option<&Program>) -> Hints {
    Hints {
        encoding: program.map(|program| program.encoding),
        layout: plan.layout,
        manner: plan.manner(),
        has_short_long: plan.face == Face::Profan && program.is_some_and(|p| p.is_windows),
    }
}

/// The parts to print: a call graph only where calls were recorded, unless it was
/// asked for, and a flat profile for calls alone too.
fn sections_of(profile: &Profile, plan: &Plan) -> Vec<Section> {
    let mut records = profile.records();
    records.has_histogram = true;
    records.has_arcs = !profile.arcs().is_empty();
    plan.styles.sections(&records, plan.text.flavor)
}

/// The calls that stand in the code, where they are asked for and can be told.
fn find_static_calls(
    executable: Option<&Executable>,
    table: &SymbolTable,
    search: CallSearch<'_>,
    plan: &Plan,
) -> Result<(Vec<StaticCall>, Option<Warning>)> {
    let Some(executable) = executable.filter(|_| plan.static_calls) else {
        return Ok((Vec::new(), None));
    };
    match static_calls(executable, table, search) {
        Ok(calls) => Ok((calls, None)),
        Err(error @ StaticCallError::UnknownMachine { .. }) => {
            let reason = error.to_string();
            Ok((Vec::new(), Some(Warning::NoStaticCalls { reason })))
        }
        Err(error) => Err(error.into()),
    }
}

/// What a report is made from.
struct Evidence<'a> {
    profile: &'a Profile,
    table: &'a SymbolTable,
    static_calls: &'a [StaticCall],
    file_map: Option<&'a FileMap>,
}

/// Counts and prints.
fn report(
    evidence: &Evidence<'_>,
    sections: &[Section],
    plan: &Plan,
    surface: Surface,
    out: &mut dyn Write,
) -> Result<crate::analyze::Analysis> {
    let &Evidence {
        profile,
        table,
        static_calls,
        file_map,
    } = evidence;
    let filters = Filters::resolve(&plan.filters, table);
    let mut analysis = analyze(
        profile,
        table,
        &filters,
        static_calls,
        &plan.analyze_options(),
    );
    if sections.contains(&Section::Order) {
        let of = file_map.map_or(OrderOf::Functions(&filters), OrderOf::Files);
        analysis.order = order(&analysis, table, of);
    }
    let names = Names::new(
        table,
        NameOptions {
            demangle: plan.text.demangle,
            escapes_controls: surface.escapes_controls,
            shows_paths: plan.text.shows_paths,
        },
    );
    let options = TextOptions {
        flavor: plan.text.flavor,
        explains: plan.text.explains,
        width: plan.text.width,
        always_seconds: plan.face == Face::Gprof,
        follows_text: plan.styles.wants_file_info,
        has_arcs: profile.records().has_arcs,
        has_color: surface.has_color,
    };
    write_report(out, sections, &analysis, &names, &options).context(CANNOT_WRITE)?;
    Ok(analysis)
}
