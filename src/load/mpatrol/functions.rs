//! The symbols and names of an allocation profile.
//!
//! They are at its end, so a truncated file may lack them and still be usable. Names belong
//! to call sites, not to symbols; the library gives all call sites of a symbol the same name.

use std::collections::HashMap;
use std::sync::Arc;

use foldhash::fast::RandomState;

use super::super::Damage;
use super::super::cursor::Cursor;
use super::super::error::ReadError;
use super::fault::ProfileError;
use super::site_errors::SiteErrors;
use super::table::{WordGrid, site};
use super::{MAGIC_SIZE, PROFILE_MAGIC, word};
use crate::model::{Address, ContextId, Function, FunctionId, SiteName};

/// Maximum total length of names, relative to the string table. Names of real files do not
/// overlap.
const MAX_OVERLAP: usize = 4;

/// The functions of call sites, as far as readable.
#[derive(Default)]
pub(super) struct CallSiteNames {
    /// The symbols in file order, then names without a symbol.
    pub(super) functions: Vec<Function>,
    /// The function of each call site; shorter if the rest is unreadable.
    pub(super) of_sites: Vec<Option<FunctionId>>,
    /// The names of call sites that differ from the names of their functions.
    pub(super) other_names: Vec<SiteName>,
    /// The symbols of call sites beyond the table.
    pub(super) other_symbols: Vec<(ContextId, u64)>,
    /// The first error, if any.
    pub(super) damage: Option<Damage>,
}

impl From<Damage> for CallSiteNames {
    fn from(damage: Damage) -> Self {
        Self { damage: Some(damage), ..Self::default() }
    }
}

/// Reads the part after the call sites, and assigns functions to these.
pub(super) fn read_functions(cursor: &mut Cursor<'_>, sites: &WordGrid<'_>) -> CallSiteNames {
    let at =
        |error: ReadError, cursor: &Cursor<'_>| Damage { error, n_lost: cursor.remaining() as u64 };
    let entries = match WordGrid::read(cursor, "symbols", 1) {
        Ok(entries) => entries,
        Err(error) => return at(error, cursor).into(),
    };
    let (strings, mut damage) = match read_strings(cursor) {
        Ok(strings) => (strings, None),
        Err((strings, error)) => (strings, Some(at(error, cursor))),
    };
    if damage.is_none() {
        damage = check_end(cursor).err().map(|error| at(error, cursor));
    }
    let mut named = name_functions(&entries, sites, strings);
    named.damage = damage.or(named.damage);
    named
}

/// The string table; if truncated, its readable part and the error.
fn read_strings<'a>(cursor: &mut Cursor<'a>) -> Result<&'a [u8], (&'a [u8], ReadError)> {
    let size = word(cursor, "size of the string table").map_err(|error| (&[][..], error))?;
    let taken = cursor.take("string table", size);
    taken.map_err(|error| (cursor.clone().take_rest(), error))
}

fn check_end(cursor: &mut Cursor<'_>) -> Result<(), ReadError> {
    let start = cursor.clone();
    match cursor.take("magic at the end", MAGIC_SIZE)? {
        PROFILE_MAGIC => Ok(()),
        _ => Err(start.error(ProfileError::NoEnd)),
    }
}

/// Fills the table of functions. An invalid call site has no function, or a function without
/// name; the first such error is the damage. If a symbol has several names, the first is the name
/// of the function.
fn name_functions(entries: &WordGrid<'_>, sites: &WordGrid<'_>, strings: &[u8]) -> CallSiteNames {
    let mut functions = FunctionTable::new(entries, strings);
    let mut errors = SiteErrors::default();
    let mut of_sites = Vec::with_capacity(sites.len());
    let mut other_symbols = Vec::new();
    for (row, site) in sites.rows() {
        let (symbol, offset) = (site.word(site::SYMBOL), site.word(site::NAME));
        if symbol > entries.len() as u64 {
            other_symbols.push((ContextId(row), symbol));
        }
        let (function, checked) = match symbol {
            0 => functions.without_symbol(offset),
            symbol => functions.of_symbol(symbol, offset),
        };
        of_sites.push(function);
        if let Err(error) = checked {
            errors.add(sites, row, error);
        }
    }
    let damage = errors.first();
    let other_names = if functions.has_other_names {
        functions.other_names(sites, &of_sites)
    } else {
        Vec::new()
    };
    CallSiteNames {
        other_names,
        other_symbols,
        functions: functions.table,
        of_sites,
        damage: damage.map(|error| Damage { error, n_lost: 0 }),
    }
}

/// The functions so far.
struct FunctionTable<'a> {
    table: Vec<Function>,
    names: StringTable<'a>,
    /// Offset of each symbol's name; 0 if not known yet.
    offsets: Vec<u64>,
    /// Some call site has another name than its function, or may have.
    has_other_names: bool,
    without_symbol: HashMap<u64, FunctionId, RandomState>,
}

/// The function, if any, and its error.
type FoundFunction = (Option<FunctionId>, Result<(), ProfileError>);

impl<'a> FunctionTable<'a> {
    fn new(entries: &WordGrid<'_>, strings: &'a [u8]) -> Self {
        let nameless: Arc<[u8]> = Arc::from([]);
        let function =
            |entry| Function { entry: Some(Address(entry)), ..Function::named(nameless.clone()) };
        Self {
            table: entries.rows().map(|(_, entry)| function(entry.word(0))).collect(),
            names: StringTable::new(strings),
            offsets: vec![0; entries.len()],
            has_other_names: false,
            without_symbol: HashMap::default(),
        }
    }

    /// The function of a symbol (from 1) whose name is at `offset`.
    fn of_symbol(&mut self, symbol: u64, offset: u64) -> FoundFunction {
        let index = usize::try_from(symbol - 1).unwrap_or(usize::MAX);
        let count = self.offsets.len();
        let Some(known) = self.offsets.get_mut(index) else {
            let (function, checked) = self.without_symbol(offset);
            let error = ProfileError::Symbol { number: symbol, count };
            return (function, checked.and(Err(error)));
        };
        let function = Some(id_of(index));
        // The library gives all call sites of a symbol the same name.
        self.has_other_names |= offset == 0 || *known != 0 && offset != *known;
        if offset == 0 || offset == *known {
            return (function, Ok(()));
        }
        let name = match self.names.at(offset) {
            Ok(name) => name,
            Err(error) => return (function, Err(error)),
        };
        self.has_other_names |= name.is_empty();
        if *known == 0 {
            *known = offset;
            self.table[index].name = name;
        } else if self.table[index].name != name {
            return (function, Err(ProfileError::TwoNames { symbol }));
        }
        (function, Ok(()))
    }

    /// The names of call sites that differ from the names of their functions.
    fn other_names(
        &mut self,
        sites: &WordGrid<'_>,
        of_sites: &[Option<FunctionId>],
    ) -> Vec<SiteName> {
        let mut others = Vec::new();
        for ((row, site), function) in sites.rows().zip(of_sites) {
            let name = match site.word(site::NAME) {
                0 => None,
                offset => match self.names.at(offset) {
                    Ok(name) => Some(name),
                    Err(_) => continue,
                },
            };
            let function = function.map(|id| &self.table[id.index()].name);
            if name.as_ref() != function.filter(|name| !name.is_empty()) {
                others.push((ContextId(row), name));
            }
        }
        others
    }

    /// A function with only a name.
    fn without_symbol(&mut self, offset: u64) -> FoundFunction {
        if offset == 0 {
            return (None, Ok(()));
        }
        if let Some(&known) = self.without_symbol.get(&offset) {
            return (Some(known), Ok(()));
        }
        let name = match self.names.at(offset) {
            Ok(name) => name,
            Err(error) => return (None, Err(error)),
        };
        let id = id_of(self.table.len());
        self.has_other_names |= name.is_empty();
        self.without_symbol.insert(offset, id);
        self.table.push(Function::named(name));
        (Some(id), Ok(()))
    }
}

fn id_of(index: usize) -> FunctionId {
    FunctionId(u32::try_from(index).expect("there are fewer symbols and call sites"))
}

/// The string table, up to its last complete name.
struct StringTable<'a> {
    strings: &'a [u8],
    n_bytes_left: usize,
    known: HashMap<u64, Arc<[u8]>, RandomState>,
}

impl<'a> StringTable<'a> {
    fn new(strings: &'a [u8]) -> Self {
        let last_end = strings.iter().rposition(|&byte| byte == 0);
        let strings = &strings[..last_end.map_or(0, |end| end + 1)];
        Self {
            strings,
            n_bytes_left: strings.len().saturating_mul(MAX_OVERLAP),
            known: HashMap::default(),
        }
    }

    /// The name at an offset. The total length of names is limited, even if they overlap.
    fn at(&mut self, offset: u64) -> Result<Arc<[u8]>, ProfileError> {
        if let Some(name) = self.known.get(&offset) {
            return Ok(Arc::clone(name));
        }
        let name: Arc<[u8]> = self.read(offset)?.into();
        self.known.insert(offset, Arc::clone(&name));
        Ok(name)
    }

    fn read(&mut self, offset: u64) -> Result<&'a [u8], ProfileError> {
        let start = usize::try_from(offset).unwrap_or(usize::MAX);
        let rest = match self.strings.get(start..) {
            Some(rest) if !rest.is_empty() => rest,
            _ => {
                let size = self.strings.len();
                return Err(ProfileError::Name { offset, size });
            }
        };
        let searched = &rest[..rest.len().min(self.n_bytes_left)];
        let Some(length) = searched.iter().position(|&byte| byte == 0) else {
            self.n_bytes_left = 0;
            return Err(ProfileError::OverlappingNames);
        };
        self.n_bytes_left -= length;
        Ok(&rest[..length])
    }
}
