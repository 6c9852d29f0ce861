//! The places of frames, and their elements.

use std::borrow::Cow;
use std::collections::HashMap;
use std::io::{self, Write};

use super::text;
use crate::render::change::Change;
use crate::render::junit::escaped;
use crate::render::name_form;
use crate::render::stacks::Stacks;
use crate::render::text::{depth_column, depth_of};
use crate::report::{Cell, Column, MAX_FOLDED_FRAMES, Role, Row, Section, SectionId};

/// Height of a row in pixels.
pub(super) const ROW_HEIGHT: usize = 18;

/// The name of the frame above all.
pub(super) const ALL: &str = "all";

/// Minimum width of a frame, as a percentage.
const LEAST_PERCENT: f64 = 0.1;

/// Maximum width of a name in columns: even without its middle, such a name is distinctive.
const MOST_COLUMNS: usize = 120;

/// Columns of text in one percent of a window of 1200 pixels.
const COLUMNS_PER_PERCENT: f64 = 12.0 / 7.3;

/// Classes of colours for the first objects or files, for unknown ones, and for all others.
const CLASSES: [&str; 7] = ["a", "b", "c", "d", "e", "f", "g"];
const UNKNOWN: &str = "h";
const OTHER: &str = "o";

/// The elements of all frames that are wide enough.
pub(super) struct FrameShapes {
    pub(super) body: Vec<u8>,
    /// Groups with a colour of their own, in order of appearance, and the others.
    pub(super) groups: Vec<ColorGroup>,
    pub(super) n_rows: usize,
    pub(super) n_left_out: u64,
    /// Some frames are guesses.
    pub(super) has_guesses: bool,
}

/// Frames of one colour: the frames of an object or a file.
pub(super) struct ColorGroup {
    pub(super) name: Vec<u8>,
    pub(super) class: &'static str,
}

impl FrameShapes {
    /// # Errors
    /// If rows cannot be computed.
    pub(super) fn new(section: &Section, stacks: &Stacks<'_>) -> io::Result<Self> {
        let mut frames = Self {
            body: Vec::new(),
            groups: Vec::new(),
            n_rows: 1,
            n_left_out: 0,
            has_guesses: false,
        };
        let columns = FrameColumns::of(section);
        let mut classes = HashMap::new();
        // Where the next frame of each open row starts, below `ALL`.
        let mut next = vec![0.0];
        let about_all = Element { x: 0.0, width: 100.0, row: 0, class: OTHER, is_guess: false };
        about_all.write(&mut frames.body, ALL.as_bytes(), None, "100.00 %")?;
        let is_difference = section.id == SectionId::TreeDifference;
        if is_difference {
            let groups = Change::ALL.into_iter().map(|change| ColorGroup {
                name: change.meaning().into(),
                class: class_of_change(change),
            });
            frames.groups.extend(groups);
        }
        section.rows.for_each(&mut |row| {
            let depth = depth_of(&row, columns.depth).unwrap_or(0);
            let width = columns.percent.and_then(|column| row.cells[column].as_real());
            let width = width.unwrap_or(0.0);
            let is_hidden = width < LEAST_PERCENT || depth >= MAX_FOLDED_FRAMES;
            if is_hidden || depth >= next.len() {
                frames.n_left_out += 1;
                return Ok(());
            }
            next.truncate(depth + 1);
            let x = next[depth];
            next[depth] += width;
            next.push(x);
            let name = stacks.name_of(&row.cells[columns.name]);
            let (class, change) = if is_difference {
                let (change, words) = Change::of(section, row);
                (class_of_change(change), Some(words))
            } else {
                let group = group_of(&row.cells[columns.name], stacks);
                (class_of(group, &mut classes, &mut frames.groups), None)
            };
            let is_guess = columns.guess.is_some_and(|column| !row.cells[column].is_absent());
            let element = Element { x, width, row: depth + 1, class, is_guess };
            frames.has_guesses |= is_guess;
            frames.n_rows = frames.n_rows.max(depth + 2);
            let name = name_form::fitting(&name, MOST_COLUMNS);
            let numbers = columns.numbers(row, change.as_deref());
            element.write(&mut frames.body, &name, change.as_deref(), &numbers)
        })?;
        Ok(frames)
    }
}

/// The object of a function if known, or its file; empty if neither is.
fn group_of<'r>(name: &Cell, stacks: &Stacks<'r>) -> &'r [u8] {
    let names = stacks.names;
    match name {
        Cell::Name(id) => {
            let file = names.location(*id).map(|place| place.file);
            names.object(*id).or(file).unwrap_or_default()
        }
        _ => b"",
    }
}

fn class_of_change(change: Change) -> &'static str {
    match change {
        Change::MuchMore => "M",
        Change::More => "m",
        Change::Same => OTHER,
        Change::Less => "l",
        Change::MuchLess => "L",
    }
}

/// The class of a group, with a line of legend for a new one.
fn class_of(
    group: &[u8],
    classes: &mut HashMap<Vec<u8>, &'static str>,
    groups: &mut Vec<ColorGroup>,
) -> &'static str {
    if let Some(class) = classes.get(group) {
        return class;
    }
    let n_known = classes.keys().filter(|group| !group.is_empty()).count();
    let class = match group {
        b"" => UNKNOWN,
        _ => CLASSES.get(n_known).copied().unwrap_or(OTHER),
    };
    classes.insert(group.to_vec(), class);
    if class != OTHER || n_known == CLASSES.len() {
        let name = match class {
            UNKNOWN => b"unknown file".to_vec(),
            OTHER => b"other files".to_vec(),
            _ => group.to_vec(),
        };
        groups.push(ColorGroup { name, class });
    }
    class
}

/// The columns of a frame.
struct FrameColumns<'r> {
    name: usize,
    depth: Option<usize>,
    percent: Option<usize>,
    /// Total and self cost, with their unit.
    total: Option<usize>,
    self_cost: Option<usize>,
    /// The mark of a guess, and the limits of its total.
    guess: Option<usize>,
    limits: Option<[usize; 2]>,
    /// The totals of both sides of a difference.
    sides: Option<[usize; 2]>,
    unit: &'r str,
    decimals: usize,
}

impl<'r> FrameColumns<'r> {
    fn of(section: &'r Section) -> Self {
        let total = section.shown_column(Role::Total);
        let old = section.column("total_old");
        let mut limits = (0..section.columns.len())
            .filter(|&column| section.columns[column].role == Role::Limit);
        Self {
            guess: section.columns.iter().position(Column::is_guess),
            limits: limits.next().zip(limits.next()).map(<[usize; 2]>::from),
            name: section.column("name").unwrap_or_default(),
            depth: depth_column(section),
            percent: section.column("percent"),
            total,
            self_cost: section.shown_column(Role::SelfValue),
            unit: total.or(old).map_or("", |column| &section.columns[column].head[1]),
            sides: old.zip(section.column("total_new")).map(<[usize; 2]>::from),
            decimals: total
                .and_then(|column| section.columns[column].print)
                .map_or(2, |print| print.decimals.into()),
        }
    }

    /// The numbers of a frame in words; of a difference with the change first.
    fn numbers(&self, row: Row<'_>, change: Option<&str>) -> String {
        let cost = |column: Option<usize>| match row.cells[column?] {
            Cell::Integer(cost) => Some(format!("{cost} {}", self.unit)),
            Cell::Real(cost) => Some(format!("{cost:.*} {}", self.decimals, self.unit)),
            _ => None,
        };
        if let (Some(change), Some([old, new])) = (change, self.sides) {
            let [old, new] = [old, new].map(|side| cost(Some(side)).unwrap_or_default());
            return format!("{change}, from {old} to {new}");
        }
        let percent = self.percent.and_then(|column| row.cells[column].as_real());
        let mut numbers = format!("{:.2} %", percent.unwrap_or(0.0));
        let total = cost(self.total);
        let self_cost = cost(self.self_cost).filter(|cost| total.as_ref() != Some(cost));
        if let Some(total) = total {
            numbers = format!("{numbers}, {total}");
        }
        if let Some(self_cost) = self_cost {
            numbers = format!("{numbers}, self {self_cost}");
        }
        if let Some([Some(low), Some(high)]) =
            self.limits.map(|limits| limits.map(|one| cost(Some(one))))
        {
            numbers = format!("{numbers}; may be {low} to {high}");
        }
        numbers
    }
}

/// The rectangle of a frame. `x` and `width` are percentages.
struct Element {
    x: f64,
    width: f64,
    row: usize,
    class: &'static str,
    is_guess: bool,
}

impl Element {
    /// Writes the frame. A change is part of its label.
    fn write(
        &self,
        out: &mut Vec<u8>,
        name: &[u8],
        change: Option<&str>,
        numbers: &str,
    ) -> io::Result<()> {
        let Self { x, width, row, class, is_guess } = self;
        let hatch = if *is_guess { HATCH } else { "" };
        write!(
            out,
            "<svg class=\"{class}\" x=\"{}%\" y=\"{}\" width=\"{}%\"><title>{}\n{}</title>\
             <rect width=\"100%\" height=\"17\"/>{hatch}",
            short_decimal(*x),
            row * ROW_HEIGHT,
            short_decimal(*width),
            escaped(&text(name)),
            escaped(&text(numbers)),
        )?;
        let n_columns = columns_in(*width);
        if n_columns >= 3 {
            let label = match change {
                Some(change) => Cow::Owned([name, b" ", change.as_bytes()].concat()),
                None => Cow::Borrowed(name),
            };
            let name = name_form::fitting(&label, n_columns);
            write!(out, "<text x=\"3\" y=\"13\">{}</text>", escaped(&text(&name)))?;
        }
        out.extend_from_slice(b"</svg>\n");
        Ok(())
    }
}

/// The strokes over a guess.
const HATCH: &str = "<rect class=\"hatch\" width=\"100%\" height=\"17\"/>";

/// Number of columns that fit into a frame in a usual window.
#[expect(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "widths are percentages"
)]
fn columns_in(width: f64) -> usize {
    (width * COLUMNS_PER_PERCENT - 1.0).max(0.0) as usize
}

/// Three decimals at most: a hundredth of a pixel.
fn short_decimal(number: f64) -> String {
    let text = format!("{number:.3}");
    text.trim_end_matches('0').trim_end_matches('.').to_owned()
}
