//! Leaks, by call stack.

use super::{Material, counted, name};
use crate::analyze::amount::Amount;
use crate::analyze::leaks::{Leak, LeakDepth, Leaks, unfreed};
use crate::report::{Cell, Column, Layout, Role, RowKind, RowTable, Section, SectionId};

/// What was never freed: a row for each stack, and below it one for each caller.
pub fn leaks_section<'a>(material: &Material<'a>, leaks: &Leaks) -> Section<'a> {
    let title = match leaks.depth {
        LeakDepth::NoStacks => "Leaks by function:",
        _ => "Leaks by call stack:",
    };
    let mut rows = RowTable::default();
    leaks.leaks.iter().for_each(|leak| push(&mut rows, leak));
    let columns = match rows.is_empty() {
        true => Box::default(),
        false => columns(material),
    };
    Section {
        summary: summary(material, leaks),
        ..Section::new(SectionId::Leaks, title, Layout::Table, columns, rows)
    }
}

fn columns(material: &Material<'_>) -> Box<[Column]> {
    let of = |index: usize, what: &'static str| {
        let metric = &material.costs.metrics[index];
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

fn push(rows: &mut RowTable, leak: &Leak) {
    let [bytes, blocks, unfreed_bytes, unfreed_blocks] = leak.amounts.map(Cell::Integer);
    let (first, callers) = match leak.stack.split_first() {
        Some((&first, callers)) => (name(first), callers),
        None => (Cell::text("<no call stack>"), &[][..]),
    };
    let percent = Cell::Real(leak.percent);
    let cells = [percent, unfreed_bytes, unfreed_blocks, bytes, blocks, first];
    rows.push(RowKind::Entry, cells);
    let more = (leak.n_more > 0).then(|| Cell::text(format!("{} more functions", leak.n_more)));
    let cut = leak.is_cut.then(|| Cell::text("..."));
    let callers = callers.iter().map(|&caller| name(caller));
    for frame in callers.chain(more).chain(cut) {
        let blank = std::iter::repeat_n(Cell::Absent, 5);
        rows.push(RowKind::Frame, blank.chain([frame]));
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
            (true, ..) => "No function that is shown has leaks.",
            (_, 0, 0) => "Everything that was allocated was freed.",
            _ => "No stack allocated more than was freed of it.",
        };
        return vec![sentence.to_owned()];
    }
    let depth = match leaks.depth {
        LeakDepth::NoStacks => "call stacks were not recorded".to_owned(),
        LeakDepth::Whole => "whole stacks are told apart".to_owned(),
        LeakDepth::Functions(1) => "functions are told apart".to_owned(),
        LeakDepth::Functions(depth) => format!("stacks are told apart by {depth} functions"),
    };
    vec![
        format!(
            "{} in {} never freed,",
            counted(unfreed_bytes, "byte"),
            counted(unfreed_blocks, "block"),
        ),
        format!(
            "of {} in {}; {depth}.",
            counted(bytes, "byte"),
            counted(blocks, "block"),
        ),
    ]
}
