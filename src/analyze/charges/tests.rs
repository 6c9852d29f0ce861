use super::*;
use crate::filter::{FilterSets, FilterSpecs};
use crate::model::{
    Context, ContextId, Extent, Function, FunctionId, Profile, Quantity, Samples, Subject, Unit,
    ValueType,
};
use crate::symbols::{ContextNames, NamedContexts, SymbolId};

/// A heap profile of stacks such as `main walk new`, with bytes allocated and freed.
/// Each function is a letter or word; equal stacks are one context.
fn heap(stacks: &[(&str, u64, u64)]) -> Profile {
    let mut profile = Profile::default();
    let charges = &mut profile.charges;
    let column = |quantity| ValueType {
        quantity,
        unit: Unit::Bytes,
        extent: Extent::Exclusive,
        class: None,
    };
    charges.samples = Samples::new([column(Quantity::Allocated), column(Quantity::Freed)]);
    for &(stack, allocated, freed) in stacks {
        let mut caller = None;
        for name in stack.split(' ') {
            let known = charges
                .functions
                .iter()
                .position(|f| *f.name == *name.as_bytes());
            let function = known.unwrap_or_else(|| {
                charges.functions.push(Function {
                    name: name.as_bytes().into(),
                    object: None,
                    entry: None,
                    place: None,
                });
                charges.functions.len() - 1
            });
            let context = Context {
                address: None,
                function: Some(FunctionId(u32::try_from(function).unwrap())),
                place: None,
                caller,
            };
            let known = charges.contexts.iter().position(|c| *c == context);
            let id = known.unwrap_or_else(|| {
                charges.contexts.push(context);
                charges.contexts.len() - 1
            });
            caller = Some(ContextId(u32::try_from(id).unwrap()));
        }
        let subject = Subject::Context(caller.unwrap());
        charges.samples.push(subject, &[allocated, freed]);
    }
    profile
}

/// Own and total bytes of each function, then the bytes along each arc.
fn summary(stacks: &[(&str, u64, u64)], specs: &FilterSpecs) -> String {
    let profile = heap(stacks);
    let names = NamedContexts::new(&profile.charges, None, ContextNames::Functions);
    let filters = FilterSets::resolve(specs, &names.table);
    let ledger = Ledger::new(&profile, &names, &filters, Measure::Value);
    let name = |id: SymbolId| String::from_utf8_lossy(&names.table.get(id).name).into_owned();
    let mut words: Vec<_> = names
        .table
        .iter()
        .map(|(id, _)| {
            let (own, total) = (ledger.own(id).0[0], ledger.total(id).0[0]);
            format!("{} {own}/{total}", name(id))
        })
        .collect();
    words.extend(ledger.arcs().map(|arc| {
        let (own, total) = (arc.own.unwrap().0[0], arc.total.unwrap().0[0]);
        format!("{}>{} {own}/{total}", name(arc.caller), name(arc.callee))
    }));
    words.join(", ")
}

fn check(stacks: &[(&str, u64, u64)], expected: &str) {
    assert_eq!(
        summary(stacks, &FilterSpecs::default()),
        expected,
        "{stacks:?}"
    );
}

#[test]
fn what_a_stack_allocated_counts_once_for_every_function_on_it() {
    check(
        &[("main a", 8, 0), ("main b a", 4, 0)],
        "a 12/12, b 0/4, main 0/12, b>a 4/4, main>a 8/8, main>b 0/4",
    );
}

#[test]
fn recursion_counts_once() {
    check(
        &[("main w w n", 8, 0)],
        "main 0/8, n 8/8, w 0/8, main>w 0/8, w>n 8/8, w>w 0/8",
    );
    check(
        &[("a b a b", 8, 0), ("a b", 1, 0)],
        "a 0/9, b 9/9, a>b 9/9, b>a 0/8",
    );
}

#[test]
fn arcs_that_are_left_out_end_the_stack() {
    let mut specs = FilterSpecs::default();
    let Ok(spec) = "main/b".parse();
    specs.arcs.exclude.push(spec);
    assert_eq!(
        summary(&[("main a", 8, 0), ("main b a", 4, 0)], &specs),
        "a 12/12, b 0/4, main 0/8, b>a 4/4, main>a 8/8",
    );
}

#[test]
fn only_the_charges_of_selected_functions_flow() {
    let mut specs = FilterSpecs::default();
    let Ok(spec) = "b".parse();
    specs.time.include.push(spec);
    assert_eq!(
        summary(&[("main a", 8, 0), ("main b", 4, 0)], &specs),
        "a 0/0, b 4/4, main 0/4, main>a 0/0, main>b 4/4",
    );
}

fn check_leaks(stacks: &[(&str, u64, u64)], depth: Option<usize>, expected: &[&str]) {
    let profile = heap(stacks);
    let names = NamedContexts::new(&profile.charges, None, ContextNames::Functions);
    let filters = FilterSets::resolve(&FilterSpecs::default(), &names.table);
    let ledger = Ledger::new(&profile, &names, &filters, Measure::Value);
    let leaks = Leaks::new(
        &profile.charges,
        &ledger,
        &names,
        &filters,
        depth,
        Measure::Value,
    );
    let name = |id: &SymbolId| String::from_utf8_lossy(&names.table.get(*id).name).into_owned();
    let shown: Vec<_> = leaks
        .leaks
        .iter()
        .map(|leak| {
            let stack: Vec<_> = leak.stack.iter().map(name).collect();
            let rest = if leak.is_cut { "…" } else { "" };
            let bytes = leak.amounts.get(Measure::UnfreedValue);
            format!("{}{rest} {bytes}", stack.join("<"))
        })
        .collect();
    assert_eq!(shown, expected, "{stacks:?} at {depth:?}");
}

#[test]
fn leaks_are_told_apart_down_to_a_depth() {
    let stacks = [
        ("m a x", 8, 0),
        ("m b x", 4, 1),
        ("m b y", 9, 9),
        ("x", 2, 0),
    ];
    check_leaks(&stacks, Some(1), &["x… 13"]);
    check_leaks(&stacks, Some(2), &["x<a… 8", "x<b… 3", "x 2"]);
    check_leaks(&stacks, Some(9), &["x<a<m 8", "x<b<m 3", "x 2"]);
    check_leaks(&stacks, None, &["x<a<m 8", "x<b<m 3", "x 2"]);
}
