//! Leaks, by call stack.

use std::io;
use std::ops::Range;

use super::{Material, counted, name};
use crate::analyze::amount::Amount;
use crate::analyze::leaks::{LeakDepth, Leaks, unfreed};
use crate::report::{
    Cell, Column, Layout, Role, Row, RowKind, RowVisitor, Rows, Section, SectionId,
};

/// Blocks never freed: a row for each stack, followed by a row for each caller.
pub fn leaks_section(material: &Material<'_>, leaks: Leaks) -> Section {
    let title = match leaks.depth {
        LeakDepth::NoStacks => "Leaks by function:",
        _ => "Leaks by call stack:",
    };
    let columns = if leaks.leaks.is_empty() { Box::default() } else { columns(material) };
    Section {
        summary: summary(material, &leaks),
        ..Section::new(SectionId::Leaks, title, Layout::Table, columns, LeakRows(leaks))
    }
}

fn columns(material: &Material<'_>) -> Box<[Column]> {
    let of = |index: usize, what: &'static str| {
        let metric = &material.costs.shape.metrics[index];
        let head = [what.to_owned(), metric.unit.clone().into_owned()];
        Column::shown(metric.id.clone(), Role::Count, head).of(index)
    };
    Box::new([
        Column::shown("percent", Role::Share, ["%", "unfreed"]),
        of(2, "unfreed"),
        of(3, "unfreed"),
        of(0, "allocated"),
        of(1, "allocated"),
        Column::shown("name", Role::Name, ["", "name"]),
    ])
}

/// Computed on demand: each leak can have a hundred rows.
struct LeakRows(Leaks);

impl Rows for LeakRows {
    fn n_entries(&self) -> usize {
        self.0.leaks.len()
    }

    fn n_rows_of(&self, entry: usize) -> usize {
        self.0.leaks[entry].n_listed.max(1)
    }

    fn for_each_of(&self, entries: Range<usize>, visit: &mut RowVisitor<'_>) -> io::Result<()> {
        let Self(leaks) = self;
        for leak in &leaks.leaks[entries] {
            let mut stack = leaks.stack(leak).map(name);
            let [bytes, blocks, unfreed_bytes, unfreed_blocks] = leak.amounts.map(Cell::Integer);
            let first = stack.next();
            let first = first.unwrap_or_else(|| Cell::text("<no call stack>"));
            let percent = Cell::Real(leak.percent);
            visit(Row {
                kind: RowKind::Entry,
                cells: &[percent, unfreed_bytes, unfreed_blocks, bytes, blocks, first],
            })?;
            let more = leak.n_more;
            let more = (more > 0).then(|| Cell::text(format!("{more} more functions")));
            let cut = leak.is_cut.then(|| Cell::text("..."));
            for frame in stack.chain(more).chain(cut) {
                let mut cells = [const { Cell::Absent }; 6];
                cells[5] = frame;
                visit(Row { kind: RowKind::Frame, cells: &cells })?;
            }
        }
        Ok(())
    }
}

fn summary(material: &Material<'_>, leaks: &Leaks) -> Vec<String> {
    let mut summary = about_all(material, leaks);
    summary.extend(material.about_focus(unfreed(material.costs)));
    summary
}

fn about_all(material: &Material<'_>, leaks: &Leaks) -> Vec<String> {
    let all = |metric| match material.costs.all(metric) {
        Amount::Exact(amount) => amount,
        Amount::Ticks(_) => 0,
    };
    let [bytes, blocks, unfreed_bytes, unfreed_blocks] = [0, 1, 2, 3].map(all);
    if leaks.leaks.is_empty() {
        let sentence = match (leaks.is_filtered, unfreed_bytes, unfreed_blocks) {
            (true, ..) => "The functions shown have no leaks.",
            (_, 0, 0) => "All allocated memory was freed.",
            _ => "No call stack has memory that was never freed.",
        };
        return vec![sentence.to_owned()];
    }
    let depth = match leaks.depth {
        LeakDepth::NoStacks => "call stacks were not recorded".to_owned(),
        LeakDepth::Whole => "grouped by whole call stack".to_owned(),
        LeakDepth::Functions(1) => "grouped by function".to_owned(),
        LeakDepth::Functions(depth) => format!("grouped by the innermost {depth} functions"),
    };
    vec![
        format!(
            "{} in {} never freed,",
            counted(unfreed_bytes, "byte"),
            counted(unfreed_blocks, "block"),
        ),
        format!("of {} in {}; {depth}.", counted(bytes, "byte"), counted(blocks, "block"),),
    ]
}
