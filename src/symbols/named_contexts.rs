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
        let namer = Namer {
            costs,
            program,
            names,
            objects: sorted(costs.functions.iter().filter_map(|f| f.object.as_deref())),
        };
        let contexts = costs.contexts.iter();
        let origins: Vec<_> = contexts.map(|context| namer.origin(context)).collect();
        let with_address = costs.contexts.iter().zip(&origins);
        let with_address = with_address.filter(|(context, _)| context.address.is_some());
        let is_outside = |origin: &NameOrigin| !matches!(origin, NameOrigin::Program(_));
        let n_outside = with_address.filter(|(_, origin)| is_outside(origin)).count();
        // A function counts where the first of its contexts does.
        let functions = (0..).zip(&costs.functions);
        let functions = functions.map(|(id, _)| NameOrigin::Function(FunctionId(id), None));
        let mut of_function: Vec<_> = functions.collect();
        for (context, &origin) in costs.contexts.iter().zip(&origins).rev() {
            if let Some(function) = context.function {
                of_function[function.index()] = origin;
            }
        }
        let all = origins.into_iter().chain(of_function);
        let (table, ids) = table_of(all, &namer);
        let (of_context, of_function) = ids.split_at(costs.contexts.len());
        Self {
            table: Arc::new(table),
            of_context: of_context.into(),
            of_function: of_function.into(),
            n_outside: program.map_or(0, |_| n_outside),
        }
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
}

struct Namer<'a> {
    costs: &'a RecordedCosts,
    program: Option<&'a SymbolTable>,
    names: ContextKeys,
    /// Objects of functions, sorted.
    objects: Vec<&'a [u8]>,
}

impl Namer<'_> {
    fn origin(&self, context: &Context) -> NameOrigin {
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

    /// The key of a symbol, and one of its lines.
    fn key(&self, origin: NameOrigin) -> (SymbolKey, Option<NonZeroU32>) {
        let by_line = self.names == ContextKeys::Lines;
        let new = |name: Arc<[u8]>, location: Option<LocationId>, tie| {
            let location = location.map(|id| &self.costs.locations[id.index()]);
            let line = location.and_then(|location| location.line);
            let key = SymbolKey {
                name,
                file: location.map(|location| Arc::clone(&location.file)),
                line: line.filter(|_| by_line),
                tie,
            };
            (key, line)
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
                new(name, location, self.tie(id, function))
            }
            NameOrigin::Location(location) => new(UNKNOWN.into(), Some(location), 0),
            NameOrigin::Address(address) => {
                let name = address.to_string().into_bytes();
                new(name.into(), None, address.0)
            }
            NameOrigin::Unknown => new(UNKNOWN.into(), None, 0),
        }
    }

    /// The location of a function. Code inlined from other files belongs to it, unless lines
    /// are distinguished.
    fn location(&self, function: &Function, line_in_it: Option<LocationId>) -> Option<LocationId> {
        let file = |id: LocationId| &self.costs.locations[id.index()].file;
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
        let object = function.object.as_deref();
        let rank = object.and_then(|object| self.objects.binary_search(&object).ok());
        rank.map_or(0, |rank| 1 + rank as u64)
    }

    fn key_in_program(&self, id: SymbolId) -> (SymbolKey, Option<NonZeroU32>) {
        let table = self.program.expect("the symbol is of a program");
        let symbol = table.get(id);
        let is_by_line = table.granularity() == Granularity::Lines;
        let line = symbol.source.map(|source| source.line);
        let file = symbol.source.map(|source| table.files().name(source.file));
        let key = SymbolKey {
            name: Arc::clone(&symbol.name),
            file: file.map(Arc::from),
            line: line.filter(|_| is_by_line),
            // A line of a function is one, in however many pieces.
            tie: match line {
                Some(_) if is_by_line => 0,
                _ => symbol.range.start.0,
            },
        };
        (key, line)
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

/// The table of these keys, in order, and the symbol of each origin. A symbol has the first
/// of its lines.
fn table_of(
    origins: impl Iterator<Item = NameOrigin>,
    namer: &Namer<'_>,
) -> (SymbolTable, Vec<SymbolId>) {
    let mut numbers: HashMap<NameOrigin, usize, RandomState> = HashMap::default();
    // The first known line of each key.
    let mut keys: IndexMap<SymbolKey, Option<NonZeroU32>, RandomState> = IndexMap::default();
    let mut key_of_origin = Vec::new();
    for origin in origins {
        key_of_origin.push(*numbers.entry(origin).or_insert_with(|| {
            let (key, line) = namer.key(origin);
            let key = keys.entry(key);
            let number = key.index();
            let first = key.or_default();
            *first = line.into_iter().chain(*first).min();
            number
        }));
    }
    let mut order: Vec<_> = (0..keys.len()).collect();
    order.sort_unstable_by(|&a, &b| keys.get_index(a).cmp(&keys.get_index(b)));
    let mut symbol_of_key = vec![SymbolId(0); keys.len()];
    let files: HashSet<_, RandomState> = keys.keys().filter_map(|key| key.file.clone()).collect();
    let files = sorted(files.into_iter());
    let symbols = (0..).map(SymbolId).zip(order).map(|(id, number)| {
        symbol_of_key[number] = id;
        let (key, line) = keys.get_index(number).expect("it was numbered");
        symbol_of(id, key, *line, &files)
    });
    let symbols: Vec<_> = symbols.collect();
    let of_origin = key_of_origin.iter().map(|&key| symbol_of_key[key]).collect();
    let table = SymbolTable::new(symbols, SourceFiles::new(files), Granularity::Functions);
    (table, of_origin)
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
