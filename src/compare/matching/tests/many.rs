//! Names that are many or long.

use std::sync::Arc;

use super::super::*;
use super::{function, joined};

#[test]
fn very_many_names_of_a_kind_take_no_longer_than_sorting_them() {
    let n_names = if cfg!(debug_assertions) { 3_000 } else { 30_000 };
    let many = |name: &dyn Fn(usize) -> String| -> Arc<[FunctionName]> {
        (0..n_names).map(|index| function(&name(index))).collect()
    };
    let names: [[&dyn Fn(usize) -> String; 2]; 3] = [
        [&|index| format!("f.isra.{index}"), &|index| format!("f.part.{index}")],
        [&|index| format!("f | /a/{index}/x.c"), &|index| format!("f | /b/{index}/x.c")],
        [&|index| format!("!f | {index}.c |  | a{index}"), &|index| {
            format!("!f | {index}.cc |  | b{index}")
        }],
    ];
    for [old, new] in names {
        let mut matcher = FunctionMatcher::default();
        matcher.numbers(&many(old), WhichSide::Old);
        matcher.numbers(&many(new), WhichSide::New);
        assert!(!matcher.match_functions(&JoinRules::default()).rows.is_empty());
    }
}

#[test]
fn very_long_names_are_taken_apart_once() {
    let long = "x".repeat(if cfg!(debug_assertions) { 400_000 } else { 4_000_000 });
    let names = |end: &str| [function(&format!("{long}.{end}"))];
    let joined = joined(&names("isra.0"), &names("part.1"), &JoinRules::default());
    assert_eq!(joined.rows.len(), 1);
}
