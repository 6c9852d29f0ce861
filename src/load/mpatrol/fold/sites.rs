//! Locations of events, interned: names, places, contexts, and a row of values for each
//! context and thread.

use std::collections::HashMap;
use std::num::NonZeroU32;
use std::sync::Arc;

use foldhash::fast::RandomState;

use super::super::trace::TraceReader;
use crate::model::{
    Context, ContextId, Function, FunctionId, LocationId, RecordedCosts, RecordedLocation,
};

/// Numbers of names.
#[derive(Debug, Default)]
struct Names {
    numbers: HashMap<Arc<[u8]>, u32, RandomState>,
    names: Vec<Arc<[u8]>>,
}

impl Names {
    fn number(&mut self, name: &[u8]) -> u32 {
        if let Some(&number) = self.numbers.get(name) {
            return number;
        }
        let number = next(self.names.len());
        let name: Arc<[u8]> = name.into();
        self.names.push(Arc::clone(&name));
        self.numbers.insert(name, number);
        number
    }
}

/// The number of a row of values.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) struct RowId(u32);

impl RowId {
    pub(super) fn index(self) -> usize {
        self.0 as usize
    }
}

/// Whom a row of values is charged to.
#[derive(Clone, Copy, Debug)]
pub(super) struct Row {
    pub(super) context: ContextId,
    pub(super) thread: u64,
    /// Where the thread stands among all.
    pub(super) thread_index: usize,
}

/// Where an event happened, in numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
struct Site {
    function: Option<u32>,
    file: Option<u32>,
    line: Option<NonZeroU32>,
}

/// All places of events so far.
#[derive(Debug, Default)]
pub(super) struct Sites {
    functions: Names,
    files: Names,
    locations: Vec<RecordedLocation>,
    location_ids: HashMap<(u32, Option<NonZeroU32>), LocationId, RandomState>,
    contexts: Vec<Context>,
    context_ids: HashMap<Site, ContextId, RandomState>,
    threads: HashMap<u64, usize, RandomState>,
    rows: Vec<Row>,
    row_ids: HashMap<RowKey, RowId, RandomState>,
}

/// A site and a thread in few words: the function and the file by numbers from 1 on, as
/// the line, and 0 for none.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
struct RowKey {
    names: u64,
    line: u32,
    thread: u64,
}

impl RowKey {
    fn new(site: Site, thread: u64) -> Self {
        let number = |name: Option<u32>| name.map_or(0, |name| u64::from(name) + 1);
        Self {
            // No more than 2³¹ names fit in memory.
            names: number(site.function) << 32 | number(site.file),
            line: site.line.map_or(0, NonZeroU32::get),
            thread,
        }
    }
}

impl Sites {
    /// The row of the last event of a trace. This is a hot path.
    pub(super) fn row_id(&mut self, reader: &mut TraceReader<'_>) -> RowId {
        let location = reader.location;
        let function = location.function.map(|slot| {
            let intern = |name: &[u8]| self.functions.number(name);
            reader.functions.known(slot, intern)
        });
        let file = location.file.map(|slot| {
            let intern = |name: &[u8]| self.files.number(name);
            reader.files.known(slot, intern)
        });
        // A line without a file is nowhere.
        let line = file.and(location.line);
        let line = line.and_then(|line| NonZeroU32::try_from(line).ok());
        let site = Site {
            function,
            file,
            line,
        };
        let key = RowKey::new(site, location.thread);
        match self.row_ids.get(&key) {
            Some(&row) => row,
            None => self.add_row(site, key),
        }
    }

    pub(super) fn row(&self, row: RowId) -> Row {
        self.rows[row.index()]
    }

    pub(super) fn rows(&self) -> &[Row] {
        &self.rows
    }

    /// Whether any event said which thread it was in.
    pub(super) fn has_threads(&self) -> bool {
        self.threads.keys().any(|&thread| thread != 0)
    }

    /// The tables of functions, places and contexts.
    pub(super) fn into_costs(self) -> RecordedCosts {
        let function = |name| Function {
            name,
            object: None,
            entry: None,
            location: None,
        };
        RecordedCosts {
            functions: self.functions.names.into_iter().map(function).collect(),
            locations: self.locations,
            contexts: self.contexts,
            ..RecordedCosts::default()
        }
    }

    #[cold]
    fn add_row(&mut self, site: Site, key: RowKey) -> RowId {
        let thread = key.thread;
        let row = RowId(next(self.rows.len()));
        let n_threads = self.threads.len();
        let thread_index = *self.threads.entry(thread).or_insert(n_threads);
        let context = self.context(site);
        self.rows.push(Row {
            context,
            thread,
            thread_index,
        });
        self.row_ids.insert(key, row);
        row
    }

    fn context(&mut self, site: Site) -> ContextId {
        if let Some(&context) = self.context_ids.get(&site) {
            return context;
        }
        let location = site.file.map(|file| self.location(file, site.line));
        let id = ContextId(next(self.contexts.len()));
        self.contexts.push(Context {
            address: None,
            function: site.function.map(FunctionId),
            location,
            caller: None,
        });
        self.context_ids.insert(site, id);
        id
    }

    fn location(&mut self, file: u32, line: Option<NonZeroU32>) -> LocationId {
        let next_id = LocationId(next(self.locations.len()));
        let id = *self.location_ids.entry((file, line)).or_insert(next_id);
        if id == next_id {
            let file = Arc::clone(&self.files.names[file as usize]);
            self.locations.push(RecordedLocation { file, line });
        }
        id
    }
}

/// The number of what is added to so many.
fn next(length: usize) -> u32 {
    u32::try_from(length).expect("four thousand million entries do not fit in memory")
}
