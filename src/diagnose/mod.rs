//! Explains why a report is empty or wrong.
//!
//! Checks examine a profile, its executable and the results. They do not change them.

mod age;
mod arguments;
mod bins;
pub mod browsing;
pub mod catalogue;
mod doctor;
mod error;
mod guesses;
mod inputs;
mod messages;
mod nearby;
mod not_shown;
mod notes;
mod objects;
mod outside;
mod overlays;
mod problems;
mod recorded;
mod run_time;
mod trace;
mod unavailable;
mod unavailable_reports;
mod unknown_name;
mod verdict;
mod warning;

pub use age::older_profiles;
pub use arguments::{Meant, UnusableMap, with_option};
pub use doctor::{
    Finding, Inspected, ProfileState, Status, doctor_section, inspect_build,
    inspect_library_profile, inspect_profile, inspect_values, next_step, short_advice,
};
pub(crate) use error::codes as error_codes;
pub use error::{RunError, RunResult, advise, out_of_memory, over_memory};
pub use guesses::{GuessNote, GuessWords, GuessedCalls, guesses};
pub use inputs::{
    NO_COSTLY_LINES, NO_TIMED_LINES, NOT_REGULAR, OF_LD_PROFILE, cannot_write_sum, changed_file,
    failed_run, found_program, learned, left_out_rows, new_baseline, newer_profiles, origin,
    other_functions, other_names, saved_origin, unprofiled, unused, unused_program,
};
pub use messages::{keep_root_causes, messages};
pub use nearby::{Environment, Nearby, find_nearby, find_programs, holds_library_profile};
pub use not_shown::NotShown;
pub use notes::{
    InlinedCode, counting_time, few_samples, inlined_code, inlined_function, least_calls,
    not_included,
};
pub use objects::{ObjectRef, check_objects};
pub use outside::OutsideCalls;
pub use overlays::check_overlays;
pub use recorded::{check_program, check_recorded};
pub use run_time::{check_counting, check_run};
pub use trace::check_trace;
pub use unavailable::{Fact, Request, SubjectFacts, Unavailable, is_unavailable};
pub use unavailable_reports::{MissingSources, UnavailableReports};
pub use unknown_name::{UnknownName, UnknownWord};
pub use verdict::{
    CalleePosition, CheckedProgram, Doubt, Evidence, EvidenceSide, FittingShare, Judgement,
    RangeFit, Verdict, unused_images, verdict_of_stacks,
};
pub use warning::{FirstOf, SkippedFile, Warning};

use std::fs;
use std::num::NonZeroU32;
use std::path::Path;

use crate::analyze::{CostGraph, Sampling};
use crate::load::{Beside, CounterBits, Loaded};
use crate::model::{Encoding, Profile};
use crate::sources::{PassedOver, SourceText};
use crate::symbols::{Granularity, NamesFrom, Program, SymbolTable, System};

/// Percentage of ticks outside of functions from which to warn.
const NOTABLE_PERCENT: f64 = 1.0;

/// Warnings about one file, before it is added to others. Does not assume a rate if one was
/// requested.
pub fn check_file(loaded: &Loaded, asked_rate: Option<NonZeroU32>) -> Vec<Warning> {
    let path = || loaded.path.clone();
    let mut warnings = Vec::new();
    if let Some(damage) = &loaded.damage {
        let lacks_calls = loaded.profile.arcs().is_empty();
        warnings.push(Warning::Damaged { path: path(), damage: damage.clone(), lacks_calls });
    }
    warnings.extend(loaded.skipped.map(|skipped| Warning::LinesSkipped { path: path(), skipped }));
    warnings.extend(check_beside(loaded, asked_rate));
    warnings.extend(loaded.cut_names.map(|cut| Warning::NamesCut { file: path(), cut }));
    let unnamed = loaded.profile.costs.unnamed_number;
    warnings.extend(unnamed.map(|number| Warning::UnnamedNumber { path: path(), number }));
    warnings.extend(bins::saturated(loaded));
    let rate = loaded.profile.histograms().first().map(|h| h.clock.rate);
    if let (true, Some(Some(rate)), None) = (loaded.layout.lacks_rate, rate, asked_rate) {
        warnings.push(Warning::AssumedRate { path: path(), rate: rate.get() });
    }
    warnings
}

/// Warnings about other memory in a file, erased or not, and counters that are certainly of
/// another width.
fn check_beside(loaded: &Loaded, asked_rate: Option<NonZeroU32>) -> Vec<Warning> {
    let path = || loaded.path.clone();
    let Beside { around, tail, has_erased_rate, likely_width } = loaded.beside;
    let tail = tail.map(|(n_bytes, fill)| Warning::ErasedTail { path: path(), n_bytes, fill });
    let around =
        around.map(|(n_before, n_after)| Warning::WithinMemory { path: path(), n_before, n_after });
    let has_no_rate = has_erased_rate && asked_rate.is_none();
    let rate = has_no_rate.then(|| Warning::ErasedRate { path: path() });
    let width = likely_width.filter(|width| *width == CounterBits::Eight);
    let width = width.map(|width| counter_width(path(), width, false));
    [around, tail, rate, width].into_iter().flatten().collect()
}

/// The warning that counters seem to have another width. `contradicts` is whether the executable
/// does not match with the width that was assumed.
pub fn counter_width(path: String, width: CounterBits, contradicts: bool) -> Warning {
    Warning::CounterWidth { path, bits: 8 * width.bytes(), contradicts }
}

/// The executable, and its path as given.
#[derive(Clone, Copy, Debug)]
pub struct ProgramRef<'a> {
    pub path: &'a Path,
    /// Its contents.
    pub program: &'a Program,
}

/// The urgent warning that follows from a verdict.
pub fn check_verdict(verdict: &Verdict, executable: &Path) -> Option<Warning> {
    let executable = executable.display().to_string();
    let evidence = || verdict.against().map(ToString::to_string).collect();
    let nothing_in_code = verdict.evidence.iter().find_map(|evidence| match *evidence {
        Evidence::NothingInCode { profile, code } => Some((profile, code)),
        _ => None,
    });
    match (verdict.judgement, nothing_in_code) {
        (Judgement::LoadedElsewhere { base }, _) => {
            Some(Warning::LoadedElsewhere { executable, base })
        }
        (Judgement::OtherBuild, Some((profile, code))) => {
            Some(Warning::OutsideCode { executable, profile, code })
        }
        (Judgement::OtherBuild, None) => {
            Some(Warning::OtherBuild { executable, evidence: evidence() })
        }
        (Judgement::CannotTell(Doubt::Contradictions), _) => {
            Some(Warning::DoubtfulBuild { executable, evidence: evidence() })
        }
        (Judgement::CannotTell(_) | Judgement::SameBuild, _) => None,
    }
}

/// Warnings about the whole profile, with a program that may match or is known not to.
pub fn check(
    profile: &Profile,
    encoding: Option<Encoding>,
    program_ref: Option<ProgramRef<'_>>,
    costs: &CostGraph,
    may_be_program: bool,
) -> Vec<Warning> {
    let mut warnings = Vec::new();
    match program_ref {
        None => warnings.push(Warning::NoExecutable),
        Some(program_ref) => warnings.extend(check_executable(profile, encoding, program_ref)),
    }
    let within = program_ref.filter(|_| may_be_program);
    let outside = within.and_then(|within| OutsideCalls::count(profile, within));
    let n_outside = outside.as_ref().map_or(0, |outside| outside.n_to);
    // Calls out of the program show where the time went, and explain missing ticks.
    let knows_where = outside.is_some();
    warnings.extend(outside.map(|calls| Warning::CallsOutside { calls }));
    warnings.extend(check_emptiness(profile, program_ref, knows_where));
    if program_ref.is_some() {
        warnings.extend(check_attribution(profile, costs, n_outside));
        warnings.extend(bins::coarse(profile, program_ref));
    }
    warnings.extend(check_rates(profile));
    warnings
}

/// Warns of missing times or calls, unless the cause is known.
fn check_emptiness(
    profile: &Profile,
    program_ref: Option<ProgramRef<'_>>,
    knows_where: bool,
) -> Vec<Warning> {
    let records =
        [profile.histograms().is_empty(), profile.arcs().is_empty(), profile.blocks().is_empty()];
    if records.iter().all(|is_empty| *is_empty) {
        return vec![Warning::NoRecords];
    }
    let mut warnings = Vec::new();
    if profile.n_ticks() == 0 && !knows_where {
        warnings.push(no_ticks(program_ref));
    }
    // A parent process that only waited made no calls either.
    if profile.arcs().is_empty() && !warnings.contains(&Warning::NoTicksOfChild) {
        let counts = |one: &ProgramRef<'_>| one.program.calls_mcount == Some(true);
        let counting = program_ref.filter(counts);
        warnings.push(Warning::NoCalls {
            counted_by: counting.map(|one| one.path.display().to_string()),
        });
    }
    warnings
}

/// Why a profile of addresses has no times.
fn why_empty(profile: &Profile, program_ref: ProgramRef<'_>) -> Option<Warning> {
    let is_by_address = profile.kind.is_some_and(|kind| kind.is_by_address);
    if !is_by_address || profile.n_ticks() > 0 || !profile.blocks().is_empty() {
        return None;
    }
    let outside = OutsideCalls::count(profile, program_ref);
    let elsewhere = outside.map(|calls| Warning::CallsOutside { calls });
    elsewhere.or_else(|| check_emptiness(profile, Some(program_ref), false).into_iter().next())
}

fn no_ticks(program_ref: Option<ProgramRef<'_>>) -> Warning {
    let linkage = program_ref.map(|program_ref| program_ref.program.linkage.clone());
    let linkage = linkage.unwrap_or_default();
    // Linux does not pass the timer of the profiler on to the child process.
    if linkage.forks && linkage.system == Some(System::Linux) {
        return Warning::NoTicksOfChild;
    }
    Warning::NoTicks { linkage }
}

/// Warnings about the sum of several objects. Ticks outside of functions count if the user gave
/// all objects.
pub fn check_joined(profile: &Profile, costs: &CostGraph, are_all_given: bool) -> Vec<Warning> {
    let mut warnings = Vec::new();
    if are_all_given {
        warnings.extend(check_attribution(profile, costs, 0));
    }
    warnings.extend(check_rates(profile));
    warnings
}

fn check_executable(
    profile: &Profile,
    encoding: Option<Encoding>,
    program_ref: ProgramRef<'_>,
) -> Vec<Warning> {
    let program = program_ref.program;
    let mut warnings: Vec<_> = check_machine(encoding, program_ref).into_iter().collect();
    if profile.arcs().is_empty() && program.calls_mcount == Some(false) {
        warnings.push(Warning::NotBuiltForProfiling {
            executable: program_ref.path.display().to_string(),
        });
    }
    warnings.extend(check_parts(program_ref));
    warnings
}

/// Warns if profile and executable are for different machines.
fn check_machine(encoding: Option<Encoding>, program_ref: ProgramRef<'_>) -> Option<Warning> {
    let program = program_ref.program;
    let encoding = encoding.filter(|&encoding| encoding != program.encoding)?;
    Some(Warning::OtherMachine {
        executable: program_ref.path.display().to_string(),
        profile: encoding,
        program: program.encoding,
    })
}

/// Warnings about the executable alone.
fn check_parts(program_ref: ProgramRef<'_>) -> Vec<Warning> {
    let refused = program_ref.program.refused.iter();
    let refused = refused.map(|refusal| Warning::DebugFileRefused {
        path: refusal.path.display().to_string(),
        reason: refusal.reason.to_string(),
    });
    let parts = [
        check_stripped(program_ref),
        check_debug_info(program_ref),
        check_cut_names(program_ref),
        check_size_of_debug_info(program_ref),
        check_split(program_ref),
    ];
    parts.into_iter().flatten().chain(refused).collect()
}

/// Warns of names that were cut.
fn check_cut_names(program_ref: ProgramRef<'_>) -> Option<Warning> {
    let cut = program_ref.program.cut_names?;
    Some(Warning::NamesCut { file: program_ref.path.display().to_string(), cut })
}

/// Warns of a missing symbol table.
fn check_stripped(program_ref: ProgramRef<'_>) -> Option<Warning> {
    let from = &program_ref.program.names_from;
    let is_stripped = matches!(from, NamesFrom::DynamicSymbols | NamesFrom::Nothing);
    is_stripped.then(|| Warning::Stripped {
        executable: program_ref.path.display().to_string(),
        has_dynamic_names: *from == NamesFrom::DynamicSymbols,
    })
}

/// The path of the executable or its debug file.
fn debug_file(program_ref: ProgramRef<'_>) -> String {
    let file = program_ref.program.debug_file.as_deref();
    file.unwrap_or(program_ref.path).display().to_string()
}

/// Warns of unusable debug information.
pub fn check_debug_info(program_ref: ProgramRef<'_>) -> Option<Warning> {
    let notes = &program_ref.program.notes;
    Some(Warning::DebugInfoDamaged {
        note: notes.first()?.clone(),
        file: debug_file(program_ref),
        n_notes: notes.len(),
    })
}

/// Warns of debug information above the memory limit.
pub fn check_size_of_debug_info(program_ref: ProgramRef<'_>) -> Option<Warning> {
    let program = program_ref.program;
    let skipped = || Warning::DebugInfoTooLarge {
        file: debug_file(program_ref),
        percent: program.percent_skipped,
    };
    program.is_too_large.then(skipped)
}

/// Warns of missing files of split debug information.
fn check_split(program_ref: ProgramRef<'_>) -> Option<Warning> {
    let missing = program_ref.program.missing_split.as_ref()?;
    Some(Warning::SplitDebugMissing {
        executable: debug_file(program_ref),
        n_missing: missing.n_missing,
        n_units: missing.n_units,
        file: missing.file.display().to_string(),
    })
}

/// Warns of a source newer than its executable.
pub fn check_source(source: &SourceText, executable: &Path) -> Option<Warning> {
    let built = fs::metadata(executable).and_then(|metadata| metadata.modified());
    let is_newer = source.modified? > built.ok()?;
    is_newer.then(|| Warning::SourceNewer {
        path: source.path.display().to_string(),
        executable: executable.display().to_string(),
    })
}

/// Warns of a source that is not a regular file.
pub fn passed_over(found: &PassedOver) -> Warning {
    Warning::SourcePassedOver {
        path: found.path.display().to_string(),
        reason: found.reason.clone(),
    }
}

/// Warns of unusable basic-block counts, and of calls that these contradict.
pub fn check_blocks(profile: &Profile, table: &SymbolTable) -> Vec<Warning> {
    let is_by_function = table.granularity() == Granularity::Functions;
    let has_blocks = !profile.blocks().is_empty();
    let need_lines = (has_blocks && is_by_function).then_some(Warning::BlocksNeedLines);
    let wrapped = bins::wrapped_calls(profile, table);
    wrapped.into_iter().chain(need_lines).collect()
}

/// Warns of ticks and calls outside of functions; `n_outside` calls leave the program.
pub fn check_attribution(profile: &Profile, costs: &CostGraph, n_outside: u64) -> Vec<Warning> {
    let sampling = costs.sampling.iter();
    let n_lost_calls = costs.calls.n_lost_calls.saturating_sub(n_outside);
    let check = |sampling| check_unattributed(sampling, profile.n_ticks() as f64, n_lost_calls);
    sampling.flat_map(check).collect()
}

fn check_unattributed(sampling: &Sampling, n_ticks: f64, n_calls: u64) -> Vec<Warning> {
    let percent = |ticks: f64| 100.0 * ticks / n_ticks;
    let mut warnings = Vec::new();
    if percent(sampling.outside) >= NOTABLE_PERCENT {
        warnings.push(Warning::OutsideFunctions {
            n_ticks: sampling.outside,
            percent: percent(sampling.outside),
        });
    }
    if percent(sampling.profiler) >= NOTABLE_PERCENT {
        warnings.push(Warning::ProfilerTime {
            n_ticks: sampling.profiler,
            percent: percent(sampling.profiler),
        });
    }
    if n_calls > 0 {
        warnings.push(Warning::LostCalls { n_calls });
    }
    warnings
}

fn check_rates(profile: &Profile) -> Option<Warning> {
    let histograms = profile.histograms().iter();
    let mut rates = histograms.filter(|h| h.n_bins > 0).map(|h| h.clock.rate);
    let first = rates.next()?;
    if first.is_none() {
        return Some(Warning::NoRate);
    }
    rates.any(|rate| rate != first).then_some(Warning::MixedRates)
}
