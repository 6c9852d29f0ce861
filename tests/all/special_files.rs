//! Folders, pipes and devices where files are looked for, files that are too large, and
//! files that shrink while they are read.
#![cfg(unix)]

use std::ffi::OsStr;
use std::fs::{self, File};
use std::io::{Read, Write};
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::symlink;
use std::path::Path;
use std::process::{Child, Command, Output, Stdio};
use std::time::{Duration, Instant};

use crate::support::{Scratch, words_of};

fn copy_of(case: &str) -> Scratch {
    let fixtures = Path::new(env!("CARGO_MANIFEST_DIR")).join("fixtures");
    Scratch::copy_of(&fixtures.join(case))
}

fn command(line: &str, scratch: &Scratch) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_profan"));
    command.args(words_of(line)).current_dir(scratch.path());
    command
}

/// A limit for time and memory: the files here never end.
const PATIENCE: Duration = Duration::from_secs(20);

fn run(line: &str, scratch: &Scratch) -> (Output, String) {
    let mut command = command(line, scratch);
    command.stdin(Stdio::null());
    command.stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = command.spawn().expect("the program can be run");
    let start = Instant::now();
    while child.try_wait().expect("it was started").is_none() {
        if start.elapsed() > PATIENCE {
            child.kill().expect("it runs");
            panic!("`profan {line}` does not end");
        }
        std::thread::sleep(Duration::from_millis(10));
    }
    let output = child.wait_with_output().expect("it ended");
    let said = String::from_utf8_lossy(&output.stderr).into_owned();
    (output, said)
}

fn make_pipe(path: &Path) {
    let made = Command::new("mkfifo").arg(path).status();
    assert!(made.expect("there is mkfifo").success());
}

/// Puts something in the place of a file.
fn replace(path: &Path, make: impl FnOnce(&Path)) {
    fs::remove_file(path).expect("it is there");
    make(path);
}

fn make_directory(path: &Path) {
    fs::create_dir(path).expect("folders can be made");
}

fn link_to(target: &'static str) -> impl Fn(&Path) {
    move |path| symlink(target, path).expect("links can be made")
}

fn make_large(path: &Path) {
    let file = File::create(path).expect("the folder is writable");
    file.set_len(10 << 30).expect("files may have holes");
}

#[test]
fn files_that_are_not_sources_are_skipped_with_a_warning() {
    let check = |make: &dyn Fn(&Path), what: &str| {
        let scratch = copy_of("oddities");
        replace(&scratch.path().join("work.c"), make);
        for (line, sign) in [
            ("--any-source -A --stable sound.gmon work", "profan: warning[W048]: "),
            ("gprof -A work sound.gmon", "gprof: "),
        ] {
            let (output, said) = run(line, &scratch);
            let expected = format!("./work.c is not read as source: {what}");
            assert!(said.contains(sign) && said.contains(&expected), "{line}: {said}");
            assert!(output.status.success(), "{line}: {said}");
        }
    };
    check(&make_directory, "it is a directory");
    check(&make_pipe, "it is a pipe");
    check(&link_to("/dev/zero"), "it is a device");
    check(&make_large, "it has 10737418240 bytes, more than the limit of 67108864");
    if cfg!(target_os = "linux") {
        check(&link_to("/proc/self/status"), "it is a file of the kernel");
    }
}

/// A profile that names a file elsewhere, by its path, by `..` and by a link, as a hostile
/// executable can.
#[test]
fn sources_elsewhere_are_printed_on_request_only() {
    let elsewhere = tempfile::tempdir().expect("a temporary folder can be made");
    let secret = elsewhere.path().join("secret");
    fs::write(&secret, "token\n").expect("a file can be written");
    let scratch = copy_of("oddities");
    symlink(&secret, scratch.path().join("link.c")).expect("a link can be made");
    let directory = elsewhere.path().file_name().expect("it has a name");
    let up = format!("../{}/secret", directory.display());
    for name in [&secret.display().to_string(), &up, "link.c"] {
        let profile = format!("events: Ir\nfl={name}\nfn=main\n1 5\n");
        fs::write(scratch.path().join("p.callgrind"), profile).expect("a file can be written");
        let prints = |options: &str| {
            let (output, said) = run(&format!("-A {options} p.callgrind"), &scratch);
            let is_refused = output.status.code() == Some(2);
            assert_eq!(is_refused, said.contains("error[E022]"), "{said}");
            assert_eq!(is_refused, said.contains("--any-source"), "{said}");
            assert_eq!(is_refused, said.contains(name), "{said}");
            let (output, said) = run(&format!("-p -A {options} p.callgrind"), &scratch);
            let text = String::from_utf8_lossy(&output.stdout).into_owned();
            assert_eq!(said.contains("warning[W048]"), !text.contains("token"), "{said}");
            text.contains("token")
        };
        assert!(!prints(""), "{name}");
        assert!(prints("--any-source"), "{name}");
        assert!(prints(&format!("-I {}", elsewhere.path().display())), "{name}");
    }
}

/// A source above the directory of the executable, and above the current one.
#[test]
fn sources_of_the_tree_around_the_executable_are_printed() {
    let scratch = copy_of("oddities");
    let path = |name: &str| scratch.path().join(name);
    make_directory(&path("build"));
    make_directory(&path("src"));
    for (old, new) in [("work", "build/work"), ("sound.gmon", "build/gmon.out")] {
        fs::rename(path(old), path(new)).expect("a file can be moved");
    }
    fs::rename(path("work.c"), path("src/work.c")).expect("a file can be moved");
    symlink("../src/work.c", path("build/work.c")).expect("a link can be made");
    let output = |line: &str| {
        let output = command(line, &scratch).current_dir(path("build")).output();
        let Output { stdout, stderr, .. } = output.expect("profan can be run");
        [stdout, stderr].concat()
    };
    let prints = |line: &str, text: &str| {
        let output = output(line);
        assert!(memchr::memmem::find(&output, text.as_bytes()).is_some(), "no {text}");
    };
    prints("-A gmon.out work", "./work.c (not read: outside; add -I ../src)");
    prints("-A gmon.out work", "add -I ../src, or --any-source");
    prints("doctor work", "1 of 1 source file not read: outside");
    prints("-A -I ../src gmon.out work", "*** File ./work.c");
    fs::write(path("Makefile"), "").expect("a file can be written");
    prints("-A gmon.out work", "*** File ./work.c");
    prints("doctor work", "its source file was found");
    replace(&path("build/work.c"), |place| {
        symlink("/etc/passwd", place).expect("a link can be made");
    });
    prints("-A gmon.out work", "./work.c (not read: outside)");
    prints("-A gmon.out work", "do not trust a program that names such a file");
}

#[test]
fn a_debug_file_that_is_a_pipe_or_a_device_is_not_opened() {
    let check = |make: &dyn Fn(&Path), what: &str| {
        let scratch = copy_of("gprof/debuglink");
        replace(&scratch.path().join("prog.debug"), make);
        let (_, said) = run("-p -l gmon.out prog", &scratch);
        let expected = format!("prog.debug` not used as debug file: {what}");
        let is_said = said.contains("prog.debug") && said.contains(what);
        assert!(is_said, "{expected}: {said}");
        run("gprof -p -l prog gmon.out", &scratch);
    };
    check(&make_pipe, "it is a pipe");
    check(&link_to("/dev/zero"), "it is a device");
}

#[test]
fn option_files_may_be_shell_pipes_but_not_endless() {
    let scratch = copy_of("oddities");
    make_pipe(&scratch.path().join("pipe"));
    for file in ["/dev/zero", "pipe", "."] {
        for line in [
            format!("-p -R {file} sound.gmon work"),
            format!("-p -S {file} sound.gmon work"),
            format!("gprof -R {file} work sound.gmon"),
            format!("gprof -S {file} work sound.gmon"),
        ] {
            let (output, said) = run(&line, &scratch);
            assert!(!output.status.success(), "{line}: {said}");
            assert!(said.contains(file), "{line}: {said}");
        }
    }
    let (_, said) = run("@/dev/zero", &scratch);
    assert!(said.contains("@/dev/zero"), "{said}");
    // The file that a shell makes for `<(...)`.
    let mut table = command("-p -S /dev/fd/0 sound.gmon work", &scratch);
    table.stdin(Stdio::piped()).stdout(Stdio::piped());
    let mut child = table.spawn().expect("the program can be run");
    let mut pipe = child.stdin.take().expect("it is piped");
    let symbols = fs::read(scratch.path().join("work.nm")).expect("it is there");
    pipe.write_all(&symbols).expect("it is read");
    drop(pipe);
    let output = child.wait_with_output().expect("it ends");
    assert!(output.status.success());
    let (expected, _) = run("-p -S work.nm sound.gmon work", &scratch);
    assert!(output.stdout == expected.stdout);
}

/// Some files of the kernel look plain, and reading them waits. This one holds the
/// beginning of the environment, which would pass for a profile.
#[cfg(target_os = "linux")]
#[test]
fn files_of_the_kernel_are_not_looked_into_unasked() {
    let scratch = copy_of("oddities");
    let path = |name: &str| scratch.path().join(name);
    link_to("/proc/self/environ")(&path("gmon.1"));
    link_to("/proc/self/environ")(&path("gmon.out"));
    let check = |line: &str| {
        let mut command = command(line, &scratch);
        command.env_clear().env("gmon", "work;main 1");
        let output = command.output().expect("the program can be run");
        let said = [output.stdout, output.stderr].concat();
        String::from_utf8_lossy(&said).into_owned()
    };
    assert!(check("doctor work").contains("run ./work"));
    assert!(check("work").contains("E0"));
}

#[test]
fn pipes_with_the_usual_names_are_not_waited_for() {
    let scratch = copy_of("oddities");
    for name in ["a.out", "gmon.out", "gmon.1", "mpatrol.out"] {
        make_pipe(&scratch.path().join(name));
    }
    for line in ["sound.gmon", "work", "", "doctor work", "doctor", "no"] {
        run(line, &scratch);
    }
}

#[test]
fn an_endless_profile_is_refused_by_its_start() {
    let scratch = copy_of("oddities");
    for line in [
        "/dev/zero",
        "mptrace /dev/zero",
        "mprof /dev/zero",
        "gprof work /dev/zero",
        "mlprof /dev/zero",
        "mptrace /dev/urandom",
    ] {
        let (output, said) = run(line, &scratch);
        assert!(!output.status.success(), "{line}: {said}");
        assert!(said.contains("/dev/"), "{line}: {said}");
    }
    let scratch = copy_of("tour");
    let (output, said) = run("mlprof interp.table /dev/zero", &scratch);
    assert!(!output.status.success() && said.contains("/dev/zero"), "{said}");
}

/// A trace, and then no end of it.
#[test]
fn an_endless_trace_ends_where_it_makes_no_sense() {
    let scratch = copy_of("tour");
    let trace = fs::read(scratch.path().join("mpatrol.trace")).expect("it is there");
    let mut command = command("mptrace -", &scratch);
    command.stdin(Stdio::piped()).stdout(Stdio::piped());
    let mut child = command.spawn().expect("the program can be run");
    let mut pipe = child.stdin.take().expect("it is piped");
    let start = Instant::now();
    let mut rest = trace[..trace.len() / 2].to_vec();
    // A reader that stops closes the pipe.
    while pipe.write_all(&rest).is_ok() {
        rest = vec![0xff; 1 << 20];
        assert!(start.elapsed() < PATIENCE, "all of it is read");
    }
    let status = child.wait().expect("it ends");
    assert_eq!(status.code(), Some(1));
}

#[cfg(target_os = "linux")]
/// Waits until a process has a file in memory.
fn wait_until_mapped(process: &Child, file: &Path) {
    let start = Instant::now();
    let maps = format!("/proc/{}/maps", process.id());
    let name = file.display().to_string();
    let is_there = || fs::read_to_string(&maps).is_ok_and(|maps| maps.contains(&name));
    while !is_there() {
        assert!(start.elapsed() < PATIENCE, "it is not mapped");
        std::thread::sleep(Duration::from_millis(1));
    }
}

/// The program is in memory when its profile, or its symbols, come through a pipe. By
/// then it is shorter.
#[cfg(target_os = "linux")]
#[test]
fn a_program_that_shrinks_is_an_error() {
    let check = |line: &str, pipe: Option<&str>, input: &str, status: i32, said: &str| {
        for size in [0, 5000] {
            let scratch = copy_of("oddities");
            let path = |name: &str| scratch.path().join(name);
            let input = fs::read(path(input)).expect("it is there");
            let mut command = command(line, &scratch);
            command.stdin(Stdio::piped());
            command.stdout(Stdio::null()).stderr(Stdio::piped());
            if let Some(pipe) = pipe {
                make_pipe(&path(pipe));
            }
            let mut child = command.spawn().expect("the program can be run");
            let stdin = child.stdin.take().expect("it is piped");
            let mut writer: Box<dyn Write> = match pipe {
                // Opens once the program has opened it, too.
                Some(pipe) => Box::new(
                    File::options().write(true).open(path(pipe)).expect("the pipe is there"),
                ),
                None => {
                    wait_until_mapped(&child, &path("work"));
                    Box::new(stdin)
                }
            };
            let program = File::options().write(true).open(path("work"));
            let shrunk = program.and_then(|program| program.set_len(size));
            shrunk.expect("it is writable");
            let _ = writer.write_all(&input);
            drop(writer);
            let mut message = String::new();
            let mut stderr = child.stderr.take().expect("it is piped");
            stderr.read_to_string(&mut message).expect("it is text");
            let found = child.wait().expect("it ends").code();
            assert_eq!(found, Some(status), "{line} at {size}: {message}");
            assert!(message.contains(said), "{line} at {size}: {message}");
        }
    };
    check(
        "gprof -c work pipe",
        Some("pipe"),
        "sound.gmon",
        1,
        "gprof: work: shrank while it was read\n",
    );
    check(
        "-p -c -S /dev/stdin sound.gmon work",
        None,
        "work.nm",
        2,
        "work: shrank while it was read\n",
    );
}

#[test]
fn lists_of_files_are_in_any_encoding_and_not_too_large() {
    let scratch = copy_of("tour");
    let list = scratch.path().join("list");
    let name = OsStr::from_bytes(b"gmon-\xe9.out");
    fs::copy(scratch.path().join("gmon.out"), scratch.path().join(name)).expect("it is there");
    fs::write(&list, name.as_bytes()).expect("the folder is writable");
    let (output, said) = run("-p @list primes", &scratch);
    assert_eq!(output.status.code(), Some(0), "{said}");
    fs::write(&list, "a ".repeat(9 << 20)).expect("the folder is writable");
    let (output, said) = run("-p @list primes", &scratch);
    assert_eq!(output.status.code(), Some(2), "{said}");
    assert!(said.contains("@list: the list exceeds 16 MiB"), "{said}");
}

#[test]
fn a_link_without_a_target_is_missing_from_its_directory() {
    let scratch = copy_of("tour");
    symlink("nowhere", scratch.path().join("ranks/gmon.out.99")).expect("links can be made");
    let (_, said) = run("-p --files-like 'gmon.out.*' ranks primes", &scratch);
    assert!(said.contains("ranks/gmon.out.99: No such file"), "{said}");
}
