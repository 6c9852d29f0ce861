//! How a program was built.

use std::collections::BTreeMap;

use super::words::some_of;
use super::{Finding, Patient, Status};
use crate::report::number::counted;
use crate::sources::SourceSearch;
use crate::symbols::{NamesFrom, Symbol, SymbolTable};

/// Functions of start-up files, which are never built for profiling.
const OF_START_UP: [&[u8]; 15] = [
    b"atexit",
    b"at_quick_exit",
    b"__stack_chk_fail_local",
    b"_start",
    b"_init",
    b"_fini",
    b"__libc_csu_init",
    b"__libc_csu_fini",
    b"_dl_relocate_static_pie",
    b"deregister_tm_clones",
    b"register_tm_clones",
    b"__do_global_dtors_aux",
    b"frame_dummy",
    b"__gmon_start__",
    b"call_weak_fn",
];

/// What the program itself tells, from the linker's part to the compiler's.
#[must_use]
pub fn examine_build(patient: &Patient<'_>, search: &SourceSearch) -> Vec<Finding> {
    let mut findings = vec![linkage(patient), names(patient), hook(patient)];
    findings.extend(start_up(patient));
    findings.extend(other_instruments(patient));
    // What is stripped has no lines either.
    if !patient.is_stripped() || patient.program.table.has_sources() {
        findings.push(sources(&patient.program.table, search));
    }
    findings.extend(environment(patient));
    findings
}

fn linkage(patient: &Patient<'_>) -> Finding {
    let program = patient.program;
    let linkage = &program.linkage;
    let place = match linkage.is_position_independent {
        true => "at any address",
        false => "at a fixed address",
    };
    let encoding = program.encoding;
    let machine = patient.executable.machine().unwrap_or_default();
    if linkage.is_unlinked {
        let sentence = format!("{machine}, {encoding}; an object file that is not linked yet");
        return Finding::new(Status::Bad, "program", sentence);
    }
    let (status, libraries) = match &*linkage.libraries {
        [] if linkage.is_library => (Status::Good, "names no library to load".to_owned()),
        [] => (Status::Good, "linked statically".to_owned()),
        names => (
            Status::Note,
            format!(
                "loads {}, whose time gmon.out does not have",
                some_of(names)
            ),
        ),
    };
    Finding::new(
        status,
        "program",
        format!("{machine}, {encoding}, runs {place}; {libraries}"),
    )
}

fn names(patient: &Patient<'_>) -> Finding {
    let program = patient.program;
    let n_functions = program.table.symbols().len();
    let functions = counted(n_functions as u64, "function", "functions");
    match (&program.names_from, &program.debug_file) {
        (NamesFrom::SymbolTable, None) => {
            Finding::new(Status::Good, "names", format!("{functions} by name"))
        }
        (NamesFrom::SymbolTable, Some(file)) => {
            let file = file.display();
            let sentence = format!("{functions} by name, some of it from its debug file {file}");
            Finding::new(Status::Good, "names", sentence)
        }
        (NamesFrom::DynamicSymbols, _) => Finding::new(
            Status::Bad,
            "names",
            "stripped: only names for dynamic linking are left; keep the program as it was linked",
        ),
        (NamesFrom::Nothing, _) => Finding::new(
            Status::Bad,
            "names",
            "stripped: there are no names; keep the program as it was linked",
        ),
    }
}

fn hook(patient: &Patient<'_>) -> Finding {
    let bad = |sentence: &str| Finding::new(Status::Bad, "counting", sentence);
    let hooked = match (patient.counts_calls(), &patient.hooked) {
        (None, _) => {
            let sentence = "whether calls are counted cannot be told without names";
            return Finding::new(Status::Note, "counting", sentence);
        }
        (Some(false), _) => return bad("no function counts its calls: compiled without -pg"),
        (Some(true), None) if patient.program.linkage.is_unlinked => {
            let sentence = "calls are counted; by which functions can be told once it is linked";
            return Finding::new(Status::Good, "counting", sentence);
        }
        (Some(true), None) => {
            let sentence = "calls are counted; by which functions cannot be told on this machine";
            return Finding::new(Status::Good, "counting", sentence);
        }
        (Some(true), Some(hooked)) => hooked,
    };
    let parts = Parts::new(&patient.program.table, hooked);
    let Parts {
        n_hooked, n_all, ..
    } = parts;
    if n_all == 0 {
        let sentence = "calls are counted; by which functions cannot be told without names";
        return Finding::new(Status::Note, "counting", sentence);
    }
    if (n_hooked, n_all) == (1, 1) {
        return Finding::new(
            Status::Good,
            "counting",
            "its one function counts its calls",
        );
    }
    let all = counted(n_all, "function", "functions");
    if n_hooked == n_all {
        return Finding::new(
            Status::Good,
            "counting",
            format!("all {all} count their calls"),
        );
    }
    let without = match &*parts.without {
        [] => String::new(),
        files => format!("; none of {}", some_of(files)),
    };
    let sentence = format!("{n_hooked} of {all} count their calls{without}");
    Finding::new(Status::Note, "counting", sentence)
}

/// Which parts of a program count their calls.
struct Parts {
    n_hooked: u64,
    n_all: u64,
    /// Sources of which no function does, with the number of these.
    without: Vec<String>,
}

impl Parts {
    /// What has a source is the program's own; where nothing has one, all is but what
    /// start-up files bring along.
    fn new(table: &SymbolTable, hooked: &[bool]) -> Self {
        let has_sources = table.has_sources();
        let is_own = |symbol: &Symbol, is_hooked: bool| match has_sources {
            true => symbol.source.is_some() || is_hooked,
            false => symbol.is_function && !OF_START_UP.contains(&&*symbol.name) || is_hooked,
        };
        let symbols = table.symbols().iter().zip(hooked);
        let own = symbols.filter(|&(symbol, &is_hooked)| is_own(symbol, is_hooked));
        let (mut n_hooked, mut n_all) = (0, 0);
        let mut by_file: BTreeMap<&[u8], (u64, u64)> = BTreeMap::new();
        for (symbol, &is_hooked) in own {
            n_all += 1;
            n_hooked += u64::from(is_hooked);
            if let Some(line) = symbol.source {
                let counts = by_file.entry(table.files().last_component(line.file));
                let counts = counts.or_default();
                counts.0 += u64::from(is_hooked);
                counts.1 += 1;
            }
        }
        let without = by_file
            .into_iter()
            .filter(|(_, (n_hooked, _))| *n_hooked == 0);
        let without = without
            .map(|(file, (_, n_all))| format!("{} ({n_all})", String::from_utf8_lossy(file)));
        Self {
            n_hooked,
            n_all,
            without: without.collect(),
        }
    }
}

/// Whether profiling is started, where there is something to start it for.
fn start_up(patient: &Patient<'_>) -> Option<Finding> {
    let is_counting = patient.counts_calls()?;
    if patient.program.linkage.is_unlinked {
        return None;
    }
    if patient.program.linkage.is_library {
        let sentence = "a library: the program that loads it takes samples, and of itself only";
        return Some(Finding::new(Status::Note, "start-up", sentence));
    }
    match (is_counting, patient.instruments.has_start_up) {
        (_, true) => {
            let sentence = "linked with -pg: samples are taken, and the profile is written";
            Some(Finding::new(Status::Good, "start-up", sentence))
        }
        (true, false) => {
            let sentence = "linked without -pg: nothing takes samples or writes the profile";
            Some(Finding::new(Status::Bad, "start-up", sentence))
        }
        (false, false) => None,
    }
}

fn other_instruments(patient: &Patient<'_>) -> impl Iterator<Item = Finding> {
    let instruments = patient.instruments;
    let note = |about, sentence| Finding::new(Status::Note, about, sentence);
    let mpatrol = instruments.has_mpatrol.then(|| {
        note(
            "mpatrol",
            "its library is there: allocations can be profiled",
        )
    });
    let entries = instruments.reports_entries.then(|| {
        let sentence = "built with -finstrument-functions, which writes no profile by itself";
        note("entries", sentence)
    });
    mpatrol.into_iter().chain(entries)
}

/// What of the environment changes where profiles go.
fn environment(patient: &Patient<'_>) -> impl Iterator<Item = Finding> {
    let environment = patient.environment;
    let variables = [
        (
            "GMON_OUT_PREFIX",
            &environment.gmon_out_prefix,
            "glibc writes profiles to this, a dot and the number of the process, not to gmon.out",
        ),
        (
            "PROFDIR",
            &environment.profdir,
            "BSD systems write profiles to this folder, as PID.PROGRAM",
        ),
        (
            "MPATROL_OPTIONS",
            &environment.mpatrol_options,
            "mpatrol goes by these",
        ),
        (
            "LD_PROFILE_OUTPUT",
            &environment.ld_profile_output,
            "profiles of shared libraries go to this folder",
        ),
    ];
    variables.into_iter().filter_map(|(name, value, meaning)| {
        let value = value.as_ref()?.to_string_lossy();
        let sentence = format!("{name}={value}: {meaning}");
        Some(Finding::new(Status::Note, "environment", sentence))
    })
}

fn sources(table: &SymbolTable, search: &SourceSearch) -> Finding {
    let mut files: Vec<_> = table
        .symbols()
        .iter()
        .filter_map(|symbol| symbol.source.map(|line| table.files().name(line.file)))
        .collect();
    files.sort_unstable();
    files.dedup();
    let missing = files.iter().filter(|file| !search.is_there(file));
    let missing: Vec<_> = missing.map(|file| String::from_utf8_lossy(file)).collect();
    let n_files = files.len() as u64;
    let of = counted(n_files, "source", "sources");
    let status = Status::Note;
    match missing.len() {
        _ if files.is_empty() => Finding::new(
            status,
            "sources",
            "compiled without -g: lines are not known",
        ),
        0 if n_files == 1 => Finding::new(Status::Good, "sources", "its source is there"),
        0 => Finding::new(Status::Good, "sources", format!("all {of} are there")),
        _ => {
            let sentence = format!("of {of} not found: {}", some_of(&missing));
            Finding::new(status, "sources", sentence)
        }
    }
}
