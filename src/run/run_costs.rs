//! Many profiles of one program, each by itself: one tally after another.
//!
//! Files are read side by side and told of in their order, so that the same files make
//! the same bytes with any number of threads, and few of them are in memory at a time.

use std::sync::OnceLock;

use anyhow::{Error, Result};

use super::inputs::{self, ProgramFile, Read};
use super::objects::Object;
use super::run_files::RunFiles;
use super::subject::{Selection, Subject, SubjectOptions, put_at_base};
use super::{Press, problems};
use crate::cli::Plan;
use crate::compare::costs::{CostNames, CostNaming, FunctionCosts};
use crate::diagnose::{RunError, Warning};
use crate::filter::Specs;
use crate::load::side_by_side;
use crate::progress::{Progress, Stage};
use crate::report::Input;
use crate::symbols::{Granularity, SymbolTable};

/// What of a run is counted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum CostParts {
    /// What functions cost, and how often they were called.
    Functions,
    /// The same, and who called whom.
    FunctionsAndCalls,
}

/// One run, read and counted.
#[derive(Debug)]
pub(super) struct RunCosts {
    /// The name of its profile.
    pub(super) path: String,
    pub(super) tally: FunctionCosts,
    /// What is asked for by name and is not in it, so that nothing else of it is.
    pub(super) lack: Option<Error>,
    /// What is odd about its files.
    pub(super) warnings: Vec<Warning>,
    /// The files that it was read from, without executables.
    pub(super) inputs: Vec<Input>,
}

/// What runs of one program are read with.
pub(super) struct RunReader<'a> {
    plan: Plan,
    executables: Vec<ProgramFile<'a>>,
    is_usual: bool,
    external: Option<&'a SymbolTable>,
    names: OnceLock<CostNames>,
    naming: CostNaming,
    parts: CostParts,
    /// What is asked for without what one side may lack, from more to less.
    lesser: Vec<RelaxedFilter>,
    progress: Progress,
}

impl<'a> RunReader<'a> {
    /// Reads runs of what was given, with its symbols.
    pub(super) fn new(
        plan: &Plan,
        executables: Vec<ProgramFile<'a>>,
        is_usual: bool,
        external: Option<&'a SymbolTable>,
    ) -> Self {
        let mut quiet = plan.clone();
        quiet.tell(Progress::default());
        Self {
            plan: quiet,
            executables,
            is_usual,
            external,
            names: OnceLock::new(),
            naming: match plan.symbols.granularity {
                Granularity::Lines => CostNaming::Lines,
                Granularity::Functions | Granularity::Inlines => CostNaming::Functions,
            },
            parts: CostParts::FunctionsAndCalls,
            lesser: Vec::new(),
            progress: plan.progress,
        }
    }

    /// The same for one side of two: where it has no function that is asked for, it has
    /// nothing to show.
    pub(super) fn of_side(mut self) -> Self {
        let lesser = [(false, true), (true, false), (true, true)];
        let lesser = lesser
            .map(|(lacks_rows, lacks_arcs)| RelaxedFilter::of(&self.plan, lacks_rows, lacks_arcs));
        self.lesser = lesser.into();
        self
    }

    /// The same for who does not ask who called whom.
    pub(super) fn without_calls(mut self) -> Self {
        self.parts = CostParts::Functions;
        self
    }

    /// The same with lines that are told by their numbers, as those of kept reports are.
    pub(super) fn by_line_numbers(&mut self) {
        if self.naming == CostNaming::Lines {
            self.naming = CostNaming::NumberedLines;
        }
    }

    /// Shows runs to `visit` in their order, up to the first error: several are read at
    /// once, and no more are in memory.
    ///
    /// # Errors
    /// When a file cannot be used, and those of `visit`.
    pub(super) fn for_each(
        &self,
        runs: Vec<RunFiles>,
        visit: &mut dyn FnMut(RunCosts) -> Result<()>,
    ) -> Result<()> {
        self.progress
            .begin(Stage::Reading, u64::try_from(runs.len()).ok());
        let read = |run| self.tally(run);
        side_by_side(runs, RunFiles::size, read, &mut |tallies| {
            for tally in tallies {
                self.progress.advance(1);
                visit(tally?)?;
            }
            Ok(())
        })
    }

    /// Says what is odd about a run, if it can be read twice: what is the same for all runs
    /// is said of the first. A program that did not run is not asked for names.
    ///
    /// # Errors
    /// When a file of it cannot be used, or something odd is to be refused.
    pub(super) fn check(
        &mut self,
        run: &RunFiles,
        press: &mut Press<'_>,
        warnings: &mut Vec<Warning>,
    ) -> Result<()> {
        if !self.inspect(run, press, warnings)? {
            self.forget_programs();
        }
        Ok(())
    }

    /// The same, but that the program is asked for names on. Returns whether it may be the
    /// one that ran.
    ///
    /// # Errors
    /// When a file of it cannot be used, or something odd is to be refused.
    pub(super) fn inspect(
        &self,
        run: &RunFiles,
        press: &mut Press<'_>,
        warnings: &mut Vec<Warning>,
    ) -> Result<bool> {
        let Some(run) = run.again() else {
            return Ok(true);
        };
        problems::inspect(self.read(run)?.objects, self.external, press, warnings)
    }

    /// Asks programs for no names any more.
    pub(super) fn forget_programs(&mut self) {
        self.executables.clear();
    }

    /// Reads one run, with what there is to say of its files.
    ///
    /// # Errors
    /// When a file of it cannot be used.
    pub(super) fn read(&self, run: RunFiles) -> Result<Read<'a>> {
        let files = run.open(&self.plan)?;
        inputs::read_profiles(files, &self.plan, &self.executables, self.is_usual)
    }

    /// Reads and counts one run.
    ///
    /// # Errors
    /// When a file of it cannot be used.
    pub(super) fn tally(&self, run: RunFiles) -> Result<RunCosts> {
        let path = run.path();
        let again = run.again();
        let read = self.read(run)?;
        let (tally, lack) = match (self.count(read.objects, &self.plan), again) {
            (Err(error), Some(run)) if is_lack(&error) => match self.count_less(&run)? {
                Some(tally) => (tally, Some(error)),
                None => return Err(error),
            },
            (tally, _) => (tally?, None),
        };
        let is_profile = |input: &Input| input.kind == "profile";
        Ok(RunCosts {
            path,
            tally,
            lack,
            warnings: read.warnings,
            inputs: read.inputs.into_iter().filter(is_profile).collect(),
        })
    }

    /// Counts what is left of a run without what it lacks, if that is what one side may.
    fn count_less(&self, run: &RunFiles) -> Result<Option<FunctionCosts>> {
        for lesser in &self.lesser {
            let Some(run) = run.again() else {
                break;
            };
            match self.count(self.read(run)?.objects, &lesser.plan) {
                Ok(tally) => return Ok(Some(lesser.left_of(tally))),
                Err(error) if is_lack(&error) => {}
                Err(error) => return Err(error),
            }
        }
        Ok(None)
    }

    /// What objects say of each function. The names of a table that runs share are made
    /// once.
    fn count(&self, mut objects: Vec<Object<'a>>, plan: &Plan) -> Result<FunctionCosts> {
        put_at_base(&mut objects, plan);
        let options = SubjectOptions {
            is_one_of_many: true,
            ..SubjectOptions::of(plan)
        };
        let subject = Subject::new(objects, self.external, &options)?;
        let table = subject.table();
        let make = || CostNames::of_table(table, subject.has_all_names, self.naming);
        let own;
        let names = if subject.has_shared_table() {
            self.names.get_or_init(make)
        } else {
            own = make();
            &own
        };
        let Selection { filters, costs, .. } = &subject.selection;
        let counted = FunctionCosts::of_costs(costs, table, filters, names);
        Ok(match self.parts {
            CostParts::Functions => counted,
            CostParts::FunctionsAndCalls => counted.with_arcs(costs, filters),
        })
    }
}

/// What is asked for without the functions, or the calls, that are named.
struct RelaxedFilter {
    plan: Plan,
    lacks_rows: bool,
    lacks_arcs: bool,
}

impl RelaxedFilter {
    fn of(plan: &Plan, lacks_rows: bool, lacks_arcs: bool) -> Self {
        let mut plan = plan.clone();
        if lacks_rows {
            plan.filters.flat = Specs::default();
        }
        if lacks_arcs {
            plan.filters.graph = Specs::default();
            plan.filters.arcs.include.clear();
        }
        Self {
            plan,
            lacks_rows,
            lacks_arcs,
        }
    }

    fn left_of(&self, tally: FunctionCosts) -> FunctionCosts {
        let tally = match self.lacks_rows {
            true => tally.without_rows(),
            false => tally,
        };
        match self.lacks_arcs {
            true => tally.without_arcs(),
            false => tally,
        }
    }
}

/// Whether something that was asked for by name is not there.
fn is_lack(error: &Error) -> bool {
    let error = error.downcast_ref::<RunError>();
    matches!(error, Some(RunError::NothingNamed { .. }))
}
