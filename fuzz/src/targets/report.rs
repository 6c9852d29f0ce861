use std::path::PathBuf;

use arbitrary::Unstructured;
use profan::render::json;

use super::super::made::program::Case;
use super::super::pipeline::{NO_SCREEN, Ran, SCREEN, file, run_line};

/// Lines that print to the standard output and write no file.
pub const LINES: &[&str] = &[
    "",
    "-p -q -i",
    "-l -p -q -C",
    "--inlines -p -q",
    "-A -C -x",
    "-c -r -z -T",
    "-p --error --explain",
    "-p --stable",
    "-p --top 2 --sort name --reverse",
    "-q --names short -w 40 --inline-file-names",
    "-pmain -qf -Pg",
    "--focus main --ignore f",
    "--keep (from\"main\")",
    "--format json",
    "--format jsonl",
    "--format csv",
    "--format tsv -q",
    "--format markdown",
    "--format dot",
    "--format lcov",
    "--leaks --bins --trace --peak --temporary",
    "--between start,end",
    "--by-file",
    "--by-file=rows --format json",
    "-i --rate 50 --counter-bits 8",
    "--base 0x1000 -p",
    "--from-hexdump",
    "-O bsd -p",
    "--strict --verbose",
    "-D -a -z --no-demangle",
    "doctor",
    "doctor --format json",
    "diff",
    "diff -q --format json",
    "diff -l --fail-on slower",
    "gprof -b",
    "gprof",
    "gprof -b -l -p -q -C -c -z",
    "gprof -A -x -i -r",
    "gprof -T -z -D -a",
    "gprof -b -O bsd",
    "mprof -v -n 0 -l",
    "mptrace -v -s",
    "mlprof -raw true -show-line true",
    "mlprof -thresh 1 -split .*",
    "--leaks=0 -p",
    "--tree",
    "--format csv --csv-safe",
    "diff --format junit",
    "diff --baseline",
    "--format callgrind",
    "--format cpuprofile",
    "--format firefox",
    "--format folded",
    "--format pprof",
    "--format speedscope",
    "--format svg",
    "diff --format svg",
];

/// The whole pipeline on two files: the first byte selects the line, and two more are the size of
/// the first file.
pub fn report(data: &[u8]) {
    let Some(([line, low, high], rest)) = data.split_first_chunk::<3>() else {
        return;
    };
    let size = usize::from(u16::from_le_bytes([*low, *high])).min(rest.len());
    let files = [file("first", &rest[..size]), file("second", &rest[size..])];
    check(LINES[usize::from(*line) % LINES.len()], &files);
}

/// The whole pipeline on a program that is made and its profiles: every line, and the
/// options that are made with it.
pub fn made_report(data: &[u8]) {
    let Ok((case, _)) = Case::any(&mut Unstructured::new(data), true) else {
        return;
    };
    let program = file("program", &case.program.bytes());
    let name = |place: usize| format!("profile-{place}");
    let profiles = (0..).zip(&case.profiles);
    let profiles = profiles.map(|(place, profile)| file(&name(place), &profile.bytes()));
    let files: Vec<_> = [program].into_iter().chain(profiles).collect();
    let line = usize::from(data.first().copied().unwrap_or(0));
    check(LINES[line % LINES.len()], &files);
    check(&case.options.join(" "), &files);
    check(&format!("gprof {}", case.options.join(" ")), &files);
}

/// Runs a line for a terminal and without one, the latter twice.
pub(super) fn check(line: &str, files: &[PathBuf]) {
    let ran = run_line(line, files, NO_SCREEN);
    let again = run_line(line, files, NO_SCREEN);
    assert!(ran == again, "`{line}` changes from run to run");
    let is_json = line.ends_with("--format json");
    if is_json && ran.is_ok {
        json::read(&ran.text).expect("what is kept can be read");
    }
    let is_original = ["gprof", "mprof", "mptrace", "mlprof"];
    if !is_original.iter().any(|name| line.starts_with(name)) {
        check_screen(&run_line(line, files, SCREEN), line);
    }
}

/// No control character reaches a terminal, but for ends of lines, tabs and colours.
fn check_screen(ran: &Ran, line: &str) {
    let mut rest = ran.text.as_slice();
    while let Some(place) = rest.iter().position(|byte| byte.is_ascii_control()) {
        let (control, behind) = (rest[place], &rest[place + 1..]);
        rest = match control {
            // The last parts sections.
            b'\n' | b'\t' | 0xc => behind,
            0x1b => after_color(behind).unwrap_or_else(|| panic!("`{line}` prints an escape")),
            other => panic!("`{line}` prints {other:#x}"),
        };
    }
}

/// The text after an escape sequence for a colour.
fn after_color(text: &[u8]) -> Option<&[u8]> {
    let order = text.strip_prefix(b"[")?;
    let end = order.iter().position(|byte| !matches!(byte, b'0'..=b'9' | b';'))?;
    order[end..].strip_prefix(b"m")
}
