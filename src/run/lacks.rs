//! Reports that cannot be made of what was recorded: one sentence says why, and what
//! would have it.

use crate::analyze::charges::{Kind, Ledger, TotalsFrom};
use crate::cli::{OutputStyle, Styles};
use crate::diagnose::Warning;
use crate::model::Profile;

/// Why a report cannot be made of what was recorded, if that is so.
pub(super) fn of_charges(
    style: OutputStyle,
    profile: &Profile,
    ledger: &Ledger,
) -> Option<Warning> {
    use OutputStyle as S;
    let is_heap = ledger.kind == Kind::Heap;
    let has_stacks = ledger.totals_from == TotalsFrom::Stacks;
    let has_calls = has_stacks || !profile.charges.possible_calls.is_empty();
    let lack = |what, advice| Some(Warning::NotRecorded { what, advice });
    match style {
        S::Flat if ledger.kind == Kind::Nothing => lack(
            "no flat profile: a table of sources has no numbers",
            "give the mlmon.out of a run too",
        ),
        S::Graph if is_heap && !has_calls => lack(
            "no call graph: a trace names who asked for memory, and not who called",
            "let mpatrol write a profile too (its option PROF), which has call stacks",
        ),
        S::Leaks | S::Bins if !is_heap => lack(
            "no leaks and no sizes: this is no heap profile",
            "give an allocation profile or trace of mpatrol",
        ),
        S::Trace if profile.course.is_none() => lack(
            "no trace: an allocation profile has sums and no events",
            "give the mpatrol.trace that mpatrol writes with its option TRACE",
        ),
        S::Coverage if ledger.kind != Kind::Entries => lack(
            "no coverage: the profile does not count entries of functions",
            "compile with mlton -profile count",
        ),
        S::ExecCounts if !matches!(ledger.kind, Kind::Heap | Kind::Entries) => lack(
            "no counts: the profile measures what functions took, not how often they ran",
            "compile with mlton -profile count",
        ),
        S::FunctionOrder | S::FileOrder => lack(
            "no order for the linker: it is made from the calls that a gmon.out counts",
            "build with -pg for that",
        ),
        _ => None,
    }
}

/// The reports that a gmon.out is asked for and has nothing for.
pub(super) fn of_gmon(styles: &Styles) -> impl Iterator<Item = Warning> {
    use OutputStyle as S;
    let lacks = [
        (S::Leaks, "no leaks: gmon.out records no memory"),
        (S::Bins, "no sizes of blocks: gmon.out records no memory"),
        (S::Trace, "no trace: gmon.out records no events"),
        (
            S::Coverage,
            "no coverage: gmon.out counts calls, which -C and -A show",
        ),
    ];
    let advice = "leave the option out for this file";
    let wanted = lacks.into_iter().filter(|&(style, _)| styles.wants(style));
    wanted.map(move |(_, what)| Warning::NotRecorded { what, advice })
}
