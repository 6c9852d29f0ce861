//! What was entered and what never was.

use crate::analyze::coverage::{Coverage, CoverageCounts, EntryKind, Share};
use crate::report::{Cell, Column, Layout, Role, RowKind, RowTable, Section, SectionId};

/// Shares of files, what was never entered, and all functions, branches and lines.
#[must_use]
pub fn coverage_sections(coverage: &Coverage) -> Vec<Section<'static>> {
    if coverage.files.is_empty() {
        let mut section = section(SectionId::Coverage, "", &[], RowTable::default());
        section.summary = vec!["Nothing was counted that stands in the source.".to_owned()];
        return vec![section];
    }
    vec![
        shares(coverage),
        missed(coverage),
        functions(coverage),
        branches(coverage),
        lines(coverage),
    ]
}

fn section(
    id: SectionId,
    title: &'static str,
    columns: &[(&'static str, Role)],
    rows: RowTable,
) -> Section<'static> {
    let shown = |&(id, role)| Column::shown(id, role, ["", id]);
    let columns: Vec<_> = columns.iter().map(shown).collect();
    Section::new(id, title, Layout::Table, columns, rows)
}

fn shares(coverage: &Coverage) -> Section<'static> {
    let mut rows = RowTable::default();
    let mut push = |kind, file: &[u8], counts: CoverageCounts| {
        let [entered, functions, percent] = share(counts.functions);
        let [branches_entered, branches, branches_percent] = share(counts.branches);
        let cells = [
            Cell::text(file),
            entered,
            functions,
            percent,
            branches_entered,
            branches,
            branches_percent,
        ];
        rows.push(kind, cells);
    };
    for file in &coverage.files {
        push(RowKind::Entry, &file.file, file.counts);
    }
    if coverage.files.len() > 1 {
        push(RowKind::Total, b"all files", coverage.counts());
    }
    let columns = [
        ("file", Role::Source),
        ("functions_entered", Role::Count),
        ("functions", Role::Count),
        ("functions_percent", Role::Share),
        ("branches_entered", Role::Count),
        ("branches", Role::Count),
        ("branches_percent", Role::Share),
    ];
    section(SectionId::Coverage, "Coverage:", &columns, rows)
}

fn share(share: Share) -> [Cell; 3] {
    let count = |n: usize| Cell::integer(Some(n as u64));
    let percent = share.percentage().map_or(Cell::Absent, Cell::Real);
    [count(share.n_entered), count(share.n), percent]
}

fn missed(coverage: &Coverage) -> Section<'static> {
    let mut rows = RowTable::default();
    for file in &coverage.files {
        for (kind, entry) in file.never_entered() {
            let what = match kind {
                EntryKind::Function => "function",
                EntryKind::Branch => "branch",
            };
            let cells = [
                Cell::text(&file.file),
                Cell::integer(Some(entry.line)),
                Cell::text(what),
                Cell::text(&entry.name),
            ];
            rows.push(RowKind::Entry, cells);
        }
    }
    let columns = [
        ("file", Role::Source),
        ("line", Role::Source),
        ("what", Role::Other),
        ("name", Role::Name),
    ];
    section(SectionId::CoverageMissed, "Never entered:", &columns, rows)
}

fn functions(coverage: &Coverage) -> Section<'static> {
    let mut rows = RowTable::default();
    for file in &coverage.files {
        for entry in &file.functions {
            let cells = [
                Cell::text(&file.file),
                Cell::integer(Some(entry.line)),
                Cell::text(&entry.name),
                Cell::integer(Some(entry.entries)),
            ];
            rows.push(RowKind::Entry, cells);
        }
    }
    let columns = [
        ("file", Role::Source),
        ("line", Role::Source),
        ("name", Role::Name),
        ("entries", Role::Calls),
    ];
    section(SectionId::CoverageFunctions, "Functions:", &columns, rows)
}

fn branches(coverage: &Coverage) -> Section<'static> {
    let mut rows = RowTable::default();
    for file in &coverage.files {
        for branch in &file.branches {
            let cells = [
                Cell::text(&file.file),
                Cell::integer(Some(branch.entry.line)),
                Cell::text(&branch.entry.name),
                Cell::integer(Some(branch.entry.entries)),
                Cell::integer(Some(branch.group)),
                Cell::integer(Some(branch.index)),
                Cell::integer(Some(u8::from(branch.was_reached))),
            ];
            rows.push(RowKind::Entry, cells);
        }
    }
    let columns = [
        ("file", Role::Source),
        ("line", Role::Source),
        ("name", Role::Name),
        ("entries", Role::Calls),
        ("group", Role::Other),
        ("index", Role::Other),
        ("reached", Role::Other),
    ];
    section(SectionId::CoverageBranches, "Branches:", &columns, rows)
}

fn lines(coverage: &Coverage) -> Section<'static> {
    let mut rows = RowTable::default();
    for file in &coverage.files {
        for line in &file.lines {
            let cells = [
                Cell::text(&file.file),
                Cell::integer(Some(line.line)),
                Cell::integer(Some(line.entries)),
            ];
            rows.push(RowKind::Entry, cells);
        }
    }
    let columns = [
        ("file", Role::Source),
        ("line", Role::Source),
        ("entries", Role::Calls),
    ];
    section(SectionId::CoverageLines, "Lines:", &columns, rows)
}
