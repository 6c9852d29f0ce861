//! Builds the tables of a profile of sampled call stacks: functions, locations, and contexts
//! that share their outer frames.

use std::num::NonZeroU32;
use std::sync::Arc;

use crate::model::{
    Context, ContextId, Function, FunctionId, InternedNames, Interner, Label, LabelSet, LabelSetId,
    LocationId, RecordedCosts, RecordedLocation, SampleKey, Samples, ValueMetric, ValueType,
};

/// A stored name of a function, object or file.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) struct NameId(u32);

/// A frame of a stack: a function, and the line of the code that ran or called.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) struct Frame {
    pub(super) name: NameId,
    pub(super) object: Option<NameId>,
    pub(super) place: Option<(NameId, Option<NonZeroU32>)>,
}

/// The tables of a profile during reading.
#[derive(Default)]
pub(super) struct StackTables {
    functions: Vec<Function>,
    locations: Vec<RecordedLocation>,
    contexts: Vec<Context>,
    names: InternedNames,
    function_ids: Interner<(NameId, Option<NameId>)>,
    location_ids: Interner<(NameId, Option<NonZeroU32>)>,
    /// By caller, function and place, as numbers: a small table has more of it in the caches.
    context_ids: Interner<(u32, u32, u32)>,
    label_sets: Vec<LabelSet>,
    label_ids: Interner<Vec<(NameId, NameId)>>,
    rows: Interner<RowKey>,
    /// A row of `rows` has this many values.
    values: Vec<[u64; N_VALUES]>,
    keys: Vec<RowKey>,
}

/// What samples are added up for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) struct RowKey {
    /// The number of the kind of event.
    pub(super) event: usize,
    /// `None` is a stack without frames.
    pub(super) context: Option<ContextId>,
    pub(super) labels: Option<LabelSetId>,
}

/// Values of each kind of event: samples and periods.
const N_VALUES: usize = 2;

impl StackTables {
    pub(super) fn name(&mut self, name: &[u8]) -> NameId {
        NameId(self.names.number(name))
    }

    /// The context of a frame with this caller.
    pub(super) fn context(&mut self, caller: Option<ContextId>, frame: Frame) -> ContextId {
        let names = &self.names;
        let name = |id: NameId| Arc::clone(names.get(id.0));
        let function =
            || Function { object: frame.object.map(name), ..Function::named(name(frame.name)) };
        let key = (frame.name, frame.object);
        let function = self.function_ids.find(key, &mut self.functions, function);
        let location = frame.place.map(|(file, line)| {
            let location = || RecordedLocation { file: name(file), line };
            let locations = &mut self.locations;
            LocationId(self.location_ids.find((file, line), locations, location))
        });
        let context =
            || Context { caller, function: Some(FunctionId(function)), location, address: None };
        let key = (
            caller.map_or(u32::MAX, |caller| caller.0),
            function,
            location.map_or(u32::MAX, |location| location.0),
        );
        let contexts = &mut self.contexts;
        ContextId(self.context_ids.find(key, contexts, context))
    }

    /// The set of these labels, which are sorted by key.
    pub(super) fn label_set(&mut self, labels: &[(&[u8], &[u8])]) -> LabelSetId {
        let ids = labels.iter().map(|&(key, value)| {
            let key = NameId(self.names.number(key));
            (key, NameId(self.names.number(value)))
        });
        let ids: Vec<_> = ids.collect();
        let names = &self.names;
        let name = |id: NameId| Arc::clone(names.get(id.0));
        let label = |&(key, value): &(NameId, NameId)| Label { key: name(key), value: name(value) };
        let set = || ids.iter().map(label).collect();
        LabelSetId(self.label_ids.find(ids.clone(), &mut self.label_sets, set))
    }

    /// Adds samples and their periods. Returns `None` on overflow.
    pub(super) fn add(&mut self, key: RowKey, values: [u64; N_VALUES]) -> Option<()> {
        let row = self.rows.number(key) as usize;
        if row == self.keys.len() {
            self.keys.push(key);
            self.values.push(values);
            return Some(());
        }
        let sums = &mut self.values[row];
        let new = [sums[0].checked_add(values[0])?, sums[1].checked_add(values[1])?];
        *sums = new;
        Some(())
    }

    pub(super) fn is_empty(&self) -> bool {
        self.keys.is_empty()
    }

    /// The costs. A column is the samples (0) or periods (1) of a kind of event.
    pub(super) fn finish(
        mut self,
        columns: &[(usize, usize)],
        types: Vec<ValueType>,
        metrics: Vec<ValueMetric>,
    ) -> RecordedCosts {
        let mut samples = Samples::new(types);
        let mut row_of_sample = Interner::default();
        let mut row = vec![0; columns.len()];
        // Stacks without frames have a context that nothing is known of.
        let unknown = self.keys.iter().any(|key| key.context.is_none());
        let unknown = unknown.then(|| {
            self.contexts.push(Context::default());
            ContextId(u32::try_from(self.contexts.len() - 1).expect("contexts have numbers"))
        });
        for (key, values) in self.keys.iter().zip(&self.values) {
            for (value, &(of, kind)) in row.iter_mut().zip(columns) {
                *value = if of == key.event { values[kind] } else { 0 };
            }
            let context = key.context.or(unknown).expect("it was added above");
            let sample = match key.labels {
                Some(labels) => SampleKey::LabelledContext(context, labels),
                None => SampleKey::Context(context),
            };
            let index = row_of_sample.number(sample) as usize;
            if index == samples.len() {
                samples.push(sample, &row);
            } else {
                let sum = samples.add_to(index, &row);
                sum.expect("each column belongs to one event");
            }
        }
        RecordedCosts {
            functions: self.functions,
            knows_files: !self.locations.is_empty(),
            locations: self.locations,
            contexts: self.contexts,
            samples,
            label_sets: self.label_sets,
            metrics,
            ..RecordedCosts::default()
        }
    }
}
