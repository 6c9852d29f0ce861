//! Reads the files of a report by file, as often as it needs them.

use std::cell::{OnceCell, RefCell};
use std::io;

use anyhow::{Result, bail};

use crate::compare::Measure;
use crate::compare::by_file::FileCosts;
use crate::compare::costs::FunctionCosts;
use crate::compare::matching::{FunctionMatcher, FunctionName, WhichSide};
use crate::diagnose::{RunError, Warning};
use crate::report::ReportInput;
use crate::run::inputs::run_files::RunFiles;
use crate::run::run_costs::RunReader;

/// Files, and what reads them. Those that count as one are beside each other.
pub(super) struct CostsReader<'a> {
    reader: &'a RunReader<'a>,
    files: Vec<Vec<RunFiles>>,
    matcher: RefCell<FunctionMatcher>,
    /// What the first file is of, once it was read.
    measure: OnceCell<Measure>,
    /// How many functions there are, once all files were read.
    n_functions: OnceCell<usize>,
}

impl<'a> CostsReader<'a> {
    /// Reads these files with that reader.
    ///
    /// # Errors
    /// When one of them can be read only once.
    pub(super) fn new(reader: &'a RunReader<'a>, files: Vec<Vec<RunFiles>>) -> Result<Self> {
        let mut runs = files.iter().flatten();
        if let Some(run) = runs.find(|run| run.again().is_none()) {
            bail!(RunError::Unreadable {
                path: run.path(),
                source: io::Error::other("--by-file reads it more than once, and it is a pipe"),
                advice: Some("write it into a file first".to_owned()),
            });
        }
        Ok(Self {
            reader,
            files,
            matcher: RefCell::new(FunctionMatcher::with_namesakes()),
            measure: OnceCell::new(),
            n_functions: OnceCell::new(),
        })
    }

    /// What was measured; `None` before a file was read.
    pub(super) fn measure(&self) -> Option<&Measure> {
        self.measure.get()
    }

    /// The functions by their numbers. There are no more of them from here on.
    pub(super) fn names(&self) -> Vec<FunctionName> {
        let names: Vec<_> = self.matcher.borrow().names(WhichSide::New).collect();
        self.n_functions.get_or_init(|| names.len());
        names
    }

    /// Shows the costs of each file, or of those that count as one, to `visit` in their
    /// order, and the warnings and inputs of each run to `on_run`.
    ///
    /// # Errors
    /// When a file cannot be used, or is of something else than the first, and those of
    /// `visit`.
    pub(super) fn read(
        &self,
        on_run: &mut dyn FnMut(Vec<Warning>, Vec<ReportInput>),
        visit: &mut dyn FnMut(u32, FileCosts) -> Result<()>,
    ) -> Result<()> {
        let runs = self.files.iter().flatten().filter_map(RunFiles::again);
        let files = (0..).zip(self.files.iter().map(Vec::len));
        let mut places = files.flat_map(|(file, n)| (1..=n).map(move |run| (file, run == n)));
        let mut sum: Option<FileCosts> = None;
        self.reader.for_each(runs.collect(), &mut |run| {
            let costs = self.costs_of(&run.costs, &run.path)?;
            on_run(run.warnings, run.inputs);
            match &mut sum {
                Some(sum) => sum.add(&costs),
                None => sum = Some(costs),
            }
            let last_of = places
                .next()
                .and_then(|(file, is_last)| is_last.then_some(file));
            match last_of.zip(sum.take_if(|_| last_of.is_some())) {
                Some((file, costs)) => visit(file, costs),
                None => Ok(()),
            }
        })
    }

    fn costs_of(&self, costs: &FunctionCosts, path: &str) -> Result<FileCosts> {
        let measure = self.measure.get_or_init(|| costs.measure.clone());
        let mut matcher = self.matcher.borrow_mut();
        let numbers = matcher.numbers(&costs.names, WhichSide::New);
        let n_functions = matcher.n_functions();
        if self.n_functions.get().is_some_and(|&n| n < n_functions) {
            bail!("{path}: it has functions that it did not have when it was read before");
        }
        FileCosts::of(costs, &numbers, measure).map_err(|unlike| {
            let path = path.to_owned();
            RunError::NotBeside { path, unlike }.into()
        })
    }

    /// The same of files that were read before.
    ///
    /// # Errors
    /// When one cannot be read again, and those of `visit`.
    pub(super) fn again(
        &self,
        visit: &mut dyn FnMut(u32, &FileCosts) -> io::Result<()>,
    ) -> io::Result<()> {
        let read = self.read(&mut |_, _| {}, &mut |file, costs| Ok(visit(file, &costs)?));
        read.map_err(|error| match error.downcast::<io::Error>() {
            Ok(error) => error,
            Err(error) => io::Error::other(format!("{error:#}")),
        })
    }
}
