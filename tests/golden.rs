//! Recorded command lines, one test each.
//!
//! Every directory below `fixtures` may hold `expected/WHO/NAME.case`: a command line that runs
//! on the files of the directory, and its expected result:
//!
//! ```text
//! $ profan -p gmon.out primes
//! status 1
//! mode lines-in-order
//! --- stdin
//! …
//! --- stderr
//! …
//! --- stdout
//! …
//! ```
//!
//! | part | meaning | when absent |
//! |---|---|---|
//! | `$` | the command; further lines of it start with `> ` | never |
//! | `status` | exit status | 0 |
//! | `mode` | `lines-in-order`: `stdout` must contain each line, in this order; `clean`: only a
//! status from 0 to 2 | exact |
//! | `stdin` | standard input | empty |
//! | `stderr` | standard error: exact for profan; the first line for mprof, mptrace and mlprof;
//! for others only whether it is empty | empty |
//! | `stdout` | standard output, byte for byte | empty for profan, for others not compared |
//!
//! Sections have this order, and a section lasts to the next mark. The last one lasts to the end
//! of the file, unchanged. An earlier one without a newline at its end has `, no final newline`
//! after its name, and an additional newline before the next mark. The marks of a file have more
//! dashes than the start of any line in an earlier section, and at least three.
//!
//! Beside `NAME.case`, `NAME.inputs/` has more files for the command, and `NAME.files/` the files
//! that the command makes, byte for byte. All others are links to a copy that cases share, and a
//! case that changes one of them fails.
//!
//! The files below `expected/profan` are profan's own: `PROFAN_BLESS=1 cargo test` writes them
//! anew, and a change to them is reviewed like code. The files below `expected/gprof`,
//! `expected/mprof` and the like are output of the program of that name, and never written here.

mod support;

use std::fs;
use std::path::Path;
use std::process::ExitCode;

use libtest_mimic::{Arguments, Failed, Trial};
use support::case::{Case, MODES, Mode, UNFINISHED, cases_below};
use support::staged::{Staged, StagedFixtures};
use support::{Outcome, files_below, run_line};

fn main() -> ExitCode {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("fixtures");
    let mut fixtures = StagedFixtures::default();
    let trials = cases_below(&root).into_iter().map(|case| {
        let name = case.path.strip_prefix(&root).expect("found below the root");
        let name = name.with_extension("").display().to_string();
        let staged = fixtures.of(&case);
        Trial::test(name, move || check(case, &staged))
    });
    let trials = trials.collect();
    drop(fixtures);
    libtest_mimic::run(&Arguments::from_args(), trials).exit_code()
}

fn check(case: Case, staged: &Staged) -> Result<(), Failed> {
    let scratch = staged.scratch_of(&case);
    let stdin = case.stdin.as_deref().unwrap_or_default();
    let outcome = run_line(case.line.trim_end(), stdin, scratch.path());
    if let Some(changed) = staged.changed() {
        return Err(format!("{} was changed: put it into NAME.files", changed.display()).into());
    }
    if case.is_ours() && std::env::var_os("PROFAN_BLESS").is_some() {
        bless(case, outcome);
        return Ok(());
    }
    compare(&case, &outcome)?;
    compare_files(&case.path.with_extension("files"), scratch.path())
}

fn compare(case: &Case, outcome: &Outcome) -> Result<(), Failed> {
    if case.mode == Mode::Clean {
        return check_clean(outcome);
    }
    if outcome.status != case.status {
        let stderr = String::from_utf8_lossy(&outcome.stderr).into_owned();
        let (found, expected) = (outcome.status, case.status);
        return Err(format!("exit status {found}, not {expected}: {stderr}").into());
    }
    match &case.stdout {
        Some(stdout) if case.mode == Mode::LinesInOrder => check_lines(stdout, &outcome.stdout)?,
        Some(stdout) => check_bytes("standard output", stdout, &outcome.stdout)?,
        None if case.is_ours() => check_bytes("standard output", &[], &outcome.stdout)?,
        None => {}
    }
    let stderr = case.stderr.as_deref().unwrap_or_default();
    if case.is_ours() {
        check_bytes("standard error", stderr, &outcome.stderr)
    } else if stderr.is_empty() != outcome.stderr.is_empty() {
        let ours = String::from_utf8_lossy(&outcome.stderr).into_owned();
        Err(format!("standard error is `{ours}`").into())
    } else if has_first_line(case) {
        check_bytes("first line of standard error", first_line(stderr), first_line(&outcome.stderr))
    } else {
        Ok(())
    }
}

/// Two cases have another first line: mprof does not notice the first error of a file, and
/// mptrace writes the program's name to standard error.
const OTHER_FIRST_LINES: [&str; 2] =
    ["corrupt-prof/expected/mprof/21.case", "opts/expected/mptrace/34.case"];

fn has_first_line(case: &Case) -> bool {
    let is_original = ["mprof", "mptrace", "mlprof"].iter().any(|who| case.is_of(who));
    is_original && !OTHER_FIRST_LINES.iter().any(|name| case.path.ends_with(name))
}

/// An original's message; profan's own follow it.
fn first_line(text: &[u8]) -> &[u8] {
    text.split(|&byte| byte == b'\n').next().unwrap_or_default()
}

/// The original crashed or never ended here.
fn check_clean(outcome: &Outcome) -> Result<(), Failed> {
    match outcome.status {
        0..=2 => Ok(()),
        status => Err(format!("exit status {status}").into()),
    }
}

fn compare_files(expected: &Path, made: &Path) -> Result<(), Failed> {
    if !expected.is_dir() {
        return Ok(());
    }
    for path in files_below(expected) {
        let name = path.strip_prefix(expected).expect("it is below");
        let shown = name.display().to_string();
        let actual = fs::read(made.join(name)).map_err(|error| format!("{shown}: {error}"))?;
        check_bytes(&shown, &fs::read(&path)?, &actual)?;
    }
    Ok(())
}

fn check_bytes(what: &str, expected: &[u8], actual: &[u8]) -> Result<(), Failed> {
    if expected == actual {
        return Ok(());
    }
    let (expected, actual) = (String::from_utf8_lossy(expected), String::from_utf8_lossy(actual));
    let mut lines = expected.lines().zip(actual.lines()).enumerate();
    let difference = lines.find(|(_, (left, right))| left != right);
    let message = match difference {
        Some((index, (left, right))) => {
            format!("line {}\nexpected: {left:?}\nactual:   {right:?}", index + 1)
        }
        None => format!("expected {} bytes, got {}", expected.len(), actual.len()),
    };
    Err(format!("{what} differs: {message}").into())
}

fn check_lines(expected: &[u8], actual: &[u8]) -> Result<(), Failed> {
    let mut have = actual.split(|&byte| byte == b'\n');
    for line in expected.split(|&byte| byte == b'\n') {
        if !line.is_empty() && !have.any(|other| other == line) {
            let line = String::from_utf8_lossy(line).into_owned();
            return Err(format!("missing or out of order: {line:?}").into());
        }
    }
    Ok(())
}

fn bless(case: Case, outcome: Outcome) {
    let section = |bytes: Vec<u8>| (!bytes.is_empty()).then_some(bytes);
    let blessed = Case {
        status: outcome.status,
        stderr: section(outcome.stderr),
        stdout: section(outcome.stdout),
        ..case
    };
    write(&blessed);
}

fn write(case: &Case) {
    let mut bytes = format!("$ {}\n", case.line.replace('\n', "\n> ")).into_bytes();
    if case.status != 0 {
        bytes.extend(format!("status {}\n", case.status).bytes());
    }
    if let Some((name, _)) = MODES.iter().find(|(_, mode)| *mode == case.mode) {
        bytes.extend(format!("mode {name}\n").bytes());
    }
    let sections = [("stdin", &case.stdin), ("stderr", &case.stderr), ("stdout", &case.stdout)];
    let sections = sections.into_iter();
    let sections = sections.filter_map(|(name, content)| Some((name, content.as_ref()?)));
    let sections: Vec<_> = sections.collect();
    let n_first = sections.len().saturating_sub(1);
    let lines =
        sections[..n_first].iter().flat_map(|(_, content)| content.split(|&byte| byte == b'\n'));
    let n_dashes = lines.map(|line| line.iter().take_while(|&&byte| byte == b'-').count());
    let fence = "-".repeat(n_dashes.max().map_or(3, |most| 3.max(most + 1)));
    for (index, (name, content)) in sections.iter().enumerate() {
        let is_unfinished = index < n_first && content.last().is_some_and(|&byte| byte != b'\n');
        let (mark, end) = if is_unfinished { (UNFINISHED, "\n") } else { ("", "") };
        bytes.extend(format!("{fence} {name}{mark}\n").bytes());
        bytes.extend_from_slice(content);
        bytes.extend(end.bytes());
    }
    fs::write(&case.path, bytes).expect("a case should be writable");
}
