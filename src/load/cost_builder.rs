//! Builds recorded costs: each name, function, place, context and row once, in order of first
//! appearance. All readers of stacks and costs use it.

use std::collections::HashMap;
use std::num::NonZeroU32;
use std::sync::Arc;

use foldhash::fast::RandomState;

use super::contexts::ContextTable;
pub(super) use super::contexts::Frame;
use super::numbered_set::{NumberedSet, number_of};
use super::pair_numbers::PairNumbers;
use crate::model::{
    ContextId, Function, FunctionId, Label, LabelSet, LabelSetId, LocationId, Locations,
    RecordedCall, RecordedCalls, RecordedCosts, RecordedLocation, SampleKey, Samples, ValueMetric,
    ValueType, add_all,
};

/// A stored name of a function, object or file.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) struct NameId(u32);

/// The properties that distinguish a function from others of the file.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) struct FunctionKey {
    pub(super) name: NameId,
    pub(super) object: Option<NameId>,
    pub(super) file: Option<NameId>,
    /// The level of recursion.
    pub(super) level: Option<NonZeroU32>,
}

/// The key of a slice of time, whose value is its number.
const SLICE: NameId = NameId(u32::MAX);

/// The number of an absent row of a context.
const NONE: u32 = u32::MAX;

/// The costs of a profile during reading.
#[derive(Debug, Default)]
pub(super) struct CostBuilder {
    names: NumberedSet<Arc<[u8]>>,
    functions: Vec<Function>,
    function_ids: HashMap<FunctionKey, FunctionId, RandomState>,
    locations: Locations,
    place_numbers: PairNumbers<NameId>,
    contexts: ContextTable,
    /// Keys and values. Behind them, the slice of time has the key [`SLICE`].
    label_sets: NumberedSet<Box<[(NameId, NameId)]>>,
    samples: Samples,
    /// The rows of contexts alone, by context.
    context_rows: Vec<u32>,
    other_rows: HashMap<SampleKey, u32, RandomState>,
    calls: RecordedCalls,
    call_ids: NumberedSet<(ContextId, FunctionId)>,
}

impl CostBuilder {
    pub(super) fn new(columns: impl Into<Box<[ValueType]>>) -> Self {
        let mut builder = Self::default();
        builder.set_columns(columns);
        builder
    }

    /// Sets the columns, before the first values.
    pub(super) fn set_columns(&mut self, columns: impl Into<Box<[ValueType]>>) {
        self.samples = Samples::new(columns);
        self.calls = RecordedCalls::new(self.samples.types().len());
    }

    pub(super) fn name(&mut self, name: &[u8]) -> NameId {
        NameId(self.names.find_or_insert(name, |name| name.into()).0)
    }

    pub(super) fn text(&self, NameId(id): NameId) -> &Arc<[u8]> {
        &self.names.values()[id as usize]
    }

    /// The function with a key, which also has its name.
    pub(super) fn function(&mut self, key: FunctionKey) -> FunctionId {
        self.function_or(key, |builder| Arc::clone(builder.text(key.name)))
    }

    /// The function with a key, with another name.
    pub(super) fn function_or(
        &mut self,
        key: FunctionKey,
        name: impl FnOnce(&Self) -> Arc<[u8]>,
    ) -> FunctionId {
        if let Some(&known) = self.function_ids.get(&key) {
            return known;
        }
        let location = key.file.map(|file| self.place(file, None));
        let id = self.add_function(Function {
            object: key.object.map(|object| Arc::clone(self.text(object))),
            location,
            level: key.level,
            ..Function::named(name(self))
        });
        self.function_ids.insert(key, id);
        id
    }

    pub(super) fn n_functions(&self) -> usize {
        self.functions.len()
    }

    /// Adds a function that the reader distinguishes itself.
    pub(super) fn add_function(&mut self, function: Function) -> FunctionId {
        self.functions.push(function);
        FunctionId(number_of(self.functions.len() - 1))
    }

    pub(super) fn place(&mut self, file: NameId, line: Option<NonZeroU32>) -> LocationId {
        let next = self.locations.len();
        let number = self.place_numbers.number_or(file, line.map_or(0, NonZeroU32::get), next);
        if number as usize == next {
            self.locations.push(RecordedLocation { file: Arc::clone(self.text(file)), line });
        }
        LocationId(number)
    }

    /// The context of a frame with this caller.
    pub(super) fn context(&mut self, caller: Option<ContextId>, frame: Frame) -> ContextId {
        self.contexts.context(caller, frame)
    }

    /// The context of a stack, outermost frame first.
    pub(super) fn stack(&mut self, frames: &[Frame]) -> ContextId {
        self.contexts.stack(frames)
    }

    /// The number of contexts so far.
    pub(super) fn n_contexts(&self) -> usize {
        self.contexts.len()
    }

    /// The set of these keys and values, in a slice of time.
    pub(super) fn label_set(
        &mut self,
        mut labels: Vec<(NameId, NameId)>,
        slice: Option<u8>,
    ) -> LabelSetId {
        labels.sort_unstable_by(|a, b| {
            let texts = |&(key, value): &(NameId, NameId)| (self.text(key), self.text(value));
            texts(a).cmp(&texts(b))
        });
        labels.extend(slice.map(|slice| (SLICE, NameId(slice.into()))));
        LabelSetId(self.label_sets.find_or_insert(&*labels, |labels| labels.into()).0)
    }

    /// The same labels in a slice of time.
    pub(super) fn in_slice(&mut self, set: Option<LabelSetId>, slice: u8) -> LabelSetId {
        let labels = set.map(|set| self.label_sets.values()[set.index()].to_vec());
        self.label_set(labels.unwrap_or_default(), Some(slice))
    }

    /// The values of a key, which are zeros at first.
    pub(super) fn row(&mut self, key: SampleKey) -> &mut [u64] {
        let row = match key {
            // Where every context has a row, the table stays empty.
            SampleKey::Context(context) if self.samples.key(context.index()) == Some(key) => {
                return self.samples.row_mut(context.index());
            }
            SampleKey::Context(context)
                if context.index() == self.samples.len()
                    && self.context_rows.get(context.index()).is_none_or(|&row| row == NONE) =>
            {
                self.samples.push_zeros(key);
                return self.samples.row_mut(context.index());
            }
            SampleKey::Context(context) => {
                if context.index() >= self.context_rows.len() {
                    self.context_rows.resize(context.index() + 1, NONE);
                }
                &mut self.context_rows[context.index()]
            }
            _ => self.other_rows.entry(key).or_insert(NONE),
        };
        if *row == NONE {
            *row = number_of(self.samples.len());
            self.samples.push_zeros(key);
        }
        self.samples.row_mut(*row as usize)
    }

    /// Adds values to the values of a key; `None` on overflow, without any change.
    pub(super) fn add(&mut self, key: SampleKey, values: &[u64]) -> Option<()> {
        add_all(self.row(key), values)
    }

    /// Adds calls to the calls with the same site and callee; `None` on overflow.
    pub(super) fn add_calls(&mut self, call: RecordedCall, values: &[u64]) -> Option<()> {
        let (index, is_new) = self.call_ids.insert((call.site, call.callee));
        if !is_new {
            return self.calls.add_to(index as usize, call.count, values);
        }
        self.calls.push(call, values);
        Some(())
    }

    pub(super) fn samples(&self) -> &Samples {
        &self.samples
    }

    pub(super) fn finish(self, metrics: Vec<ValueMetric>) -> RecordedCosts {
        // The finished tables are large: make room.
        drop((self.place_numbers, self.function_ids, self.call_ids, self.context_rows));
        let name = |NameId(id): NameId| Arc::clone(&self.names.values()[id as usize]);
        let label = |&(key, value): &(NameId, NameId)| Label { key: name(key), value: name(value) };
        let label_sets = self.label_sets.values().iter().map(|set| {
            let (labels, slice) = match set.split_last() {
                Some((&(SLICE, NameId(slice)), labels)) => (labels, u8::try_from(slice).ok()),
                _ => (&**set, None),
            };
            LabelSet { labels: labels.iter().map(label).collect(), slice }
        });
        RecordedCosts {
            functions: self.functions,
            locations: self.locations,
            contexts: self.contexts.finish(),
            label_sets: label_sets.collect(),
            samples: self.samples,
            calls: self.calls,
            metrics,
            knows_files: true,
            ..RecordedCosts::default()
        }
    }
}
