//! How often functions, lines and blocks were executed, entered or allocated.

use std::cmp::Reverse;

use super::{Material, name};
use crate::analyze::blocks::BlockCounts;
use crate::analyze::coverage::{Coverage, EntryCount};
use crate::model::{Quantity, RecordedCosts, SampleKey, SizeBounds, Unit};
use crate::report::{Cell, Column, Layout, Role, RowKind, RowTable, Section, SectionId};
use crate::symbols::{NamedContexts, SymbolId};

fn section(
    layout: Layout,
    title: &'static str,
    columns: Vec<Column>,
    rows: RowTable,
) -> Section<'static> {
    Section::new(SectionId::Counts, title, layout, columns, rows)
}

fn shown(id: &'static str, role: Role, head: [&'static str; 2]) -> Column {
    Column::shown(id, role, head)
}

/// Executions of functions by source, each followed by those of its basic blocks.
#[must_use]
pub fn execution_counts(material: &Material<'_>, blocks: &BlockCounts) -> Section<'static> {
    let &Material {
        costs,
        table,
        filters,
        options,
    } = material;
    let ids = table.iter().map(|(id, _)| id);
    let mut ids: Vec<_> = ids.filter(|&id| filters.exec_counts.contains(id)).collect();
    ids.sort_by_cached_key(|&id| {
        let symbol = table.get(id);
        let source = symbol.source;
        let source = source.map(|source| (table.files().name(source.file).to_vec(), source.line));
        (source.is_none(), source, symbol.range.start)
    });
    let mut rows = RowTable::default();
    for id in ids {
        let calls = costs.calls_of(id);
        let all_calls = calls.from_others.wrapping_add(calls.from_self);
        let symbol = table.get(id);
        let of_function = (RowKind::Entry, symbol.range.start, all_calls);
        let of_blocks = blocks.of(id).iter();
        let of_blocks = of_blocks.map(|block| (RowKind::Frame, block.address, block.count));
        let counts = std::iter::once(of_function).chain(of_blocks);
        for (kind, address, count) in counts.filter(|row| row.2 > 0 || options.shows_idle) {
            let cells = [
                name(id),
                match costs.sampling {
                    Some(_) => Cell::text(table.linked(symbol, address).to_string()),
                    // Addresses of other profiles only number their symbols.
                    None => Cell::Absent,
                },
                Cell::integer(Some(count)),
            ];
            rows.push(kind, cells);
        }
    }
    let columns = vec![
        shown("name", Role::Name, ["", "name"]),
        shown("at", Role::Other, ["", "address"]),
        shown("executions", Role::Calls, ["", "executions"]),
    ];
    section(Layout::Gprof, "", columns, rows)
}

/// Entries of functions and branches, by file and line.
#[must_use]
pub fn entry_counts(coverage: &Coverage) -> Section<'static> {
    let mut rows = RowTable::default();
    for file in &coverage.files {
        let branches = file.branches.iter().map(|branch| &branch.entry);
        let mut entries: Vec<&EntryCount> = file.functions.iter().chain(branches).collect();
        entries.sort_by(|a, b| (a.line, &a.name).cmp(&(b.line, &b.name)));
        for entry in entries {
            let cells = [
                Cell::text(&file.file),
                Cell::integer(Some(entry.line)),
                Cell::text(&entry.name),
                Cell::integer(Some(entry.entries)),
            ];
            rows.push(RowKind::Entry, cells);
        }
    }
    let columns = vec![
        shown("file", Role::Source, ["", "file"]),
        shown("line", Role::Source, ["", "line"]),
        shown("name", Role::Name, ["", "name"]),
        shown("executions", Role::Calls, ["", "executions"]),
    ];
    section(
        Layout::Gprof,
        "Entries of functions and branches:",
        columns,
        rows,
    )
}

/// Events of a trace by function, most allocations first.
#[must_use]
pub fn event_counts(
    material: &Material<'_>,
    recorded: &RecordedCosts,
    names: &NamedContexts,
) -> Section<'static> {
    let columns = recorded.samples.types();
    let column = |quantity| {
        let mut columns = columns.iter();
        columns.position(|t| t.quantity == quantity && t.unit == Unit::Count)
    };
    let quantities = [Quantity::Allocated, Quantity::Freed, Quantity::Released];
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
    sorted.sort_by_key(|&(id, [allocated, _, released])| (Reverse((allocated, released)), id));
    let mut rows = RowTable::default();
    for (id, sums) in sorted {
        let [allocated, freed, released] = sums.map(|sum| Cell::integer(Some(sum)));
        rows.push(RowKind::Entry, [allocated, freed, released, name(id)]);
    }
    let columns = vec![
        shown("allocated", Role::Count, ["blocks", "allocated"]),
        shown("freed", Role::Count, ["freed", "of these"]),
        shown("released", Role::Count, ["freed", "by itself"]),
        shown("name", Role::Name, ["", "name"]),
    ];
    section(Layout::Table, "Events by function:", columns, rows)
}

/// Blocks by function and class of size, most blocks first.
#[must_use]
pub fn class_counts(
    material: &Material<'_>,
    recorded: &RecordedCosts,
    names: &NamedContexts,
    bounds: &SizeBounds,
) -> Section<'static> {
    let class_of_column: Vec<_> = recorded
        .samples
        .types()
        .iter()
        .map(|t| match (t.quantity, t.unit) {
            (Quantity::Allocated, Unit::Count) => t.class.map(|class| class as usize),
            _ => None,
        })
        .collect();
    let mut sums = vec![[0i128; 4]; names.table.symbols().len()];
    for (key, values) in recorded.samples.rows() {
        let SampleKey::Context(context) = key else {
            continue;
        };
        let focus = material.costs.focus.as_ref();
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
        let mut metrics = 0..costs.metrics.len();
        material.filters.exec_counts.contains(id)
            && metrics.any(|metric| !costs.self_cost(id, metric).is_zero())
    };
    let ids = (0..).map(SymbolId).zip(sums);
    let all = ids.map(|(id, sums)| (id, sums, sums.iter().sum::<i128>()));
    let mut sorted: Vec<_> = all.filter(|&(id, _, n)| n != 0 && is_shown(id)).collect();
    sorted.sort_by_key(|&(id, _, n_all)| (Reverse(n_all), id));
    let mut rows = RowTable::default();
    for (id, sums, n_all) in sorted {
        let cells = std::iter::once(n_all).chain(sums).map(Cell::Integer);
        rows.push(RowKind::Entry, cells.chain([name(id)]));
    }
    let columns = vec![
        shown("blocks", Role::Count, ["", "blocks"]),
        shown("small", Role::Count, ["", "small"]),
        shown("medium", Role::Count, ["", "medium"]),
        shown("large", Role::Count, ["", "large"]),
        shown("extra_large", Role::Count, ["extra", "large"]),
        shown("name", Role::Name, ["", "name"]),
    ];
    let SizeBounds {
        small,
        medium,
        large,
    } = bounds;
    Section {
        summary: vec![format!(
            "Small blocks have up to {small} bytes, medium ones up to {medium}, large ones up to {large}."
        )],
        ..section(Layout::Table, "Blocks by function and size:", columns, rows)
    }
}
