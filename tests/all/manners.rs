//! How the program behaves as a command among others.

use std::fs::{self, File};
use std::io::Read;
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::{Duration, SystemTime};

use crate::support::{Outcome, Scratch, run_line};

fn problems() -> Scratch {
    Scratch::copy_of(&Path::new(env!("CARGO_MANIFEST_DIR")).join("fixtures/oddities"))
}

fn run(line: &str, scratch: &Scratch) -> Outcome {
    run_line(line, b"", scratch.path())
}

fn names_in(directory: &Path) -> Vec<String> {
    let entries = fs::read_dir(directory).expect("the folder is there");
    let mut names: Vec<_> = entries
        .map(|entry| {
            let name = entry.expect("entries can be read").file_name();
            name.to_string_lossy().into_owned()
        })
        .collect();
    names.sort();
    names
}

#[test]
fn a_report_to_a_file_is_the_report() {
    let scratch = problems();
    let printed = run("profan -p sound.gmon work", &scratch).stdout;
    let outcome = run("profan -p -o report.txt sound.gmon work", &scratch);
    assert_eq!((outcome.status, outcome.stdout.len()), (0, 0));
    let written = fs::read(scratch.path().join("report.txt")).expect("the report is there");
    assert_eq!(written, printed);
}

#[test]
fn a_report_that_fails_leaves_the_old_one_and_nothing_beside_it() {
    let scratch = problems();
    fs::write(scratch.path().join("report.txt"), "old").expect("the folder is writable");
    let before = names_in(scratch.path());
    let outcome = run("profan -o report.txt nosuch.gmon work", &scratch);
    assert_eq!(outcome.status, 2);
    assert_eq!(names_in(scratch.path()), before);
    let kept = fs::read(scratch.path().join("report.txt")).expect("the old report is there");
    assert_eq!(kept, b"old");
}

#[test]
fn failed_or_denied_reports_leave_no_file() {
    let scratch = problems();
    let before = names_in(scratch.path());
    for line in [
        "profan -o leaks.txt --leaks sound.gmon work",
        "profan -o cov.info --coverage --format lcov sound.gmon work",
        "profan -o report.txt -pnobody sound.gmon work",
        "profan -o report.txt --deny W011 cut.gmon work",
        "profan -s -o sum.gmon --deny W011 cut.gmon work",
    ] {
        let outcome = run(line, &scratch);
        assert_eq!((outcome.status, outcome.stdout.len()), (2, 0), "{line}");
        assert_eq!(names_in(scratch.path()), before, "{line}");
    }
    let line = "profan -o report.txt --deny W012 cut.gmon work";
    assert_eq!(run(line, &scratch).status, 0);
    assert!(scratch.path().join("report.txt").exists());
}

#[test]
fn a_report_does_not_overwrite_its_input() {
    let scratch = problems();
    let gmon = scratch.path().join("gmon.out");
    fs::copy(scratch.path().join("sound.gmon"), &gmon).expect("files can be copied");
    let recorded = fs::read(&gmon).expect("it is there");
    for line in ["profan -o gmon.out work", "profan -o ./gmon.out gmon.out work"] {
        assert_eq!(run(line, &scratch).status, 2, "{line}");
        let kept = fs::read(&gmon).expect("it is there");
        assert!(kept == recorded, "{line}");
    }
    // A sum may take the place of one of its parts.
    let line = "profan -s -o gmon.out gmon.out sound.gmon";
    assert_eq!(run(line, &scratch).status, 0);
    assert!(fs::read(&gmon).expect("it is there") != recorded);
}

#[cfg(unix)]
#[test]
fn a_link_to_a_report_stays_a_link() {
    let scratch = problems();
    let (target, link) = (scratch.path().join("target"), scratch.path().join("link"));
    fs::write(&target, "old").expect("the folder is writable");
    std::os::unix::fs::symlink(&target, &link).expect("links can be made");
    assert_eq!(run("profan -p -o link sound.gmon work", &scratch).status, 0);
    assert!(fs::symlink_metadata(&link).expect("it is there").is_symlink());
    let written = fs::read(&target).expect("it is there");
    assert!(written.starts_with(b"Flat profile:"));
    assert_eq!(run("profan -p -o /dev/null sound.gmon work", &scratch).status, 0);
}

#[test]
fn a_closed_pipe_is_a_quiet_success() {
    let scratch = problems();
    let mut child = Command::new(env!("CARGO_BIN_EXE_profan"))
        .args(["-z", "--explain", "--stable", "sound.gmon", "work"])
        .current_dir(scratch.path())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the program can be run");
    drop(child.stdout.take());
    let mut messages = String::new();
    let mut stderr = child.stderr.take().expect("it is piped");
    stderr.read_to_string(&mut messages).expect("messages are text");
    let status = child.wait().expect("the program ends");
    assert!(status.success(), "{status}: {messages}");
    assert_eq!(messages, "");
}

#[test]
fn colour_follows_the_flag_then_the_environment() {
    let scratch = problems();
    let is_coloured = |flag: &str, name: &str, value: &str| {
        let output = Command::new(env!("CARGO_BIN_EXE_profan"))
            .args([flag, "-q", "sound.gmon", "work"])
            .current_dir(scratch.path())
            .env_remove("NO_COLOR")
            .env_remove("CLICOLOR_FORCE")
            .env(name, value)
            .output()
            .expect("the program can be run");
        output.stdout.contains(&0x1b)
    };
    assert!(!is_coloured("--color=auto", "UNRELATED", "1"));
    assert!(is_coloured("--color=auto", "CLICOLOR_FORCE", "1"));
    assert!(!is_coloured("--color=auto", "CLICOLOR_FORCE", "0"));
    assert!(is_coloured("--color=always", "NO_COLOR", "1"));
    assert!(!is_coloured("--color=never", "CLICOLOR_FORCE", "1"));
}

/// Runs the program under another name, and looks for text that only this mode prints.
fn check_mode(case: &str, name: &str, args: &[&str], expected: &str) {
    let fixtures = Path::new(env!("CARGO_MANIFEST_DIR")).join("fixtures");
    let scratch = Scratch::copy_of(&fixtures.join(case));
    let named = scratch.path().join(name);
    give_name(&named);
    let output = Command::new(&named)
        .args(args)
        .current_dir(scratch.path())
        .output()
        .expect("the program can be run");
    let printed = String::from_utf8(output.stdout).expect("names are ASCII");
    assert!(printed.contains(expected), "{name}: {printed}");
}

// A link, not a copy: a process that a parallel test starts would hold the copy open for writing,
// so it could not run.
#[cfg(unix)]
fn give_name(name: &Path) {
    std::os::unix::fs::symlink(env!("CARGO_BIN_EXE_profan"), name).expect("links can be made");
}

#[cfg(not(unix))]
fn give_name(name: &Path) {
    fs::copy(env!("CARGO_BIN_EXE_profan"), name).expect("the program can be copied");
}

#[test]
fn the_name_of_the_program_selects_the_mode() {
    let infinite = "Each sample counts as inf seconds.";
    check_mode("oddities", "gprof", &["-b", "work", "no-rate.gmon"], infinite);
    check_mode("tour", "mprof", &[], "DIRECT ALLOCATIONS");
    check_mode("tour", "mptrace", &[], "memory allocation tracing statistics");
    let gc = "3.95 seconds of CPU time (0.29 seconds GC)";
    check_mode("tour", "mlprof", &["interp.table", "time.out"], gc);
}

#[cfg(unix)]
#[test]
fn annotated_source_in_files_does_not_follow_a_link() {
    let scratch = problems();
    let (victim, link) = (scratch.path().join("victim"), scratch.path().join("work.c-ann"));
    fs::write(&victim, "precious").expect("the folder is writable");
    std::os::unix::fs::symlink(&victim, &link).expect("links can be made");
    let outcome = run("profan gprof -b -y -A work sound.gmon", &scratch);
    assert_eq!((outcome.status, outcome.stdout.len()), (0, 0));
    let kept = fs::read(&victim).expect("it is there");
    assert_eq!(kept, b"precious");
    let metadata = fs::symlink_metadata(&link).expect("it is there");
    assert!(metadata.is_file());
}

#[test]
fn sources_are_found_in_the_given_directories() {
    let scratch = problems();
    let path = |name: &str| scratch.path().join(name);
    fs::create_dir(path("moved")).expect("folders can be made");
    fs::rename(path("work.c"), path("moved/work.c")).expect("files can be moved");
    let found = |options: &str| {
        let outcome = run(&format!("profan -A {options} work sound.gmon"), &scratch);
        // The time of each file is there all the same.
        assert_eq!(outcome.status, 0);
        String::from_utf8_lossy(&outcome.stdout).contains("*** File ./work.c:\n")
    };
    assert!(!found(""));
    assert!(found("-I moved"));
    assert!(found("-I nowhere:moved"));
    assert!(found("--path-map .=moved"));
    assert!(!found("--path-map ./wo=moved/wo"));
}

#[test]
fn a_source_newer_than_the_program_is_reported() {
    let scratch = problems();
    let is_said = |seconds: i64| {
        let program = scratch.path().join("work");
        let metadata = fs::metadata(&program).expect("it is there");
        let built = metadata.modified().expect("the system keeps times");
        let offset = Duration::from_secs(seconds.unsigned_abs());
        let changed = match seconds {
            0.. => built + offset,
            _ => built - offset,
        };
        let path = scratch.path().join("work.c");
        let source = File::options().append(true).open(path);
        let source = source.expect("the folder is writable");
        source.set_modified(changed).expect("times can be set");
        let outcome = run("profan -A work sound.gmon", &scratch);
        String::from_utf8_lossy(&outcome.stderr).contains("warning[W022]")
    };
    assert!(is_said(60));
    assert!(!is_said(-60));
}

#[test]
fn a_profile_older_than_the_program_is_a_note() {
    let scratch = problems();
    let told = |seconds: u64| {
        let built = SystemTime::UNIX_EPOCH + Duration::from_secs(seconds);
        let program = File::options().append(true).open(scratch.path().join("work"));
        let set = program.and_then(|program| program.set_modified(built));
        set.expect("times can be set");
        let outcome = run("profan -p sound.gmon work", &scratch);
        let errors = String::from_utf8_lossy(&outcome.stderr).into_owned();
        errors.lines().find(|line| line.contains("was written")).map(str::to_owned)
    };
    assert_eq!(told(2), None);
    let note = "profan: note: sound.gmon was written 3 seconds before work was built: by an \
        earlier build, unless a copy changed the times";
    assert_eq!(told(3).as_deref(), Some(note));
}

#[test]
fn an_annotated_file_that_cannot_be_written_is_reported() {
    let scratch = problems();
    fs::create_dir(scratch.path().join("work.c-ann")).expect("folders can be made");
    let outcome = run("profan -A -y work sound.gmon", &scratch);
    let messages = String::from_utf8_lossy(&outcome.stderr).into_owned();
    assert!(messages.contains("warning[W023]: work.c-ann: "), "{messages}");
}

#[test]
fn files_may_come_in_any_order() {
    let scratch = problems();
    let expected = run("profan sound.gmon slow.gmon work", &scratch).stdout;
    for line in ["profan work sound.gmon slow.gmon", "profan sound.gmon work slow.gmon"] {
        assert_eq!(run(line, &scratch).stdout, expected, "{line}");
    }
}

#[test]
fn manual_and_completions_come_from_the_options() {
    let scratch = problems();
    let printed = |line: &str| {
        let outcome = run(line, &scratch);
        assert_eq!((outcome.status, outcome.stderr.len()), (0, 0), "{line}");
        String::from_utf8(outcome.stdout).expect("help is UTF-8")
    };
    let manual = printed("profan man");
    assert!(manual.contains("\\-\\-flat\\-profile\\fR[=\\fI<SPEC>\\fR]"), "{manual}");
    for section in [
        "SYMSPECS",
        "PROFAN DIFF",
        "OPTIONS OF PROFAN DIFF",
        "EXAMPLES",
        "ENVIRONMENT",
        "EXIT STATUS",
        "FILES",
        "DIAGNOSTICS",
    ] {
        let title = format!("\n.SH \"{section}\"\n");
        assert!(manual.contains(&title), "{section} is not in\n{manual}");
    }
    // The options of `diff` alone, each once.
    let terms = manual.matches(".TP\n\\fB\\-\\-fail\\-on\\fR \\fI<LIST>");
    assert_eq!(terms.count(), 1, "{manual}");
    for entry in profan::diagnose::catalogue::entries() {
        let term = format!("\\fB{}: ", entry.code);
        assert!(manual.contains(&term), "{} is not in\n{manual}", entry.code);
    }
    for shell in ["zsh", "fish"] {
        let script = printed(&format!("profan completions {shell}"));
        assert!(script.contains("slower faster more"), "{script}");
    }
    let script = printed("profan completions bash");
    let values = "--color|--color=) _profan_words 'auto always never'; return;;";
    assert!(script.contains(values), "{script}");
    for word in ["--flat-profile", "mlprof", "4.4bsd", "always"] {
        assert!(script.contains(word), "{word} is not in\n{script}");
    }
    // Completion omits options that only gprof needs.
    assert!(!script.contains("--debug "), "{script}");
}

/// The completion of bash for a command line, with the cursor at its end.
fn completed(line: &str) -> Option<String> {
    let profan = env!("CARGO_BIN_EXE_profan");
    let script = format!(
        "source <({profan} completions bash) || exit; COMP_WORDS=({profan} {line}); \
         COMP_CWORD=$((${{#COMP_WORDS[@]}} - 1)); _profan; echo \"${{COMPREPLY[*]}}\""
    );
    let tour = Path::new(env!("CARGO_MANIFEST_DIR")).join("fixtures/tour");
    let mut bash = std::process::Command::new("bash");
    let made = bash.arg("-c").arg(script).current_dir(tour).output().ok()?;
    let said = String::from_utf8_lossy(&made.stderr).into_owned();
    assert!(said.is_empty(), "{line}: {said}");
    Some(String::from_utf8_lossy(&made.stdout).trim_end().to_owned())
}

#[test]
fn bash_completes_options_values_and_files_of_both_sides() {
    let cases = [
        ("d", "diff doctor"),
        ("help di", "diff diagnostics"),
        ("diff --fa", "--fail-on"),
        ("--fa", ""),
        ("diff --lea", ""),
        ("diff --fail-on s", "slower"),
        ("diff --fail-on slower,c", "slower,calls"),
        ("diff --format ma", "markdown"),
        ("diff old/vis", "old/visits"),
        ("diff old/1.out -- new/1", "new/1.out"),
        ("diff old/1.out -- new/1.out --norm", "--normalize"),
        ("diff --baseline time.o", "time.out"),
    ];
    for (line, expected) in cases {
        let Some(completed) = completed(line) else {
            eprintln!("there is no bash");
            return;
        };
        assert_eq!(completed, expected, "{line}");
    }
}
