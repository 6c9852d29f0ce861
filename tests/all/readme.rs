//! The examples of the README print what it says.
//!
//! In a block of ```` ```console ```` every line that starts with `$ ` is a command,
//! run in a copy of `fixtures/tour`; the lines up to the next one are its output
//! and its messages, `…` standing for lines left out.

use std::path::Path;

use crate::support::{Scratch, run_line};

#[test]
fn the_examples_print_what_the_readme_says() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let readme = std::fs::read_to_string(root.join("README.md")).expect("there is a README");
    let examples = examples_of(&readme);
    assert!(
        examples.len() >= 6,
        "only {} examples were found",
        examples.len()
    );
    let scratch = Scratch::copy_of(&root.join("fixtures/tour"));
    for (command, expected) in examples {
        let outcome = run_line(&command, b"", scratch.path());
        assert!([0, 2].contains(&outcome.status), "`{command}` ended badly");
        let printed = [outcome.stdout, outcome.stderr].concat();
        let printed = String::from_utf8(printed).expect("examples print UTF-8");
        let printed: Vec<_> = printed.lines().map(str::trim_end).collect();
        check(&command, &expected, &printed);
    }
}

/// Commands and the lines below each.
fn examples_of(readme: &str) -> Vec<(String, Vec<String>)> {
    let mut examples: Vec<(String, Vec<String>)> = Vec::new();
    let mut is_inside = false;
    for line in readme.lines() {
        if line.starts_with("```") {
            is_inside = line == "```console";
        } else if let Some(command) = line.strip_prefix("$ ").filter(|_| is_inside) {
            examples.push((command.to_owned(), Vec::new()));
        } else if let Some((_, lines)) = examples.last_mut().filter(|_| is_inside) {
            lines.push(line.trim_end().to_owned());
        }
    }
    examples
}

/// Checks runs of lines between `…`: the first from the top, others anywhere below.
fn check(command: &str, expected: &[String], printed: &[&str]) {
    let mut rest = printed;
    for (index, run) in expected.split(|line| line == "…").enumerate() {
        let place = rest
            .windows(run.len().max(1))
            .position(|window| window.iter().zip(run).all(|(have, want)| have == want))
            .filter(|&place| index > 0 || place == 0 || run.is_empty());
        let Some(place) = place.or_else(|| run.is_empty().then_some(0)) else {
            panic!(
                "`{command}` does not print\n{}\nbut\n{}",
                run.join("\n"),
                printed.join("\n")
            );
        };
        rest = &rest[(place + run.len()).min(rest.len())..];
    }
    let is_cut_at_end = expected.last().is_some_and(|line| line == "…");
    assert!(
        is_cut_at_end || rest.is_empty(),
        "`{command}` prints more:\n{}",
        rest.join("\n")
    );
}
