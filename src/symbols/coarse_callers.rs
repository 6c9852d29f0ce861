//! The callers of arcs whose call sites are too coarse to lie in them.
//!
//! A profiler with large entries for call sites records the start of an entry, which may lie in
//! the function before the caller. If calls of the callee in the entry are all in one function,
//! that is the caller:
//!
//! ```text
//! code       first: ... ret    second: ... call leaf ...
//! entry           [------------------------------)
//! recorded   first -> leaf
//! happened   second -> leaf
//! ```

use std::ops::Range;

use super::code::Code;
use super::executable::{Executable, ExecutableError};
use super::site_calls::{SiteCalls, SiteFinding};
use super::symbol::SymbolId;
use super::table::SymbolTable;
use crate::model::{Address, CallArc};

/// The callers of arcs with coarse call sites.
#[derive(Debug, Default, PartialEq, Eq)]
pub struct CoarseCallers {
    /// The positions of arcs with the addresses of their calls, ascending.
    pub calls: Vec<(usize, Address)>,
    /// Arcs whose caller may be one of several.
    pub n_undecided: usize,
    /// All arcs within the code.
    pub n_all: usize,
}

/// Finds the callers of arcs with entries of `sizes.end` bytes. `None` if entries of
/// `sizes.start` bytes explain the arcs as well, or few of them are explained at all.
///
/// # Errors
/// If the executable is damaged.
pub fn coarse_callers(
    executable: &Executable,
    table: &SymbolTable,
    arcs: &[CallArc],
    sizes: Range<u64>,
) -> Result<Option<CoarseCallers>, ExecutableError> {
    let code = Code::new(executable)?;
    let calls = SiteCalls::new(&code, Some(table), None);
    let mut found = CoarseCallers::default();
    let (mut n_explained, mut are_coarse) = (0, false);
    for (index, arc) in arcs.iter().enumerate() {
        if !code.contains(arc.call_site) || !code.contains(arc.callee) {
            continue;
        }
        found.n_all += 1;
        let (best, callers) = callers_of(arc, &calls, table, sizes.end);
        n_explained += usize::from(best >= SiteFinding::MayBe);
        are_coarse |= callers
            .first()
            .is_some_and(|(_, place)| place.0.wrapping_sub(arc.call_site.0) >= sizes.start);
        match callers[..] {
            [(_, place)] => found.calls.push((index, place.before())),
            [] if !spans_functions(arc.call_site, sizes.end, table) => {}
            _ => found.n_undecided += 1,
        }
    }
    Ok((are_coarse && 2 * n_explained >= found.n_all).then_some(found))
}

/// Functions whose calls in an entry may lead to the callee of an arc, with the place where the
/// first one of each returns: only those of the best kind.
fn callers_of(
    arc: &CallArc,
    calls: &SiteCalls<'_, '_>,
    table: &SymbolTable,
    size: u64,
) -> (SiteFinding, Vec<(Option<SymbolId>, Address)>) {
    let mut best = SiteFinding::MayBe;
    let mut callers: Vec<(Option<SymbolId>, Address)> = Vec::new();
    for place in calls.places(arc.call_site, size) {
        let finding = calls.before(place, arc.callee);
        if finding > best {
            best = finding;
            callers.clear();
        }
        let caller = table.containing(place.before());
        if finding == best && callers.last().is_none_or(|(last, _)| *last != caller) {
            callers.push((caller, place));
        }
    }
    (if callers.is_empty() { SiteFinding::Nowhere } else { best }, callers)
}

fn spans_functions(site: Address, size: u64, table: &SymbolTable) -> bool {
    let last = Address(site.0.saturating_add(size - 1));
    table.containing(site) != table.containing(last)
}
