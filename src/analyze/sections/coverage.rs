//! Coverage: entered and never entered functions.

use super::table::Columns;
use crate::analyze::coverage::{BranchCount, Coverage, CoverageCounts, EntryCount, EntryKind};
use crate::analyze::coverage::{FileCoverage, LineCount};
use crate::report::Role::{Calls, Count, Name, Other, Share, Source};
use crate::report::{Cell, Layout, Role, RowKind, RowTable, Section, SectionId};

/// Percentages of files, everything never entered, and all functions, branches and lines.
pub fn coverage_sections(coverage: &Coverage) -> Vec<Section> {
    if coverage.files.is_empty() {
        let (id, rows) = (SectionId::Coverage, RowTable::default());
        let mut section = Section::new(id, "", Layout::Table, [], rows);
        section.summary = vec!["No source line was counted.".to_owned()];
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

impl<'a, R> Columns<'a, R> {
    /// Adds a column whose heading is its name in files.
    fn plain<C: Into<Cell>>(
        self,
        role: Role,
        id: &'static str,
        cell: impl Fn(&R) -> C + Sync + 'a,
    ) -> Self {
        self.shown(role, id, ["", id], cell)
    }
}

type InFile<'a, T> = (&'a FileCoverage, T);

/// The items of all files, with their files.
fn in_files<'a, T>(
    coverage: &'a Coverage,
    parts: fn(&'a FileCoverage) -> Vec<T>,
) -> impl Iterator<Item = InFile<'a, T>> {
    let files = coverage.files.iter();
    files.flat_map(move |file| parts(file).into_iter().map(move |part| (file, part)))
}

impl<'a, T> Columns<'a, InFile<'a, T>> {
    fn file(self) -> Self {
        self.plain(Source, "file", |(file, _)| Cell::text(&file.file))
    }
}

fn shares(coverage: &Coverage) -> Section {
    let files = coverage.files.iter();
    let files = files.map(|file| (RowKind::Entry, (&*file.file, file.counts)));
    let all = || (RowKind::Total, (&b"all files"[..], coverage.counts()));
    let rows = files.chain((coverage.files.len() > 1).then(all));
    let columns = Columns::<(&[u8], CoverageCounts)>::new()
        .plain(Source, "file", |row| row.0)
        .plain(Count, "functions_entered", |row| row.1.functions.n_entered)
        .plain(Count, "functions", |row| row.1.functions.n)
        .plain(Share, "functions_percent", |row| row.1.functions.percentage())
        .plain(Count, "branches_entered", |row| row.1.branches.n_entered)
        .plain(Count, "branches", |row| row.1.branches.n)
        .plain(Share, "branches_percent", |row| row.1.branches.percentage());
    columns.table_of(SectionId::Coverage, "Coverage:", rows)
}

fn missed(coverage: &Coverage) -> Section {
    let what = |kind| match kind {
        EntryKind::Function => "function",
        EntryKind::Branch => "branch",
    };
    let columns = Columns::<InFile<'_, (_, &EntryCount)>>::new()
        .file()
        .plain(Source, "line", |(_, (_, entry))| entry.line)
        .plain(Other, "what", |(_, (kind, _))| what(*kind))
        .plain(Name, "name", |(_, (_, entry))| Cell::text(&entry.name));
    let rows = in_files(coverage, FileCoverage::never_entered);
    columns.table(SectionId::CoverageMissed, "Never entered:", rows)
}

fn functions(coverage: &Coverage) -> Section {
    let columns = Columns::<InFile<'_, &EntryCount>>::new()
        .file()
        .plain(Source, "line", |(_, entry)| entry.line)
        .plain(Name, "name", |(_, entry)| Cell::text(&entry.name))
        .plain(Calls, "entries", |(_, entry)| entry.entries);
    let rows = in_files(coverage, |file| file.functions.iter().collect());
    columns.table(SectionId::CoverageFunctions, "Functions:", rows)
}

fn branches(coverage: &Coverage) -> Section {
    let columns = Columns::<InFile<'_, &BranchCount>>::new()
        .file()
        .plain(Source, "line", |(_, branch)| branch.entry.line)
        .plain(Name, "name", |(_, branch)| Cell::text(&branch.entry.name))
        .plain(Calls, "entries", |(_, branch)| branch.entry.entries)
        .plain(Other, "group", |(_, branch)| branch.group)
        .plain(Other, "index", |(_, branch)| branch.index)
        .plain(Other, "reached", |(_, branch)| u32::from(branch.was_reached));
    let rows = in_files(coverage, |file| file.branches.iter().collect());
    columns.table(SectionId::CoverageBranches, "Branches:", rows)
}

fn lines(coverage: &Coverage) -> Section {
    let columns = Columns::<InFile<'_, &LineCount>>::new()
        .file()
        .plain(Source, "line", |(_, line)| line.line)
        .plain(Calls, "entries", |(_, line)| line.entries);
    let rows = in_files(coverage, |file| file.lines.iter().collect());
    columns.table(SectionId::CoverageLines, "Lines:", rows)
}
