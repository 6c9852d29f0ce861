//! Properties that hold for any names.

use proptest::prelude::*;

use super::super::*;
use super::{bytes, joined};

fn any_function() -> impl Strategy<Value = FunctionName> {
    const NAMES: [&str; 10] = [
        "f",
        "f.cold",
        "f.isra.0",
        "f.isra.1.cold",
        "g::h0123456789abcdef",
        "g::hfedcba9876543210",
        "g::hfedcba9876543210.cold",
        "l::{closure#0}",
        "l::{closure#1}",
        "l::{closure#1}.cold",
    ];
    const FILES: [&str; 6] = ["/a/s/x.c", "/a/t/x.c", "/b/s/x.c", "/b/y.c", "y.c", "x.c"];
    const OBJECTS: [&str; 4] = ["/a/libz.so.1", "/b/libz.so.2", "prog", "other"];
    let pick = |of: &'static [&'static str]| {
        proptest::option::of(proptest::sample::select(of).prop_map(bytes))
    };
    let name = proptest::sample::select(&NAMES[..]).prop_map(bytes);
    let line = proptest::option::of(1_u32..3);
    let flags = (any::<bool>(), proptest::bool::weighted(0.2));
    let parts = (name, pick(&FILES), line, pick(&OBJECTS), flags);
    parts.prop_map(|(name, file, line, object, (is_global, is_line))| FunctionName {
        name,
        file,
        line,
        is_line,
        offset: None,
        object,
        is_global,
    })
}

fn any_functions() -> impl Strategy<Value = Vec<FunctionName>> {
    proptest::collection::vec(any_function(), 0..12)
}

/// All of a row except its name, which the new side decides.
type MatchedRow = (Vec<FunctionName>, Vec<FunctionName>, Option<JoinRule>);

fn sorted_rows(joined: &Joined) -> Vec<MatchedRow> {
    let rows = joined.rows.iter();
    let mut rows: Vec<_> = rows.map(|row| (row.old.to_vec(), row.new.to_vec(), row.rule)).collect();
    rows.sort();
    rows
}

proptest! {
    #[test]
    fn both_sides_are_treated_alike(old in any_functions(), new in any_functions(), is_exact: bool) {
        let rules = JoinRules { is_exact, renames: Vec::new() };
        let there = sorted_rows(&joined(&old, &new, &rules));
        let mut back = sorted_rows(&joined(&new, &old, &rules));
        back.iter_mut().for_each(|(old, new, _)| std::mem::swap(old, new));
        back.sort();
        prop_assert_eq!(there, back);
    }

    #[test]
    fn the_order_in_which_names_come_is_nothing(
        (old, shuffled) in any_functions().prop_flat_map(|names| (Just(names.clone()), Just(names).prop_shuffle())),
        new in any_functions(),
        renames: bool,
    ) {
        let renames = if renames { vec![Rename::parse("^f=l::{closure#0}").expect("it is right")] } else { Vec::new() };
        let rules = JoinRules { is_exact: false, renames };
        let first = joined(&old, &new, &rules);
        prop_assert_eq!(&first.rows, &joined(&shuffled, &new, &rules).rows);
        // The new side first.
        let mut matcher = FunctionMatcher::default();
        matcher.numbers(&new.into(), WhichSide::New);
        matcher.numbers(&shuffled.into(), WhichSide::Old);
        prop_assert_eq!(&first.rows, &matcher.match_functions(&rules).rows);
    }

    #[test]
    fn equal_sides_are_joined_name_by_name(names in any_functions(), is_exact: bool) {
        let rules = JoinRules { is_exact, renames: Vec::new() };
        for row in joined(&names, &names, &rules).rows {
            prop_assert_eq!((&*row.old, &*row.new), (&[row.shown.clone()][..], &[row.shown.clone()][..]));
            prop_assert_eq!(row.rule, None);
        }
    }

    #[test]
    fn every_function_has_a_row(old in any_functions(), new in any_functions(), is_exact: bool) {
        let renames = vec![Rename::parse("cold=isra.0").expect("it is right")];
        let rules = JoinRules { is_exact, renames };
        let mut matcher = FunctionMatcher::default();
        let numbered: Vec<_> = [(&old, WhichSide::Old), (&new, WhichSide::New)].into_iter().flat_map(|(names, side)| {
            let number = |name: &FunctionName| (matcher.numbers(&[name.clone()].into(), side)[0] as usize, name.clone(), side);
            names.iter().map(number).collect::<Vec<_>>()
        }).collect();
        let joined = matcher.match_functions(&rules);
        for (number, name, side) in numbered {
            let row = &joined.rows[joined.row_of(number, side).expect("the side has it")];
            let of_side = if side == WhichSide::Old { &row.old } else { &row.new };
            let is_it = |other: &&FunctionName| (&other.name, &other.file, &other.object) == (&name.name, &name.file, &name.object);
            prop_assert_eq!(of_side.iter().filter(is_it).count(), 1);
        }
        for row in &joined.rows {
            let n_sides = usize::from(!row.old.is_empty()) + usize::from(!row.new.is_empty());
            prop_assert!(n_sides == 2 || n_sides == 1 && row.rule.is_none() && row.old.len() + row.new.len() == 1);
        }
    }
}
