//! The programs of both sides.

use anyhow::Result;

use super::sides::SideFiles;
use crate::cli::Plan;
use crate::load::OpenFile;
use crate::report::Input;
use crate::run::inputs;
use crate::run::symbol_files::{self, Symbols};
use crate::run::tallies::RunReader;
use crate::symbols::Executable;

/// Programs of both sides, those of a side or those that serve both.
pub(super) struct Programs {
    sets: Vec<ProgramSet>,
    /// Which of them each side has.
    of_side: [usize; 2],
}

/// Executables with their symbols.
struct ProgramSet {
    executables: Vec<Executable>,
    symbols: Symbols,
    is_usual: bool,
}

impl Programs {
    /// Takes the executables of both sides, and reads their symbols.
    pub(super) fn of(sides: &mut [SideFiles; 2], plan: &Plan) -> Result<Self> {
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
        let of_set = |set: &ProgramSet| {
            let programs = set.executables.iter().zip(&set.symbols.programs);
            let described = programs.map(|(one, program)| inputs::of_executable(one, program));
            described.collect::<Vec<_>>()
        };
        self.sets.iter().flat_map(of_set).collect()
    }

    /// What reads the runs of a side, 0 for the old one.
    pub(super) fn reader(&self, side: usize, plan: &Plan) -> RunReader<'_> {
        let ProgramSet {
            executables,
            symbols,
            is_usual,
        } = &self.sets[self.of_side[side]];
        let executables = executables.iter().zip(&symbols.programs).collect();
        let reader = RunReader::new(plan, executables, *is_usual, symbols.external.as_ref());
        reader.of_side()
    }
}

impl ProgramSet {
    fn of(files: Vec<OpenFile>, plan: &Plan) -> Result<Self> {
        let (executables, is_usual) = inputs::open_executables(files, plan)?;
        let symbols = symbol_files::read(&executables, plan)?;
        Ok(Self {
            executables,
            symbols,
            is_usual,
        })
    }
}
