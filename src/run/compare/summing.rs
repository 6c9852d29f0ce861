//! Adds up the runs of both sides by matched functions.
//!
//! Matching needs all names. If executables list all functions, runs are added one after
//! another; otherwise all are read first.

use std::collections::{HashMap, HashSet};
use std::sync::Arc;

use anyhow::{Error, Result, anyhow};

use crate::cli::ComparisonOptions;
use crate::compare::comparison::{SideSums, take_samples};
use crate::compare::costs::FunctionCosts;
use crate::compare::matching::{FunctionMatcher, FunctionName, Joined, WhichSide};
use crate::diagnose::{self, RunError, Warning};
use crate::report::{ReportInput, SectionId};
use crate::run::baseline;
use crate::run::inputs::run_files::{GivenFiles, RunFiles};
use crate::run::objects::build;
use crate::run::run_costs::{RunCosts, RunReader};
use crate::run::skipping::Skipped;
use crate::threads;

/// Minimum size in bytes of a run that is worth several threads.
const LARGE: u64 = 1 << 20;

/// Both sides, added up.
pub(super) struct Summed {
    pub(super) joined: Joined,
    pub(super) sums: [SideSums; 2],
    /// Inputs of each side.
    pub(super) inputs: [Vec<ReportInput>; 2],
    /// The runs of both sides, if the new ones will be saved.
    pub(super) runs: [Vec<FunctionCosts>; 2],
}

impl Summed {
    /// Inputs of both sides, each marked with its side.
    pub(super) fn inputs_of_sides(&self) -> Vec<ReportInput> {
        let sides = ["old", "new"].into_iter().zip(&self.inputs);
        let inputs = sides.flat_map(|(side, inputs)| {
            inputs.iter().map(move |input| ReportInput {
                kind: format!("{side} {}", input.kind).into(),
                ..input.clone()
            })
        });
        inputs.collect()
    }
}

const SIDES: [WhichSide; 2] = [WhichSide::Old, WhichSide::New];

/// Adds up both sides.
///
/// # Errors
/// If a file cannot be used, or the runs of a side cannot be added up.
pub(super) fn sum_up(
    files: [GivenFiles; 2],
    mut readers: [RunReader; 2],
    comparison: &ComparisonOptions,
    warnings: &mut Vec<Warning>,
) -> Result<Summed> {
    let has_arcs = readers[0].plan.sections.wants(SectionId::Graph);
    if files.iter().any(|side| !side.reports.is_empty()) {
        readers.iter_mut().for_each(RunReader::by_line_numbers);
    }
    let mut matcher = FunctionMatcher::default();
    let mut sides = Vec::new();
    for ((files, reader), which) in files.into_iter().zip(&mut readers).zip(SIDES) {
        sides.push(SideRuns::of(files, reader, which, warnings)?);
    }
    if comparison.update || !sides.iter().all(SideRuns::has_all_names) {
        for (side, reader) in sides.iter_mut().zip(&readers) {
            side.read_all(reader, warnings)?;
        }
    }
    if sides.iter().all(|side| side.not_found.is_some()) {
        let mut not_found = sides.into_iter().filter_map(|side| side.not_found);
        return Err(not_found.next().expect("each side has one"));
    }
    let numbers: Vec<_> = sides.iter().map(|side| side.numbers(&mut matcher)).collect();
    let joined = matcher.match_functions(&comparison.rules());
    let mut sums: Vec<SideSums> = Vec::new();
    for ((side, reader), numbers) in sides.iter_mut().zip(&readers).zip(numbers) {
        let empty = SideSums::new(joined.rows.len());
        let empty = match sums.first() {
            Some(first) => empty.like(first),
            None => empty,
        };
        let empty = if comparison.halves { empty.keeping_runs() } else { empty };
        let side = side.sum(empty, reader, &joined, numbers, has_arcs, warnings)?;
        sums.push(side);
    }
    let [mut old, new] = <[SideSums; 2]>::try_from(sums).expect("there are two sides");
    old.join_metrics_of(&new);
    let mut sums = [old, new];
    if comparison.variation.is_some() && sums.iter().all(SideSums::is_single_run) {
        sums.iter_mut().for_each(SideSums::forget_earlier);
    }
    let inputs = [0, 1].map(|side| std::mem::take(&mut sides[side].inputs));
    let kept = |side: SideRuns| side.runs.into_iter().map(|(_, costs)| costs).collect();
    let runs: Vec<Vec<_>> =
        if comparison.update { sides.into_iter().map(kept).collect() } else { Vec::new() };
    Ok(Summed { joined, sums, inputs, runs: runs.try_into().unwrap_or_default() })
}

/// Reports the problems of a run. A large run is counted at the same time; its costs are
/// returned if its program matches.
///
/// # Errors
/// If a file cannot be used, or a problem is refused.
fn check(
    run: &RunFiles,
    reader: &mut RunReader,
    warnings: &mut Vec<Warning>,
) -> Result<Option<Result<Vec<RunCosts>>>> {
    let Some(ahead) = run.again().filter(|_| run.n_bytes() >= LARGE) else {
        reader.check(run, warnings)?;
        return Ok(None);
    };
    let (counted, is_program) =
        threads::in_parallel(true, || reader.costs(ahead), || reader.inspect(run, warnings));
    if !is_program? {
        reader.forget_programs();
        return Ok(None);
    }
    Ok(Some(counted))
}

/// The runs of one side.
struct SideRuns {
    which: WhichSide,
    /// Runs already read, with their paths.
    runs: Vec<(String, FunctionCosts)>,
    /// Runs not read yet.
    left: Vec<RunFiles>,
    /// The input files of the side.
    inputs: Vec<ReportInput>,
    /// A requested name that no run contains.
    not_found: Option<Error>,
    /// Files that cannot be used.
    skipped: Skipped,
}

/// Numbers or rows of names in the matcher, by the address of the list of names, which
/// profiles of one program share.
type NumbersByNames = HashMap<*const FunctionName, Arc<[u32]>>;

impl SideRuns {
    /// Reads saved reports and the first run.
    fn of(
        files: GivenFiles,
        reader: &mut RunReader,
        which: WhichSide,
        warnings: &mut Vec<Warning>,
    ) -> Result<Self> {
        let mut side = Self {
            which,
            runs: Vec::new(),
            left: RunFiles::of(files.profiles),
            inputs: Vec::new(),
            not_found: None,
            skipped: files.skipped,
        };
        for report in files.reports {
            let path = report.path();
            let plan = &reader.plan;
            let saved = baseline::read(report, plan)?;
            let runs = saved.runs.into_iter();
            side.runs.extend(runs.map(|costs| (path.clone(), costs)));
            side.inputs.extend(saved.inputs);
            let known: HashSet<String> = warnings.iter().map(Warning::cause).collect();
            for warning in saved.warnings {
                if !known.contains(&warning.cause()) {
                    build::warn(warning, &plan.reading, warnings)?;
                }
            }
        }
        while !side.left.is_empty() {
            let first = side.left.remove(0);
            let n_before = warnings.len();
            let counted = match check(&first, reader, warnings) {
                Ok(counted) => counted,
                Err(error) => {
                    side.skipped.add(first.path(), error, reader.plan.reading.strict)?;
                    continue;
                }
            };
            // A warning about both sides appears once.
            for warning in warnings.split_off(n_before) {
                if !warnings.contains(&warning) {
                    warnings.push(warning);
                }
            }
            match counted {
                Some(counted) => {
                    let mut runs = counted?.into_iter();
                    runs.try_for_each(|run| side.add(run, warnings))?;
                }
                None => side.read(reader, vec![first], warnings)?,
            }
            break;
        }
        if side.runs.is_empty() && side.left.is_empty() {
            std::mem::take(&mut side.skipped).warning(0, true)?;
        }
        Ok(side)
    }

    /// Returns whether the names of the remaining runs are known: they are the names of the
    /// program, which the first run has.
    fn has_all_names(&self) -> bool {
        let last = self.runs.last();
        self.left.is_empty() || last.is_some_and(|(_, costs)| costs.has_all_names)
    }

    fn read_all(&mut self, reader: &RunReader, warnings: &mut Vec<Warning>) -> Result<()> {
        let left = std::mem::take(&mut self.left);
        self.read(reader, left, warnings)
    }

    fn read(
        &mut self,
        reader: &RunReader,
        runs: Vec<RunFiles>,
        warnings: &mut Vec<Warning>,
    ) -> Result<()> {
        let mut skipped = std::mem::take(&mut self.skipped);
        reader.for_each(runs, &mut skipped, &mut |_, run| self.add(run, warnings))?;
        self.skipped = skipped;
        Ok(())
    }

    fn add(&mut self, run: RunCosts, warnings: &mut Vec<Warning>) -> Result<()> {
        self.inputs.extend(run.inputs);
        warnings.extend(run.warnings);
        // One run that has it is enough.
        let is_first = self.runs.is_empty();
        self.not_found = run.not_found.filter(|_| is_first || self.not_found.is_some());
        self.runs.push((run.path, run.costs));
        Ok(())
    }

    fn numbers(&self, matcher: &mut FunctionMatcher) -> NumbersByNames {
        let names = self.runs.iter().map(|(_, costs)| &costs.names);
        let numbered = names.map(|names| (names.as_ptr(), matcher.numbers(names, self.which)));
        numbered.collect()
    }

    fn sum(
        &mut self,
        mut sums: SideSums,
        reader: &RunReader,
        joined: &Joined,
        numbers: NumbersByNames,
        has_arcs: bool,
        warnings: &mut Vec<Warning>,
    ) -> Result<SideSums> {
        let numbers = numbers.into_iter();
        let rows = numbers.map(|(names, numbers)| (names, joined.rows_of(&numbers, self.which)));
        let rows: NumbersByNames = rows.collect();
        let mut add = |path: &str, costs: &FunctionCosts| -> Result<()> {
            let is_first = sums.is_empty();
            let unlike = |unlike| {
                let path = path.to_owned();
                if is_first {
                    RunError::UnlikeSides { unlike }
                } else {
                    RunError::UnlikeRun { path, unlike }
                }
            };
            // A profile of another kind has other functions, too.
            sums.check(costs).map_err(unlike)?;
            let rows = rows
                .get(&costs.names.as_ptr())
                .ok_or_else(|| anyhow!(diagnose::other_functions(path)))?;
            if costs.generation > 0 {
                return Ok(sums.add_earlier(costs, rows).map_err(unlike)?);
            }
            Ok(sums.add(path, costs, rows, has_arcs).map_err(unlike)?)
        };
        // Runs without samples wait for those that show whether the program takes no time.
        let is_waiting = |costs: &FunctionCosts| costs.n_samples() == Some(0.0);
        let (mut n_used, mut n_samples) = (0, 0.0);
        let mut skipped = std::mem::take(&mut self.skipped);
        let is_strict = reader.plan.reading.strict;
        for (path, costs) in self.runs.iter().filter(|(_, costs)| !is_waiting(costs)) {
            match add(path, costs) {
                Ok(()) => n_used += 1,
                Err(error) => skipped.add(path.clone(), error, is_strict)?,
            }
            n_samples += costs.n_samples().unwrap_or(0.0);
        }
        let mut waiting = Vec::new();
        reader.for_each(std::mem::take(&mut self.left), &mut skipped, &mut |_, run| {
            self.inputs.extend(run.inputs);
            warnings.extend(run.warnings);
            if is_waiting(&run.costs) {
                waiting.push((run.path, run.costs));
                return Ok(());
            }
            add(&run.path, &run.costs)?;
            n_samples += run.costs.n_samples().unwrap_or(0.0);
            n_used += 1;
            Ok(())
        })?;
        let have_failed = take_samples(n_samples, n_used);
        let of_first = self.runs.iter().filter(|(_, costs)| is_waiting(costs));
        for (path, costs) in of_first.chain(&waiting) {
            if have_failed {
                skipped.add_failed(path.clone(), is_strict)?;
            } else {
                add(path, costs)?;
                n_used += 1;
            }
        }
        warnings.extend(skipped.warning(n_used, reader.knows_program(n_used))?);
        sums.order_runs();
        Ok(sums)
    }
}
