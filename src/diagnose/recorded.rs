//! Problems of exact profiles: missing names, impossible sums.

use std::path::Path;

use super::{Judgement, ProgramRef, Verdict, Warning, check_cut_names, check_stripped};
use crate::analyze::{CostGraph, metric_named};
use crate::model::Profile;
use crate::symbols::{Executable, Linkage, NamedContexts, Program};

/// Percentage of call sites without a name from which to warn. A few are usually in shared
/// libraries.
const NOTABLE_PERCENT: usize = 50;

/// Warnings about the whole profile.
pub fn check_recorded(
    profile: &Profile,
    costs: &CostGraph,
    names: &NamedContexts,
    executable: Option<(&Executable, &Program)>,
) -> Vec<Warning> {
    let mut warnings = Vec::new();
    let path = executable.map(|(executable, _)| executable.path());
    let program_ref =
        executable.map(|(executable, program)| ProgramRef { path: executable.path(), program });
    let stripped = program_ref.and_then(check_stripped);
    warnings.extend(program_ref.and_then(check_cut_names));
    let unnamed = check_names(profile, names, path);
    // An executable without symbols cannot provide names.
    warnings.extend(unnamed.map(|unnamed| stripped.unwrap_or(unnamed)));
    let n_blocks = n_freed_twice(costs, names);
    if n_blocks > 0 {
        warnings.push(Warning::FreedTwice { n_blocks });
    }
    let is_timed = profile.costs.metrics.iter().any(|metric| metric.rate.is_some());
    let mut rows = profile.costs.samples.rows();
    if is_timed && rows.all(|(_, values)| values.iter().all(|&value| value == 0)) {
        warnings.push(Warning::NoTicks { linkage: Linkage::default() });
    }
    warnings
}

/// Number of blocks freed more often than allocated: in total, or by function if that is
/// less. Blocks that other functions leak do not compensate.
fn n_freed_twice(costs: &CostGraph, names: &NamedContexts) -> i128 {
    let unfreed = metric_named(&costs.shape.metrics, "unfreed-count");
    let Some(unfreed) = unfreed.filter(|_| costs.is_heap()) else {
        return 0;
    };
    let ids = names.table.iter().map(|(id, _)| id);
    let of_functions = ids.map(|id| costs.self_cost(id, unfreed).as_exact().min(0));
    let in_all = costs.all(unfreed).as_exact();
    -of_functions.sum::<i128>().min(in_all)
}

/// The warning that follows from a verdict, for an executable that is then not used.
pub fn check_program(verdict: &Verdict, executable: &Path) -> Option<Warning> {
    let is_other = verdict.judgement == Judgement::OtherBuild;
    is_other.then(|| Warning::OtherProgram {
        executable: executable.display().to_string(),
        evidence: verdict.against().map(ToString::to_string).collect(),
    })
}

/// Warns of call sites without a name in both profile and executable.
fn check_names(
    profile: &Profile,
    names: &NamedContexts,
    executable: Option<&Path>,
) -> Option<Warning> {
    let contexts = &profile.costs.contexts;
    let with_address = contexts.iter().filter(|c| c.address.is_some()).count();
    let executable = executable.map(|path| path.display().to_string());
    let n_unnamed = match executable {
        Some(_) => names.n_outside,
        None => {
            let unnamed = contexts.iter().filter(|c| c.function.is_none());
            unnamed.filter(|c| c.address.is_some()).count()
        }
    };
    let is_notable = n_unnamed * 100 > with_address * NOTABLE_PERCENT;
    is_notable.then_some(Warning::Unnamed { n_unnamed, n_contexts: with_address, executable })
}
