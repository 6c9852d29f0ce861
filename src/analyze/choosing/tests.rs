//! Tests of choosing rows and columns.

use super::*;
use crate::report::{Cell, Column, Layout, NoNames, Role, RowKind, RowTable};

/// A flat profile of these self seconds, calls and names.
fn flat(rows: &[(RowKind, i128, i128, &str)]) -> Section {
    let all: i128 = rows.iter().map(|row| row.1).sum();
    let mut table = RowTable::default();
    let mut sum = 0;
    for &(kind, seconds, calls, name) in rows {
        sum += seconds;
        let percent = 100.0 * seconds as f64 / all as f64;
        let cells = [
            Cell::Real(percent),
            Cell::Real(sum as f64),
            Cell::Real(seconds as f64),
            Cell::Integer(calls),
            Cell::text(name),
        ];
        table.push(kind, cells);
    }
    let columns = [
        Column::shown("percent", Role::Share, ["%", "time"]),
        Column::shown("cumulative_seconds", Role::Cumulative, ["", "cumulative"]),
        Column::shown("self_seconds", Role::SelfValue, ["self", "seconds"]),
        Column::shown("calls", Role::Calls, ["", "calls"]),
        Column::shown("name", Role::Name, ["", "name"]),
    ];
    Section::new(SectionId::Flat, "", Layout::Gprof, columns, table)
}

const ROWS: [(RowKind, i128, i128, &str); 6] = [
    (RowKind::Entry, 50, 1, "hot"),
    (RowKind::Inline, 20, 0, "in hot"),
    (RowKind::Entry, 30, 7, "warm"),
    (RowKind::Unattributed, 15, 0, "<no function>"),
    (RowKind::Entry, 5, 9, "cool"),
    (RowKind::Entry, 0, 4, "idle"),
];

/// The rows without the row of the inlined part, whose seconds are in its function's.
fn usual() -> Report {
    report(flat(&[ROWS[0], ROWS[2], ROWS[3], ROWS[4], ROWS[5]]))
}

fn report(section: Section) -> Report {
    Report {
        inputs: Vec::new(),
        metrics: Vec::new(),
        primary: 0,
        names: Box::new(NoNames),
        sections: vec![section],
        diagnostics: Vec::new(),
        command: Vec::new(),
        notes: Vec::new(),
        has_chosen_rows: false,
    }
}

/// The text of rows, cell by cell.
fn said(report: &Report) -> Vec<String> {
    let mut said = Vec::new();
    let cell = |cell: &Cell| match cell {
        Cell::Real(number) => format!("{number:.2}"),
        Cell::Integer(number) => number.to_string(),
        Cell::Text(text) => String::from_utf8_lossy(text).into_owned(),
        _ => "-".to_owned(),
    };
    let visited = report.sections[0].rows.for_each(&mut |row| {
        said.push(row.cells.iter().map(cell).collect::<Vec<_>>().join(" "));
        Ok(())
    });
    visited.expect("nothing is written");
    said
}

fn check(choice: &RowChoice, expected: &[&str]) {
    let mut report = usual();
    choose(&mut report, choice, &FlatFold::default()).expect("the columns are there");
    assert_eq!(said(&report), expected, "for {choice:?}");
}

fn sorted_by(column: &str) -> RowChoice {
    RowChoice { sort: Some(column.to_owned()), ..RowChoice::default() }
}

#[test]
fn omitted_rows_become_one_with_their_sums() {
    let choice = RowChoice { top: Some(1), ..RowChoice::default() };
    check(
        &choice,
        &[
            "50.00 50.00 50.00 1 hot",
            "15.00 65.00 15.00 0 <no function>",
            "35.00 - 35.00 20 ... 3 more functions",
        ],
    );
}

#[test]
fn percentages_are_of_the_whole_unless_relative() {
    let choice = RowChoice { min_percent: Some(10.0), is_relative: true, ..RowChoice::default() };
    check(
        &choice,
        &[
            "52.63 50.00 50.00 1 hot",
            "31.58 80.00 30.00 7 warm",
            "15.79 95.00 15.00 0 <no function>",
            "- - 5.00 13 ... 2 more functions",
        ],
    );
    let mut report = usual();
    let unchanged = choose(&mut report, &choice, &FlatFold::default());
    assert_eq!(unchanged, Ok(true));
    let said = &report.sections[0].summary;
    assert_eq!(*said, ["Percentages are of the 95.00 seconds shown."]);
}

#[test]
fn rows_are_sorted_by_any_column_and_running_sums_follow() {
    check(
        &sorted_by("calls"),
        &[
            "5.00 5.00 5.00 9 cool",
            "30.00 35.00 30.00 7 warm",
            "0.00 35.00 0.00 4 idle",
            "50.00 85.00 50.00 1 hot",
            "15.00 100.00 15.00 0 <no function>",
        ],
    );
    let turned = RowChoice { top: Some(2), is_reversed: true, ..sorted_by("self") };
    check(
        &turned,
        &[
            "15.00 15.00 15.00 0 <no function>",
            "30.00 45.00 30.00 7 warm",
            "50.00 95.00 50.00 1 hot",
            "5.00 - 5.00 13 ... 2 more functions",
        ],
    );
}

#[test]
fn subordinate_rows_move_with_their_row() {
    let mut report = report(flat(&ROWS[..4]));
    let choice = RowChoice { top: Some(1), is_reversed: true, ..RowChoice::default() };
    choose(&mut report, &choice, &FlatFold::default()).expect("no column is named");
    let names: Vec<String> = said(&report)
        .iter()
        .map(|row| row.split(' ').skip(4).collect::<Vec<_>>().join(" "))
        .collect();
    let expected = ["<no function>", "hot", "in hot", "... 1 more function"];
    assert_eq!(names, expected);
}

#[test]
fn columns_are_in_the_requested_order_before_the_name() {
    let choice = RowChoice {
        columns: Some(["calls", "name", "self"].map(str::to_owned).into()),
        drops_columns: true,
        top: Some(1),
        ..RowChoice::default()
    };
    check(&choice, &["1 50.00 hot", "0 15.00 <no function>", "20 35.00 ... 3 more functions"]);
}

#[test]
fn an_unknown_column_is_an_error_that_lists_the_valid_ones() {
    let mut report = usual();
    let result = choose(&mut report, &sorted_by("wall"), &FlatFold::default());
    let has = ["percent", "cumulative_seconds", "self_seconds", "calls", "name"];
    let expected = NoColumn { column: "wall".to_owned(), has: has.map(str::to_owned).to_vec() };
    assert_eq!(result, Err(expected));
}

#[test]
fn a_stable_profile_is_by_name_without_shares_and_sums() {
    let choice = RowChoice { is_stable: true, ..RowChoice::default() };
    check(
        &choice,
        &["15.00 0 <no function>", "5.00 9 cool", "50.00 1 hot", "0.00 4 idle", "30.00 7 warm"],
    );
}

#[test]
fn terminals_omit_several_zero_cost_rows_unless_all_are() {
    let fold = FlatFold {
        leaves_out_small_frames: false,
        leaves_out_small_calls: false,
        leaves_out_zero_cost: true,
        leaves_out_unchanged: false,
        sources: SourceFold::default(),
        kept: None,
    };
    let check = |rows: &[(RowKind, i128, i128, &str)], expected: &[&str]| {
        let mut report = report(flat(rows));
        choose(&mut report, &RowChoice::default(), &fold).expect("no column is named");
        let said = said(&report);
        let said: Vec<&str> =
            said.iter().map(|row| row.split_once(' ').expect("cells").1).collect();
        assert_eq!(said, expected);
    };
    let zero_cost = |name| (RowKind::Entry, 0, 4, name);
    check(
        &[ROWS[0], zero_cost("a"), ROWS[3], zero_cost("b")],
        &[
            "50.00 50.00 1 hot",
            "65.00 15.00 0 <no function>",
            "- - - ... 2 more functions, 0.00 seconds, 8 calls; --all shows them",
        ],
    );
    check(&[ROWS[0], zero_cost("a")], &["50.00 50.00 1 hot", "50.00 0.00 4 a"]);
}

#[test]
fn columns_add_up_with_any_rows_omitted() {
    let mut state = 7_u64;
    let mut random = |below: u64| {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
        (state >> 33) % below
    };
    for _ in 0..200 {
        let n_rows = 1 + random(30);
        let rows: Vec<(RowKind, i128, i128, &str)> = (0..n_rows)
            .map(|_| (RowKind::Entry, random(50).into(), random(9).into(), "f"))
            .collect();
        let choice = RowChoice {
            top: match random(4) {
                0 => None,
                1 => Some(1),
                2 => Some(4),
                _ => Some(25),
            },
            min_percent: (random(2) == 0).then(|| random(20) as f64),
            sort: (random(2) == 0).then(|| "calls".to_owned()),
            is_reversed: random(2) == 0,
            ..RowChoice::default()
        };
        let mut report = report(flat(&rows));
        choose(&mut report, &choice, &FlatFold::default()).expect("the column is there");
        let (mut seconds, mut calls) = (0.0, 0);
        let visited = report.sections[0].rows.for_each(&mut |row| {
            if let [_, _, Cell::Real(own), Cell::Integer(called), _] = row.cells {
                seconds += own;
                calls += called;
            }
            Ok(())
        });
        visited.expect("nothing is written");
        let all: i128 = rows.iter().map(|row| row.1).sum();
        assert!((seconds - all as f64).abs() < 1e-9, "{choice:?} of {rows:?}");
        assert_eq!(calls, rows.iter().map(|row| row.2).sum::<i128>());
    }
}

/// A difference of these changes and names, with the program as a whole above.
fn difference(rows: &[(RowKind, i128, &str)]) -> Section {
    let mut table = RowTable::default();
    for &(kind, change, name) in rows {
        let cells = [
            Cell::Integer(50),
            Cell::Integer(50 + change),
            Cell::Integer(change),
            Cell::text("unclear"),
            Cell::Real(change as f64),
            Cell::text(name),
        ];
        table.push(kind, cells);
    }
    let columns = [
        Column::shown("old", Role::Old, ["", "old"]),
        Column::shown("new", Role::New, ["", "new"]),
        Column::shown("change", Role::Change, ["", "change"]),
        Column::shown("verdict", Role::Verdict, ["", "verdict"]),
        Column::hidden("share", Role::Share),
        Column::shown("name", Role::Name, ["", "name"]),
    ];
    Section::new(SectionId::Difference, "", Layout::Table, columns, table)
}

const CHANGES: [(RowKind, i128, &str); 5] = [
    (RowKind::Total, -5, "whole program"),
    (RowKind::Entry, 3, "a"),
    (RowKind::Entry, -9, "b"),
    (RowKind::Entry, 1, "c"),
    (RowKind::Unattributed, 0, "<no function>"),
];

fn check_difference(choice: &RowChoice, expected: &[&str]) {
    let mut report = report(difference(&CHANGES));
    choose(&mut report, choice, &FlatFold::default()).expect("the columns are there");
    assert_eq!(said(&report), expected, "for {choice:?}");
    assert!(report.sections[0].summary.is_empty(), "for {choice:?}");
}

#[test]
fn changes_are_sorted_however_they_go_below_the_program_as_a_whole() {
    let whole = "50 45 -5 unclear -5.00 whole program";
    let a = "50 53 3 unclear 3.00 a";
    let b = "50 41 -9 unclear -9.00 b";
    let c = "50 51 1 unclear 1.00 c";
    let nowhere = "50 50 0 unclear 0.00 <no function>";
    check_difference(&sorted_by("change"), &[whole, b, a, c, nowhere]);
    let by_name = sorted_by("name");
    check_difference(&by_name, &[whole, nowhere, a, b, c]);
    let turned = RowChoice { is_reversed: true, ..sorted_by("change") };
    check_difference(&turned, &[whole, nowhere, c, a, b]);
}

#[test]
fn omitted_rows_of_a_difference_come_last_without_a_verdict() {
    let whole = "50 45 -5 unclear -5.00 whole program";
    let b = "50 41 -9 unclear -9.00 b";
    let nowhere = "50 50 0 unclear 0.00 <no function>";
    let rest = "100 104 4 - 4.00 ... 2 more functions";
    let top = RowChoice { top: Some(1), ..sorted_by("change") };
    check_difference(&top, &[whole, b, nowhere, rest]);
    let in_order = RowChoice { min_percent: Some(5.0), ..RowChoice::default() };
    check_difference(&in_order, &[whole, b, nowhere, rest]);
    let none = RowChoice { top: Some(0), is_reversed: true, ..RowChoice::default() };
    let rest = "150 145 -5 - -5.00 ... 3 more functions";
    check_difference(&none, &[whole, nowhere, rest]);
}

#[test]
fn a_sum_below_its_rows_stays_there() {
    let mut rows = CHANGES;
    rows.rotate_left(1);
    let mut report = report(difference(&rows));
    let choice = RowChoice { top: Some(1), ..sorted_by("change") };
    choose(&mut report, &choice, &FlatFold::default()).expect("the column is there");
    let names: Vec<_> =
        said(&report).iter().map(|row| row.rsplit(' ').next().map(str::to_owned)).collect();
    let expected = ["b", "function>", "functions", "program"];
    assert_eq!(names, expected.map(|word| Some(word.to_owned())));
}

#[test]
fn a_difference_adds_up_to_its_first_row_with_any_rows_omitted() {
    let mut state = 11_u64;
    let mut random = |below: u64| {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
        (state >> 33) % below
    };
    for _ in 0..200 {
        let n_rows = random(12);
        let changes: Vec<i128> = (0..n_rows).map(|_| i128::from(random(41)) - 20).collect();
        let all = changes.iter().sum();
        let entries = changes.iter().map(|&change| (RowKind::Entry, change, "f"));
        let rows: Vec<_> = [(RowKind::Total, all, "all")].into_iter().chain(entries).collect();
        let choice = RowChoice {
            top: (random(2) == 0).then(|| usize::try_from(random(5)).expect("it is small")),
            min_percent: (random(2) == 0).then(|| random(20) as f64),
            sort: (random(2) == 0).then(|| "change".to_owned()),
            is_reversed: random(2) == 0,
            ..RowChoice::default()
        };
        let mut report = report(difference(&rows));
        choose(&mut report, &choice, &FlatFold::default()).expect("the column is there");
        let mut seen = Vec::new();
        let visited = report.sections[0].rows.for_each(&mut |row| {
            if let Cell::Integer(change) = row.cells[2] {
                seen.push((row.kind, change));
            }
            Ok(())
        });
        visited.expect("nothing is written");
        assert_eq!(seen[0], (RowKind::Total, all), "{choice:?} of {rows:?}");
        let others: i128 = seen[1..].iter().map(|(_, change)| change).sum();
        assert_eq!(others, all, "{choice:?} of {rows:?}");
        let rest = seen.iter().position(|(kind, _)| *kind == RowKind::Rest);
        assert!(rest.is_none_or(|place| place + 1 == seen.len()));
        let shown = seen.iter().filter(|(kind, _)| *kind == RowKind::Entry);
        assert!(choice.top.is_none_or(|top| shown.count() <= top));
    }
}

/// A call graph of these kinds, shares, calls, numbers and names.
fn graph(rows: &[(RowKind, Option<f64>, i128, i128, &str)]) -> Section {
    let mut table = RowTable::default();
    for &(kind, percent, calls, index, name) in rows {
        let cells = [
            Cell::Integer(index),
            percent.map_or(Cell::Absent, Cell::Real),
            Cell::Integer(calls),
            Cell::text(name),
            Cell::Absent,
        ];
        table.push(kind, cells);
    }
    let columns = [
        Column::shown("index", Role::Index, ["", "index"]),
        Column::shown("percent", Role::Share, ["%", "time"]),
        Column::shown("calls", Role::Calls, ["", "called"]),
        Column::shown("name", Role::Name, ["", "name"]),
        Column::hidden("unlisted", Role::Other),
    ];
    Section::new(SectionId::Graph, "", Layout::Gprof, columns, table)
}

fn check_graph(rows: &[(RowKind, Option<f64>, i128, i128, &str)], expected: &[&str]) {
    let mut report = report(graph(rows));
    let fold = FlatFold { leaves_out_small_calls: true, ..FlatFold::default() };
    choose(&mut report, &RowChoice::default(), &fold).expect("no column is named");
    assert_eq!(said(&report), expected);
}

#[test]
fn calls_that_cost_hardly_anything_are_one_line() {
    use RowKind::{Callee, Caller, Entry};
    check_graph(
        &[
            (Entry, Some(100.0), 0, 1, "main"),
            (Callee, Some(99.0), 1, 2, "work"),
            (Callee, Some(0.4), 5, 3, "first"),
            (Callee, Some(0.3), 7, 4, "second"),
            (Callee, Some(0.2), 9, 5, "third"),
            (Caller, Some(0.4), 2, 3, "first"),
            (Caller, Some(99.0), 1, 1, "main"),
            (Entry, Some(99.4), 3, 2, "work"),
            // In a cycle, the flow along a call is unknown.
            (Callee, None, 8, 4, "second"),
            (Callee, None, 8, 5, "third"),
            (Caller, Some(0.1), 4, 4, "second"),
            (Caller, Some(0.2), 4, 1, "main"),
            (Entry, Some(0.4), 5, 3, "first"),
        ],
        &[
            "1 100.00 0 main -",
            "2 99.00 1 work -",
            "- - 21 ... 3 more callees -",
            "3 0.40 2 first 1",
            "1 99.00 1 main -",
            "2 99.40 3 work -",
            "- - 16 ... 2 more callees -",
            "- - - ... 1 more function, 5 calls; --all shows them -",
        ],
    );
}

#[test]
fn at_least_one_caller_is_shown() {
    use RowKind::{Caller, Entry};
    check_graph(
        &[
            (Caller, Some(0.1), 1, 2, "a"),
            (Caller, Some(0.2), 2, 3, "b"),
            (Caller, Some(0.3), 3, 4, "c"),
            (Entry, Some(0.6), 6, 1, "shared"),
        ],
        &["- - 3 ... 2 more callers -", "4 0.30 3 c 1", "1 0.60 6 shared -"],
    );
    // Without any time, all rows are equal.
    let rows = [
        (Caller, Some(0.0), 1, 2, "a"),
        (Caller, Some(0.0), 2, 3, "b"),
        (Entry, Some(0.0), 3, 1, "idle"),
    ];
    check_graph(&rows, &["2 0.00 1 a -", "3 0.00 2 b -", "1 0.00 3 idle -"]);
}
