//! Words, shares and profiles for which mlprof, and thus `profan mlprof`, has rules of its own.

use std::fs;
use std::path::Path;
use std::process::{Command, Output};

const EDGE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/fixtures/mlton/edge-ok-stack");

/// Runs `profan mlprof` over the table of a fixture and these profiles.
fn mlprof(options: &[&str], profiles: &[&str]) -> Output {
    let directory = tempfile::tempdir().expect("there is room for a folder");
    let table = directory.path().join("a.out");
    fs::copy(Path::new(EDGE).join("a.out"), &table).expect("the table can be copied");
    let mut command = Command::new(env!("CARGO_BIN_EXE_profan"));
    command.current_dir(&directory).arg("mlprof");
    command.args(options).arg("a.out");
    for (number, profile) in profiles.iter().enumerate() {
        let name = format!("{number}.out");
        fs::write(directory.path().join(&name), profile).expect("the profile can be written");
        command.arg(name);
    }
    command.output().expect("profan runs")
}

#[test]
fn all_lists_of_profiles_are_read() {
    let directory = tempfile::tempdir().expect("there is room for a folder");
    let write = |name: &str, text: &str| fs::write(directory.path().join(name), text);
    fs::copy(Path::new(EDGE).join("a.out"), directory.path().join("a.out")).expect("a copy");
    write("mlmon.out", &profile()).expect("the profile can be written");
    for list in ["first", "second"] {
        write(list, "mlmon.out\n").expect("the list can be written");
    }
    let mut command = Command::new(env!("CARGO_BIN_EXE_profan"));
    let options = ["mlprof", "-mlmon", "first", "-mlmon", "second", "a.out"];
    let output = command.current_dir(&directory).args(options).output();
    check(&output.expect("profan runs"), 0, "4.00 seconds");
}

fn profile() -> String {
    fs::read_to_string(Path::new(EDGE).join("mlmon.out")).expect("the fixture is there")
}

fn check(output: &Output, status: i32, shows: &str) {
    let text = String::from_utf8_lossy(&output.stdout);
    assert_eq!(output.status.code(), Some(status), "{output:?}");
    match shows {
        "" => assert_eq!(text, ""),
        _ => assert!(text.contains(shows), "{text}"),
    }
}

#[test]
fn a_blank_in_front_makes_a_word_no_boolean() {
    check(&mlprof(&["-raw", "true"], &[&profile()]), 0, "2.00 seconds");
    check(&mlprof(&["-raw", " true"], &[&profile()]), 1, "");
    check(&mlprof(&["-tolerant", "\ttrue"], &[&profile()]), 1, "");
}

/// The program took 200 ticks and its collector 12: 213 are 100.47 % of them.
#[test]
fn there_is_no_gray_for_a_share_that_rounds_to_more_than_100() {
    let of_stack = |ticks: u32| profile().replace("3 200 12", &format!("3 {ticks} 12"));
    assert_ne!(of_stack(213), profile());
    check(&mlprof(&["-gray", "true"], &[&of_stack(213)]), 0, "<main>");
    check(&mlprof(&["-gray", "true"], &[&of_stack(214)]), 1, "");
    check(&mlprof(&["-gray", "false"], &[&of_stack(214)]), 0, "<main>");
    let is_hidden = ["-gray", "true", "-keep", "\"Util\""];
    check(&mlprof(&is_hidden, &[&of_stack(214)]), 1, "");
}

#[test]
fn a_profile_of_another_length_than_the_first_is_passed_over_where_that_is_tolerated() {
    let whole = profile();
    // The first table without its last row, whose counts are zero.
    let short = whole.replacen("\n8\n", "\n7\n", 1).replacen("0 0 0\n7\n", "7\n", 1);
    assert_ne!(short, whole);
    let tolerant = ["-tolerant", "true"];
    check(&mlprof(&tolerant, &[&whole, &whole]), 0, "4.00 seconds");
    check(&mlprof(&tolerant, &[&whole, &short]), 0, "2.00 seconds");
    check(&mlprof(&tolerant, &[&short, &whole]), 1, "");
    check(&mlprof(&tolerant, &[&short, &short]), 1, "");
    // The second table without its last row.
    let start = whole.replacen("\n7\n", "\n6\n", 1);
    let start = start.strip_suffix("0 0 0\n").expect("the last row counts nothing");
    check(&mlprof(&tolerant, &[&whole, start, &whole]), 0, "4.00 seconds");
    check(&mlprof(&tolerant, &[&whole, start]), 0, "2.00 seconds");
    check(&mlprof(&tolerant, &[start, &whole]), 1, "");
    check(&mlprof(&[], &[&whole, start]), 1, "");
    check(&mlprof(&[], &[&whole, &short]), 1, "");
    check(&mlprof(&[], &[&short, &whole]), 1, "");
}

#[cfg(unix)]
#[test]
fn no_program_is_run_where_the_environment_forbids_it() {
    let directory = tempfile::tempdir().expect("there is room for a folder");
    fs::copy("/bin/sh", directory.path().join("a.out")).expect("the program can be copied");
    let mut command = Command::new(env!("CARGO_BIN_EXE_profan"));
    command.current_dir(&directory).args(["mlprof", "a.out"]);
    command.env("PROFAN_NO_RUN", "1");
    let output = command.output().expect("profan runs");
    check(&output, 1, "");
    let message = String::from_utf8_lossy(&output.stderr);
    let expected = "PROFAN_NO_RUN forbids running it: pass a file with the output of \
                    `a.out @MLton show-sources` instead";
    assert!(message.contains(expected), "{message}");
}
