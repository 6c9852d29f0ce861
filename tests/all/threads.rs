//! Output does not depend on the number of threads.
//!
//! Programs are made by the compiler of the machine that tests.

use std::fs;
use std::path::Path;

use crate::made::Kind;
use crate::support::run_line_in;

/// Lines over inputs that are large enough to be worth threads.
const LINES: &[(Kind, usize, &[&str])] = &[
    (
        Kind::Calls,
        5000,
        &[
            "profan gmon.out prog",
            "profan -q --all gmon.out prog",
            "profan --all --format json gmon.out prog",
            "profan -l -p gmon.out prog",
            "profan diff gmon.out tangled.gmon prog",
            "gprof -b prog gmon.out",
            "gprof -b -l prog gmon.out",
            "gprof -b -q prog tangled.gmon",
            "gprof -T prog gmon.out",
        ],
    ),
    (
        Kind::Sums,
        70,
        &["profan @names prog", "profan --by-file @names prog", "gprof -s prog @names"],
    ),
    (Kind::Unit, 300, &["gprof -b -A -I . prog gmon.out", "profan -C gmon.out prog"]),
    (Kind::Heap, 60_000, &["profan heap", "mprof -v heap"]),
    (Kind::Trace, 60_000, &["profan trace", "mptrace trace"]),
    (Kind::Names, 5000, &["profan table mlmon.out", "mlprof -thresh 0.01 table mlmon.out"]),
    (Kind::Script, 3000, &["profan --format folded script"]),
    (Kind::Recording, 3000, &["profan -p script", "profan --format json script"]),
    (Kind::Folded, 2000, &["profan --format svg folded"]),
    (Kind::Pprof, 3000, &["profan -p pprof"]),
    (Kind::Callgrind, 2000, &["profan callgrind.out"]),
    (Kind::Dhat, 1000, &["profan -p dhat.json"]),
    (Kind::Massif, 4000, &["profan -p massif.out"]),
    (Kind::GprofText, 1000, &["profan gprof.txt"]),
    (Kind::Xdebug, 3000, &["profan -p xdebug.out"]),
];

/// The complete result of a command line, with the files that it wrote.
fn outcome(
    line: &str,
    directory: &Path,
    n_threads: usize,
) -> (Vec<u8>, Vec<u8>, i32, Option<Vec<u8>>) {
    let n_threads = n_threads.to_string();
    let outcome = run_line_in(&[("PROFAN_THREADS", &n_threads)], line, b"", directory);
    let sum = directory.join("gmon.sum");
    let written = fs::read(&sum).ok();
    let _ = fs::remove_file(&sum);
    (outcome.stdout, outcome.stderr, outcome.status, written)
}

#[test]
fn any_number_of_threads_makes_the_same_bytes() {
    let below = tempfile::tempdir().expect("a temporary folder can be made");
    for (kind, size, lines) in LINES {
        let directory = kind.directory(below.path(), *size);
        let directory = directory.expect("inputs can be made");
        for line in *lines {
            let alone = outcome(line, &directory, 1);
            assert_eq!(alone.2, 0, "{line}: {}", String::from_utf8_lossy(&alone.1));
            let is_nothing = alone.0.is_empty() && alone.3.is_none();
            assert!(!is_nothing, "{line} printed nothing");
            for n_threads in [2, 7] {
                let several = outcome(line, &directory, n_threads);
                assert!(several == alone, "{line} with {n_threads} threads");
            }
        }
    }
}

#[test]
fn the_number_of_threads_is_one_that_makes_sense() {
    let directory = Path::new(env!("CARGO_MANIFEST_DIR")).join("fixtures/gprof/basic");
    let check = |variable: &str, line: &str, status: i32, said: &str| {
        let outcome = run_line_in(&[("PROFAN_THREADS", variable)], line, b"", &directory);
        let stderr = String::from_utf8_lossy(&outcome.stderr);
        assert_eq!(outcome.status, status, "{line}: {stderr}");
        assert!(stderr.contains(said), "{line}: {stderr}");
    };
    let range = "a number from 1 to 512";
    check("", "profan --threads 3 gmon.out prog", 0, "");
    check("", "profan --threads 0 gmon.out prog", 2, range);
    check("", "profan --threads 513 gmon.out prog", 2, range);
    check("", "profan gmon.out prog", 0, "");
    check("many", "profan gmon.out prog", 2, "profan: PROFAN_THREADS is `many`: write");
    check("many", "profan --threads 2 gmon.out prog", 0, "");
    check("0", "gprof prog gmon.out", 1, "gprof: PROFAN_THREADS is `0`");
}
