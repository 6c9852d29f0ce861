//! Libraries of functions: every format keeps them, and `--group-by` adds their functions up.

use std::collections::BTreeMap;
use std::path::Path;

use serde_json::Value;

use crate::support::run_line;

/// Profiles below `fixtures` whose functions have objects, and the metric to compare.
const PROFILES: [(&str, &str); 4] = [
    ("callgrind/recursion/callgrind.out", "Ir"),
    ("callgrind/levels/callgrind.out", "Ir"),
    ("perf-script/stacks/count.perf", "samples"),
    ("pprof/go/cpu.pb.gz", "samples"),
];

fn rows(line: &str, directory: &Path) -> Vec<Value> {
    let outcome = run_line(line, b"", directory);
    let stderr = String::from_utf8_lossy(&outcome.stderr);
    assert_eq!(outcome.status, 0, "{line}: {stderr}");
    let report: Value = serde_json::from_slice(&outcome.stdout).expect("it is JSON");
    report["sections"][0]["rows"].as_array().expect("it has rows").clone()
}

/// Self costs above 0 by the text of some fields. Exports keep paths or file names of objects.
fn costs(rows: &[Value], fields: &[&str]) -> BTreeMap<String, u64> {
    let mut costs = BTreeMap::new();
    for row in rows {
        let text = |field: &&str| {
            let text = row[*field].as_str().unwrap_or("[unknown]");
            text.rsplit('/').next().unwrap_or(text).to_owned()
        };
        let name: Vec<_> = fields.iter().map(text).collect();
        let cost = row["self"].as_u64().expect("it has a cost");
        if cost > 0 {
            *costs.entry(name.join(" of ")).or_default() += cost;
        }
    }
    costs
}

#[test]
fn groups_have_the_costs_of_their_functions() {
    let fixtures = Path::new(env!("CARGO_MANIFEST_DIR")).join("fixtures");
    for (profile, value) in PROFILES {
        let flat = format!("profan -p --format json --value {value} {profile}");
        let expected = costs(&rows(&flat, &fixtures), &["object"]);
        let grouped = format!("{flat} --group-by object");
        assert_eq!(costs(&rows(&grouped, &fixtures), &["name"]), expected, "{profile}");
        assert!(!expected.is_empty());
    }
}

#[test]
fn exports_keep_the_libraries_of_functions() {
    let fixtures = Path::new(env!("CARGO_MANIFEST_DIR")).join("fixtures");
    let made = tempfile::tempdir().expect("a temporary folder can be made");
    // Samples of perf become nanoseconds.
    let profiles = PROFILES.into_iter().filter(|(profile, _)| !profile.ends_with(".perf"));
    for (profile, value) in profiles {
        let of = |file: &str, directory: &Path| {
            let line = format!("profan -p --format json --value {value} {file}");
            costs(&rows(&line, directory), &["name", "object"])
        };
        let expected = of(profile, &fixtures);
        // Other values have other names and units in a file for callgrind.
        let endings: &[_] = if value == "Ir" { &["pb.gz", "callgrind"] } else { &["pb.gz"] };
        for ending in endings {
            let copy = made.path().join(format!("copy.{ending}"));
            let line = format!("profan --value {value} -o {} {profile}", copy.display());
            assert_eq!(run_line(&line, b"", &fixtures).status, 0, "{line}");
            let found = of(&format!("copy.{ending}"), made.path());
            assert_eq!(found, expected, "{profile} as {ending}");
        }
    }
}
