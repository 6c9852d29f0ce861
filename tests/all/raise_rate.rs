//! docs/raise-rate.c, if a C compiler exists: more samples, and the rate in the file.

use std::fs;
use std::path::Path;
use std::process::Command;

use crate::support::run_line;

const PROGRAM: &str = r"
#include <time.h>
static volatile unsigned sink;
__attribute__((noinline)) void work(void) { for (unsigned i = 0; i < 10000000; i++) sink += i; }
int main(void) { do work(); while (clock() < CLOCKS_PER_SEC / 2); return 0; }
";

/// Whether a command succeeded; `None` if it does not exist.
fn succeeds(directory: &Path, command: &str) -> Option<bool> {
    let mut words = command.split(' ');
    let mut process = Command::new(words.next().expect("there is a word"));
    let status = process.args(words).current_dir(directory).status().ok()?;
    Some(status.success())
}

#[test]
fn a_preloaded_file_raises_the_rate_to_that_of_the_kernel() {
    let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/raise-rate.c");
    let scratch = tempfile::tempdir().expect("a directory can be made");
    let directory = scratch.path();
    fs::copy(source, directory.join("raise-rate.c")).expect("it can be copied");
    fs::write(directory.join("busy.c"), PROGRAM).expect("it can be written");
    let Some(is_built) = succeeds(directory, "gcc -shared -fPIC -o rate.so raise-rate.c") else {
        return;
    };
    assert!(is_built, "the preloaded file can be built");
    assert_eq!(succeeds(directory, "gcc -pg -o busy busy.c"), Some(true));
    let run = Command::new(directory.join("busy"))
        .env("LD_PRELOAD", directory.join("rate.so"))
        .env("GMON_OUT_PREFIX", "gmon")
        .current_dir(directory)
        .status();
    assert!(run.expect("it can be run").success());
    let files = fs::read_dir(directory).expect("it can be read");
    let names = files.map(|file| file.expect("it can be read").file_name());
    let mut names = names.map(|name| name.to_string_lossy().into_owned());
    let profile = names.find(|name| name.starts_with("gmon."));
    let profile = profile.expect("it wrote a profile");
    let shown = run_line(&format!("profan -i {profile} busy"), b"", directory).stdout;
    let shown = String::from_utf8_lossy(&shown).into_owned();
    let number_before = |what: &str| -> Option<f64> {
        let (before, _) = shown.split_once(what)?;
        before.rsplit(' ').next()?.parse().ok()
    };
    let n_samples = number_before(" samples").expect("it has samples");
    let rate = number_before(" per second").expect("it has a rate");
    assert!((100.0..=1000.0).contains(&rate), "{shown}");
    let seconds = n_samples / rate;
    assert!((0.25..=1.5).contains(&seconds), "{shown}");
}
