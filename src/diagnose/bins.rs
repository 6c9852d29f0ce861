//! Full bins, and bins that span several functions.

use std::collections::{BTreeMap, HashMap};
use std::ops::Range;

use super::{ProgramRef, Warning};
use crate::load::Loaded;
use crate::model::{BasicBlockCount, Histogram, Profile};
use crate::symbols::{Granularity, SymbolId, SymbolTable};

/// Percentage of ticks in shared bins from which a report is unreliable.
const DOUBTFUL_PERCENT: f64 = 5.0;

/// Warns of bins whose counter has its maximum.
pub(super) fn saturated(loaded: &Loaded) -> Option<Warning> {
    let histograms = loaded.profile.histograms().iter();
    let full = histograms.flat_map(|h| h.full_bins.iter().map(|&bin| h.bins.get(bin)));
    Some(Warning::Saturated {
        path: loaded.path.clone(),
        n_bins: full.clone().count() as u64,
        most: full.max()?,
    })
}

/// Warns of a function whose first block ran a multiple of 2^32 times more often than it was
/// called: calls are written in 32 bits (`gmon_cg_arc_record` in `sys/gmon_out.h` of glibc).
pub(super) fn wrapped_calls(profile: &Profile, table: &SymbolTable) -> Option<Warning> {
    let mut starts: BTreeMap<SymbolId, BasicBlockCount> = BTreeMap::new();
    for block in profile.blocks() {
        let function = table.containing(block.address);
        if let Some(function) = function.map(|id| table.function_of(id)) {
            let first = starts.entry(function).or_insert(*block);
            if block.address < first.address {
                *first = *block;
            }
        }
    }
    if starts.is_empty() {
        return None;
    }
    let mut n_calls: HashMap<SymbolId, u64> = HashMap::new();
    for arc in profile.arcs() {
        if let Some(callee) = table.containing(arc.callee) {
            let sum = n_calls.entry(table.function_of(callee)).or_default();
            *sum = arc.count.saturating_add(*sum);
        }
    }
    starts.into_iter().find_map(|(function, block)| {
        let n_calls = *n_calls.get(&function)?;
        let excess = block.count.checked_sub(n_calls)?;
        let is_multiple = excess > 0 && excess % (1 << u32::BITS) == 0;
        is_multiple.then(|| Warning::WrappedCalls {
            function: table.get(function).range.start,
            n_calls,
            n_starts: block.count,
        })
    })
}

/// Warns if many ticks are in bins that contain whole functions among others, so that the
/// function is unknown. Lines are often that small.
pub(super) fn coarse(profile: &Profile, program_ref: Option<ProgramRef<'_>>) -> Option<Warning> {
    let table = &program_ref?.program.table;
    if table.granularity() == Granularity::Lines {
        return None;
    }
    let (mut n_shared, mut bytes_per_bin) = (0, 0);
    for histogram in profile.histograms() {
        let shared = shared_ticks(histogram, table);
        if shared > 0 {
            bytes_per_bin = bytes_per_bin.max(histogram.bytes_per_bin());
        }
        n_shared = shared.saturating_add(n_shared);
    }
    let percent = 100.0 * n_shared as f64 / profile.n_ticks() as f64;
    (percent >= DOUBTFUL_PERCENT).then_some(Warning::CoarseBins { bytes_per_bin, percent })
}

/// Ticks in bins that contain a whole function and part of another. One pass over bins and
/// symbols.
fn shared_ticks(histogram: &Histogram, table: &SymbolTable) -> u64 {
    let edges = histogram.edges();
    let symbols = table.symbols();
    let mut next = 0;
    let mut n_shared = 0;
    for (bin, n_ticks) in histogram.bins.hit() {
        let Range { start: low, end: high } = edges.of_bin(bin);
        while next < symbols.len() && symbols[next].range.end <= low {
            next += 1;
        }
        let met = symbols[next..].iter().take_while(|symbol| symbol.range.start < high);
        let (mut n_seen, mut n_whole) = (0, 0);
        for symbol in met {
            n_seen += 1;
            n_whole += u32::from(symbol.range.start >= low && symbol.range.end <= high);
        }
        if n_seen > 1 && n_whole > 0 {
            n_shared = n_ticks.saturating_add(n_shared);
        }
    }
    n_shared
}
