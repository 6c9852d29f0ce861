//! A place in a report: the view, and the position in it.

use std::collections::HashSet;

use super::shown::Shown;
use super::view::View;
use crate::render::SectionLines;
use crate::report::RowKind;

/// A view, and the position of its user.
#[derive(Clone, Debug)]
pub(super) struct Place {
    pub(super) view: View,
    /// The report, by position.
    pub(super) report: usize,
    /// The selected line among the shown ones.
    pub(super) cursor: usize,
    /// The first line on the screen.
    pub(super) top: usize,
    /// The line of a source to begin with.
    pub(super) line: Option<u32>,
    /// The column that orders rows, by name; `name` for names.
    pub(super) sort: Option<String>,
    pub(super) is_reversed: bool,
    /// Frames of a tree that are not as they start, by line.
    toggled: HashSet<usize>,
}

impl Place {
    pub(super) fn new(view: View, report: usize) -> Self {
        Self {
            view,
            report,
            cursor: 0,
            top: 0,
            line: None,
            sort: None,
            is_reversed: false,
            toggled: HashSet::new(),
        }
    }

    /// Opens a closed frame, and closes an open one.
    pub(super) fn toggle(&mut self, line: usize) {
        if !self.toggled.remove(&line) {
            self.toggled.insert(line);
        }
    }

    /// The lines in the order in which they are shown, without those below closed frames.
    pub(super) fn arranged(&self, shown: &Shown) -> Vec<usize> {
        if shown.lines.rows.is_empty() {
            (0..shown.lines.lines.len()).collect()
        } else if shown.is_tree {
            self.open_frames(&shown.lines)
        } else {
            self.sorted(shown)
        }
    }

    fn open_frames(&self, lines: &SectionLines) -> Vec<usize> {
        let mut closed_at = None;
        let mut open = Vec::new();
        for (line, row) in lines.rows.iter().enumerate() {
            let depth = row.depth.unwrap_or(0);
            if closed_at.is_some_and(|closed| depth > closed) {
                continue;
            }
            closed_at = self.is_closed(lines, line).then_some(depth);
            open.push(line);
        }
        open
    }

    /// Returns whether the frames below one are hidden. Frames that are seldom on a stack start
    /// closed.
    pub(super) fn is_closed(&self, lines: &SectionLines, line: usize) -> bool {
        const LEAST_PERCENT: f64 = 5.0;
        let share = lines.columns.iter().position(|column| column.id == "percent");
        let share = share.map(|at| lines.numbers[line * lines.columns.len() + at]);
        let starts_closed = share.is_some_and(|share| share < LEAST_PERCENT);
        starts_closed != self.toggled.contains(&line)
    }

    /// The sign before a frame: whether frames below it are hidden or shown.
    pub(super) fn frame_sign(&self, lines: &SectionLines, line: usize) -> &'static str {
        let depth = |line: usize| lines.rows.get(line).and_then(|row| row.depth);
        match depth(line + 1) > depth(line) {
            true if self.is_closed(lines, line) => "+ ",
            true => "- ",
            false => "  ",
        }
    }

    fn sorted(&self, shown: &Shown) -> Vec<usize> {
        let lines = &shown.lines;
        let all = 0..lines.rows.len();
        let Some(sort) = self.sort.as_ref().filter(|_| shown.can_sort) else {
            return all.collect();
        };
        let column = lines.columns.iter().position(|column| column.id == *sort);
        // Each row with the lines and rows that belong to it.
        let mut groups: Vec<usize> =
            all.filter(|&line| line == 0 || !lines.rows[line].kind.belongs_to_another()).collect();
        let first = groups.first().copied();
        let rank = |line: usize| match shown.lines.rows[line].kind {
            RowKind::Total if Some(line) == first => 0,
            RowKind::Rest | RowKind::Total => 2,
            _ => 1,
        };
        groups.sort_by(|&one, &other| {
            let order = match column {
                Some(column) => {
                    let number = |line: usize| lines.numbers[line * lines.columns.len() + column];
                    greatest_first(number(one), number(other))
                }
                None => shown.names[one].cmp(&shown.names[other]),
            };
            let order = if self.is_reversed { order.reverse() } else { order };
            rank(one).cmp(&rank(other)).then(order)
        });
        let lines_of = |line: usize| {
            let behind = line + 1..lines.rows.len();
            let n_more =
                behind.take_while(|&next| lines.rows[next].kind.belongs_to_another()).count();
            line..=line + n_more
        };
        groups.into_iter().flat_map(lines_of).collect()
    }
}

/// Absent numbers come last.
fn greatest_first(one: f64, other: f64) -> std::cmp::Ordering {
    let is_absent = one.is_nan().cmp(&other.is_nan());
    is_absent.then(other.total_cmp(&one))
}
