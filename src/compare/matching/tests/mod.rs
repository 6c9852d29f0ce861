//! Which functions match which.

mod many;
mod places;
mod properties;
mod renames;

use std::sync::Arc;

use super::*;

/// A function from `name | file | object`, of which the latter two may be missing. After `!` no
/// other function has the name; `:7` at the end makes it line 7.
fn function(text: &str) -> FunctionName {
    let mut parts = text.split(" | ").map(bytes);
    let (name, file, object) = (parts.next(), parts.next(), parts.next());
    let name = name.expect("there is a name");
    let (name, is_global) = match name.strip_prefix(b"!") {
        Some(name) => (Arc::from(name), true),
        None => (name, false),
    };
    let (file, line) = match file.as_deref().map(String::from_utf8_lossy) {
        Some(file) if file.rfind(":").is_some_and(|place| place > 1) => {
            let (file, line) = file.rsplit_once(":").expect("it was found");
            let line = line.parse().expect("lines are numbers");
            (Some(Arc::from(file.as_bytes())), Some(line))
        }
        _ => (file, None),
    };
    FunctionName {
        name,
        file: file.filter(|file| !file.is_empty()),
        line,
        is_line: line.is_some(),
        offset: None,
        object,
        is_global,
    }
}

fn bytes(text: &str) -> Arc<[u8]> {
    text.as_bytes().into()
}

fn text(function: &FunctionName) -> String {
    let mut text = String::from_utf8_lossy(&function.name).into_owned();
    let line = function.line.map_or(String::new(), |line| format!(":{line}"));
    if function.file.is_some() || function.object.is_some() {
        let file = function.file.as_deref().unwrap_or_default();
        text += &format!(" | {}{line}", String::from_utf8_lossy(file));
    }
    if let Some(object) = &function.object {
        text += &format!(" | {}", String::from_utf8_lossy(object));
    }
    text
}

fn texts(functions: &[FunctionName]) -> String {
    let texts: Vec<_> = functions.iter().map(text).collect();
    texts.join(" + ")
}

fn joined(old: &[FunctionName], new: &[FunctionName], rules: &JoinRules) -> Joined {
    let mut matcher = FunctionMatcher::default();
    for (functions, side) in [(old, WhichSide::Old), (new, WhichSide::New)] {
        for function in functions {
            matcher.numbers(&[function.clone()].into(), side);
        }
    }
    matcher.match_functions(rules)
}

/// Rows as `OLD = NEW`, followed by the rule, if any.
fn rows(old: &[&str], new: &[&str], rules: &JoinRules) -> Vec<String> {
    let [old, new] = [old, new].map(|side| side.iter().map(|it| function(it)).collect::<Vec<_>>());
    let joined = joined(&old, &new, rules);
    let rows = joined.rows.iter().map(|row| {
        let rule = row.rule.map_or(String::new(), |rule| format!(" ({rule:?})"));
        let text = format!("{} = {}{rule}", texts(&row.old), texts(&row.new));
        text.trim().to_owned()
    });
    rows.collect()
}

fn check(old: &[&str], new: &[&str], expected: &[&str]) {
    let found = rows(old, new, &JoinRules::default());
    assert_eq!(found, expected, "for {old:?} and {new:?}");
}

fn check_exact(old: &[&str], new: &[&str], expected: &[&str]) {
    let rules = JoinRules { is_exact: true, renames: Vec::new() };
    let found = rows(old, new, &rules);
    assert_eq!(found, expected, "for {old:?} and {new:?}");
}

#[test]
fn equal_names_are_the_same() {
    check(&["f", "g"], &["f", "h"], &["f = f", "g =", "= h"]);
    check(&["f | a.c", "f | b.c"], &["f | b.c"], &["f | a.c =", "f | b.c = f | b.c"]);
    check(&["f", "f.cold"], &["f", "f.cold"], &["f = f", "f.cold = f.cold"]);
    check(&["f", "f.cold"], &[], &["f =", "f.cold ="]);
    check(&[], &[], &[]);
}

#[test]
fn clones_match_their_originals() {
    check(&["f"], &["f.constprop.0"], &["f = f.constprop.0 (Clones)"]);
    check(&["f"], &["f", "f.part.0"], &["f = f + f.part.0 (Clones)"]);
    let both = ["f + f.isra.0 = f + f.isra.1.cold (Clones)"];
    check(&["f", "f.isra.0"], &["f", "f.isra.1.cold"], &both);
    check(&["_Z1fv"], &["_Z1fv.isra.0"], &["_Z1fv = _Z1fv.isra.0 (Clones)"]);
    check(&["f()"], &["f() [clone .cold]"], &["f() = f() [clone .cold] (Clones)"]);
    check(&["f.0"], &["f.1"], &["f.0 =", "= f.1"]);
}

#[test]
fn hashes_go_before_anything_else_does() {
    let (old, new) = ("_ZN3app3run17h0123456789abcdefE", "_ZN3app3run17hfedcba9876543210E");
    check(&[old], &[new], &[&format!("{old} = {new} (Hashes)")]);
    let [old_cold, new_cold] = [old, new].map(|name| format!("{name}.cold"));
    let pairs = [format!("{old} = {new} (Hashes)"), format!("{old_cold} = {new_cold} (Hashes)")];
    check(&[old, &old_cold], &[new, &new_cold], &[&pairs[0], &pairs[1]]);
    let demangled = ["app::run::h0123456789abcdef", "app::run::hfedcba9876543210"];
    let expected = format!("{} = {} (Hashes)", demangled[0], demangled[1]);
    check(&demangled[..1], &demangled[1..], &[&expected]);
    let (old, new) = ("_RNvCs15kBYyAo9fc_7mycrate7example", "_RNvCsfDHfxTQ9p8S_7mycrate7example");
    check(&[old], &[new], &[&format!("{old} = {new} (Hashes)")]);
}

#[test]
fn hashes_that_both_sides_have_tell() {
    let [first, second, third] =
        ["0", "1", "2"].map(|digit| format!("app::run::h0123456789abcde{digit}"));
    let cold = format!("{first}.cold");
    check(
        &[&first, &second],
        &[&first, &cold, &third],
        &[&format!("{first} = {first} + {cold} (Clones)"), &format!("{second} = {third} (Hashes)")],
    );
    check(&[&first, &second], &[&first], &[&format!("{first} = {first}"), &format!("{second} =")]);
}

#[test]
fn lambdas_with_any_number_are_the_same() {
    let (first, second) = ("_ZZ4mainENKUliE_clEi", "_ZZ4mainENKUliE0_clEi");
    check(&[first], &[second], &[&format!("{first} = {second} (Lambdas)")]);
    let one = format!("{first} = {second} + {first} (Lambdas)");
    check(&[first], &[first, second], &[&one]);
    let other = "_ZZ4mainENKUlcE0_clEc";
    check(&[first], &[other], &[&format!("= {other}"), &format!("{first} =")]);
    check(&["f::{closure#0}"], &["f::{closure#1}"], &["f::{closure#0} = f::{closure#1} (Lambdas)"]);
    // Clones go before numbers do.
    let pairs = [
        "f::{closure#0} + f::{closure#0}.cold = f::{closure#0} (Clones)",
        "f::{closure#1} = f::{closure#1}",
    ];
    let old = ["f::{closure#0}", "f::{closure#0}.cold", "f::{closure#1}"];
    check(&old, &["f::{closure#0}", "f::{closure#1}"], &pairs);
}

#[test]
fn constructors_on_both_sides_are_distinguished() {
    check(&["_ZN1AC1Ev"], &["_ZN1AC2Ev"], &["_ZN1AC1Ev = _ZN1AC2Ev (Linkage)"]);
    check(&["_ZL1fv"], &["_Z1fv"], &["_ZL1fv = _Z1fv (Linkage)"]);
    let both = ["_ZN1AC1Ev", "_ZN1AC2Ev"];
    check(&both, &both, &["_ZN1AC1Ev = _ZN1AC1Ev", "_ZN1AC2Ev = _ZN1AC2Ev"]);
}

#[test]
fn functions_start_where_they_start() {
    let starting = |line| FunctionName { line: Some(line), ..function("f | x.c") };
    let joined = joined(&[starting(7), starting(5)], &[starting(9)], &JoinRules::default());
    let [row] = &*joined.rows else {
        panic!("there is one function: {joined:?}");
    };
    assert_eq!((&*row.old, &*row.new), (&[starting(5)][..], &[starting(9)][..]));
    assert_eq!((&row.shown, row.rule), (&starting(9), None));
}

#[test]
fn exact_names_are_as_they_are() {
    check_exact(&["f"], &["f"], &["f = f"]);
    check_exact(&["f"], &["f.cold"], &["f =", "= f.cold"]);
    check_exact(&["f | /a/x.c"], &["f | /b/x.c"], &["f | /a/x.c =", "= f | /b/x.c"]);
    check_exact(&["f | x.c"], &["f"], &["= f", "f | x.c ="]);
    check_exact(&["!f | x.c"], &["!f | y.c"], &["f | x.c =", "= f | y.c"]);
    check_exact(&["_ZN1AC1Ev"], &["_ZN1AC2Ev"], &["_ZN1AC1Ev =", "= _ZN1AC2Ev"]);
    check_exact(&["f |  | a"], &["f |  | b"], &["f |  | a =", "= f |  | b"]);
}

#[test]
fn lists_of_names_are_numbered_once() {
    let names: Arc<[_]> = ["f", "g", "f"].iter().map(|text| function(text)).collect();
    let mut matcher = FunctionMatcher::default();
    let numbers = matcher.numbers(&names, WhichSide::New);
    assert_eq!(*numbers, [0, 1, 0]);
    assert!(Arc::ptr_eq(&numbers, &matcher.numbers(&names, WhichSide::New)));
    let old = matcher.numbers(&names[..1].into(), WhichSide::Old);
    assert_eq!((&*old, matcher.n_functions()), (&[0][..], 2));
    let joined = matcher.match_functions(&JoinRules::default());
    assert_eq!(joined.row_of(1, WhichSide::New), Some(1));
    assert_eq!(joined.row_of(1, WhichSide::Old), None);
    assert_eq!(joined.row_of(2, WhichSide::New), None);
}

#[test]
fn functions_of_one_program_may_stay_apart() {
    let mut matcher = FunctionMatcher::with_namesakes();
    let name = |name: &str, line: u32| FunctionName {
        name: name.as_bytes().into(),
        file: Some(b"a.c"[..].into()),
        line: Some(line),
        ..FunctionName::default()
    };
    let mut numbers = |names: &[FunctionName]| matcher.numbers(&names.into(), WhichSide::New);
    assert_eq!(*numbers(&[name("init", 1), name("g", 3), name("init", 5)]), [0, 1, 2]);
    assert_eq!(*numbers(&[name("init", 2), name("init", 6), name("g", 1)]), [0, 2, 1]);
    assert_eq!(matcher.n_functions(), 3);
}
