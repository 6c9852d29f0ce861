//! Which files of a command line are of which side.

use std::path::PathBuf;

use anyhow::{Result, bail};

use crate::cli::{ComparisonPlan, Plan};
use crate::diagnose::RunError;
use crate::load::OpenFile;
use crate::render::json;
use crate::run::inputs;
use crate::run::tallies::RunFile;
use crate::symbols::Executable;

/// The files of one side.
#[derive(Default)]
pub(super) struct SideFiles {
    /// Programs and libraries.
    pub(super) executables: Vec<OpenFile>,
    /// Reports that were kept.
    pub(super) reports: Vec<OpenFile>,
    /// All else.
    pub(super) profiles: Vec<RunFile>,
}

/// The files of both sides. Where executables were given on one side only, the other has
/// none.
///
/// # Errors
/// When files cannot be opened, or it is not clear which side they are of.
pub(super) fn sides(plan: &Plan, comparison: &ComparisonPlan) -> Result<[SideFiles; 2]> {
    let (old, new) = match (&comparison.baseline, &comparison.new) {
        (Some(_), Some(_)) => bail!(RunError::BaselineBesideSides),
        (Some(baseline), None) => {
            // What is kept for the first time has nothing before it.
            let is_first = comparison.updates && !baseline.exists();
            let old = Some(baseline.clone()).filter(|_| !is_first);
            (old.into_iter().collect(), plan.files.clone())
        }
        (None, Some(new)) => (plan.files.clone(), new.clone()),
        (None, None) => return apart(&plan.files, plan),
    };
    let sides = [opened(&old, plan)?, opened(&new, plan)?];
    for (side, what) in sides.iter().zip(["old", "new"]) {
        let may_be_empty = what == "old" && comparison.baseline.is_some();
        if side.is_empty() && !may_be_empty {
            bail!(RunError::NoSide { what });
        }
    }
    Ok(sides)
}

impl SideFiles {
    /// Whether it has nothing to compare.
    pub(super) fn is_empty(&self) -> bool {
        self.reports.is_empty() && self.profiles.is_empty()
    }
}

fn opened(paths: &[PathBuf], plan: &Plan) -> Result<SideFiles> {
    let mut files = SideFiles::default();
    for path in paths {
        let file = inputs::open(path, plan)?;
        if Executable::is_one(file.head()) {
            files.executables.push(file);
        } else if json::is_report(&file.unpacked_head()) {
            files.reports.push(file);
        } else {
            files.profiles.push(RunFile::of(file));
        }
    }
    Ok(files)
}

/// Two profiles and their programs, in their order.
fn apart(paths: &[PathBuf], plan: &Plan) -> Result<[SideFiles; 2]> {
    let mut profiles = Vec::new();
    let mut executables = Vec::new();
    for path in paths {
        let one = opened(std::slice::from_ref(path), plan)?;
        match one.executables.is_empty() {
            true => profiles.push(one),
            false => executables.extend(one.executables),
        }
    }
    let n_executables = executables.len();
    let n_profiles = profiles.len();
    let Ok([mut old, mut new]) = <[SideFiles; 2]>::try_from(profiles) else {
        bail!(RunError::WhichSide { n_profiles });
    };
    // One alone stands on either side and serves both.
    let mut executables = executables.into_iter();
    match n_executables {
        0 | 1 => new.executables.extend(executables),
        2 => {
            old.executables.extend(executables.next());
            new.executables.extend(executables);
        }
        _ => bail!(RunError::WhichSide { n_profiles }),
    }
    Ok([old, new])
}
