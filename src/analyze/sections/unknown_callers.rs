//! Calls into libraries from outside, which have no recorded caller.

use std::collections::BTreeSet;

use crate::model::{CallArc, Encoding, Profile};
use crate::report::{escape_controls, number::counted};
use crate::symbols::{SymbolId, SymbolTable};

/// A note on calls whose callers are not in profiles of libraries.
pub fn about_unknown_callers(profile: &Profile, table: &SymbolTable) -> Option<String> {
    from_outside(profile).next()?;
    let n_calls = |arcs: &mut dyn Iterator<Item = &CallArc>| {
        let n_calls = arcs.fold(0, |sum: u64, arc| sum.saturating_add(arc.count));
        counted(n_calls, "call", "calls")
    };
    if table.objects().is_empty() {
        let calls = n_calls(&mut from_outside(profile));
        return Some(format!(
            "{calls} came from outside the library; their callers were not recorded."
        ));
    }
    let into = table.objects().iter().filter_map(|object| {
        let mut calls =
            from_outside(profile).filter(|arc| object.range.contains(&arc.callee)).peekable();
        calls.peek()?;
        let name = escape_controls(&object.name);
        let name = String::from_utf8_lossy(&name);
        Some(format!("{} into {name}", n_calls(&mut calls)))
    });
    let into: Vec<_> = into.collect();
    Some(format!("Callers in other objects were not recorded: {}.", into.join(", ")))
}

/// A note on callees that may share calls from outside with neighbours.
///
/// If several functions start within four words, glibc counts all calls from outside for the
/// one that is called first. Source: `elf/dl-profile.c` (`_dl_mcount`), and files of four
/// machines.
pub fn about_shared_calls(
    profile: &Profile,
    table: &SymbolTable,
    encoding: Option<Encoding>,
) -> Option<String> {
    let code_range = 4 * encoding?.address_size.bytes() as u64;
    let callees = from_outside(profile).filter_map(|arc| table.containing(arc.callee));
    let callees: BTreeSet<SymbolId> = callees.collect();
    let shared = callees.iter().filter(|&&id| has_neighbour(id, table, code_range));
    let n_shared = shared.count() as u64;
    (n_shared > 0).then(|| {
        format!(
            "Calls from outside of {} may be those of a neighbour: glibc counts them for the first \
             of several that start within {code_range} bytes.",
            counted(n_shared, "function", "functions")
        )
    })
}

fn from_outside(profile: &Profile) -> impl Iterator<Item = &CallArc> {
    let arcs = profile.arcs().iter();
    arcs.filter(|arc| arc.call_site == CallArc::OUTSIDE && arc.callee != CallArc::OUTSIDE)
}

/// Returns whether another function starts within the same `code_range` bytes.
fn has_neighbour(id: SymbolId, table: &SymbolTable, code_range: u64) -> bool {
    let start = |id: SymbolId| {
        let symbol = table.get(id);
        table.linked(symbol, symbol.range.start).0
    };
    let is_near = |&other: &SymbolId| start(other) / code_range == start(id) / code_range;
    let is_another = |other: SymbolId| table.get(other).is_function && start(other) != start(id);
    let mut behind = table.iter_from(id.index() + 1).map(|(other, _)| other);
    let mut before = (0..id.0).rev().map(SymbolId);
    behind.by_ref().take_while(is_near).any(is_another)
        || before.by_ref().take_while(is_near).any(is_another)
}
