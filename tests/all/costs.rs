//! What holds for every allocation profile, whoever called whom.

use std::collections::HashMap;

use proptest::prelude::*;

use profan::analyze::costs::{FlatCosts, GraphCosts, Leaks, Ledger, Measure};
use profan::filter::{FilterSets, FilterSpecs};
use profan::model::{
    Address, Context, ContextId, Extent, Function, FunctionId, Heap, MergePolicy, Profile,
    Quantity, SampleKey, Samples, SizeBins, Unit, ValueType,
};
use profan::symbols::{ContextNames, NamedContexts, SymbolId};

const MEASURES: [Measure; 4] = [
    Measure::Value,
    Measure::Count,
    Measure::UnfreedValue,
    Measure::UnfreedCount,
];

/// A context by its caller, if that is less than its own number, and its function;
/// then blocks allocated and, of those, kept.
type Call = (usize, u8, u64, u64);

/// Trees of a few functions, so that recursion of all kinds is frequent.
fn calls() -> impl Strategy<Value = Vec<Call>> {
    proptest::collection::vec((0usize..60, 0u8..5, 0u64..9, 0u64..9), 1..60)
}

fn profile(calls: &[Call]) -> Profile {
    let column = |quantity, unit| ValueType {
        quantity,
        unit,
        extent: Extent::Exclusive,
        class: None,
    };
    let types = [
        column(Quantity::Allocated, Unit::Count),
        column(Quantity::Allocated, Unit::Bytes),
        column(Quantity::Freed, Unit::Count),
        column(Quantity::Freed, Unit::Bytes),
    ];
    let mut profile = Profile::default();
    let costs = &mut profile.costs;
    costs.samples = Samples::new(types);
    costs.functions = (b'a'..b'f')
        .map(|letter| Function {
            name: [letter].as_slice().into(),
            object: None,
            entry: Some(Address(u64::from(letter) << 8)),
            location: None,
        })
        .collect();
    let number = |index| u32::try_from(index).expect("there are few");
    let mut n_blocks = [0; 2];
    for (index, &(caller, function, n_allocated, n_kept)) in calls.iter().enumerate() {
        costs.contexts.push(Context {
            address: Some(Address((u64::from(b'a' + function) << 8) + index as u64)),
            function: Some(FunctionId(u32::from(function))),
            location: None,
            caller: (caller < index).then(|| ContextId(number(caller))),
        });
        let n_freed = n_allocated.saturating_sub(n_kept);
        let key = SampleKey::Context(ContextId(number(index)));
        let values = [n_allocated, 3 * n_allocated, n_freed, 3 * n_freed];
        costs.samples.push(key, &values);
        n_blocks = [n_blocks[0] + n_allocated, n_blocks[1] + n_freed];
    }
    // Two blocks have no call stack, and one of them is freed.
    let bins = |n_blocks| SizeBins {
        counts: [0, 0, n_blocks, 0].into(),
        ..SizeBins::default()
    };
    profile.heap = Some(Heap {
        allocated: bins(n_blocks[0] + 2),
        freed: bins(n_blocks[1] + 1),
        ..Heap::default()
    });
    profile
}

/// A profile with everything added up.
struct Sums {
    profile: Profile,
    names: NamedContexts,
    filters: FilterSets,
    ledger: Ledger,
}

impl Sums {
    fn new(profile: Profile, measure: Measure) -> Self {
        let names = NamedContexts::new(&profile.costs, None, ContextNames::Functions);
        let filters = FilterSets::resolve(&FilterSpecs::default(), &names.table);
        let ledger = Ledger::new(&profile, &names, &filters, measure);
        Self {
            profile,
            names,
            filters,
            ledger,
        }
    }

    fn flat(&self) -> FlatCosts {
        FlatCosts::new(&self.ledger, &self.names.table, &self.filters, true)
    }

    fn leaks(&self, depth: Option<usize>) -> Leaks {
        let (costs, measure) = (&self.profile.costs, self.ledger.measure);
        Leaks::new(
            costs,
            &self.ledger,
            &self.names,
            &self.filters,
            depth,
            measure,
        )
    }

    /// The functions on the stack of a context.
    fn stack(&self, context: ContextId) -> Vec<SymbolId> {
        let caller = |id: &ContextId| self.profile.costs.contexts[id.index()].caller;
        let contexts = std::iter::successors(Some(context), caller);
        contexts.map(|id| self.names.of(id)).collect()
    }

    /// Unfreed blocks by the first functions of stacks, counted one by one.
    fn leaks_by_hand(&self, depth: usize) -> HashMap<Vec<SymbolId>, i128> {
        let mut leaks = HashMap::from([(Vec::new(), 1)]);
        for (key, values) in self.profile.costs.samples.rows() {
            let SampleKey::Context(context) = key else {
                panic!("all rows are of contexts");
            };
            let mut stack = self.stack(context);
            stack.truncate(depth);
            *leaks.entry(stack).or_default() += i128::from(values[0]) - i128::from(values[2]);
        }
        leaks.retain(|_, n_blocks| *n_blocks > 0);
        leaks
    }
}

proptest! {
    #[test]
    fn what_functions_have_themselves_adds_up_to_everything(calls in calls()) {
        for measure in MEASURES {
            let sums = Sums::new(profile(&calls), measure);
            let flat = sums.flat();
            let all = sums.ledger.all.get(measure);
            prop_assert_eq!(flat.rows.iter().map(|row| row.own.get(measure)).sum::<i128>(), all);
            prop_assert_eq!(flat.rows.last().map(|row| row.cumulative), Some(all));
        }
    }

    #[test]
    fn totals_are_between_what_a_function_has_itself_and_everything(calls in calls()) {
        for measure in MEASURES {
            let sums = Sums::new(profile(&calls), measure);
            for row in sums.flat().rows {
                let own = row.own.get(measure);
                prop_assert!((own..=sums.ledger.all.get(measure)).contains(&row.total));
            }
        }
    }

    #[test]
    fn no_call_carries_more_than_either_end_has(calls in calls()) {
        let sums = Sums::new(profile(&calls), Measure::Value);
        let graph = GraphCosts::new(&sums.ledger, &sums.names.table, &sums.filters, false);
        let total = |id| sums.ledger.total(id).get(Measure::Value);
        for entry in &graph.entries {
            for line in &entry.callees {
                let flow = line.flow.as_ref().expect("stacks were recorded");
                let carried = flow.own + flow.children;
                prop_assert!(carried <= total(entry.symbol).min(total(line.symbol)));
            }
        }
    }

    #[test]
    fn leaks_are_those_counted_one_by_one(calls in calls(), depth in 1usize..20) {
        let sums = Sums::new(profile(&calls), Measure::Count);
        for depth in [Some(depth), None] {
            let found = sums.leaks(depth).leaks.into_iter().map(|leak| {
                (leak.stack, leak.amounts.get(Measure::UnfreedCount))
            });
            let expected = sums.leaks_by_hand(depth.unwrap_or(usize::MAX));
            prop_assert_eq!(expected.values().sum::<i128>(), sums.ledger.all.get(Measure::UnfreedCount));
            prop_assert_eq!(found.collect::<HashMap<_, _>>(), expected);
        }
    }

    #[test]
    fn the_order_of_files_does_not_matter(a in calls(), b in calls()) {
        let summary = |files: [&[Call]; 2]| {
            let mut sum = profile(files[0]);
            sum.merge(profile(files[1]), MergePolicy::LENIENT).expect("they are alike");
            let sums = Sums::new(sum, Measure::Value);
            let name = |id: &SymbolId| sums.names.table.get(*id).name.clone();
            let rows = sums.flat().rows.into_iter();
            let rows: Vec<_> = rows
                .map(|row| (row.symbol.as_ref().map(name), row.own, row.total))
                .collect();
            let leaks = sums.leaks(None).leaks.into_iter();
            let leaks: Vec<_> = leaks
                .map(|leak| (leak.stack.iter().map(name).collect::<Vec<_>>(), leak.amounts))
                .collect();
            (rows, leaks)
        };
        prop_assert_eq!(summary([&a, &b]), summary([&b, &a]));
    }
}
