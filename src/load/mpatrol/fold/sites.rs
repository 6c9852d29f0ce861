//! Interned locations of events: names, places, contexts, and a row of values for each
//! context and thread.

use std::collections::HashMap;
use std::num::NonZeroU32;
use std::sync::Arc;

use foldhash::fast::RandomState;

use super::super::trace::TraceReader;
use crate::model::{
    Context, ContextId, Function, FunctionId, InternedNames, Interner, LocationId, RecordedCosts,
    RecordedLocation,
};

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) struct RowId(u32);

impl RowId {
    pub(super) fn index(self) -> usize {
        self.0 as usize
    }
}

/// The context and thread of a row of values.
#[derive(Clone, Copy, Debug)]
pub(super) struct SiteRow {
    pub(super) context: ContextId,
    pub(super) thread: u64,
    /// Index among all threads.
    pub(super) thread_index: usize,
}

/// The location of an event, as numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
struct Site {
    function: Option<u32>,
    file: Option<u32>,
    line: Option<NonZeroU32>,
}

/// All locations of events so far.
#[derive(Debug, Default)]
pub(super) struct EventSites {
    functions: InternedNames,
    files: InternedNames,
    locations: Vec<RecordedLocation>,
    location_ids: Interner<(u32, Option<NonZeroU32>)>,
    contexts: Vec<Context>,
    context_ids: Interner<Site>,
    threads: Interner<u64>,
    rows: Vec<SiteRow>,
    row_ids: HashMap<RowKey, RowId, RandomState>,
}

/// A location and a thread in compact form: function, file and line, with 0 for none.
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

impl EventSites {
    /// The row of the last event. A hot path.
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
        let site = Site { function, file, line };
        let key = RowKey::new(site, location.thread);
        match self.row_ids.get(&key) {
            Some(&row) => row,
            None => self.add_row(site, key),
        }
    }

    pub(super) fn row(&self, row: RowId) -> SiteRow {
        self.rows[row.index()]
    }

    pub(super) fn rows(&self) -> &[SiteRow] {
        &self.rows
    }

    /// Returns whether any event recorded its thread.
    pub(super) fn has_threads(&self) -> bool {
        self.rows.iter().any(|row| row.thread != 0)
    }

    /// The tables of functions, places and contexts.
    pub(super) fn into_costs(self) -> RecordedCosts {
        let functions = self.functions.names.into_iter();
        RecordedCosts {
            functions: functions.map(Function::named).collect(),
            locations: self.locations,
            contexts: self.contexts,
            ..RecordedCosts::default()
        }
    }

    #[cold]
    fn add_row(&mut self, site: Site, key: RowKey) -> RowId {
        let row = RowId(u32::try_from(self.rows.len()).expect("memory holds fewer rows"));
        let context = self.context(site);
        self.rows.push(SiteRow {
            context,
            thread: key.thread,
            thread_index: self.threads.number(key.thread) as usize,
        });
        self.row_ids.insert(key, row);
        row
    }

    fn context(&mut self, site: Site) -> ContextId {
        let location = site.file.map(|file| {
            let place =
                || RecordedLocation { file: Arc::clone(self.files.get(file)), line: site.line };
            let key = (file, site.line);
            LocationId(self.location_ids.find(key, &mut self.locations, place))
        });
        let context =
            || Context { function: site.function.map(FunctionId), location, ..Context::default() };
        ContextId(self.context_ids.find(site, &mut self.contexts, context))
    }
}
