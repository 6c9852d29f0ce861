//! Reads the profiles of a command line and adds them up by object.

use std::path::PathBuf;

use anyhow::{Error, Result, bail};

use super::build;
use super::placing::put_in_place;
use super::{Object, ProgramSum, gather, is_sampled};
use crate::analyze::{FileLayout, file_section};
use crate::cli::Plan;
use crate::diagnose::{self, RunError, Warning};
use crate::load::{LoadError, Loaded, OpenFile, Sum, in_parallel};
use crate::progress::Stage;
use crate::report::{ReportInput, Section, SectionId};
use crate::run::inputs::{ProgramFile, hints, load_one, of_executable};
use crate::run::labels;
use crate::run::skipping::Skipped;
use crate::symbols::library_of;

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
    is_usual: bool,
) -> Result<Read<'a>> {
    let hints = hints(&plan.reading, executables.first().map(|&(_, program)| program));
    let mut sizes = files.iter().map(OpenFile::size);
    let total = sizes.try_fold(0, |sum: u64, size| Some(sum.saturating_add(size?)));
    plan.reading.hints.progress.begin(Stage::Reading, total);
    let mut n_left = total.unwrap_or(0);
    let mut reading = ObjectProfiles {
        plan,
        executable: program_among(executables),
        sum: Sum::new(hints.policy),
        of_program: ProgramSum::default(),
        of_libraries: Vec::new(),
        read: Read::default(),
    };
    let is_alone = files.len() == 1;
    let load = |file: OpenFile| (file.path(), file.size(), load_one(file, &plan.reading, &hints));
    let mut add = |(path, size, loaded): LoadedFile| -> Result<()> {
        n_left = n_left.saturating_sub(size.unwrap_or(0));
        plan.reading.hints.progress.leave(n_left);
        let added = loaded.map_err(Error::from).and_then(|loaded| reading.add(loaded));
        added
            .or_else(|error| reading.read.skipped.add(path, error, plan.reading.strict || is_alone))
    };
    in_parallel(files, OpenFile::size, load, &mut |batch| {
        batch.into_iter().try_for_each(&mut add)
    })?;
    let ObjectProfiles { sum, mut of_program, of_libraries, mut read, .. } = reading;
    if read.n_profiles() == 0 {
        read.skipped = match read.skipped.warning(0, true) {
            Err(error) => return Err(error),
            Ok(_) => Skipped::default(),
        };
    }
    let is_of_libraries = !of_libraries.is_empty() && of_program.paths.is_empty();
    let executables = match executables {
        // An executable of the usual name is a program.
        _ if is_usual && is_of_libraries => &[],
        given => given,
    };
    let described = executables.iter();
    read.inputs
        .extend(described.flat_map(|&(executable, program)| of_executable(executable, program)));
    of_program.profile = sum.into_profile();
    if of_program.paths.len() > 1 {
        of_program.profile.sort_records();
    }
    if let Some(mlmon_counts) = &of_program.profile.mlmon_counts {
        let build = mlmon_counts.build;
        bail!(RunError::NoTable { build });
    }
    if !plan.sections.want_only(SectionId::Files) {
        let gathered = gather(of_program, of_libraries, executables)?;
        read.objects = gathered.objects;
        read.warnings.extend(gathered.warnings);
        read.notes = gathered.notes;
    }
    Ok(read)
}

/// The path and size of a file, and its contents.
type LoadedFile = (String, Option<u64>, Result<Loaded, LoadError>);

/// The profiles read so far.
struct ObjectProfiles<'a, 'p> {
    plan: &'p Plan,
    executable: Option<ProgramFile<'a>>,
    sum: Sum,
    of_program: ProgramSum,
    of_libraries: Vec<Loaded>,
    read: Read<'a>,
}

impl ObjectProfiles<'_, '_> {
    fn add(&mut self, mut loaded: Loaded) -> Result<()> {
        let plan = self.plan;
        if plan.reading.strict {
            loaded = loaded.undamaged()?;
        }
        // Files that do not go together can be looked at all the same.
        let only_looks = plan.sections.want_only(SectionId::Files);
        if !only_looks && !loaded.layout.is_of_library {
            self.sum.check_kind(&loaded)?;
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
        labels::keep(&mut loaded.profile.costs, &plan.functions.label, &loaded.path)?;
        let is_of_library = loaded.layout.is_of_library;
        let program = self.executable.filter(|_| !is_of_library);
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
        self.of_program.encodings.extend(loaded.encoding);
        let profile = &loaded.profile;
        let has_stacks = profile.heap.is_some() && profile.history.is_none();
        if let Some(program) = program.filter(|_| has_stacks) {
            warnings.extend(put_in_place(&mut loaded.profile, program, plan.reading.base)?);
        }
        self.of_program.paths.push(PathBuf::from(&loaded.path));
        self.sum.add(loaded)?;
        Ok(())
    }
}

/// The executable that is a program. A single one counts as one until a profile contradicts.
fn program_among<'a>(executables: &[ProgramFile<'a>]) -> Option<ProgramFile<'a>> {
    match executables {
        &[one] => Some(one),
        several => {
            let mut all = several.iter().copied();
            all.find(|(executable, _)| library_of(executable).is_none())
        }
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
