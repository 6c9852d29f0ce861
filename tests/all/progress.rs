//! The progress that a terminal shows of long work.

use std::fs::{self, File};
use std::io::Write;
use std::path::Path;
use std::process::Command;
use std::sync::mpsc::{self, Sender};
use std::thread;
use std::time::{Duration, Instant};

use portable_pty::CommandBuilder;

use crate::support::Scratch;
use crate::terminal::{Seen, Session, copy_of};

/// The first progress of reading.
const READING: &str = "reading";

/// Longer than the delay before progress appears.
const LONG: Duration = Duration::from_millis(1500);

const PROFAN: &str = env!("CARGO_BIN_EXE_profan");

/// Replaces a file by a pipe that delivers half of it, and the rest on request.
fn slow_down(path: &Path) -> Sender<()> {
    let bytes = fs::read(path).expect("the fixture is there");
    fs::remove_file(path).expect("a copy can be removed");
    let made = Command::new("mkfifo").arg(path).status();
    assert!(made.expect("there is mkfifo").success());
    let (sender, go_on) = mpsc::channel();
    let path = path.to_owned();
    thread::spawn(move || {
        let mut pipe = File::options().write(true).open(path).expect("it is there");
        let (first, rest) = bytes.split_at(bytes.len() / 2);
        // An interrupted program does not read all of it.
        let _ = pipe.write_all(first);
        let _ = go_on.recv();
        let _ = pipe.write_all(rest);
    });
    sender
}

/// Runs a line of the shell, in which `profan` is the program.
fn start(line: &str, scratch: Scratch, env: &[(&str, &str)]) -> Session {
    let mut command = CommandBuilder::new("sh");
    command.args(["-c", &line.replace("profan", PROFAN)]);
    Session::run(command, scratch, (100, 60), env)
}

/// The terminal if the file arrives at once.
fn at_once(line: &str, fixture: &str, env: &[(&str, &str)]) -> Seen {
    start(line, copy_of(fixture), env).finish()
}

/// The terminal if the file takes longer than the delay.
fn late(line: &str, fixture: &str, file: &str, env: &[(&str, &str)]) -> Seen {
    let scratch = copy_of(fixture);
    let go_on = slow_down(&scratch.path().join(file));
    let session = start(line, scratch, env);
    thread::sleep(LONG);
    go_on.send(()).expect("it is read");
    session.finish()
}

/// The terminal if the file takes until its progress is shown.
fn once_shown(line: &str, fixture: &str, file: &str, env: &[(&str, &str)]) -> Seen {
    let scratch = copy_of(fixture);
    let go_on = slow_down(&scratch.path().join(file));
    let mut session = start(line, scratch, env);
    session.wait_for(READING);
    go_on.send(()).expect("it is read");
    session.finish()
}

fn contents(seen: &Seen) -> String {
    seen.screen.screen().contents()
}

#[test]
fn nothing_of_it_is_left_on_the_screen() {
    for (fixture, file, line) in [
        ("tour", "gmon.out", "profan --pager never -p gmon.out primes"),
        // The warnings precede the report here, and follow it there.
        ("rebuilt", "ran.gmon", "profan -p ran.gmon grown"),
        ("tour", "cut.out", "profan -p cut.out primes"),
        ("tour", "mpatrol.trace", "profan -p mpatrol.trace basic"),
        ("tour", "primes", "profan -p gmon.out primes"),
        // Without a report.
        ("tour", "primes.c", "profan primes.c"),
    ] {
        let seen = once_shown(line, fixture, file, &[]);
        let expected = at_once(line, fixture, &[]);
        assert_eq!(contents(&seen), contents(&expected), "{line}");
        assert_eq!(seen.status.success(), expected.status.success(), "{line}");
        assert!(!expected.text.contains(READING), "{line}");
    }
}

#[test]
fn a_report_elsewhere_has_the_same_bytes() {
    for line in [
        "profan -p gmon.out primes > report; cat report",
        "profan -p gmon.out primes -o report; cat report",
        // With a slow clock, there is no warning that `cat` could precede or follow.
        "profan -p --rate 10 gmon.out primes | cat",
        "profan --format json gmon.out primes > report; cat report",
    ] {
        let seen = once_shown(line, "tour", "gmon.out", &[]);
        let expected = at_once(line, "tour", &[]);
        assert_eq!(contents(&seen), contents(&expected), "{line}");
        // The progress line was erased, and did not come back.
        assert!(seen.text.ends_with(&expected.text), "{line}: {}", seen.text);
    }
}

#[test]
fn it_is_gone_before_the_pager_starts() {
    let env = [("PAGER", "sh -c 'echo paged; cat'")];
    let line = "profan --pager always gmon.out primes";
    let seen = once_shown(line, "tour", "gmon.out", &env);
    let expected = at_once(line, "tour", &env);
    assert!(expected.text.starts_with("paged\n"), "{}", expected.text);
    assert!(seen.text.ends_with(&expected.text), "{}", seen.text);
    assert_eq!(contents(&seen), contents(&expected));
}

/// Enough files for reading to take long. The terminal is narrower than the line. With a slow
/// clock, there is no warning.
#[test]
fn it_is_shown_how_much_is_left() {
    let n_files = [4, 8, 16, 32, 64, 128].map(|thousands| thousands * 1000);
    let is_shown = n_files.into_iter().any(|n_files| {
        let scratch = copy_of("tour");
        let files = "gmon.out\n".repeat(n_files);
        fs::write(scratch.path().join("files"), files).expect("a list can be written");
        let mut command = CommandBuilder::new(PROFAN);
        command.args(["-p", "--stable", "--rate", "10", "-o", "report", "@files", "primes"]);
        let seen = Session::run(command, scratch, (24, 10), &[]).finish();
        assert!(seen.status.success(), "{}", seen.text);
        assert_eq!(contents(&seen).trim(), "");
        let mut shown = seen.text.split('\r').filter(|line| line.contains('%'));
        shown.any(|line| line.contains("reading [##") && line.contains(" s left"))
    });
    assert!(is_shown);
}

#[test]
fn work_that_is_soon_done_is_not_shown() {
    // The machine may have something else to do for once.
    let is_quick = (0..20).any(|_| {
        let started = Instant::now();
        let seen = at_once("profan -p gmon.out primes", "tour", &[]);
        let is_quick = started.elapsed() < Duration::from_secs(1);
        let is_plain = !seen.text.contains('\r') && !seen.text.contains(READING);
        assert!(!is_quick || is_plain, "{}", seen.text);
        is_quick
    });
    assert!(is_quick);
}

#[test]
fn nothing_is_shown_where_it_would_be_in_the_way() {
    let no_color = ("NO_COLOR", "1");
    for (line, file, env) in [
        // Output that is not a terminal.
        ("profan -p gmon.out primes 2>said; cat said", "gmon.out", no_color),
        ("profan -p gmon.out primes 2>&1 | cat", "gmon.out", no_color),
        // A terminal that another process group owns.
        ("set -m; profan -p gmon.out primes > said & wait; cat said", "gmon.out", no_color),
        // A terminal that cannot move its cursor.
        ("profan -p gmon.out primes", "gmon.out", ("TERM", "dumb")),
        // The originals do not show progress.
        ("profan gprof -p primes gmon.out", "gmon.out", no_color),
        ("profan mptrace mpatrol.trace", "mpatrol.trace", no_color),
    ] {
        let seen = late(line, "tour", file, &[env]);
        let expected = at_once(line, "tour", &[env]);
        assert_eq!(seen.text, expected.text, "{line}");
    }
}

/// A user who types or pastes the file sees the typed text.
#[test]
fn nothing_is_shown_where_the_input_is_typed() {
    let line = "stty -echo; profan --from-hexdump -p - primes; echo done";
    let mut session = start(line, copy_of("tour"), &[]);
    thread::sleep(LONG);
    // The end is met where the start is read, and where the rest is.
    session.press("\x04\x04");
    let seen = session.finish();
    assert!(!seen.text.contains(READING), "{}", seen.text);
    assert!(seen.text.ends_with("done\n"), "{}", seen.text);
}

#[test]
fn an_interrupt_takes_it_away_and_ends_the_program() {
    let scratch = copy_of("tour");
    let _go_on = slow_down(&scratch.path().join("gmon.out"));
    let mut command = CommandBuilder::new(PROFAN);
    command.args(["gmon.out", "primes"]);
    let mut session = Session::run(command, scratch, (80, 24), &[]);
    session.wait_for(READING);
    session.press("\x03");
    let seen = session.finish();
    assert_eq!(contents(&seen).trim(), "");
    assert_eq!(seen.status.signal(), Some("Interrupt"));
}

/// The pager gets interrupts, even if they were held before.
#[test]
fn an_interrupt_of_the_pager_does_not_end_the_program() {
    let script = "trap 'echo stopped' INT; cat >/dev/null; echo paged; read key </dev/tty";
    let pager = format!("sh -c \"{script}; echo left\"");
    let scratch = copy_of("tour");
    let go_on = slow_down(&scratch.path().join("gmon.out"));
    let mut session =
        start("exec profan --pager always gmon.out primes", scratch, &[("PAGER", &pager)]);
    session.wait_for(READING);
    go_on.send(()).expect("it is read");
    session.wait_for("paged");
    session.press("\x03");
    session.wait_for("stopped");
    session.press("\n");
    session.wait_for("left");
    assert!(session.finish().status.success());
}
