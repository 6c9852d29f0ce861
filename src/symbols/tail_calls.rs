//! Tail calls: a function ends in a jump to another.
//!
//! The profiler's hook records the return address of a function. After a jump to the function,
//! this address follows the call of the function that jumped:
//!
//! ```text
//! code       main: call wrap      wrap: ...; jmp leaf
//! recorded   main -> wrap         main -> leaf, both from the same call site
//! happened   main -> wrap -> leaf
//! ```
//!
//! An arc is a tail call if no call at its site can lead to its callee, and functions that were
//! entered from the site jump there. An entered function jumps away at most once. If only one of
//! these jumps there, and it was entered often enough, the calls are its own. If several do, and
//! they were entered as often as their callee was, then each of them always jumped there.
//! Otherwise their numbers of jumps are unknown.

use std::collections::HashMap;
use std::ops::Range;

use foldhash::fast::RandomState;

use super::code::{CallTarget, Code};
use super::executable::{Executable, ExecutableError};
use super::static_calls::starting_at;
use super::symbol::SymbolId;
use super::table::SymbolTable;
use crate::model::{Address, CallArc};
use crate::threads;

/// Functions that one may jump to. More are in no function that compilers make: its jumps
/// are passed over.
const MAX_JUMPS: usize = 64;

/// The most parts of the work.
const N_PIECES: usize = 4;

/// Number of sites that are worth another thread.
const WORTH_SITES: usize = 1 << 10;

/// Calls that were jumps.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct TailCall {
    /// The position of their arc, all of whose calls were jumps.
    pub arc: usize,
    /// The function that jumped.
    pub caller: SymbolId,
    pub callee: SymbolId,
    /// How often it did.
    pub count: u64,
}

/// Finds the arcs of tail calls among some in the order of their sites, each of which represents
/// `step` bytes of code. Empty for machines whose jumps cannot be decoded. Costs arcs, and the
/// code of functions that were entered from sites with several callees.
///
/// # Errors
/// When the executable is damaged.
pub fn tail_calls(
    executable: &Executable,
    table: &SymbolTable,
    arcs: &[CallArc],
    step: u64,
) -> Result<Vec<TailCall>, ExecutableError> {
    let code = Code::new(executable)?;
    if !code.decodes_functions() {
        return Ok(Vec::new());
    }
    Ok(among(arcs, &code, table, step))
}

fn among(arcs: &[CallArc], code: &Code<'_>, table: &SymbolTable, step: u64) -> Vec<TailCall> {
    let mut first = 0;
    let sites = arcs.chunk_by(|a, b| a.call_site == b.call_site).map(|site| {
        let n_before = first;
        first += site.len();
        (n_before, site)
    });
    let sites: Vec<_> = sites.filter(|(_, site)| site.len() > 1).collect();
    let of_sites = |sites: &[(usize, &[CallArc])]| {
        let mut search = TailCallSearch { code, table, step, jumps: HashMap::default() };
        let mut found = Vec::new();
        sites.iter().for_each(|&(first, site)| search.add_of_site(site, first, &mut found));
        found
    };
    // Each piece may decode the same functions.
    let piece = WORTH_SITES.max(sites.len().div_ceil(N_PIECES));
    let mut found = threads::pieces(&sites, piece, of_sites).concat();
    found.sort_unstable();
    found
}

struct TailCallSearch<'a, 'b> {
    code: &'b Code<'a>,
    table: &'b SymbolTable,
    step: u64,
    /// The functions that each looked-up function jumps to.
    jumps: HashMap<SymbolId, Box<[SymbolId]>, RandomState>,
}

/// A function that was entered from a site.
struct EnteredFunction {
    arc: usize,
    count: u64,
}

impl TailCallSearch<'_, '_> {
    /// Adds the tail calls among the arcs of one site, the first of which is at a position.
    fn add_of_site(&mut self, arcs: &[CallArc], first: usize, found: &mut Vec<TailCall>) {
        let [one, _, ..] = arcs else {
            return;
        };
        let Some(called) = self.called_from(one.call_site) else {
            return;
        };
        let mut entered: HashMap<SymbolId, EnteredFunction, RandomState> = HashMap::default();
        for (arc, CallArc { callee, count, .. }) in (first..).zip(arcs) {
            // A function entered at two places may be two functions.
            let callee = self.function_at(*callee);
            let Some(callee) = callee else { return };
            let function = EnteredFunction { arc, count: *count };
            if entered.insert(callee, function).is_some() {
                return;
            }
        }
        let others = called.iter().filter(|id| !entered.contains_key(id));
        let callers: Vec<_> = entered.keys().chain(others).copied().collect();
        let mut jumps: HashMap<SymbolId, Vec<SymbolId>, RandomState> = HashMap::default();
        for caller in callers {
            for &callee in self.jumps_of(caller) {
                if callee != caller && entered.contains_key(&callee) {
                    jumps.entry(callee).or_default().push(caller);
                }
            }
        }
        for (callee, callers) in jumps.into_iter().filter(|(id, _)| !called.contains(id)) {
            let &EnteredFunction { arc, count } = &entered[&callee];
            let counts = callers.iter().map(|id| Some(entered.get(id)?.count));
            // One that was not entered has no calls to count, and may have jumped as well.
            let Some(counts) = counts.collect::<Option<Vec<_>>>() else {
                continue;
            };
            let sum = counts.iter().fold(0, |sum: u64, count| sum.saturating_add(*count));
            if sum != count && (callers.len() > 1 || sum < count) {
                continue;
            }
            found.extend(callers.into_iter().zip(counts).map(|(caller, jumped)| TailCall {
                arc,
                caller,
                callee,
                count: jumped.min(count),
            }));
        }
    }

    /// The functions that calls at a site lead to. `None` if one may lead elsewhere.
    fn called_from(&self, site: Address) -> Option<Vec<SymbolId>> {
        let mut called = Vec::new();
        for place in (0..self.step).map(|offset| Address(site.0.wrapping_add(offset))) {
            if !place.0.is_multiple_of(self.code.return_step()) {
                continue;
            }
            match self.code.call_returning_to(place) {
                None => {}
                Some(target) if self.code.is_mcount(target) => {}
                Some(CallTarget::At(target)) if !self.code.is_stub(target) => {
                    called.push(starting_at(self.table, target)?);
                }
                Some(_) => return None,
            }
        }
        Some(called)
    }

    /// The functions to whose start another one jumps, which are few.
    fn jumps_of(&mut self, function: SymbolId) -> &[SymbolId] {
        let (code, table) = (self.code, self.table);
        self.jumps.entry(function).or_insert_with(|| {
            let body = &table.get(function).range;
            let mut targets = Vec::new();
            for target in code.jumps_out_of(body) {
                if let Some(target) = starting_at(table, target)
                    && !targets.contains(&target)
                {
                    if targets.len() == MAX_JUMPS {
                        return Box::default();
                    }
                    targets.push(target);
                }
            }
            targets.into()
        })
    }

    fn function_at(&self, address: Address) -> Option<SymbolId> {
        let id = self.table.containing(address)?;
        let function = self.table.function_at_or_before(id)?;
        Some(self.table.compiled_function(function))
    }
}

/// The assumed address of a jump out of a function: its end, which is in the function's last
/// line.
pub fn place_of_jump(function: &Range<Address>) -> Address {
    Address(function.end.0.saturating_sub(1)).max(function.start)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::symbols::code::CodeMachine;
    use crate::symbols::{Granularity, SourceFiles, Symbol};

    /// `main` calls `a` and `b` at 0x2005 and 0x200a, and both jump to `leaf`.
    #[rustfmt::skip]
    const CODE: [u8; 0x40] = {
        let mut code = [0x90; 0x40];
        let calls = [
            0xe8, 0x0b, 0, 0, 0, // 2000: call 0x2010
            0xe8, 0x16, 0, 0, 0, // 2005: call 0x2020
            0xc3,
        ];
        let mut at = 0;
        while at < calls.len() {
            code[at] = calls[at];
            at += 1;
        }
        code[0x10] = 0xe9; // 2010: jmp 0x2030
        code[0x11] = 0x1b;
        code[0x20] = 0xe9; // 2020: jmp 0x2030
        code[0x21] = 0x0b;
        let mut at = 0;
        while at < 3 {
            code[0x12 + at] = 0;
            code[0x22 + at] = 0;
            at += 1;
        }
        code[0x30] = 0xc3;
        code
    };

    /// Calls of `a`, `b` and `leaf` from the site of `main`, and the expected tail calls.
    fn check(counts: &[(u64, u64)], expected: &[(u32, u64)]) {
        let code = Code::of_bytes(CodeMachine::X86 { bits: 64 }, Address(0x2000), &CODE);
        let symbol = |start: u64| Symbol {
            range: Address(start)..Address(start + 0x10),
            ticks_end: Address(start + 0x10),
            name: b"f".as_slice().into(),
            is_function: true,
            is_static: false,
            source: None,
        };
        let symbols = [0x2000, 0x2010, 0x2020, 0x2030].map(symbol);
        let files = SourceFiles::default();
        let table = SymbolTable::new(symbols.into(), files, Granularity::Functions);
        let arcs = counts.iter().map(|&(callee, count)| CallArc {
            call_site: Address(0x2000),
            callee: Address(callee),
            count,
        });
        let found = among(&arcs.collect::<Vec<_>>(), &code, &table, 16);
        let found = found.iter().map(|call| (call.caller.0, call.count));
        assert_eq!(found.collect::<Vec<_>>(), expected, "{counts:?}");
    }

    #[test]
    fn calls_of_one_site_are_split_where_all_were_jumps() {
        check(&[(0x2010, 3), (0x2020, 4), (0x2030, 7)], &[(1, 3), (2, 4)]);
        check(&[(0x2010, 3), (0x2020, 4), (0x2030, 6)], &[]);
    }

    #[test]
    fn uncounted_functions_may_have_jumped_too() {
        check(&[(0x2010, 3), (0x2030, 3)], &[]);
    }

    #[test]
    fn direct_calls_stay() {
        check(&[(0x2010, 3), (0x2020, 4)], &[]);
    }
}
