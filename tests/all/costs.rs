//! Properties of every allocation profile, for any calls.

use std::collections::HashMap;
use std::sync::Arc;

use proptest::prelude::*;

use profan::analyze::{
    Amount, CostGraph, GraphRanks, HeapMetrics, HeapStacks, Material, SectionOptions, flat_section,
    graph_section,
};
use profan::filter::{FilterSets, FilterSpecs};
use profan::model::{
    Address, Context, ContextId, Function, FunctionId, Heap, MergePolicy, Profile, Quantity,
    SampleKey, Samples, SizeBins, heap_columns, heap_metrics,
};
use profan::report::{Cell, MetricIndex, RowKind};
use profan::symbols::{ContextKeys, NamedContexts, SymbolId};

use crate::tables::{TableRow, rows_of};

const METRICS: [&str; 4] = ["bytes", "count", "unfreed-bytes", "unfreed-count"];

const UNFREED_COUNT: MetricIndex = 3;

/// A context by its caller, if that is less than its own number, and its function; then the
/// blocks allocated, and the number of them never freed.
type Call = (usize, u8, u64, u64);

/// Trees of a few functions, so that recursion of all kinds is frequent.
fn calls() -> impl Strategy<Value = Vec<Call>> {
    proptest::collection::vec((0usize..60, 0u8..5, 0u64..9, 0u64..9), 1..60)
}

fn profile(calls: &[Call]) -> Profile {
    let types = heap_columns(&[Quantity::ALLOCATED, Quantity::FREED], &[None]);
    let mut profile = Profile::default();
    let charges = &mut profile.costs;
    charges.metrics = heap_metrics(&types);
    charges.samples = Samples::new(types);
    charges.functions = (b'a'..b'f')
        .map(|letter| Function {
            entry: Some(Address(u64::from(letter) << 8)),
            ..Function::named([letter].as_slice())
        })
        .collect();
    let number = |index| u32::try_from(index).expect("there are few");
    let mut n_blocks = [0; 2];
    for (index, &(caller, function, n_allocated, n_kept)) in calls.iter().enumerate() {
        charges.contexts.push(Context {
            address: Some(Address((u64::from(b'a' + function) << 8) + index as u64)),
            function: Some(FunctionId(u32::from(function))),
            location: None,
            caller: (caller < index).then(|| ContextId(number(caller))),
        });
        let n_freed = n_allocated.saturating_sub(n_kept);
        let subject = SampleKey::Context(ContextId(number(index)));
        let values = [n_allocated, 3 * n_allocated, n_freed, 3 * n_freed];
        charges.samples.push(subject, &values);
        n_blocks = [n_blocks[0] + n_allocated, n_blocks[1] + n_freed];
    }
    // Two blocks have no call stack, and one of them is freed.
    let bins = |n_blocks| SizeBins { counts: [0, 0, n_blocks, 0].into(), ..SizeBins::default() };
    profile.heap = Some(Heap {
        allocated: bins(n_blocks[0] + 2),
        freed: bins(n_blocks[1] + 1),
        ..Heap::default()
    });
    profile
}

/// A profile with everything added up.
struct Sums {
    profile: Arc<Profile>,
    names: Arc<NamedContexts>,
    filters: FilterSets,
    costs: Arc<CostGraph>,
}

impl Sums {
    fn new(profile: Profile, metric: &str) -> Self {
        let names = NamedContexts::new(&profile.costs, None, ContextKeys::Functions);
        let filters = FilterSets::resolve(&FilterSpecs::default(), &names.table);
        let costs = CostGraph::from_values(&profile, &names, &filters, Some(metric));
        assert_eq!(costs.metric().id, metric);
        let (profile, names) = (Arc::new(profile), Arc::new(names));
        Self { profile, names, filters, costs: Arc::new(costs) }
    }

    fn material(&self, shows_zero_cost: bool) -> Material<'_> {
        Material {
            costs: &self.costs,
            table: &self.names.table,
            filters: &self.filters,
            options: SectionOptions { shows_zero_cost, is_bsd: false, ..SectionOptions::default() },
        }
    }

    fn flat(&self) -> Vec<TableRow> {
        rows_of(&flat_section(&self.material(true), None))
    }

    fn graph(&self) -> Vec<TableRow> {
        let material = self.material(false);
        let ranks = Arc::new(GraphRanks::new(&material));
        rows_of(&graph_section(&material, &ranks))
    }

    fn leaks(&self, depth: Option<usize>) -> HeapStacks {
        let metrics = HeapMetrics::of_leaks(&self.costs);
        HeapStacks::new(&self.profile, &self.costs, &self.names, &self.filters, depth, metrics)
    }

    /// The total of the metric.
    fn all(&self) -> i128 {
        exact(self.costs.all(self.costs.shape.primary))
    }

    /// The cost of a function with all its callees, or the time outside of functions.
    fn total(&self, symbol: Option<SymbolId>) -> i128 {
        let (costs, metric) = (&self.costs, self.costs.shape.primary);
        exact(match symbol {
            Some(id) => costs.total(id, metric),
            None => costs.unattributed(metric),
        })
    }

    /// The functions on the stack of a context.
    fn stack(&self, context: ContextId) -> Vec<SymbolId> {
        let caller = |id: &ContextId| self.profile.costs.contexts.get(*id).caller;
        let contexts = std::iter::successors(Some(context), caller);
        contexts.map(|id| self.names.of(id)).collect()
    }

    /// Unfreed blocks by the first functions of stacks, counted one by one.
    fn leaks_by_hand(&self, depth: usize) -> HashMap<Vec<SymbolId>, i128> {
        let mut leaks = HashMap::from([(Vec::new(), 1)]);
        for (subject, values) in self.profile.costs.samples.rows() {
            let SampleKey::Context(context) = subject else {
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

fn exact(amount: Amount) -> i128 {
    match amount {
        Amount::Exact(amount) => amount,
        Amount::Ticks(ticks) => panic!("{ticks} ticks of a heap"),
    }
}

/// The function of a row; `None` for costs outside of functions.
fn symbol(row: &TableRow) -> Option<SymbolId> {
    match row.get("name") {
        Cell::Name(id) => Some(SymbolId(id.0)),
        _ => None,
    }
}

proptest! {
    #[test]
    fn what_functions_have_themselves_adds_up_to_everything(calls in calls()) {
        for metric in METRICS {
            let sums = Sums::new(profile(&calls), metric);
            let flat = sums.flat();
            let all = sums.all();
            prop_assert_eq!(flat.iter().map(|row| row.integer("self")).sum::<i128>(), all);
            prop_assert_eq!(flat.last().map(|row| row.integer("cumulative")), Some(all));
        }
    }

    #[test]
    fn totals_are_between_what_a_function_has_itself_and_everything(calls in calls()) {
        for metric in METRICS {
            let sums = Sums::new(profile(&calls), metric);
            for row in sums.flat() {
                let total = sums.total(symbol(&row));
                prop_assert!((row.integer("self")..=sums.all()).contains(&total));
                // Without any calls, text omits the column of totals.
                if row.has("total") {
                    prop_assert_eq!(row.integer("total"), total);
                }
            }
        }
    }

    #[test]
    fn no_call_carries_more_than_either_end_has(calls in calls()) {
        let sums = Sums::new(profile(&calls), "bytes");
        let mut entry = None;
        for row in sums.graph() {
            let id = symbol(&row).expect("all calls are of functions");
            match row.kind {
                RowKind::Entry => entry = Some(id),
                RowKind::Callee => {
                    let caller = entry.expect("callees stand below their entry");
                    let carried = row.integer("self") + row.integer("children");
                    prop_assert!(carried <= sums.total(Some(caller)).min(sums.total(Some(id))));
                }
                _ => {}
            }
        }
    }

    #[test]
    fn leaks_are_those_counted_one_by_one(calls in calls(), depth in 1usize..20) {
        let sums = Sums::new(profile(&calls), "count");
        for depth in [Some(depth), None] {
            let leaks = sums.leaks(depth);
            let found = leaks.stacks.iter().map(|leak| {
                (leaks.stack(leak).collect(), leak.amounts[1])
            });
            let expected = sums.leaks_by_hand(depth.unwrap_or(usize::MAX));
            let all = exact(sums.costs.all(UNFREED_COUNT));
            prop_assert_eq!(expected.values().sum::<i128>(), all);
            prop_assert_eq!(found.collect::<HashMap<_, _>>(), expected);
        }
    }

    #[test]
    fn the_order_of_files_does_not_matter(a in calls(), b in calls()) {
        let summary = |files: [&[Call]; 2]| {
            let mut sum = profile(files[0]);
            sum.merge(profile(files[1]), MergePolicy::LENIENT).expect("they are alike");
            let sums = Sums::new(sum, "bytes");
            let name = |id: SymbolId| sums.names.table.get(id).name.clone();
            let amounts = ["self", "count", "unfreed-bytes", "unfreed-count"];
            let rows = sums.flat().into_iter();
            let rows: Vec<_> = rows
                .map(|row| {
                    let amounts = amounts.map(|column| row.integer(column));
                    let symbol = symbol(&row);
                    (symbol.map(name), amounts, sums.total(symbol))
                })
                .collect();
            let leaks = sums.leaks(None);
            let stacks = leaks.stacks.iter();
            let stacks: Vec<_> = stacks
                .map(|leak| (leaks.stack(leak).map(name).collect::<Vec<_>>(), leak.amounts.clone()))
                .collect();
            (rows, stacks)
        };
        prop_assert_eq!(summary([&a, &b]), summary([&b, &a]));
    }
}
