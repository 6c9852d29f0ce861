//! Truncated or changed tables and profiles of MLton give a report or an error, never a crash.

use std::ffi::OsString;
use std::fs;
use std::path::Path;

use profan::cli::{self, Command};
use profan::load::{Hints, Input, ReadPolicy, Sum, load};

/// Whether `mlprof` reports on a table and a profile.
fn reports(directory: &Path, table: &[u8], profile: &[u8]) -> bool {
    let (table_path, profile_path) = (directory.join("a.out"), directory.join("mlmon.out"));
    fs::write(&table_path, table).expect("the table can be written");
    fs::write(&profile_path, profile).expect("the profile can be written");
    let graph = directory.join("graph.dot");
    let options = ["profan", "mlprof", "-raw", "true", "-thresh", "10", "-call-graph"];
    let words = options.iter().map(OsString::from);
    let words = words.chain([graph.into(), table_path.into(), profile_path.into()]);
    let Ok(Command::Original(_, command)) = cli::parse(words) else {
        panic!("the command line is understood");
    };
    command.run(&mut Vec::new(), &mut Vec::new()).is_ok()
}

/// Whether profan reads both, and adds them up.
fn adds_up(table: &[u8], profile: &[u8]) -> bool {
    let hints = Hints::default();
    let mut sum = Sum::new(ReadPolicy::CAREFUL);
    for bytes in [profile, table] {
        let input = Input::from_bytes(Path::new("file"), bytes.to_vec()).expect("not compressed");
        let Ok(loaded) = load(&input, &hints) else {
            return false;
        };
        if sum.add(loaded).is_err() {
            return false;
        }
    }
    sum.into_profile().mlmon_counts.is_none()
}

/// Every prefix, and every byte made two other ones.
fn variants(bytes: &[u8]) -> impl Iterator<Item = Vec<u8>> {
    const OTHERS: &[u8] = b"09 \n\t-x\0\xff";
    let prefixes = (0..bytes.len()).map(|end| bytes[..end].to_vec());
    let changes = (0..2 * bytes.len()).map(move |number| {
        let place = number / 2;
        let mut changed = bytes.to_vec();
        changed[place] = match number % 2 {
            0 => OTHERS[place % OTHERS.len()],
            _ => bytes[place] ^ 1,
        };
        changed
    });
    prefixes.chain(changes)
}

#[test]
fn every_variant_gives_a_report_or_an_error() {
    let case = Path::new(env!("CARGO_MANIFEST_DIR")).join("fixtures/mlton/edge-ok-stack");
    let table = fs::read(case.join("a.out")).expect("the fixture is there");
    let profile = fs::read(case.join("mlmon.out")).expect("the fixture is there");
    let scratch = tempfile::tempdir().expect("a temporary folder can be made");
    let directory = scratch.path();
    assert!(reports(directory, &table, &profile) && adds_up(&table, &profile));
    let (mut n_reports, mut n_sums, mut n_variants) = (0, 0, 0);
    let tables = variants(&table).map(|table| (table, profile.clone()));
    let profiles = variants(&profile).map(|profile| (table.clone(), profile));
    for (table, profile) in tables.chain(profiles) {
        n_variants += 1;
        n_reports += u32::from(reports(directory, &table, &profile));
        n_sums += u32::from(adds_up(&table, &profile));
    }
    assert!(n_reports > n_variants / 10 && n_reports < n_variants);
    assert!(n_sums > n_variants / 10 && n_sums < n_variants);
}

#[cfg(unix)]
#[test]
fn a_program_is_asked_for_its_table() {
    use std::os::unix::fs::PermissionsExt;
    let case = Path::new(env!("CARGO_MANIFEST_DIR")).join("fixtures/mlton/edge-ok-stack");
    let profile = fs::read(case.join("mlmon.out")).expect("the fixture is there");
    let scratch = tempfile::tempdir().expect("a temporary folder can be made");
    let table = case.join("a.out").display().to_string();
    let script = format!("#!/bin/sh\n[ \"$*\" = '@MLton show-sources' ] && cat '{table}'\n");
    // A shell writes it: a process that a parallel test starts would inherit our open file, so it
    // could not run.
    let program = scratch.path().join("a.out");
    let status = std::process::Command::new("sh")
        .args(["-c", "printf %s \"$1\" > \"$2\"", "sh", &script])
        .arg(&program)
        .status();
    assert!(status.expect("there is a shell").success());
    assert!(!runs(&program, scratch.path(), &profile), "it may not be run yet");
    let may_run = fs::Permissions::from_mode(0o755);
    fs::set_permissions(&program, may_run).expect("the script is ours");
    assert!(runs(&program, scratch.path(), &profile));
}

#[cfg(unix)]
fn runs(program: &Path, directory: &Path, profile: &[u8]) -> bool {
    let profile_path = directory.join("mlmon.out");
    fs::write(&profile_path, profile).expect("the profile can be written");
    let words = ["profan", "mlprof"].map(OsString::from).into_iter();
    let words = words.chain([program.into(), profile_path.into()]);
    let Ok(Command::Original(_, command)) = cli::parse(words) else {
        panic!("the command line is understood");
    };
    command.run(&mut Vec::new(), &mut Vec::new()).is_ok()
}

#[test]
fn functions_of_the_library_are_one_row_where_they_are_omitted() {
    let scratch = tempfile::tempdir().expect("a temporary folder can be made");
    let table = "0x12345678\n5\n<unknown>\n<gc>\n<main>\nf\ta.sml: 3\nmap\t$(SML_LIB)/basis/list.sml: 4\n\
                 5\n0 0\n1 0\n2 1\n3 2\n4 0\n3\n\n3 \n4 \n";
    let counts = "5\n0\n0\n0\n90\n10\n";
    let profile = format!("MLton prof\ntime\ncurrent\n0x12345678\n100 0\n{counts}{counts}");
    fs::write(scratch.path().join("table.txt"), table).expect("the folder is writable");
    fs::write(scratch.path().join("mlmon.out"), profile).expect("the folder is writable");
    let last_row = |options: &str| {
        let line = format!("profan -p {options} table.txt mlmon.out");
        let text = crate::support::run_line(&line, b"", scratch.path()).stdout;
        let text = String::from_utf8(text).expect("names are ASCII");
        let row = text.lines().last().unwrap_or_default().split_whitespace();
        row.collect::<Vec<_>>().join(" ")
    };
    assert_eq!(last_row(""), "10.00 1.00 0.10 map");
    assert_eq!(last_row("--no-library"), "10.00 0.10 ... 1 more function");
}
