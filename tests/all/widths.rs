//! Widths from data and options: even huge ones do not cause excessive padding or a crash.

use std::fs;
use std::path::Path;

use crate::support::{Scratch, run_line, run_line_in};

fn copy_of(case: &str) -> Scratch {
    let fixtures = Path::new(env!("CARGO_MANIFEST_DIR")).join("fixtures");
    Scratch::copy_of(&fixtures.join(case))
}

#[test]
fn a_name_of_seventy_thousand_bytes_is_a_row_of_a_table() {
    let scratch = copy_of("tour");
    let table = scratch.path().join("interp.table");
    let text = fs::read_to_string(&table).expect("it is text");
    let long = format!("Vm.{}", "x".repeat(70_000));
    assert!(text.contains("Vm.run"));
    fs::write(&table, text.replace("Vm.run", &long)).expect("it is writable");
    for line in [
        "profan mlprof interp.table time.out",
        "profan mlprof -raw true interp.table time.out",
        "profan --format json interp.table time.out",
    ] {
        let outcome = run_line(line, b"", scratch.path());
        let said = String::from_utf8_lossy(&outcome.stderr);
        assert_eq!(outcome.status, 0, "{line}: {said}");
        let text = String::from_utf8(outcome.stdout).expect("names are text");
        assert!(text.contains(&long), "{line}");
    }
    let outcome = run_line("profan interp.table time.out", b"", scratch.path());
    let text = String::from_utf8(outcome.stdout).expect("names are text");
    assert!(text.contains(&long[..4000]) && !text.contains(&long[..4200]));
    let said = String::from_utf8_lossy(&outcome.stderr);
    assert!(said.contains("W046"), "{said}");
}

/// The results of gprof 2.40: `atoi` cuts them to 32 bits, and a width below one column counts as
/// one.
#[test]
fn an_index_as_wide_as_it_can_be_asked_for() {
    let scratch = copy_of("oddities");
    let index = |width: &str| {
        let line = format!("profan gprof -b -q -w {width} work sound.gmon");
        let outcome = run_line(&line, b"", scratch.path());
        assert_eq!(outcome.status, 0, "{line}");
        outcome.stdout
    };
    let narrow = index("1");
    for width in ["0", "4294967295", "1000000000000", "99999999999999999999999"] {
        assert!(index(width) == narrow, "{width}");
    }
    assert!(index("4294967396") == index("100"));
    let wide = index("3000000");
    assert_eq!(wide.len(), 2_001_010, "as many bytes as gprof 2.40 prints");
}

/// The environment may specify any width of the terminal.
#[test]
fn a_terminal_may_claim_any_size() {
    let scratch = copy_of("oddities");
    for columns in ["1", "99999999999", "18446744073709551615"] {
        let environment = [("COLUMNS", columns), ("LINES", columns)];
        for line in ["profan sound.gmon work", "profan -A --explain sound.gmon work"] {
            let outcome = run_line_in(&environment, line, b"", scratch.path());
            assert_eq!(outcome.status, 0, "{line} of {columns}");
        }
        #[cfg(unix)]
        {
            let line = "-p -q -A --explain --pager never sound.gmon work";
            let seen = crate::terminal::run("oddities", line, (80, 24), &environment);
            assert!(seen.status.success(), "{columns}: {}", seen.text);
        }
    }
}

/// A saved report may specify any widths of its columns.
#[cfg(unix)]
#[test]
fn heads_of_columns_may_be_long() {
    let scratch = copy_of("oddities");
    let line = "profan --format json -p sound.gmon work";
    let kept = String::from_utf8(run_line(line, b"", scratch.path()).stdout);
    let kept = kept.expect("reports are text");
    let long = "y".repeat(70_000);
    assert!(kept.contains("\"seconds\""), "{kept}");
    let kept = kept.replace("\"seconds\"", &format!("\"{long}\""));
    fs::write(scratch.path().join("kept.json"), kept).expect("the folder is writable");
    let mut command = portable_pty::CommandBuilder::new(env!("CARGO_BIN_EXE_profan"));
    command.args(["--pager", "never", "--explain", "kept.json"]);
    let session = crate::terminal::Session::run(command, scratch, (80, 24), &[]);
    let seen = session.finish();
    assert!(seen.status.success(), "{}", seen.text);
}
