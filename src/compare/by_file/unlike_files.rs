//! The section on files: their totals, and their distance from the typical file.

use std::collections::BTreeSet;

use super::sections::has_ranks;
use super::{FileLabel, LEAST_FILES, fence_of};
use crate::analyze::Amount;
use crate::compare::Measure;
use crate::report::number::{counted, fixed};
use crate::report::{Cell, Column, Layout, Role, RowKind, RowTable, Section, SectionId};
use crate::sorting::ColdSort;

/// A row about a file.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct FileLine {
    /// Its total.
    pub all: Amount,
    /// Its distance from the typical file, in the unit of the metric.
    pub distance: f64,
}

/// Number of files marked as largest and as smallest.
const N_EXTREME: usize = 3;

/// A row for each file, outliers first. `lines` are in the order of `labels`.
pub fn files_section(labels: &[FileLabel], lines: &[FileLine], measure: &Measure) -> Section {
    let order = Order::of(lines);
    let has_ranks = has_ranks(labels);
    let mut columns = vec![
        measure.column("distance", Role::Other, "distance"),
        measure.column("all", Role::SelfValue, "total"),
        Column::shown("what", Role::Other, ["", ""]).printed(0, 0),
        Column::hidden("outlying", Role::Other),
        Column::hidden("files", Role::Other),
    ];
    if has_ranks {
        columns.push(Column::shown("rank", Role::Other, ["", "rank"]).printed(0, 0));
    }
    columns.push(Column::shown("profile", Role::Source, ["", "profile"]));
    let mut rows = RowTable::default();
    for &place in &order.by_distance {
        let (Some(line), Some(label)) = (lines.get(place), labels.get(place)) else {
            continue;
        };
        let mut cells = vec![
            Cell::Real(measure.shown(line.distance)),
            measure.cell(line.all),
            order.what(place),
            Cell::flag(order.outlying().contains(&place)),
            Cell::Integer(label.n_files.into()),
        ];
        if has_ranks {
            cells.push(label.rank.clone());
        }
        cells.push(Cell::Text(label.name.clone()));
        rows.push(RowKind::Entry, cells);
    }
    let title = "Files by difference from the typical file:";
    Section {
        summary: vec![order.about(lines.len(), measure)],
        ..Section::new(SectionId::SpreadFiles, title, Layout::Table, columns, rows)
    }
}

/// The order of files, and their marks.
struct Order {
    /// By distance, descending, then in order.
    by_distance: Vec<usize>,
    fence: Option<f64>,
    /// Words with the files they apply to.
    words: [(&'static str, BTreeSet<usize>); 3],
}

impl Order {
    fn of(lines: &[FileLine]) -> Self {
        let distances: Vec<f64> = lines.iter().map(|line| line.distance).collect();
        let fence = fence_of(&distances);
        let mut by_distance: Vec<usize> = (0..lines.len()).collect();
        by_distance.cold_sort_by(|&a, &b| distances[b].total_cmp(&distances[a]).then(a.cmp(&b)));
        let mut by_all: Vec<usize> = (0..lines.len()).collect();
        by_all.cold_sort_by(|&a, &b| lines[b].all.compare(lines[a].all).then(a.cmp(&b)));
        let is_far = |place: &usize| fence.is_some_and(|fence| distances[*place] > fence);
        let outlying = by_distance.iter().copied().filter(is_far).collect();
        let few = (by_all.len() / 2).min(N_EXTREME);
        let set = |places: &[usize]| places.iter().copied().collect();
        let words = [
            ("outlier", outlying),
            ("most", set(&by_all[..few])),
            ("least", set(&by_all[by_all.len() - few..])),
        ];
        Self { by_distance, fence, words }
    }

    fn outlying(&self) -> &BTreeSet<usize> {
        &self.words[0].1
    }

    /// The words for a file.
    fn what(&self, place: usize) -> Cell {
        let words = self.words.iter().filter(|(_, some)| some.contains(&place));
        let words: Vec<&str> = words.map(|(word, _)| *word).collect();
        if words.is_empty() { Cell::Absent } else { Cell::text(words.join(", ")) }
    }

    fn about(&self, n_files: usize, measure: &Measure) -> String {
        let unit = &measure.metric().unit;
        match self.fence {
            None => format!(
                "{} too few to find outliers; {LEAST_FILES} are needed.",
                counted(n_files as i128, "file is", "files are")
            ),
            Some(fence) => {
                let decimals = measure.metric().decimals().into();
                let fence = fixed(measure.shown(fence), decimals);
                let by = format!("from the typical file by more than {fence} {unit}");
                match self.outlying().len() {
                    0 => format!("No file is an outlier: none differs {by}."),
                    1 => format!("1 file is an outlier: it differs {by}."),
                    n => format!("{n} files are outliers: they differ {by}."),
                }
            }
        }
    }
}
