//! The places of frames, and their elements.

use std::collections::BTreeMap;
use std::io::{self, Write};

use foldhash::fast::RandomState;
use indexmap::IndexMap;

use crate::render::change::Change;
use crate::render::junit::escaped;
use crate::render::modules::{FunctionOrigin, LIGHTNESS, Modules, Shade, base_of, color_of};
use crate::render::stacks::Stacks;
use crate::render::text::{depth_column, depth_of};
use crate::render::{name_form, visible};
use crate::report::{Cell, Column, MAX_FOLDED_FRAMES, Report, Role, Row, Section, SectionId};

/// Height of a row in pixels.
pub(super) const ROW_HEIGHT: usize = 18;

/// The name of the frame above all.
pub(super) const ALL: &str = "all";

/// Minimum width of a frame, as a percentage.
const LEAST_PERCENT: f64 = 0.1;

/// Maximum length of a name beside its numbers.
const N_LETTERS: usize = 1000;

/// Columns of text in one percent of a window of 1200 pixels.
const COLUMNS_PER_PERCENT: f64 = 12.0 / 7.3;

/// Modules with a line of their own in the legend.
const N_MODULES: usize = 12;

/// The class without a colour of its own.
const OTHER: &str = "o";

/// The elements of all frames that are wide enough.
pub(super) struct FrameShapes {
    pub(super) body: Vec<u8>,
    /// What the colours mean.
    pub(super) legend: Vec<ColorGroup>,
    /// The rules of style of all colours.
    pub(super) style: String,
    pub(super) n_rows: usize,
    pub(super) n_left_out: u64,
    /// Some frames are guesses.
    pub(super) has_guesses: bool,
}

/// A line of the legend; without a class it has words alone.
pub(super) struct ColorGroup {
    pub(super) words: String,
    pub(super) class: Option<String>,
}

impl FrameShapes {
    /// # Errors
    /// If rows cannot be computed.
    pub(super) fn new(report: &Report, section: &Section, stacks: &Stacks<'_>) -> io::Result<Self> {
        let mut frames = Self {
            body: Vec::new(),
            legend: Vec::new(),
            style: String::new(),
            n_rows: 1,
            n_left_out: 0,
            has_guesses: false,
        };
        let columns = FrameColumns::of(section);
        let mut colors = FrameColors { modules: Modules::of(report), ..FrameColors::default() };
        // Where the next frame of each open row starts, below `ALL`.
        let mut next = vec![0.0];
        let about_all = Element { x: 0.0, width: 100.0, row: 0, class: OTHER, is_guess: false };
        about_all.write(&mut frames.body, ALL, None, "100.00 %")?;
        let is_difference = section.id == SectionId::TreeDifference;
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
                (class_of_change(change).to_owned(), Some(words))
            } else {
                let origin = FunctionOrigin::of(&row.cells[columns.name], stacks.names);
                let is_inlined =
                    columns.inlined.is_some_and(|column| !row.cells[column].is_absent());
                (colors.class_of(&origin, is_inlined), None)
            };
            let is_guess = columns.guess.is_some_and(|column| !row.cells[column].is_absent());
            let element = Element { x, width, row: depth + 1, class: &class, is_guess };
            frames.has_guesses |= is_guess;
            frames.n_rows = frames.n_rows.max(depth + 2);
            let numbers = columns.numbers(row, change.as_deref());
            element.write(
                &mut frames.body,
                &visible(name_form::folded(&name)),
                change.as_deref(),
                &numbers,
            )
        })?;
        frames.legend = if is_difference { legend_of_changes() } else { colors.legend() };
        frames.style = colors.style();
        Ok(frames)
    }
}

/// The colours that frames have.
#[derive(Default)]
struct FrameColors {
    modules: Modules,
    /// In order of appearance.
    shown: IndexMap<Vec<u8>, String, RandomState>,
    shades: IndexMap<Shade, String, RandomState>,
    classes: BTreeMap<String, (u32, Shade)>,
}

impl FrameColors {
    fn class_of(&mut self, origin: &FunctionOrigin<'_>, is_inlined: bool) -> String {
        let Some(hue) = self.modules.hue_of(origin) else { return OTHER.to_owned() };
        let shade = if is_inlined { Shade::Inlined } else { Shade::of(origin) };
        let class = |shade: Shade| format!("h{hue}{}", ["", "r", "k", "i"][shade as usize]);
        let module = self.modules.module_of(origin);
        if !module.is_empty() && !self.shown.contains_key(module) {
            self.shown.insert(module.to_vec(), class(Shade::Plain));
            self.classes.insert(class(Shade::Plain), (hue, Shade::Plain));
        }
        if shade != Shade::Plain {
            self.shades.entry(shade).or_insert_with(|| class(shade));
        }
        self.classes.entry(class(shade)).or_insert((hue, shade));
        class(shade)
    }

    /// Modules if there are several, and shades.
    fn legend(&self) -> Vec<ColorGroup> {
        let n_modules = if self.shown.len() > 1 { self.shown.len() } else { 0 };
        let of_module = |(module, class): (&Vec<u8>, &String)| ColorGroup {
            words: visible(base_of(module)),
            class: Some(class.clone()),
        };
        let modules = self.shown.iter().take(n_modules.min(N_MODULES)).map(of_module);
        let n_more = n_modules.saturating_sub(N_MODULES);
        let more =
            (n_more > 0).then(|| ColorGroup { words: format!("and {n_more} more"), class: None });
        let shades = self.shades.iter().map(|(shade, class)| ColorGroup {
            words: shade.meaning().to_owned(),
            class: Some(class.clone()),
        });
        modules.chain(more).chain(shades).collect()
    }

    /// Colours on a light and on a dark ground.
    fn style(&self) -> String {
        let [light, dark] = LIGHTNESS.map(|lightness| {
            let rules = self.classes.iter().map(|(class, (hue, shade))| {
                format!(".{class}{{fill:{}}}", color_of(*hue, *shade, lightness))
            });
            rules.collect::<String>()
        });
        format!("{light}\n@media(prefers-color-scheme:dark){{{dark}}}\n")
    }
}

fn legend_of_changes() -> Vec<ColorGroup> {
    let lines = Change::ALL.into_iter().map(|change| ColorGroup {
        words: change.meaning().to_owned(),
        class: Some(class_of_change(change).to_owned()),
    });
    lines.collect()
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

/// The columns of a frame.
struct FrameColumns<'r> {
    name: usize,
    /// The mark of inlined code.
    inlined: Option<usize>,
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
            inlined: section.column("inlined"),
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
struct Element<'c> {
    x: f64,
    width: f64,
    row: usize,
    class: &'c str,
    is_guess: bool,
}

impl Element<'_> {
    /// Writes the frame. A change is part of its label.
    fn write(
        &self,
        out: &mut Vec<u8>,
        name: &str,
        change: Option<&str>,
        numbers: &str,
    ) -> io::Result<()> {
        let Self { x, width, row, class, is_guess } = self;
        let hatch = if *is_guess { HATCH } else { "" };
        let fitting = name_form::fitting(name.as_bytes(), name_form::SHORT_COLUMNS);
        let short = String::from_utf8_lossy(&fitting);
        let data = match &*short {
            short if short == name => String::new(),
            short => format!(" data-short=\"{}\"", escaped(short)),
        };
        write!(
            out,
            "<svg class=\"{class}\" x=\"{}%\" y=\"{}\" width=\"{}%\"{data}><title>{}\n{}</title>\
             <rect width=\"100%\" height=\"17\"/>{hatch}",
            short_decimal(*x),
            row * ROW_HEIGHT,
            short_decimal(*width),
            escaped(&name_form::right_end(name, N_LETTERS)),
            escaped(&visible(numbers)),
        )?;
        let change = change.map_or(String::new(), |change| format!(" {change}"));
        let n_columns = columns_in(*width);
        if let Some(room) = n_columns.checked_sub(change.chars().count()).filter(|room| *room >= 3)
        {
            let label = name_form::right_end(&short, room).into_owned() + &change;
            write!(out, "<text x=\"3\" y=\"13\">{}</text>", escaped(&label))?;
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
