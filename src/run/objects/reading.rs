//! Reads the profiles of a command line and adds them up by object.

use std::path::PathBuf;

use anyhow::{Error, Result, bail};

use super::build;
use super::naming::name_code;
use super::placing::put_in_place;
use super::programs::{JobPrograms, programs_among};
use super::{Object, ProgramSum, gather, is_sampled};
use crate::analyze::{FileLayout, file_section};
use crate::cli::Plan;
use crate::diagnose::{self, RunError, Warning};
use crate::load::{Loaded, OpenFile, Sum, in_parallel};
use crate::progress::Stage;
use crate::report::{ReportInput, Section, SectionId};
use crate::run::inputs::{ProgramFile, hints, load_one, of_executable};
use crate::run::labels;
use crate::run::skipping::Skipped;

/// Profiles by object, with their warnings.
#[derive(Default)]
pub(in crate::run) struct Read<'a> {
    /// The program, then libraries by name.
    pub(in crate::run) objects: Vec<Object<'a>>,
    /// Warnings about single files.
    pub(in crate::run) warnings: Vec<Warning>,
    /// Notes on the files.
    pub(in crate::run) notes: Vec<String>,
    /// Sections with the contents of each file, if requested.
    pub(in crate::run) files: Vec<Section>,
    /// The files.
    pub(in crate::run) inputs: Vec<ReportInput>,
    /// Files that cannot be used.
    pub(in crate::run) skipped: Skipped,
}

impl Read<'_> {
    /// Number of profiles that were read.
    pub(in crate::run) fn n_profiles(&self) -> usize {
        self.inputs.iter().filter(|input| input.kind == "profile").count()
    }

    /// Returns whether there are several profiles that contain names.
    pub(in crate::run) fn has_names(&self) -> bool {
        self.n_profiles() > 1 && !self.objects.iter().any(|object| is_sampled(&object.profile))
    }
}

/// Reads profiles, and adds up the profiles of each object. Omits those that cannot be used.
///
/// # Errors
/// If none can be used, or they cannot be combined.
pub(in crate::run) fn read_profiles<'a>(
    files: Vec<OpenFile>,
    plan: &Plan,
    executables: &[ProgramFile<'a>],
    executables_use: ExecutablesUse,
) -> Result<Read<'a>> {
    let hints = hints(&plan.reading, executables.first().map(|&(_, program)| program));
    let mut sizes = files.iter().map(OpenFile::size);
    let total = sizes.try_fold(0, |sum: u64, size| Some(sum.saturating_add(size?)));
    plan.reading.hints.progress.begin(Stage::Reading, total);
    let mut n_left = total.unwrap_or(0);
    let programs = programs_among(executables);
    let sum_of = |executable| ProfilesOfProgram {
        executable,
        sum: Sum::new(hints.policy),
        facts: ProgramSum::default(),
    };
    let of_programs: Vec<_> = match &*programs {
        [] => vec![sum_of(None)],
        programs => programs.iter().map(|one| sum_of(Some(*one))).collect(),
    };
    let mut reading =
        ObjectProfiles { plan, of_programs, of_libraries: Vec::new(), read: Read::default() };
    let is_alone = files.len() == 1;
    let job = JobPrograms::new(&programs);
    let load = |file: OpenFile| {
        let (path, size) = (file.path(), file.size());
        let loaded = load_one(file, &plan.reading, &hints).map_err(Error::from);
        let loaded = loaded.and_then(|loaded| Ok((job.program_of(&loaded)?, loaded)));
        (path, size, loaded)
    };
    let mut add = |(path, size, loaded): LoadedFile| -> Result<()> {
        n_left = n_left.saturating_sub(size.unwrap_or(0));
        plan.reading.hints.progress.leave(n_left);
        let added = loaded.and_then(|(program, loaded)| reading.add(loaded, program));
        added
            .or_else(|error| reading.read.skipped.add(path, error, plan.reading.strict || is_alone))
    };
    in_parallel(files, OpenFile::size, load, &mut |batch| {
        batch.into_iter().try_for_each(&mut add)
    })?;
    let ObjectProfiles { of_programs, of_libraries, mut read, .. } = reading;
    if read.n_profiles() == 0 {
        read.skipped = match read.skipped.warning(0, true) {
            Err(error) => return Err(error),
            Ok(_) => Skipped::default(),
        };
    }
    let has_none = of_programs.iter().all(|program| program.facts.paths.is_empty());
    let is_of_libraries = !of_libraries.is_empty() && has_none;
    let executables = match executables {
        // An executable of the usual name is a program.
        _ if executables_use == ExecutablesUse::Usual && is_of_libraries => &[],
        given => given,
    };
    let described = executables.iter();
    read.inputs
        .extend(described.flat_map(|&(executable, program)| of_executable(executable, program)));
    let mut sums = Vec::new();
    for ProfilesOfProgram { executable, sum, mut facts } in of_programs {
        facts.profile = sum.into_profile();
        if facts.paths.len() > 1 {
            facts.profile.sort_records();
        }
        if let Some(mlmon_counts) = &facts.profile.mlmon_counts {
            let build = mlmon_counts.build;
            bail!(RunError::NoTable { build });
        }
        sums.push((facts, executable));
    }
    if !plan.sections.want_only(SectionId::Files) {
        let gathered =
            gather(sums, of_libraries, executables, executables_use == ExecutablesUse::SomeOfMany)?;
        read.objects = gathered.objects;
        read.warnings.extend(gathered.warnings);
        read.notes = gathered.notes;
    }
    Ok(read)
}

/// The path and size of a file, and the position of its program with its contents.
type LoadedFile = (String, Option<u64>, Result<(usize, Loaded)>);

/// How executables belong to the profiles.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::run) enum ExecutablesUse {
    /// All were given for these profiles.
    All,
    /// One of the usual name was found.
    Usual,
    /// They were given for these and other profiles.
    SomeOfMany,
}

/// The profiles of a program read so far.
struct ProfilesOfProgram<'a> {
    executable: Option<ProgramFile<'a>>,
    sum: Sum,
    facts: ProgramSum,
}

/// The profiles read so far.
struct ObjectProfiles<'a, 'p> {
    plan: &'p Plan,
    /// At least one.
    of_programs: Vec<ProfilesOfProgram<'a>>,
    of_libraries: Vec<Loaded>,
    read: Read<'a>,
}

impl ObjectProfiles<'_, '_> {
    fn add(&mut self, mut loaded: Loaded, n_program: usize) -> Result<()> {
        let plan = self.plan;
        let of_program = &mut self.of_programs[n_program];
        if plan.reading.strict {
            loaded = loaded.undamaged()?;
        }
        // Files that do not go together can be looked at all the same.
        let only_looks = plan.sections.want_only(SectionId::Files);
        if !only_looks && !loaded.layout.is_of_library {
            of_program.sum.check_kind(&loaded)?;
        }
        let warnings = &mut self.read.warnings;
        warnings.extend(diagnose::check_file(&loaded, plan.reading.rate));
        self.read.inputs.push(ReportInput {
            path: loaded.path.clone(),
            kind: "profile".into(),
            layout: loaded.layout.to_string(),
            build_id: None,
            verdict: None,
        });
        let is_of_library = loaded.layout.is_of_library;
        let program = of_program.executable.filter(|_| !is_of_library);
        if let Some(program) = program {
            name_code(&mut loaded.profile.costs, program);
        }
        labels::keep(&mut loaded.profile.costs, &plan.functions.label, &loaded.path)?;
        if plan.functions.seconds.is_some() {
            labels::check_times(&loaded.profile.costs, &loaded.path)?;
        }
        if plan.sections.wants(SectionId::Files) {
            let mut section = file_section(&layout_of(&loaded), &loaded.profile);
            let lines = build::lines(&loaded, program, &plan.reading)?;
            section.summary.extend(lines);
            self.read.files.push(section);
        }
        if only_looks {
            return Ok(());
        }
        if let Some(rate) = plan.reading.rate {
            let clocks = loaded.profile.clocks_mut();
            clocks.for_each(|clock| clock.rate = Some(rate));
        }
        if is_of_library {
            self.of_libraries.push(loaded);
            return Ok(());
        }
        of_program.facts.encodings.extend(loaded.encoding);
        let profile = &loaded.profile;
        let has_stacks = profile.heap.is_some() && profile.history.is_none();
        if let Some(program) = program.filter(|_| has_stacks) {
            warnings.extend(put_in_place(&mut loaded.profile, program, plan.reading.base)?);
        }
        if of_program.facts.paths.is_empty() {
            of_program.facts.likely_width = loaded.beside.likely_width;
        }
        of_program.facts.paths.push(PathBuf::from(&loaded.path));
        of_program.sum.add(loaded)?;
        Ok(())
    }
}

fn layout_of(loaded: &Loaded) -> FileLayout {
    FileLayout {
        path: loaded.path.clone(),
        layout: loaded.layout.to_string(),
        encoding: loaded.encoding,
        version: loaded.version.unwrap_or(0),
    }
}
