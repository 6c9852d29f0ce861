//! Names of a profile's contexts: the recorded ones, or better ones from an executable.
//!
//! A profile of exact costs may name functions, record addresses, or both. All become symbols
//! of one table, so that filters and reports work as for other profiles. The addresses in
//! that table are invented: they number the symbols by name.

use std::collections::{HashMap, HashSet};
use std::num::NonZeroU32;
use std::sync::Arc;

use foldhash::fast::RandomState;
use indexmap::IndexMap;

use super::files::{FileId, SourceFiles};
use super::symbol::{Granularity, SourceLine, Symbol, SymbolId, id_of};
use super::table::SymbolTable;
use crate::model::{Address, Context, ContextId, Function, FunctionId, LocationId, RecordedCosts};

/// The key of a symbol: contexts with the same key share one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ContextKeys {
    /// A function.
    Functions,
    Lines,
    /// All functions with the same name and location, which MLton distinguishes.
    Written,
}

/// Where the code of a context comes from, as far as known.
#[derive(Clone, Debug)]
pub struct ContextPlace {
    pub file: Option<Arc<[u8]>>,
    pub object: Option<Arc<[u8]>>,
}

/// The symbols of contexts.
#[derive(Debug)]
pub struct NamedContexts {
    pub table: Arc<SymbolTable>,
    /// By context.
    of_context: Box<[SymbolId]>,
    /// By function of the profile.
    of_function: Box<[SymbolId]>,
    /// Number of addresses outside of the executable.
    pub n_outside: usize,
}

impl NamedContexts {
    /// Names every context and function by the symbols of `program`, at the addresses of the
    /// profile, if there are any. Linear, plus a search in the executable for each address,
    /// and sorting.
    pub fn new(costs: &RecordedCosts, program: Option<&SymbolTable>, names: ContextKeys) -> Self {
        let namer = Namer { costs, program, names };
        let n_functions = costs.functions.len();
        let mut keys = KeyNumbers::new(&namer);
        let mut n_outside = 0;
        let of_context = costs.contexts.iter().map(|context| {
            let origin = namer.origin(context);
            let is_outside = !matches!(origin, NameOrigin::Program(_));
            n_outside += usize::from(is_outside && context.address.is_some());
            keys.number(origin)
        });
        let of_context: Vec<u32> = of_context.collect();
        // A function counts where the first of its contexts does.
        let mut of_function = vec![None; n_functions];
        let contexts = costs.contexts.iter().zip(&of_context);
        for (context, &number) in contexts.rev() {
            if let Some(function) = context.function {
                of_function[function.index()] = Some(number);
            }
        }
        let of_function = (0..).zip(of_function).map(|(id, number)| {
            number.unwrap_or_else(|| keys.number(NameOrigin::Function(FunctionId(id), None)))
        });
        let of_function: Vec<u32> = of_function.collect();
        let (table, symbols) = keys.into_table();
        let symbols_of = |numbers: Vec<u32>| {
            numbers.into_iter().map(|number| symbols[number as usize]).collect()
        };
        Self {
            table: Arc::new(table),
            of_context: symbols_of(of_context),
            of_function: symbols_of(of_function),
            n_outside: program.map_or(0, |_| n_outside),
        }
    }

    /// The source file and the object of each context, as far as known.
    pub fn places(costs: &RecordedCosts, program: Option<&SymbolTable>) -> Vec<ContextPlace> {
        let namer = Namer { costs, program, names: ContextKeys::Lines };
        let keys = costs.contexts.iter().map(|context| namer.key(namer.origin(context)));
        keys.map(|key| ContextPlace { file: key.file, object: key.object }).collect()
    }

    pub fn of(&self, context: ContextId) -> SymbolId {
        self.of_context[context.index()]
    }

    /// For each symbol, whether it is outside of the Standard ML library.
    pub fn outside_library(&self) -> Vec<bool> {
        let files = self.table.files();
        let is_outside = |symbol: &Symbol| {
            let file = symbol.source.map(|source| files.name(source.file));
            !file.is_some_and(is_library)
        };
        self.table.symbols().iter().map(is_outside).collect()
    }

    /// The symbol of a function of the profile.
    pub fn of_function(&self, function: FunctionId) -> SymbolId {
        self.of_function[function.index()]
    }
}

/// The origin of a name.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum NameOrigin {
    Program(SymbolId),
    /// The profile, possibly with a line of the function.
    Function(FunctionId, Option<LocationId>),
    /// The profile, with only a line.
    Location(LocationId),
    /// A return address without a name.
    Address(Address),
    /// Neither name nor address.
    Unknown,
}

/// Distinguishes and orders symbols.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
struct SymbolKey {
    name: Arc<[u8]>,
    file: Option<Arc<[u8]>>,
    /// `None` if the lines of a function are one symbol.
    line: Option<NonZeroU32>,
    /// An address or number that distinguishes symbols with equal names.
    tie: u64,
    object: Option<Arc<[u8]>>,
}

struct Namer<'a> {
    costs: &'a RecordedCosts,
    program: Option<&'a SymbolTable>,
    names: ContextKeys,
}

impl Namer<'_> {
    fn origin(&self, context: Context) -> NameOrigin {
        let in_program = || {
            let table = self.program?;
            // The recorded address is where the call returns to; the byte before it
            // is inside the call.
            let address = context.address?.before();
            let symbol = table.containing(address)?;
            Some(NameOrigin::Program(table.compiled_function(symbol)))
        };
        let recorded = || match (context.function, context.location, context.address) {
            (Some(function), location, _) => NameOrigin::Function(function, location),
            (None, Some(location), _) => NameOrigin::Location(location),
            (None, None, Some(address)) => NameOrigin::Address(address),
            (None, None, None) => NameOrigin::Unknown,
        };
        in_program().unwrap_or_else(recorded)
    }

    /// The key of a symbol.
    fn key(&self, origin: NameOrigin) -> SymbolKey {
        let by_line = self.names == ContextKeys::Lines;
        let new = |name: Arc<[u8]>, location: Option<LocationId>, tie| {
            let line = location.and_then(|id| self.costs.locations.line(id));
            let file = location.map(|id| Arc::clone(self.costs.locations.file(id)));
            SymbolKey { name, file, line: line.filter(|_| by_line), tie, object: None }
        };
        match origin {
            NameOrigin::Program(id) => self.key_in_program(id),
            NameOrigin::Function(id, line_in_it) => {
                let function = &self.costs.functions[id.index()];
                let name = match (function.name.is_empty(), function.entry) {
                    (false, _) => Arc::clone(&function.name),
                    (true, Some(entry)) => entry.to_string().into_bytes().into(),
                    (true, None) => UNKNOWN.into(),
                };
                let location = self.location(function, line_in_it);
                let object = function.object.clone().filter(|_| self.names != ContextKeys::Written);
                SymbolKey { object, ..new(name, location, self.tie(id, function)) }
            }
            NameOrigin::Location(location) => new(UNKNOWN.into(), Some(location), 0),
            NameOrigin::Address(address) => {
                let name = address.to_string().into_bytes();
                new(name.into(), None, address.0)
            }
            NameOrigin::Unknown => new(UNKNOWN.into(), None, 0),
        }
    }

    /// The line of an origin.
    fn line(&self, origin: NameOrigin) -> Option<NonZeroU32> {
        let location = match origin {
            NameOrigin::Program(id) => return self.program?.get(id).source.map(|at| at.line),
            NameOrigin::Function(id, line_in_it) => {
                self.location(&self.costs.functions[id.index()], line_in_it)
            }
            NameOrigin::Location(location) => Some(location),
            NameOrigin::Address(_) | NameOrigin::Unknown => None,
        };
        self.costs.locations.line(location?)
    }

    /// An origin; for all lines of a function with one key, the function.
    fn whole(&self, origin: NameOrigin) -> NameOrigin {
        let has_file = |id: FunctionId| {
            self.costs.knows_files || self.costs.functions[id.index()].location.is_some()
        };
        match origin {
            NameOrigin::Function(id, _) if self.names != ContextKeys::Lines && has_file(id) => {
                NameOrigin::Function(id, None)
            }
            _ => origin,
        }
    }

    /// The location of a function. Code inlined from other files belongs to it, unless lines
    /// are distinguished.
    fn location(&self, function: &Function, line_in_it: Option<LocationId>) -> Option<LocationId> {
        let file = |id: LocationId| self.costs.locations.file(id);
        let is_by_line = self.names == ContextKeys::Lines;
        match (function.location, line_in_it) {
            (Some(own), Some(line)) if !is_by_line && file(own) != file(line) => Some(own),
            (None, _) if !is_by_line && self.costs.knows_files => None,
            (own, line) => line.or(own),
        }
    }

    /// Distinguishes a function from others with the same name and file.
    fn tie(&self, id: FunctionId, function: &Function) -> u64 {
        if let Some(entry) = function.entry {
            return entry.0;
        }
        if self.names == ContextKeys::Written {
            return 0;
        }
        // A compiler's table of functions may repeat a name; each entry is a function of its own.
        if self.costs.build.is_some() {
            return 1 + u64::from(id.0);
        }
        0
    }

    fn key_in_program(&self, id: SymbolId) -> SymbolKey {
        let table = self.program.expect("the symbol is of a program");
        let symbol = table.get(id);
        let is_by_line = table.granularity() == Granularity::Lines;
        let line = symbol.source.map(|source| source.line);
        SymbolKey {
            name: Arc::clone(&symbol.name),
            file: symbol.source.map(|source| table.files().shared_name(source.file)),
            line: line.filter(|_| is_by_line),
            // A line of a function is one, in however many pieces.
            tie: match line {
                Some(_) if is_by_line => 0,
                _ => symbol.range.start.0,
            },
            object: None,
        }
    }
}

/// Sorted, without duplicates.
fn sorted<T: Ord>(items: impl Iterator<Item = T>) -> Vec<T> {
    let mut items: Vec<_> = items.collect();
    items.sort_unstable();
    items.dedup();
    items
}

/// Returns whether a source belongs to MLton: the compiler writes its path with a variable, or,
/// with full paths enabled, the installation path.
fn is_library(file: &[u8]) -> bool {
    const INSTALLED: &[u8] = b"/mlton/sml/";
    file.starts_with(b"$(SML_LIB)/")
        || file.starts_with(b"/") && file.windows(INSTALLED.len()).any(|part| part == INSTALLED)
}

const UNKNOWN: &[u8] = b"<unknown>";

/// The keys of symbols by number, and those of origins.
struct KeyNumbers<'a> {
    namer: &'a Namer<'a>,
    /// With the first known line of each.
    keys: IndexMap<SymbolKey, Option<NonZeroU32>, RandomState>,
    numbers: HashMap<NameOrigin, u32, RandomState>,
}

impl<'a> KeyNumbers<'a> {
    fn new(namer: &'a Namer<'a>) -> Self {
        Self { namer, keys: IndexMap::default(), numbers: HashMap::default() }
    }

    /// The number of the key of an origin.
    fn number(&mut self, origin: NameOrigin) -> u32 {
        let Self { namer, keys, numbers } = self;
        let number = *numbers.entry(namer.whole(origin)).or_insert_with(|| {
            let key = keys.entry(namer.key(origin));
            let number = u32::try_from(key.index()).expect("memory holds fewer symbols");
            key.or_default();
            number
        });
        if let Some(line) = namer.line(origin) {
            let first = &mut keys[number as usize];
            *first = Some(first.map_or(line, |first| first.min(line)));
        }
        number
    }

    /// The table of the keys, in order, and the symbol of each number.
    fn into_table(self) -> (SymbolTable, Vec<SymbolId>) {
        let Self { keys, .. } = self;
        let mut order: Vec<_> = (0..keys.len()).collect();
        order.sort_unstable_by(|&a, &b| keys.get_index(a).cmp(&keys.get_index(b)));
        let mut symbol_of_key = vec![SymbolId(0); keys.len()];
        let files: HashSet<_, RandomState> =
            keys.keys().filter_map(|key| key.file.clone()).collect();
        let files = sorted(files.into_iter());
        let symbols = (0..).map(SymbolId).zip(order).map(|(id, number)| {
            symbol_of_key[number] = id;
            let (key, line) = keys.get_index(number).expect("it was numbered");
            (symbol_of(id, key, *line, &files), key.object.clone())
        });
        let (symbols, objects) = symbols.unzip();
        let table = SymbolTable::new(symbols, SourceFiles::new(files), Granularity::Functions);
        (table.with_recorded_objects(objects), symbol_of_key)
    }
}

/// A symbol whose address is its number.
fn symbol_of(
    id: SymbolId,
    key: &SymbolKey,
    line: Option<NonZeroU32>,
    files: &[Arc<[u8]>],
) -> Symbol {
    let start = Address(id.0.into());
    let file = key.file.as_ref().and_then(|file| {
        let number = files.binary_search(file).ok()?;
        Some(FileId(id_of(number).0))
    });
    let source = file.zip(line).map(|(file, line)| SourceLine { file, line });
    Symbol { source, ..Symbol::function(start..Address(start.0 + 1), Arc::clone(&key.name)) }
}
