//! Sums of exact costs of one program, and an order for them that does not hang on the
//! order of files.
//!
//! Each file numbers functions and contexts in its own way, so they are matched by content:
//! functions by name, object, entry and location, contexts by address, function, location and
//! calling context. Entries that only a later file has are appended.

use super::merge_metrics::{Unalike, align};
use super::sample::add_all;
use super::{
    Context, ContextId, Contexts, Function, FunctionId, Heap, Interner, LabelSet, LabelSetId,
    LocationId, MergeError, RecordedCall, RecordedCalls, RecordedCosts, RecordedLocation,
    SampleKey, Samples, SizeBins, ValueMetric, callers_first,
};

/// The indices of functions, contexts and rows in a sum. They persist from one file to the next,
/// so that adding a file costs time only for its own contents.
#[derive(Clone, Debug)]
pub(super) struct CostIndices {
    locations: Interner<RecordedLocation>,
    functions: Interner<Function>,
    contexts: Interner<Context>,
    label_sets: Interner<LabelSet>,
    rows: Interner<SampleKey>,
    calls: Interner<(ContextId, FunctionId)>,
}

/// Adds values to sums; `None` when one does not fit.
type AddValues = fn(&mut [u64], &[u64]) -> Option<()>;

impl CostIndices {
    pub(super) fn of(costs: &RecordedCosts) -> Self {
        Self {
            locations: Interner::of(costs.locations.iter()),
            functions: Interner::of(costs.functions.iter().cloned()),
            contexts: Interner::of(costs.contexts.iter()),
            label_sets: Interner::of(costs.label_sets.iter().cloned()),
            rows: Interner::of(costs.samples.rows().map(|(key, _)| key)),
            calls: Interner::of(costs.calls.iter().map(|(call, _)| (call.site, call.callee))),
        }
    }

    /// Adds a later allocation profile of the same program to the sum.
    ///
    /// # Errors
    /// If size classes have other bounds or values are of another kind.
    pub(super) fn add_allocations(
        &mut self,
        (heap, costs): (&mut Heap, &mut RecordedCosts),
        (other_heap, other): (&Heap, &RecordedCosts),
    ) -> Result<(), MergeError> {
        if heap.bounds != other_heap.bounds {
            return Err(MergeError::SizeBounds);
        }
        if costs.samples.types() != other.samples.types() {
            return Err(MergeError::Values);
        }
        let has_bins = |heap: &Heap| !heap.allocated.counts.is_empty();
        if has_bins(heap) != has_bins(other_heap) {
            return Err(MergeError::NoBins);
        }
        add_bins(&mut heap.allocated, &other_heap.allocated);
        add_bins(&mut heap.freed, &other_heap.freed);
        self.add(costs, other, |sums, values| {
            for (sum, value) in sums.iter_mut().zip(values) {
                *sum = sum.wrapping_add(*value);
            }
            Some(())
        })
    }

    /// Adds a later instrumented run of the same program to the sum.
    ///
    /// # Errors
    /// When they have no event in common, or a sum does not fit.
    pub(super) fn add_instrumented(
        &mut self,
        costs: &mut RecordedCosts,
        mut other: RecordedCosts,
        lists_metrics: bool,
    ) -> Result<(), MergeError> {
        align(costs, &mut other, lists_metrics).map_err(|unalike| match unalike {
            Unalike::Events { first, found } => MergeError::Events { first, found },
            Unalike::Overflow => MergeError::Overflow,
        })?;
        self.add(costs, &other, add_all)?;
        merge_titles(&mut costs.metrics, &other.metrics);
        costs.event_totals = match (costs.event_totals.take(), other.event_totals) {
            (Some(mut sums), Some(totals)) => {
                add_all(&mut sums, &totals).ok_or(MergeError::Overflow)?;
                Some(sums)
            }
            _ => None,
        };
        costs.parts.extend(other.parts);
        Ok(())
    }

    fn add(
        &mut self,
        costs: &mut RecordedCosts,
        other: &RecordedCosts,
        add: AddValues,
    ) -> Result<(), MergeError> {
        let mut new = Renumbering::default();
        for location in other.locations.iter() {
            let next = costs.locations.len();
            let number = self.locations.number_or(location.clone(), next);
            if number as usize == next {
                costs.locations.push(location);
            }
            new.locations.push(number);
        }
        for function in &other.functions {
            let function = new.function(function);
            let item = || function.clone();
            let number = self.functions.find(item(), &mut costs.functions, item);
            new.functions.push(number);
        }
        new.contexts = vec![0; other.contexts.len()];
        let order = callers_first(&other.contexts).expect("readers refuse rings of callers");
        for id in order {
            let context = new.context(other.contexts.get(id));
            let number = self.contexts.number_or(context, costs.contexts.len());
            if number as usize == costs.contexts.len() {
                costs.contexts.push(context);
            }
            new.contexts[id.index()] = number;
        }
        for set in &other.label_sets {
            let item = || set.clone();
            let number = self.label_sets.find(item(), &mut costs.label_sets, item);
            new.label_sets.push(number);
        }
        for (key, values) in other.samples.rows() {
            let key = new.key(key);
            let next = costs.samples.len();
            let row = self.rows.number_or(key, next) as usize;
            if row == next {
                costs.samples.push(key, values);
            } else {
                add(costs.samples.row_mut(row), values).ok_or(MergeError::Overflow)?;
            }
        }
        for (call, values) in other.calls.iter() {
            let call = new.call(call);
            let next = costs.calls.len();
            let index = self.calls.number_or((call.site, call.callee), next) as usize;
            if index == next {
                costs.calls.push(call, values);
            } else {
                let sum = costs.calls.add_to(index, call.count, values);
                sum.ok_or(MergeError::Overflow)?;
            }
        }
        Ok(())
    }
}

/// Keeps the titles that both files have.
fn merge_titles(metrics: &mut [ValueMetric], others: &[ValueMetric]) {
    for (metric, other) in metrics.iter_mut().zip(others) {
        if metric.name.title != other.name.title {
            metric.name.title = None;
        }
    }
}

/// Adds blocks by size. If one side distinguishes fewer sizes, so does the sum: the larger ones
/// of the other side go to the last bin.
fn add_bins(sum: &mut SizeBins, other: &SizeBins) {
    let n_bins = sum.counts.len().min(other.counts.len());
    fold(sum, n_bins);
    let mut other = other.clone();
    fold(&mut other, n_bins);
    for (count, more) in sum.counts.iter_mut().zip(&other.counts) {
        *count = count.wrapping_add(*more);
    }
    sum.last_bytes = sum.last_bytes.wrapping_add(other.last_bytes);
    sum.n_empty = sum.n_empty.wrapping_add(other.n_empty);
}

/// Reduces the number of bins; the last one takes the blocks of all larger sizes.
fn fold(bins: &mut SizeBins, n_bins: usize) {
    if n_bins == 0 || n_bins == bins.counts.len() {
        return;
    }
    let last = bins.counts.len() - 1;
    let mut count = bins.counts[last];
    for bin in n_bins - 1..last {
        let bytes = bins.counts[bin].wrapping_mul(bin as u64 + 1);
        bins.last_bytes = bins.last_bytes.wrapping_add(bytes);
        count = count.wrapping_add(bins.counts[bin]);
    }
    bins.counts = bins.counts[..n_bins].into();
    bins.counts[n_bins - 1] = count;
}

/// New numbers of locations, functions and contexts, by their old numbers.
#[derive(Default)]
struct Renumbering {
    locations: Vec<u32>,
    functions: Vec<u32>,
    contexts: Vec<u32>,
    label_sets: Vec<u32>,
}

impl Renumbering {
    fn location(&self, id: LocationId) -> LocationId {
        LocationId(self.locations[id.index()])
    }

    fn function_id(&self, id: FunctionId) -> FunctionId {
        FunctionId(self.functions[id.index()])
    }

    fn context_id(&self, id: ContextId) -> ContextId {
        ContextId(self.contexts[id.index()])
    }

    fn function(&self, function: &Function) -> Function {
        Function { location: function.location.map(|id| self.location(id)), ..function.clone() }
    }

    fn context(&self, context: Context) -> Context {
        Context {
            address: context.address,
            function: context.function.map(|id| self.function_id(id)),
            location: context.location.map(|id| self.location(id)),
            caller: context.caller.map(|id| self.context_id(id)),
        }
    }

    fn key(&self, key: SampleKey) -> SampleKey {
        match key {
            SampleKey::Context(id) => SampleKey::Context(self.context_id(id)),
            SampleKey::ThreadContext(id, thread) => {
                SampleKey::ThreadContext(self.context_id(id), thread)
            }
            SampleKey::LabelledContext(id, set) => {
                let set = LabelSetId(self.label_sets[set.index()]);
                SampleKey::LabelledContext(self.context_id(id), set)
            }
            SampleKey::Function(id) => SampleKey::Function(self.function_id(id)),
        }
    }

    fn call(&self, call: RecordedCall) -> RecordedCall {
        RecordedCall {
            site: self.context_id(call.site),
            callee: self.function_id(call.callee),
            ..call
        }
    }
}

/// Sorts all tables by their contents and renumbers them.
///
/// Takes the time to sort each table. Names are sorted once, in the small tables that contain
/// them.
pub(super) fn sort(costs: &mut RecordedCosts) {
    let mut locations = costs.locations.iter().collect();
    let mut new = Renumbering {
        locations: sort_table(&mut locations),
        label_sets: sort_table(&mut costs.label_sets),
        ..Renumbering::default()
    };
    costs.locations = locations.into_iter().collect();
    for function in &mut costs.functions {
        *function = new.function(function);
    }
    new.functions = sort_table(&mut costs.functions);
    sort_contexts(&mut costs.contexts, &mut new);
    let rows = costs.samples.rows();
    let mut rows: Vec<_> = rows.map(|(key, values)| (new.key(key), values)).collect();
    rows.sort_by_key(|(key, _)| *key);
    let mut samples = Samples::new(costs.samples.types());
    for (key, values) in rows {
        samples.push(key, values);
    }
    let rows = costs.calls.iter();
    let mut rows: Vec<_> = rows.map(|(call, values)| (new.call(call), values)).collect();
    rows.sort_by_key(|(call, _)| (call.site, call.callee));
    let mut calls = RecordedCalls::new(samples.types().len());
    for (call, values) in rows {
        calls.push(call, values);
    }
    (costs.samples, costs.calls) = (samples, calls);
    costs.parts.sort();
}

/// Sorts contexts by depth, by the new number of their caller, and by contents.
fn sort_contexts(contexts: &mut Contexts, new: &mut Renumbering) {
    let order = callers_first(contexts).expect("readers refuse rings of callers");
    let mut levels: Vec<Vec<ContextId>> = Vec::new();
    let mut level_of = vec![0; contexts.len()];
    for id in order {
        let caller = contexts.get(id).caller;
        let level = caller.map_or(0, |caller| level_of[caller.index()] + 1);
        level_of[id.index()] = level;
        levels.resize_with(levels.len().max(level + 1), Vec::new);
        levels[level].push(id);
    }
    new.contexts = vec![0; contexts.len()];
    let mut sorted = Contexts::default();
    for level in levels {
        let rows = level.into_iter();
        let mut rows: Vec<_> = rows.map(|id| (new.context(contexts.get(id)), id)).collect();
        rows.sort_unstable();
        for (context, id) in rows {
            new.contexts[id.index()] = u32::try_from(sorted.len()).expect("their numbers fit");
            sorted.push(context);
        }
    }
    *contexts = sorted;
}

/// Sorts a table, and returns the new index of each row by its old one.
fn sort_table<T: Ord>(table: &mut Vec<T>) -> Vec<u32> {
    let mut rows: Vec<_> = (0_u32..).zip(std::mem::take(table)).collect();
    rows.sort_by(|(_, a), (_, b)| a.cmp(b));
    let mut numbers = vec![0; rows.len()];
    for (new, (old, row)) in (0_u32..).zip(rows) {
        numbers[old as usize] = new;
        table.push(row);
    }
    numbers
}

#[cfg(test)]
mod tests {
    use super::super::{
        Address, Extent, FileKind, MergePolicy, Profile, Quantity, Unit, ValueType,
    };
    use super::*;

    /// A profile of contexts written as `name@address<caller=value`.
    fn profile(text: &str) -> Profile {
        let mut profile = Profile::default();
        profile.kind = Some(FileKind::named("a heap"));
        profile.heap = Some(Heap::default());
        let costs = &mut profile.costs;
        costs.samples = crate::model::Samples::new([ValueType {
            quantity: Quantity::ALLOCATED,
            unit: Unit::BYTES,
            extent: Extent::Exclusive,
            class: None,
        }]);
        for (number, word) in (0..).zip(text.split_whitespace()) {
            let (context, value) = word.split_once('=').unwrap();
            let (context, caller) = context.split_once('<').unwrap_or((context, ""));
            let (name, address) = context.split_once('@').unwrap();
            let known = costs.functions.iter().position(|f| *f.name == *name.as_bytes());
            let function = known.unwrap_or(costs.functions.len());
            if known.is_none() {
                costs.functions.push(Function::named(name.as_bytes()));
            }
            costs.contexts.push(Context {
                address: Some(Address(address.parse().unwrap())),
                function: Some(FunctionId(u32::try_from(function).unwrap())),
                location: None,
                caller: caller.parse().ok().map(ContextId),
            });
            let key = SampleKey::Context(ContextId(number));
            costs.samples.push(key, &[value.parse().unwrap()]);
        }
        profile
    }

    fn text(profile: &Profile) -> String {
        let costs = &profile.costs;
        let word = |(key, values): (SampleKey, &[u64])| {
            let SampleKey::Context(id) = key else {
                panic!("all rows are of contexts");
            };
            let context = costs.contexts.get(id);
            let function = &costs.functions[context.function.unwrap().index()];
            let name = String::from_utf8_lossy(&function.name);
            let caller = context.caller.map_or(String::new(), |id| format!("<{}", id.0));
            format!("{name}@{}{caller}={}", context.address.unwrap().0, values[0])
        };
        costs.samples.rows().map(word).collect::<Vec<_>>().join(" ")
    }

    fn check(files: &[&str], expected: &str) {
        let mut sum = profile(files[0]);
        for file in &files[1..] {
            sum.merge(profile(file), MergePolicy::LENIENT).unwrap();
        }
        assert_eq!(text(&sum), expected, "{files:?}");
    }

    #[test]
    fn equal_contexts_with_any_numbers_are_summed() {
        check(&["a@1=1 b@2<0=2", "b@2<1=20 a@1=10"], "a@1=11 b@2<0=22");
        check(&["a@1=1", "a@1=2", "a@1=4"], "a@1=7");
    }

    #[test]
    fn contexts_with_other_callers_addresses_or_functions_stay_apart() {
        check(&["a@1=1 b@2<0=2", "b@2=4"], "a@1=1 b@2<0=2 b@2=4");
        check(&["a@1=1", "a@3=2"], "a@1=1 a@3=2");
        check(&["a@1=1", "c@1=2"], "a@1=1 c@1=2");
        check(&["a@1=1 b@2<0=2", "c@9=1 b@2<0=5", "c@9=1 b@2<0=6"], "a@1=1 b@2<0=2 c@9=2 b@2<2=11");
    }

    fn check_bins(left: &[u64], right: &[u64], expected: (&[u64], u64)) {
        let bins = |counts: &[u64]| SizeBins { counts: counts.into(), last_bytes: 100, n_empty: 0 };
        let mut sum = bins(left);
        add_bins(&mut sum, &bins(right));
        assert_eq!((&*sum.counts, sum.last_bytes), expected, "{left:?} {right:?}");
    }

    #[test]
    fn the_sum_tells_as_few_sizes_apart_as_either_side() {
        check_bins(&[1, 2, 3], &[10, 20, 30], (&[11, 22, 33], 200));
        // The blocks of two and three bytes join those that are larger.
        check_bins(&[1, 2, 3, 4], &[10, 20], (&[11, 29], 200 + 2 * 2 + 3 * 3));
        check_bins(&[10, 20], &[1, 2, 3, 4], (&[11, 29], 200 + 2 * 2 + 3 * 3));
        check_bins(&[5], &[1, 2], (&[8], 200 + 1));
        check_bins(&[], &[], (&[], 200));
    }

    fn check_refused(change: fn(&mut Profile), expected: MergeError) {
        let mut other = profile("a@1=1");
        change(&mut other);
        let outcome = profile("a@1=1").merge(other, MergePolicy::LENIENT);
        assert_eq!(outcome, Err(expected));
    }

    #[test]
    fn profiles_that_count_otherwise_are_refused() {
        let [first, found] = ["a heap", "a table"].map(FileKind::named);
        let change = |p: &mut Profile| p.kind = Some(FileKind::named("a table"));
        check_refused(change, MergeError::Kind { first, found });
        check_refused(|p| p.costs.samples = Default::default(), MergeError::Values);
        check_refused(|p| p.heap.as_mut().unwrap().bounds.small = 1, MergeError::SizeBounds);
        check_refused(
            |p| p.heap.as_mut().unwrap().allocated.counts = [1].into(),
            MergeError::NoBins,
        );
    }
}
