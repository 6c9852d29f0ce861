//! Every prefix of an allocation profile, and any word or byte of it changed, gives a
//! report or an error, in memory that a small multiple of the input bounds.

use std::ffi::OsString;
use std::fs;
use std::path::Path;

use profan::cli::{self, Command};

use crate::memory::most_during;

/// Bytes that a run may use in addition to its multiple of the input: buffers, and numbers and
/// names as text.
const BASE: usize = 1 << 20;

/// Bytes that a run may take for each byte of input.
const FACTOR: usize = 64;

fn reports(path: &Path) -> bool {
    let path = path.display();
    let line = format!("profan mprof -v -n 0 -l -g stdout {path}");
    let Ok(Command::Original(_, command)) = cli::parse(line.split(' ').map(OsString::from)) else {
        panic!("`{line}` should be understood");
    };
    command.run(&mut std::io::sink(), &mut std::io::sink()).is_ok()
}

/// Runs mprof on variants of a file, and returns how many gave a report.
fn check(variants: impl Iterator<Item = Vec<u8>>) -> usize {
    let scratch = tempfile::tempdir().expect("a temporary folder can be made");
    let path = scratch.path().join("profile");
    let mut n_reports = 0;
    for bytes in variants {
        fs::write(&path, &bytes).expect("the variant can be written");
        let (is_report, used) = most_during(|| reports(&path));
        n_reports += usize::from(is_report);
        assert!(used <= BASE + FACTOR * bytes.len(), "{} bytes took {used}", bytes.len());
    }
    n_reports
}

/// The file with some bytes replaced.
fn changed(whole: &[u8], place: usize, bytes: &[u8]) -> Vec<u8> {
    let mut changed = whole.to_vec();
    changed[place..place + bytes.len()].copy_from_slice(bytes);
    changed
}

#[test]
fn every_prefix_and_change_gives_a_report_or_an_error() {
    let directory = Path::new(env!("CARGO_MANIFEST_DIR")).join("fixtures/mpatrol/handmade");
    for (name, size) in [("ok.out", 8), ("ok32be.out", 4)] {
        let whole = fs::read(directory.join(name)).expect("the fixture is there");
        let whole = whole.as_slice();
        let n_whole = check((0..=whole.len()).map(|end| whole[..end].to_vec()));
        assert_eq!(n_whole, 1, "only the whole of {name} gives a report");
        let bytes = (0..whole.len()).flat_map(|place| {
            let others = [0, 0xff, whole[place] ^ 1];
            others.map(|other| changed(whole, place, &[other]))
        });
        assert!(check(bytes) > whole.len(), "{name}");
        let words = (4..whole.len() - size).step_by(size).flat_map(|place| {
            let others = [0, 1, 2, 1 << 31, 1 << 57, u64::MAX];
            others.map(|other: u64| {
                let little = &other.to_le_bytes()[..size];
                let big = &other.to_be_bytes()[8 - size..];
                changed(whole, place, if name.contains("be") { big } else { little })
            })
        });
        assert!(check(words) > 0, "{name}");
    }
}
