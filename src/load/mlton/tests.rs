use super::*;

const TABLE: &str = "0x5eed0042\n4\n<unknown>\n<gc>\n<main>\nA.f\ta: b.sml: 3\n\
    5\n0 0\n1 0\n2 1\n3 2\n3 0\n3\n\n3 4 \n3 \n";

/// Takes texts at their word.
const LITERAL: MltonPolicy = MltonPolicy {
    knows_first_release: false,
    ignores_blank_ends: false,
    joins_tabs: true,
    keeps_unknown_positions: true,
    takes_any_value: true,
};

/// The parsed table, in one line: functions, copies, callees.
fn shown(text: &str, policy: MltonPolicy) -> String {
    let (costs, damage) = match table::read(text.as_bytes(), policy) {
        Ok(read) => read,
        Err(error) => return error.to_string(),
    };
    let functions = costs.functions.iter().map(|function| {
        let name = String::from_utf8_lossy(&function.name).into_owned();
        let location = function.location.map(|id| costs.locations.get(id));
        location.map_or(name.clone(), |location| {
            let file = String::from_utf8_lossy(&location.file).into_owned();
            let line = location.line.map_or(0, |line| line.get());
            format!("{name}@{file}@{line}")
        })
    });
    let functions: Vec<_> = functions.collect();
    let calls = costs.possible_calls.iter();
    let calls: Vec<_> = calls.map(|call| format!("{}>{}", call.caller.0, call.callee.0)).collect();
    let n_copies = costs.contexts.len();
    let damage = damage.map_or(String::new(), |damage| format!("; {}", damage.error));
    format!("{} x{n_copies} {}{damage}", functions.join(" "), calls.join(" "))
}

fn check(text: &str, expected: &str) {
    assert_eq!(shown(text, MltonPolicy::CAREFUL), expected, "for {text:?}");
}

const GOOD: &str = "<unknown> <gc> <main> A.f@a: b.sml@3 x5 2>3 2>4 3>3";

#[test]
fn a_table_has_functions_copies_and_callees() {
    check(TABLE, GOOD);
    assert_eq!(shown(TABLE, LITERAL), GOOD);
}

#[test]
fn what_is_odd_about_tables_of_the_wild_does_not_count() {
    check(&TABLE.replace('\n', "\r\n"), GOOD);
    check(&format!("{TABLE}\n \n"), GOOD);
    check(TABLE.trim_end(), GOOD);
    check(
        &TABLE.replace("A.f\ta: b.sml: 3", "A.f\ta\tb.sml: 3"),
        "<unknown> <gc> <main> A.f@a\tb.sml@3 x5 2>3 2>4 3>3",
    );
    check(
        &TABLE.replace("A.f\ta: b.sml: 3", "A.f\t<unknown>"),
        "<unknown> <gc> <main> A.f x5 2>3 2>4 3>3",
    );
    check(
        &format!("{TABLE}more\n"),
        &format!("{GOOD}; line 16: lines after the end of the data: 1"),
    );
}

#[test]
fn the_table_of_2003_has_callees_of_names() {
    check("0x5eed0042\n3\n<unknown>\n<gc>\n<main>\n\n\n2 1 \n", "<unknown> <gc> <main> x3 2>2 2>1");
}

#[test]
fn errors_of_tables_say_where() {
    check("0x5eed0042\n0\n0\n0\n", &{
        let fault = MltonFault::NotProfiled;
        format!("line 2: {fault}")
    });
    check("hello\n", "line 1: expected a build number: 0x and eight hexadecimal digits");
    check("0x5eed0042\n400000000\na\n", "line 4: the file ends before a name");
    check(
        &TABLE.replace("3 2\n3 0", "4 2\n3 0"),
        "line 11: expected the number of a name: a number from 0 to 3",
    );
    check(
        &TABLE.replace("3 2\n3 0", "3 9\n3 0"),
        "line 11: expected the number of a list of callees: a number from 0 to 2",
    );
    check(
        &TABLE.replace("3 4 \n", "3 5 \n"),
        "line 15: expected the number of a copy: a number from 0 to 4",
    );
}

const PROFILE: &str = "MLton prof\ntime\nstack\n0x5eed0042\n9 1\n2\n1 2 3\n4 5 6\n1\n7 8 9\n";

fn check_profile(text: &str, expected: &str) {
    let shown = match mlmon::read(text.as_bytes(), MltonPolicy::CAREFUL) {
        Err(error) => error.to_string(),
        Ok(mlmon_counts) => {
            let rows = |rows: &crate::model::MlmonRows| {
                let rows = (0..rows.len()).map(|index| {
                    let row: Vec<_> = rows.row(index).to_vec();
                    format!("{row:?}")
                });
                rows.collect::<Vec<_>>().join(" ")
            };
            let (copies, names) = (rows(&mlmon_counts.contexts), rows(&mlmon_counts.functions));
            format!("{} {} | {copies} | {names}", mlmon_counts.program, mlmon_counts.collector)
        }
    };
    assert_eq!(shown, expected, "for {text:?}");
}

#[test]
fn a_profile_has_rows_for_copies_and_names() {
    let good = "9 1 | [1, 2, 3] [4, 5, 6] | [7, 8, 9]";
    check_profile(PROFILE, good);
    check_profile(&PROFILE.replace('\n', "\r\n"), good);
    check_profile(&format!("{PROFILE}more"), good);
    check_profile(&PROFILE.replace("4 5 6", "\t4x  5 6 "), good);
}

#[test]
fn the_profile_of_2003_has_one_table() {
    let rows = "[1, 2, 3] [4, 5, 6]";
    check_profile(
        "MLton prof\ntime\nstack\n0x5eed0042\n9 1\n1 2 3\n4 5 6\n",
        &format!("9 1 | {rows} | {rows}"),
    );
    check_profile("MLton prof\nalloc\ncurrent\n0x5eed0042\n9 1\n0\n5\n", "9 1 | [0] [5] | [0] [5]");
}

#[test]
fn errors_of_profiles_say_where() {
    check_profile(
        &PROFILE.replace("time", "times"),
        "line 2: expected the counted quantity: alloc, count or time",
    );
    check_profile(
        &PROFILE.replace("4 5 6", "4 5"),
        "line 8: expected a row: 3 numbers, but found 2 words",
    );
    check_profile(
        &PROFILE.replace("4 5 6", "4 5 -6"),
        "line 8: expected a value: a number from 0 to 18446744073709551615",
    );
    check_profile(&PROFILE[..PROFILE.len() - 6], "line 10: the file ends before a row of numbers");
}
