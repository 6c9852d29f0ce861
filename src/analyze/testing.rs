//! Small heap profiles for tests.

use crate::model::{
    Context, ContextId, Function, FunctionId, Profile, Quantity, SampleKey, Samples, Unit,
    heap_columns, heap_metrics,
};

/// A heap profile of stacks such as `main walk new`, with bytes allocated and freed. Each
/// function is a word; equal stacks are one context.
pub(super) fn heap(stacks: &[(&str, u64, u64)]) -> Profile {
    let mut profile = Profile::default();
    let charges = &mut profile.costs;
    let types = heap_columns(&[Quantity::ALLOCATED, Quantity::FREED], &[None]);
    let types: Vec<_> = types.into_iter().filter(|column| column.unit == Unit::BYTES).collect();
    charges.metrics = heap_metrics(&types);
    charges.samples = Samples::new(types);
    for &(stack, allocated, freed) in stacks {
        let mut caller = None;
        for name in stack.split(' ') {
            let mut functions = charges.functions.iter();
            let known = functions.position(|f| *f.name == *name.as_bytes());
            let function = known.unwrap_or_else(|| {
                charges.functions.push(Function::named(name.as_bytes()));
                charges.functions.len() - 1
            });
            let context = Context {
                address: None,
                function: Some(FunctionId(u32::try_from(function).unwrap())),
                location: None,
                caller,
            };
            let known = charges.contexts.iter().position(|c| c == context);
            let id = known.unwrap_or_else(|| {
                charges.contexts.push(context);
                charges.contexts.len() - 1
            });
            caller = Some(ContextId(u32::try_from(id).unwrap()));
        }
        let subject = SampleKey::Context(caller.unwrap());
        charges.samples.push(subject, &[allocated, freed]);
    }
    profile
}
