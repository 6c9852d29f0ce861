//! The frames of a call tree in a page: small ones are folded into one row below their caller,
//! the least totals first, so that no page has more than [`MOST_FRAMES`].

use std::io;

use crate::render::text::{depth_column, depth_of};
use crate::report::{Cell, Column, Role, Row, RowKind, Section, SectionId};

/// Maximum number of frames in a page, with the rows of folded ones.
const MOST_FRAMES: usize = 50_000;

/// Minimum share of a frame as a percentage: half a pixel of a wide window.
const LEAST_PERCENT: f64 = 0.05;

/// Maximum depth: no browser has elements of any height.
const DEEPEST: usize = 4000;

/// The name of folded frames.
const FOLDED: &str = "…";

/// The frames that were folded.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Folded {
    pub(super) n_frames: u64,
    /// Their share of the total.
    pub(super) percent: f64,
    /// The row of each frame of the tree in the page.
    pub(super) rows: Vec<usize>,
}

/// Visits the rows of a section; frames of a tree as far as a page has them. With samples, frames
/// that are small in all of them may be large in some, so only those above the maximum number are
/// folded.
///
/// # Errors
/// Those of the rows and of the visitor.
pub(super) fn visit_rows(
    section: &Section,
    has_samples: bool,
    visit: &mut dyn FnMut(Row<'_>) -> io::Result<()>,
) -> io::Result<Folded> {
    let is_tree = matches!(section.id, SectionId::Tree | SectionId::TreeDifference);
    let percent = section.column("percent").filter(|_| is_tree);
    let Some((percent, depth)) = percent.zip(depth_column(section)) else {
        section.rows.for_each(&mut |row| visit(row))?;
        return Ok(Folded::default());
    };
    let mut frames = Vec::new();
    section.rows.for_each(&mut |row| {
        let depth = depth_of(&row, Some(depth)).unwrap_or(0);
        frames.push((depth, row.cells[percent].as_real().unwrap_or(0.0)));
        Ok(())
    })?;
    raise_to_other_values(section, &mut frames)?;
    let limit = least_total(&frames, if has_samples { 0.0 } else { LEAST_PERCENT });
    let (mut path, mut rows) = (limit.path(), FoldedRows::of(section, percent));
    rows.folded.rows = vec![0; frames.len()];
    let mut places = (0..).zip(frames.iter().copied());
    section.rows.for_each(&mut |row| {
        let (frame, (depth, percent)) = places.next().unwrap_or_default();
        match path.visibility_of(depth, percent) {
            Visibility::BelowFolded => rows.add(frame, row, false),
            visibility => {
                rows.close(depth + 1, visit)?;
                if visibility == Visibility::Shown {
                    return rows.show(frame, row, visit);
                }
                rows.open(depth);
                rows.add(frame, row, true);
            }
        }
        Ok(())
    })?;
    rows.close(0, visit)?;
    Ok(rows.folded)
}

/// Raises the share of each frame to the largest of its shares of all values that a page can
/// choose.
fn raise_to_other_values(section: &Section, frames: &mut [(usize, f64)]) -> io::Result<()> {
    let is_value = |column: &Column| column.id.starts_with("weight_");
    let columns = section.columns.iter().enumerate().filter(|(_, column)| is_value(column));
    let columns: Vec<usize> = columns.map(|(at, _)| at).collect();
    if columns.is_empty() || section.id != SectionId::Tree {
        return Ok(());
    }
    let weights_of = |row: Row<'_>| -> Vec<f64> {
        columns.iter().map(|column| row.cells[*column].as_integer().unwrap_or(0) as f64).collect()
    };
    let add = |to: &mut [f64], from: &[f64]| {
        to.iter_mut().zip(from).for_each(|(to, from)| *to += from);
    };
    let mut all = vec![0.0; columns.len()];
    section.rows.for_each(&mut |row| {
        add(&mut all, &weights_of(row));
        Ok(())
    })?;
    // The frames from the outermost one to the present one, with what they and their callees cost.
    let mut open: Vec<(usize, Vec<f64>)> = Vec::new();
    let close = |open: &mut Vec<(usize, Vec<f64>)>, depth: usize, frames: &mut [(usize, f64)]| {
        while open.len() > depth {
            let Some((place, costs)) = open.pop() else { break };
            let shares = costs.iter().zip(&all).map(|(cost, all)| cost / all * 100.0);
            frames[place].1 = shares.fold(frames[place].1, f64::max);
            if let Some((_, caller)) = open.last_mut() {
                add(caller, &costs);
            }
        }
    };
    let mut place = 0;
    section.rows.for_each(&mut |row| {
        close(&mut open, frames[place].0, frames);
        open.push((place, weights_of(row)));
        place += 1;
        Ok(())
    })?;
    close(&mut open, 0, frames);
    Ok(())
}

/// The least total of a shown frame, and how many frames with exactly this total are shown.
#[derive(Clone, Copy, Debug, PartialEq)]
struct LeastTotal {
    percent: f64,
    n_equal: usize,
}

impl LeastTotal {
    fn path(self) -> ShownPath {
        ShownPath { limit: self, n_equal: 0, n_shown: 0 }
    }
}

/// Where a frame is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Visibility {
    Shown,
    /// Folded, and its caller is shown.
    Folded,
    /// Below a folded frame.
    BelowFolded,
}

/// The shown frames from the outermost one to the present one.
struct ShownPath {
    limit: LeastTotal,
    n_equal: usize,
    n_shown: usize,
}

impl ShownPath {
    /// How the next frame in pre-order is shown.
    fn visibility_of(&mut self, depth: usize, percent: f64) -> Visibility {
        if depth > self.n_shown {
            return Visibility::BelowFolded;
        }
        let is_equal = percent == self.limit.percent && self.n_equal < self.limit.n_equal;
        self.n_equal += usize::from(is_equal);
        let is_shown = (is_equal || percent > self.limit.percent) && depth < DEEPEST;
        self.n_shown = depth + usize::from(is_shown);
        if is_shown { Visibility::Shown } else { Visibility::Folded }
    }
}

/// The limit with which a page has at most [`MOST_FRAMES`], none below a percentage. Frames are
/// depth and percentage.
fn least_total(frames: &[(usize, f64)], least_percent: f64) -> LeastTotal {
    let shown = frames.iter().filter(|(depth, _)| *depth < DEEPEST);
    let mut percents: Vec<f64> =
        shown.map(|(_, percent)| *percent).filter(|percent| *percent >= least_percent).collect();
    percents.sort_unstable_by(|one, other| other.total_cmp(one));
    let mut n_shown = percents.len().min(MOST_FRAMES);
    loop {
        let limit = match n_shown.checked_sub(1).map(|last| percents[last]) {
            Some(percent) => {
                let first = percents.partition_point(|one| *one > percent);
                LeastTotal { percent, n_equal: n_shown - first }
            }
            None => LeastTotal { percent: f64::INFINITY, n_equal: 0 },
        };
        let n_rows = n_shown + n_folding(frames, limit);
        if n_rows <= MOST_FRAMES {
            return limit;
        }
        // Each shown frame has at most one row of folded ones.
        n_shown = n_shown * MOST_FRAMES / n_rows;
    }
}

/// Number of rows of folded frames: one for each caller of any.
fn n_folding(frames: &[(usize, f64)], limit: LeastTotal) -> usize {
    let (mut path, mut open, mut n) = (limit.path(), Vec::new(), 0);
    for &(depth, percent) in frames {
        let visibility = path.visibility_of(depth, percent);
        if visibility == Visibility::BelowFolded {
            continue;
        }
        open.truncate(depth + 1);
        if visibility == Visibility::Folded {
            open.resize(depth + 1, false);
            n += usize::from(!std::mem::replace(&mut open[depth], true));
        }
    }
    n
}

/// Which folded frames a cell of their row adds up.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Sum {
    /// All of them: costs of frames alone.
    All,
    /// The outermost ones: costs with callees.
    Outermost,
    Depth,
    Name,
    None,
}

/// Rows of folded frames while their callers are open.
struct FoldedRows {
    sums: Vec<Sum>,
    percent: usize,
    /// By depth.
    open: Vec<Option<FoldedRow>>,
    n_rows: usize,
    folded: Folded,
}

/// The sums of folded frames, and which they are.
#[derive(Clone)]
struct FoldedRow {
    cells: Vec<Cell>,
    frames: Vec<usize>,
}

impl FoldedRows {
    fn of(section: &Section, percent: usize) -> Self {
        let sums = section.columns.iter().enumerate().map(|(at, column)| match column.role {
            _ if at == percent => Sum::Outermost,
            _ if column.id == "name" => Sum::Name,
            _ if column.id == "depth" => Sum::Depth,
            _ if column.id.starts_with("weight") => Sum::All,
            Role::Total | Role::Old | Role::New => Sum::Outermost,
            _ => Sum::None,
        });
        let (open, folded) = (Vec::new(), Folded::default());
        Self { sums: sums.collect(), percent, open, n_rows: 0, folded }
    }

    /// Makes the row at a depth, if there is none.
    fn open(&mut self, depth: usize) {
        self.open.resize(depth + 1, None);
        let cells = self.sums.iter().map(|sum| match sum {
            Sum::Name => Cell::text(FOLDED),
            Sum::Depth => Cell::Integer(depth as i128),
            _ => Cell::Absent,
        });
        let row = || FoldedRow { cells: cells.collect(), frames: Vec::new() };
        self.open[depth].get_or_insert_with(row);
    }

    /// Visits the row of a frame.
    fn show(
        &mut self,
        frame: usize,
        row: Row<'_>,
        visit: &mut dyn FnMut(Row<'_>) -> io::Result<()>,
    ) -> io::Result<()> {
        self.folded.rows[frame] = self.n_rows;
        self.n_rows += 1;
        visit(row)
    }

    /// Adds a folded frame to the last row.
    fn add(&mut self, frame: usize, row: Row<'_>, is_outermost: bool) {
        self.folded.n_frames += 1;
        if is_outermost {
            self.folded.percent += row.cells[self.percent].as_real().unwrap_or(0.0);
        }
        let Some(Some(FoldedRow { cells, frames })) = self.open.last_mut() else { return };
        frames.push(frame);
        for ((cell, sum), other) in cells.iter_mut().zip(&self.sums).zip(row.cells) {
            if *sum == Sum::All || *sum == Sum::Outermost && is_outermost {
                *cell = match (&*cell, other) {
                    (Cell::Integer(one), Cell::Integer(other)) => {
                        Cell::Integer(one.saturating_add(*other))
                    }
                    (Cell::Real(one), Cell::Real(other)) => Cell::Real(one + other),
                    (Cell::Absent, other) => other.clone(),
                    (one, _) => one.clone(),
                };
            }
        }
    }

    /// Visits the rows at this depth and below, the deepest first.
    fn close(
        &mut self,
        depth: usize,
        visit: &mut dyn FnMut(Row<'_>) -> io::Result<()>,
    ) -> io::Result<()> {
        while self.open.len() > depth {
            if let Some(Some(FoldedRow { cells, frames })) = self.open.pop() {
                frames.iter().for_each(|&frame| self.folded.rows[frame] = self.n_rows);
                self.n_rows += 1;
                visit(Row { kind: RowKind::Rest, cells: &cells })?;
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::render::testing::section;
    use crate::report::{Column, RowTable};

    /// The rows of a page of frames with depth, percentage and weight, as text, and the folded ones.
    fn check(
        frames: &[(i128, f64, i128)],
        expected: &[&str],
        folded: (u64, f64),
        rows_of: &[usize],
    ) {
        let columns = [
            Column::hidden("percent", Role::Share),
            Column::hidden("name", Role::Name),
            Column::hidden("depth", Role::Other),
            Column::hidden("weight", Role::Count),
        ];
        let mut rows = RowTable::default();
        for (number, &(depth, percent, weight)) in frames.iter().enumerate() {
            let name = Cell::text(format!("f{number}"));
            rows.push(
                RowKind::Entry,
                [Cell::Real(percent), name, Cell::Integer(depth), Cell::Integer(weight)],
            );
        }
        let tree = section(SectionId::Tree, columns, rows);
        let mut seen = Vec::new();
        let found = visit_rows(&tree, false, &mut |row| {
            let [percent, name, depth, weight] = row.cells else { panic!("four cells") };
            let name = String::from_utf8_lossy(name.bytes(&crate::report::NoNames)).into_owned();
            let percent = percent.as_real().unwrap_or_default();
            let [depth, weight] = [depth, weight].map(|cell| cell.as_integer().unwrap_or_default());
            seen.push(format!("{depth} {name} {percent} {weight}"));
            Ok(())
        });
        assert_eq!(seen, expected);
        let expected = Folded { n_frames: folded.0, percent: folded.1, rows: rows_of.to_vec() };
        assert_eq!(found.expect("it is visited"), expected);
    }

    #[test]
    fn small_frames_are_one_row_below_their_caller() {
        let frames = [
            (0, 100.0, 1),
            (1, 50.0, 2),
            (2, 0.03125, 3),
            (3, 0.03125, 4),
            (2, 40.0, 5),
            (2, 0.015625, 6),
            (1, 0.03125, 7),
            (1, 20.0, 8),
        ];
        let rows = [
            "0 f0 100 1",
            "1 f1 50 2",
            "2 f4 40 5",
            "2 … 0.046875 13",
            "1 f7 20 8",
            "1 … 0.03125 7",
        ];
        check(&frames, &rows, (4, 0.078125), &[0, 1, 3, 3, 2, 3, 5, 4]);
    }

    #[test]
    fn the_least_totals_are_folded_first() {
        // Each outermost frame has a callee; equal frames stay in order.
        let n = 40_000;
        let frames: Vec<_> = (0..n)
            .flat_map(|number| [(0, if number == n - 1 { 2.0 } else { 1.0 }), (1, 0.5)])
            .collect();
        let limit = least_total(&frames, LEAST_PERCENT);
        let n_rows = |limit: LeastTotal| {
            let mut path = limit.path();
            let places = frames.iter().map(|&(depth, percent)| path.visibility_of(depth, percent));
            places.filter(|place| *place == Visibility::Shown).count() + n_folding(&frames, limit)
        };
        assert!((MOST_FRAMES / 2..=MOST_FRAMES).contains(&n_rows(limit)), "{limit:?}");
        assert_eq!(limit.percent, 1.0);
        assert!(frames.iter().filter(|frame| frame.1 == 0.5).count() > MOST_FRAMES / 2);
    }

    #[test]
    fn deep_frames_are_folded_too() {
        let deep: Vec<_> = (0..DEEPEST + 5).map(|depth| (depth, 100.0)).collect();
        let limit = least_total(&deep, LEAST_PERCENT);
        let mut path = limit.path();
        let places = deep.iter().map(|&(depth, percent)| path.visibility_of(depth, percent));
        assert_eq!(places.filter(|place| *place == Visibility::Shown).count(), DEEPEST);
        assert_eq!(n_folding(&deep, limit), 1);
    }
}
