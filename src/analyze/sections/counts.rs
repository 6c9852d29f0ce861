//! Execution counts, entries and allocations by function, line or block.

use std::cmp::Reverse;
use std::sync::Arc;

use super::table::Columns;
use super::{Material, name};
use crate::analyze::blocks::BlockCounts;
use crate::analyze::coverage::{Coverage, EntryCount};
use crate::model::{Address, Quantity, RecordedCosts, SampleKey, SizeBounds, Unit};
use crate::report::Role::{Calls, Count, Name, Other, Source};
use crate::report::{Cell, Layout, RowKind, Section, SectionId};
use crate::sorting::ColdSort;
use crate::symbols::{NamedContexts, SymbolId};

/// Execution counts of functions by source file, each followed by the counts of its basic blocks.
pub fn execution_counts(material: &Material<'_>, blocks: &BlockCounts) -> Section {
    let &Material { costs, table, filters, options } = material;
    let ids = table.iter().map(|(id, _)| id);
    let mut ids: Vec<_> = ids.filter(|&id| filters.exec_counts.contains(id)).collect();
    let ranks = table.files().ranks();
    ids.sort_by_key(|&id| {
        let symbol = table.get(id);
        let source = symbol.source.map(|source| (ranks[source.file.0 as usize], source.line));
        (source.is_none(), source, symbol.range.start)
    });
    let counts = ids.into_iter().flat_map(|id| {
        let all_calls = costs.calls_of(id).all();
        let start = table.get(id).range.start;
        let of_blocks = blocks.of(id).iter();
        let of_blocks = of_blocks.map(|block| (RowKind::Frame, block.address, block.count));
        let counts = std::iter::once((RowKind::Entry, start, all_calls)).chain(of_blocks);
        counts.map(move |(kind, address, count)| (kind, (id, address, count)))
    });
    let counts = counts.filter(|(_, (.., count))| *count > 0 || options.shows_zero_cost);
    let columns = Columns::<(SymbolId, Address, u64)>::new()
        .named(Name, "name", |row| name(row.0))
        .shown(Other, "at", ["", "address"], |&(id, address, _)| {
            // Addresses of other profiles only number their symbols.
            let address = || table.linked(table.get(id), address).to_string();
            costs.sampling.is_some().then(address)
        })
        .named(Calls, "executions", |row| row.2);
    Section { layout: Layout::Gprof, ..columns.table_of(SectionId::Counts, "", counts) }
}

/// Entries of functions and branches, by file and line.
pub fn entry_counts(coverage: &Coverage) -> Section {
    let entries = coverage.files.iter().flat_map(|file| {
        let branches = file.branches.iter().map(|branch| &branch.entry);
        let mut entries: Vec<&EntryCount> = file.functions.iter().chain(branches).collect();
        entries.cold_sort_by(|a, b| (a.line, &a.name).cmp(&(b.line, &b.name)));
        entries.into_iter().map(move |entry| (&file.file, entry))
    });
    let columns = Columns::<(&Arc<[u8]>, &EntryCount)>::new()
        .named(Source, "file", |row| Cell::text(row.0))
        .named(Source, "line", |row| row.1.line)
        .named(Name, "name", |row| Cell::text(&row.1.name))
        .named(Calls, "executions", |row| row.1.entries);
    let title = "Entries of functions and branches:";
    Section { layout: Layout::Gprof, ..columns.table(SectionId::Counts, title, entries) }
}

/// Events of a trace by function, most allocations first.
pub fn event_counts(
    material: &Material<'_>,
    recorded: &RecordedCosts,
    names: &NamedContexts,
) -> Section {
    let columns = recorded.samples.types();
    let column = |quantity| {
        let mut columns = columns.iter();
        columns.position(|t| t.quantity == quantity && t.unit == Unit::COUNT)
    };
    let quantities = [Quantity::ALLOCATED, Quantity::FREED, Quantity::RELEASED];
    let columns = quantities.map(column);
    let mut sums = vec![[0u64; 3]; names.table.symbols().len()];
    for (key, values) in recorded.samples.rows() {
        let Some(context) = key.context() else {
            continue;
        };
        let sums = &mut sums[names.of(context).index()];
        for (sum, column) in sums.iter_mut().zip(columns) {
            *sum = sum.saturating_add(column.map_or(0, |column| values[column]));
        }
    }
    let filter = &material.filters.exec_counts;
    let ids = (0..).map(SymbolId).zip(sums);
    let shown_ids = ids.filter(|(id, sums)| filter.contains(*id) && *sums != [0; 3]);
    let mut sorted: Vec<_> = shown_ids.collect();
    sorted.cold_sort_by_key(|&(id, [allocated, _, released])| (Reverse((allocated, released)), id));
    let columns = Columns::<(SymbolId, [u64; 3])>::new()
        .shown(Count, "allocated", ["blocks", "allocated"], |row| row.1[0])
        .shown(Count, "freed", ["freed", "of these"], |row| row.1[1])
        .shown(Count, "released", ["freed", "by itself"], |row| row.1[2])
        .named(Name, "name", |row| name(row.0));
    columns.table(SectionId::Counts, "Events by function:", sorted)
}

/// Blocks by function and class of size, most blocks first.
pub fn class_counts(
    material: &Material<'_>,
    recorded: &RecordedCosts,
    names: &NamedContexts,
    bounds: &SizeBounds,
) -> Section {
    let class_of_column: Vec<_> = recorded
        .samples
        .types()
        .iter()
        .map(|t| match (t.quantity, t.unit) {
            (Quantity::ALLOCATED, Unit::COUNT) => t.class.map(|class| class as usize),
            _ => None,
        })
        .collect();
    let mut sums = vec![[0i128; 4]; names.table.symbols().len()];
    for (key, values) in recorded.samples.rows() {
        let SampleKey::Context(context) = key else {
            continue;
        };
        let focus = material.costs.focus();
        if focus.is_some_and(|part| !part.has_context(context)) {
            continue;
        }
        let sums = &mut sums[names.of(context).index()];
        for (class, &value) in class_of_column.iter().zip(values) {
            if let Some(class) = class {
                sums[*class] += i128::from(value);
            }
        }
    }
    let costs = material.costs;
    let is_shown = |id: SymbolId| {
        let mut metrics = 0..costs.shape.metrics.len();
        material.filters.exec_counts.contains(id)
            && metrics.any(|metric| !costs.self_cost(id, metric).is_zero())
    };
    let ids = (0..).map(SymbolId).zip(sums);
    let all = ids.map(|(id, sums)| (id, sums, sums.iter().sum::<i128>()));
    let mut sorted: Vec<_> = all.filter(|&(id, _, n)| n != 0 && is_shown(id)).collect();
    sorted.cold_sort_by_key(|&(id, _, n_all)| (Reverse(n_all), id));
    let columns = Columns::<(SymbolId, [i128; 4], i128)>::new()
        .named(Count, "blocks", |row| row.2)
        .named(Count, "small", |row| row.1[0])
        .named(Count, "medium", |row| row.1[1])
        .named(Count, "large", |row| row.1[2])
        .named(Count, "extra_large", |row| row.1[3])
        .named(Name, "name", |row| name(row.0));
    let SizeBounds { small, medium, large } = bounds;
    Section {
        summary: vec![format!(
            "Small blocks have up to {small} bytes, medium ones up to {medium}, large ones up to {large}."
        )],
        ..columns.table(SectionId::Counts, "Blocks by function and size:", sorted)
    }
}
