//! The functions of a program by address.

use std::collections::{BTreeSet, HashMap};
use std::iter;
use std::ops::Range;
use std::sync::Arc;

use foldhash::fast::RandomState;

use super::files::SourceFiles;
use super::inlines::{InlinedCall, Inlines};
use super::objects::Placed;
use super::starts::Starts;
use super::symbol::{Granularity, SourceLine, Symbol, SymbolId, id_of};
use crate::model::Address;

/// A symbol that may be selected for the table.
#[derive(Clone, Debug)]
pub(crate) struct SymbolCandidate {
    pub(crate) address: Address,
    pub(crate) size: u64,
    pub(crate) name: Arc<[u8]>,
    pub(crate) is_function: bool,
    pub(crate) is_static: bool,
    pub(crate) source: Option<SourceLine>,
}

impl SymbolCandidate {
    fn standing(&self) -> SymbolRank<'_> {
        SymbolRank { is_function: self.is_function, is_static: self.is_static, name: &self.name }
    }

    /// The symbol, with the ends of its ranges for look-ups and for ticks.
    pub(crate) fn into_symbol(self, end: Address, ticks_end: Address) -> Symbol {
        Symbol {
            range: self.address..end,
            ticks_end,
            name: self.name,
            is_function: self.is_function,
            is_static: self.is_static,
            source: self.source,
        }
    }
}

/// All symbols by address. A look-up finds one for each address.
#[derive(Clone, Debug, Default)]
pub struct SymbolTable {
    symbols: Box<[Symbol]>,
    /// Start addresses, for look-ups.
    starts: Starts,
    /// For each symbol, the function at or before it.
    functions: Box<[Option<SymbolId>]>,
    files: SourceFiles,
    granularity: Granularity,
    inlines: Option<Inlines>,
    /// By address; empty for a single object.
    objects: Box<[Placed]>,
    /// By symbol, for functions that a profile names; empty if it names no objects.
    recorded_objects: Box<[Option<Arc<[u8]>>]>,
    /// For each symbol the first of its line in its function; empty if each is a row.
    lines: Box<[SymbolId]>,
}

impl SymbolTable {
    /// A table of symbols in address order.
    pub(crate) fn new(symbols: Vec<Symbol>, files: SourceFiles, granularity: Granularity) -> Self {
        debug_assert!(symbols.is_sorted_by_key(|symbol| symbol.range.start));
        let mut function = None;
        let functions = symbols.iter().enumerate().map(|(index, symbol)| {
            if symbol.is_function {
                function = Some(id_of(index));
            }
            function
        });
        Self {
            functions: functions.collect(),
            starts: Starts::new(symbols.iter().map(|symbol| symbol.range.start).collect()),
            symbols: symbols.into(),
            files,
            granularity,
            inlines: None,
            objects: Box::default(),
            recorded_objects: Box::default(),
            lines: Box::default(),
        }
    }

    /// Makes one row of all code of a line with one name in one function, in tables by line.
    pub(super) fn with_whole_lines(mut self) -> Self {
        if self.granularity != Granularity::Lines {
            return self;
        }
        let mut firsts = HashMap::with_hasher(RandomState::default());
        let lines = self.iter().map(|(id, symbol)| match symbol.source {
            Some(source) => {
                let function = self.functions[id.index()];
                *firsts.entry((function, source.file, source.line, &*symbol.name)).or_insert(id)
            }
            None => id,
        });
        self.lines = lines.collect();
        self
    }

    /// Makes one row of all symbols of a group. Symbols are named by their groups.
    pub fn grouped(&self, group_of: impl Fn(&Symbol) -> Arc<[u8]>) -> Self {
        let mut firsts = HashMap::with_hasher(RandomState::default());
        let symbols = self.symbols.iter().map(|symbol| Symbol {
            name: group_of(symbol),
            source: None,
            is_static: false,
            ..symbol.clone()
        });
        let table = Self::new(symbols.collect(), SourceFiles::default(), Granularity::Lines);
        let lines =
            table.iter().map(|(id, one)| *firsts.entry(Arc::clone(&one.name)).or_insert(id));
        Self { lines: lines.collect(), ..table }
    }

    /// Adds the inlined functions.
    pub(super) fn with_inlines(mut self, inlines: Inlines) -> Self {
        self.inlines = Some(inlines);
        self
    }

    /// The same, with inlined functions of some names as functions, see [`Inlines::promote`].
    pub fn with_inlined_functions(
        mut self,
        is_function: impl Fn(&[u8]) -> bool,
        keeps_parts: bool,
    ) -> Self {
        self.inlines.iter_mut().for_each(|all| all.promote(&is_function, keeps_parts));
        self
    }

    /// Adds the objects of the symbols.
    pub(super) fn with_objects(self, objects: Box<[Placed]>) -> Self {
        Self { objects, ..self }
    }

    /// Adds the objects that a profile names, by symbol. Each symbol has its number as address.
    pub(super) fn with_recorded_objects(self, objects: Vec<Option<Arc<[u8]>>>) -> Self {
        let are_any = objects.iter().any(Option::is_some);
        let recorded_objects = if are_any { objects.into() } else { Box::default() };
        Self { recorded_objects, ..self }
    }

    /// The table of a program without names: a function for each entered address, up to the
    /// next one.
    pub fn of_entries(addresses: impl Iterator<Item = Address>) -> Self {
        let starts: BTreeSet<_> = addresses.collect();
        let ends = starts.iter().skip(1).copied();
        let ends = ends.chain(iter::once(Address(u64::MAX)));
        let symbol = |(&start, end): (&Address, Address)| {
            Symbol::function(start..end, start.to_string().into_bytes().into())
        };
        let symbols = starts.iter().zip(ends).map(symbol).collect();
        Self::new(symbols, SourceFiles::default(), Granularity::Functions)
    }

    /// Adds a function for each entered address, up to the next one or a symbol. `entries`
    /// are ascending, within `code`, and outside of all functions.
    pub fn with_entries(&self, entries: &[Address], code: &[Range<Address>]) -> Self {
        let mut entries = entries.iter().copied().peekable();
        let mut symbols: Vec<Symbol> = Vec::with_capacity(self.symbols.len() + entries.len());
        let mut add_before = |limit: Address, symbols: &mut Vec<Symbol>| {
            while let Some(start) = entries.next_if(|&entry| entry < limit) {
                if let Some(last) = symbols.last_mut() {
                    last.range.end = last.range.end.min(start);
                    last.ticks_end = last.ticks_end.min(start);
                }
                let n_before = code.partition_point(|piece| piece.start <= start);
                let piece = n_before.checked_sub(1).map(|last| code[last].end);
                let end = entries.peek().map_or(limit, |&next| next.min(limit));
                let end = piece.map_or(end, |piece| end.min(piece));
                let name = start.to_string().into_bytes();
                symbols.push(Symbol::function(start..end, name.into()));
            }
        };
        for symbol in &self.symbols {
            add_before(symbol.range.start, &mut symbols);
            symbols.push(symbol.clone());
        }
        add_before(Address(u64::MAX), &mut symbols);
        let table = Self::new(symbols, self.files.clone(), self.granularity);
        table.with_objects(self.objects.clone()).with_whole_lines()
    }

    /// Removes everything from an address on.
    pub fn cut_at(&self, end: Address) -> Self {
        let symbols = self.symbols.iter();
        let inside = symbols.filter(|symbol| symbol.range.start < end);
        let cut = |symbol: &Symbol| Symbol {
            range: symbol.range.start..symbol.range.end.min(end),
            ticks_end: symbol.ticks_end.min(end),
            ..symbol.clone()
        };
        let table = Self::new(inside.map(cut).collect(), self.files.clone(), self.granularity);
        table.with_whole_lines()
    }

    pub fn symbols(&self) -> &[Symbol] {
        &self.symbols
    }

    /// The names of all symbols, as in the executable.
    pub fn names(&self) -> impl ExactSizeIterator<Item = &[u8]> {
        self.symbols.iter().map(|symbol| &*symbol.name)
    }

    pub fn iter(&self) -> impl Iterator<Item = (SymbolId, &Symbol)> + Clone {
        self.iter_from(0)
    }

    /// The symbols from an index on, with their numbers.
    pub fn iter_from(&self, first: usize) -> impl Iterator<Item = (SymbolId, &Symbol)> + Clone {
        let SymbolId(number) = id_of(first);
        (number..).map(SymbolId).zip(&self.symbols[first..])
    }

    /// The only symbol that has ticks in a bin, if the bin is within it. Bins must be ascending;
    /// `first` is the first symbol that the bin may span, and moves on with them.
    pub fn only_one_in(&self, first: &mut usize, bin: &Range<Address>) -> Option<SymbolId> {
        self.skip_before(first, bin.start);
        let symbol = self.symbols.get(*first)?;
        let next = self.symbols.get(*first + 1);
        let is_within = symbol.range.start <= bin.start && bin.end <= symbol.ticks_end;
        let is_alone = is_within && next.is_none_or(|next| bin.end <= next.range.start);
        (is_alone && !bin.is_empty()).then(|| id_of(*first))
    }

    /// Moves `first` on to the first symbol that has ticks at an address or above.
    pub(in crate::symbols) fn skip_before(&self, first: &mut usize, address: Address) {
        while self.symbols.get(*first).is_some_and(|symbol| symbol.ticks_end <= address) {
            *first += 1;
        }
    }

    pub fn get(&self, id: SymbolId) -> &Symbol {
        &self.symbols[id.index()]
    }

    /// The symbol that contains an address. Usually a short search.
    pub fn containing(&self, address: Address) -> Option<SymbolId> {
        let index = self.starts.last_at_or_before(address)?;
        let is_inside = self.symbols[index].range.contains(&address);
        is_inside.then(|| id_of(index))
    }

    /// The last function at or before a symbol.
    pub fn function_at_or_before(&self, id: SymbolId) -> Option<SymbolId> {
        self.functions[id.index()]
    }

    /// The function that contains inlined code, or the first code of a line; in other tables, the
    /// symbol itself.
    pub fn enclosing_function(&self, id: SymbolId) -> SymbolId {
        match &self.inlines {
            Some(inlines) if self.granularity == Granularity::Inlines => {
                inlines.enclosing_function(id)
            }
            _ => self.lines.get(id.index()).copied().unwrap_or(id),
        }
    }

    /// The function that the compiler kept and that contains a symbol.
    pub fn compiled_function(&self, id: SymbolId) -> SymbolId {
        let mut function = self.enclosing_function(id);
        while let Some(call) = self.inlined_call(function) {
            function = call.caller;
        }
        function
    }

    /// The call of a function, if it is inlined and counts as a function.
    pub fn inlined_call(&self, id: SymbolId) -> Option<&InlinedCall> {
        self.inlines.as_ref()?.call_of(id)
    }

    /// The symbol of the function that contains a symbol.
    pub fn function_of(&self, id: SymbolId) -> SymbolId {
        match self.granularity {
            Granularity::Functions => id,
            Granularity::Lines => self.function_at_or_before(id).unwrap_or(id),
            Granularity::Inlines => self.enclosing_function(id),
        }
    }

    pub fn granularity(&self) -> Granularity {
        self.granularity
    }

    /// The inlined functions, in tables by line and by inlined function.
    pub fn inlines(&self) -> Option<&Inlines> {
        self.inlines.as_ref()
    }

    /// The objects of the symbols, by address; empty for a single object.
    pub fn objects(&self) -> &[Placed] {
        &self.objects
    }

    /// The names of all objects, sorted; empty for a single object of a program.
    pub fn object_names(&self) -> Vec<&Arc<[u8]>> {
        let placed = self.objects.iter().map(|object| &object.name);
        let mut names: Vec<_> = placed.chain(self.recorded_objects.iter().flatten()).collect();
        names.sort_unstable();
        names.dedup();
        names
    }

    pub fn has_objects(&self) -> bool {
        !self.objects.is_empty() || !self.recorded_objects.is_empty()
    }

    /// The object of a symbol, if a profile names it or there are several.
    pub fn object_of(&self, symbol: &Symbol) -> Option<&Arc<[u8]>> {
        match self.recorded_objects.get(usize::try_from(symbol.range.start.0).ok()?) {
            Some(recorded) => recorded.as_ref(),
            None => Some(&self.placed_object(symbol)?.name),
        }
    }

    fn placed_object(&self, symbol: &Symbol) -> Option<&Placed> {
        let start = symbol.range.start;
        let n_before = self.objects.partition_point(|one| one.range.start <= start);
        self.objects.get(n_before.checked_sub(1)?)
    }

    /// The linked address of an address within a symbol.
    pub fn linked(&self, symbol: &Symbol, address: Address) -> Address {
        let object = self.placed_object(symbol);
        object.map_or(address, |object| object.linked(address))
    }

    /// Returns whether any symbol has a source line.
    pub fn has_sources(&self) -> bool {
        self.symbols.iter().any(|symbol| symbol.source.is_some())
    }

    pub fn files(&self) -> &SourceFiles {
        &self.files
    }
}

/// Indices of the selected candidates, by address, one for each address.
///
/// At one address, functions have priority, then global symbols, names without leading
/// underscores, names with one, and the first in the table.
pub(crate) fn one_per_address(candidates: &[SymbolCandidate]) -> Vec<usize> {
    let keys = candidates.iter().enumerate();
    let mut keys: Vec<_> =
        keys.map(|(place, c)| (c.address, !c.is_function, c.is_static, place)).collect();
    keys.sort_unstable();
    let mut kept: Vec<usize> = Vec::with_capacity(candidates.len());
    for (.., place) in keys {
        let candidate = &candidates[place];
        match kept.last_mut() {
            Some(last) if candidates[*last].address == candidate.address => {
                if candidate.standing().replaces(&candidates[*last].standing()) {
                    *last = place;
                }
            }
            _ => kept.push(place),
        }
    }
    kept
}

/// The candidates at some distinct indices.
pub(crate) fn at_places(
    candidates: Vec<SymbolCandidate>,
    places: &[usize],
) -> Vec<SymbolCandidate> {
    let mut candidates: Vec<_> = candidates.into_iter().map(Some).collect();
    let at = |&place: &usize| candidates[place].take();
    places.iter().filter_map(at).collect()
}

/// The priority of symbols at one address.
pub(crate) struct SymbolRank<'n> {
    pub(crate) is_function: bool,
    pub(crate) is_static: bool,
    pub(crate) name: &'n [u8],
}

impl SymbolRank<'_> {
    /// Returns whether the symbol replaces one before it in the table.
    pub(crate) fn replaces(&self, kept: &Self) -> bool {
        if self.is_static != kept.is_static {
            return kept.is_static;
        }
        if self.is_function != kept.is_function {
            return self.is_function;
        }
        let underscores = |s: &Self| s.name.iter().take(2).take_while(|&&b| b == b'_').count();
        underscores(self) < underscores(kept)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn candidate(name: &str, is_function: bool, is_static: bool) -> SymbolCandidate {
        SymbolCandidate {
            address: Address(16),
            size: 0,
            name: name.as_bytes().into(),
            is_function,
            is_static,
            source: None,
        }
    }

    fn check(names: &[(&str, bool, bool)], expected: &str) {
        let candidates: Vec<_> = names
            .iter()
            .map(|&(name, is_function, is_static)| candidate(name, is_function, is_static))
            .collect();
        let places = one_per_address(&candidates);
        let kept = at_places(candidates, &places);
        assert_eq!(kept.len(), 1);
        assert_eq!(&*kept[0].name, expected.as_bytes());
    }

    #[test]
    fn each_address_has_one_name() {
        check(&[("first", true, false), ("second", true, false)], "first");
        check(&[("local", true, true), ("global", true, false)], "global");
        check(&[("label", false, false), ("func", true, false)], "func");
        check(&[("local", true, true), ("label", false, false)], "label");
        check(&[("_u", true, false), ("plain", true, false)], "plain");
        check(&[("__u", true, false), ("_u", true, false)], "_u");
    }
}
