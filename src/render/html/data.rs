//! The data of a page, as JSON in a script element.
//!
//! Rows are in blocks, and each block has one text for each column with its cells between commas:
//! half as long as objects, and a browser splits only the columns that it shows. Names are
//! numbers in a table after the rows. Numbers that have a unit on a screen have another text: as
//! they are shown, between bars.

use std::borrow::Cow;
use std::collections::HashMap;
use std::io::{self, Write};
use std::sync::Arc;

use foldhash::fast::RandomState;
use indexmap::{IndexMap, IndexSet};

use super::folded_frames::{Folded, visit_rows};
use crate::render::json::value::{push, push_integer};
use crate::render::json::{push_head, push_section_head};
use crate::render::modules::{FunctionOrigin, Modules, Shade, degrees_of};
use crate::render::recorded::{NameInterner, RecordedName};
use crate::render::text::{NameWriter, push_cell as push_shown};
use crate::render::{RenderOptions, name_form};
use crate::report::escape::escape_line;
use crate::report::{
    Cell, Column, FittingUnit, IN_CYCLE, LOWER_BOUND, NameId, NameTable, Print, Report, Role, Row,
    RowKind, Section, SectionId, Text, escape_controls,
};

/// Number of rows in a block.
const ROWS: usize = 1 << 13;

/// Writes the report as one object.
pub(super) fn write(report: &Report, out: &mut dyn Write) -> io::Result<()> {
    let mut data =
        Data { out, text: Vec::new(), tables: PageTexts::default(), rows_of_frames: Vec::new() };
    push_head(&mut data.text, report);
    data.text.extend_from_slice(b",\"command\":");
    push(&mut data.text, &report.command);
    data.text.extend_from_slice(b",\"sections\":[");
    let sections = report.sections.iter();
    // In a page, names are links, and numbers of entries lead nowhere.
    let sections = sections.filter(|section| section.id != SectionId::Index);
    for (index, section) in sections.enumerate() {
        data.text.extend_from_slice(if index == 0 { b"\n" } else { b",\n" });
        data.section(section, report)?;
    }
    data.text.extend_from_slice(b"],\n\"names\":");
    let names = data.tables.names_as_columns(&Modules::of(report));
    data.columns(&names)?;
    let texts = std::mem::take(&mut data.tables.texts);
    data.text.extend_from_slice(b",\n\"texts\":");
    push(&mut data.text, texts.values().collect::<Vec<_>>());
    data.text.push(b'}');
    data.flush()
}

struct Data<'o> {
    out: &'o mut dyn Write,
    text: Vec<u8>,
    tables: PageTexts,
    /// The row of each frame of the call tree in the page.
    rows_of_frames: Vec<usize>,
}

impl Data<'_> {
    /// Writes the text so far. No `<` in it can end its element or start another, since it is
    /// always within a string.
    fn flush(&mut self) -> io::Result<()> {
        for (index, piece) in self.text.split(|byte| *byte == b'<').enumerate() {
            if index > 0 {
                self.out.write_all(b"\\u003c")?;
            }
            self.out.write_all(piece)?;
        }
        self.text.clear();
        Ok(())
    }

    fn section(&mut self, section: &Section, report: &Report) -> io::Result<()> {
        push_section_head(&mut self.text, section, report);
        self.text.extend_from_slice(b",\"blocks\":[");
        let is_tree = section.id == SectionId::Tree;
        let has_samples = is_tree && report.sections.iter().any(|one| one.id == SectionId::Samples);
        let frame = section.column("frame").filter(|_| section.id == SectionId::Samples);
        let mut cells = Vec::new();
        let names = NameWriter::of(report, RenderOptions::default());
        let kept = written_columns(section, &names);
        let mut block = Block::new(section.columns.len());
        let mut is_first = true;
        let folded = visit_rows(section, has_samples, &mut |row| {
            let mut row = row;
            if let Some(frame) = frame {
                // A saved report may be damaged.
                let place = usize::try_from(row.cells[frame].as_count()).ok();
                let place = place.and_then(|place| self.rows_of_frames.get(place));
                cells = row.cells.to_vec();
                cells[frame] = place.copied().into();
                row.cells = &cells;
            }
            block.push(row, &kept, &mut self.tables, &names);
            if block.kinds.len() < ROWS {
                return Ok(());
            }
            self.block(&block, std::mem::take(&mut is_first))?;
            block = Block::new(section.columns.len());
            Ok(())
        })?;
        if !block.kinds.is_empty() {
            self.block(&block, is_first)?;
        }
        let Folded { n_frames, percent, rows } = folded;
        self.text.extend(format!("],\"folded\":[{n_frames},{percent:.3}]}}").bytes());
        if is_tree {
            self.rows_of_frames = rows;
        }
        self.flush()
    }

    fn block(&mut self, block: &Block, is_first: bool) -> io::Result<()> {
        self.text.extend_from_slice(if is_first { b"\n{" } else { b",\n{" });
        self.text.extend_from_slice(b"\"kinds\":\"");
        self.text.extend_from_slice(&block.kinds);
        self.text.extend_from_slice(b"\",\"cells\":");
        self.columns(&block.columns)?;
        self.text.extend_from_slice(b",\"shown\":");
        self.columns(&block.shown)?;
        self.text.push(b'}');
        self.flush()
    }

    /// Adds columns, each as a string without characters to escape.
    fn columns(&mut self, columns: &[CellTexts]) -> io::Result<()> {
        self.text.push(b'[');
        for (index, column) in columns.iter().enumerate() {
            self.text.extend_from_slice(if index == 0 { b"\"" } else { b",\"" });
            if column.has_cells {
                self.text.extend_from_slice(&column.text);
            }
            self.text.push(b'"');
            self.flush()?;
        }
        self.text.push(b']');
        Ok(())
    }
}

/// A column that is written.
struct WrittenColumn {
    role: Role,
    /// The format on a screen, if numbers have a unit there, and its factor.
    shown: Option<(Print, f64)>,
}

/// The seconds in the unit of a column of times per call.
fn seconds_per_call(column: &Column) -> Option<f64> {
    match column.head[1].trim().strip_suffix("/call").filter(|_| column.role == Role::PerCall)? {
        "s" => Some(1.0),
        "ms" => Some(1e-3),
        "us" => Some(1e-6),
        "ns" => Some(1e-9),
        _ => None,
    }
}

/// The columns that are written. A call graph has a row for each end of a call, so it has the
/// columns of text and of uncertainty only.
fn written_columns(section: &Section, names: &NameWriter<'_>) -> Vec<Option<WrittenColumn>> {
    let is_graph = section.id == SectionId::Graph;
    let is_written = |column: &Column| match column.role {
        Role::Calls | Role::Limit | Role::Marks | Role::Name => true,
        _ => column.print.is_some() || [IN_CYCLE, LOWER_BOUND].contains(&&*column.id),
    };
    // Totals have the decimals of self costs.
    let decimals =
        section.shown_column(Role::SelfValue).and_then(|place| section.columns[place].print);
    let decimals = decimals.map_or(0, |print| print.decimals);
    let columns = section.columns.iter().enumerate();
    let written = columns.map(|(place, column)| {
        let in_units = || match column.role {
            Role::Calls => Some(Print::new(0, 0)),
            Role::Total => Some(Print::new(0, decimals)),
            _ => None,
        };
        let print = section.print_of(place, false).or_else(|| section.print_of(place, true));
        let print = print.or_else(in_units).map(|print| names.in_units(print, column));
        let print = print.filter(|print| print.unit.is_some());
        let per_call = seconds_per_call(column).filter(|_| column.print.is_some());
        let shown = match per_call {
            Some(scale) => {
                Some((Print { unit: Some(FittingUnit::Seconds), ..Print::new(0, 0) }, scale))
            }
            None => print.map(|print| (print, 1.0)),
        };
        // A running sum has no meaning in another order.
        let is_left_out = matches!(column.role, Role::Index | Role::Cumulative);
        (!is_left_out && (!is_graph || is_written(column)))
            .then_some(WrittenColumn { role: column.role, shown })
    });
    written.collect()
}

/// Some rows of a section.
struct Block {
    /// A digit for each row: the position of its kind among all.
    kinds: Vec<u8>,
    columns: Vec<CellTexts>,
    /// Numbers as they are shown.
    shown: Vec<CellTexts>,
}

/// Cells, each after a comma or a bar except the first.
#[derive(Clone, Default)]
struct CellTexts {
    text: Vec<u8>,
    has_cells: bool,
}

impl Block {
    fn new(n_columns: usize) -> Self {
        let [columns, shown] = [(); 2].map(|()| vec![CellTexts::default(); n_columns]);
        Self { kinds: Vec::new(), columns, shown }
    }

    fn push(
        &mut self,
        row: Row<'_>,
        kept: &[Option<WrittenColumn>],
        tables: &mut PageTexts,
        names: &NameWriter<'_>,
    ) {
        let is_first = self.kinds.is_empty();
        let kind = RowKind::ALL.iter().position(|kind| *kind == row.kind);
        let digit = kind.and_then(|kind| u8::try_from(kind).ok()).unwrap_or(0);
        self.kinds.push(b'0' + digit);
        let columns = self.columns.iter_mut().zip(&mut self.shown);
        for ((column, shown), (cell, kept)) in columns.zip(row.cells.iter().zip(kept)) {
            column.start(is_first, b',');
            shown.start(is_first, b'|');
            let Some(kept) = kept.as_ref().filter(|_| !cell.is_absent()) else {
                continue;
            };
            column.has_cells = true;
            match (cell, kept.shown) {
                // Folded frames are no function, whatever the name of one.
                (Cell::Name(id), _) if row.kind == RowKind::Rest => {
                    let name = names.table.name(*id).into();
                    push_number(&mut column.text, b'$', tables.line(&name));
                }
                (Cell::Name(id), _) => {
                    push_number(&mut column.text, b'@', tables.name(*id, names.table));
                }
                (Cell::Text(name), _) if kept.role == Role::Name && row.kind != RowKind::Rest => {
                    push_number(&mut column.text, b'@', tables.bare_name(name));
                }
                (Cell::Text(text), _) => push_number(&mut column.text, b'$', tables.line(text)),
                (number, as_shown) => {
                    let start = column.text.len();
                    push_cell(&mut column.text, number, kept.role);
                    let Some((print, factor)) = as_shown else { continue };
                    let mut text = Text::default();
                    match number {
                        Cell::Real(number) => {
                            push_shown(&mut text, &Cell::Real(number * factor), print, names);
                        }
                        number => push_shown(&mut text, number, print, names),
                    }
                    if text.as_bytes() != &column.text[start..] {
                        shown.has_cells = true;
                        shown.text.extend_from_slice(text.as_bytes());
                    }
                }
            }
        }
    }
}

impl CellTexts {
    fn start(&mut self, is_first: bool, separator: u8) {
        if !is_first {
            self.text.push(separator);
        }
    }

    fn push(&mut self, is_first: bool, number: Option<impl Into<i128>>) {
        self.start(is_first, b',');
        if let Some(number) = number {
            self.has_cells = true;
            push_integer(&mut self.text, number.into());
        }
    }
}

/// Adds `@` and the number of a name, or `$` and the number of a text.
fn push_number(text: &mut Vec<u8>, sign: u8, number: i128) {
    text.push(sign);
    push_integer(text, number);
}

/// Adds a number, or counts between blanks.
fn push_cell(text: &mut Vec<u8>, cell: &Cell, role: Role) {
    match cell {
        Cell::Integer(number) => push_integer(text, *number),
        Cell::Real(number) if number.is_finite() => {
            push_real(text, *number, if role == Role::Share { 6 } else { 9 });
        }
        Cell::Counts(counts) => {
            for (index, count) in counts.iter().enumerate() {
                text.extend_from_slice(if index == 0 { b"" } else { b" " });
                push_integer(text, i128::from(*count));
            }
        }
        Cell::Absent | Cell::Real(_) | Cell::Name(_) | Cell::Text(_) => {}
    }
}

/// Adds a number with so many significant digits, far more than are shown: all digits of
/// percentages would be a quarter of the page. A number that ends in 5 then could be rounded the
/// other way than in text, so it keeps all digits.
fn push_real(text: &mut Vec<u8>, number: f64, n_digits: usize) {
    let start = text.len();
    push(text, number);
    if text.len() - start > n_digits + "0.".len() {
        let whole = text.split_off(start);
        let rounded = format!("{number:.*e}", n_digits - 1).parse();
        push(text, rounded.unwrap_or(number));
        if text.ends_with(b"5") {
            text.truncate(start);
            text.extend(whole);
        }
    }
}

/// The names and texts of all rows, numbered in order of appearance.
#[derive(Default)]
struct PageTexts {
    names: NameInterner,
    n_names: usize,
    name_numbers: HashMap<NameId, NameId, RandomState>,
    texts: IndexMap<Arc<[u8]>, String, RandomState>,
}

impl PageTexts {
    fn name(&mut self, id: NameId, names: &dyn NameTable) -> i128 {
        if let Some(number) = self.name_numbers.get(&id) {
            return number.index() as i128;
        }
        let number = self.recorded(RecordedName::of(id, names));
        self.name_numbers.insert(id, number);
        number.index() as i128
    }

    /// The number of a text in a column of names: a saved report has such names without
    /// properties.
    fn bare_name(&mut self, name: &Arc<[u8]>) -> i128 {
        let name = Arc::clone(name);
        let recorded = RecordedName { name, ..RecordedName::default() };
        self.recorded(recorded).index() as i128
    }

    fn recorded(&mut self, name: RecordedName) -> NameId {
        let number = self.names.id(name).unwrap_or(NameId(u32::MAX));
        self.n_names = self.n_names.max(number.index() + 1);
        number
    }

    /// A text that may have tabs and a line end, such as a line of source.
    fn line(&mut self, bytes: &Arc<[u8]>) -> i128 {
        self.text(bytes, |bytes| {
            let mut line = escape_line(bytes);
            if line.last() == Some(&b'\n') {
                line.pop();
            }
            line
        })
    }

    fn text(&mut self, bytes: &Arc<[u8]>, escaped: impl Fn(&[u8]) -> Vec<u8>) -> i128 {
        let entry = self.texts.entry(Arc::clone(bytes));
        let number = entry.index();
        entry.or_insert_with(|| String::from_utf8_lossy(&escaped(bytes)).into_owned());
        number as i128
    }

    /// The columns of the table of names: name, file, line, object, all texts by number, 1 for
    /// static functions, the short name if it differs, module, hue in degrees, and shade.
    fn names_as_columns(&mut self, modules: &Modules) -> [CellTexts; 9] {
        let mut columns: [CellTexts; 9] = Default::default();
        let names = std::mem::take(&mut self.names).into_names(false);
        let ids = || (0..).map(NameId).take(self.n_names);
        let mut known: IndexSet<Cow<'_, [u8]>, RandomState> = IndexSet::default();
        let places = ids().map(|id| known.insert_full(name_form::folded(names.name(id))).0);
        let places: Vec<usize> = places.collect();
        let folded: Vec<&[u8]> = known.iter().map(|name| &**name).collect();
        let short = name_form::distinct(&folded, name_form::SHORT_COLUMNS);
        for id in ids() {
            let mut number_of = |bytes: &[u8]| {
                self.text(&bytes.into(), |bytes| escape_controls(bytes).into_owned())
            };
            let full = names.name(id);
            let name = number_of(full);
            let location = names.location(id);
            let file = location.map(|location| number_of(location.file));
            let object = names.object(id).map(&mut number_of);
            let line = location.map(|location| location.line);
            let is_static = names.is_static(id).then_some(1);
            let short = Some(&*short[places[id.index()]]).filter(|short| *short != full);
            let short = short.map(&mut number_of);
            let cell = Cell::Name(id);
            let origin = FunctionOrigin::of(&cell, &names);
            let module = Some(modules.module_of(&origin)).filter(|module| !module.is_empty());
            let module = module.map(&mut number_of);
            let hue = modules.hue_of(&origin).map(|hue| degrees_of(hue).into());
            let shade = Some(Shade::of(&origin) as i128).filter(|shade| *shade != 0);
            let line = line.map(Into::into);
            let cells = [Some(name), file, line, object, is_static, short, module, hue, shade];
            for (column, cell) in columns.iter_mut().zip(cells) {
                column.push(id.index() == 0, cell);
            }
        }
        columns
    }
}
