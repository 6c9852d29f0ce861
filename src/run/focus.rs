//! Where it cannot be told what runs through a function.

use crate::analyze::{CostGraph, TotalsFrom};
use crate::cli::{OutputStyle, Plan};
use crate::diagnose::{RunError, Warning};
use crate::filter::FocusSet;
use crate::model::Profile;
use crate::symbols::{SymbolId, SymbolTable};

/// Refuses to tell what runs through a function where no calls were counted.
pub(super) fn check_calls(plan: &Plan, profile: &Profile) -> Result<(), RunError> {
    match profile.arcs() {
        [] if !plan.filters.focus.is_empty() => Err(RunError::NoPaths {
            what: "no calls were counted",
            advice: "compile with -pg, which counts them; -p and --keep choose functions \
                without calls",
        }),
        _ => Ok(()),
    }
}

/// Refuses to tell it of inlined code, which no call leads to.
pub(super) fn check_inlined(focus: &FocusSet, table: &SymbolTable) -> Result<(), RunError> {
    let is_function = |id: &SymbolId| table.enclosing_function(*id) == *id;
    let is_inlined = |named: &dyn Fn(SymbolId) -> bool| {
        let symbols = table.iter().map(|(id, _)| id);
        let mut named = symbols.filter(|&id| named(id)).peekable();
        named.peek().is_some() && !named.any(|id| is_function(&id))
    };
    if is_inlined(&|id| focus.focuses(id)) || is_inlined(&|id| focus.ignores(id)) {
        return Err(RunError::NoPaths {
            what: "it is inlined code only, and no call leads there",
            advice: "name the function around it, or build with -fno-inline",
        });
    }
    Ok(())
}

/// Refuses to tell it where neither stacks nor calls were recorded.
pub(super) fn check_stacks(
    plan: &Plan,
    profile: &Profile,
    costs: &CostGraph,
) -> Result<(), RunError> {
    let has_paths = matches!(costs.totals_from, TotalsFrom::Stacks | TotalsFrom::Arcs);
    if has_paths || plan.filters.focus.is_empty() {
        return Ok(());
    }
    let (what, advice) = match profile.kind {
        _ if profile.history.is_some() => (
            "a trace names who asked for memory, and not who called",
            "let mpatrol write a profile too (its option PROF), which has call stacks",
        ),
        _ if costs.is_heap => (
            "this profile has no call stacks",
            "build the program so that mpatrol can follow its stack: -fno-omit-frame-pointer",
        ),
        Some(kind) if !kind.is_standard_ml => (
            "no calls were recorded",
            "record them: valgrind --tool=callgrind ./PROGRAM",
        ),
        _ => (
            "the profile has totals of functions, and not by whose calls",
            "--keep '(from \"NAME\")' shows the functions that NAME may call",
        ),
    };
    Err(RunError::NoPaths { what, advice })
}

/// What is of everything in a report of a part.
pub(super) fn of_part(style: OutputStyle, costs: &CostGraph) -> Option<Warning> {
    let is_of_all = style == OutputStyle::Bins && costs.focus.is_some();
    is_of_all.then_some(Warning::NotRecorded {
        what: "the sizes of blocks are those of all: they were not counted by call stack",
        advice: "leave --bins out, or --focus and --ignore",
    })
}
