//! Reads many profiles of one program, one after another.
//!
//! Files are read in parallel and passed on in order, so the output does not depend on the
//! number of threads, and few files are in memory at a time.

use std::path::Path;
use std::ptr;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, OnceLock};

use anyhow::{Error, Result, bail};

use super::inputs::run_files::RunFiles;
use super::labels;
use super::objects::reading::{ExecutablesUse, Read, read_profiles};
use super::objects::symbol_files::{self, Symbols};
use super::objects::{Object, file_name, is_sampled};
use super::problems;
use super::skipping::{Skipped, is_about_file};
use super::subject::{SelectedCosts, Subject, SubjectOptions, put_at_base};
use super::{baseline, inputs};
use crate::cli::{Plan, ReadingOptions};
use crate::compare::costs::{CostFunctions, CostNaming, FunctionCosts, NotComparable};
use crate::diagnose::{RunError, Warning};
use crate::filter::Specs;
use crate::load::{OpenFile, in_parallel};
use crate::progress::{Progress, Stage};
use crate::report::ReportInput;
use crate::symbols::{Executable, SymbolTable, library_of};

/// The costs of one run.
#[derive(Debug)]
pub(super) struct RunCosts {
    /// The path of its profile.
    pub(super) path: String,
    /// The position of its program among those given.
    pub(super) program: usize,
    /// The value of the label of `--by-label`, if the run is part of a profile and has one.
    pub(super) label: Option<Arc<[u8]>>,
    pub(super) costs: FunctionCosts,
    /// The other runs of a baseline.
    pub(super) other_runs: Vec<FunctionCosts>,
    /// A requested name that the run does not contain; then it has no costs.
    pub(super) not_found: Option<Error>,
    pub(super) warnings: Vec<Warning>,
    /// Warnings of a saved report, which others may have too.
    pub(super) saved_warnings: Vec<Warning>,
    /// Its files, without executables.
    pub(super) inputs: Vec<ReportInput>,
}

/// Reads runs of one program.
pub(super) struct RunReader {
    pub(super) plan: Plan,
    pub(super) programs: Arc<ProgramSet>,
    /// The programs match the profiles, as far as known.
    pub(super) uses_programs: bool,
    /// The names of each program.
    names: Box<[OnceLock<CostFunctions>]>,
    naming: CostNaming,
    has_arcs: bool,
    /// A profile was read that contains addresses in place of names.
    needs_program: AtomicBool,
    /// The request with fewer names, if one side may lack them; strictest first.
    relaxed: Vec<RelaxedFilter>,
    progress: Progress,
}

impl RunReader {
    /// A reader for runs of these programs.
    pub(super) fn new(plan: &Plan, programs: &Arc<ProgramSet>) -> Self {
        let mut without_progress = plan.clone();
        without_progress.set_progress(Progress::default());
        Self {
            plan: without_progress,
            programs: Arc::clone(programs),
            uses_programs: true,
            names: (0..programs.executables.len().max(1)).map(|_| OnceLock::new()).collect(),
            naming: if plan.is_by_line() { CostNaming::Lines } else { CostNaming::Functions },
            has_arcs: true,
            needs_program: AtomicBool::new(false),
            relaxed: Vec::new(),
            progress: plan.reading.hints.progress,
        }
    }

    /// For one side of two: a side without a requested function has no costs.
    pub(super) fn of_side(mut self) -> Self {
        let lacks = [(false, true), (true, false), (true, true)];
        let relaxed = lacks.map(|(rows, arcs)| RelaxedFilter::of(self.plan.clone(), rows, arcs));
        self.relaxed = relaxed.into();
        self
    }

    /// Returns whether an executable was given, or several profiles were read that contain names.
    pub(super) fn knows_program(&self, n_used: usize) -> bool {
        self.programs.is_given() || n_used > 1 && !self.needs_program.load(Ordering::Relaxed)
    }

    /// The names of executables: of their files, or their paths if several files have one name.
    pub(super) fn names_of_executables(&self) -> Vec<String> {
        let paths: Vec<&Path> = self.programs.executables.iter().map(Executable::path).collect();
        let name = |path: &&Path| {
            let n_alike = paths.iter().filter(|one| file_name(one) == file_name(path)).count();
            if n_alike > 1 {
                return path.display().to_string();
            }
            String::from_utf8_lossy(file_name(path)).into_owned()
        };
        paths.iter().map(name).collect()
    }

    /// Returns whether a file may be several runs.
    pub(super) fn splits_files(&self) -> bool {
        self.plan.many.by_label.is_some()
    }

    /// Without costs of calls.
    pub(super) fn without_calls(mut self) -> Self {
        self.has_arcs = false;
        self
    }

    /// Identifies lines by number, as saved reports do.
    pub(super) fn by_line_numbers(&mut self) {
        if self.naming == CostNaming::Lines {
            self.naming = CostNaming::NumberedLines;
        }
    }

    /// Passes runs with their places to `visit` in order, up to the first error. Reads several in
    /// parallel, and keeps no more in memory. Adds those that cannot be used to `skipped`.
    ///
    /// # Errors
    /// If a file is refused; errors of `visit` that are not about one file.
    pub(super) fn for_each(
        &self,
        runs: Vec<RunFiles>,
        skipped: &mut Skipped,
        visit: &mut dyn FnMut(usize, RunCosts) -> Result<()>,
    ) -> Result<()> {
        self.progress.begin(Stage::Reading, u64::try_from(runs.len()).ok());
        let is_strict = self.plan.reading.strict;
        let read = |run: RunFiles| (run.path(), self.costs(run));
        let mut places = 0..;
        in_parallel(runs, RunFiles::size, read, &mut |runs| {
            for ((path, run), place) in runs.into_iter().zip(&mut places) {
                self.progress.advance(1);
                let visited =
                    run.and_then(|run| run.into_iter().try_for_each(|run| visit(place, run)));
                visited.or_else(|error| skipped.add(path, error, is_strict))?;
            }
            Ok(())
        })
    }

    /// Checks a run that can be read twice; problems of all runs are reported for the first.
    /// A program that does not match loses its names.
    ///
    /// # Errors
    /// If a file cannot be used, or a problem is refused.
    pub(super) fn check(&mut self, run: &RunFiles, warnings: &mut Vec<Warning>) -> Result<()> {
        if !self.inspect(run, warnings)? {
            self.uses_programs = false;
        }
        Ok(())
    }

    /// Checks the first run that can be used.
    ///
    /// # Errors
    /// As for [`Self::check`].
    pub(super) fn check_first<'r>(
        &mut self,
        runs: impl Iterator<Item = &'r RunFiles>,
        warnings: &mut Vec<Warning>,
    ) -> Result<()> {
        for run in runs {
            match self.check(run, warnings) {
                Err(error) if !self.plan.reading.strict && is_about_file(&error) => {}
                checked => return checked,
            }
        }
        Ok(())
    }

    /// Checks a run and keeps the names of the program. Returns whether the program may
    /// match.
    ///
    /// # Errors
    /// If a file cannot be used, or a problem is refused.
    pub(super) fn inspect(&self, run: &RunFiles, warnings: &mut Vec<Warning>) -> Result<bool> {
        let Some(run) = run.again().filter(|run| !run.is_saved()) else {
            return Ok(true);
        };
        let objects = self.read(run)?.objects;
        problems::inspect(objects, self.programs.external(), &self.plan, warnings)
    }

    /// Reads a run, with its warnings.
    ///
    /// # Errors
    /// If a file cannot be used.
    pub(super) fn read(&self, run: RunFiles) -> Result<Read<'_>> {
        let files = run.open(&self.plan.reading)?;
        if self.uses_programs {
            return self.programs.read(files, &self.plan);
        }
        read_profiles(files, &self.plan, &[], self.programs.executables_use())
    }

    /// Reads a run, or several with one for each value of a label, and computes the costs.
    ///
    /// # Errors
    /// If a file cannot be used.
    pub(super) fn costs<'a>(&'a self, run: RunFiles) -> Result<Vec<RunCosts>> {
        let path = run.path();
        if run.is_saved() {
            return self.saved_costs(run);
        }
        let again = run.again();
        let read = self.read(run)?;
        let n_profiles = read.n_profiles();
        let needs_program = read.objects.iter().any(|object| is_sampled(&object.profile));
        self.needs_program.fetch_or(needs_program, Ordering::Relaxed);
        let is_profile = |input: &ReportInput| input.kind == "profile";
        let mut parts = Vec::new();
        let program = self.programs.position_of(&read.objects);
        let mut add = |label, objects, again: &dyn Fn() -> Result<Option<Vec<Object<'a>>>>| {
            let (costs, not_found) = match self.count(objects, &self.plan) {
                Err(error) if is_not_found(&error) => match self.count_relaxed(again)? {
                    Some(costs) => (costs, Some(error)),
                    None => return Err(error),
                },
                costs => (costs?, None),
            };
            parts.push(RunCosts {
                path: path.clone(),
                program,
                label,
                costs,
                other_runs: Vec::new(),
                not_found,
                warnings: Vec::new(),
                saved_warnings: Vec::new(),
                inputs: Vec::new(),
            });
            Ok(())
        };
        match &self.plan.many.by_label {
            None => add(None, read.objects, &|| {
                let run = again.as_ref().and_then(RunFiles::again);
                run.map(|run| Ok(self.read(run)?.objects)).transpose()
            })?,
            Some(key) => {
                let object = read.objects.into_iter().next();
                let object = object.ok_or(RunError::NoProfile)?;
                for (value, costs) in labels::split(&object.profile.costs, key, &path)? {
                    let part = || vec![object.with_costs(costs.clone())];
                    add(value, part(), &|| Ok(Some(part())))?;
                }
            }
        }
        if let Some(first) = parts.first_mut() {
            first.warnings = read.warnings;
            first.warnings.extend(read.skipped.warning(n_profiles, true)?);
            first.inputs = read.inputs.into_iter().filter(is_profile).collect();
        }
        Ok(parts)
    }

    /// The run of a saved report.
    fn saved_costs(&self, run: RunFiles) -> Result<Vec<RunCosts>> {
        let path = run.path();
        let not_comparable = |source| RunError::NotComparable { path: path.clone(), source };
        if self.splits_files() {
            bail!(not_comparable(NotComparable::Unfiltered));
        }
        let mut runs = Vec::new();
        for file in run.open(&self.plan.reading)? {
            let saved = baseline::read(file, &self.plan)?;
            let input = ReportInput {
                path: path.clone(),
                kind: "profile".into(),
                layout: "saved report".to_owned(),
                build_id: None,
                verdict: None,
            };
            let mut latest = saved.runs.into_iter().filter(|costs| costs.generation == 0);
            let costs = latest.next().ok_or_else(|| not_comparable(NotComparable::NoFlat))?;
            runs.push(RunCosts {
                path: path.clone(),
                program: 0,
                label: None,
                costs,
                other_runs: latest.collect(),
                not_found: None,
                warnings: Vec::new(),
                saved_warnings: saved.warnings,
                inputs: vec![input],
            });
        }
        Ok(runs)
    }

    /// The costs of a run without the requested names that one side may lack. `again` returns
    /// its objects once more, if it can.
    fn count_relaxed<'a>(
        &'a self,
        again: &dyn Fn() -> Result<Option<Vec<Object<'a>>>>,
    ) -> Result<Option<FunctionCosts>> {
        for relaxed in &self.relaxed {
            let Some(objects) = again()? else {
                break;
            };
            match self.count(objects, &relaxed.plan) {
                Ok(costs) => return Ok(Some(relaxed.left_of(costs))),
                Err(error) if is_not_found(&error) => {}
                Err(error) => return Err(error),
            }
        }
        Ok(None)
    }

    /// The cost of each function of the objects. Runs with the same table share its names.
    fn count(&self, mut objects: Vec<Object<'_>>, plan: &Plan) -> Result<FunctionCosts> {
        put_at_base(&mut objects, plan.reading.base);
        for object in &mut objects {
            // Runs do not share their snapshots.
            if object.profile.series.is_some() && plan.functions.value.is_none() {
                object.profile.costs.metrics.truncate(1);
            }
        }
        let program = self.programs.position_of(&objects);
        let options = SubjectOptions { is_one_of_many: true, ..SubjectOptions::of(plan) };
        let subject = Subject::new(objects, self.programs.external(), &options)?;
        let table = subject.table();
        let make = || CostFunctions::of_table(table, subject.has_all_names, self.naming);
        let own;
        let names = if subject.has_shared_table() {
            self.names[program].get_or_init(make)
        } else {
            own = make();
            &own
        };
        let SelectedCosts { filters, costs, .. } = &subject.selection;
        let has_arcs = self.has_arcs;
        Ok(FunctionCosts::of_graph(costs, table, filters, names, has_arcs))
    }
}

/// A program and its libraries.
pub(super) struct ProgramSet {
    pub(super) executables: Vec<Executable>,
    symbols: Symbols,
    is_usual: bool,
}

impl ProgramSet {
    /// Opens executables, or the default one, and reads their symbols.
    ///
    /// # Errors
    /// If two are programs, or one cannot be used.
    pub(super) fn of(files: Vec<OpenFile>, reading: &ReadingOptions) -> Result<Arc<Self>> {
        let (executables, is_usual) = inputs::open_executables(files, reading)?;
        let symbols = symbol_files::read(&executables, &reading.symbols)?;
        Ok(Arc::new(Self { executables, symbols, is_usual }))
    }

    /// The executables as inputs of a report.
    pub(super) fn inputs(&self) -> Vec<ReportInput> {
        let programs = self.executables.iter().zip(&self.symbols.programs);
        let described = programs.flat_map(|(one, program)| inputs::of_executable(one, program));
        described.collect()
    }

    /// Returns whether an executable was given.
    pub(super) fn is_given(&self) -> bool {
        !self.executables.is_empty() && !self.is_usual
    }

    /// The position of the program of some profiles.
    fn position_of(&self, objects: &[Object<'_>]) -> usize {
        let executable = objects.first().and_then(|object| object.executable);
        let is_it = |one: &Executable| executable.is_some_and(|(other, _)| ptr::eq(one, other));
        self.executables.iter().position(is_it).unwrap_or(0)
    }

    /// The executables that are not libraries.
    pub(super) fn programs(&self) -> Vec<&Executable> {
        self.executables.iter().filter(|one| library_of(one).is_none()).collect()
    }

    /// The program at this position and all libraries.
    pub(super) fn executables_of(&self, program: usize) -> impl Iterator<Item = &Executable> {
        let executables = self.executables.iter().enumerate();
        let is_of_it =
            move |(at, one): &(usize, &Executable)| *at == program || library_of(one).is_some();
        executables.filter(is_of_it).map(|(_, one)| one)
    }

    /// Reads the files of a run.
    ///
    /// # Errors
    /// If a file cannot be used.
    pub(super) fn read(&self, files: Vec<OpenFile>, plan: &Plan) -> Result<Read<'_>> {
        let programs: Vec<_> = self.executables.iter().zip(&self.symbols.programs).collect();
        read_profiles(files, plan, &programs, self.executables_use())
    }

    fn executables_use(&self) -> ExecutablesUse {
        if self.is_usual { ExecutablesUse::Usual } else { ExecutablesUse::SomeOfMany }
    }

    /// Symbols from a file of their own.
    pub(super) fn external(&self) -> Option<&Arc<SymbolTable>> {
        self.symbols.external.as_ref()
    }
}

/// The request without the functions, or without the calls.
struct RelaxedFilter {
    plan: Plan,
    lacks_rows: bool,
    lacks_arcs: bool,
}

impl RelaxedFilter {
    fn of(mut plan: Plan, lacks_rows: bool, lacks_arcs: bool) -> Self {
        if lacks_rows {
            plan.filters.flat = Specs::default();
        }
        if lacks_arcs {
            plan.filters.graph = Specs::default();
            plan.filters.arcs.include.clear();
        }
        Self { plan, lacks_rows, lacks_arcs }
    }

    fn left_of(&self, mut costs: FunctionCosts) -> FunctionCosts {
        if self.lacks_rows {
            costs = costs.without_rows();
        }
        if self.lacks_arcs {
            costs.arcs = Box::default();
        }
        costs
    }
}

/// Returns whether the error is about a requested name that does not exist.
fn is_not_found(error: &Error) -> bool {
    let error = error.downcast_ref::<RunError>();
    matches!(error, Some(RunError::NothingNamed { .. }))
}
