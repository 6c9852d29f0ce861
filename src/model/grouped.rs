//! Costs by group instead of by function: by library, source file or label.

use std::sync::Arc;

use super::contexts::DistinctContexts;
use super::labels::value_of;
use super::{
    Context, ContextId, Extent, Function, FunctionId, Interner, RecordedCosts, SampleKey,
    callers_first,
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
        self.with_groups(groups, |key| {
            key.context()?;
            Some(key.at(|id| new[id.index()]))
        })
    }

    /// The costs of the values of a label, as functions without callers. Several values of one
    /// sample are one, with commas.
    pub fn grouped_by_label(&self, key: &[u8]) -> Self {
        let mut groups = Groups::default();
        let mut of_value = |value: Option<Arc<[u8]>>| {
            let name = value.unwrap_or_else(|| [b"<no ", key, b">"].concat().into());
            groups.context(None, &name)
        };
        let unlabelled = of_value(None);
        let of_sets: Vec<_> =
            self.label_sets.iter().map(|set| of_value(value_of(set, key))).collect();
        self.with_groups(groups, |key| {
            key.context()?;
            let of = key.label_set().map_or(unlabelled, |set| of_sets[set.index()]);
            Some(key.at(|_| of))
        })
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
        Self {
            functions: groups.functions,
            contexts: groups.contexts.finish(),
            samples: self.samples.with_keys(n_columns, new_key),
            label_sets: self.label_sets.clone(),
            slices: self.slices,
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
    by_name: Interner<Arc<[u8]>>,
    contexts: DistinctContexts,
}

impl Groups {
    /// The context of a group below a caller, which may be of the same group.
    fn context(&mut self, caller: Option<ContextId>, name: &Arc<[u8]>) -> ContextId {
        let Self { functions, by_name, contexts } = self;
        let new = || Function::named(Arc::clone(name));
        let function = Some(FunctionId(by_name.find(Arc::clone(name), functions, new)));
        match caller.filter(|&caller| contexts.get(caller).function == function) {
            Some(caller) => caller,
            None => contexts.find(Context { caller, function, ..Context::default() }),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::{Quantity, Samples, Unit, ValueType};

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
