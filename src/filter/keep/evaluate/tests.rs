use std::borrow::Cow;

use super::*;
use crate::filter::keep::{CostShare, KeepError, MatchPosition};

/// Nodes with names, and calls between them; node `i` has `10 * i` percent.
struct Letters {
    names: &'static str,
    calls: &'static [(usize, usize)],
}

impl Graph for Letters {
    fn n_nodes(&self) -> usize {
        self.names.len()
    }

    fn n_labels(&self) -> usize {
        self.names.len()
    }

    fn label_of(&self, node: usize) -> usize {
        node
    }

    fn label(&self, label: usize) -> Cow<'_, [u8]> {
        Cow::Borrowed(&self.names.as_bytes()[label..=label])
    }

    fn percentage(&self, node: usize, of: CostShare) -> f64 {
        let tens = [0.0, 10.0, 20.0, 30.0, 40.0, 50.0, 60.0];
        match of {
            CostShare::SelfCost => tens[node],
            CostShare::Stack => tens[node] + 5.0,
            CostShare::Collector => 0.0,
        }
    }

    fn n_lists(&self) -> usize {
        self.names.len()
    }

    fn list_of(&self, node: usize) -> Option<usize> {
        Some(node)
    }

    fn callees(&self, list: usize) -> impl Iterator<Item = usize> {
        let calls = self.calls.iter().filter(move |call| call.0 == list);
        calls.map(|call| call.1)
    }
}

/// a → b → c → d → b, e → c, f alone.
const LETTERS: Letters =
    Letters { names: "abcdef", calls: &[(0, 1), (1, 2), (2, 3), (3, 1), (4, 2)] };

fn check(expression: &str, expected: &str) {
    let shown = match Keep::parse(expression.as_bytes(), MatchPosition::Start) {
        Err(error) => error.to_string(),
        Ok(keep) => {
            let set = keep.select(&LETTERS);
            set.iter().map(|node| char::from(LETTERS.names.as_bytes()[node])).collect()
        }
    };
    assert_eq!(shown, expected, "for {expression}");
}

#[test]
fn sets_combine() {
    check("all", "abcdef");
    check("\"[ab]\"", "ab");
    check("(and)", "abcdef");
    check("(or)", "");
    check("(or \"a\" \"b\" \"f\")", "abf");
    check("(and all \"[abc]\" (not \"b\"))", "ac");
    check("(and(or\"a\"\"b\")(not\"b\"))", "a");
}

#[test]
fn calls_lead_on() {
    check("(succ \"a\")", "ab");
    check("(pred \"c\")", "bce");
    check("(from \"a\")", "abcd");
    check("(to \"b\")", "abcde");
    check("(to \"f\")", "f");
}

#[test]
fn shares_count_from_the_threshold_on() {
    check("(thresh 30)", "def");
    check("(thresh 30.1)", "ef");
    check("(thresh-stack 55.0)", "f");
    check("(thresh-gc 0)", "abcdef");
    check("(thresh 3e1%)", "def");
}

#[test]
fn only_the_first_expression_counts() {
    check("; comment\n \"a\" \"b\"", "a");
    check("all)", "abcdef");
    check("\"a\"\"", "a");
}

#[test]
fn invalid_expressions_are_refused() {
    for (text, error) in [
        ("(thresh nan)", KeepError::Threshold("thresh")),
        ("", KeepError::Empty),
        ("; all", KeepError::Empty),
        ("(and \"a\"", KeepError::Open),
        ("(", KeepError::Open),
        (")", KeepError::Closed),
        ("\"a", KeepError::OpenString),
        ("\"a\\", KeepError::OpenString),
        ("main", KeepError::Word("main".to_owned())),
        ("(all)", KeepError::Operator("all".to_owned())),
        ("()", KeepError::Operator(")".to_owned())),
        ("(not)", KeepError::Arity("not")),
        ("(not all all)", KeepError::Arity("not")),
        ("(thresh)", KeepError::Threshold("thresh")),
        ("(thresh 100.1)", KeepError::Threshold("thresh")),
        ("(thresh \"5\")", KeepError::Threshold("thresh")),
        ("(thresh (and))", KeepError::Threshold("thresh")),
        ("(thresh-gc x)", KeepError::Threshold("thresh-gc")),
        (&"(not ".repeat(100_000), KeepError::Depth),
    ] {
        check(text, &error.to_string());
    }
}

#[test]
fn thresholds_take_one_number() {
    check(
        "(thresh 5 5)",
        "`5` is not an expression; put names in double quotes, as in '(from \"main\")'",
    );
}
