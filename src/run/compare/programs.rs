//! The programs of both sides.

use anyhow::Result;

use crate::cli::Plan;
use crate::report::Input;
use crate::run::given::GivenFiles;
use crate::run::program_set::ProgramSet;
use crate::run::run_costs::RunReader;

/// Programs of both sides, those of a side or those that serve both.
pub(super) struct Programs {
    sets: Vec<ProgramSet>,
    /// Which of them each side has.
    of_side: [usize; 2],
}

impl Programs {
    /// Takes the executables of both sides, and reads their symbols.
    pub(super) fn of(sides: &mut [GivenFiles; 2], plan: &Plan) -> Result<Self> {
        let mut sets = Vec::new();
        let mut given = Vec::new();
        for side in sides.iter_mut() {
            let files = std::mem::take(&mut side.executables);
            given.push(!files.is_empty());
            if given[given.len() - 1] {
                sets.push(ProgramSet::of(files, plan)?);
            }
        }
        if sets.is_empty() {
            sets.push(ProgramSet::of(Vec::new(), plan)?);
        }
        let last = sets.len() - 1;
        Ok(Self {
            sets,
            of_side: [0, last],
        })
    }

    /// The executables, each once.
    pub(super) fn inputs(&self) -> Vec<Input> {
        self.sets.iter().flat_map(ProgramSet::inputs).collect()
    }

    /// What reads the runs of a side, 0 for the old one.
    pub(super) fn reader(&self, side: usize, plan: &Plan) -> RunReader<'_> {
        self.sets[self.of_side[side]].reader(plan).of_side()
    }
}
