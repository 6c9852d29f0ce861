//! Why a report is empty or wrong, said instead of left to guess.
//!
//! The checks look at a profile, its executable and what came of them. They
//! change nothing.

mod bins;
pub mod catalogue;
mod failure;
mod fit;
mod messages;
mod recorded;
mod trace;
mod warning;

pub use failure::{Lack, RunError, advise};
pub use messages::{Message, keep_root_causes, messages};
pub use recorded::{check_program, check_recorded};
pub use trace::check_trace;
pub use warning::{FirstOf, NOT_RECORDED, Warning};

use std::fs;
use std::path::Path;

use crate::analyze::{CostGraph, Sampling};
use crate::load::{Layout, Loaded};
use crate::model::{Encoding, Profile};
use crate::sources::SourceText;
use crate::symbols::{Granularity, NamesFrom, Program, SymbolTable};

/// The share of ticks outside functions, in percent, from which it is worth a word.
const NOTABLE_PERCENT: f64 = 1.0;

/// What one file has to say, before it is summed with others.
#[must_use]
pub fn check_file(loaded: &Loaded) -> Vec<Warning> {
    let path = || loaded.path().to_owned();
    let mut warnings = Vec::new();
    if let Some(damage) = loaded.damage() {
        warnings.push(Warning::Damaged {
            path: path(),
            damage: damage.clone(),
        });
    }
    if let Some(n_bins) = bins::n_saturated(loaded) {
        warnings.push(Warning::Saturated {
            path: path(),
            n_bins,
        });
    }
    let rate = loaded.profile().histograms().first().map(|h| h.clock.rate);
    if let (Layout::OldBsd, Some(Some(rate))) = (loaded.layout(), rate) {
        warnings.push(Warning::AssumedRate {
            path: path(),
            rate: rate.get(),
        });
    }
    warnings
}

/// The executable, and under which name it was given.
#[derive(Clone, Copy, Debug)]
pub struct ProgramRef<'a> {
    /// The name.
    pub path: &'a Path,
    /// What it says about its code.
    pub program: &'a Program,
}

/// What the whole has to say.
#[must_use]
pub fn check(
    profile: &Profile,
    encoding: Option<Encoding>,
    program_ref: Option<ProgramRef<'_>>,
    costs: &CostGraph,
) -> Vec<Warning> {
    let mut warnings = Vec::new();
    let n_ticks = profile.n_ticks();
    match program_ref {
        None => warnings.push(Warning::NoExecutable),
        Some(program_ref) => warnings.extend(check_executable(profile, encoding, program_ref)),
    }
    let misses_code = warnings
        .iter()
        .any(|warning| matches!(warning, Warning::OutsideCode { .. }));
    if n_ticks == 0 {
        warnings.push(Warning::NoTicks);
    }
    let is_known_cause = warnings
        .iter()
        .any(|warning| matches!(warning, Warning::NotBuiltForProfiling { .. }));
    if profile.arcs().is_empty() && !is_known_cause {
        warnings.push(Warning::NoCalls);
    }
    if !misses_code && program_ref.is_some() {
        let sampling = costs.sampling.as_ref();
        warnings.extend(
            sampling
                .iter()
                .flat_map(|s| check_unattributed(s, n_ticks as f64)),
        );
        warnings.extend(bins::coarse(profile, program_ref));
    }
    warnings.extend(check_rates(profile));
    warnings
}

fn check_executable(
    profile: &Profile,
    encoding: Option<Encoding>,
    program_ref: ProgramRef<'_>,
) -> Vec<Warning> {
    let executable = || program_ref.path.display().to_string();
    let program = program_ref.program;
    let mut warnings = Vec::new();
    if let Some(encoding) = encoding.filter(|&encoding| encoding != program.encoding) {
        warnings.push(Warning::OtherMachine {
            executable: executable(),
            profile: encoding,
            program: program.encoding,
        });
    }
    warnings.extend(fit::check(profile, program_ref));
    if profile.arcs().is_empty() && program.calls_profiling_hook == Some(false) {
        warnings.push(Warning::NotBuiltForProfiling {
            executable: executable(),
        });
    }
    warnings.extend(check_stripped(program_ref));
    warnings.extend(check_debug_info(program_ref));
    let refused = program.refused.iter();
    warnings.extend(refused.map(|refusal| Warning::DebugFileRefused {
        path: refusal.path.display().to_string(),
        reason: refusal.reason.to_string(),
    }));
    warnings
}

/// Whether an executable has no symbol table.
fn check_stripped(program_ref: ProgramRef<'_>) -> Option<Warning> {
    let from = &program_ref.program.names_from;
    let is_stripped = matches!(from, NamesFrom::DynamicSymbols | NamesFrom::Nothing);
    is_stripped.then(|| Warning::Stripped {
        executable: program_ref.path.display().to_string(),
        has_dynamic_names: *from == NamesFrom::DynamicSymbols,
    })
}

/// What the debugging information of an executable has to say.
#[must_use]
pub fn check_debug_info(program_ref: ProgramRef<'_>) -> Option<Warning> {
    let notes = &program_ref.program.notes;
    let file = program_ref
        .program
        .debug_file
        .as_deref()
        .unwrap_or(program_ref.path);
    notes.first().map(|note| Warning::DebugInfoDamaged {
        file: file.display().to_string(),
        note: note.clone(),
        n_notes: notes.len(),
    })
}

/// What a source has to say beside its executable.
#[must_use]
pub fn check_source(source: &SourceText, executable: &Path) -> Option<Warning> {
    let built = fs::metadata(executable).and_then(|metadata| metadata.modified());
    let is_newer = source.modified? > built.ok()?;
    is_newer.then(|| Warning::SourceNewer {
        path: source.path.display().to_string(),
        executable: executable.display().to_string(),
    })
}

/// Whether counts of basic blocks are of use.
#[must_use]
pub fn check_blocks(profile: &Profile, table: &SymbolTable) -> Option<Warning> {
    let is_by_function = table.granularity() == Granularity::Functions;
    (!profile.blocks().is_empty() && is_by_function).then_some(Warning::BlocksNeedLines)
}

fn check_unattributed(sampling: &Sampling, n_ticks: f64) -> Vec<Warning> {
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
    if sampling.n_lost_calls > 0 {
        warnings.push(Warning::LostCalls {
            n_calls: sampling.n_lost_calls,
        });
    }
    warnings
}

fn check_rates(profile: &Profile) -> Option<Warning> {
    let mut rates = profile.histograms().iter().map(|h| h.clock.rate);
    let first = rates.next()?;
    if first.is_none() {
        return Some(Warning::NoRate);
    }
    rates
        .any(|rate| rate != first)
        .then_some(Warning::MixedRates)
}
