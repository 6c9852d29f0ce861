//! How a program was built.

use std::collections::BTreeMap;

use super::Status::{self, Bad, Good, Note};
use super::words::some_of;
use super::{Finding, Inspected};
use crate::diagnose::Environment;
use crate::report::number::counted;
use crate::sources::{SourceSearch, trust_option};
use crate::symbols::{NamesFrom, Program, Symbol, SymbolTable, System};

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

/// Findings about a program, from linking to compilation.
pub fn inspect_build(inspected: &Inspected<'_>, search: &SourceSearch) -> Vec<Finding> {
    let program = inspected.program;
    // A stripped program does not have lines either.
    let has_lines = !inspected.is_stripped() || program.table.has_sources();
    let instruments = inspected.instruments;
    let mpatrol = "linked with mpatrol: it can record a heap profile";
    let entries = "built with -finstrument-functions, which does not write a profile";
    let found = [
        ("program", Some(linkage(inspected))),
        ("names", Some(names(program))),
        ("counting", Some(counting(inspected))),
        ("start-up", start_up(inspected)),
        ("processes", processes(inspected)),
        ("exit", inspected.ending().map(|sentence| (Note, sentence.to_owned()))),
        ("mpatrol", instruments.has_mpatrol.then(|| (Note, mpatrol.into()))),
        ("entries", instruments.reports_entries.then(|| (Note, entries.into()))),
        ("sources", has_lines.then(|| sources(inspected, search))),
    ];
    let found = found.into_iter();
    let mut findings: Vec<_> = found
        .filter_map(|(about, found)| {
            let (status, sentence) = found?;
            Some(Finding::new(status, about, sentence))
        })
        .collect();
    findings.extend(environment(inspected.environment));
    findings
}

fn linkage(inspected: &Inspected<'_>) -> (Status, String) {
    let linkage = &inspected.program.linkage;
    let encoding = inspected.program.encoding;
    let machine = inspected.executable.machine().unwrap_or_default();
    if linkage.is_unlinked {
        let sentence = format!("{machine}, {encoding}; an object file, not linked yet");
        return (Bad, sentence);
    }
    let place = if linkage.is_position_independent {
        "position-independent"
    } else {
        "not position-independent"
    };
    let (status, libraries) = match &*linkage.libraries {
        [] if linkage.is_library => (Good, "needs no other library".to_owned()),
        [] => (Good, "linked statically".to_owned()),
        names => {
            let whose = if names.len() == 1 { "its" } else { "their" };
            let names = some_of(names);
            (Note, format!("uses {names}; {whose} time is not in gmon.out"))
        }
    };
    (status, format!("{machine}, {encoding}, {place}; {libraries}"))
}

fn names(program: &Program) -> (Status, String) {
    let symbols = program.table.symbols().iter();
    let named = symbols.filter(|symbol| !symbol.name.starts_with(b"0x"));
    let is_stub = |name: &[u8]| name.starts_with(b".plt") || name.ends_with(b"@plt");
    let n_functions = named.filter(|symbol| !is_stub(&symbol.name)).count() as u64;
    let functions = counted(n_functions, "function", "functions");
    let stripped = |names| {
        let sentence = format!("stripped: {names}; keep the unstripped program");
        (Bad, sentence)
    };
    match (&program.names_from, &program.debug_file) {
        (NamesFrom::SymbolTable, None) => (Good, format!("{functions} with names")),
        (NamesFrom::SymbolTable, Some(file)) => {
            let file = file.display();
            (Good, format!("{functions} with names, some from the debug file {file}"))
        }
        (NamesFrom::DynamicSymbols, _) => stripped("it has only the names for dynamic linking"),
        (NamesFrom::Nothing, _) => stripped("it has no symbol table"),
    }
}

fn counting(inspected: &Inspected<'_>) -> (Status, String) {
    let by_which = |reason| format!("calls are counted; {reason}");
    let instrumented = match (inspected.counts_calls(), &inspected.instrumented) {
        (None, _) => {
            return (Note, "it has no names, so it may or may not count calls".into());
        }
        (Some(false), _) if inspected.is_of_mlton() => {
            let sentence = "compiled by MLton: with -profile, it writes mlmon.out";
            return (Note, sentence.into());
        }
        (Some(false), _) => {
            return (Bad, "no function counts its calls: compiled without -pg".into());
        }
        (Some(true), None) if inspected.program.linkage.is_unlinked => {
            return (Good, by_which("link it to see by which functions"));
        }
        (Some(true), None) => {
            return (Good, by_which("profan cannot tell by which functions on this machine"));
        }
        (Some(true), Some(instrumented)) => instrumented,
    };
    let InstrumentedParts { n_counting, n_all, without } =
        InstrumentedParts::new(&inspected.program.table, instrumented);
    let all = counted(n_all, "function", "functions");
    match (n_counting, n_all) {
        (_, 0) => (Note, by_which("without names it is not known by which functions")),
        (1, 1) => (Good, "its only function counts its calls".into()),
        _ if n_counting == n_all => (Good, format!("all {all} count their calls")),
        _ => {
            let without = match &*without {
                [] => String::new(),
                files => format!("; no function in {} does", some_of(files)),
            };
            (Note, format!("{n_counting} of {all} count their calls{without}"))
        }
    }
}

/// Which parts of a program call mcount.
struct InstrumentedParts {
    n_counting: u64,
    n_all: u64,
    /// Sources without any such function, with their number of functions.
    without: Vec<String>,
}

impl InstrumentedParts {
    /// Code with a source belongs to the program; without any sources, all functions except the
    /// ones in start-up files.
    fn new(table: &SymbolTable, instrumented: &[bool]) -> Self {
        let has_sources = table.has_sources();
        let is_own = |symbol: &Symbol| {
            if has_sources {
                symbol.source.is_some()
            } else {
                symbol.is_function && !OF_START_UP.contains(&&*symbol.name)
            }
        };
        let symbols = table.symbols().iter().zip(instrumented);
        let own = symbols.filter(|&(symbol, &is_counting)| is_counting || is_own(symbol));
        let (mut n_counting, mut n_all) = (0, 0);
        let mut by_file: BTreeMap<&[u8], (u64, u64)> = BTreeMap::new();
        for (symbol, &is_counting) in own {
            n_all += 1;
            n_counting += u64::from(is_counting);
            if let Some(line) = symbol.source {
                let counts = by_file.entry(table.files().last_component(line.file));
                let counts = counts.or_default();
                counts.0 += u64::from(is_counting);
                counts.1 += 1;
            }
        }
        let without = by_file.into_iter().filter(|(_, (n_counting, _))| *n_counting == 0);
        let without = without
            .map(|(file, (_, n_all))| format!("{} ({n_all})", String::from_utf8_lossy(file)));
        Self { n_counting, n_all, without: without.collect() }
    }
}

/// Whether profiling is started, if functions call mcount.
fn start_up(inspected: &Inspected<'_>) -> Option<(Status, String)> {
    let is_counting = inspected.counts_calls()?;
    let linkage = &inspected.program.linkage;
    if linkage.is_unlinked {
        return None;
    }
    let (status, sentence) = match inspected.instruments.has_start_up {
        _ if linkage.is_library => {
            let sentence = "a library: the program that loads it takes samples, but only of itself";
            (Note, sentence)
        }
        true => (Good, "linked with -pg: it takes samples and writes a profile at exit"),
        // Boards have start-up code of their own.
        false if is_counting && linkage.system.is_none() && !linkage.is_dynamic() => {
            (Note, "no start-up code of -pg: the program itself must start and write the profile")
        }
        false if is_counting => {
            (Bad, "linked without -pg: nothing takes samples or writes a profile")
        }
        false => return None,
    };
    Some((status, sentence.to_owned()))
}

/// The effect of child processes on the profile.
fn processes(inspected: &Inspected<'_>) -> Option<(Status, String)> {
    let linkage = &inspected.program.linkage;
    let is_concerned = linkage.forks && linkage.system == Some(System::Linux);
    let counts = inspected.counts_calls() != Some(false);
    (is_concerned && counts).then(|| {
        let sentence = "it calls fork() or daemon(), and child processes take no samples: run it \
            in the foreground, or call moncontrol(1) in the child";
        (Note, sentence.to_owned())
    })
}

/// Environment variables that change the location of profiles.
fn environment(environment: &Environment) -> impl Iterator<Item = Finding> {
    let variables = [
        (
            "GMON_OUT_PREFIX",
            &environment.gmon_out_prefix,
            "glibc writes PREFIX.PID instead of gmon.out",
        ),
        ("PROFDIR", &environment.profdir, "BSD systems write PID.PROGRAM to this directory"),
        ("MPATROL_OPTIONS", &environment.mpatrol_options, "mpatrol uses these options"),
        (
            "LD_PROFILE_OUTPUT",
            &environment.ld_profile_output,
            "LD_PROFILE writes profiles of libraries to this directory",
        ),
    ];
    variables.into_iter().filter_map(|(name, value, meaning)| {
        let value = value.as_ref()?.to_string_lossy();
        let sentence = format!("{name}={value}: {meaning}");
        Some(Finding::new(Note, "environment", sentence))
    })
}

fn sources(inspected: &Inspected<'_>, search: &SourceSearch) -> (Status, String) {
    let table = &inspected.program.table;
    let mut files: Vec<_> = table
        .symbols()
        .iter()
        .filter_map(|symbol| symbol.source.map(|line| table.files().name(line.file)))
        .collect();
    files.sort_unstable();
    files.dedup();
    let trusted = search.trusted_dirs().with_dir_of(inspected.executable.path());
    let (mut missing, mut outside) = (Vec::new(), Vec::new());
    for file in &files {
        let lookup = search.locate_within(file, &trusted);
        match &*lookup.outside {
            _ if lookup.source.is_some() => (),
            [] => missing.push(String::from_utf8_lossy(file)),
            [path, ..] => outside.push(path.clone()),
        }
    }
    let n_files = files.len() as u64;
    let of = counted(n_files, "source file", "source files");
    if let ([], [first, ..]) = (&*missing, &*outside) {
        let n_outside = outside.len();
        let sentence =
            format!("{n_outside} of {of} not read: outside the source tree of the executable");
        let option = trust_option(first).map_or(String::new(), |option| format!("; add {option}"));
        return (Note, sentence + &option);
    }
    match missing.len() {
        _ if files.is_empty() => (Note, "compiled without -g: no source lines".into()),
        0 if n_files == 1 => (Good, "its source file was found".into()),
        0 => (Good, format!("all {of} were found")),
        _ => (Note, format!("not found of {of}: {}", some_of(&missing))),
    }
}
