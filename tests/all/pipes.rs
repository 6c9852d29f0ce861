//! Inputs that can be read once only, and such as never end.

use std::fs::{self, File};
use std::io::{Read, Write};
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use std::thread;

use crate::support::{Scratch, files_below};

fn directory() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("fixtures/oddities")
}

fn profan(arguments: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_profan"));
    command.args(arguments).current_dir(directory());
    command
}

fn bytes_of(name: &str) -> Vec<u8> {
    fs::read(directory().join(name)).expect("the fixture is there")
}

/// Runs it with a pipe, into which the bytes are written, as standard input.
fn fed(arguments: &[&str], bytes: Vec<u8>) -> Output {
    let mut command = profan(arguments);
    command.stdin(Stdio::piped());
    command.stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = command.spawn().expect("the program can be run");
    let mut pipe = child.stdin.take().expect("it is piped");
    // A program that refuses its input does not read all of it.
    let writer = thread::spawn(move || pipe.write_all(&bytes).unwrap_or_default());
    let output = child.wait_with_output().expect("the program ends");
    writer.join().expect("writing does not panic");
    output
}

fn expected() -> Vec<u8> {
    let output = profan(&["sound.gmon", "work"]).output();
    let output = output.expect("the program can be run");
    assert!(output.status.success());
    output.stdout
}

fn check(arguments: &[&str], bytes: Vec<u8>) {
    let output = fed(arguments, bytes);
    let stderr = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{arguments:?}: {stderr}");
    let mut said = stderr.lines();
    assert!(said.all(|line| line.starts_with("profan: note: ")), "{stderr}");
    assert_eq!(output.stdout, expected(), "{arguments:?}");
}

#[test]
fn a_profile_comes_through_a_pipe() {
    for name in ["-", "/dev/stdin", "/dev/fd/0"] {
        check(&[name, "work"], bytes_of("sound.gmon"));
        for compressed in ["sound.gmon.gz", "sound.gmon.xz", "sound.gmon.zst"] {
            check(&[name, "work"], bytes_of(compressed));
        }
    }
}

#[test]
fn an_executable_comes_through_a_pipe() {
    for name in ["-", "/dev/stdin"] {
        check(&["sound.gmon", name], bytes_of("work"));
    }
}

#[test]
fn a_saved_report_comes_through_a_pipe() {
    let kept = profan(&["--format", "json", "sound.gmon", "work"]).output();
    let kept = kept.expect("the program can be run").stdout;
    for name in ["-", "/dev/stdin"] {
        check(&[name], kept.clone());
    }
}

/// Each of both is opened when the other is written whole, and larger than a pipe.
#[test]
fn pipes_with_one_writer_do_not_wait_for_each_other() {
    let temporary = tempfile::tempdir().expect("a folder can be made");
    let path = |name: &str| temporary.path().join(name).display().to_string();
    let (first, second) = (path("first"), path("second"));
    let made = Command::new("mkfifo").args([&first, &second]).status();
    assert!(made.expect("there is mkfifo").success());
    // Arcs without end, of one caller and one callee.
    let mut long = bytes_of("sound.gmon");
    let arc = long[long.len() - 21..].to_vec();
    (0..10_000).for_each(|_| long.extend(&arc));
    let writer = thread::spawn({
        let (first, second) = (first.clone(), second.clone());
        move || {
            for (path, bytes) in [(first, long), (second, bytes_of("work"))] {
                let mut pipe = File::options().write(true).open(path).expect("it is there");
                pipe.write_all(&bytes).expect("it is read");
            }
        }
    });
    let output = profan(&["-p", &first, &second]).output();
    let output = output.expect("the program can be run");
    writer.join().expect("both were read");
    let text = String::from_utf8_lossy(&output.stdout);
    // Nine calls were recorded in the arc, and it is there 10,001 times.
    assert!(text.contains(" 90009 "), "{text}");
}

#[test]
fn profiles_from_pipes_are_summed() {
    let directory = tempfile::tempdir().expect("a folder can be made");
    let sum = directory.path().join("sum").display().to_string();
    let output = fed(&["-s", "-o", &sum, "-", "slow.gmon"], bytes_of("sound.gmon"));
    assert!(output.status.success());
    let through_pipe = fs::read(&sum).expect("it was written");
    let output = profan(&["-s", "-o", &sum, "slow.gmon", "sound.gmon"]).output();
    assert!(output.expect("the program can be run").status.success());
    assert_eq!(fs::read(&sum).expect("it was written"), through_pipe);
}

#[test]
fn endless_input_is_refused_by_its_start() {
    let output = profan(&["/dev/zero", "work"]).output();
    let output = output.expect("the program can be run");
    assert_eq!(output.status.code(), Some(2));
    let stderr = String::from_utf8_lossy(&output.stderr);
    assert!(stderr.contains("/dev/zero: not a profile, but a file of zeros only"));
    // 16 MB of lines: more than is looked at.
    let output = fed(&["-", "work"], b"nothing to see\n".repeat(1 << 20));
    assert_eq!(output.status.code(), Some(2));
    let stderr = String::from_utf8_lossy(&output.stderr);
    assert!(stderr.contains("-: not a profile, but a text file"));
}

/// The ways in which a reader stops reading.
#[cfg(unix)]
#[derive(Clone, Copy, Debug)]
enum Leaves {
    /// A pipe, before anything is written.
    AtOnce,
    /// A pipe, after a byte.
    AfterAByte,
    /// A named pipe, as the argument of `-o`.
    Named,
    /// Standard output is closed: `>&-`.
    NeverCame,
}

#[cfg(unix)]
const WAYS: [Leaves; 4] = [Leaves::AtOnce, Leaves::AfterAByte, Leaves::Named, Leaves::NeverCame];

/// The status of a command whose reader leaves.
#[cfg(unix)]
fn status_unread(line: &str, leaves: Leaves, directory: &Path) -> Option<i32> {
    let profan = env!("CARGO_BIN_EXE_profan");
    let line = match leaves {
        Leaves::AtOnce | Leaves::AfterAByte => format!("exec {profan} {line}"),
        Leaves::Named => format!("exec {profan} {line} -o unread"),
        Leaves::NeverCame => format!("exec {profan} {line} >&-"),
    };
    let mut command = Command::new("sh");
    command.args(["-c", &line]).current_dir(directory);
    command.stdout(Stdio::piped()).stderr(Stdio::null());
    let mut child = command.spawn().expect("there is a shell");
    let mut stdout = child.stdout.take().expect("it is piped");
    match leaves {
        Leaves::AtOnce | Leaves::NeverCame => {}
        Leaves::AfterAByte => {
            let _ = stdout.read(&mut [0]).expect("a pipe can be read");
        }
        Leaves::Named => drop(File::open(directory.join("unread")).expect("it is there")),
    }
    drop(stdout);
    child.wait().expect("the program ends").code()
}

#[cfg(unix)]
#[test]
fn a_gate_does_not_depend_on_whether_anybody_reads() {
    let fixtures = Path::new(env!("CARGO_MANIFEST_DIR")).join("fixtures");
    let compare = Scratch::copy_of(&fixtures.join("compare"));
    let path = |name: &str| compare.path().join(name);
    let made = Command::new("mkfifo").arg(path("unread")).status();
    assert!(made.expect("there is mkfifo").success());
    let doubled = fixtures.join("oddities/doubled.heap");
    fs::copy(doubled, path("doubled.heap")).expect("the folder is writable");
    let gates = [
        (1, "diff --fail-on slower,calls old-1.gmon old new-1.gmon new"),
        (0, "diff --fail-on faster old-1.gmon old new-1.gmon new"),
        (2, "--deny warnings old-1.gmon new"),
        (2, "--deny W004 -z --explain old-1.gmon new"),
        (2, "--by-file --deny W004 -z old-1.gmon new"),
        (0, "old-1.gmon old"),
    ];
    let mut n_gates = 0;
    for (status, gate) in gates {
        for format in ["text", "json", "csv", "markdown"] {
            for leaves in WAYS {
                let line = format!("{gate} --format {format}");
                let found = status_unread(&line, leaves, compare.path());
                // What only prints a report fails without an output.
                let is_gate = gate.contains("--deny") || gate.contains("--fail-on");
                let fails = !is_gate && matches!(leaves, Leaves::NeverCame);
                let status = if fails { 2 } else { status };
                assert_eq!(found, Some(status), "{leaves:?}: {line}");
                n_gates += 1;
            }
        }
    }
    // Errors found only after the whole report.
    for leaves in WAYS {
        let line = "--deny W045 doubled.heap";
        let found = status_unread(line, leaves, compare.path());
        assert_eq!(found, Some(2), "{leaves:?}: {line}");
        n_gates += 1;
    }
    assert_eq!(n_gates, 100);
}

#[cfg(unix)]
#[test]
fn a_baseline_is_saved_even_without_a_reader() {
    let fixtures = Path::new(env!("CARGO_MANIFEST_DIR")).join("fixtures");
    let scratch = Scratch::copy_of(&fixtures.join("compare"));
    let path = |name: &str| scratch.path().join(name);
    let made = Command::new("mkfifo").arg(path("unread")).status();
    assert!(made.expect("there is mkfifo").success());
    for leaves in WAYS {
        let update = "diff --baseline base.json --update old-1.gmon old";
        assert_eq!(status_unread(update, leaves, scratch.path()), Some(0));
        let first = fs::read(path("base.json")).expect("it was written");
        let update = "diff --baseline base.json --update new-1.gmon new";
        assert_eq!(status_unread(update, leaves, scratch.path()), Some(0));
        let second = fs::read(path("base.json")).expect("it was written");
        assert_ne!(first, second, "{leaves:?}");
        let gate = "diff --baseline base.json --update --fail-on calls,faster old-1.gmon old";
        assert_eq!(status_unread(gate, leaves, scratch.path()), Some(1));
        let third = fs::read(path("base.json")).expect("it was written");
        assert_eq!(second, third, "{leaves:?}");
        fs::remove_file(path("base.json")).expect("it is there");
    }
}

#[cfg(target_os = "linux")]
#[test]
fn a_full_disk_is_an_error_that_names_the_file() {
    let said = |arguments: &[&str], to: Stdio| {
        let output = profan(arguments).stdout(to).output();
        let output = output.expect("the program can be run");
        assert_eq!(output.status.code(), Some(2), "{arguments:?}");
        String::from_utf8_lossy(&output.stderr).into_owned()
    };
    let full = || File::options().write(true).open("/dev/full");
    let full = || Stdio::from(full().expect("it is there"));
    for format in ["text", "json"] {
        let report = ["--format", format, "sound.gmon", "work"];
        let message = said(&[&report[..], &["-o", "/dev/full"]].concat(), Stdio::null());
        assert!(message.contains("/dev/full: cannot write the output: No space"), "{message}");
        let message = said(&report, full());
        assert!(message.contains("E025]: standard output: cannot write"), "{message}");
    }
    let message = said(&["--help"], full());
    assert!(message.contains("E025]: standard output: cannot write"), "{message}");
}

#[cfg(target_os = "linux")]
#[test]
fn a_closed_output_is_an_error_if_a_report_was_to_be_written_there() {
    let scratch = Scratch::empty();
    let status = |line: &str| {
        let line = format!("exec {} {line} >&- 2>&-", env!("CARGO_BIN_EXE_profan"));
        let mut command = Command::new("sh");
        command.args(["-c", &line]).current_dir(directory());
        command.status().expect("there is a shell").code()
    };
    let out = scratch.path().join("report").display().to_string();
    assert_eq!(status("sound.gmon work"), Some(2));
    assert_eq!(status(&format!("-o {out} sound.gmon work")), Some(0));
}

/// Each file of the fixtures, alone: by name, as standard input, and through a pipe. Beside others,
/// profan finds the executables of a gmon.out by its path.
#[test]
fn a_file_is_the_same_by_name_and_through_a_pipe() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("fixtures");
    let is_input = |path: &PathBuf| !path.iter().any(|part| part == "expected");
    let mut different = Vec::new();
    let scratch = Scratch::empty();
    for path in files_below(&root).into_iter().filter(is_input) {
        let run = |word: &Path, stdin: Stdio| {
            let mut command = Command::new(env!("CARGO_BIN_EXE_profan"));
            command.args([Path::new("-p"), word]).current_dir(scratch.path()).stdin(stdin);
            let output = command.output().expect("the program can be run");
            (output.status.code(), output.stdout)
        };
        let alone = scratch.path().join("alone");
        Scratch::copy_file(&path, &alone);
        let by_name = run(&alone, Stdio::null());
        let file = File::open(&path).expect("it is there");
        let redirected = run(Path::new("-"), file.into());
        let mut cat = Command::new("cat");
        let mut cat = cat.arg(&path).stdout(Stdio::piped()).spawn().expect("there is cat");
        let piped = run(Path::new("-"), cat.stdout.take().expect("it is piped").into());
        cat.wait().expect("it was started");
        let name = path.strip_prefix(&root).expect("it is below").display().to_string();
        if redirected != by_name || piped != by_name {
            different.push(name);
        }
    }
    assert!(different.is_empty(), "{different:?}");
}
