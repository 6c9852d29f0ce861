//! Words against names of several languages.

use super::*;
use crate::filter::SymSpec;
use crate::model::Address;
use crate::symbols::{Granularity, SourceFiles};

const NAMES: [&str; 10] = [
    "main",
    "_ZN2ns7Matcher3runEi",
    "_ZN2ns7Matcher3runEl",
    "ns::Engine::run(int)",
    "ns::Engine::stop()",
    "other::Engine::stop()",
    "<kv::Store as kv::Map>::get",
    "helper.isra.0",
    "mcount",
    "drop<ns::Matcher>(int)",
];

fn table() -> SymbolTable {
    let symbol = |(place, name): (u64, &&str)| Symbol {
        range: Address(place)..Address(place + 1),
        ticks_end: Address(place + 1),
        name: name.as_bytes().into(),
        is_function: true,
        is_static: false,
        source: None,
    };
    let symbols = (0..).zip(&NAMES).map(symbol).collect();
    SymbolTable::new(symbols, SourceFiles::default(), Granularity::Functions)
}

/// Which symbols a word means, by their places, where some took part in the run.
fn check_used(word: &str, used: &[u32], expected: &str) {
    let table = table();
    let took_part = |id: SymbolId| used.contains(&id.0);
    let finder = Finder::new(&table, Style::Auto).preferring(&took_part);
    let pattern = SymSpec::of_names(word).left;
    let found = match finder.find(&pattern) {
        Ok(found) => {
            let places = found.iter().enumerate().filter(|(_, is_in)| **is_in);
            let places: Vec<_> = places.map(|(place, _)| place.to_string()).collect();
            places.join(" ")
        }
        Err(NotFound::Nothing) => format!("none {}", finder.nearest(&pattern).join(" ")),
        Err(NotFound::Ambiguous { candidates, .. }) => format!("of {}", candidates.join(" ")),
    };
    assert_eq!(found, expected, "for {word}");
}

fn check(word: &str, expected: &str) {
    check_used(word, &[], expected);
}

#[test]
fn names_fit_as_the_executable_and_as_sources_write_them() {
    check("main", "0");
    check("_ZN2ns7Matcher3runEi", "1");
    check("ns::Matcher::run(int)", "1");
    check("ns::Matcher::run", "1 2");
    check("kv::Store::get", "6");
    check("helper", "7");
}

#[test]
fn outer_namespaces_may_be_left_out_where_that_names_one_function() {
    check("Matcher::run", "1 2");
    check("Matcher::run(long)", "2");
    check("run", "of ns::Engine::run ns::Matcher::run");
    check("get", "6");
    check("::get", "none kv::Store::get");
    check("atcher::run", "none ns::Matcher::run");
}

#[test]
fn of_several_functions_the_one_that_took_part_is_meant() {
    check_used("run", &[3], "3");
    check_used("run", &[1], "1 2");
    check_used("run", &[1, 2, 3, 4], "of ns::Engine::run ns::Matcher::run");
    check_used("stop", &[0], "of ns::Engine::stop other::Engine::stop");
}

#[test]
fn a_star_means_all_that_fit() {
    check("*::run", "1 2 3");
    check("Engine::*", "3 4 5");
    check("m*", "0 8");
    check("ns::*(int)", "1 3");
    check("_ZN*", "1 2");
    check("*::Store::*", "6");
    check("*<ns::Matcher>*", "9");
    check("*Matcher*", "1 2");
}

#[test]
fn near_names_are_compared_by_as_many_parts_as_were_typed() {
    check("Macher::run", "none ns::Matcher::run");
    check("mian", "none main");
    check("stpo", "none ns::Engine::stop other::Engine::stop");
    check("nothing_like_it", "none ");
}
