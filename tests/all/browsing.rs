//! `profan browse` on a terminal: every key, every kind of profile, signals, hostile names.
#![cfg(unix)]

use std::fmt::Write as _;
use std::fs;
use std::path::Path;
use std::time::{Duration, Instant};

use portable_pty::{CommandBuilder, PtySize};
use profan::report::number::{duration, grouped};
use rustix::process::{Pid, Signal, WaitOptions, kill_process, waitpid};
use serde_json::Value;

use crate::support::run_line;
use crate::terminal::{Session, Size, copy_of};

const SMALL: Size = (80, 24);
const LARGE: Size = (120, 40);

/// Profiles of every kind, in the directory of the README's examples or next to it.
const KINDS: [(&str, &str); 9] = [
    ("tour", "gmon.out primes"),
    ("gprof/cxx-o2", "dense.gmon prog"),
    ("gprof/fortran", "gmon.out prog"),
    ("tour", "mpatrol.out basic"),
    ("tour", "mpatrol.trace basic"),
    ("tour", "time.txt time.out"),
    ("tour", "callgrind.out"),
    ("folded/stacks", "stacks.folded"),
    ("tour", "unequal.gmon unequal -- unequal.gmon unequal"),
];

/// Keys that draw one frame each; keys that make a report draw another one first.
const ALL_KEYS: &str = "jjkG g\r\x7fnNsrsd?\x7fw\x7fe\te\x7fy!u";
const LOADING: &str = "tbafivm";

fn start(fixture: &str, line: &str, size: Size) -> Session {
    let mut command = CommandBuilder::new(env!("CARGO_BIN_EXE_profan"));
    command.arg("browse");
    command.args(line.split(' '));
    let mut session = Session::run(command, copy_of(fixture), size, &[("NO_COLOR", "1")]);
    session.wait_for_frames(1);
    session
}

/// Presses keys one by one, each when the frame of the one before is there.
fn press(session: &mut Session, keys: &str) {
    for key in keys.chars() {
        let n_before = n_frames(session);
        session.press(key.encode_utf8(&mut [0; 4]));
        session.wait_for_frames(n_before + 1);
        while session.screen.screen().contents().starts_with("reading...") {
            session.wait_for_frames(n_frames(session) + 1);
        }
    }
}

fn n_frames(session: &Session) -> usize {
    let seen = session.seen.windows(3);
    seen.filter(|at| at == b"\x1b[J").count()
}

/// The lines of the screen, without blanks at their ends.
pub(crate) fn lines_of(session: &Session) -> Vec<String> {
    let screen = session.screen.screen();
    let (_, columns) = screen.size();
    let rows = screen.rows(0, columns.get());
    rows.map(|row| row.trim_end().to_owned()).collect()
}

#[test]
fn inlined_functions_have_callers_and_sources() {
    let mut session = start("gprof/inline-o2", "gmon.out prog", LARGE);
    press(&mut session, "j\r");
    let calls = session.screen.screen().contents();
    assert!(calls.contains("twist (inlined into round_one)"), "{calls}");
    press(&mut session, "\x7ff");
    let focused = session.screen.screen().contents();
    assert!(focused.contains("Flat profile --focus=twist"), "{focused}");
    quit(session, false);
}

#[test]
fn a_source_is_whole_and_begins_at_its_function() {
    let mut session = start("tour", "gmon.out primes", SMALL);
    press(&mut session, "ja");
    let lines = lines_of(&session);
    let is_first = |line: &String| line.contains("static void strike_out(char *sieve");
    assert!(lines[2..6].iter().any(is_first), "{lines:#?}");
    for (key, line) in [("g", "#include <stdio.h>"), ("G", "    return 0;")] {
        press(&mut session, key);
        let lines = lines_of(&session);
        assert!(lines.iter().any(|shown| shown.ends_with(line)), "{line}: {lines:#?}");
    }
    press(&mut session, "y");
    let command = lines_of(&session).pop().expect("it has a status");
    assert!(command.ends_with("-Aprimes.c: --all gmon.out primes"), "{command}");
    quit(session, false);
}

#[test]
fn callers_within_a_cycle_have_recorded_costs_and_the_hottest_come_first() {
    let mut session = start("callgrind/levels", "callgrind.out", LARGE);
    press(&mut session, "/eval");
    press(&mut session, "\r");
    press(&mut session, "\r");
    let lines = lines_of(&session);
    let place = |cost: &str| lines.iter().position(|line| line.contains(cost));
    let places = ["callers", "95,208", "54,492", "10,672", "99,366", "46,976", "10,325"];
    let places = places.map(place);
    assert!(places.is_sorted() && places[0].is_some(), "{places:?} {lines:#?}");
    quit(session, false);
}

/// The screen after these keys, followed by the rest of it.
const SCENES: [(&str, Size, &str, &str); 20] = [
    ("tour", SMALL, "gmon.out primes", ""),
    ("tour", LARGE, "gmon.out primes", ""),
    ("tour", SMALL, "gmon.out primes", "jj\r"),
    ("tour", SMALL, "gmon.out primes", "t"),
    ("tour", SMALL, "gmon.out primes", "b"),
    ("tour", SMALL, "gmon.out primes", "m"),
    ("tour", SMALL, "gmon.out primes", "ja"),
    ("tour", SMALL, "gmon.out primes", "e"),
    ("tour", SMALL, "gmon.out primes", "w"),
    ("tour", SMALL, "gmon.out primes", "?"),
    ("tour", SMALL, "gmon.out primes", "sy"),
    ("tour", SMALL, "gmon.out primes", "jjf"),
    ("tour", SMALL, "gmon.out primes", "/COUNT"),
    ("tour", SMALL, "gmon.out primes", "/count"),
    ("gprof/cxx-o2", SMALL, "dense.gmon prog", ""),
    ("gprof/cxx-o2", LARGE, "dense.gmon prog", "j\r"),
    ("tour", SMALL, "mpatrol.out basic", ""),
    ("tour", SMALL, "mpatrol.trace basic", "\t"),
    ("tour", SMALL, "time.txt time.out", ""),
    ("tour", SMALL, "callgrind.out", "\r"),
];

#[test]
fn screens_are_as_recorded() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("fixtures/tour/expected/browse.txt");
    let mut shown = String::new();
    for (fixture, size, line, keys) in SCENES {
        let mut session = start(fixture, line, size);
        press(&mut session, keys);
        let _ = writeln!(shown, "=== {fixture}: {line} {size:?} {keys:?}");
        for line in lines_of(&session) {
            let _ = writeln!(shown, "{line}");
        }
        quit(session, keys.contains('/'));
    }
    if std::env::var_os("PROFAN_BLESS").is_some() {
        fs::write(&path, &shown).expect("the screens can be recorded");
    }
    let recorded = fs::read_to_string(&path).expect("screens were recorded");
    for (shown, recorded) in shown.lines().zip(recorded.lines()) {
        assert_eq!(shown, recorded);
    }
    assert_eq!(shown.len(), recorded.len());
}

fn quit(mut session: Session, is_searching: bool) {
    if is_searching {
        press(&mut session, "\r");
    }
    session.press("q");
    let seen = session.finish();
    assert!(seen.status.success(), "{}", seen.text);
    assert!(!seen.screen.screen().alternate_screen());
    assert!(!seen.screen.screen().hide_cursor());
}

#[test]
fn every_key_does_something_on_every_kind() {
    for (fixture, line) in KINDS {
        for size in [SMALL, LARGE, (20, 5)] {
            let mut session = start(fixture, line, size);
            press(&mut session, ALL_KEYS);
            for key in LOADING.chars() {
                press(&mut session, &format!("{key}j"));
                let title = &lines_of(&session)[0];
                assert!(!title.trim().is_empty(), "{line} {key}");
                press(&mut session, "u\x7f");
            }
            for line in lines_of(&session) {
                assert!(line.chars().count() <= usize::from(size.0), "{line}");
            }
            quit(session, false);
        }
    }
}

#[test]
fn numbers_on_the_screen_equal_json() {
    let scratch = copy_of("tour");
    let saved = run_line("profan -p gmon.out primes --format json", b"", scratch.path());
    let saved: Value = serde_json::from_slice(&saved.stdout).expect("it is JSON");
    let session = start("tour", "gmon.out primes", LARGE);
    let lines = lines_of(&session);
    let rows = saved["sections"][0]["rows"].as_array().expect("it has rows");
    assert!(rows.len() > 5);
    for row in rows {
        let name = row["name"].as_str().expect("rows have names");
        let seconds = row["self_seconds"].as_f64().expect("rows have times");
        let calls = row["calls"].as_u64().map(|calls| grouped(calls.into()));
        let mut lines = lines.iter();
        let line = lines.find(|line| line.ends_with(&format!(" {name}")));
        let words: Vec<_> = line.expect("it is shown").split_whitespace().collect();
        let time = duration(seconds);
        assert!(words.windows(2).any(|words| words.join(" ") == time), "{time}: {words:?}");
        assert!(calls.is_none_or(|calls| words.contains(&&*calls)), "{words:?}");
    }
    quit(session, false);
}

#[test]
fn a_view_is_written_as_its_command_prints_it() {
    let mut session = start("tour", "gmon.out primes", LARGE);
    press(&mut session, "soout.csv\r");
    session.wait_for("written to out.csv");
    press(&mut session, "y");
    let written = fs::read(session.scratch().join("out.csv")).expect("it was written");
    session.press("q");
    let seen = session.finish();
    let command = seen.text.rfind("profan -p").expect("the command is printed");
    let command = seen.text[command..].trim();
    assert!(command.ends_with("--sort total_seconds gmon.out primes"), "{command}");
    let tour = copy_of("tour");
    let printed = format!("{command} --format csv");
    let printed = run_line(&printed, b"", tour.path());
    assert_eq!(printed.stdout, written);
}

#[test]
fn the_mouse_selects_and_opens_rows() {
    let mut session = start("tour", "gmon.out primes", SMALL);
    let send = |session: &mut Session, sequence: &str| {
        let n_before = n_frames(session);
        session.press(sequence);
        session.wait_for_frames(n_before + 1);
        lines_of(session)[0].clone()
    };
    // Two headings are between the title and the first row.
    assert!(send(&mut session, "\x1b[<0;20;6M").contains("| 3 of 8 |"));
    assert!(send(&mut session, "\x1b[<65;1;1M").contains("| 6 of 8 |"));
    assert!(send(&mut session, "\x1b[<64;1;1M").contains("| 3 of 8 |"));
    assert!(send(&mut session, "\x1b[<0;1;23M").contains("| 3 of 8 |"));
    let opened = send(&mut session, "\x1b[<0;20;6M");
    assert!(opened.starts_with("Callers and callees of is_even"), "{opened}");
    quit(session, false);
}

#[test]
fn keys_that_arrive_together_are_one_frame() {
    let mut session = start("tour", "gmon.out primes", SMALL);
    press(&mut session, "j");
    let n_before = n_frames(&session);
    session.press(&"jk".repeat(2000));
    session.press("G");
    session.wait_for("| 8 of 8 |");
    let n_drawn = n_frames(&session) - n_before;
    assert!(n_drawn < 400, "{n_drawn} frames for 4,001 keys");
    quit(session, false);
}

#[test]
fn values_and_labels_are_chosen_on_the_screen() {
    let mut session = start("pprof/go", "mem.pb.gz", LARGE);
    let title = lines_of(&session)[0].clone();
    press(&mut session, "v");
    let chosen = lines_of(&session)[0].clone();
    assert!(chosen.contains(" --value=") && !title.contains("--value"), "{chosen}");
    press(&mut session, "u");
    assert_eq!(lines_of(&session)[0], title);
    press(&mut session, "Lnone\r");
    assert!(lines_of(&session).last().is_some_and(|line| line.contains("none")));
    quit(session, false);
    let mut session = start("pprof/go", "cpu.pb.gz", LARGE);
    press(&mut session, "vLworker=north\r");
    let chosen = lines_of(&session)[0].clone();
    let title = "Flat profile --value=samples --label=worker=north | 42 samples in total | 1 of 15";
    assert!(chosen.starts_with(title), "{chosen}");
    press(&mut session, "b\r");
    let calls = session.screen.screen().contents();
    assert!(calls.starts_with("Callers and callees of example/words.work"), "{calls}");
    quit(session, false);
}

#[test]
fn a_new_size_is_a_new_layout() {
    let mut session = start("gprof/cxx-o2", "dense.gmon prog", LARGE);
    let n_before = n_frames(&session);
    let (cols, rows) = (40, 10);
    let size = PtySize { rows, cols, ..PtySize::default() };
    session
        .screen
        .screen_mut()
        .set_size(rows.try_into().expect("it has lines"), cols.try_into().expect("it has columns"));
    session.master.resize(size).expect("terminals have sizes");
    session.wait_for_frames(n_before + 1);
    let lines = lines_of(&session);
    assert_eq!(lines.len(), 10);
    assert!(lines[0].starts_with("Flat profile"), "{lines:?}");
    assert!(!lines[8].is_empty() && !lines[9].is_empty(), "{lines:?}");
    quit(session, false);
}

#[test]
fn signals_give_the_terminal_back() {
    for signal in [Signal::INT, Signal::TERM, Signal::HUP, Signal::QUIT] {
        let session = start("tour", "gmon.out primes", SMALL);
        kill_process(pid_of(&session), signal).expect("it runs");
        let seen = session.finish();
        assert!(!seen.status.success());
        assert!(!seen.screen.screen().alternate_screen(), "{signal:?}");
        assert!(!seen.screen.screen().hide_cursor(), "{signal:?}");
    }
}

#[test]
fn a_stopped_program_goes_on_where_it_was() {
    let mut session = start("tour", "gmon.out primes", SMALL);
    press(&mut session, "jj\r");
    let before = lines_of(&session);
    let n_before = n_frames(&session);
    kill_process(pid_of(&session), Signal::TSTP).expect("it runs");
    session.wait_for_bytes(b"\x1b[?1049l");
    // It gives the terminal back before it stops.
    let change = waitpid(Some(pid_of(&session)), WaitOptions::UNTRACED);
    let (_, status) = change.expect("it is a child").expect("it was waited for");
    assert!(status.stopped(), "{status:?}");
    kill_process(pid_of(&session), Signal::CONT).expect("it runs");
    session.wait_for_frames(n_before + 1);
    assert_eq!(lines_of(&session), before);
    quit(session, false);
}

#[test]
fn a_dead_terminal_ends_it() {
    let mut child = start("tour", "gmon.out primes", SMALL).hang_up();
    // A program that another test starts at this moment may hold the terminal until it ends.
    let end = Instant::now() + Duration::from_secs(120);
    while child.try_wait().expect("it was started").is_none() {
        assert!(Instant::now() < end, "it does not end");
        std::thread::sleep(Duration::from_millis(20));
    }
}

/// Sequences of the screen itself. Everything else from the first byte of one is a name's.
const OWN: [&str; 15] = [
    "\x1b[?1000h",
    "\x1b[?1006h",
    "\x1b[?1006l",
    "\x1b[?1000l",
    "\x1b[?1049h",
    "\x1b[?25l",
    "\x1b[?7l",
    "\x1b[0m",
    "\x1b[?7h",
    "\x1b[?25h",
    "\x1b[?1049l",
    "\x1b[H",
    "\x1b[K",
    "\x1b[J",
    "\x1b[7m",
];

#[test]
fn names_do_not_drive_the_terminal() {
    let scratch = copy_of("folded/stacks");
    let name = "\x1b[2J\u{9b}2J\u{202e}\u{2028}x\x07";
    let line = format!("main;{name};b 5\nmain;c\x1b]0;t\x07 3\n");
    fs::write(scratch.path().join("a.folded"), line).expect("it is writable");
    let mut command = CommandBuilder::new(env!("CARGO_BIN_EXE_profan"));
    command.args(["browse", "a.folded"]);
    let mut session = Session::run(command, scratch, SMALL, &[("NO_COLOR", "1")]);
    session.wait_for_frames(1);
    press(&mut session, "jj\r\x7ftj\r\x7f\x7fwy");
    session.press("q");
    let mut text = session.finish().text;
    for own in OWN {
        text = text.replace(own, "");
    }
    let is_bad = |one: char| {
        one.is_control() && one != '\n' && one != '\r' || "\u{202e}\u{2028}".contains(one)
    };
    let found = text.find(is_bad);
    assert_eq!(found, None, "{text:?}");
}

fn pid_of(session: &Session) -> Pid {
    let pid = session.child.process_id().expect("it runs");
    let pid = i32::try_from(pid).expect("numbers of processes are small");
    Pid::from_raw(pid).expect("it has a number")
}
