//! Reads the files of a report by file, repeatedly if necessary.

use std::sync::{Mutex, MutexGuard, OnceLock, PoisonError};
use std::{io, iter};

use anyhow::{Result, bail};

use crate::compare::Measure;
use crate::compare::by_file::FileCosts;
use crate::compare::comparison::by_path;
use crate::compare::costs::FunctionCosts;
use crate::compare::matching::{FileSpan, FunctionMatcher, FunctionName, WhichSide};
use crate::diagnose::{self, RunError, Warning};
use crate::run::inputs::run_files::RunFiles;
use crate::run::run_costs::{RunCosts, RunReader};
use crate::run::skipping::Skipped;
use crate::sorting::ColdSort;

/// Files with their reader. Files that count as one are adjacent.
pub(super) struct CostsReader {
    reader: RunReader,
    files: Vec<Vec<RunFiles>>,
    matcher: Mutex<FunctionMatcher>,
    /// The metric of the first file, after it was read.
    measure: OnceLock<Measure>,
    /// Number of functions, after all files were read.
    n_functions: OnceLock<usize>,
    /// The first and the last file with each function, by number.
    spans: Vec<Option<FileSpan>>,
    /// The number under which each function counts, if some were matched.
    same: Box<[u32]>,
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
            spans: Vec::new(),
            same: Box::default(),
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

    /// Lets functions that moved or got another name count under the latest one, for files of
    /// several builds in order of time. Returns whether there are any: then the costs of files
    /// change.
    pub(super) fn match_in_time(&mut self) -> bool {
        let are_of_one_build = self.reader.programs.is_given() || self.reader.splits_files();
        if !are_of_one_build {
            let same = self.matcher().match_in_time(&self.spans);
            self.same = same;
        }
        self.matched().next().is_some()
    }

    /// Functions that count under another number, with that number.
    pub(super) fn matched(&self) -> impl Iterator<Item = (u32, u32)> {
        let same = (0..).zip(self.same.iter().copied());
        same.filter(|(number, of)| number != of)
    }

    /// Reads all files for the first time, and drops those that cannot be used. Returns the warning
    /// about these and files `skipped` before, and the number of remaining runs of each file.
    ///
    /// # Errors
    /// As for `read`, or if too few files remain.
    pub(super) fn read_first(
        &mut self,
        mut skipped: Skipped,
        on_run: &mut dyn FnMut(&mut RunCosts),
        visit: &mut dyn FnMut(FileCosts),
    ) -> Result<(Option<Warning>, Vec<u32>)> {
        let mut is_used = vec![false; self.files.iter().map(Vec::len).sum()];
        let mut used = |place: usize, run: &mut RunCosts| {
            is_used[place] = true;
            on_run(run);
        };
        let mut spans: Vec<Option<FileSpan>> = Vec::new();
        let order = self.order_in_time();
        self.read(&mut skipped, &mut used, &mut |file, costs| {
            let file = order.get(file as usize).copied().unwrap_or_default();
            // Numbers are in order, so the last one is the largest.
            let n_known = costs.rows.last().map_or(0, |last| last.function as usize + 1);
            spans.resize(spans.len().max(n_known), None);
            for row in &costs.rows {
                let span = &mut spans[row.function as usize];
                let (first, last) = span.unwrap_or((file, file));
                *span = Some((first.min(file), last.max(file)));
            }
            visit(costs);
            Ok(())
        })?;
        self.spans = spans;
        let n_used = is_used.iter().filter(|is_used| **is_used).count();
        let warning = skipped.warning(n_used, self.reader.knows_program(n_used))?;
        let mut is_used = is_used.into_iter();
        let mut n_runs = Vec::new();
        for runs in &mut self.files {
            runs.retain(|_| is_used.next() == Some(true));
            n_runs.push(u32::try_from(runs.len())?);
        }
        self.files.retain(|runs| !runs.is_empty());
        Ok((warning, n_runs))
    }

    /// The place of each file in order of time: as given, or by names with numbers by value.
    fn order_in_time(&self) -> Vec<usize> {
        let mut files: Vec<usize> = (0..self.files.len()).collect();
        if !self.reader.plan.many.trend {
            let path =
                |file: usize| self.files[file].first().map_or_else(String::new, RunFiles::path);
            let paths: Vec<String> = files.iter().map(|&file| path(file)).collect();
            files.cold_sort_by(|&a, &b| by_path(&paths[a], &paths[b]));
        }
        let mut order = vec![0; files.len()];
        files.into_iter().zip(0..).for_each(|(file, place)| order[file] = place);
        order
    }

    /// Passes the costs of each file, of files that count as one, or of each value of a label
    /// in each file to `visit` in order, and before that each run with its place to `on_run`. Adds
    /// files that cannot be used or have another metric than the first to `skipped`.
    ///
    /// # Errors
    /// If a file is refused; errors of `visit`.
    fn read(
        &self,
        skipped: &mut Skipped,
        on_run: &mut dyn FnMut(usize, &mut RunCosts),
        visit: &mut dyn FnMut(u32, FileCosts) -> Result<()>,
    ) -> Result<()> {
        let runs = self.files.iter().flatten().filter_map(RunFiles::again);
        let files = (0..).zip(self.files.iter().map(Vec::len));
        let files: Vec<u32> = files.flat_map(|(file, n)| iter::repeat_n(file, n)).collect();
        let mut sum: Option<(u32, FileCosts)> = None;
        let mut n_parts = 0;
        self.reader.for_each(runs.collect(), skipped, &mut |place, mut run| {
            let mut costs = self.costs_of(&run.costs, &run.path)?;
            for other in &run.other_runs {
                costs.add(&self.costs_of(other, &run.path)?);
            }
            let costs = costs.divided_by(1 + run.other_runs.len()).joined(&self.same);
            let costs = FileCosts { program: run.program, ..costs };
            on_run(place, &mut run);
            if self.reader.splits_files() {
                n_parts += 1;
                return visit(n_parts - 1, costs);
            }
            match &mut sum {
                Some((file, sum)) if *file == files[place] => sum.add(&costs),
                _ => {
                    if let Some((file, whole)) = sum.replace((files[place], costs)) {
                        visit(file, whole)?;
                    }
                }
            }
            Ok(())
        })?;
        sum.map_or(Ok(()), |(file, whole)| visit(file, whole))
    }

    fn costs_of(&self, costs: &FunctionCosts, path: &str) -> Result<FileCosts> {
        let measure = self.measure.get_or_init(|| costs.measure.clone());
        let not_beside = |unlike| RunError::NotBeside { path: path.to_owned(), unlike };
        // The names of a file that is left out stay unknown.
        measure.factor_of(&costs.measure).map_err(not_beside)?;
        let mut matcher = self.matcher();
        let numbers = matcher.numbers(&costs.names, WhichSide::New);
        let n_functions = matcher.n_functions();
        if self.n_functions.get().is_some_and(|&n| n < n_functions) {
            bail!(diagnose::changed_file(path));
        }
        Ok(FileCosts::of(costs, &numbers, measure).map_err(not_beside)?)
    }

    /// Reads all files again.
    ///
    /// # Errors
    /// If a file cannot be read again; errors of `visit`.
    pub(super) fn again(
        &self,
        visit: &mut dyn FnMut(u32, &FileCosts) -> io::Result<()>,
    ) -> io::Result<()> {
        let mut skipped = Skipped::default();
        let read =
            self.read(&mut skipped, &mut |_, _| {}, &mut |file, costs| Ok(visit(file, &costs)?));
        // All files could be used before.
        let read = read.and_then(|()| skipped.warning(0, true));
        read.map(drop).map_err(|error| match error.downcast::<io::Error>() {
            Ok(error) => error,
            Err(error) => io::Error::other(format!("{error:#}")),
        })
    }
}
