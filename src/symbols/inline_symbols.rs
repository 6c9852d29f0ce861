//! The table by inlined function, see [`super::inlines`].

use std::collections::HashMap;
use std::ops::Range;

use foldhash::fast::RandomState;

use super::debug_info::{CodeRange, Inlined, InlinedId};
use super::files::SourceFiles;
use super::inlines::{InlineId, InlinedFunction, Inlines};
use super::symbol::{Granularity, SourceLine, Symbol, SymbolId, id_of};
use super::table::SymbolTable;
use crate::model::Address;

/// A symbol for each code range of one function, inlined or not. Inlined code outside of
/// functions gets no symbol. Linear in functions and ranges.
pub(super) fn inline_table(
    functions: Vec<Symbol>,
    code_ranges: &[CodeRange],
    chains: &[Inlined],
    files: SourceFiles,
) -> SymbolTable {
    let mut parts = InlineTableBuilder { symbols: Vec::new(), inlines: InlineNumbers::new(chains) };
    let mut rest = code_ranges;
    for function in functions {
        let n_before = rest.partition_point(|s| s.addresses.end <= function.range.start);
        rest = &rest[n_before..];
        let n_inside = rest.partition_point(|s| s.addresses.start < function.range.end);
        parts.add(function, &rest[..n_inside]);
    }
    let inlines = parts.inlines.finish();
    SymbolTable::new(parts.symbols, files, Granularity::Inlines).with_inlines(inlines)
}

/// Numbers of inlined functions with their symbols, while a table is made.
#[derive(Default)]
pub(super) struct InlineNumbers<'c> {
    chains: &'c [Inlined],
    functions: Vec<InlinedFunction>,
    known: HashMap<(SymbolId, InlinedId), InlineId, RandomState>,
    of_symbols: Vec<Option<InlineId>>,
    enclosing_functions: Vec<SymbolId>,
}

impl<'c> InlineNumbers<'c> {
    pub(super) fn new(chains: &'c [Inlined]) -> Self {
        Self { chains, ..Self::default() }
    }

    /// The stack of inlining, outermost first.
    fn chain(&self, innermost: InlinedId) -> Vec<InlinedId> {
        let mut next = Some(innermost);
        let mut chain = Vec::new();
        while let Some(id) = next {
            chain.push(id);
            next = self.chains[id.0 as usize].outer;
        }
        chain.reverse();
        chain
    }

    /// Assigns the next symbol to an inlined function, or to `enclosing` itself.
    pub(super) fn push(&mut self, enclosing: SymbolId, code: Option<InlinedId>) {
        let symbol = id_of(self.of_symbols.len());
        let mut innermost = None;
        for inlined in code.map_or(Vec::new(), |code| self.chain(code)) {
            innermost = Some(self.number(enclosing, inlined, innermost, symbol));
        }
        self.of_symbols.push(innermost);
        self.enclosing_functions.push(enclosing);
    }

    fn number(
        &mut self,
        enclosing: SymbolId,
        inlined: InlinedId,
        outer: Option<InlineId>,
        symbol: SymbolId,
    ) -> InlineId {
        let SymbolId(next) = id_of(self.functions.len());
        let known = self.known.entry((enclosing, inlined));
        let id = *known.or_insert(InlineId(next));
        if id == InlineId(next) {
            let Inlined { name, call, .. } = &self.chains[inlined.0 as usize];
            self.functions.push(InlinedFunction {
                name: name.clone(),
                enclosing,
                outer,
                call: *call,
                symbol,
            });
        }
        id
    }

    pub(super) fn finish(self) -> Inlines {
        Inlines::new(self.functions, self.of_symbols, self.enclosing_functions)
    }
}

/// A table under construction.
struct InlineTableBuilder<'c> {
    symbols: Vec<Symbol>,
    inlines: InlineNumbers<'c>,
}

impl InlineTableBuilder<'_> {
    /// Adds a function and its inlined functions.
    fn add(&mut self, function: Symbol, code_ranges: &[CodeRange]) {
        let Range { start, end } = function.range;
        let pieces = pieces_of(code_ranges, start..end);
        // Look-ups of the function's address have to find the function, which is the last
        // symbol there; code that is inlined there gets the ticks, but no look-ups.
        let leading = pieces.first().filter(|piece| piece.addresses.start == start);
        let n_leading = leading.map_or(0, |piece| self.inlines.chain(piece.inlined).len());
        let enclosing = id_of(self.symbols.len() + n_leading);
        let own = |ticks_end| Symbol { ticks_end, ..function.clone() };
        if leading.is_none() {
            let next = pieces.first().map_or(end, |piece| piece.addresses.start);
            self.push(own(next), enclosing, None);
        }
        for (index, piece) in pieces.iter().enumerate() {
            let is_leading = index == 0 && leading.is_some();
            self.push_inlined(piece, is_leading, enclosing);
            if is_leading {
                self.push(own(start), enclosing, None);
            }
            let next = pieces.get(index + 1).map_or(end, |next| next.addresses.start);
            if piece.addresses.end < next {
                let rest = Symbol {
                    range: piece.addresses.end..next,
                    is_function: false,
                    source: source_at(code_ranges, piece.addresses.end),
                    ..own(next)
                };
                self.push(rest, enclosing, None);
            }
        }
    }

    /// Adds inlined code, after empty symbols for enclosing functions without a symbol.
    fn push_inlined(&mut self, piece: &InlinedCode, is_leading: bool, enclosing: SymbolId) {
        let Range { start, end } = piece.addresses;
        let chain = self.inlines.chain(piece.inlined);
        for (index, &inlined) in chain.iter().enumerate() {
            let inner = chain.get(index + 1);
            if inner.is_some() && self.inlines.known.contains_key(&(enclosing, inlined)) {
                continue;
            }
            let (ticks_end, source) = match inner {
                None => (end, piece.source),
                // All that is known of its code is a call.
                Some(inner) => (start, self.inlines.chains[inner.0 as usize].call),
            };
            let symbol = Symbol {
                range: start..if is_leading { start } else { ticks_end },
                ticks_end,
                name: self.inlines.chains[inlined.0 as usize].name.clone(),
                is_function: false,
                is_static: false,
                source,
            };
            self.push(symbol, enclosing, Some(inlined));
        }
    }

    fn push(&mut self, symbol: Symbol, enclosing: SymbolId, inlined: Option<InlinedId>) {
        self.inlines.push(enclosing, inlined);
        self.symbols.push(symbol);
    }
}

/// Consecutive code of an inlined function.
struct InlinedCode {
    addresses: Range<Address>,
    inlined: InlinedId,
    source: Option<SourceLine>,
}

/// The inlined code of a range, regardless of lines.
fn pieces_of(code_ranges: &[CodeRange], range: Range<Address>) -> Vec<InlinedCode> {
    let mut pieces: Vec<InlinedCode> = Vec::new();
    for code_range in code_ranges {
        let Some(inlined) = code_range.inlined else {
            continue;
        };
        let start = code_range.addresses.start.max(range.start);
        let end = code_range.addresses.end.min(range.end);
        match pieces.last_mut() {
            Some(last) if last.inlined == inlined && last.addresses.end == start => {
                last.addresses.end = end;
            }
            _ => pieces.push(InlinedCode {
                addresses: start..end,
                inlined,
                source: code_range.source,
            }),
        }
    }
    pieces
}

fn source_at(code_ranges: &[CodeRange], address: Address) -> Option<SourceLine> {
    let n_before = code_ranges.partition_point(|code_range| code_range.addresses.start <= address);
    let code_range = &code_ranges[n_before.checked_sub(1)?];
    code_range.source.filter(|_| code_range.addresses.contains(&address))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn function(start: u64, end: u64) -> Symbol {
        Symbol {
            range: Address(start)..Address(end),
            ticks_end: Address(end),
            name: b"f".as_slice().into(),
            is_function: true,
            is_static: false,
            source: None,
        }
    }

    fn code_range(start: u64, end: u64, inlined: Option<u32>) -> CodeRange {
        CodeRange {
            addresses: Address(start)..Address(end),
            source: None,
            function: None,
            inlined: inlined.map(InlinedId),
        }
    }

    /// A table of functions `f`; `g` is inlined into one, `h` into `g`, and `g` into `h`.
    fn table_of(functions: &[(u64, u64)], code_ranges: &[(u64, u64, Option<u32>)]) -> SymbolTable {
        let inlined = |name: &str, outer: Option<u32>| Inlined {
            name: name.as_bytes().into(),
            call: None,
            outer: outer.map(InlinedId),
        };
        let chains = [inlined("g", None), inlined("h", Some(0)), inlined("g", Some(1))];
        let functions = functions.iter().map(|&(start, end)| function(start, end));
        let code_ranges = code_ranges.iter().map(|&(start, end, id)| code_range(start, end, id));
        let code_ranges: Vec<_> = code_ranges.collect();
        let files = SourceFiles::default();
        inline_table(functions.collect(), &code_ranges, &chains, files)
    }

    fn check(functions: &[(u64, u64)], code_ranges: &[(u64, u64, Option<u32>)], expected: &[&str]) {
        let table = table_of(functions, code_ranges);
        let inlines = table.inlines().expect("the table was made with them");
        let found: Vec<_> = table
            .iter()
            .map(|(id, symbol)| {
                let name = String::from_utf8_lossy(&symbol.name);
                let stack = inlines.stack(id).into_iter();
                let stack = stack.map(|id| String::from_utf8_lossy(&inlines.get(id).name));
                let (start, end) = (symbol.range.start.0, symbol.ticks_end.0);
                let whole = inlines.whole(id).0;
                let (enclosing, stack) =
                    (inlines.enclosing_function(id).0, stack.collect::<String>());
                format!("{name} {start}-{end} {whole} in {enclosing} {stack}")
            })
            .collect();
        assert_eq!(found, expected);
        for (start, end) in [(10, 30)] {
            for address in start..end {
                let found = table.containing(Address(address));
                assert!(found.is_some(), "{address} is in a function");
            }
        }
    }

    #[test]
    fn code_around_inlined_code_belongs_to_its_function() {
        let code_ranges = [
            (10, 12, None),
            (12, 14, Some(0)),
            (14, 16, Some(1)),
            (16, 17, Some(0)),
            (17, 30, None),
        ];
        let expected = [
            "f 10-12 0 in 0 ",
            "g 12-14 1 in 0 g",
            "h 14-16 2 in 0 gh",
            "g 16-17 1 in 0 g",
            "f 17-30 0 in 0 ",
        ];
        check(&[(10, 30)], &code_ranges, &expected);
    }

    /// The functions of symbols, and the calls, of inlined functions with these names.
    fn check_promoted(names: &str, keeps_parts: bool, functions: &str, calls: &[&str]) {
        let code_ranges = [(12, 14, Some(0)), (14, 16, Some(1)), (16, 18, Some(2))];
        let table = table_of(&[(10, 30)], &code_ranges);
        let is_function = |name: &[u8]| names.as_bytes().contains(&name[0]);
        let table = table.with_inlined_functions(is_function, keeps_parts);
        let name = |id: SymbolId| String::from_utf8_lossy(&table.get(id).name);
        let inlines = table.inlines().expect("the table was made with them");
        let of_symbol = |(id, _)| match inlines.of(id) {
            Some(part) => {
                format!("{}+{}", name(table.enclosing_function(id)), inlines.stack(id).len())
                    + if inlines.get(part).outer.is_some() { "'" } else { "" }
            }
            None => name(table.enclosing_function(id)).into_owned(),
        };
        let found: Vec<_> = table.iter().map(of_symbol).collect();
        assert_eq!(found.join(" "), functions, "for {names}");
        let call = |call: &super::super::InlinedCall| {
            assert_eq!(name(table.compiled_function(call.callee)), "f");
            format!("{}>{} {}", name(call.caller), name(call.callee), call.n_copies)
        };
        assert_eq!(inlines.calls().iter().map(call).collect::<Vec<_>>(), calls, "for {names}");
    }

    #[test]
    fn named_inlined_functions_are_functions() {
        check_promoted("", true, "f f+1 f+2' f+3' f", &[]);
        check_promoted("", false, "f f f f f", &[]);
        check_promoted("h", true, "f f+1 h h+1 f", &["f>h 1"]);
        check_promoted("h", false, "f f h h f", &["f>h 1"]);
        check_promoted("g", true, "f g g+1 g f", &["f>g 1"]);
        check_promoted("gh", false, "f g h g f", &["f>g 1", "g>h 1"]);
    }

    #[test]
    fn functions_without_code_of_their_own_have_an_empty_symbol() {
        let expected =
            ["f 10-12 0 in 0 ", "g 12-12 1 in 0 g", "h 12-14 2 in 0 gh", "f 14-30 0 in 0 "];
        check(&[(10, 30)], &[(12, 14, Some(1))], &expected);
    }

    #[test]
    fn a_function_that_starts_with_inlined_code_is_found_there_and_has_no_ticks() {
        let code_ranges = [(10, 14, Some(1)), (20, 24, Some(0)), (28, 44, Some(0))];
        let expected = [
            "g 10-10 0 in 2 g",
            "h 10-14 1 in 2 gh",
            "f 10-10 2 in 2 ",
            "f 14-20 2 in 2 ",
            "g 20-24 0 in 2 g",
            "f 24-28 2 in 2 ",
            "g 28-30 0 in 2 g",
            "g 30-44 7 in 8 g",
            "f 30-30 8 in 8 ",
            "f 44-50 8 in 8 ",
        ];
        check(&[(10, 30), (30, 50)], &code_ranges, &expected);
    }
}
