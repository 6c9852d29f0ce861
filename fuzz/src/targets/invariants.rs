//! Properties of every valid profile.

use std::collections::BTreeSet;
use std::ffi::OsString;
use std::path::{Path, PathBuf};

use arbitrary::{Result, Unstructured};
use profan::render::RENDERERS;

use super::super::made::gmon::Record;
use super::super::made::program::Case;
use super::super::made::stacks::Stacks;
use super::super::pipeline::{NO_SCREEN, Ran, file, run_words, words_of};

/// Formats of stacks that profan also reads.
const STACK_FORMATS: [&str; 2] = ["folded", "pprof"];

/// Files of a program, and their total contents.
struct Valid {
    program: Option<PathBuf>,
    profiles: Vec<PathBuf>,
    /// All ticks or samples, if each takes as long as the others.
    total: Option<u64>,
    /// The name of a function.
    function: String,
    /// The format to try.
    choice: usize,
}

/// Random profiles: the self costs equal the file's, `--focus` and `--ignore` add up to the
/// whole, and the order of files does not matter. A saved report prints the same text, and
/// exported stacks have the same costs.
pub fn invariants(data: &[u8]) {
    let mut bytes = Unstructured::new(data);
    let valid = if bytes.arbitrary().unwrap_or(false) {
        of_gmon(&mut bytes)
    } else {
        of_stacks(&mut bytes)
    };
    if let Ok(valid) = valid {
        valid.check();
    }
}

fn of_stacks(bytes: &mut Unstructured<'_>) -> Result<Valid> {
    let sides = [Stacks::any(bytes)?, Stacks::any(bytes)?];
    let index = bytes.int_in_range(0..=99)?;
    let profiles = (0..).zip(&sides);
    Ok(Valid {
        program: None,
        profiles: profiles
            .map(|(number, stacks)| file(&format!("stacks-{number}"), &stacks.folded()))
            .collect(),
        total: Some(sides.iter().map(Stacks::total).sum()),
        function: sides[0].function(index).to_owned(),
        choice: index,
    })
}

fn of_gmon(bytes: &mut Unstructured<'_>) -> Result<Valid> {
    let (case, _) = Case::any(bytes, false)?;
    let profiles = (0..).zip(&case.profiles);
    let records = case.profiles.iter().flat_map(|profile| &profile.records);
    let histograms = records.filter_map(|record| match record {
        Record::Histogram(bins) => Some(bins),
        _ => None,
    });
    let rates: BTreeSet<_> = histograms.clone().map(|bins| bins.rate).collect();
    let ticks = histograms.flat_map(|bins| &bins.ticks);
    let total = ticks.map(|&ticks| u64::from(ticks)).sum();
    let names = case.program.symbols.iter().map(|symbol| &symbol.name);
    let names: Vec<_> = names.collect();
    let name = if names.is_empty() { &b"main"[..] } else { bytes.choose(&names)?.as_slice() };
    Ok(Valid {
        total: (rates.len() <= 1).then_some(total),
        function: String::from_utf8_lossy(name).into_owned(),
        choice: 0,
        program: Some(file("program", &case.program.bytes())),
        profiles: profiles
            .map(|(number, profile)| file(&format!("profile-{number}"), &profile.bytes()))
            .collect(),
    })
}

impl Valid {
    fn check(&self) {
        let whole = self.run(&["--format", "tsv", "-p"]);
        if !whole.is_ok {
            return;
        }
        let all = self_costs(&whole.text, true);
        if let Some(total) = self.total {
            assert_close(all, total as f64, "the file");
        }
        self.check_focus(all);
        self.check_order();
        self.check_saved();
        if self.program.is_none() {
            self.check_exports(all);
        }
    }

    /// The costs that pass through a function, and the others.
    fn check_focus(&self, all: f64) {
        let part = |option| self.run(&["--format", "tsv", "-p", option, &self.function]);
        let (focus, ignore) = (part("--focus"), part("--ignore"));
        assert_eq!(focus.is_ok, ignore.is_ok, "for `{}`", self.function);
        if focus.is_ok {
            let sum = self_costs(&focus.text, false) + self_costs(&ignore.text, false);
            assert_close(sum, all, "--focus and --ignore");
        }
    }

    fn check_order(&self) {
        let options = ["-p", "-q", "--tree"];
        let mut reversed = self.profiles.clone();
        reversed.reverse();
        let reversed = run_words(self.words(&options, &reversed), NO_SCREEN);
        assert!(self.run(&options) == reversed, "the order of files changes the report");
    }

    fn check_saved(&self) {
        for options in [&["-p", "-q"][..], &["-p", "--tree", "--error"]] {
            let text = self.run(options);
            let json = self.run(&[options, &["--format", "json"]].concat());
            assert_eq!(text.is_ok, json.is_ok);
            if json.is_ok {
                let saved = file("saved.json", &json.text);
                // `--error` has its own sections.
                let shown = if options.contains(&"--error") { &["--error"][..] } else { &[] };
                let again = run_words(words(shown, &[saved]), NO_SCREEN);
                assert!(again == text, "a saved report prints another text");
            }
        }
    }

    fn check_exports(&self, all: f64) {
        for format in STACK_FORMATS {
            let exported = self.run(&["--tree", "--format", format]);
            if exported.is_ok {
                let path = file("exported", &exported.text);
                let read = run_words(words(&["--format", "tsv", "-p"], &[path]), NO_SCREEN);
                assert_close(self_costs(&read.text, true), all, format);
            }
        }
        let renderer = &RENDERERS[self.choice % RENDERERS.len()];
        let options = ["-p", "-q", "--tree", "--format", renderer.name];
        let (once, again) = (self.run(&options), self.run(&options));
        assert!(once == again, "{} changes from run to run", renderer.name);
    }

    fn run(&self, options: &[&str]) -> Ran {
        run_words(self.words(options, &self.profiles), NO_SCREEN)
    }

    fn words(&self, options: &[&str], profiles: &[PathBuf]) -> Vec<OsString> {
        let mut files = profiles.to_vec();
        files.extend(self.program.clone());
        words(options, &files)
    }
}

/// A command line.
fn words(options: &[&str], files: &[impl AsRef<Path>]) -> Vec<OsString> {
    let files = files.iter().map(|path| path.as_ref().into());
    let options = options.iter().map(Into::into);
    words_of("", &[]).into_iter().chain(options).chain(files).collect()
}

/// The sum of the column `self`, with the row for omitted costs or without.
fn self_costs(table: &[u8], has_rest: bool) -> f64 {
    let text = String::from_utf8_lossy(table);
    let lines = text.lines().filter(|line| has_rest || !line.starts_with("rest\t"));
    let mut lines = lines.map(|line| line.split('\t'));
    let column = lines.next().and_then(|mut head| head.position(|name| name == "self"));
    let Some(column) = column else { return 0.0 };
    let cells = lines.filter_map(|mut row| row.nth(column)?.parse::<f64>().ok());
    cells.sum()
}

fn assert_close(sum: f64, expected: f64, what: &str) {
    let difference = (sum - expected).abs();
    assert!(difference <= 1e-6 * expected.max(1.0), "{sum}, but {expected} in {what}");
}
