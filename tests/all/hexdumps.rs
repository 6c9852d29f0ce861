//! Profiles read from the output of hex-dump tools.

use std::fs;
use std::path::Path;

use crate::support::{Scratch, run_line};

fn problems() -> Scratch {
    Scratch::copy_of(&Path::new(env!("CARGO_MANIFEST_DIR")).join("fixtures/oddities"))
}

/// The texts that show all of `small.gmon`.
fn whole_dumps(scratch: &Scratch) -> Vec<String> {
    let directory = fs::read_dir(scratch.path().join("dumps")).expect("the folder is there");
    let names = directory.map(|entry| entry.expect("it can be read").file_name());
    let mut names: Vec<String> = names.map(|name| name.to_string_lossy().into_owned()).collect();
    let is_damaged = |name: &str| name.starts_with("damaged-") || name == "nothing.txt";
    names.retain(|name| name.ends_with(".txt") && !is_damaged(name));
    names.sort();
    names
}

#[test]
fn the_dump_of_every_tool_gives_the_report_of_the_file() {
    let scratch = problems();
    let expected = run_line("profan dumps/small.gmon work", b"", scratch.path());
    let names = whole_dumps(&scratch);
    assert!(names.len() >= 25, "{names:?}");
    for name in names {
        let line = format!("profan --from-hexdump dumps/{name} work");
        let found = run_line(&line, b"", scratch.path());
        let text = |bytes| String::from_utf8_lossy(bytes).into_owned();
        assert_eq!(found.status, 0, "{name}");
        assert_eq!(text(&found.stdout), text(&expected.stdout), "{name}");
        assert_eq!(text(&found.stderr), text(&expected.stderr), "{name}");
    }
}

#[test]
fn every_dump_is_known_for_one_without_the_option() {
    let scratch = problems();
    for name in whole_dumps(&scratch) {
        let found = run_line(&format!("profan dumps/{name} work"), b"", scratch.path());
        let stderr = String::from_utf8_lossy(&found.stderr).into_owned();
        assert_eq!(found.status, 2, "{name}");
        assert!(stderr.contains("not a profile, but a hex dump"), "{name}: {stderr}");
        assert!(stderr.contains("add --from-hexdump"), "{name}: {stderr}");
    }
}

#[test]
fn every_prefix_of_a_dump_gives_an_answer() {
    let scratch = problems();
    for name in ["serial.txt", "ihex.txt", "hexdump-canonical.txt"] {
        let text = fs::read(scratch.path().join("dumps").join(name)).expect("it is there");
        for end in (0..text.len()).step_by(31) {
            fs::write(scratch.path().join("cut.txt"), &text[..end]).expect("it can be written");
            let found = run_line("profan --from-hexdump cut.txt work", b"", scratch.path());
            assert!(matches!(found.status, 0 | 2), "{name} up to {end}");
        }
    }
}
