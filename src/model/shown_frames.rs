//! Call stacks without some of their functions (`--hide`, `--from`).

use super::contexts::DistinctContexts;
use super::{Context, ContextId, Function, FunctionId, RecordedCosts, callers_first};

/// Where costs go whose stacks have no other function.
const HIDDEN: &[u8] = b"<hidden>";
/// Where the costs of stacks go that do not begin anywhere.
const ELSEWHERE: &[u8] = b"<elsewhere>";

impl RecordedCosts {
    /// Keeps the part of each stack from the outermost context that `begins` it, if that is given,
    /// and of that part the contexts that are not hidden. A hidden context gives its costs to its
    /// caller. All costs stay: `<hidden>` gets those without such a caller, and `<elsewhere>`
    /// those of stacks that do not begin. Linear in contexts and samples.
    ///
    /// For costs of stacks alone: calls and possible calls do not survive.
    pub fn show_frames(
        &mut self,
        is_hidden: impl Fn(ContextId) -> bool,
        begins: Option<impl Fn(ContextId) -> bool>,
    ) {
        let order = callers_first(&self.contexts).expect("no context is its own caller");
        let mut has_begun = vec![begins.is_none(); self.contexts.len()];
        let mut shown: Vec<Option<ContextId>> = vec![None; self.contexts.len()];
        let mut contexts = DistinctContexts::default();
        for id in order {
            let context = self.contexts.get(id);
            let caller = context.caller;
            has_begun[id.index()] |= caller.is_some_and(|caller| has_begun[caller.index()])
                || begins.as_ref().is_some_and(|begins| begins(id));
            let caller = caller.and_then(|caller| shown[caller.index()]);
            shown[id.index()] = if has_begun[id.index()] && !is_hidden(id) {
                Some(contexts.find(Context { caller, ..context }))
            } else {
                caller
            };
        }
        let [hidden, elsewhere] = [HIDDEN, ELSEWHERE].map(|name| {
            self.functions.push(Function::named(name));
            let number = u32::try_from(self.functions.len() - 1);
            let function = Some(FunctionId(number.expect("memory holds fewer functions")));
            contexts.find(Context { function, ..Context::default() })
        });
        let place = |id: ContextId| match shown[id.index()] {
            _ if !has_begun[id.index()] => elsewhere,
            shown => shown.unwrap_or(hidden),
        };
        let n_columns = self.samples.types().len();
        self.samples = self.samples.with_keys(n_columns, |key| Some(key.at(place)));
        self.contexts = contexts.finish();
        self.drop_unused();
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::{Extent, Quantity, SampleKey, Samples, Unit, ValueType};

    /// The costs of folded stacks of functions with names of one letter, one sample each.
    fn costs(stacks: &[(&str, u64)]) -> RecordedCosts {
        let mut samples = Samples::new([ValueType {
            quantity: Quantity("samples"),
            unit: Unit::COUNT,
            extent: Extent::Exclusive,
            class: None,
        }]);
        let mut contexts = DistinctContexts::default();
        for (stack, value) in stacks {
            let mut caller = None;
            for letter in stack.bytes() {
                let function = Some(FunctionId(u32::from(letter - b'a')));
                caller = Some(contexts.find(Context { caller, function, ..Context::default() }));
            }
            samples.push(SampleKey::Context(caller.expect("it has a frame")), &[*value]);
        }
        let contexts = contexts.finish();
        let functions = (b'a'..=b'z').map(|letter| Function::named([letter])).collect();
        RecordedCosts { functions, contexts, samples, ..RecordedCosts::default() }
    }

    fn check(stacks: &[(&str, u64)], hidden: &str, begins: Option<&str>, expected: &[&str]) {
        let mut costs = costs(stacks);
        let letters: Vec<char> = costs
            .contexts
            .iter()
            .map(|context| {
                let function = context.function.expect("each has one");
                char::from(costs.functions[function.index()].name[0])
            })
            .collect();
        let begins = begins.map(|begins| |id: ContextId| begins.contains(letters[id.index()]));
        costs.show_frames(|id| hidden.contains(letters[id.index()]), begins);
        let name = |id: ContextId| {
            let function = costs.contexts.get(id).function.expect("each has one");
            String::from_utf8_lossy(&costs.functions[function.index()].name).into_owned()
        };
        let shown = costs.samples.rows().map(|(key, values)| {
            let callers = |id: &ContextId| costs.contexts.get(*id).caller;
            let mut stack: Vec<_> =
                std::iter::successors(key.context(), callers).map(name).collect();
            stack.reverse();
            format!("{} {}", stack.join(""), values[0])
        });
        assert_eq!(shown.collect::<Vec<_>>(), expected, "{stacks:?} without {hidden}");
    }

    #[test]
    fn hidden_functions_give_their_costs_to_their_callers() {
        let stacks = [("mxaxb", 60), ("mxc", 40), ("mx", 5), ("m", 2)];
        check(&stacks, "x", None, &["mab 60", "mc 40", "m 7"]);
        check(&stacks, "", None, &["mxaxb 60", "mxc 40", "mx 5", "m 2"]);
    }

    #[test]
    fn equal_functions_that_come_together_are_recursion() {
        check(&[("mxm", 1), ("mm", 2), ("m", 4)], "x", None, &["mm 3", "m 4"]);
    }

    #[test]
    fn costs_without_a_caller_are_hidden() {
        check(&[("mxa", 1), ("m", 2), ("x", 4)], "mx", None, &["a 1", "<hidden> 6"]);
    }

    #[test]
    fn stacks_begin_at_the_outermost_function() {
        let stacks = [("mabac", 1), ("mb", 2), ("m", 4), ("ac", 8)];
        check(&stacks, "", Some("a"), &["abac 1", "<elsewhere> 6", "ac 8"]);
        check(&stacks, "a", Some("a"), &["bc 1", "<elsewhere> 6", "c 8"]);
    }

    #[test]
    fn sums_that_do_not_fit_stay_apart() {
        check(&[("mx", u64::MAX), ("m", 1)], "x", None, &[&format!("m {}", u64::MAX), "m 1"]);
    }
}
