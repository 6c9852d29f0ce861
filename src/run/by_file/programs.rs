//! The files of each program of a job, which are compared with each other only.

use std::collections::BTreeMap;
use std::io;

use anyhow::Result;

use super::reader::CostsReader;
use crate::compare::Measure;
use crate::compare::by_file::{
    FileCosts, FileLabel, FileLine, Histories, Spreads, Typical, files_section,
};
use crate::report::Section;
use crate::run::program_sections::section_of;
use crate::run::run_costs::ProgramSet;

/// The costs of functions in the files of each program, by its position.
#[derive(Default)]
pub(super) struct FilesOfPrograms {
    pub(super) spreads: BTreeMap<usize, Spreads>,
    /// If lasting changes are wanted.
    pub(super) histories: Option<BTreeMap<usize, Histories>>,
    /// The program of each file.
    programs: Vec<usize>,
}

impl FilesOfPrograms {
    /// With the history of each function.
    pub(super) fn with_histories() -> Self {
        Self { histories: Some(BTreeMap::new()), ..Self::default() }
    }

    /// Adds the next file.
    pub(super) fn add(&mut self, costs: &FileCosts) {
        self.spreads.entry(costs.program).or_default().add(costs);
        if let Some(histories) = &mut self.histories {
            histories.entry(costs.program).or_default().add(costs);
        }
        self.programs.push(costs.program);
    }

    /// The names of the programs, if there are several.
    pub(super) fn names(&self, set: &ProgramSet) -> Vec<String> {
        let has_several = self.spreads.len() > 1;
        let programs = set.executables.iter().filter(|_| has_several);
        programs.map(|one| one.path().display().to_string()).collect()
    }

    /// A section for each program, with the distance of each file from the others. Reads all files
    /// again.
    ///
    /// # Errors
    /// If a file cannot be read again.
    pub(super) fn distances(
        &self,
        labels: &[FileLabel],
        set: &ProgramSet,
        costs: &CostsReader,
        measure: &Measure,
    ) -> Result<Vec<Section>> {
        let typical = self
            .spreads
            .iter()
            .map(|(&program, spreads)| (program, (Typical::of(spreads), Vec::<FileLine>::new())));
        let mut lines: BTreeMap<usize, _> = typical.collect();
        costs.again(&mut |_, costs| {
            if let Some((typical, lines)) = lines.get_mut(&costs.program) {
                lines.push(FileLine { all: costs.all, distance: typical.distance(costs) });
            }
            Ok(())
        })?;
        let section = |(_, lines): &(Typical, Vec<FileLine>), labels: &[FileLabel]| {
            files_section(labels, lines, measure)
        };
        Ok(self.sections(&lines, labels, set, section)?)
    }

    /// A section for each program, made of what belongs to it and of the names of its files.
    pub(super) fn sections<'t, T: 't>(
        &self,
        of_programs: impl IntoIterator<Item = (&'t usize, &'t T)>,
        labels: &[FileLabel],
        set: &ProgramSet,
        section: impl Fn(&T, &[FileLabel]) -> Section,
    ) -> io::Result<Vec<Section>> {
        let names = self.names(set);
        let sections = of_programs.into_iter().map(|(&program, of_program)| {
            let section = section(of_program, &self.labels_of(program, labels));
            match names.get(program) {
                Some(name) => section_of(section, name, 0),
                None => Ok(section),
            }
        });
        sections.collect()
    }

    fn labels_of(&self, program: usize, labels: &[FileLabel]) -> Vec<FileLabel> {
        let labels = labels.iter().zip(&self.programs).filter(|(_, one)| **one == program);
        labels.map(|(label, _)| label.clone()).collect()
    }
}
