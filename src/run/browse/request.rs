//! Command lines whose reports are browsed.

use std::ffi::{OsStr, OsString};

use anyhow::{Error, Result, bail};

use crate::cli::{self, Command, Plan};
use crate::report::Report;
use crate::run::{Terminal, compare, make};

/// A command line: the words of the user, and the options of the keys pressed since.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Request {
    /// Options and files, as given.
    words: Vec<OsString>,
    /// `--focus` and `--ignore`, in the order of their keys.
    filters: Vec<OsString>,
    /// The part of the report, if it is not in every report.
    pub(super) part: Part,
}

/// A part of a report that is made when it is first shown.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Part {
    /// The parts that `profan` prints by default, or the requested ones.
    Usual,
    Tree,
    /// The source of a function, by symspec.
    Source(OsString),
}

impl Request {
    pub(super) fn new(words: &[OsString]) -> Self {
        Self { words: words.to_vec(), filters: Vec::new(), part: Part::Usual }
    }

    /// Returns whether it compares two sides.
    pub(super) fn is_diff(&self) -> bool {
        self.words.iter().any(|word| word == "--")
    }

    /// The same with another filter, such as `--focus`, by a function.
    pub(super) fn filtered(&self, option: &str, function: &OsStr) -> Self {
        let mut request = self.clone();
        let mut filter = OsString::from(option);
        filter.push("=");
        filter.push(function);
        request.filters.push(filter);
        request.part = Part::Usual;
        request
    }

    /// The same with another part.
    pub(super) fn with_part(&self, part: Part) -> Self {
        Self { part, ..self.clone() }
    }

    /// The functions of the filters, as in titles.
    pub(super) fn filters(&self) -> String {
        let filters = self.filters.iter();
        let filters = filters.map(|filter| format!(" {}", filter.to_string_lossy()));
        filters.collect()
    }

    /// The command that prints this, with options of a view before its files.
    pub(super) fn command(&self, view: &[OsString]) -> Vec<OsString> {
        let mut command = vec![OsString::from("profan")];
        command.extend(self.is_diff().then(|| OsString::from("diff")));
        match &self.part {
            Part::Usual => {}
            Part::Tree => command.extend(["--tree", "-p", "-q"].map(OsString::from)),
            Part::Source(function) => {
                let mut option = OsString::from("-A");
                option.push(function);
                command.push(option);
            }
        }
        command.extend_from_slice(view);
        command.extend_from_slice(&self.filters);
        command.extend_from_slice(&self.words);
        command
    }

    /// The command as a shell reads it.
    pub(super) fn shown_command(&self, view: &[OsString]) -> String {
        let words = self.command(view);
        let words = words.iter().map(|word| {
            let word = word.to_string_lossy();
            shlex::try_quote(&word).map_or_else(|_| word.to_string(), |quoted| quoted.to_string())
        });
        words.collect::<Vec<_>>().join(" ")
    }

    /// Parses the command.
    ///
    /// # Errors
    /// If it is not a command line of a report.
    pub(super) fn parse(&self, view: &[OsString]) -> Result<Command> {
        let command = cli::parse(self.command(view));
        command.map_err(|error| Error::msg(error.message().into_owned()))
    }

    /// Makes the report for a terminal of so many columns, all rows included.
    ///
    /// # Errors
    /// The errors of the command.
    pub(super) fn load(&self, columns: usize) -> Result<Report> {
        let terminal = Terminal {
            escapes_controls: true,
            has_color: false,
            columns: Some(columns),
            abbreviates_sizes: true,
        };
        let is_whole = !matches!(self.part, Part::Source(_));
        let warnings = &mut Vec::new();
        let made = match self.parse(&[])? {
            Command::Report(mut plan) => {
                prepare(&mut plan, is_whole);
                make(&plan, terminal, warnings)?
            }
            Command::Compare(mut plan, comparison) => {
                prepare(&mut plan, is_whole);
                compare::make(&plan, &comparison, terminal, warnings)?
            }
            _ => bail!("this command prints no report"),
        };
        let mut report = made.report;
        report.escape_words(true);
        Ok(report)
    }
}

fn prepare(plan: &mut Plan, is_whole: bool) {
    plan.is_browsed = true;
    plan.text.shows_all |= is_whole;
}
