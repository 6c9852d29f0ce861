//! Reports that are browsed: what the command line requests, and the choices made since.

use std::ffi::OsString;
use std::rc::Rc;

use anyhow::{Result, ensure};

use crate::cli::{Plan, Task, output_path};
use crate::diagnose::BrowseMessage;
use crate::filter::SymSpec;
use crate::output::ProgressBar;
use crate::report::{Report, SectionId};
use crate::run::printing::print_report;
use crate::run::{Terminal, make};

/// A report to make.
#[derive(Clone)]
pub(super) struct Request {
    /// The plan of the command line.
    plan: Rc<Plan>,
    /// Its options and files, as given.
    words: Vec<OsString>,
    /// Restrictions to functions, in the order of their keys.
    filters: Vec<(Restriction, String)>,
    /// The part of the report, if it is not in every report.
    pub(super) part: Part,
}

#[derive(Clone, Copy)]
pub(super) enum Restriction {
    Focus,
    Ignore,
}

/// A part of a report that is made when it is first shown.
#[derive(Clone)]
pub(super) enum Part {
    /// The parts that `profan` prints by default, or the requested ones.
    Usual,
    Tree,
    /// The callers and callees of an inlined function.
    Calls(String),
    /// The source of a function.
    Source(String),
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
        Self { plan, words, filters: Vec::new(), part: Part::Usual }
    }

    /// Returns whether it compares two sides.
    pub(super) fn is_diff(&self) -> bool {
        matches!(self.plan.task, Task::Comparison(_))
    }

    /// The same with another restriction.
    pub(super) fn filtered(&self, restriction: Restriction, function: String) -> Self {
        let mut request = self.with_part(Part::Usual);
        request.filters.push((restriction, function));
        request
    }

    /// The same with another part.
    pub(super) fn with_part(&self, part: Part) -> Self {
        Self { part, ..self.clone() }
    }

    /// The restrictions as options.
    fn filter_options(&self) -> impl Iterator<Item = String> {
        self.filters.iter().map(|(restriction, function)| match restriction {
            Restriction::Focus => format!("--focus={function}"),
            Restriction::Ignore => format!("--ignore={function}"),
        })
    }

    /// The restrictions, as in titles.
    pub(super) fn filters(&self) -> String {
        self.filter_options().map(|option| format!(" {option}")).collect()
    }

    /// The words that print this, after the name of the program.
    fn command(&self, view: &ViewChoice) -> Vec<String> {
        let mut words = Vec::from_iter(self.is_diff().then(|| "diff".to_owned()));
        match &self.part {
            Part::Usual => {}
            Part::Tree => words.extend(["--tree", "-p", "-q"].map(str::to_owned)),
            Part::Calls(function) => words.push(format!("-q{function}")),
            Part::Source(function) => words.push(format!("-A{function}")),
        }
        words.extend(view.is_flat.then(|| "-p".to_owned()));
        let calls = view.calls_of.as_ref();
        words.extend(calls.map(|name| format!("-q{}", name.as_deref().unwrap_or_default())));
        words.extend(view.sort.iter().flat_map(|sort| ["--sort".to_owned(), sort.clone()]));
        words.extend(view.is_reversed.then(|| "--reverse".to_owned()));
        words.extend(view.shows_error.then(|| "--error".to_owned()));
        words.extend(self.filter_options());
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
        for (restriction, function) in &self.filters {
            let specs = match restriction {
                Restriction::Focus => &mut plan.filters.focus.include,
                Restriction::Ignore => &mut plan.filters.focus.exclude,
            };
            specs.push(SymSpec::of_name(function));
        }
        match &self.part {
            Part::Usual => {}
            Part::Tree => plan.request([Id::Tree, Id::Flat, Id::Graph]),
            Part::Calls(function) => {
                plan.filters.graph.include.push(SymSpec::of_name(function));
                plan.request([Id::Graph]);
            }
            Part::Source(function) => {
                plan.filters.annotation.include.push(SymSpec::of_name(function));
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
        plan.look.all |= !matches!(self.part, Part::Source(_));
        let mut report = make(&plan, terminal, &mut Vec::new())?.report;
        report.escape_words(true);
        Ok(report)
    }

    /// Writes a view to a file, as `-o` does.
    ///
    /// # Errors
    /// If it cannot be made or written.
    pub(super) fn write(&self, path: &str, view: &ViewChoice) -> Result<()> {
        ensure!(!path.is_empty() && path != "-", BrowseMessage::NoFile.to_string());
        let path = output_path(path).map_err(anyhow::Error::msg)?;
        let mut plan = self.plan(view);
        plan.write_to(path, || self.command(view));
        print_report(&plan, &ProgressBar::hidden()).map(drop)
    }
}
