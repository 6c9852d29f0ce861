//! Problems of libraries and their profiles, and of combinations of objects.

use super::{
    OutsideCalls, ProgramRef, Warning, bins, check_emptiness, check_executable, check_machine,
    check_parts, no_ticks,
};
use crate::model::{Address, Encoding, Profile};
use crate::symbols::{Library, NamesFrom, SymbolTable};

/// Percentage of calls that may lead to addresses other than the start of a function.
const MISFIT_PERCENT: usize = 10;

/// A program or library with its profile.
#[derive(Clone, Copy, Debug)]
pub struct ObjectRef<'a> {
    pub name: &'a str,
    pub profile: &'a Profile,
    /// Encoding of its profile.
    pub encoding: Option<Encoding>,
    /// Its executable, if given.
    pub program: Option<ProgramRef<'a>>,
    /// It was profiled by `LD_PROFILE`.
    pub is_profiled_library: bool,
    /// Its code, if the shared object was given.
    pub library: Option<&'a Library>,
    /// Number of runs in its profiles; `None` if unknown.
    pub n_runs: Option<u64>,
}

/// Warnings about each object and about their combination.
pub fn check_objects(objects: &[ObjectRef<'_>]) -> Vec<Warning> {
    let is_instrumented = objects.iter().any(|object| {
        let program = object.program.map(|one| one.program);
        !object.is_profiled_library && program.is_some_and(|one| one.calls_mcount == Some(true))
    });
    let mut warnings = Vec::new();
    for object in objects {
        if object.is_profiled_library {
            check_library(object, is_instrumented, &mut warnings)
        } else {
            check_program(object, &mut warnings)
        }
        warnings.extend(bins::coarse(object.profile, object.program));
    }
    warnings.extend(check_runs(objects));
    warnings
}

fn check_program(object: &ObjectRef<'_>, warnings: &mut Vec<Warning>) {
    match object.program {
        Some(program) => {
            warnings.extend(check_executable(object.profile, object.encoding, program));
        }
        None => warnings.push(Warning::NoExecutable),
    }
    let outside = object.program.and_then(|program| OutsideCalls::count(object.profile, program));
    let knows_where = outside.is_some();
    warnings.extend(outside.map(|calls| Warning::CallsOutside { calls }));
    warnings.extend(check_emptiness(object.profile, object.program, knows_where));
}

fn check_library(object: &ObjectRef<'_>, is_instrumented: bool, warnings: &mut Vec<Warning>) {
    let name = || object.name.to_owned();
    match object.program {
        Some(program) => {
            warnings.extend(check_machine(object.encoding, program));
            warnings.extend(check_build(object, program));
            warnings.extend(check_parts(program));
        }
        None => warnings.push(Warning::NoLibrary { library: name() }),
    }
    let has_arcs = !object.profile.arcs().is_empty();
    match (object.profile.n_ticks(), has_arcs) {
        (0, true) => warnings.push(Warning::NoLibraryTicks { library: name(), is_instrumented }),
        (0, false) => warnings.push(no_ticks(object.program)),
        _ => {}
    }
    if !has_arcs {
        warnings.push(Warning::NoLibraryCalls { library: name() });
    }
}

/// Warns if a library is another build than the profiled one.
fn check_build(object: &ObjectRef<'_>, program: ProgramRef<'_>) -> Option<Warning> {
    let other =
        |reason| Warning::OtherLibraryBuild { library: program.path.display().to_string(), reason };
    if let Some(library) = object.library {
        let histograms = object.profile.histograms().iter();
        let mut misfits = histograms.filter(|h| !library.fits(&(h.low..h.high)));
        if let Some(histogram) = misfits.next() {
            return Some(other(format!(
                "its code is at {} to {}, but the profile covers {} to {}",
                library.code.start, library.code.end, histogram.low, histogram.high
            )));
        }
    }
    // The dynamic symbol table does not name all functions.
    if program.program.names_from != NamesFrom::SymbolTable {
        return None;
    }
    let arcs = object.profile.arcs();
    let table = &program.program.table;
    let misfits = arcs.iter().filter(|arc| !is_entry(arc.callee, table));
    let n_misfits = misfits.count();
    (100 * n_misfits > MISFIT_PERCENT * arcs.len()).then(|| {
        other(format!(
            "{n_misfits} of {} recorded calls do not lead to the start of a function",
            arcs.len()
        ))
    })
}

/// Returns whether a function starts at the callee. On ARM, the lowest bit is the instruction
/// set.
fn is_entry(callee: Address, table: &SymbolTable) -> bool {
    let starts_at = |address: Address| {
        let found = table.containing(address).map(|id| table.get(id));
        found.is_some_and(|symbol| symbol.is_function && symbol.range.start == address)
    };
    starts_at(callee) || starts_at(Address(callee.0 & !1))
}

/// Warns if profiles are known to cover different numbers of runs.
fn check_runs(objects: &[ObjectRef<'_>]) -> Option<Warning> {
    let known = || {
        let objects = objects.iter();
        objects.filter_map(|object| Some((object.name.to_owned(), object.n_runs?)))
    };
    let (_, first) = known().next()?;
    known()
        .any(|(_, n_runs)| n_runs != first)
        .then(|| Warning::OtherRuns { n_runs: known().collect() })
}
