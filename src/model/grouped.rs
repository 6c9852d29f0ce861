//! Costs by group instead of by function: by library, source file or label.

use std::collections::HashMap;
use std::sync::Arc;

use foldhash::fast::RandomState;
use indexmap::IndexMap;

use super::sample::add_all;
use super::{
    Context, ContextId, Contexts, Extent, Function, FunctionId, RecordedCosts, SampleKey, Samples,
    callers_first, values_of,
};

impl RecordedCosts {
    /// The costs with a group in place of each function. Frames of a group that call each other
    /// are one. `of_context` has the name of each context's group.
    ///
    /// Values of whole functions and of calls are left out: they include each other.
    pub fn grouped(&self, of_context: &[Arc<[u8]>]) -> Self {
        let mut groups = Groups::default();
        let mut new = vec![ContextId(0); self.contexts.len()];
        let order =
            callers_first(&self.contexts).expect("readers refuse contexts that call themselves");
        for id in order {
            let caller = self.contexts.get(id).caller.map(|caller| new[caller.index()]);
            new[id.index()] = groups.context(caller, &of_context[id.index()]);
        }
        let key = |key: SampleKey| {
            let of = new[key.context()?.index()];
            Some(SampleKey::labelled(of, key.label_set()))
        };
        self.with_groups(groups, key)
    }

    /// The costs of the values of a label, as functions without callers. Several values of one
    /// sample are one, with commas.
    pub fn grouped_by_label(&self, key: &[u8]) -> Self {
        let mut groups = Groups::default();
        let mut of_set = |set: &[_]| {
            let values: Vec<&[u8]> = values_of(set, key).map(|value| &**value).collect();
            let name = match &*values {
                [] => [b"<no ", key, b">"].concat(),
                values => values.join(&b","[..]),
            };
            groups.context(None, &name.into())
        };
        let unlabelled = of_set(&[]);
        let of_sets: Vec<_> = self.label_sets.iter().map(|set| of_set(set)).collect();
        let key = |key: SampleKey| {
            key.context()?;
            let of = key.label_set().map_or(unlabelled, |set| of_sets[set.index()]);
            Some(SampleKey::labelled(of, key.label_set()))
        };
        self.with_groups(groups, key)
    }

    /// The costs of groups; `new_key` is the row that a row is added to, if any.
    fn with_groups(
        &self,
        groups: Groups,
        new_key: impl Fn(SampleKey) -> Option<SampleKey>,
    ) -> Self {
        let types = self.samples.types();
        let n_columns = types.iter().position(|column| column.extent == Extent::Inclusive);
        let n_columns = n_columns.unwrap_or(types.len());
        let mut rows: IndexMap<SampleKey, Vec<u64>, RandomState> = IndexMap::default();
        let mut samples = Samples::new(&types[..n_columns]);
        for (key, values) in self.samples.rows() {
            let (Some(key), values) = (new_key(key), &values[..n_columns]) else {
                continue;
            };
            let sums = rows.entry(key).or_insert_with(|| vec![0; n_columns]);
            // A sum that does not fit goes into a row of its own.
            if add_all(sums, values).is_none() {
                samples.push(key, values);
            }
        }
        rows.iter().for_each(|(key, values)| samples.push(*key, values));
        Self {
            functions: groups.functions,
            contexts: groups.contexts,
            samples,
            label_sets: self.label_sets.clone(),
            totals: self.totals,
            metrics: self.metrics.clone(),
            event_totals: self.event_totals.clone(),
            unnamed_number: self.unnamed_number,
            parts: self.parts.clone(),
            ..Self::default()
        }
    }
}

#[derive(Default)]
struct Groups {
    functions: Vec<Function>,
    by_name: HashMap<Arc<[u8]>, FunctionId, RandomState>,
    contexts: Contexts,
    numbers: HashMap<(Option<ContextId>, FunctionId), ContextId, RandomState>,
}

impl Groups {
    /// The context of a group below a caller, which may be of the same group.
    fn context(&mut self, caller: Option<ContextId>, name: &Arc<[u8]>) -> ContextId {
        let Self { functions, by_name, contexts, numbers } = self;
        let group = *by_name.entry(Arc::clone(name)).or_insert_with(|| {
            functions.push(Function::named(Arc::clone(name)));
            FunctionId(number(functions.len() - 1))
        });
        match caller {
            Some(caller) if contexts.get(caller).function == Some(group) => caller,
            _ => *numbers.entry((caller, group)).or_insert_with(|| {
                contexts.push(Context { caller, function: Some(group), ..Context::default() });
                ContextId(number(contexts.len() - 1))
            }),
        }
    }
}

fn number(index: usize) -> u32 {
    u32::try_from(index).expect("there are fewer groups than contexts")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::{Quantity, Unit, ValueType};

    #[test]
    fn frames_of_a_group_that_call_each_other_are_one() {
        let context = |caller: Option<u32>, function| Context {
            caller: caller.map(ContextId),
            function: Some(FunctionId(function)),
            ..Context::default()
        };
        let names = ["main", "qsort", "swap", "less"];
        let time = ValueType {
            quantity: Quantity::TIME,
            unit: Unit::TICKS,
            extent: Extent::Exclusive,
            class: None,
        };
        let mut samples = Samples::new([time]);
        (0..4).for_each(|id| samples.push(SampleKey::Context(ContextId(id)), &[1 << id]));
        let costs = RecordedCosts {
            functions: names.iter().map(|name| Function::named(name.as_bytes())).collect(),
            // main -> qsort -> swap, and less in the program, called by qsort.
            contexts: [
                context(None, 0),
                context(Some(0), 1),
                context(Some(1), 2),
                context(Some(1), 3),
            ]
            .into_iter()
            .collect(),
            samples,
            ..RecordedCosts::default()
        };
        let [app, libc]: [Arc<[u8]>; 2] = [b"app"[..].into(), b"libc"[..].into()];
        let grouped = costs.grouped(&[app.clone(), libc.clone(), libc, app]);
        let callers: Vec<_> = grouped.contexts.iter().map(|one| one.caller).collect();
        assert_eq!(callers, [None, Some(ContextId(0)), Some(ContextId(1))]);
        let values: Vec<_> = grouped.samples.rows().map(|(_, values)| values[0]).collect();
        assert_eq!(values, [1, 2 + 4, 8]);
        assert_eq!(grouped.functions.len(), 2);
    }
}
