//! Output files: the attributes that they keep of replaced files, the files that they never
//! replace, and the removal of unfinished ones.
#![cfg(unix)]

use std::fs::{self, File, Permissions};
use std::io::{Read, Write};
use std::os::unix::fs::{MetadataExt, PermissionsExt, symlink};
use std::os::unix::process::{CommandExt, ExitStatusExt};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use rustix::process::{Pid, Signal, kill_process};

use crate::dice::Dice;
use crate::support::{Outcome, Scratch, run_line};

fn copy_of(case: &str) -> Scratch {
    let fixtures = Path::new(env!("CARGO_MANIFEST_DIR")).join("fixtures");
    Scratch::copy_of(&fixtures.join(case))
}

fn run(line: &str, scratch: &Scratch) -> Outcome {
    run_line(line, b"", scratch.path())
}

fn names_in(directory: &Path) -> Vec<String> {
    let entries = fs::read_dir(directory).expect("the folder is there");
    let names = entries.map(|entry| entry.expect("entries can be read").file_name());
    let mut names: Vec<_> = names.map(|name| name.to_string_lossy().into_owned()).collect();
    names.sort();
    names
}

/// Command lines that write a file, for each option and mode that does, and the file.
const WRITERS: &[(&str, &str, &str)] = &[
    ("oddities", "profan -p -o out sound.gmon work", "out"),
    ("oddities", "profan -o out --format json sound.gmon work", "out"),
    ("oddities", "profan -s -o out sound.gmon slow.gmon", "out"),
    ("oddities", "profan -s sound.gmon slow.gmon", "gmon.sum"),
    ("oddities", "profan -A -y sound.gmon work", "work.c-ann"),
    ("oddities", "profan diff --baseline out --update sound.gmon work", "out"),
    ("oddities", "profan gprof -s work sound.gmon", "gmon.sum"),
    ("oddities", "profan gprof -A -y work sound.gmon", "work.c-ann"),
    ("tour", "profan mprof -g out mpatrol.out", "out"),
    ("tour", "profan mptrace --hatf-file out mpatrol.trace", "out"),
    ("tour", "profan mptrace --sim-file out mpatrol.trace", "out"),
    ("tour", "profan mlprof -call-graph out interp.table time.out", "out"),
];

/// Does something for each of them: with its command line, a new directory, and the file.
fn for_each_writer(check: impl Fn(&str, &Scratch, &Path)) {
    for (case, line, file) in WRITERS {
        let scratch = copy_of(case);
        let file = scratch.path().join(file);
        check(line, &scratch, &file);
    }
}

/// The refusals of profan and of its compatibility modes.
const MESSAGES: [&str; 3] = [
    "is an input of the report",
    "is what the report is made from",
    "it is an input of the report",
];

#[test]
fn a_replaced_file_keeps_its_mode() {
    for_each_writer(|line, scratch, file| {
        assert!(run(line, scratch).status <= 1, "{line}");
        fs::set_permissions(file, Permissions::from_mode(0o600)).expect("it is ours");
        assert!(run(line, scratch).status <= 1, "{line}");
        let metadata = fs::metadata(file).expect("it is there");
        assert!(metadata.len() > 0, "{line}");
        assert_eq!(metadata.mode() & 0o7777, 0o600, "{line}");
    });
}

#[test]
fn a_read_only_file_is_not_replaced() {
    for_each_writer(|line, scratch, file| {
        assert!(run(line, scratch).status <= 1, "{line}");
        let precious = fs::read(file).expect("it was written");
        fs::set_permissions(file, Permissions::from_mode(0o444)).expect("it is ours");
        let before = names_in(scratch.path());
        let outcome = run(line, scratch);
        let said = String::from_utf8_lossy(&outcome.stderr).to_lowercase();
        assert!(said.contains("permission denied"), "{line}: {said}");
        let kept = fs::metadata(file).expect("it is there");
        assert_eq!(kept.mode() & 0o7777, 0o444, "{line}");
        assert!(fs::read(file).expect("it is there") == precious, "{line}");
        assert_eq!(names_in(scratch.path()), before, "{line}");
    });
}

#[test]
fn a_file_with_several_hard_links_stays_with_the_reason() {
    for_each_writer(|line, scratch, file| {
        assert!(run(line, scratch).status <= 1, "{line}");
        let precious = fs::read(file).expect("it was written");
        let alias = scratch.path().join("alias");
        fs::hard_link(file, &alias).expect("links can be made");
        let before = names_in(scratch.path());
        let outcome = run(line, scratch);
        let said = String::from_utf8_lossy(&outcome.stderr);
        let is_said = said.contains("2 hard links") && said.contains("remove it first");
        assert!(is_said, "{line}: {said}");
        for name in [file, &alias] {
            assert!(fs::read(name).expect("it is there") == precious, "{line}");
        }
        assert_eq!(names_in(scratch.path()), before, "{line}");
        fs::remove_file(file).expect("it is ours");
        assert!(run(line, scratch).status <= 1, "{line}");
        assert!(fs::read(alias).expect("it is there") == precious, "{line}");
    });
}

/// Root may create files in any directory, so the test runs as another user.
#[test]
fn a_file_in_a_directory_that_may_not_be_written_stays_with_the_reason() {
    const NOBODY: u32 = 65534;
    let is_root = rustix::process::getuid().is_root();
    for_each_writer(|line, scratch, file| {
        assert!(run(line, scratch).status <= 1, "{line}");
        let precious = fs::read(file).expect("it was written");
        let may = |path: &Path, mode: u32| {
            fs::set_permissions(path, Permissions::from_mode(mode)).expect("it is ours");
        };
        may(file, 0o666);
        may(scratch.path(), 0o555);
        let mut command = Command::new(env!("CARGO_BIN_EXE_profan"));
        command.args(line.split(' ').skip(1)).current_dir(scratch.path());
        if is_root {
            command.uid(NOBODY).gid(NOBODY);
        }
        let ran = command.output();
        may(scratch.path(), 0o755);
        // Somebody else may not reach the program.
        let Ok(outcome) = ran else { return };
        let said = String::from_utf8_lossy(&outcome.stderr);
        assert!(said.contains("cannot create a temporary file in its directory"), "{line}: {said}");
        assert!(fs::read(file).expect("it is there") == precious, "{line}");
    });
}

/// An access list as Linux stores it (`linux/posix_acl_xattr.h`): a tag, permissions and a
/// number for each entry.
#[cfg(target_os = "linux")]
fn access_list(entries: &[(u16, u16, u32)]) -> Vec<u8> {
    let mut list = 2_u32.to_le_bytes().to_vec();
    for (tag, permissions, number) in entries {
        list.extend(tag.to_le_bytes());
        list.extend(permissions.to_le_bytes());
        list.extend(number.to_le_bytes());
    }
    list
}

/// With an access list, the group bits of a file's mode are the maximum of all entries. The group
/// itself may have fewer permissions.
#[cfg(target_os = "linux")]
#[test]
fn a_replaced_file_keeps_its_access_list_or_lack_of_one() {
    use rustix::fs::{XattrFlags, getxattr, setxattr};
    const NONE: u32 = u32::MAX;
    const LIST: &str = "system.posix_acl_access";
    let list = access_list(&[
        (0x01, 6, NONE),
        (0x02, 6, 12345),
        (0x04, 0, NONE),
        (0x10, 6, NONE),
        (0x20, 0, NONE),
    ]);
    let list_of = |file: &Path| {
        let mut list = vec![0; 1024];
        let size = getxattr(file, LIST, &mut list).ok()?;
        list.truncate(size);
        Some(list)
    };
    for_each_writer(|line, scratch, file| {
        assert!(run(line, scratch).status <= 1, "{line}");
        if setxattr(file, LIST, &list, XattrFlags::empty()).is_err() {
            return;
        }
        assert!(run(line, scratch).status <= 1, "{line}");
        assert_eq!(list_of(file).as_ref(), Some(&list), "{line}");
        // A directory may have a default list for new files, which differs from the old file's.
        fs::remove_file(file).expect("it is ours");
        assert!(run(line, scratch).status <= 1, "{line}");
        fs::set_permissions(file, Permissions::from_mode(0o660)).expect("it is ours");
        let usual = "system.posix_acl_default";
        let set = setxattr(scratch.path(), usual, &list, XattrFlags::empty());
        set.expect("files can have lists here");
        assert!(run(line, scratch).status <= 1, "{line}");
        assert_eq!(list_of(file), None, "{line}");
        let mode = fs::metadata(file).expect("it is there").mode();
        assert_eq!(mode & 0o777, 0o660, "{line}");
    });
}

#[test]
fn a_link_to_nothing_leads_to_the_report_and_one_to_itself_nowhere() {
    let scratch = copy_of("oddities");
    let path = |name: &str| scratch.path().join(name);
    fs::create_dir(path("sub")).expect("folders can be made");
    symlink("sub/second", path("first")).expect("links can be made");
    symlink("target", path("sub/second")).expect("links can be made");
    assert_eq!(run("profan -p -o first sound.gmon work", &scratch).status, 0);
    for link in ["first", "sub/second"] {
        let link = fs::symlink_metadata(path(link)).expect("it is there");
        assert!(link.is_symlink());
    }
    let written = fs::read(path("sub/target")).expect("it is there");
    assert!(written.starts_with(b"Flat profile:"));
    symlink("loop", path("loop")).expect("links can be made");
    let outcome = run("profan -p -o loop sound.gmon work", &scratch);
    assert_eq!(outcome.status, 2);
    let link = fs::symlink_metadata(path("loop")).expect("it is there");
    assert!(link.is_symlink());
}

/// A file that is already standard output is continued.
#[test]
fn standard_output_by_its_name_as_a_file_is_standard_output() {
    let scratch = copy_of("oddities");
    let out = scratch.path().join("out");
    let shell = |line: &str| {
        let mut command = Command::new("sh");
        command.arg("-c").arg(line).current_dir(scratch.path());
        command.env("PROFAN", env!("CARGO_BIN_EXE_profan"));
        assert!(command.status().expect("there is a shell").success(), "{line}");
        fs::read_to_string(&out).expect("it is text")
    };
    for name in ["/dev/stdout", "/dev/fd/1", "/proc/self/fd/1"] {
        let line = "(echo before; \"$PROFAN\" -p -o NAME sound.gmon work; echo behind) >out";
        let text = shell(&line.replace("NAME", name));
        assert!(text.starts_with("before\nFlat profile:"), "{name}: {text}");
        assert!(text.ends_with("\nbehind\n"), "{name}: {text}");
    }
}

#[test]
fn inputs_are_not_overwritten_under_any_name() {
    let check = |case: &str, line: &str, input: &str, linked: bool| {
        let scratch = copy_of(case);
        let path = |name: &str| scratch.path().join(name);
        let recorded = fs::read(path(input)).expect("it is there");
        if linked {
            fs::hard_link(path(input), path("hard")).expect("links can be made");
            symlink(input, path("soft")).expect("links can be made");
        }
        let outcome = run(line, &scratch);
        let said = String::from_utf8_lossy(&outcome.stderr);
        let is_said = MESSAGES.iter().any(|message| said.contains(message));
        assert!(is_said, "{line}: {said}");
        let kept = fs::read(path(input)).expect("it is there");
        assert!(kept == recorded, "{line}");
    };
    for out in ["hard", "soft", "./sound.gmon"] {
        let line = format!("profan -p -o {out} sound.gmon work");
        check("oddities", &line, "sound.gmon", true);
        let line = format!("profan diff -o {out} sound.gmon slow.gmon work");
        check("oddities", &line, "sound.gmon", true);
        let line = format!("profan --by-file -o {out} sound.gmon slow.gmon work");
        check("oddities", &line, "sound.gmon", true);
        let line = format!("profan diff --baseline {out} --update sound.gmon work");
        check("oddities", &line, "sound.gmon", true);
    }
    for out in ["hard", "soft"] {
        check("oddities", &format!("profan -s -o {out} sound.gmon work"), "work", true);
        check("tour", &format!("profan mprof -g {out} mpatrol.out"), "mpatrol.out", true);
        for option in ["hatf", "sim"] {
            let line = format!("profan mptrace --{option}-file {out} mpatrol.trace");
            check("tour", &line, "mpatrol.trace", true);
        }
        let line = format!("profan mlprof -call-graph {out} interp.table time.out");
        check("tour", &line, "interp.table", true);
        check("tour", &line, "time.out", true);
    }
}

/// Inputs that no word of the command line names.
#[test]
fn nothing_is_written_over_an_input_that_came_by_another_way() {
    let check = |case: &str, line: &str, input: &str| {
        let scratch = copy_of(case);
        let path = scratch.path().join(input);
        let recorded = fs::read(&path).expect("it is there");
        let mut command = Command::new("sh");
        command.arg("-c").arg(format!("\"$PROFAN\" {line}"));
        command.current_dir(scratch.path());
        command.env("PROFAN", env!("CARGO_BIN_EXE_profan"));
        let outcome = command.output().expect("there is a shell");
        let said = String::from_utf8_lossy(&outcome.stderr);
        let is_said = MESSAGES.iter().any(|message| said.contains(message));
        assert!(is_said && !outcome.status.success(), "{line}: {said}");
        assert!(fs::read(&path).expect("it is there") == recorded, "{line}");
    };
    check("oddities", "-p -o sound.gmon - work <sound.gmon", "sound.gmon");
    check("oddities", "diff -o sound.gmon - slow.gmon work <sound.gmon", "sound.gmon");
    check("tour", "mprof -g mpatrol.out - <mpatrol.out", "mpatrol.out");
    check("tour", "mptrace --hatf-file mpatrol.trace - <mpatrol.trace", "mpatrol.trace");
    check("oddities", "-A -o work.c sound.gmon work", "work.c");
    check("oddities", "-A -s -o work.c sound.gmon work", "work.c");
    let linked = "-p -l -o prog.debug gmon.out prog";
    check("gprof/debuglink", linked, "prog.debug");
    // A warning, as for any such file that cannot be written.
    for line in ["-A -y work.c-ann work", "gprof -A -y work work.c-ann"] {
        let scratch = copy_of("oddities");
        let path = |name: &str| scratch.path().join(name);
        fs::rename(path("sound.gmon"), path("work.c-ann")).expect("it is ours");
        let recorded = fs::read(path("work.c-ann")).expect("it is there");
        let outcome = run(&format!("profan {line}"), &scratch);
        let said = String::from_utf8_lossy(&outcome.stderr);
        assert!(said.contains("it is an input of the report"), "{line}: {said}");
        let kept = fs::read(path("work.c-ann")).expect("it is there");
        assert!(kept == recorded, "{line}");
    }
}

/// Makes a program start with no signal ignored: tests may run under `nohup`, or behind a shell.
#[allow(unsafe_code, reason = "what runs between fork and exec has no safe form")]
fn ignore_nothing(command: &mut Command) {
    // SAFETY: only `signal` is called there, which is allowed.
    unsafe {
        command.pre_exec(|| {
            for signal in SIGNALS {
                libc::signal(signal.as_raw(), libc::SIG_DFL);
            }
            Ok(())
        });
    }
}

/// A report in the making: it waits for a profile that comes through a pipe.
struct Waiting {
    child: Child,
    pipe: File,
}

fn waiting(scratch: &Scratch, before: &[String]) -> Waiting {
    let mut command = Command::new(env!("CARGO_BIN_EXE_profan"));
    command.args(["-p", "-o", "out", "pipe", "work"]);
    command.current_dir(scratch.path());
    command.stdout(Stdio::null()).stderr(Stdio::null());
    ignore_nothing(&mut command);
    let child = command.spawn().expect("the program can be run");
    // Opens once the program has opened it, too.
    let pipe = File::options().write(true).open(scratch.path().join("pipe"));
    let pipe = pipe.expect("the pipe is there");
    let end = Instant::now() + Duration::from_secs(20);
    while names_in(scratch.path()) == before {
        assert!(Instant::now() < end, "no file is in the making");
        thread::sleep(Duration::from_millis(1));
    }
    Waiting { child, pipe }
}

fn with_pipe() -> Scratch {
    let scratch = copy_of("oddities");
    let pipe = scratch.path().join("pipe");
    let made = Command::new("mkfifo").arg(pipe).status();
    assert!(made.expect("there is mkfifo").success());
    fs::write(scratch.path().join("out"), "old").expect("the folder is writable");
    scratch
}

const SIGNALS: [Signal; 5] = [Signal::TERM, Signal::INT, Signal::HUP, Signal::QUIT, Signal::USR1];

#[test]
fn signals_leave_the_old_file_and_nothing_beside_it() {
    for signal in SIGNALS {
        let scratch = with_pipe();
        let before = names_in(scratch.path());
        let Waiting { mut child, pipe } = waiting(&scratch, &before);
        kill_process(Pid::from_child(&child), signal).expect("it runs");
        let status = child.wait().expect("it ends");
        drop(pipe);
        assert_eq!(status.signal(), Some(signal.as_raw()), "{signal:?}");
        assert_eq!(names_in(scratch.path()), before, "{signal:?}");
        let kept = fs::read(scratch.path().join("out")).expect("it is there");
        assert_eq!(kept, b"old", "{signal:?}");
    }
}

#[test]
fn a_signal_that_was_ignored_from_the_start_stays_ignored() {
    let scratch = with_pipe();
    let mut child = Command::new("sh")
        .args(["-c", "trap '' HUP; exec \"$0\" -p -o out pipe work"])
        .arg(env!("CARGO_BIN_EXE_profan"))
        .current_dir(scratch.path())
        .spawn()
        .expect("there is a shell");
    let pipe = File::options().write(true).open(scratch.path().join("pipe"));
    let mut pipe = pipe.expect("the pipe is there");
    kill_process(Pid::from_child(&child), Signal::HUP).expect("it runs");
    let profile = fs::read(scratch.path().join("sound.gmon")).expect("it is there");
    pipe.write_all(&profile).expect("it is read");
    drop(pipe);
    assert!(child.wait().expect("it ends").success());
    let written = fs::read(scratch.path().join("out")).expect("it is there");
    assert!(written.starts_with(b"Flat profile:"));
}

/// A few runs of `tests/trials/kills.py`, which does many.
#[test]
fn whenever_it_is_killed_the_file_is_the_old_one_or_the_new_one() {
    let scratch = copy_of("oddities");
    let out: PathBuf = scratch.path().join("out");
    let line = ["-o", "out", "--format", "json", "sound.gmon", "work"];
    let program = || {
        let mut command = Command::new(env!("CARGO_BIN_EXE_profan"));
        command.args(line).current_dir(scratch.path());
        command.stdout(Stdio::null()).stderr(Stdio::null());
        ignore_nothing(&mut command);
        command
    };
    let start = Instant::now();
    assert!(program().status().expect("it can be run").success());
    let span = start.elapsed();
    let whole = fs::read(&out).expect("it is there");
    let mut dice = Dice(7);
    for round in 0..30_u64 {
        fs::write(&out, "old").expect("the folder is writable");
        let before = names_in(scratch.path());
        let mut child = program().spawn().expect("it can be run");
        thread::sleep(span.mul_f64(dice.below(1000) as f64 / 1000.0));
        let signal = SIGNALS[usize::try_from(round).expect("it is small") % SIGNALS.len()];
        let _ = kill_process(Pid::from_child(&child), signal);
        child.wait().expect("it ends");
        assert_eq!(names_in(scratch.path()), before, "round {round}");
        let mut found = Vec::new();
        let read = File::open(&out).and_then(|mut file| file.read_to_end(&mut found));
        read.expect("it is there");
        assert!(found == b"old" || found == whole, "round {round}");
    }
}
