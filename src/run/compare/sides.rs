//! Assigns files of a command line to the two sides, with their programs.

use std::slice;
use std::sync::Arc;

use anyhow::{Result, bail};

use crate::cli::{ComparisonOptions, Plan, ReadingOptions};
use crate::diagnose::RunError;
use crate::report::ReportInput;
use crate::run::inputs::run_files::{GivenFiles, RunFile};
use crate::run::run_costs::{ProgramSet, RunReader};

/// The files of both sides. If only one side has executables, both use them.
///
/// # Errors
/// If a file cannot be opened, or its side is ambiguous.
pub(super) fn sides(plan: &Plan, comparison: &ComparisonOptions) -> Result<[GivenFiles; 2]> {
    let files = &*plan.files;
    if comparison.halves && comparison.baseline.is_none() {
        let runs = GivenFiles::of(files, plan)?;
        return Ok([GivenFiles::default(), runs]);
    }
    let (old, new) = match (&comparison.baseline, &comparison.new) {
        (Some(_), Some(_)) => bail!(RunError::BaselineBesideSides),
        (Some(baseline), None) => {
            // A new baseline has no previous runs.
            let is_first = comparison.update && !baseline.exists();
            let old = Some(baseline.clone()).filter(|_| !is_first);
            (old.into_iter().collect(), files.to_vec())
        }
        (None, Some(new)) => (files.to_vec(), new.clone()),
        (None, None) => return apart(plan),
    };
    let mut sides = [GivenFiles::of(&old, plan)?, GivenFiles::of(&new, plan)?];
    share_tables(&mut sides);
    for (side, what) in sides.iter().zip(["old", "new"]) {
        let may_be_empty = what == "old" && comparison.baseline.is_some();
        if side.is_empty() && !may_be_empty {
            bail!(RunError::NoSide { what });
        }
    }
    Ok(sides)
}

/// If one side has values by number without a table, it uses the tables of the other side.
fn share_tables(sides: &mut [GivenFiles; 2]) {
    for (poor, rich) in [(0, 1), (1, 0)] {
        let is_table = |file: &&RunFile| !file.is_of_numbers();
        let lacks = !sides[poor].profiles.is_empty()
            && !sides[poor].profiles.iter().any(|file| is_table(&file));
        if lacks {
            let tables = sides[rich].profiles.iter().filter(is_table);
            let tables: Vec<_> = tables.filter_map(RunFile::again).collect();
            sides[poor].profiles.extend(tables);
        }
    }
}

/// Two profiles and their programs, in command-line order. A single program or table serves
/// both.
fn apart(plan: &Plan) -> Result<[GivenFiles; 2]> {
    let single = plan.files.iter().map(|path| GivenFiles::of(slice::from_ref(path), plan));
    let single = single.collect::<Result<Vec<_>>>()?;
    let (programs, profiles): (Vec<_>, Vec<_>) = single.into_iter().partition(|one| one.is_empty());
    let has_numbers = profiles.iter().any(GivenFiles::is_of_numbers);
    let is_table = |one: &GivenFiles| has_numbers && one.reports.is_empty() && !one.is_of_numbers();
    let (tables, profiles): (Vec<_>, Vec<_>) = profiles.into_iter().partition(is_table);
    let n_profiles = profiles.len();
    let unclear = || RunError::WhichSide { n_profiles };
    let mut sides = <[GivenFiles; 2]>::try_from(profiles).map_err(|_| unclear())?;
    for more in [programs, tables] {
        // A single one, on either side, serves both sides.
        let first = usize::from(more.len() == 1);
        if more.len() > sides.len() {
            bail!(unclear());
        }
        for (side, one) in sides[first..].iter_mut().zip(more) {
            side.executables.extend(one.executables);
            side.profiles.extend(one.profiles);
        }
    }
    share_tables(&mut sides);
    Ok(sides)
}

/// The programs of each side, or of both.
pub(super) struct Programs(Vec<Arc<ProgramSet>>);

impl Programs {
    /// Takes the executables of both sides, and reads their symbols.
    pub(super) fn of(sides: &mut [GivenFiles; 2], reading: &ReadingOptions) -> Result<Self> {
        let given = sides.each_mut().map(|side| std::mem::take(&mut side.executables));
        let mut sets = Vec::new();
        for files in given.into_iter().filter(|files| !files.is_empty()) {
            sets.push(ProgramSet::of(files, reading)?);
        }
        if sets.is_empty() {
            sets.push(ProgramSet::of(Vec::new(), reading)?);
        }
        Ok(Self(sets))
    }

    /// Every executable once.
    pub(super) fn inputs(&self) -> Vec<ReportInput> {
        self.0.iter().flat_map(|set| set.inputs()).collect()
    }

    /// The reader for the runs of a side, 0 for the old one.
    pub(super) fn reader(&self, side: usize, plan: &Plan) -> RunReader {
        RunReader::new(plan, self.of_side(side)).of_side()
    }

    /// Returns whether a side has several programs.
    pub(super) fn are_several(&self) -> bool {
        self.0.iter().any(|set| set.programs().len() > 1)
    }

    /// Returns whether both sides ran the same programs, or none is known.
    pub(super) fn are_shared(&self) -> bool {
        self.0.len() == 1
    }

    /// The programs of a side.
    pub(super) fn of_side(&self, side: usize) -> &Arc<ProgramSet> {
        let last = self.0.len() - 1;
        &self.0[side.min(last)]
    }
}
