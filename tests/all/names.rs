//! A mangled name has one spelling in every report, format and sentence.

use std::path::PathBuf;

use crate::support::run_line;

const MANGLED: [&str; 5] = [
    "_ZN4shop6Basket3addEi",
    "_RNvC4tour4work",
    "_ZN4tour4sort17h0123456789abcdefE",
    "_D4tour5stage3runFiZv",
    "camlStdlib__List__map_154",
];

const SHOWN: [&str; 5] = [
    "shop::Basket::add(int)",
    "tour::work",
    "tour::sort",
    "tour.stage.run(int)",
    "Stdlib.List.map",
];

const INPUTS: [&str; 3] = ["mangled.folded", "names.perf", "names.callgrind"];

/// Options, and whether the result also has linkage names.
const REPORTS: [(&str, bool); 14] = [
    ("-p", false),
    ("-q", false),
    ("--tree", false),
    ("--format markdown", false),
    ("--format html", false),
    ("--format svg", false),
    ("--format dot", false),
    ("--format folded", false),
    ("--format callgrind", false),
    ("--format speedscope", false),
    ("--format firefox", false),
    ("--format cpuprofile", false),
    ("--format json", true),
    ("--format csv", true),
];

fn output(line: &str) -> String {
    let directory: PathBuf = [env!("CARGO_MANIFEST_DIR"), "fixtures/folded/names"].iter().collect();
    let outcome = run_line(line, b"", &directory);
    assert_eq!(outcome.status, 0, "{line}: {}", String::from_utf8_lossy(&outcome.stderr));
    String::from_utf8_lossy(&outcome.stdout).into_owned()
}

#[test]
fn every_report_of_every_format_has_the_same_spelling() {
    for input in INPUTS {
        for (options, has_linkage) in REPORTS {
            let line = format!("profan {options} {input}");
            let text = output(&line);
            for (mangled, shown) in MANGLED.iter().zip(SHOWN) {
                // Pictures show short forms of long names.
                assert!(text.contains(shown), "no {shown} in {line}");
                assert_eq!(text.contains(mangled), has_linkage, "{mangled} in {line}");
            }
            let text = output(&format!("{line} --demangle=none"));
            assert!(MANGLED.iter().all(|name| text.contains(name)), "{line} --demangle=none");
        }
    }
}

#[test]
fn either_spelling_selects_a_function() {
    for (mangled, shown) in MANGLED.iter().zip(SHOWN) {
        for input in ["mangled.folded", "source.folded"] {
            for word in [mangled, shown] {
                let text = output(&format!("profan '-p{word}' {input}"));
                assert!(text.contains(shown), "{word} in {input}");
            }
        }
    }
}
