//! Diagnoses: the page about them is made from the table that `profan explain` reads.

use std::fs;
use std::path::Path;

use profan::diagnose::catalogue::{ENTRIES, Entry};

use crate::support::files_below;

const START: &str = "\
# What profan says is odd

Diagnoses stand after the report, on standard error: a stable code, the cause, and what
to do. In JSON they are in `diagnostics`. A code is never given to another oddity. Only
root causes are said; one kind of warning about three files or more is one line, unless
`--verbose` lists them.

`profan explain CODE` prints what stands here. This page is made from the same table, by
`PROFAN_BLESS=1 cargo test --test all diagnoses`.

## Warnings

They leave the report as it is. `--deny CODE` makes an error of one, and `--deny warnings`
of all.
";

const ERRORS: &str = "\n## Errors\n\nThey end profan with status 2.\n";

fn page() -> String {
    let is_error = |entry: &&Entry| entry.code.starts_with('E');
    let of = |entries: Vec<&Entry>| entries.into_iter().map(paragraph).collect::<String>();
    let warnings = of(ENTRIES.iter().filter(|entry| !is_error(entry)).collect());
    let errors = of(ENTRIES.iter().filter(is_error).collect());
    format!("{START}{warnings}{ERRORS}{errors}")
}

fn paragraph(entry: &Entry) -> String {
    let Entry {
        code,
        title,
        cause,
        evidence,
        cure,
        explains,
    } = entry;
    let without = match explains {
        [] => String::new(),
        _ => format!("- Not said beside it: {}.\n", explains.join(", ")),
    };
    format!(
        "\n### {code}: {title}\n\n{cause}\n\n- What to look at: {evidence}\n- What to do: \
         {cure}\n{without}"
    )
}

#[test]
fn the_page_says_what_the_table_says() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/diagnostics.md");
    if std::env::var_os("PROFAN_BLESS").is_some() {
        fs::write(&path, page()).expect("the page can be written");
    }
    let written = fs::read_to_string(&path).expect("the page is there");
    assert!(
        written == page(),
        "docs/diagnostics.md differs from its table"
    );
}

/// What no recording raises: the first is not made any more, the others need two builds
/// of one program.
const NOT_RECORDED: [&str; 3] = ["W025", "W029", "W033"];

#[test]
fn every_diagnosis_is_recorded() {
    let fixtures = Path::new(env!("CARGO_MANIFEST_DIR")).join("fixtures");
    let mut messages = files_below(&fixtures);
    messages.retain(|path| {
        path.extension()
            .is_some_and(|extension| extension == "stderr")
    });
    let messages = messages
        .iter()
        .map(|path| fs::read(path).expect("it can be read"));
    let said: Vec<_> = messages
        .map(|message| String::from_utf8_lossy(&message).into_owned())
        .collect();
    for Entry { code, .. } in ENTRIES {
        let mark = format!("[{code}]: ");
        let is_said = said.iter().any(|message| message.contains(&mark));
        assert!(is_said || NOT_RECORDED.contains(code), "{code}");
    }
}
