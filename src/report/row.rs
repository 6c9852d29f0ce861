//! Rows of cells.

use std::io;
use std::ops::Range;
use std::sync::Arc;

use super::{NameId, NameTable};

#[derive(Clone, Copy, Debug)]
pub struct Row<'r> {
    pub kind: RowKind,
    pub cells: &'r [Cell],
}

closed_set! {
    "kind of row", RowKind {
        /// A function, line, stack or size.
        Entry = "entry",
        /// A caller, above its entry.
        Caller = "caller",
        /// A callee, below its entry.
        Callee = "callee",
        /// A cycle as a whole, as an entry.
        Cycle = "cycle",
        /// A member, below its cycle.
        Member = "member",
        /// The next frame of the stack above.
        Frame = "frame",
        /// An inlined function, below the function that contains it.
        Inline = "inline",
        /// All omitted rows.
        Rest = "rest",
        /// Cost outside of functions.
        Unattributed = "unattributed",
        /// The sum of the rows above.
        Total = "total",
    }
}

impl RowKind {
    /// The word before the name of a row that belongs to another, in a table without indents.
    pub fn relation(self) -> &'static str {
        match self {
            Self::Frame => "by ",
            Self::Caller => "from ",
            Self::Callee => "to ",
            Self::Member => "member ",
            _ => "",
        }
    }

    /// Returns whether the row belongs to an entry above or below it.
    pub fn belongs_to_another(self) -> bool {
        match self {
            Self::Caller | Self::Callee | Self::Member | Self::Frame | Self::Inline => true,
            Self::Entry | Self::Cycle | Self::Rest | Self::Unattributed | Self::Total => false,
        }
    }
}

#[derive(Clone, Debug, Default, PartialEq)]
pub enum Cell {
    /// Not recorded, or not applicable.
    #[default]
    Absent,
    Integer(i128),
    /// A finite number.
    Real(f64),
    Counts(Box<[u64]>),
    /// A function or line, in the name table of the report.
    Name(NameId),
    /// Bytes, usually text.
    Text(Arc<[u8]>),
}

impl Cell {
    pub fn text(text: impl AsRef<[u8]>) -> Self {
        Self::Text(text.as_ref().into())
    }

    pub fn integer(number: Option<impl Into<i128>>) -> Self {
        number.map_or(Self::Absent, |number| Self::Integer(number.into()))
    }

    /// 1 or absent.
    pub fn flag(is_set: bool) -> Self {
        Self::integer(is_set.then_some(1))
    }

    pub fn as_integer(&self) -> Option<i128> {
        match self {
            Self::Integer(number) => Some(*number),
            _ => None,
        }
    }

    /// A count that is certainly an integer from 0; 0 for other cells.
    pub fn as_count(&self) -> u64 {
        self.as_integer().and_then(|number| number.try_into().ok()).unwrap_or(0)
    }

    pub fn as_real(&self) -> Option<f64> {
        match self {
            Self::Real(number) => Some(*number),
            _ => None,
        }
    }

    /// The bytes of a name or text; empty for numbers.
    pub fn bytes<'c>(&'c self, names: &'c dyn NameTable) -> &'c [u8] {
        match self {
            Self::Name(id) => names.name(*id),
            Self::Text(bytes) => bytes,
            _ => b"",
        }
    }

    pub fn is_absent(&self) -> bool {
        matches!(self, Self::Absent)
    }
}

macro_rules! cell_of {
    ($($type:ty => $cell:expr),* $(,)?) => {
        $(impl From<$type> for Cell {
            fn from(value: $type) -> Self {
                $cell(value)
            }
        })*
    };
}

cell_of! {
    u8 => |number: u8| Self::Integer(number.into()),
    u32 => |number: u32| Self::Integer(number.into()),
    u64 => |number: u64| Self::Integer(number.into()),
    usize => |number: usize| Self::Integer(number as i128),
    i128 => Self::Integer,
    f64 => Self::Real,
    &str => Self::text,
    &[u8] => Self::text,
    String => Self::text,
    Vec<u8> => Self::text,
}

impl<T: Into<Self>> From<Option<T>> for Cell {
    fn from(value: Option<T>) -> Self {
        value.map_or(Self::Absent, Into::into)
    }
}

/// Receives rows, and stops them with an error.
pub type RowVisitor<'v> = dyn FnMut(Row<'_>) -> io::Result<()> + 'v;

/// Rows in entries: each is a row that belongs to no other, with the rows that belong to it. They
/// may be computed on demand: a call graph can have millions. Rows that nobody selects may be one
/// entry.
pub trait Rows: Sync {
    fn n_entries(&self) -> usize {
        1
    }

    /// Approximate number of rows of an entry; 0 only if it has no rows.
    fn n_rows_of(&self, _entry: usize) -> usize {
        1
    }

    /// Passes every row of some entries to `visit`, up to its first error.
    fn for_each_of(&self, entries: Range<usize>, visit: &mut RowVisitor<'_>) -> io::Result<()>;

    /// The same for readers of some columns: others may be absent. All columns, if `wanted` is
    /// empty.
    fn for_each_of_columns(
        &self,
        entries: Range<usize>,
        _wanted: &[usize],
        visit: &mut RowVisitor<'_>,
    ) -> io::Result<()> {
        self.for_each_of(entries, visit)
    }

    /// Passes every row to `visit`, up to its first error.
    fn for_each(&self, visit: &mut RowVisitor<'_>) -> io::Result<()> {
        self.for_each_of(0..self.n_entries(), visit)
    }

    /// Passes the row of each entry that the others belong to.
    fn for_each_head(&self, visit: &mut RowVisitor<'_>) -> io::Result<()> {
        self.for_each(&mut |row| if row.kind.belongs_to_another() { Ok(()) } else { visit(row) })
    }
}

/// The first rows of entries. Callers are above the row that they belong to, all others below.
#[derive(Clone, Debug, Default)]
pub struct EntryStarts {
    starts: Vec<usize>,
    /// The last entry has the row that the others belong to.
    has_head: bool,
}

impl EntryStarts {
    /// Adds the row with this number, the next one.
    pub fn push(&mut self, kind: RowKind, row: usize) {
        let is_head = !kind.belongs_to_another();
        if self.starts.is_empty() || self.has_head && (is_head || kind == RowKind::Caller) {
            self.starts.push(row);
            self.has_head = false;
        }
        self.has_head |= is_head;
    }

    pub fn n_entries(&self) -> usize {
        self.starts.len()
    }

    /// The rows of some entries, of so many in all.
    pub fn rows_of(&self, entries: Range<usize>, n_rows: usize) -> Range<usize> {
        let first_row = |entry: usize| self.starts.get(entry).copied().unwrap_or(n_rows);
        first_row(entries.start)..first_row(entries.end)
    }
}

/// Rows in memory, without empty cells: a file with many columns and empty rows must not take
/// memory for their product.
#[derive(Clone, Debug, Default)]
pub struct RowTable {
    n_columns: usize,
    rows: Vec<(RowKind, usize)>,
    /// The cells of all rows. Each row stores its end.
    cells: Vec<Cell>,
    /// The column of each cell.
    columns: Vec<u32>,
    entries: EntryStarts,
}

impl RowTable {
    pub fn with_columns(n_columns: usize) -> Self {
        Self { n_columns, ..Self::default() }
    }

    /// Adds a row. All rows have the same number of cells.
    pub fn push(&mut self, kind: RowKind, cells: impl IntoIterator<Item = Cell>) {
        let mut n_columns = self.n_columns;
        let cells = (0..).zip(cells).inspect(|(column, _)| {
            n_columns = n_columns.max(*column as usize + 1);
        });
        self.push_cells(kind, cells.filter(|(_, cell)| !cell.is_absent()));
        self.n_columns = n_columns;
    }

    /// Adds a row of some cells with their columns. Of several in a column, the last one counts.
    pub fn push_cells(&mut self, kind: RowKind, cells: impl IntoIterator<Item = (u32, Cell)>) {
        self.entries.push(kind, self.rows.len());
        for (column, cell) in cells {
            self.columns.push(column);
            self.cells.push(cell);
        }
        self.rows.push((kind, self.cells.len()));
    }

    pub fn is_empty(&self) -> bool {
        self.rows.is_empty()
    }

    pub fn len(&self) -> usize {
        self.rows.len()
    }
}

impl Rows for RowTable {
    fn n_entries(&self) -> usize {
        self.entries.n_entries()
    }

    fn n_rows_of(&self, entry: usize) -> usize {
        self.entries.rows_of(entry..entry + 1, self.len()).len()
    }

    fn for_each_of(&self, entries: Range<usize>, visit: &mut RowVisitor<'_>) -> io::Result<()> {
        let rows = self.entries.rows_of(entries, self.len());
        let mut row = vec![Cell::Absent; self.n_columns];
        let mut start = rows.start.checked_sub(1).map_or(0, |row| self.rows[row].1);
        for &(kind, end) in &self.rows[rows] {
            let columns = &self.columns[start..end];
            for (&column, cell) in columns.iter().zip(&self.cells[start..end]) {
                row[column as usize] = cell.clone();
            }
            visit(Row { kind, cells: &row })?;
            for &column in columns {
                row[column as usize] = Cell::Absent;
            }
            start = end;
        }
        Ok(())
    }
}
