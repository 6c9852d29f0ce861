//! The examples of the README and of `docs` print the output shown there.
//!
//! In a block of ```` ```console ```` every line that starts with `$ ` is a command, run in a
//! copy of `fixtures/tour`; lines below it that start with `> ` continue it. The lines up to the
//! next one are its output and its messages; `…` replaces omitted lines. The test does not use a
//! shell: `|` leads from one command to the next, `*` in a file name matches any text, and
//! `jq.rs` provides `jq`. Commands in a block of ```` ```sh ```` have files of their own, so the test
//! checks their options only.

use std::fs;
use std::path::{Path, PathBuf};

use tempfile::TempDir;

use crate::jq::jq;
use crate::support::{Scratch, files_below, run_line, words_of};

#[test]
fn the_examples_print_the_output_shown() {
    let tour = root().join("fixtures/tour");
    for (path, least) in [("README.md", 9), ("docs", 80)] {
        let mut n_examples = 0;
        for page in pages_of(path) {
            let text = fs::read_to_string(&page).expect("pages are text");
            let scratch = Scratch::copy_of(&tour);
            for example in examples_of(&text) {
                let printed = print(&example.command, scratch.path());
                let printed: Vec<_> = printed.lines().map(str::trim_end).collect();
                check(&example.command, &example.output, &printed);
                n_examples += 1;
            }
        }
        assert!(n_examples >= least, "{path} has {n_examples} examples only");
    }
}

#[test]
fn commands_without_output_lack_only_their_files() {
    let directory = TempDir::new().expect("a temporary folder can be made");
    let mut n_commands = 0;
    for page in ["README.md", "docs"].into_iter().flat_map(pages_of) {
        let text = fs::read_to_string(&page).expect("pages are text");
        for line in lines_of(&text, "sh") {
            let command = line.split(" #").next().expect("a line has a start").trim();
            let is_plain = !command.contains(['$', '|', ';', '&', '<', '>', '\\']);
            if !command.starts_with("profan ") || !is_plain {
                continue;
            }
            let outcome = run_line(command, b"", directory.path());
            let printed = String::from_utf8_lossy(&outcome.stderr);
            // A file is missing, or there is no terminal to browse on.
            let is_valid = ["error[E001]", "error[E031]"].iter().any(|code| printed.contains(code));
            assert!(is_valid, "`{command}`: {printed}");
            n_commands += 1;
        }
    }
    assert!(n_commands >= 10, "the pages have {n_commands} such commands only");
}

#[test]
fn every_option_is_on_a_page() {
    let pages = ["README.md", "docs"].into_iter().flat_map(pages_of);
    let pages: String =
        pages.map(|page| fs::read_to_string(page).expect("pages are text")).collect();
    let has = |option: &str| {
        let mut places = pages.split(option).skip(1);
        places.any(|after| !after.starts_with(|c: char| c.is_ascii_lowercase() || c == '-'))
    };
    for command in ["profan --help", "profan diff --help"] {
        let help = String::from_utf8(run_line(command, b"", root()).stdout).expect("help is text");
        for line in help.lines().filter(|line| line.trim_start().starts_with('-')) {
            let names = line.split_whitespace().take_while(|word| word.starts_with('-'));
            let names =
                names.map(|word| word.split(['[', '=', ',']).next().expect("a word has a start"));
            let is_there = names.clone().any(|name| {
                let is_long = name.starts_with("--");
                is_long && has(name) || has(&format!("`{name}")) || has(&format!("profan {name}"))
            });
            assert!(is_there, "no page has {}", names.collect::<Vec<_>>().join(" or "));
        }
    }
}

#[test]
fn links_lead_to_files() {
    for page in ["README.md", "docs"].into_iter().flat_map(pages_of) {
        let text = fs::read_to_string(&page).expect("pages are text");
        let directory = page.parent().expect("pages are in folders");
        for (place, _) in text.match_indices("](") {
            let link = &text[place + 2..];
            let link = &link[..link.find(')').expect("links end")];
            if link.contains("://") {
                continue;
            }
            let (file, heading) = link.split_once('#').unwrap_or((link, ""));
            let target = match file {
                "" => page.clone(),
                _ => directory.join(file),
            };
            let leads = target.exists() && (heading.is_empty() || has(&target, heading));
            assert!(leads, "{} has a link to `{link}`", page.display());
        }
    }
}

/// Whether a page has a heading, which links write in lower case, with `-` for blanks and without
/// punctuation.
fn has(page: &Path, link: &str) -> bool {
    let text = fs::read_to_string(page).expect("pages are text");
    let formatted = |line: &str| {
        let line = line.trim_start_matches('#').trim().to_lowercase();
        let kept = line.replace(' ', "-");
        kept.replace(|c: char| !c.is_alphanumeric() && c != '-' && c != '_', "")
    };
    let mut headings = text.lines().filter(|line| line.starts_with('#'));
    headings.any(|line| formatted(line) == link)
}

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

/// A page, or the pages of a directory.
fn pages_of(path: &str) -> Vec<PathBuf> {
    let path = root().join(path);
    if path.is_dir() {
        let mut pages = files_below(&path);
        pages.retain(|page| page.extension().is_some_and(|extension| extension == "md"));
        pages
    } else {
        vec![path]
    }
}

/// A command and the lines below it.
struct Example {
    command: String,
    output: Vec<String>,
}

fn examples_of(page: &str) -> Vec<Example> {
    let mut examples: Vec<Example> = Vec::new();
    for line in lines_of(page, "console") {
        if let Some(command) = line.strip_prefix("$ ") {
            examples.push(Example { command: command.to_owned(), output: Vec::new() });
        } else if let Some(example) = examples.last_mut() {
            match line.strip_prefix("> ") {
                Some(more) if example.output.is_empty() => {
                    example.command = format!("{} {more}", example.command);
                }
                _ => example.output.push(line.trim_end().to_owned()),
            }
        }
    }
    examples
}

/// The lines of the blocks of one kind.
fn lines_of<'a>(page: &'a str, kind: &str) -> Vec<&'a str> {
    let mut is_inside = false;
    let mut lines = Vec::new();
    for line in page.lines() {
        match line.strip_prefix("```") {
            Some(start) => is_inside = start == kind,
            None if is_inside => lines.push(line),
            None => {}
        }
    }
    lines
}

/// The output of a command, and its messages.
fn print(command: &str, directory: &Path) -> String {
    let (mut printed, mut said) = (Vec::new(), Vec::new());
    for stage in stages_of(command) {
        let words = words_of(stage);
        if words[0] == "jq" {
            printed = jq(&words[1..], &printed, directory);
            continue;
        }
        let outcome = run_line(&with_files(stage, directory), &printed, directory);
        let is_ending = [0, 1, 2].contains(&outcome.status);
        assert!(is_ending, "`{stage}` ended badly");
        printed = outcome.stdout;
        said.extend(outcome.stderr);
    }
    printed.extend(said);
    String::from_utf8(printed).expect("examples print UTF-8")
}

/// The commands of a pipeline: the parts between unquoted `|`.
fn stages_of(command: &str) -> Vec<&str> {
    let mut quote = None;
    let is_pipe = |character: char| {
        match quote {
            Some(open) if open == character => quote = None,
            None if matches!(character, '\'' | '"') => quote = Some(character),
            _ => {}
        }
        character == '|' && quote.is_none()
    };
    command.split(is_pipe).map(str::trim).collect()
}

/// The command with its patterns with `*` replaced by the matching files, in order.
fn with_files(command: &str, directory: &Path) -> String {
    let words = command.split(' ').map(|word| {
        let Some((start, end)) = word.split_once('*') else {
            return word.to_owned();
        };
        let (below, start) = start.rsplit_once('/').unwrap_or(("", start));
        let files = files_below(&directory.join(below));
        let fits = |name: &str| name.starts_with(start) && name.ends_with(end);
        let names = files.iter().filter_map(|file| {
            let path = file.strip_prefix(directory).ok()?;
            fits(path.file_name()?.to_str()?).then(|| path.to_str())?
        });
        let names: Vec<_> = names.collect();
        if names.is_empty() { word.to_owned() } else { names.join(" ") }
    });
    words.collect::<Vec<_>>().join(" ")
}

/// Checks runs of lines between `…`: the first from the top, others anywhere below.
///
/// Notes are left out, as pages leave them out unless they are about them, and so is the warning
/// that counting the calls of the tour's program took long.
fn check(command: &str, expected: &[String], printed: &[&str]) {
    let is_note = |line: &str| line.starts_with("profan: note: ");
    let shows_notes = expected.iter().any(|line| is_note(line));
    let printed = printed.iter().copied();
    let mut printed: Vec<_> = printed.filter(|line| shows_notes || !is_note(line)).collect();
    let about_counting = printed.iter().position(|line| line.starts_with("profan: warning[W080]"));
    if let Some(first) = about_counting {
        printed.drain(first..first + 2);
    }
    let printed = &*printed;
    let mut rest = printed;
    for (index, run) in expected.split(|line| line == "…").enumerate() {
        let place = rest
            .windows(run.len().max(1))
            .position(|window| window.iter().zip(run).all(|(have, want)| have == want))
            .filter(|&place| index > 0 || place == 0 || run.is_empty());
        let Some(place) = place.or_else(|| run.is_empty().then_some(0)) else {
            panic!("`{command}` does not print\n{}\nbut\n{}", run.join("\n"), printed.join("\n"));
        };
        rest = &rest[(place + run.len()).min(rest.len())..];
    }
    let is_cut_at_end = expected.last().is_some_and(|line| line == "…");
    assert!(is_cut_at_end || rest.is_empty(), "`{command}` prints more:\n{}", rest.join("\n"));
}
