use super::*;
use crate::model::{Context, Function, MergePolicy, Profile};

fn table(build: u32, n_functions: usize) -> Profile {
    let mut profile = Profile::default();
    profile.costs.build = Some(BuildId(build));
    for index in 0..n_functions {
        profile.costs.functions.push(Function::named(format!("f{index}").into_bytes()));
        profile.costs.contexts.push(Context {
            address: None,
            function: None,
            location: None,
            caller: None,
        });
    }
    profile
}

fn mlmon_counts(build: u32, quantity: Quantity, style: MlmonStyle, rows: &[i128]) -> Profile {
    let mut counted = MlmonRows::new(style);
    for &value in rows {
        counted.push(&[value; 3][..style.n_columns()]);
    }
    let mut profile = Profile::default();
    profile.mlmon_counts = Some(MlmonCounts {
        build: BuildId(build),
        quantity,
        unit: Unit::COUNT,
        metric: ValueMetric::counted("", "", "", 0),
        style,
        program: rows.iter().sum(),
        collector: 0,
        contexts: counted.clone(),
        functions: counted,
    });
    profile
}

fn time(rows: &[i128]) -> Profile {
    mlmon_counts(7, Quantity::TIME, MlmonStyle::Current, rows)
}

fn check(profiles: Vec<Profile>, expected: &str) {
    let mut sum = Profile::default();
    for profile in profiles {
        if let Err(error) = sum.merge(profile, MergePolicy::LENIENT) {
            assert_eq!(error.to_string(), expected);
            return;
        }
    }
    sum.join_mlmon_counts();
    let values: Vec<_> = sum.costs.samples.rows().map(|(_, row)| row[0]).collect();
    let waiting = sum.mlmon_counts.is_some();
    assert_eq!(format!("{values:?} {waiting}"), expected);
}

#[test]
fn tables_and_counts_come_in_any_order() {
    check(vec![table(7, 2), time(&[1, 2])], "[1, 2, 1, 2] false");
    check(vec![time(&[1, 2]), table(7, 2), time(&[3, 4])], "[4, 6, 4, 6] false");
    check(vec![table(7, 2), table(7, 2)], "[] false");
    check(vec![time(&[1, 2]), time(&[3, 4])], "[] true");
}

#[test]
fn sums_that_no_number_holds_are_cut() {
    let most = i128::from(u64::MAX);
    let cut = u64::MAX;
    check(vec![table(7, 1), time(&[most]), time(&[1])], &format!("[{cut}, {cut}] false"));
    check(vec![table(7, 1), time(&[-5])], "[0, 0] false");
}

#[test]
fn incompatible_counts_are_refused() {
    check(
        vec![table(7, 2), table(8, 2)],
        "it belongs to build 0x00000008, the others to build 0x00000007",
    );
    check(
        vec![table(7, 2), table(7, 3)],
        "its table differs, although both belong to build 0x00000007",
    );
    check(
        vec![table(8, 2), time(&[1, 2])],
        "it belongs to build 0x00000007, the others to build 0x00000008",
    );
    check(vec![time(&[1]), table(7, 2)], "one has 1 functions, another 2");
    check(
        vec![time(&[1]), mlmon_counts(7, Quantity::ALLOCATED, MlmonStyle::Current, &[1])],
        "it counts allocated memory, the others time",
    );
    check(
        vec![time(&[1]), mlmon_counts(7, Quantity::TIME, MlmonStyle::Stack, &[1])],
        "it counts whole call stacks, the others only the tops of call stacks",
    );
}

#[test]
fn rows_hold_numbers_of_any_width() {
    const WIDE: i128 = i64::MAX as i128 + 1;
    let rows = |values: &[i128]| {
        let mut rows = MlmonRows::new(MlmonStyle::Current);
        for value in values {
            rows.push(&[*value]);
        }
        rows
    };
    let shown = |rows: &MlmonRows| -> Vec<_> { rows.rows().flatten().copied().collect() };
    assert_eq!(shown(&rows(&[1, -2, WIDE, 3])), [1, -2, WIDE, 3]);
    let mut sum = rows(&[1, i128::from(i64::MAX)]);
    sum.add(&rows(&[1, 1, 7]));
    assert_eq!(shown(&sum), [2, WIDE, 7]);
    sum.add(&rows(&[i128::MAX, -1]));
    assert_eq!(shown(&sum), [i128::MAX, WIDE - 1, 7]);
    assert_eq!(sum.len(), 3);
}
