//! Profiles of some of the samples of a profile, chosen by their labels.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use super::labels::value_of;
use super::{
    Context, ContextId, Contexts, Function, FunctionId, Interner, Label, LabelSet, LabelSetId,
    LocationId, RecordedCosts, SampleKey, Samples,
};

/// The value of a label, if the samples have one, and their costs.
pub type LabelPart = (Option<Arc<[u8]>>, RecordedCosts);

impl RecordedCosts {
    /// The keys of all labels, and the values of each.
    pub fn label_values(&self) -> BTreeMap<&[u8], BTreeSet<&[u8]>> {
        let mut values: BTreeMap<&[u8], BTreeSet<&[u8]>> = BTreeMap::new();
        for label in self.label_sets.iter().flat_map(|set| &*set.labels) {
            let of_key = values.entry(&label.key).or_default();
            of_key.insert(&label.value);
        }
        values
    }

    /// Keeps the samples with accepted labels, and the functions, locations and contexts that
    /// these need. A sample without labels has an empty set.
    pub fn retain_labelled(&mut self, is_kept: impl Fn(&[Label]) -> bool) {
        let sets: Vec<bool> = self.label_sets.iter().map(|set| is_kept(set)).collect();
        let keeps_unlabelled = is_kept(&[]);
        let rows = self.samples.rows().enumerate();
        let rows = rows.filter(|(_, (key, _))| match key.label_set() {
            Some(set) => sets[set.index()],
            None => keeps_unlabelled,
        });
        let rows: Vec<usize> = rows.map(|(row, _)| row).collect();
        *self = Subsets::of(self).subset(&rows);
    }

    /// Forgets the times of samples, which runs do not share.
    pub fn forget_times(&mut self) {
        if self.slices.take().is_none() {
            return;
        }
        let mut sets = Vec::new();
        let mut numbers = Interner::default();
        let timed = std::mem::take(&mut self.label_sets).into_iter();
        let new: Vec<_> = timed
            .map(|set| LabelSet { slice: None, ..set })
            .map(|set| {
                let number = || numbers.find(set.clone(), &mut sets, || set.clone());
                (!set.is_empty()).then(number).map(LabelSetId)
            })
            .collect();
        let without_time = |key| match key {
            SampleKey::LabelledContext(id, set) => SampleKey::labelled(id, new[set.index()]),
            key => key,
        };
        let n_columns = self.samples.types().len();
        self.samples = self.samples.with_keys(n_columns, |key| Some(without_time(key)));
        self.label_sets = sets;
    }

    /// Drops the functions, locations and contexts that no sample needs.
    pub(super) fn drop_unused(&mut self) {
        let rows: Vec<usize> = (0..self.samples.len()).collect();
        *self = Subsets::of(self).subset(&rows);
    }

    /// The costs of each value of a label, by value; first the samples without it. Several
    /// values of one sample are one value, with commas.
    ///
    /// All parts together have no more contexts than the samples have frames.
    pub fn by_label(&self, key: &[u8]) -> Vec<LabelPart> {
        let values: Vec<_> = self.label_sets.iter().map(|set| value_of(set, key)).collect();
        let mut rows: BTreeMap<Option<Arc<[u8]>>, Vec<usize>> = BTreeMap::new();
        for (row, (key, _)) in self.samples.rows().enumerate() {
            let value = key.label_set().and_then(|set| values[set.index()].clone());
            rows.entry(value).or_default().push(row);
        }
        let mut subsets = Subsets::of(self);
        let parts = rows.into_iter();
        parts.map(|(value, rows)| (value, subsets.subset(&rows))).collect()
    }
}

/// Makes profiles of some of the samples, each in a time that depends on its own size.
struct Subsets<'c> {
    costs: &'c RecordedCosts,
    functions: NewNumbers,
    locations: NewNumbers,
    contexts: NewNumbers,
    label_sets: NewNumbers,
}

impl<'c> Subsets<'c> {
    fn of(costs: &'c RecordedCosts) -> Self {
        Self {
            costs,
            functions: NewNumbers::of(costs.functions.len()),
            locations: NewNumbers::of(costs.locations.len()),
            contexts: NewNumbers::of(costs.contexts.len()),
            label_sets: NewNumbers::of(costs.label_sets.len()),
        }
    }

    /// A profile of these rows of the samples.
    fn subset(&mut self, rows: &[usize]) -> RecordedCosts {
        let costs = self.costs;
        let mut samples = Samples::new(costs.samples.types());
        let mut contexts = Contexts::default();
        for &row in rows {
            let (Some(key), Some(values)) = (costs.samples.key(row), costs.samples.row(row)) else {
                continue;
            };
            let mut context = |id| self.context(id, &mut contexts);
            let key = match key {
                SampleKey::Context(id) => SampleKey::Context(context(id)),
                SampleKey::ThreadContext(id, thread) => {
                    SampleKey::ThreadContext(context(id), thread)
                }
                SampleKey::LabelledContext(id, set) => {
                    let id = context(id);
                    SampleKey::LabelledContext(id, LabelSetId(self.label_sets.number(set.0)))
                }
                SampleKey::Function(id) => {
                    SampleKey::Function(FunctionId(self.functions.number(id.0)))
                }
            };
            samples.push(key, values);
        }
        self.contexts.clear();
        let mut functions: Vec<Function> =
            self.functions.take(|id| costs.functions[id as usize].clone());
        for function in &mut functions {
            function.location = function.location.map(|id| self.location(id));
        }
        RecordedCosts {
            functions,
            locations: self.locations.take(|id| costs.locations.get(LocationId(id))),
            contexts,
            build: costs.build,
            samples,
            label_sets: self.label_sets.take(|id| costs.label_sets[id as usize].clone()),
            slices: costs.slices,
            metrics: costs.metrics.clone(),
            knows_files: costs.knows_files,
            unnamed_number: costs.unnamed_number,
            ..RecordedCosts::default()
        }
    }

    /// The context in the subset, after its callers.
    fn context(&mut self, id: ContextId, contexts: &mut Contexts) -> ContextId {
        let mut chain = Vec::new();
        let mut next = Some(id);
        while let Some(id) = next.filter(|id| !self.contexts.has(id.0)) {
            chain.push(id);
            next = self.costs.contexts.get(id).caller;
        }
        for id in chain.into_iter().rev() {
            let known = self.costs.contexts.get(id);
            let caller = known.caller;
            let caller = caller.map(|caller| ContextId(self.contexts.number(caller.0)));
            self.contexts.number(id.0);
            let function = known.function;
            contexts.push(Context {
                caller,
                function: function.map(|id| FunctionId(self.functions.number(id.0))),
                location: known.location.map(|id| self.location(id)),
                address: known.address,
            });
        }
        ContextId(self.contexts.number(id.0))
    }

    fn location(&mut self, id: LocationId) -> LocationId {
        LocationId(self.locations.number(id.0))
    }
}

/// Not in the subset.
const ABSENT: u32 = u32::MAX;

/// The numbers of a table's items in a subset.
struct NewNumbers {
    /// By old number.
    new: Vec<u32>,
    /// The old numbers, by new number.
    old: Vec<u32>,
}

impl NewNumbers {
    fn of(n_items: usize) -> Self {
        Self { new: vec![ABSENT; n_items], old: Vec::new() }
    }

    fn has(&self, old: u32) -> bool {
        self.new[old as usize] != ABSENT
    }

    /// The new number of an item, which joins the subset.
    fn number(&mut self, old: u32) -> u32 {
        let new = &mut self.new[old as usize];
        if *new == ABSENT {
            *new = u32::try_from(self.old.len()).expect("a part is no larger than the whole");
            self.old.push(old);
        }
        *new
    }

    fn clear(&mut self) {
        for old in self.old.drain(..) {
            self.new[old as usize] = ABSENT;
        }
    }

    /// The items of the subset, in their new order. The next subset is empty.
    fn take<T, A: FromIterator<T>>(&mut self, item: impl Fn(u32) -> T) -> A {
        let taken = self.old.iter().map(|&old| item(old)).collect();
        self.clear();
        taken
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::{Extent, Quantity, TimeSlices, Unit, ValueType, values_of};

    fn label(key: &str, value: &str) -> Label {
        Label { key: key.as_bytes().into(), value: value.as_bytes().into() }
    }

    fn set(labels: Box<[Label]>, slice: u8) -> LabelSet {
        LabelSet { labels, slice: Some(slice) }
    }

    /// `main` 1 without labels; `main;a` 2 and `main;b` 4 in thread 1; `main;b` 8 in thread 2.
    fn costs() -> RecordedCosts {
        let context = |caller: Option<u32>, function| Context {
            caller: caller.map(ContextId),
            function: Some(FunctionId(function)),
            location: None,
            address: None,
        };
        let mut samples = Samples::new([ValueType {
            quantity: Quantity("samples"),
            unit: Unit::COUNT,
            extent: Extent::Exclusive,
            class: None,
        }]);
        let labelled = |id, set| SampleKey::LabelledContext(ContextId(id), LabelSetId(set));
        // Callees come before their callers.
        samples.push(SampleKey::Context(ContextId(2)), &[1]);
        samples.push(labelled(0, 0), &[2]);
        samples.push(labelled(1, 0), &[4]);
        samples.push(labelled(1, 1), &[8]);
        RecordedCosts {
            functions: ["a", "b", "main"].map(|name| Function::named(name.as_bytes())).into(),
            contexts: [context(Some(2), 0), context(Some(2), 1), context(None, 2)]
                .into_iter()
                .collect(),
            samples,
            label_sets: vec![
                set([label("app", "x"), label("thread", "1")].into(), 0),
                set([label("thread", "2")].into(), 0),
            ],
            ..RecordedCosts::default()
        }
    }

    /// `stack value` of each sample.
    fn shown(costs: &RecordedCosts) -> Vec<String> {
        let rows = costs.samples.rows().map(|(key, values)| {
            let mut names = Vec::new();
            let mut next = key.context();
            while let Some(id) = next {
                let context = costs.contexts.get(id);
                let function = context.function.expect("each has one");
                let name = &costs.functions[function.index()].name;
                names.push(String::from_utf8_lossy(name).into_owned());
                next = context.caller;
            }
            names.reverse();
            format!("{} {}", names.join(";"), values[0])
        });
        rows.collect()
    }

    #[test]
    fn each_value_has_its_samples_and_only_their_functions() {
        let parts = costs().by_label(b"thread");
        let shown: Vec<_> = parts
            .iter()
            .map(|(value, part)| {
                let value = value.as_deref().map(String::from_utf8_lossy);
                let n_sizes = (part.functions.len(), part.contexts.len());
                (value.map(String::from), shown(part), n_sizes)
            })
            .collect();
        let lines = |lines: &[&str]| lines.iter().map(|line| (*line).to_owned()).collect();
        let expected: Vec<(Option<String>, Vec<String>, _)> = vec![
            (None, lines(&["main 1"]), (1, 1)),
            (Some("1".into()), lines(&["main;a 2", "main;b 4"]), (3, 3)),
            (Some("2".into()), lines(&["main;b 8"]), (2, 2)),
        ];
        assert_eq!(shown, expected);
        let sets = parts[2].1.label_sets.len();
        assert_eq!(sets, 1);
    }

    #[test]
    fn samples_of_several_times_are_one_without_times() {
        let mut costs = costs();
        costs.slices = Some(TimeSlices { start: 0, width: 1, last: 2 });
        costs.label_sets.push(set([label("thread", "2")].into(), 1));
        costs.label_sets.push(set([].into(), 1));
        for (number, value) in [(2, 16), (3, 32)] {
            let id = ContextId(if number == 2 { 1 } else { 2 });
            costs.samples.push(SampleKey::LabelledContext(id, LabelSetId(number)), &[value]);
        }
        costs.forget_times();
        assert_eq!(shown(&costs), ["main 33", "main;a 2", "main;b 4", "main;b 24"]);
        assert_eq!(costs.label_sets.len(), 2);
        let before = costs.clone();
        costs.forget_times();
        assert_eq!(costs, before);
    }

    #[test]
    fn a_filter_keeps_the_samples_whose_labels_it_accepts() {
        let mut kept = costs();
        let has = |set: &[Label], key: &str, value: &str| {
            let mut values = values_of(set, key.as_bytes());
            values.any(|found| **found == *value.as_bytes())
        };
        kept.retain_labelled(|set| has(set, "app", "x"));
        assert_eq!(shown(&kept), ["main;a 2", "main;b 4"]);
        kept.retain_labelled(|set| !has(set, "app", "x"));
        assert!(kept.samples.is_empty() && kept.functions.is_empty());
    }
}
