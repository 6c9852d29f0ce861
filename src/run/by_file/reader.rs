//! Reads the files of a report by file, repeatedly if necessary.

use std::io;
use std::sync::{Mutex, MutexGuard, OnceLock, PoisonError};

use anyhow::{Result, bail};

use crate::compare::Measure;
use crate::compare::by_file::FileCosts;
use crate::compare::costs::FunctionCosts;
use crate::compare::matching::{FunctionMatcher, FunctionName, WhichSide};
use crate::diagnose::{self, RunError};
use crate::run::inputs::run_files::RunFiles;
use crate::run::run_costs::{RunCosts, RunReader};

/// Files with their reader. Files that count as one are adjacent.
pub(super) struct CostsReader {
    reader: RunReader,
    files: Vec<Vec<RunFiles>>,
    matcher: Mutex<FunctionMatcher>,
    /// The metric of the first file, after it was read.
    measure: OnceLock<Measure>,
    /// Number of functions, after all files were read.
    n_functions: OnceLock<usize>,
}

impl CostsReader {
    /// # Errors
    /// If a file can be read only once.
    pub(super) fn new(reader: RunReader, files: Vec<Vec<RunFiles>>) -> Result<Self> {
        let mut runs = files.iter().flatten();
        if let Some(run) = runs.find(|run| run.again().is_none()) {
            bail!(RunError::read_once(run.path()));
        }
        Ok(Self {
            reader,
            files,
            matcher: Mutex::new(FunctionMatcher::with_namesakes()),
            measure: OnceLock::new(),
            n_functions: OnceLock::new(),
        })
    }

    fn matcher(&self) -> MutexGuard<'_, FunctionMatcher> {
        self.matcher.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The metric; `None` before the first file was read.
    pub(super) fn measure(&self) -> Option<&Measure> {
        self.measure.get()
    }

    /// Functions by number. No more functions may be added.
    pub(super) fn names(&self) -> Vec<FunctionName> {
        let names: Vec<_> = self.matcher().names(WhichSide::New).collect();
        self.n_functions.get_or_init(|| names.len());
        names
    }

    /// Passes the costs of each file, of files that count as one, or of each value of a label
    /// in each file to `visit` in order, and before that each run to `on_run`.
    ///
    /// # Errors
    /// If a file cannot be used or has another metric than the first; errors of `visit`.
    pub(super) fn read(
        &self,
        on_run: &mut dyn FnMut(&mut RunCosts),
        visit: &mut dyn FnMut(u32, FileCosts) -> Result<()>,
    ) -> Result<()> {
        let runs = self.files.iter().flatten().filter_map(RunFiles::again);
        let files = (0..).zip(self.files.iter().map(Vec::len));
        let mut places = files.flat_map(|(file, n)| (1..=n).map(move |run| (file, run == n)));
        let mut sum: Option<FileCosts> = None;
        let mut n_parts = 0;
        self.reader.for_each(runs.collect(), &mut |mut run| {
            let costs = self.costs_of(&run.costs, &run.path)?;
            on_run(&mut run);
            if self.reader.splits_files() {
                n_parts += 1;
                return visit(n_parts - 1, costs);
            }
            match &mut sum {
                Some(sum) => sum.add(&costs),
                None => sum = Some(costs),
            }
            let last_of = places.next().and_then(|(file, is_last)| is_last.then_some(file));
            match last_of.zip(sum.take_if(|_| last_of.is_some())) {
                Some((file, costs)) => visit(file, costs),
                None => Ok(()),
            }
        })
    }

    fn costs_of(&self, costs: &FunctionCosts, path: &str) -> Result<FileCosts> {
        let measure = self.measure.get_or_init(|| costs.measure.clone());
        let mut matcher = self.matcher();
        let numbers = matcher.numbers(&costs.names, WhichSide::New);
        let n_functions = matcher.n_functions();
        if self.n_functions.get().is_some_and(|&n| n < n_functions) {
            bail!(diagnose::changed_file(path));
        }
        FileCosts::of(costs, &numbers, measure).map_err(|unlike| {
            let path = path.to_owned();
            RunError::NotBeside { path, unlike }.into()
        })
    }

    /// Reads all files again.
    ///
    /// # Errors
    /// If a file cannot be read again; errors of `visit`.
    pub(super) fn again(
        &self,
        visit: &mut dyn FnMut(u32, &FileCosts) -> io::Result<()>,
    ) -> io::Result<()> {
        let read = self.read(&mut |_| {}, &mut |file, costs| Ok(visit(file, &costs)?));
        read.map_err(|error| match error.downcast::<io::Error>() {
            Ok(error) => error,
            Err(error) => io::Error::other(format!("{error:#}")),
        })
    }
}
