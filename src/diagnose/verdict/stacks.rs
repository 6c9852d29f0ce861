//! Determines whether a program wrote a profile with stacks and names: mpatrol's, and
//! callgrind's with addresses.

use std::collections::HashMap;

use foldhash::fast::RandomState;

use super::evidence::FittingShare;
use super::{Doubt, Evidence, Judgement, Verdict};
use crate::model::{Address, RecordedCosts};
use crate::symbols::{Code, Executable, ExecutableError, Program, SymbolTable};

/// Out of this many return addresses in the code, one may be the target of a signal.
const RETURNS_PER_MISFIT: usize = 10;

/// The verdict from return addresses and functions, with the addresses of the linker.
///
/// # Errors
/// If the executable is damaged.
pub fn verdict_of_stacks(
    costs: &RecordedCosts,
    executable: &Executable,
    program: &Program,
) -> Result<Verdict, ExecutableError> {
    let returns = returns(costs, &Code::new(executable)?);
    let starts = starts(costs, &program.table);
    let names = names(costs, program);
    let is_other = returns.n_misfits() > 1
        && RETURNS_PER_MISFIT * returns.n_misfits() >= returns.n_all
        || names.n_misfits() > names.n_all / RETURNS_PER_MISFIT
        || starts.n_misfits() > starts.n_fits;
    let judgement = if is_other {
        Judgement::OtherBuild
    } else if returns.n_fits + names.n_fits + starts.n_fits > 0 {
        Judgement::SameBuild
    } else {
        Judgement::CannotTell(Doubt::NoEvidence)
    };
    let parts = [
        (starts.n_all > 0).then_some(Evidence::Starts(starts)),
        (names.n_all > 0).then_some(Evidence::Names(names)),
        (returns.n_all > 0).then_some(Evidence::Returns(returns)),
    ];
    Ok(Verdict { judgement, evidence: parts.into_iter().flatten().collect() })
}

/// Return addresses in the code, and those after calls.
fn returns(costs: &RecordedCosts, code: &Code<'_>) -> FittingShare {
    if !code.reads_calls() {
        return FittingShare::default();
    }
    let mut returns: Vec<_> = costs.contexts.iter().filter_map(|c| c.address).collect();
    returns.sort_unstable();
    returns.dedup();
    let inside = returns.into_iter().filter(|&address| code.contains(address));
    FittingShare::of(inside.map(|address| code.call_returning_to(address).is_some()))
}

/// Recorded functions, and those at the start of a function of the program.
fn starts(costs: &RecordedCosts, table: &SymbolTable) -> FittingShare {
    let entries = costs.functions.iter().filter_map(|function| function.entry);
    FittingShare::of(entries.filter_map(|entry| {
        let symbol = table.containing(entry)?;
        Some(table.get(symbol).range.start == entry)
    }))
}

/// Functions whose name the program has, and those at the same address.
fn names(costs: &RecordedCosts, program: &Program) -> FittingShare {
    let mut linked: HashMap<&[u8], Vec<Address>, RandomState> = HashMap::default();
    for symbol in program.table.symbols() {
        linked.entry(&symbol.name).or_default().push(symbol.range.start);
    }
    let is_inside = |entry: &Address| program.code.iter().any(|piece| piece.contains(entry));
    let functions = costs.functions.iter();
    let named = functions.filter_map(|f| Some((&*f.name, f.entry.filter(is_inside)?)));
    FittingShare::of(named.filter_map(|(name, entry)| Some(linked.get(name)?.contains(&entry))))
}
