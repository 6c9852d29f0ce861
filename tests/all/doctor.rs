//! The findings of `profan doctor` about a program, and its short advice for a missing file.

use std::fs::{self, File};
use std::path::Path;
use std::time::{Duration, SystemTime};

use crate::support::{Outcome, Scratch, run_line_in};

/// A directory with some files of `fixtures/oddities`, each under a new name.
fn directory_of(files: &[(&str, &str)]) -> Scratch {
    let empty = tempfile::tempdir().expect("a temporary folder can be made");
    let scratch = Scratch::copy_of(empty.path());
    let problems = Path::new(env!("CARGO_MANIFEST_DIR")).join("fixtures/oddities");
    for (from, to) in files {
        let to = scratch.path().join(to);
        fs::create_dir_all(to.parent().expect("it is in the folder")).expect("folders can be made");
        fs::copy(problems.join(from), &to).expect("files can be copied");
        set_time(&to, 0);
    }
    scratch
}

fn set_time(path: &Path, seconds: u64) {
    let time = SystemTime::UNIX_EPOCH + Duration::from_secs(seconds);
    let file = File::options().append(true).open(path);
    let set = file.and_then(|file| file.set_modified(time));
    set.expect("times can be set");
}

fn run(variables: &[(&str, &str)], line: &str, scratch: &Scratch) -> Outcome {
    run_line_in(variables, line, b"", scratch.path())
}

/// The profiles that are found, and the next step.
fn check(variables: &[(&str, &str)], scratch: &Scratch, expected: &[&str]) {
    let outcome = run(variables, "profan doctor work", scratch);
    let text = String::from_utf8(outcome.stdout).expect("it is text");
    let of_profiles = text.lines().filter_map(|line| {
        let start = line.find("profile  ").map(|at| at + "profile  ".len());
        let start = start.or(line.starts_with("next: ").then_some(0))?;
        Some(line[start..].replace("; matches this build", ""))
    });
    assert_eq!(of_profiles.collect::<Vec<_>>(), expected, "{text}");
    assert_eq!(outcome.status, 0);
}

/// The advice of an error.
fn check_advice(variables: &[(&str, &str)], line: &str, scratch: &Scratch, expected: &str) {
    let outcome = run(variables, line, scratch);
    let text = String::from_utf8(outcome.stderr).expect("it is text");
    let advice = text.lines().find_map(|line| line.strip_prefix("  help: "));
    assert_eq!(advice, Some(expected), "{text}");
    assert_eq!(outcome.status, 2);
}

const SOUND: &str = "100 samples and 13 calls";
const RUN: &str = "run ./work to a normal end (return from main or exit()): it writes";
const SERVER: &str = "; for a server, let a SIGTERM handler call exit(), or use `gdb -p PID -batch \
    -ex 'call (void)_mcleanup()'` (`profan explain E007`)";

#[test]
fn the_executable_that_wrote_a_profile_is_found_beside_it() {
    let said = |scratch: &Scratch, line: &str| {
        let stderr = run(&[], line, scratch).stderr;
        let text = String::from_utf8(stderr).expect("it is text");
        let of_files = |line: &&str| line.contains("is the executable") || line.contains("newer");
        text.lines().filter(of_files).map(str::to_owned).collect::<Vec<_>>()
    };
    let found = "profan: note: work is the executable that wrote gmon.out";
    let files = [("sound.gmon", "gmon.out"), ("work", "work"), ("other", "other")];
    let scratch = directory_of(&files);
    assert_eq!(said(&scratch, "profan -p"), [found]);
    assert_eq!(said(&scratch, "profan -p gmon.out"), [found]);
    assert!(said(&scratch, "profan -p --stable").is_empty());
    assert!(said(&scratch, "profan -i").is_empty());
    // A rebuilt program does not match.
    let scratch = directory_of(&[("sound.gmon", "gmon.out"), ("other", "other")]);
    assert!(said(&scratch, "profan -p").is_empty());
    // Files that other processes wrote later.
    let scratch = directory_of(&files);
    for (name, seconds) in [("gmon.7", 7), ("gmon.9", 9), ("gmon.later", 9)] {
        let path = scratch.path().join(name);
        fs::copy(scratch.path().join("gmon.out"), &path).expect("files can be copied");
        set_time(&path, seconds);
    }
    let newer = "profan: note: gmon.9 and 1 more are newer than gmon.out; name one to report it";
    assert_eq!(said(&scratch, "profan -p"), [newer, found]);
    assert_eq!(said(&scratch, "profan -p gmon.out"), [found]);
}

#[test]
fn profiles_are_known_by_the_names_of_every_system() {
    let scratch = directory_of(&[
        ("work", "work"),
        ("sound.gmon", "4711.work"),
        ("sound.gmon", "gmon.out"),
        ("sound.gmon", "gmon.out.4711"),
        ("sound.gmon", "gmon.work.4711.out"),
        ("sound.gmon", "work.gmon"),
        ("sound.gmon", "sound.gmon"),
        ("work.c", "work.4711"),
        ("sound.gmon", "work.42x"),
        ("sound.gmon", "plain.gmon"),
    ]);
    let expected = ["4711.work", "gmon.out", "gmon.out.4711", "gmon.work.4711.out", "work.gmon"];
    let mut expected: Vec<_> = expected.iter().map(|name| format!("{name}: {SOUND}")).collect();
    expected.push("next: profan 4711.work work".into());
    let expected: Vec<_> = expected.iter().map(String::as_str).collect();
    check(&[], &scratch, &expected);
}

#[test]
fn the_prefix_of_the_environment_comes_first_and_later_files_do() {
    let scratch = directory_of(&[
        ("work", "work"),
        ("sound.gmon", "gmon.out"),
        ("sound.gmon", "runs/mine.7"),
        ("sound.gmon", "runs/mine.8"),
    ]);
    let modified = |path: &str, seconds| set_time(&scratch.path().join(path), seconds);
    modified("work", 1_000);
    modified("gmon.out", 900);
    modified("runs/mine.7", 1_600);
    modified("runs/mine.8", 8_300);
    let expected = [
        &*format!("runs/mine.8: {SOUND}; written 2 hours after work was built"),
        &*format!("runs/mine.7: {SOUND}; written 10 minutes after work was built"),
        &*format!(
            "gmon.out: {SOUND}; addresses match; written 100 seconds before work was built, so an earlier build may have \
           written it"
        ),
        "next: profan runs/mine.8 work",
    ];
    check(&[("GMON_OUT_PREFIX", "runs/mine")], &scratch, &expected);
    check(&[], &scratch, &[expected[2], "next: profan gmon.out work"]);
}

#[test]
fn directories_of_other_systems_are_looked_into() {
    let scratch = directory_of(&[("work", "work"), ("sound.gmon", "profiles/12.work")]);
    let expected = [&*format!("profiles/12.work: {SOUND}"), "next: profan profiles/12.work work"];
    check(&[("PROFDIR", "profiles")], &scratch, &expected);
    check(&[], &scratch, &[&format!("next: {RUN} gmon.out to its current directory{SERVER}")]);
}

#[test]
fn a_missing_profile_is_looked_for() {
    let scratch = directory_of(&[("work", "work")]);
    let nothing = format!("{RUN} gmon.out to its current directory{SERVER}");
    check_advice(&[], "profan work", &scratch, &nothing);
    let prefix = [("GMON_OUT_PREFIX", "mine")];
    let elsewhere = format!("{RUN} mine.PID (GMON_OUT_PREFIX){SERVER}");
    check_advice(&prefix, "profan work", &scratch, &elsewhere);
    check_advice(&prefix, "profan", &directory_of(&[]), "look for mine.PID (GMON_OUT_PREFIX)");
    let scratch = directory_of(&[("work", "work"), ("sound.gmon", "gmon.out.4711")]);
    check_advice(&[], "profan work", &scratch, "profan gmon.out.4711 work");
    let spelling = "check the name and the directory, or: profan gmon.out.4711 work";
    check_advice(&[], "profan gmon.out work", &scratch, spelling);
    check_advice(&[], "profan", &scratch, "profan gmon.out.4711 work");
}

#[test]
fn a_missing_program_is_looked_for() {
    let files = [("work", "work"), ("plain", "plain"), ("sound.gmon", "sound.gmon")];
    let scratch = directory_of(&files);
    let spelling = "did you mean `work`?";
    check_advice(&[], "profan sound.gmon wrok", &scratch, spelling);
    let spelling = "check the name and the directory, or: profan sound.gmon work";
    check_advice(&[], "profan sound.gmon nowhere", &scratch, spelling);
    let spelling = "check the name and the directory, or: profan sound.gmon ./PROGRAM";
    check_advice(&[], "profan sound.gmon wrok", &directory_of(&files[2..]), spelling);
}

#[test]
fn a_program_that_cannot_write_a_profile_is_reported() {
    let scratch = directory_of(&[("plain", "plain")]);
    let expected = "plain does not count calls: compile and link it with -pg (gcc -pg, g++ -pg, \
        gfortran -pg), and run it";
    check_advice(&[], "profan plain", &scratch, expected);
}

#[test]
fn profiles_of_libraries_and_programs_are_distinguished() {
    let scratch = directory_of(&[("work", "work"), ("sound.gmon", "gmon.profile")]);
    let start = [&b"gmon\xff\xff\x01\0"[..], &[0; 24]].concat();
    for name in ["libc.so.6.profile", "other.1"] {
        fs::write(scratch.path().join(name), &start).expect("the folder is writable");
    }
    let next = format!("next: {RUN} gmon.out to its current directory{SERVER}");
    let library = "libc.so.6.profile: LD_PROFILE profile of libc.so.6; pass it with the library, after the profile of the program";
    check(&[], &scratch, &[library, &next]);
}

#[test]
fn files_that_decompress_to_gigabytes_are_skipped() {
    let scratch = directory_of(&[("work", "work")]);
    // Frames of zstd of 128 KiB of the same byte each: 62.5 GiB.
    let frame = b"\x28\xb5\x2f\xfd\x00\x38\x03\x00\x10\x00";
    let bomb = scratch.path().join("gmon.out");
    fs::write(bomb, frame.repeat(500_000)).expect("it can be written");
    let next = format!("{RUN} gmon.out to its current directory{SERVER}");
    check(&[], &scratch, &[&format!("next: {next}")]);
    let advice = format!("check the name and the directory, or: {next}");
    check_advice(&[], "profan -p work missing.out", &scratch, &advice);
}

#[cfg(unix)]
#[test]
fn pipes_are_never_opened() {
    let scratch = directory_of(&[("work", "work")]);
    for name in ["gmon.out", "gmon.out.1", "a.profile"] {
        let made = std::process::Command::new("mkfifo").arg(scratch.path().join(name)).status();
        assert!(made.is_ok_and(|status| status.success()));
    }
    check(&[], &scratch, &[&format!("next: {RUN} gmon.out to its current directory{SERVER}")]);
    let outcome = run(&[], "profan doctor work gmon.out", &scratch);
    let text = String::from_utf8_lossy(&outcome.stdout).into_owned();
    assert!(text.contains("gmon.out: not a regular file"), "{text}");
}

#[test]
fn a_profile_of_a_library_is_known_by_its_bytes_beside_that_library_and_by_name() {
    let own = "LD_PROFILE profile of libone.so";
    for name in ["libone.so.profile", "libone.so.profile.gz"] {
        let scratch = directory_of(&[("work", "work"), ("libone.so", "libone.so")]);
        let plain =
            Path::new(env!("CARGO_MANIFEST_DIR")).join("fixtures/oddities/libone.so.profile");
        let bytes = fs::read(plain).expect("it is there");
        let bytes = if name.ends_with(".gz") { compressed(&bytes) } else { bytes };
        fs::write(scratch.path().join(name), bytes).expect("it can be written");
        let text_of = |line: &str| {
            let outcome = run(&[], line, &scratch);
            String::from_utf8(outcome.stdout).expect("it is text")
        };
        let of_library = text_of("profan doctor libone.so");
        assert!(of_library.contains(&format!("ok   profile  {name}: {own}")));
        assert!(of_library.contains(&format!("next: profan {name} libone.so\n")));
        let of_program = text_of(&format!("profan doctor work {name}"));
        assert!(of_program.contains(&format!("note   profile  {name}: {own}")), "{of_program}");
        assert!(!of_program.contains("problem"), "{of_program}");
    }
}

/// A gzip file.
fn compressed(bytes: &[u8]) -> Vec<u8> {
    let mut encoder = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
    std::io::Write::write_all(&mut encoder, bytes).expect("memory takes it");
    encoder.finish().expect("memory takes it")
}

/// The checksum of a sparse file takes as long as that of a full one.
#[test]
fn a_debug_file_that_is_too_large_is_not_checked() {
    let work = Path::new(env!("CARGO_MANIFEST_DIR")).join("fixtures/gprof/debuglink");
    let scratch = Scratch::copy_of(&work);
    let debug = File::options().write(true).open(scratch.path().join("prog.debug"));
    let set = debug.and_then(|file| file.set_len(1 << 36));
    set.expect("a file can be long");
    let outcome = run(&[], "profan -l prog gmon.out", &scratch);
    let text = String::from_utf8(outcome.stderr).expect("it is text");
    let expected = "it has 68719476736 bytes, more than the limit of 4294967296";
    assert!(text.contains(expected), "{text}");
}
