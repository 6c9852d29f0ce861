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

/// Rows in order. They may be computed on demand: a call graph can have millions.
pub trait Rows {
    /// Passes every row to `visit`, up to its first error.
    fn for_each(&self, visit: &mut dyn FnMut(Row<'_>) -> io::Result<()>) -> io::Result<()>;

    /// Passes at least the rows that other rows belong to.
    fn for_each_head(&self, visit: &mut dyn FnMut(Row<'_>) -> io::Result<()>) -> io::Result<()> {
        self.for_each(visit)
    }

    /// The same rows as independent units, if available.
    fn in_units(&self) -> Option<&dyn RowUnits> {
        None
    }
}

/// Rows in independent units: entries, each with the rows that belong to it. The units in
/// order give all rows in order. Each nonempty unit has a row that belongs to no other.
pub trait RowUnits: Sync {
    fn n_units(&self) -> usize;

    /// Approximate number of rows of a unit; 0 only if it has no rows.
    fn n_rows_of(&self, unit: usize) -> usize;

    /// Passes every row of some units to `visit`, up to its first error.
    fn for_each_of(
        &self,
        units: Range<usize>,
        visit: &mut dyn FnMut(Row<'_>) -> io::Result<()>,
    ) -> io::Result<()>;
}

/// Rows in memory, all with the same number of cells.
#[derive(Clone, Debug, Default)]
pub struct RowTable {
    kinds: Vec<RowKind>,
    cells: Vec<Cell>,
}

impl RowTable {
    /// `cells` has the cells of all rows in order.
    pub fn new(kinds: Vec<RowKind>, cells: Vec<Cell>) -> Self {
        let n_left = cells.len().checked_rem(kinds.len());
        debug_assert_eq!(n_left.unwrap_or(0), 0, "rows are equally long");
        Self { kinds, cells }
    }

    /// Adds a row. All rows have the same number of cells.
    pub fn push(&mut self, kind: RowKind, cells: impl IntoIterator<Item = Cell>) {
        self.kinds.push(kind);
        self.cells.extend(cells);
        debug_assert_eq!(self.cells.len() % self.kinds.len(), 0, "rows are equally long");
    }

    pub fn is_empty(&self) -> bool {
        self.kinds.is_empty()
    }

    pub fn len(&self) -> usize {
        self.kinds.len()
    }
}

impl Rows for RowTable {
    fn for_each(&self, visit: &mut dyn FnMut(Row<'_>) -> io::Result<()>) -> io::Result<()> {
        self.for_each_of(0..self.len(), visit)
    }

    fn in_units(&self) -> Option<&dyn RowUnits> {
        let is_alone = |kind: &RowKind| !kind.belongs_to_another();
        self.kinds.iter().all(is_alone).then_some(self as &dyn RowUnits)
    }
}

/// Each row is a unit if no row belongs to another.
impl RowUnits for RowTable {
    fn n_units(&self) -> usize {
        self.len()
    }

    fn n_rows_of(&self, _: usize) -> usize {
        1
    }

    fn for_each_of(
        &self,
        units: Range<usize>,
        visit: &mut dyn FnMut(Row<'_>) -> io::Result<()>,
    ) -> io::Result<()> {
        let n_cells = self.cells.len().checked_div(self.kinds.len()).unwrap_or(0);
        for index in units {
            let kind = self.kinds[index];
            let cells = &self.cells[index * n_cells..(index + 1) * n_cells];
            visit(Row { kind, cells })?;
        }
        Ok(())
    }
}
