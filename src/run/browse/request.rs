//! Reports that are browsed: what the command line requests, and the choices made since.

use std::borrow::Cow;
use std::ffi::OsString;
use std::rc::Rc;

use anyhow::{Result, ensure};

use crate::cli::{GroupBy, Plan, Task, output_path};
use crate::diagnose::browsing::NO_FILE;
use crate::filter::SymSpec;
use crate::model::Label;
use crate::output::ProgressBar;
use crate::report::{Report, SectionId, last_component};
use crate::run::printing::print_report;
use crate::run::{Terminal, make};

/// A report to make.
#[derive(Clone)]
pub(super) struct Request {
    /// The plan of the command line.
    plan: Rc<Plan>,
    /// Its options and files, as given.
    words: Vec<OsString>,
    /// In the order of their keys.
    choices: Vec<Choice>,
    /// The part of the report, if it is not in every report.
    pub(super) part: Part,
}

/// A choice made on the screen.
#[derive(Clone, PartialEq, Eq)]
pub(super) enum Choice {
    /// Only costs that pass through a function.
    Focus(String),
    /// Costs that do not pass through a function.
    Ignore(String),
    /// One of several recorded values.
    Value(String),
    /// Only samples with a label: its key and value.
    Label(String, String),
    /// Rows about libraries instead of functions.
    ByObject,
    /// Rows about the values of a label.
    ByLabel(String),
}

impl Choice {
    /// The option of the command line.
    fn option(&self) -> String {
        match self {
            Self::Focus(function) => format!("--focus={function}"),
            Self::Ignore(function) => format!("--ignore={function}"),
            Self::Value(value) => format!("--value={value}"),
            Self::Label(key, value) => format!("--label={key}={value}"),
            Self::ByObject => "--group-by=object".to_owned(),
            Self::ByLabel(key) => format!("--group-by=label:{key}"),
        }
    }

    /// A label as typed: `KEY` has rows for its values, `KEY=VALUE` leaves the samples with it.
    pub(super) fn of_label(typed: &str) -> Self {
        match typed.split_once('=') {
            Some((key, value)) => Self::Label(key.to_owned(), value.to_owned()),
            None => Self::ByLabel(typed.to_owned()),
        }
    }

    fn is_group(&self) -> bool {
        matches!(self, Self::ByObject | Self::ByLabel(_))
    }

    /// Returns whether only the later one of both counts.
    fn replaces(&self, other: &Self) -> bool {
        match self {
            Self::Focus(_) | Self::Ignore(_) | Self::Label(..) => self == other,
            Self::Value(_) => matches!(other, Self::Value(_)),
            Self::ByObject | Self::ByLabel(_) => other.is_group(),
        }
    }
}

/// A part of a report that is made when it is first shown.
#[derive(Clone)]
pub(super) enum Part {
    /// The parts that `profan` prints by default, or the requested ones.
    Usual,
    Tree,
    /// The call tree with callers below callees.
    CallersTree,
    /// The callers and callees of an inlined function.
    Calls(String),
    Source(SourceOf),
}

/// The source of a function.
#[derive(Clone)]
pub(super) struct SourceOf {
    pub(super) function: String,
    /// Its whole file and first line, if known.
    pub(super) place: Option<(String, u32)>,
}

impl SourceOf {
    /// The lines to annotate: those of the file, or else of the function.
    fn spec(&self) -> SymSpec {
        match self.file_name() {
            Some(file) => SymSpec::of_file(&file),
            None => SymSpec::of_name(&self.function),
        }
    }

    fn option(&self) -> Vec<String> {
        match self.file_name() {
            Some(file) => vec![format!("-A{file}:"), "--all".to_owned()],
            None => vec![format!("-A{}", self.function)],
        }
    }

    /// The file without directories, as symspecs have it.
    fn file_name(&self) -> Option<Cow<'_, str>> {
        let (path, _) = self.place.as_ref()?;
        Some(String::from_utf8_lossy(last_component(path.as_bytes())))
    }
}

/// How a view shows its report.
#[derive(Default)]
pub(super) struct ViewChoice {
    pub(super) is_flat: bool,
    /// The call graph of a function, or of all.
    pub(super) calls_of: Option<Option<String>>,
    pub(super) sort: Option<String>,
    pub(super) is_reversed: bool,
    pub(super) shows_error: bool,
}

impl Request {
    pub(super) fn new(plan: &Plan, words: &[OsString]) -> Self {
        let (plan, words) = (Rc::new(plan.clone()), words.to_vec());
        Self { plan, words, choices: Vec::new(), part: Part::Usual }
    }

    /// Returns whether it compares two sides.
    pub(super) fn is_diff(&self) -> bool {
        matches!(self.plan.task, Task::Comparison(_))
    }

    /// The same with another choice.
    pub(super) fn choosing(&self, choice: Choice) -> Self {
        let mut request = match choice {
            Choice::Value(_) => self.clone(),
            _ => self.with_part(Part::Usual),
        };
        request.choices.retain(|before| !choice.replaces(before));
        request.choices.push(choice);
        request
    }

    /// The same by library, or by function if it is by library.
    pub(super) fn switching_objects(&self) -> Self {
        let mut request = self.choosing(Choice::ByObject);
        if self.choices.contains(&Choice::ByObject) {
            request.choices.pop();
        }
        request
    }

    /// The same with another part.
    pub(super) fn with_part(&self, part: Part) -> Self {
        Self { part, ..self.clone() }
    }

    /// The choices as options, as in titles.
    pub(super) fn options(&self) -> String {
        self.choices.iter().map(|choice| format!(" {}", choice.option())).collect()
    }

    /// The words that print this, after the name of the program.
    fn command(&self, view: &ViewChoice) -> Vec<String> {
        let mut words = Vec::from_iter(self.is_diff().then(|| "diff".to_owned()));
        match &self.part {
            Part::Usual => {}
            Part::Tree => words.extend(["--tree", "-p", "-q"].map(str::to_owned)),
            Part::CallersTree => words.extend(["--tree=callers", "-p", "-q"].map(str::to_owned)),
            Part::Calls(function) => words.push(format!("-q{function}")),
            Part::Source(source) => words.extend(source.option()),
        }
        words.extend(view.is_flat.then(|| "-p".to_owned()));
        let calls = view.calls_of.as_ref();
        words.extend(calls.map(|name| format!("-q{}", name.as_deref().unwrap_or_default())));
        words.extend(view.sort.iter().flat_map(|sort| ["--sort".to_owned(), sort.clone()]));
        words.extend(view.is_reversed.then(|| "--reverse".to_owned()));
        words.extend(view.shows_error.then(|| "--error".to_owned()));
        words.extend(self.choices.iter().map(Choice::option));
        words.extend(self.words.iter().map(|word| word.to_string_lossy().into_owned()));
        words
    }

    /// The command as a shell reads it.
    pub(super) fn shown_command(&self, view: &ViewChoice) -> String {
        let words = self.command(view).into_iter();
        let words = words.map(|word| match shlex::try_quote(&word) {
            Ok(quoted) => quoted.into_owned(),
            Err(_) => word,
        });
        let words = ["profan".to_owned()].into_iter().chain(words);
        words.collect::<Vec<_>>().join(" ")
    }

    /// The plan with all choices.
    fn plan(&self, view: &ViewChoice) -> Plan {
        use SectionId as Id;
        let mut plan = Plan::clone(&self.plan);
        for choice in &self.choices {
            let focus = &mut plan.filters.focus;
            match choice {
                Choice::Focus(function) => focus.include.push(SymSpec::of_name(function)),
                Choice::Ignore(function) => focus.exclude.push(SymSpec::of_name(function)),
                Choice::Value(value) => plan.functions.value = Some(value.clone()),
                Choice::Label(key, value) => {
                    let [key, value] = [key, value].map(|text| text.as_bytes().into());
                    plan.functions.label.push(Label { key, value });
                }
                Choice::ByObject => plan.reports.group_by = Some(GroupBy::Object),
                Choice::ByLabel(key) => plan.reports.group_by = Some(GroupBy::Label(key.clone())),
            }
        }
        plan.request(self.choices.iter().any(Choice::is_group).then_some(Id::Flat));
        match &self.part {
            Part::Usual => {}
            Part::Tree | Part::CallersTree => {
                plan.reports.tree = Some(Some(matches!(self.part, Part::CallersTree)));
                plan.request([Id::Tree, Id::Flat, Id::Graph]);
            }
            Part::Calls(function) => {
                plan.filters.graph.include.push(SymSpec::of_name(function));
                plan.request([Id::Graph]);
            }
            Part::Source(source) => {
                plan.filters.annotation.include.push(source.spec());
                plan.request([Id::Source]);
            }
        }
        plan.request(view.is_flat.then_some(Id::Flat));
        if let Some(function) = &view.calls_of {
            let spec = function.as_deref().map(SymSpec::of_name);
            plan.filters.graph.include.extend(spec);
            plan.request([Id::Graph]);
        }
        view.sort.iter().for_each(|sort| plan.sort_by(sort.clone()));
        plan.rows.reverse |= view.is_reversed;
        plan.look.error |= view.shows_error;
        plan
    }

    /// Makes the report for a terminal of so many columns, all rows included.
    ///
    /// # Errors
    /// If it cannot be made.
    pub(super) fn load(&self, columns: usize) -> Result<Report> {
        let terminal =
            Terminal { escapes_controls: true, has_color: false, columns: Some(columns) };
        let mut plan = self.plan(&ViewChoice::default());
        plan.is_browsed = true;
        plan.look.all |= !matches!(self.part, Part::Source(SourceOf { place: None, .. }));
        let mut report = make(&plan, terminal, &mut Vec::new())?.report;
        report.escape_words(true);
        Ok(report)
    }

    /// Writes a view to a file, as `-o` does.
    ///
    /// # Errors
    /// If it cannot be made or written.
    pub(super) fn write(&self, path: &str, view: &ViewChoice) -> Result<()> {
        ensure!(!path.is_empty() && path != "-", NO_FILE);
        let path = output_path(path).map_err(anyhow::Error::msg)?;
        let mut plan = self.plan(view);
        plan.write_to(path, || self.command(view));
        print_report(&plan, &ProgressBar::hidden()).map(drop)
    }
}
