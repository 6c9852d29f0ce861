//! Memory by call stack: never freed, or in use at the peak.

use std::io;
use std::ops::Range;

use super::trace_places::DisplayName;
use super::{Material, N_NAMED, counted, name};
use crate::analyze::heap_stacks::{HeapStacks, StackDepth};
use crate::report::{
    Cell, Column, Layout, MetricIndex, Role, Row, RowKind, RowVisitor, Rows, Section, SectionId,
    escape_controls,
};
use crate::symbols::SymbolId;

/// Blocks never freed: a row for each stack, followed by a row for each caller.
pub fn leaks_section(
    material: &Material<'_>,
    leaks: HeapStacks,
    display: &DisplayName<'_>,
) -> Section {
    let titles = ["Leaks by function:", "Leaks by call stack:"];
    let summary = about_leaks(material, &leaks);
    section(material, (SectionId::Leaks, titles), summary, leaks, display)
}

/// Memory in use at the peak: a row for each stack, followed by a row for each caller.
pub fn peak_stacks_section(
    material: &Material<'_>,
    peak: HeapStacks,
    display: &DisplayName<'_>,
) -> Section {
    let titles = ["In use at the peak, by function:", "In use at the peak, by call stack:"];
    let all = |metric: &MetricIndex| {
        let unit = &material.costs.shape.metrics[*metric].unit;
        counted(material.exact(*metric), unit.trim_end_matches('s'))
    };
    let amounts: Vec<_> = peak.metrics.shown.iter().map(all).collect();
    let depth = about_depth(peak.depth);
    let summary = vec![format!("{} in use at the peak; {depth}.", amounts.join(" in "))];
    section(material, (SectionId::HeapPeak, titles), summary, peak, display)
}

/// The section, with a title for profiles without call stacks or with them.
fn section(
    material: &Material<'_>,
    (id, [by_function, by_stack]): (SectionId, [&'static str; 2]),
    mut summary: Vec<String>,
    stacks: HeapStacks,
    display: &DisplayName<'_>,
) -> Section {
    let title = if stacks.depth == StackDepth::NoStacks { by_function } else { by_stack };
    let has_rows = !stacks.stacks.is_empty();
    let columns = if has_rows { columns(material, &stacks) } else { Box::default() };
    summary.extend(material.about_focus(stacks.metrics.first()));
    let notes = about_wrappers(material, &stacks.wrappers, display).into_iter().collect();
    Section { summary, notes, ..Section::new(id, title, Layout::Table, columns, StackRows(stacks)) }
}

fn columns(material: &Material<'_>, stacks: &HeapStacks) -> Box<[Column]> {
    let part = |metric: MetricIndex| {
        material.costs.shape.metrics[metric].part_of_heap().unwrap_or("allocated").to_owned()
    };
    let amount = |&index: &MetricIndex| {
        let metric = &material.costs.shape.metrics[index];
        let head = [part(index), metric.unit.clone().into_owned()];
        Column::shown(metric.id.clone(), Role::Count, head).of(index)
    };
    let share =
        Column::shown("percent", Role::Share, ["%".to_owned(), part(stacks.metrics.first())]);
    let name = Column::shown("name", Role::Name, ["", "name"]);
    let amounts = stacks.metrics.shown.iter().map(amount);
    [share].into_iter().chain(amounts).chain([name]).collect()
}

fn display_name(material: &Material<'_>, id: SymbolId, display: &DisplayName<'_>) -> String {
    let name = display(&material.table.get(id).name);
    String::from_utf8_lossy(&escape_controls(&name)).into_owned()
}

/// The omitted wrappers of allocators.
pub fn about_wrappers(
    material: &Material<'_>,
    wrappers: &[SymbolId],
    display: &DisplayName<'_>,
) -> Option<String> {
    let named = wrappers.iter().take(N_NAMED);
    let named: Vec<_> = named.map(|&id| display_name(material, id, display)).collect();
    let n_more = wrappers.len() - named.len();
    let more = if n_more > 0 { format!(" and {n_more} more") } else { String::new() };
    let is_any = !named.is_empty();
    is_any.then(|| format!("Wrappers of allocators are omitted: {}{more}.", named.join(", ")))
}

/// Computed on demand: each stack can have a hundred rows.
struct StackRows(HeapStacks);

impl Rows for StackRows {
    fn n_entries(&self) -> usize {
        self.0.stacks.len()
    }

    fn n_rows_of(&self, entry: usize) -> usize {
        self.0.stacks[entry].n_listed.max(1)
    }

    fn for_each_of(&self, entries: Range<usize>, visit: &mut RowVisitor<'_>) -> io::Result<()> {
        let Self(stacks) = self;
        let n_cells = stacks.metrics.shown.len() + 2;
        for one in &stacks.stacks[entries] {
            let mut frames = stacks.stack(one).map(name);
            let first = frames.next();
            let first = first.unwrap_or_else(|| Cell::text("<no call stack>"));
            let amounts = one.amounts.iter().map(|&amount| Cell::Integer(amount));
            let cells: Vec<_> =
                [Cell::Real(one.percent)].into_iter().chain(amounts).chain([first]).collect();
            visit(Row { kind: RowKind::Entry, cells: &cells })?;
            let more = one.n_more;
            let more = (more > 0).then(|| Cell::text(format!("{more} more functions")));
            let cut = one.is_cut.then(|| Cell::text("..."));
            for frame in frames.chain(more).chain(cut) {
                let mut cells = vec![Cell::Absent; n_cells];
                cells[n_cells - 1] = frame;
                visit(Row { kind: RowKind::Frame, cells: &cells })?;
            }
        }
        Ok(())
    }
}

fn about_leaks(material: &Material<'_>, leaks: &HeapStacks) -> Vec<String> {
    let [bytes, blocks, unfreed_bytes, unfreed_blocks] =
        [0, 1, 2, 3].map(|metric| material.exact(metric));
    if leaks.stacks.is_empty() {
        let sentence = match (leaks.is_filtered, unfreed_bytes, unfreed_blocks) {
            (true, ..) => "The functions shown have no leaks.",
            (_, 0, 0) => "All allocated memory was freed.",
            _ => "No call stack has memory that was never freed.",
        };
        return vec![sentence.to_owned()];
    }
    let depth = about_depth(leaks.depth);
    vec![
        format!(
            "{} in {} never freed,",
            counted(unfreed_bytes, "byte"),
            counted(unfreed_blocks, "block"),
        ),
        format!("of {} in {}; {depth}.", counted(bytes, "byte"), counted(blocks, "block"),),
    ]
}

fn about_depth(depth: StackDepth) -> String {
    match depth {
        StackDepth::NoStacks => "call stacks were not recorded".to_owned(),
        StackDepth::Whole => "grouped by whole call stack".to_owned(),
        StackDepth::Functions(1) => "grouped by function".to_owned(),
        StackDepth::Functions(depth) => format!("grouped by the innermost {depth} functions"),
    }
}
