//! Whether the addresses of a profile are those of the executable, and where it
//! must have been loaded if they are not.

use std::collections::{BTreeSet, HashMap};

use super::{ProgramRef, Warning};
use crate::model::{Address, CallArc, Profile};
use crate::symbols::{Program, SymbolTable};

/// A call is recorded by code at the start of the callee: the address lies less
/// than this behind it.
const MAX_PROLOGUE: u64 = 128;

/// Programs are loaded at whole pages.
const PAGE: u64 = 0x1000;

/// Arcs that vote for a load address.
const N_VOTERS: usize = 16;

/// Arcs with fewer callees than this fit anywhere.
const LEAST_CALLEES: usize = 3;

/// How far behind the end of the code a histogram may end: profilers round up.
const MAX_ROUNDING: u64 = 256;

/// The share of calls that must lead to the start of a function.
const LEAST_FIT: f64 = 0.5;

pub(super) fn check(profile: &Profile, program_ref: ProgramRef<'_>) -> Option<Warning> {
    let ProgramRef { path, program } = program_ref;
    let covered = covered_range(profile)?;
    let code = (program.code.first()?.start, program.code.last()?.end);
    if !meets_code(profile, program) {
        return Some(Warning::OutsideCode {
            executable: path.display().to_string(),
            profile: covered,
            code,
            base: load_base(profile, program),
        });
    }
    let arcs = profile.arcs();
    let n_fits = n_entries(arcs, &program.table, 0);
    let is_misfit = arcs.len() > 2 && (n_fits as f64) < LEAST_FIT * arcs.len() as f64;
    (is_misfit && !program.table.symbols().is_empty()).then(|| Warning::OtherBuild {
        executable: path.display().to_string(),
        n_misfits: (arcs.len() - n_fits) as u64,
        n_arcs: arcs.len() as u64,
    })
}

fn covered_range(profile: &Profile) -> Option<(Address, Address)> {
    let histograms = profile.histograms().iter();
    let arcs = profile.arcs().iter().map(|arc| arc.callee);
    let addresses = histograms.flat_map(|h| [h.low, h.high]).chain(arcs);
    let low = addresses.clone().min()?;
    Some((low, addresses.max()?))
}

/// Whether anything of the profile lies in code: the callee of an arc, or a bin
/// with ticks.
fn meets_code(profile: &Profile, program: &Program) -> bool {
    let is_code = |address: Address| {
        let n_before = program.code.partition_point(|piece| piece.start <= address);
        n_before > 0 && address < program.code[n_before - 1].end
    };
    let arcs = profile.arcs();
    if !arcs.is_empty() {
        return arcs.iter().any(|arc| is_code(arc.callee));
    }
    profile.histograms().iter().any(|histogram| {
        // A damaged one may be reversed; that is no matter of where it lies.
        let low = histogram.low.min(histogram.high);
        let high = histogram.low.max(histogram.high);
        let mut pieces = program.code.iter();
        pieces.any(|piece| piece.start < high && low < piece.end)
    })
}

/// How many arcs lead to the start of a function, when the profile's addresses
/// are `slide` bytes too high.
fn n_entries(arcs: &[CallArc], table: &SymbolTable, slide: u64) -> usize {
    let is_entry = |arc: &&CallArc| {
        let callee = Address(arc.callee.0.wrapping_sub(slide));
        table.containing(callee).is_some_and(|id| {
            let start = table.get(id).range.start;
            callee.0 - start.0 < MAX_PROLOGUE
        })
    };
    arcs.iter().filter(is_entry).count()
}

/// The address at which the program must have been loaded for the profile to fit.
fn load_base(profile: &Profile, program: &Program) -> Option<Address> {
    let slide = slide_by_arcs(profile.arcs(), &program.table)
        .or_else(|| slide_by_range(profile, program))?;
    Some(Address(program.link_base.0.wrapping_add(slide)))
}

/// The slide for which most arcs lead to the start of a function. A few arcs
/// vote for every slide by whole pages that puts them just behind some function;
/// all arcs then judge the winner.
fn slide_by_arcs(arcs: &[CallArc], table: &SymbolTable) -> Option<u64> {
    let callees: BTreeSet<Address> = arcs.iter().map(|arc| arc.callee).collect();
    if callees.len() < LEAST_CALLEES {
        return None;
    }
    let mut votes: HashMap<u64, usize> = HashMap::new();
    let step = (callees.len() / N_VOTERS).max(1);
    for callee in callees.iter().step_by(step).take(N_VOTERS) {
        for symbol in table.symbols() {
            let distance = callee.0.wrapping_sub(symbol.range.start.0);
            if distance % PAGE < MAX_PROLOGUE {
                *votes.entry(distance - distance % PAGE).or_default() += 1;
            }
        }
    }
    let most = votes.values().max()?;
    let winners = votes
        .iter()
        .filter(|(_, n_votes)| *n_votes == most)
        .map(|(&slide, _)| slide);
    let mut judged: Vec<_> = winners
        .map(|slide| (n_entries(arcs, table, slide), slide))
        .collect();
    judged.sort_by_key(|&(n_fits, slide)| (std::cmp::Reverse(n_fits), slide));
    let &(n_fits, slide) = judged.first()?;
    (n_fits as f64 >= 0.9 * arcs.len() as f64).then_some(slide)
}

/// The slide by whole pages that puts the histogram on the code: profilers cover
/// it from its start, or from the start of the program, to its end.
fn slide_by_range(profile: &Profile, program: &Program) -> Option<u64> {
    let histogram = profile.histograms().first()?;
    let ends: Vec<_> = program.code.iter().map(|piece| piece.end.0).collect();
    let starts = program.code.iter().map(|piece| piece.start);
    let anchors = starts.chain([program.link_base]);
    let mut slides = anchors.filter_map(|anchor| {
        let distance = histogram.low.0.wrapping_sub(anchor.0);
        let slide = distance.wrapping_add(PAGE / 2) & !(PAGE - 1);
        let reaches_to = histogram.high.0.wrapping_sub(slide);
        let starts_there = distance.abs_diff(slide) < MAX_ROUNDING;
        let ends_there = ends
            .iter()
            .any(|end| reaches_to.abs_diff(*end) < MAX_ROUNDING);
        (starts_there && ends_there).then_some(slide)
    });
    slides.next()
}
