//! Is this the program that ran, for profiles that record stacks and names: mpatrol's,
//! and callgrind's as far as they have addresses.

use std::collections::HashMap;

use foldhash::fast::RandomState;

use super::{Doubt, Evidence, Judgement, Verdict};
use crate::model::{Address, RecordedCosts};
use crate::symbols::{Code, Executable, ExecutableError, Program, SymbolTable};

/// Of this many return addresses that are in the code one may be where a signal came.
const RETURNS_PER_MISFIT: usize = 10;

/// Whether a program is the one whose return addresses and functions were recorded.
/// Those of a position-independent program have been moved to where it was linked.
///
/// # Errors
/// When the executable is damaged.
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
    Ok(Verdict {
        judgement,
        evidence: parts.into_iter().flatten().collect(),
    })
}

/// How many of something fit.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct FittingShare {
    /// Those that fit.
    pub n_fits: usize,
    /// Those that are in the program at all.
    pub n_all: usize,
}

impl FittingShare {
    fn of(fits: impl Iterator<Item = bool>) -> Self {
        fits.fold(Self::default(), |share, fits| Self {
            n_fits: share.n_fits + usize::from(fits),
            n_all: share.n_all + 1,
        })
    }

    /// Those that do not fit.
    pub fn n_misfits(self) -> usize {
        self.n_all - self.n_fits
    }
}

/// Return addresses in the code that are behind calls.
fn returns(costs: &RecordedCosts, code: &Code<'_>) -> FittingShare {
    if !code.reads_calls() {
        return FittingShare::default();
    }
    let mut returns: Vec<_> = costs.contexts.iter().filter_map(|c| c.address).collect();
    returns.sort_unstable();
    returns.dedup();
    let inside = returns
        .into_iter()
        .filter(|&address| code.contains(address));
    FittingShare::of(inside.map(|address| code.call_returning_to(address).is_some()))
}

/// Functions that start where one of the program does.
fn starts(costs: &RecordedCosts, table: &SymbolTable) -> FittingShare {
    let entries = costs.functions.iter().filter_map(|function| function.entry);
    FittingShare::of(entries.filter_map(|entry| {
        let symbol = table.containing(entry)?;
        Some(table.get(symbol).range.start == entry)
    }))
}

/// Functions of names that the program has too that start where it says.
fn names(costs: &RecordedCosts, program: &Program) -> FittingShare {
    let mut linked: HashMap<&[u8], Vec<Address>, RandomState> = HashMap::default();
    for symbol in program.table.symbols() {
        linked
            .entry(&symbol.name)
            .or_default()
            .push(symbol.range.start);
    }
    let is_inside = |entry: &Address| program.code.iter().any(|piece| piece.contains(entry));
    let functions = costs.functions.iter();
    let named = functions.filter_map(|f| Some((&*f.name, f.entry.filter(is_inside)?)));
    FittingShare::of(named.filter_map(|(name, entry)| Some(linked.get(name)?.contains(&entry))))
}
