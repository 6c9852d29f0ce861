//! Symbols for source lines, beside those for functions.
//!
//! ```text
//! functions  [ f               ][ g        ]
//! lines      [ 1 ][ 2  ][ 1    ][ 7 ][ 8   ]
//! table      f    f:2   f:1     g    g:8
//! ```
//!
//! A function stands for its first line too, keeps its whole extent, and owns
//! the ticks of that line alone.

use super::sources::LineRun;
use super::table::{Candidate, Symbol};
use crate::model::Address;

/// Lines as gprof has them: one starts where file, line or function differ from
/// those of the line before, and code between two that comes from nowhere is the
/// first one's. On machines whose instructions have a fixed size gprof looks only
/// at every `step` bytes from `start` on.
///
/// A line is static as the one before it is, if both are of one function, else
/// as the symbol there is.
pub(super) fn gprof_candidates(
    runs: &[LineRun],
    functions: &[Symbol],
    start: Address,
    step: u64,
) -> Vec<Candidate> {
    let mut lines: Vec<Candidate> = Vec::new();
    let mut last: Option<&LineRun> = None;
    for run in runs {
        let n_steps = (run.addresses.start.0 - start.0).div_ceil(step);
        let address = Address(start.0 + n_steps * step);
        if address >= run.addresses.end {
            continue;
        }
        let before = last
            .zip(lines.last())
            .filter(|(last, _)| last.shares_function(run));
        if before.is_some_and(|(last, _)| last.source == run.source) {
            continue;
        }
        let is_static = match before {
            Some((_, line)) => line.is_static,
            None => containing(functions, address).is_some_and(|symbol| symbol.is_static),
        };
        lines.push(Candidate {
            address,
            size: 0,
            end: None,
            name: run.function.clone(),
            is_function: false,
            is_static,
            source: Some(run.source),
        });
        last = Some(run);
    }
    lines
}

/// Lines by profan's own rules: one for each stretch of code from one place. It
/// reaches to the next symbol, but not out of its function or, where there is
/// none, out of what is known to come from there.
pub(super) fn complete_lines(runs: &[LineRun], functions: &[Symbol]) -> Vec<Symbol> {
    let nexts = runs.iter().skip(1).map(|next| next.addresses.start);
    let nexts = nexts.chain([Address(u64::MAX)]);
    let lines = runs.iter().zip(nexts).filter_map(|(run, next)| {
        let start = run.addresses.start;
        let n_before = functions.partition_point(|function| function.range.start <= start);
        let next_function = functions.get(n_before).map(|function| function.range.start);
        let function = containing(functions, start);
        let limit = match function {
            Some(function) if function.range.start == start => return None,
            Some(function) => function.range.end,
            None => next_function.map_or(run.addresses.end, |next| next.min(run.addresses.end)),
        };
        let end = limit.min(next);
        Some(Symbol {
            range: start..end,
            ticks_end: end,
            name: run.function.clone(),
            is_function: false,
            is_static: function.is_some_and(|function| function.is_static),
            source: Some(run.source),
        })
    });
    lines.collect()
}

/// A function again as a candidate, with the extent that it has among functions.
pub(super) fn settled(function: Symbol) -> Candidate {
    Candidate {
        address: function.range.start,
        size: 0,
        end: Some(function.range.end),
        name: function.name,
        is_function: function.is_function,
        is_static: function.is_static,
        source: function.source,
    }
}

/// The symbol that an address lies in, of symbols in address order.
fn containing(symbols: &[Symbol], address: Address) -> Option<&Symbol> {
    let n_before = symbols.partition_point(|symbol| symbol.range.start <= address);
    let symbol = &symbols[n_before.checked_sub(1)?];
    symbol.range.contains(&address).then_some(symbol)
}
