//! Functions that were renamed.

use super::super::*;
use super::rows;

fn check_renamed(renames: &[&str], old: &[&str], new: &[&str], expected: &[&str]) {
    let parsed = renames.iter().map(|text| Rename::parse(text).expect("case should parse"));
    let renames: Vec<_> = parsed.collect();
    for is_exact in [false, true] {
        let rules = JoinRules { is_exact, renames: renames.clone() };
        let found = rows(old, new, &rules);
        assert_eq!(found, expected, "for {old:?} and {new:?}, {is_exact}");
    }
}

#[test]
fn old_names_are_renamed() {
    check_renamed(&["^walk$=stroll"], &["walk"], &["stroll"], &["walk = stroll (Renamed)"]);
    check_renamed(
        &["^f$=x", "^g$=f", "^x$=g"],
        &["f", "g"],
        &["f", "g"],
        &["g = f (Renamed)", "f = g (Renamed)"],
    );
    // Renaming does not change new names; old names without a match keep theirs.
    check_renamed(&["^f$=g"], &["f"], &["f"], &["f =", "= f"]);
    check_renamed(&["^f$=g"], &["f", "g"], &["g"], &["f + g = g (Renamed)"]);
    check_renamed(&["^f$=g"], &["f", "g"], &["h"], &["f =", "g =", "= h"]);
    // Demangled names and linkage names.
    check_renamed(
        &["^ns::f=ns::g"],
        &["_ZN2ns1fEi"],
        &["_ZN2ns1gEi"],
        &["_ZN2ns1fEi = _ZN2ns1gEi (Renamed)"],
    );
    check_renamed(
        &["ns1fE=ns1gE"],
        &["_ZN2ns1fEi"],
        &["_ZN2ns1gEi"],
        &["_ZN2ns1fEi = _ZN2ns1gEi (Renamed)"],
    );
    check_renamed(
        &["^f$=g"],
        &["f", "f.cold"],
        &["g", "g.cold"],
        &["f = g (Renamed)", "f.cold = g.cold (Renamed)"],
    );
    let new = "_ZN3app3run17hfedcba9876543210E";
    let old = "_ZN3app2go17h0123456789abcdefE";
    check_renamed(&["::go$=::run"], &[old], &[new], &[&format!("{old} = {new} (Renamed)")]);
}
