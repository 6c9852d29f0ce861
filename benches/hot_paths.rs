//! The hot paths: reading bins and arcs, giving ticks to functions, cycles and
//! propagation, and following exact values up call stacks. `cargo bench` prints the times; compare them on one machine.

use std::path::Path;

use divan::Bencher;
use profan::analyze::CostGraph;
use profan::filter::{FilterSets, FilterSpecs};
use profan::load::{Hints, Input, load};
use profan::model::{
    Address, Context, ContextId, Function, FunctionId, Profile, Quantity, SampleKey, Samples, Unit,
    heap_columns, heap_metrics,
};
use profan::symbols::{ContextNames, NamedContexts, SymbolTable};

const N_FUNCTIONS: u64 = 100_000;
const FUNCTION_SIZE: u64 = 64;
const N_ARCS: u64 = 500_000;
const LOW: u64 = 0x40_0000;

fn main() {
    divan::main();
}

/// A GNU file with a bin for every four bytes and arcs between functions: mostly
/// from one function to the next few, so that the graph is deep.
fn file() -> Vec<u8> {
    let high = LOW + N_FUNCTIONS * FUNCTION_SIZE;
    let n_bins = (high - LOW) / 4;
    let mut bytes = b"gmon\x01\0\0\0".to_vec();
    bytes.extend([0; 12]);
    bytes.push(0);
    for word in [LOW, high] {
        bytes.extend(word.to_le_bytes());
    }
    for word in [n_bins, 100] {
        bytes.extend(&word.to_le_bytes()[..4]);
    }
    bytes.extend(b"seconds\0\0\0\0\0\0\0\0s");
    for bin in 0..n_bins {
        bytes.extend(&(bin % 7).to_le_bytes()[..2]);
    }
    for index in 0..N_ARCS {
        let caller = index % N_FUNCTIONS;
        let callee = (caller + 1 + index / N_FUNCTIONS * 3) % N_FUNCTIONS;
        bytes.push(1);
        bytes.extend((LOW + caller * FUNCTION_SIZE + 20).to_le_bytes());
        bytes.extend((LOW + callee * FUNCTION_SIZE).to_le_bytes());
        bytes.extend(&(index % 100).to_le_bytes()[..4]);
    }
    bytes
}

fn hints() -> Hints {
    Hints::default()
}

fn profile() -> Profile {
    let input = Input::from_bytes(Path::new("bench"), file()).expect("it is not compressed");
    let loaded = load(&input, &hints()).expect("it is sound");
    loaded.profile().clone()
}

#[divan::bench]
fn reading(bencher: Bencher<'_, '_>) {
    let input = Input::from_bytes(Path::new("bench"), file()).expect("it is not compressed");
    bencher.bench_local(|| load(&input, &hints()).expect("it is sound"));
}

#[divan::bench]
fn counting(bencher: Bencher<'_, '_>) {
    let profile = profile();
    let table = SymbolTable::of_entries(profile.arcs().iter().map(|arc| arc.callee));
    let filters = FilterSets::resolve(&FilterSpecs::default(), &table);
    bencher.bench_local(|| CostGraph::from_histograms(&profile, &table, &filters, &[]));
}

const N_CONTEXTS: u32 = 500_000;
const N_NAMES: u32 = 4_000;

/// A tree of contexts about twenty deep, with recursion, and bytes at every leaf.
fn heap() -> Profile {
    let mut profile = Profile::default();
    let costs = &mut profile.costs;
    costs.functions = (0..N_NAMES)
        .map(|number| Function {
            name: format!("function_{number}").into_bytes().into(),
            object: None,
            entry: Some(Address(u64::from(number) * 64)),
            location: None,
        })
        .collect();
    let types = heap_columns(&[Quantity::ALLOCATED, Quantity::FREED], &[None]);
    let types: Vec<_> = types
        .into_iter()
        .filter(|column| column.unit == Unit::BYTES)
        .collect();
    costs.metrics = heap_metrics(&types);
    costs.samples = Samples::new(types);
    for number in 0..N_CONTEXTS {
        let function = FunctionId(number.wrapping_mul(2_654_435_761) % N_NAMES);
        costs.contexts.push(Context {
            address: Some(Address(u64::from(function.0) * 64 + 8)),
            function: Some(function),
            location: None,
            caller: number.checked_sub(1).map(|before| ContextId(before / 2)),
        });
        if number > N_CONTEXTS / 2 {
            let values = [u64::from(number), u64::from(number / 2)];
            costs
                .samples
                .push(SampleKey::Context(ContextId(number)), &values);
        }
    }
    profile
}

#[divan::bench]
fn following_stacks(bencher: Bencher<'_, '_>) {
    let profile = heap();
    bencher.bench_local(|| {
        let names = NamedContexts::new(&profile.costs, None, ContextNames::Functions);
        let filters = FilterSets::resolve(&FilterSpecs::default(), &names.table);
        CostGraph::from_values(&profile, &names, &filters, None)
    });
}
