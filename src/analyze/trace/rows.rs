//! Rows of the tables about a trace.

use super::{ContextLocation, context_location};
use crate::analyze::amount::percent;
use crate::model::{
    BlockLife, BlockTotal, HeapHistory, InvalidEvent, Peak, ReallocationChain, RecordedCosts,
    ThreadHistory,
};

/// Blocks and bytes to which one thing happened.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TotalRow {
    pub name: &'static str,
    pub blocks: BlockTotal,
}

/// A moment when the most was in use.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PeakRow {
    /// The most of what.
    pub name: &'static str,
    /// When, and how much.
    pub peak: Peak,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BlockRow {
    pub index: u64,
    /// Its size in bytes.
    pub size: u64,
    pub allocated: u64,
    pub freed: Option<u64>,
    /// Events from its allocation until it was freed, or to the end.
    pub life: u64,
    /// Where it was allocated, or reallocated last.
    pub allocated_at: ContextLocation,
    pub freed_at: Option<ContextLocation>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ChainRow {
    pub index: u64,
    pub n_reallocations: u64,
    pub first_size: u64,
    pub last_size: u64,
    pub first_at: ContextLocation,
    pub last_at: ContextLocation,
}

#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ThreadRow {
    /// What it did.
    pub history: ThreadHistory,
    /// Its share of all events, in percent.
    pub percent: f64,
}

/// One event that cannot be.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct InvalidEventRow {
    pub event: u64,
    /// What the block had been that it is about.
    pub what: &'static str,
    /// The number of that block.
    pub index: u64,
    pub at: ContextLocation,
}

impl InvalidEventRow {
    pub(super) fn new(what: &'static str, costs: &RecordedCosts, of: &InvalidEvent) -> Self {
        Self {
            event: of.event,
            what,
            index: of.index.0,
            at: context_location(costs, of.context),
        }
    }
}

pub(super) fn totals(history: &HeapHistory) -> Vec<TotalRow> {
    let row = |name, blocks| TotalRow { name, blocks };
    vec![
        row("allocated", history.allocations),
        row("reallocated", history.reallocations),
        row("freed", history.frees),
        row("never freed", history.live),
        row("freed at once", history.temporary),
        row("reserved for the heap", history.reserved),
        row("reserved for the library", history.internal),
    ]
}

pub(super) fn peaks(history: &HeapHistory) -> Vec<PeakRow> {
    let row = |name, peak| PeakRow { name, peak };
    vec![
        row("most bytes", history.peak_bytes),
        row("most blocks", history.peak_blocks),
    ]
}

pub(super) fn blocks(
    costs: &RecordedCosts,
    history: &HeapHistory,
    lives: &[BlockLife],
    n_rows: usize,
) -> Vec<BlockRow> {
    let row = |life: &BlockLife| BlockRow {
        index: life.index.0,
        size: life.size,
        allocated: life.allocated,
        freed: life.freed.map(|(event, _)| event),
        life: life.freed.map_or(history.n_events, |(event, _)| event) - life.allocated,
        allocated_at: context_location(costs, life.context),
        freed_at: life
            .freed
            .map(|(_, context)| context_location(costs, context)),
    };
    lives.iter().take(n_rows).map(row).collect()
}

pub(super) fn chains(costs: &RecordedCosts, history: &HeapHistory, n_rows: usize) -> Vec<ChainRow> {
    let row = |chain: &ReallocationChain| ChainRow {
        index: chain.index.0,
        n_reallocations: chain.n_reallocations,
        first_size: chain.first_size,
        last_size: chain.last_size,
        first_at: context_location(costs, chain.first_context),
        last_at: context_location(costs, chain.last_context),
    };
    history.chains.iter().take(n_rows).map(row).collect()
}

/// Threads that did the most first. One thread alone is not worth a table.
pub(super) fn threads(history: &HeapHistory) -> Vec<ThreadRow> {
    if history.threads.len() < 2 {
        return Vec::new();
    }
    let row = |thread: &ThreadHistory| ThreadRow {
        history: *thread,
        percent: percent(thread.n_events, history.n_events),
    };
    let mut rows: Vec<_> = history.threads.iter().map(row).collect();
    rows.sort_by(|left, right| {
        let by_events = right.history.n_events.cmp(&left.history.n_events);
        by_events.then(left.history.thread.cmp(&right.history.thread))
    });
    rows
}
