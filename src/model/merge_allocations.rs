//! Sums of allocation profiles of one program.

use super::merge_costs::CostIndices;
use super::{Heap, MergeError, RecordedCosts, SizeBins};

/// Adds to a sum what a later file of the same program has.
///
/// # Errors
/// When classes of sizes have other bounds or values are of another kind.
pub(super) fn merge(
    indices: &mut CostIndices,
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
    indices.add(costs, other, |sums, values| {
        for (sum, value) in sums.iter_mut().zip(values) {
            *sum = sum.wrapping_add(*value);
        }
        Some(())
    })
}

/// Adds blocks by size. Where one side tells fewer sizes apart, so does the sum: the
/// larger ones of the other side go to the last bin.
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

/// Tells only so many sizes apart.
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

#[cfg(test)]
mod tests {
    use super::super::{
        Address, Context, ContextId, Extent, FileKind, Function, FunctionId, MergePolicy, Profile,
        Quantity, SampleKey, Unit, ValueType,
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
            let known = costs
                .functions
                .iter()
                .position(|f| *f.name == *name.as_bytes());
            let function = known.unwrap_or(costs.functions.len());
            if known.is_none() {
                costs.functions.push(Function {
                    name: name.as_bytes().into(),
                    object: None,
                    entry: None,
                    location: None,
                });
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
            let context = costs.contexts[id.index()];
            let function = &costs.functions[context.function.unwrap().index()];
            let name = String::from_utf8_lossy(&function.name);
            let caller = context
                .caller
                .map_or(String::new(), |id| format!("<{}", id.0));
            format!(
                "{name}@{}{caller}={}",
                context.address.unwrap().0,
                values[0]
            )
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
    fn equal_contexts_are_summed_whatever_their_numbers_are() {
        check(&["a@1=1 b@2<0=2", "b@2<1=20 a@1=10"], "a@1=11 b@2<0=22");
        check(&["a@1=1", "a@1=2", "a@1=4"], "a@1=7");
    }

    #[test]
    fn contexts_with_other_callers_addresses_or_functions_stay_apart() {
        check(&["a@1=1 b@2<0=2", "b@2=4"], "a@1=1 b@2<0=2 b@2=4");
        check(&["a@1=1", "a@3=2"], "a@1=1 a@3=2");
        check(&["a@1=1", "c@1=2"], "a@1=1 c@1=2");
        check(
            &["a@1=1 b@2<0=2", "c@9=1 b@2<0=5", "c@9=1 b@2<0=6"],
            "a@1=1 b@2<0=2 c@9=2 b@2<2=11",
        );
    }

    fn check_bins(left: &[u64], right: &[u64], expected: (&[u64], u64)) {
        let bins = |counts: &[u64]| SizeBins {
            counts: counts.into(),
            last_bytes: 100,
            n_empty: 0,
        };
        let mut sum = bins(left);
        add_bins(&mut sum, &bins(right));
        assert_eq!(
            (&*sum.counts, sum.last_bytes),
            expected,
            "{left:?} {right:?}"
        );
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
        check_refused(
            |p| p.heap.as_mut().unwrap().bounds.small = 1,
            MergeError::SizeBounds,
        );
        check_refused(
            |p| p.heap.as_mut().unwrap().allocated.counts = [1].into(),
            MergeError::NoBins,
        );
    }
}
