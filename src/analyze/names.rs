//! The names of a report, from a table of symbols.

use std::collections::HashMap;
use std::num::NonZeroU32;
use std::sync::{Arc, OnceLock};

use foldhash::fast::RandomState;

use crate::report::{AlikeNames, Beside, NameId, NameTable, PlacedName, SourceLocation};
use crate::sorting::ColdSort;
use crate::symbols::{Demangler, FileId, Granularity, Style, Symbol, SymbolId, SymbolTable};

/// Names of symbols, demangled on first use.
#[derive(Debug)]
pub struct SymbolNames {
    table: Arc<SymbolTable>,
    formatted: DisplayNames,
    /// Inlined functions that count as functions, with their callers, and numbered namesakes;
    /// made on first use.
    extended: OnceLock<HashMap<NameId, Vec<u8>, RandomState>>,
    /// Addresses are real, not invented by `NamedContexts`.
    has_addresses: bool,
    /// What tells names of contexts apart; made on first use.
    alike: OnceLock<AlikeNames>,
    are_lines: bool,
    /// Functions with equal names and places are numbered.
    has_numbers: bool,
}

impl SymbolNames {
    /// The names of a program.
    pub fn of_program(table: &Arc<SymbolTable>, style: Style) -> Self {
        Self {
            table: Arc::clone(table),
            formatted: DisplayNames::new(table.names(), style),
            extended: OnceLock::new(),
            has_addresses: true,
            alike: OnceLock::new(),
            are_lines: table.granularity() == Granularity::Lines,
            has_numbers: false,
        }
    }

    /// The names of a profile's contexts. `are_lines` is set if they denote lines.
    pub fn of_contexts(table: &Arc<SymbolTable>, style: Style, are_lines: bool) -> Self {
        Self { has_addresses: false, are_lines, ..Self::of_program(table, style) }
    }

    /// Numbers functions with equal names and places.
    pub fn with_numbers(self) -> Self {
        Self { has_numbers: true, ..self }
    }

    /// The name of an inlined function that counts as a function, with its caller, or of one of
    /// several functions with a name and place.
    fn extended(&self, id: NameId) -> Option<&Vec<u8>> {
        let extended = self.extended.get_or_init(|| {
            let calls = self.table.inlines().map_or(&[][..], |inlines| inlines.calls());
            let name = |id: SymbolId| self.formatted.get(id.index(), &self.table.get(id).name);
            let names = calls.iter().map(|call| {
                let [callee, caller] = [call.callee, call.caller].map(name);
                let name = [callee, b" (inlined into ", caller, b")"].concat();
                (NameId(call.callee.0), name)
            });
            let namesakes = if self.has_numbers { self.namesakes() } else { Vec::new() };
            names.chain(namesakes).collect()
        });
        extended.get(&id)
    }

    /// Functions of a profile with equal names and places, such as those of several applications
    /// of a functor, with their numbers.
    fn namesakes(&self) -> Vec<(NameId, Vec<u8>)> {
        let symbols = self.table.iter().filter(|(_, symbol)| symbol.source.is_some());
        let mut symbols: Vec<_> = symbols.collect();
        symbols.cold_sort_by_key(|(id, symbol)| (&symbol.name, place(symbol), *id));
        let of_name = symbols.chunk_by(|(_, a), (_, b)| a.name == b.name && place(a) == place(b));
        let several = of_name.filter(|group| group.len() > 1);
        let numbered = several.flat_map(|group| {
            (1..).zip(group).map(|(number, &(id, symbol))| {
                let name = self.formatted.get(id.index(), &symbol.name);
                let number = format!(" ({number} of {})", group.len());
                (NameId(id.0), [name, number.as_bytes()].concat())
            })
        });
        numbered.collect()
    }

    fn symbol(&self, id: NameId) -> &Symbol {
        self.table.get(SymbolId(id.0))
    }
}

fn place(symbol: &Symbol) -> Option<(FileId, NonZeroU32)> {
    symbol.source.map(|source| (source.file, source.line))
}

impl NameTable for SymbolNames {
    fn name(&self, id: NameId) -> &[u8] {
        if let Some(extended) = self.extended(id) {
            return extended;
        }
        self.formatted.get(id.index(), &self.symbol(id).name)
    }

    fn n_given_up(&self) -> usize {
        self.formatted.n_given_up()
    }

    fn linkage_name(&self, id: NameId) -> &[u8] {
        &self.symbol(id).name
    }

    fn location(&self, id: NameId) -> Option<SourceLocation<'_>> {
        let source = self.symbol(id).source?;
        Some(SourceLocation { file: self.table.files().name(source.file), line: source.line.get() })
    }

    fn address(&self, id: NameId) -> Option<u64> {
        let symbol = self.symbol(id);
        let linked = || self.table.linked(symbol, symbol.range.start);
        self.has_addresses.then(|| linked().0)
    }

    fn object(&self, id: NameId) -> Option<&[u8]> {
        if !self.has_objects() {
            return None;
        }
        Some(self.table.object_of(self.symbol(id))?)
    }

    fn has_objects(&self) -> bool {
        self.table.has_objects()
    }

    fn beside(&self, id: NameId) -> Beside {
        if self.has_addresses {
            return Beside { object: self.has_objects(), location: false };
        }
        let names = self.table.iter().map(|(id, symbol)| {
            let id = NameId(id.0);
            PlacedName { name: &symbol.name, object: self.object(id), location: self.location(id) }
        });
        self.alike.get_or_init(|| AlikeNames::of(names)).get(id)
    }

    fn is_static(&self, id: NameId) -> bool {
        self.symbol(id).is_static
    }

    fn are_lines(&self) -> bool {
        self.are_lines
    }
}

/// Demangled names by number. Each call passes the mangled name.
#[derive(Debug)]
pub(crate) struct DisplayNames {
    demangler: Demangler,
    made: Box<[OnceLock<Arc<[u8]>>]>,
}

impl DisplayNames {
    pub(crate) fn new<'n>(names: impl ExactSizeIterator<Item = &'n [u8]>, style: Style) -> Self {
        let made = vec![OnceLock::new(); names.len()].into();
        Self { demangler: Demangler::of_program(style, names), made }
    }

    pub(crate) fn get(&self, index: usize, raw: &Arc<[u8]>) -> &[u8] {
        self.made[index].get_or_init(|| {
            // A name that cannot be demangled is shared, not copied.
            self.demangler.demangle(raw).unwrap_or_else(|| Arc::clone(raw))
        })
    }

    /// Number of names that exceeded the demangling budget.
    pub(crate) fn n_given_up(&self) -> usize {
        self.demangler.n_given_up()
    }
}
