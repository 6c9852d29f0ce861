//! Exact values charged to contexts or functions.

use std::fmt;

use super::recorded_costs::add_all;
use super::{ContextId, FunctionId};

/// What is measured, as readers name it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Quantity(pub &'static str);

impl Quantity {
    pub const ALLOCATED: Self = Self("allocated memory");
    /// Memory that was freed again, charged to where it was allocated.
    pub const FREED: Self = Self("freed memory");
    /// Memory that was freed, charged to where it was freed.
    pub const RELEASED: Self = Self("released memory");
    pub const TIME: Self = Self("time");
    /// How often something was entered.
    pub const ENTRIES: Self = Self("entries");
    /// How often an event came to pass, which the metric of the column names.
    pub const EVENTS: Self = Self("events");
}

impl fmt::Display for Quantity {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.0)
    }
}

/// What a value is counted in, as readers name it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Unit(pub &'static str);

impl Unit {
    /// Blocks, entries, samples or events of an instrumented run.
    pub const COUNT: Self = Self("count");
    /// Bytes of memory, as the program asked for them.
    pub const BYTES: Self = Self("bytes");
    /// Ticks of a clock, whose rate the metric of the column has.
    pub const TICKS: Self = Self("ticks");
}

/// Whether a value is of a place alone.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Extent {
    /// Of the place alone.
    Exclusive,
    /// Of the place and of all that was called from there, each moment counted once.
    Inclusive,
    /// As inclusive, but of what the garbage collector took meanwhile.
    Collector,
}

/// A class of block sizes, told apart by [`SizeBounds`](super::SizeBounds).
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum SizeClass {
    Small,
    Medium,
    Large,
    ExtraLarge,
}

impl SizeClass {
    /// All classes, by rising size.
    pub const ALL: [Self; 4] = [Self::Small, Self::Medium, Self::Large, Self::ExtraLarge];
}

/// What one column of values means.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ValueType {
    pub quantity: Quantity,
    pub unit: Unit,
    /// Whether it is of the place alone.
    pub extent: Extent,
    /// The sizes of blocks that it is about; `None` for all.
    pub class: Option<SizeClass>,
}

/// Whom a row of values is charged to.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum SampleKey {
    Context(ContextId),
    /// A context, when one thread was in it. The number is the program's own.
    ThreadContext(ContextId, u64),
    /// A function as a whole, where the file has values for it that are not the
    /// sums of those of its contexts.
    Function(FunctionId),
}

impl SampleKey {
    /// The context, whichever thread was in it; `None` for a function as a whole.
    pub fn context(self) -> Option<ContextId> {
        match self {
            Self::Context(context) | Self::ThreadContext(context, _) => Some(context),
            Self::Function(_) => None,
        }
    }
}

/// Rows of values, one column for each of `types`, in the order of the file.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Samples {
    types: Box<[ValueType]>,
    keys: Vec<SampleKey>,
    values: Vec<u64>,
}

impl Samples {
    pub fn new(types: impl Into<Box<[ValueType]>>) -> Self {
        Self {
            types: types.into(),
            keys: Vec::new(),
            values: Vec::new(),
        }
    }

    pub fn types(&self) -> &[ValueType] {
        &self.types
    }

    pub fn len(&self) -> usize {
        self.keys.len()
    }

    pub fn is_empty(&self) -> bool {
        self.keys.is_empty()
    }

    /// Adds a row.
    ///
    /// # Panics
    /// When it has not one value for each type.
    pub fn push(&mut self, key: SampleKey, values: &[u64]) {
        assert_eq!(values.len(), self.types.len(), "one value for each type");
        self.keys.push(key);
        self.values.extend_from_slice(values);
    }

    pub fn row(&self, row: usize) -> Option<&[u64]> {
        let n_columns = self.types.len();
        let start = row.checked_mul(n_columns)?;
        self.values.get(start..start.checked_add(n_columns)?)
    }

    pub fn row_mut(&mut self, row: usize) -> &mut [u64] {
        let n_columns = self.types.len();
        &mut self.values[row * n_columns..(row + 1) * n_columns]
    }

    /// Adds values to a row; `None`, with nothing added, when a sum does not fit.
    pub fn add_to(&mut self, row: usize, values: &[u64]) -> Option<()> {
        add_all(self.row_mut(row), values)
    }

    pub fn rows(&self) -> impl Iterator<Item = (SampleKey, &[u64])> {
        // Samples without columns have no values to cut up, and no rows.
        let rows = self.values.chunks_exact(self.types.len().max(1));
        self.keys.iter().copied().zip(rows)
    }
}
