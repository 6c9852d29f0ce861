//! Exact costs of contexts and functions.

use std::fmt;

use super::{ContextId, FunctionId, Interner, LabelSetId};

/// The quantity that a column measures.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Quantity(pub &'static str);

impl Quantity {
    pub const ALLOCATED: Self = Self("allocated memory");
    /// Freed memory, charged to its allocation.
    pub const FREED: Self = Self("freed memory");
    /// Freed memory, charged to the call that freed it.
    pub const RELEASED: Self = Self("released memory");
    /// Memory in use when the heap was largest.
    pub const AT_PEAK: Self = Self("memory in use at the peak");
    pub const READ: Self = Self("memory read");
    pub const WRITTEN: Self = Self("memory written");
    /// Time from the allocation to the release of blocks, summed up.
    pub const LIFETIME: Self = Self("lifetime of blocks");
    pub const TIME: Self = Self("time");
    /// Number of calls of a function.
    pub const ENTRIES: Self = Self("entries");
    /// Sums of squared amounts of samples, see [`SquareColumn`](super::SquareColumn).
    pub const SQUARES: Self = Self("squares");
    /// Number of events of a kind; the metric of the column names the kind.
    pub const EVENTS: Self = Self("events");
}

impl fmt::Display for Quantity {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.0)
    }
}

/// The unit of a value.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Unit(pub &'static str);

impl Unit {
    /// Blocks, entries, samples or events.
    pub const COUNT: Self = Self("count");
    /// Bytes, as requested by the program.
    pub const BYTES: Self = Self("bytes");
    /// Clock ticks; the metric of the column has the rate.
    pub const TICKS: Self = Self("ticks");
}

/// Whether a value includes the cost of callees.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Extent {
    /// Self cost.
    Exclusive,
    /// Self cost and the cost of callees; each moment counts once.
    Inclusive,
    /// The cost of the garbage collector while the function is on the stack.
    Collector,
}

/// A class of block sizes, separated by `SizeBounds`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum SizeClass {
    Small,
    Medium,
    Large,
    ExtraLarge,
}

impl SizeClass {
    /// From small to large.
    pub const ALL: [Self; 4] = [Self::Small, Self::Medium, Self::Large, Self::ExtraLarge];
}

/// The meaning of a column.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ValueType {
    pub quantity: Quantity,
    pub unit: Unit,
    /// Whether it includes callees.
    pub extent: Extent,
    /// The size class; `None` for all sizes.
    pub class: Option<SizeClass>,
}

/// The owner of a row of values.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum SampleKey {
    Context(ContextId),
    /// A context in one thread, with the number that the program gave the thread.
    ThreadContext(ContextId, u64),
    /// A context in samples with these labels.
    LabelledContext(ContextId, LabelSetId),
    /// A function as a whole, if the file has values for it that are not sums over its
    /// contexts.
    Function(FunctionId),
}

impl SampleKey {
    /// A context in samples with these labels, if they have any.
    pub fn labelled(context: ContextId, labels: Option<LabelSetId>) -> Self {
        let labelled = |labels| Self::LabelledContext(context, labels);
        labels.map_or(Self::Context(context), labelled)
    }

    /// The context, in any thread; `None` for a function as a whole.
    pub fn context(self) -> Option<ContextId> {
        match self {
            Self::Context(context)
            | Self::ThreadContext(context, _)
            | Self::LabelledContext(context, _) => Some(context),
            Self::Function(_) => None,
        }
    }

    /// The same with another context.
    pub fn at(self, place: impl Fn(ContextId) -> ContextId) -> Self {
        match self {
            Self::Context(context) => Self::Context(place(context)),
            Self::ThreadContext(context, thread) => Self::ThreadContext(place(context), thread),
            Self::LabelledContext(context, set) => Self::LabelledContext(place(context), set),
            Self::Function(function) => Self::Function(function),
        }
    }

    /// The labels of the samples, if they have any.
    pub fn label_set(self) -> Option<LabelSetId> {
        match self {
            Self::LabelledContext(_, set) => Some(set),
            Self::Context(_) | Self::ThreadContext(..) | Self::Function(_) => None,
        }
    }
}

/// Rows of values in file order, with one column for each of `types`.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Samples {
    types: Box<[ValueType]>,
    keys: SampleKeys,
    values: Vec<u64>,
}

impl Samples {
    pub fn new(types: impl Into<Box<[ValueType]>>) -> Self {
        Self { types: types.into(), keys: SampleKeys::default(), values: Vec::new() }
    }

    pub fn types(&self) -> &[ValueType] {
        &self.types
    }

    pub fn len(&self) -> usize {
        self.keys.len()
    }

    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Adds a row.
    ///
    /// # Panics
    /// If the number of values is not the number of types.
    pub fn push(&mut self, key: SampleKey, values: &[u64]) {
        assert_eq!(values.len(), self.types.len(), "one value for each type");
        self.keys.push(key);
        self.values.extend_from_slice(values);
    }

    /// Adds a row of zeros.
    pub fn push_zeros(&mut self, key: SampleKey) {
        self.keys.push(key);
        self.values.resize(self.keys.len() * self.types.len(), 0);
    }

    /// Adds a column with a value of each row.
    pub fn add_column(&mut self, of_type: ValueType, value: impl Fn(&[u64]) -> u64) {
        let n_columns = self.types.len();
        let mut values = Vec::with_capacity(self.values.len() + self.len());
        for row in self.values.chunks_exact(n_columns.max(1)) {
            values.extend_from_slice(row);
            values.push(value(row));
        }
        self.values = values;
        self.types = self.types.iter().copied().chain([of_type]).collect();
    }

    pub fn key(&self, row: usize) -> Option<SampleKey> {
        self.keys.get(row)
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

    /// Adds values to a row; `None` on overflow, without any change.
    pub fn add_to(&mut self, row: usize, values: &[u64]) -> Option<()> {
        add_all(self.row_mut(row), values)
    }

    /// The first columns, with other keys. Rows of one key are added, and a row without key is left
    /// out. Values that do not fit into the sum have a row of their own.
    pub(super) fn with_keys(
        &self,
        n_columns: usize,
        new_key: impl Fn(SampleKey) -> Option<SampleKey>,
    ) -> Self {
        let mut samples = Self::new(&self.types[..n_columns]);
        let mut known = Interner::default();
        for (key, values) in self.rows() {
            let (Some(key), values) = (new_key(key), &values[..n_columns]) else {
                continue;
            };
            let row = known.number_or(key, samples.len()) as usize;
            if row == samples.len() || samples.add_to(row, values).is_none() {
                samples.push(key, values);
            }
        }
        samples
    }

    pub fn rows(&self) -> impl Iterator<Item = (SampleKey, &[u64])> {
        // Samples without columns have no values to cut up, and no rows.
        let rows = self.values.chunks_exact(self.types.len().max(1));
        self.keys.iter().zip(rows)
    }
}

/// Keys of rows. Most profiles have contexts only, whose numbers alone take a quarter of the memory.
#[derive(Clone, Debug, PartialEq, Eq)]
enum SampleKeys {
    Contexts(Vec<ContextId>),
    Any(Vec<SampleKey>),
}

impl Default for SampleKeys {
    fn default() -> Self {
        Self::Contexts(Vec::new())
    }
}

impl SampleKeys {
    fn len(&self) -> usize {
        match self {
            Self::Contexts(contexts) => contexts.len(),
            Self::Any(keys) => keys.len(),
        }
    }

    fn get(&self, row: usize) -> Option<SampleKey> {
        match self {
            Self::Contexts(contexts) => contexts.get(row).copied().map(SampleKey::Context),
            Self::Any(keys) => keys.get(row).copied(),
        }
    }

    fn iter(&self) -> impl Iterator<Item = SampleKey> {
        (0..self.len()).filter_map(|row| self.get(row))
    }

    fn push(&mut self, key: SampleKey) {
        match (&mut *self, key) {
            (Self::Contexts(contexts), SampleKey::Context(context)) => contexts.push(context),
            (Self::Contexts(_), _) => *self = Self::Any(self.iter().chain([key]).collect()),
            (Self::Any(keys), _) => keys.push(key),
        }
    }
}

/// Adds values to sums; `None` on overflow, without any change.
pub(crate) fn add_all(sums: &mut [u64], values: &[u64]) -> Option<()> {
    // By index, because `zip` is not inlined here, in the hottest loop of readers.
    let n_values = sums.len().min(values.len());
    let (sums, values) = (&mut sums[..n_values], &values[..n_values]);
    if (0..n_values).any(|at| sums[at].checked_add(values[at]).is_none()) {
        return None;
    }
    for at in 0..n_values {
        sums[at] += values[at];
    }
    Some(())
}
