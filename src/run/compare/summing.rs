//! Adds up the runs of both sides by matched functions.
//!
//! Matching needs all names. If executables list all functions, runs are added one after
//! another; otherwise all are read first.

use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};
use std::sync::Arc;

use anyhow::{Error, Result, anyhow};

use super::pairing::{SideProgram, pairs};
use super::sides::Programs;
use crate::cli::{ComparisonOptions, Plan};
use crate::compare::comparison::{SideSums, take_samples};
use crate::compare::costs::FunctionCosts;
use crate::compare::matching::{FunctionMatcher, FunctionName, Joined, WhichSide};
use crate::diagnose::{self, NotShown, RunError, Warning};
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
#[derive(Default)]
pub(super) struct Summed {
    /// Each program of the job.
    pub(super) programs: Vec<ProgramSums>,
    /// Inputs of each side.
    pub(super) inputs: [Vec<ReportInput>; 2],
    /// The runs of both sides, if the new ones will be saved.
    pub(super) runs: [Vec<FunctionCosts>; 2],
}

/// Both sides of a program, added up.
pub(super) struct ProgramSums {
    /// If the job has several programs.
    pub(super) program: Option<PairedProgram>,
    pub(super) joined: Joined,
    pub(super) sums: [SideSums; 2],
}

/// A program of a job with several.
pub(super) struct PairedProgram {
    /// Its name on the new side, if it has profiles of it.
    pub(super) name: String,
    /// Its position among the executables of each side. `None` on a side without profiles of it.
    pub(super) at: [Option<usize>; 2],
}

impl ProgramSums {
    /// Number of functions.
    pub(super) fn n_functions(&self) -> u32 {
        u32::try_from(self.joined.rows.len()).unwrap_or(u32::MAX)
    }
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
    programs: &Programs,
    comparison: &ComparisonOptions,
    plan: &Plan,
    warnings: &mut Vec<Warning>,
) -> Result<Summed> {
    let mut readers = [0, 1].map(|side| programs.reader(side, plan));
    if files.iter().any(|side| !side.reports.is_empty()) {
        readers.iter_mut().for_each(RunReader::by_line_numbers);
    }
    let mut sides = Vec::new();
    for ((files, reader), which) in files.into_iter().zip(&mut readers).zip(0..) {
        sides.push(SideRuns::of(files, reader, which, warnings)?);
    }
    let are_given = readers.iter().any(|reader| reader.programs.programs().len() > 1);
    let are_several = are_given || sides.iter().any(|side| side.programs().len() > 1);
    if are_several && sides.iter().any(|side| side.has_unknown_program) {
        let what = "a saved report";
        return Err(RunError::NotShown { why: NotShown::OneProgram { what } }.into());
    }
    if comparison.update || are_several || !sides.iter().all(SideRuns::has_all_names) {
        for (side, reader) in sides.iter_mut().zip(&readers) {
            side.read_all(reader, warnings)?;
        }
    }
    if sides.iter().all(|side| side.not_found.is_some()) {
        let mut not_found = sides.into_iter().filter_map(|side| side.not_found);
        return Err(not_found.next().expect("each side has one"));
    }
    let sides = <[SideRuns; 2]>::try_from(sides).ok().expect("there are two sides");
    let of_programs = if are_several { sides_of_programs(sides) } else { vec![(None, sides)] };
    let mut summed = Summed::default();
    for (program, mut sides) in of_programs {
        let (joined, mut sums) = sum_program(&mut sides, &readers, comparison, warnings)?;
        let [old, new] = &mut sums;
        if program.is_some() && old.is_empty() {
            *old = std::mem::take(old).like(new);
        }
        for (which, side) in sides.into_iter().enumerate() {
            summed.inputs[which].extend(side.inputs);
            let names = side.names;
            let costs = side.runs.into_iter().map(|run| {
                let name = names.get(run.program).filter(|_| are_several);
                let program = name.map(|name| Arc::from(&**name)).or(run.costs.program);
                FunctionCosts { program, ..run.costs }
            });
            summed.runs[which].extend(costs.filter(|_| comparison.update));
        }
        summed.programs.push(ProgramSums { program, joined, sums });
    }
    Ok(summed)
}

/// Adds up both sides of a program.
fn sum_program(
    sides: &mut [SideRuns; 2],
    readers: &[RunReader; 2],
    comparison: &ComparisonOptions,
    warnings: &mut Vec<Warning>,
) -> Result<(Joined, [SideSums; 2])> {
    let has_arcs = readers[0].plan.sections.wants(SectionId::Graph);
    let mut matcher = FunctionMatcher::default();
    let numbers = sides.each_ref().map(|side| side.numbers(&mut matcher));
    let joined = matcher.match_functions(&comparison.rules());
    let mut sums: Vec<SideSums> = Vec::new();
    for ((side, reader), numbers) in sides.iter_mut().zip(readers).zip(numbers) {
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
    Ok((joined, sums))
}

/// The runs of each program; those of all if each side ran one program only.
fn sides_of_programs(sides: [SideRuns; 2]) -> Vec<(Option<PairedProgram>, [SideRuns; 2])> {
    let of_sides = sides.each_ref().map(SideRuns::programs);
    if of_sides.iter().all(|programs| programs.len() < 2) {
        return vec![(None, sides)];
    }
    let described = [0, 1].map(|side: usize| {
        let program = |&at: &usize| {
            SideProgram::of(sides[side].program_name(at).into(), sides[side].functions_of(at))
        };
        of_sides[side].iter().map(program).collect::<Vec<_>>()
    });
    let pairs = pairs(described.each_ref().map(|side| &**side));
    let names = sides.each_ref().map(|side| side.names.clone());
    let mut split = sides.map(SideRuns::split);
    let pairs = pairs.into_iter().map(|pair| {
        let at = [0, 1].map(|side| pair[side].map(|place: usize| of_sides[side][place]));
        let runs = [0, 1].map(|side| {
            let runs = at[side].and_then(|program| split[side].remove(&program));
            runs.unwrap_or_else(|| SideRuns { which: side, ..SideRuns::default() })
        });
        let name = |side: usize| names[side].get(at[side]?).cloned();
        let name = name(1).or_else(|| name(0)).unwrap_or_default();
        (Some(PairedProgram { name, at }), runs)
    });
    pairs.collect()
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
        reader.uses_programs = false;
        return Ok(None);
    }
    Ok(Some(counted))
}

/// The runs of one side.
#[derive(Default)]
struct SideRuns {
    /// 0 for the old side, 1 for the new one.
    which: usize,
    /// Runs already read.
    runs: Vec<ReadRun>,
    /// The names of programs, by position: those of executables, then those that only saved runs
    /// have.
    names: Vec<String>,
    /// A saved report does not say which program it shows, or shows too many.
    has_unknown_program: bool,
    /// Runs not read yet.
    left: Vec<RunFiles>,
    /// The input files of the side.
    inputs: Vec<ReportInput>,
    /// A requested name that no run contains.
    not_found: Option<Error>,
    /// Files that cannot be used.
    skipped: Skipped,
}

/// Maximum number of programs in a saved report that is compared: each is compared with those of
/// the other side.
const MOST_PROGRAMS: usize = 1000;

/// A run of a side.
struct ReadRun {
    path: String,
    /// The position of its program among the executables.
    program: usize,
    costs: FunctionCosts,
}

/// Numbers or rows of names in the matcher, by the address of the list of names, which
/// profiles of one program share.
type NumbersByNames = HashMap<*const FunctionName, Arc<[u32]>>;

impl SideRuns {
    /// Reads saved reports and the first run.
    fn of(
        files: GivenFiles,
        reader: &mut RunReader,
        which: usize,
        warnings: &mut Vec<Warning>,
    ) -> Result<Self> {
        let mut side = Self {
            names: reader.names_of_executables(),
            left: RunFiles::of(files.profiles),
            skipped: files.skipped,
            which,
            ..Self::default()
        };
        for report in files.reports {
            let path = report.path();
            let plan = &reader.plan;
            let saved = baseline::read(report, plan)?;
            for costs in saved.runs {
                let program = side.position_of(costs.program.as_deref());
                side.runs.push(ReadRun { path: path.clone(), program, costs });
            }
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

    /// The position of the program with this name, which a saved run has.
    fn position_of(&mut self, program: Option<&str>) -> usize {
        let known = program.and_then(|program| self.names.iter().position(|name| name == program));
        match (known, program) {
            (Some(known), _) => known,
            (None, Some(program)) if self.names.len() < MOST_PROGRAMS => {
                self.names.push(program.to_owned());
                self.names.len() - 1
            }
            _ => {
                self.has_unknown_program = true;
                0
            }
        }
    }

    fn program_name(&self, at: usize) -> &str {
        self.names.get(at).map_or("", |name| name)
    }

    /// The programs of its runs, in order.
    fn programs(&self) -> Vec<usize> {
        let programs: BTreeSet<usize> = self.runs.iter().map(|run| run.program).collect();
        programs.into_iter().collect()
    }

    /// The functions with costs in a run of a program.
    fn functions_of(&self, program: usize) -> impl Iterator<Item = &[u8]> {
        let costs = self.runs.iter().find(|run| run.program == program).map(|run| &run.costs);
        costs.into_iter().flat_map(|costs| {
            costs.rows.iter().map(|row| &*costs.names[row.function as usize].name)
        })
    }

    /// The runs of each program. The first one takes what is not about runs.
    fn split(self) -> BTreeMap<usize, Self> {
        let mut of_programs: BTreeMap<usize, Self> = BTreeMap::new();
        for run in self.runs {
            let of_program = of_programs.entry(run.program);
            let new = || Self { which: self.which, names: self.names.clone(), ..Self::default() };
            of_program.or_insert_with(new).runs.push(run);
        }
        if let Some(mut first) = of_programs.first_entry() {
            let first = first.get_mut();
            (first.inputs, first.skipped) = (self.inputs, self.skipped);
        }
        of_programs
    }

    /// Returns whether the names of the remaining runs are known: they are the names of the
    /// program, which the first run has.
    fn has_all_names(&self) -> bool {
        let last = self.runs.last();
        self.left.is_empty() || last.is_some_and(|run| run.costs.has_all_names)
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
        self.runs.push(ReadRun { path: run.path, program: run.program, costs: run.costs });
        Ok(())
    }

    fn numbers(&self, matcher: &mut FunctionMatcher) -> NumbersByNames {
        let names = self.runs.iter().map(|run| &run.costs.names);
        let numbered =
            names.map(|names| (names.as_ptr(), matcher.numbers(names, SIDES[self.which])));
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
        let rows =
            numbers.map(|(names, numbers)| (names, joined.rows_of(&numbers, SIDES[self.which])));
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
        for ReadRun { path, costs, .. } in self.runs.iter().filter(|run| !is_waiting(&run.costs)) {
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
        let of_first = self.runs.iter().filter(|run| is_waiting(&run.costs));
        let of_first = of_first.map(|run| (&run.path, &run.costs));
        for (path, costs) in of_first.chain(waiting.iter().map(|(path, costs)| (path, costs))) {
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
