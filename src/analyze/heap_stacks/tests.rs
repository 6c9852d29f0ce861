use super::*;
use crate::analyze::testing::heap;
use crate::filter::FilterSpecs;
use crate::symbols::ContextKeys;

fn check_leaks(stacks: &[(&str, u64, u64)], depth: Option<usize>, expected: &[&str]) {
    let profile = Arc::new(heap(stacks));
    let names = Arc::new(NamedContexts::new(&profile.costs, None, ContextKeys::Functions));
    let filters = FilterSets::resolve(&FilterSpecs::default(), &names.table);
    let costs = CostGraph::from_values(&profile, &names, &filters, Some("bytes"));
    let leaks =
        HeapStacks::new(&profile, &costs, &names, &filters, depth, HeapMetrics::of_leaks(&costs));
    let name = |id: SymbolId| String::from_utf8_lossy(&names.table.get(id).name).into_owned();
    let shown: Vec<_> = leaks
        .stacks
        .iter()
        .map(|leak| {
            let stack: Vec<_> = leaks.stack(leak).map(name).collect();
            let rest = if leak.is_cut { "…" } else { "" };
            let bytes = leak.amounts[0];
            format!("{}{rest} {bytes}", stack.join("<"))
        })
        .collect();
    assert_eq!(shown, expected, "{stacks:?} at {depth:?}");
}

#[test]
fn stacks_start_at_the_caller_of_wrappers() {
    let stacks = [("m a xmalloc", 8, 0), ("m b g_strdup 0x1f", 4, 0), ("m c 0x2f", 2, 0)];
    check_leaks(&stacks, None, &["a<m 8", "b<m 4", "0x2f<c<m 2"]);
    check_leaks(&stacks, Some(1), &["a… 8", "b… 4", "0x2f… 2"]);
    check_leaks(&[("my_alloc", 3, 0)], None, &["my_alloc 3"]);
}

#[test]
fn leaks_are_distinguished_down_to_a_depth() {
    let stacks = [("m a x", 8, 0), ("m b x", 4, 1), ("m b y", 9, 9), ("x", 2, 0)];
    check_leaks(&stacks, Some(1), &["x… 13"]);
    check_leaks(&stacks, Some(2), &["x<a… 8", "x<b… 3", "x 2"]);
    check_leaks(&stacks, Some(9), &["x<a<m 8", "x<b<m 3", "x 2"]);
    check_leaks(&stacks, None, &["x<a<m 8", "x<b<m 3", "x 2"]);
}
