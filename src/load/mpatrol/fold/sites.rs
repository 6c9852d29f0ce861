//! Interned locations of events: names, places, contexts, and a row of values for each
//! context and thread.

use std::num::NonZeroU32;

use foldhash::fast::RandomState;
use indexmap::{IndexMap, IndexSet};

use super::super::super::cost_builder::{CostBuilder, Frame, FunctionKey, NameId};
use super::super::trace::TraceReader;
use crate::model::{ContextId, RecordedCosts};

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) struct RowId(u32);

impl RowId {
    pub(super) fn index(self) -> usize {
        self.0 as usize
    }
}

/// The context and thread of a row of values.
#[derive(Clone, Copy, Debug)]
pub(super) struct SiteOfValues {
    pub(super) context: ContextId,
    pub(super) thread: u64,
    /// Index among all threads.
    pub(super) thread_index: usize,
}

/// The location and thread of an event.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
struct RowKey {
    function: Option<NameId>,
    file: Option<NameId>,
    line: Option<NonZeroU32>,
    thread: u64,
}

/// All locations of events so far.
#[derive(Debug, Default)]
pub(super) struct EventSites {
    costs: CostBuilder,
    threads: IndexSet<u64, RandomState>,
    rows: IndexMap<RowKey, SiteOfValues, RandomState>,
}

impl EventSites {
    /// The row of the last event. A hot path.
    pub(super) fn row_id(&mut self, reader: &mut TraceReader<'_>) -> RowId {
        let location = reader.location;
        let mut intern = |name: &[u8]| self.costs.name(name);
        let function = location.function.map(|slot| reader.functions.known(slot, &mut intern));
        let file = location.file.map(|slot| reader.files.known(slot, &mut intern));
        // A line without a file is nowhere.
        let line = file.and(location.line);
        let line = line.and_then(|line| NonZeroU32::try_from(line).ok());
        let key = RowKey { function, file, line, thread: location.thread };
        let row = self.rows.get_index_of(&key).unwrap_or_else(|| self.add_row(key));
        RowId(u32::try_from(row).expect("memory holds fewer rows"))
    }

    pub(super) fn row(&self, row: RowId) -> SiteOfValues {
        self.rows[row.index()]
    }

    pub(super) fn rows(&self) -> impl ExactSizeIterator<Item = &SiteOfValues> {
        self.rows.values()
    }

    /// Returns whether any event recorded its thread.
    pub(super) fn has_threads(&self) -> bool {
        self.rows.keys().any(|key| key.thread != 0)
    }

    /// The tables of functions, places and contexts.
    pub(super) fn into_costs(self) -> RecordedCosts {
        RecordedCosts { knows_files: false, ..self.costs.finish(Vec::new()) }
    }

    #[cold]
    fn add_row(&mut self, key: RowKey) -> usize {
        let RowKey { function, file, line, thread } = key;
        let costs = &mut self.costs;
        let key_of = |name| FunctionKey { name, object: None, file: None, level: None };
        let function = function.map(|name| costs.function(key_of(name)));
        let place = file.map(|file| costs.place(file, line));
        let context = costs.context(None, Frame { function, place });
        let (thread_index, _) = self.threads.insert_full(thread);
        self.rows.insert_full(key, SiteOfValues { context, thread, thread_index }).0
    }
}
