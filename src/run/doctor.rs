//! `profan doctor`: reports which files around a program can be profiled.

use std::path::{Path, PathBuf};

use anyhow::Result;

use super::made::{Made, finish};
use super::{Terminal, inputs, not_found};
use crate::cli::{Plan, ReadingOptions};
use crate::diagnose::{
    Finding, Inspected, ProfileState, Status, doctor_section, inspect_build,
    inspect_library_profile, inspect_profile, inspect_values, next_step,
};
use crate::model::Address;
use crate::report::{Report, ReportInput, Section};
use crate::symbols::{Executable, ExecutableError, SymbolOptions, library_of, read_program};

/// Inspects the program of a plan, or its images, and the given profiles or those nearby.
///
/// # Errors
/// If the program cannot be read.
pub(super) fn make(plan: &Plan, terminal: Terminal) -> Result<Made> {
    let files: Vec<_> = plan.files.iter().map(|file| inputs::libtool::followed(file)).collect();
    let (path, files) = program_and_files(&files);
    let executable = match Executable::open(path) {
        Ok(executable) => executable,
        Err(error) => match inspect_files(&plan.files, &plan.reading) {
            Some(section) => return finished(vec![section], Vec::new(), plan, terminal),
            None => return Err(not_found::program(error, &plan.files)),
        },
    };
    let (executable, files) = with_images(executable, files);
    let options = SymbolOptions { wants_sources: true, ..plan.reading.symbols.clone() };
    let program = read_program(&executable, &options)?;
    let inspected = Inspected::new(&executable, &program, &plan.reading.environment)?;
    let mut findings = match executable.images() {
        [_] => inspect_build(&inspected, &plan.reading.search),
        images => inspect_images(images, &options, &plan.reading)?,
    };
    let nearby = match &*files {
        [] => inputs::nearby::profiles_nearby(path, &plan.reading),
        files => files.iter().map(|&file| inputs::nearby::named(file)).collect(),
    };
    let mut usable: Option<(Status, &Path, Option<Address>)> = None;
    let mut cure = None;
    for file in &nearby {
        let loaded = inputs::nearby::load(file, &plan.reading, Some(&program));
        if file.is_of_library {
            let inspected = inspect_library_profile(file, loaded.as_ref(), &inspected);
            let Some((finding, state)) = inspected else {
                continue;
            };
            if state == ProfileState::Usable && usable.is_none() {
                usable = Some((finding.status, &file.path, None));
            }
            findings.push(finding);
            continue;
        }
        let (finding, state) =
            inspect_profile(file, loaded.as_ref(), &inspected, inputs::nearby::modified_time(path));
        let is_usable = matches!(state, ProfileState::Usable | ProfileState::Moved(_));
        let base = match state {
            ProfileState::Moved(base) => Some(base),
            ProfileState::Empty(advice) => {
                cure = cure.or(Some(advice));
                None
            }
            _ => None,
        };
        // A file that the user did not name must be certain.
        let is_choice = finding.status == Status::Good || usable.is_none() && file.is_named;
        let is_better = usable.is_none_or(|(status, ..)| status != Status::Good);
        if is_usable && is_choice && is_better {
            usable = Some((finding.status, &file.path, base));
        }
        findings.push(finding);
        if let (Ok(loaded), true) = (&loaded, is_usable && file.is_named) {
            findings.extend(inspect_values(&loaded.profile, Some(&program)));
        }
    }
    let usable = usable.map(|(_, path, base)| (path, base));
    let cure = cure.filter(|_| usable.is_none());
    let next = cure.unwrap_or_else(|| next_step(&inspected, usable));
    let section = doctor_section(path, &findings, next);
    let inputs = inputs::of_executable(&executable, &program).collect();
    finished(vec![section], inputs, plan, terminal)
}

fn finished(
    sections: Vec<Section>,
    inputs: Vec<ReportInput>,
    plan: &Plan,
    terminal: Terminal,
) -> Result<Made> {
    let report = Report { inputs, sections, ..Report::default() };
    Ok(finish(report, Vec::new(), None, plan, terminal, &mut Vec::new())?)
}

/// The findings on profiles that need no program; `None` if one of the files is another.
fn inspect_files(files: &[PathBuf], reading: &ReadingOptions) -> Option<Section> {
    let first = files.first()?;
    let mut findings = Vec::new();
    for path in files {
        let loaded = inputs::nearby::load(&inputs::nearby::named(path), reading, None).ok()?;
        let kind = loaded.profile.kind.filter(|kind| !kind.is_by_address)?;
        let what = format!("{}: {kind}", path.display());
        findings.push(Finding::new(Status::Good, "profile", what));
        findings.extend(inspect_values(&loaded.profile, None));
    }
    Some(doctor_section(first, &findings, format!("profan {}", first.display())))
}

/// The findings about images of one memory, each with the name of its image.
fn inspect_images(
    images: &[Executable],
    options: &SymbolOptions,
    reading: &ReadingOptions,
) -> Result<Vec<Finding>> {
    let mut findings = Vec::new();
    for image in images {
        let program = read_program(image, options)?;
        let inspected = Inspected::new(image, &program, &reading.environment)?;
        let mut of_image = inspect_build(&inspected, &reading.search);
        for finding in of_image.iter_mut().filter(|one| one.about != "environment") {
            finding.sentence = format!("{}: {}", image.path().display(), finding.sentence);
        }
        of_image.retain(|finding| !findings.contains(finding));
        findings.extend(of_image);
    }
    Ok(findings)
}

/// Adds other programs of the same memory to a program, and returns the other files.
fn with_images(program: Executable, files: Vec<&Path>) -> (Executable, Vec<&Path>) {
    let mut images = vec![program.clone()];
    let mut is_image = |path: &Path| {
        let image = Executable::open(path).ok().filter(|one| library_of(one).is_none());
        images.extend(image.clone());
        image.is_some()
    };
    let others: Vec<_> = files.iter().copied().filter(|path| !is_image(path)).collect();
    match inputs::of_one_memory(images) {
        Ok(Some(all)) => (all, others),
        _ => (program, files),
    }
}

/// The program, which is the first file unless only another one is executable, and the
/// others.
fn program_and_files(files: &[PathBuf]) -> (&Path, Vec<&Path>) {
    let can_be_program = |path: &&PathBuf| {
        use ExecutableError::Unsupported;
        path.is_file() && matches!(Executable::open(path), Ok(_) | Err(Unsupported { .. }))
    };
    let program = files.iter().find(can_be_program).or(files.first());
    let Some(program) = program else {
        return (Path::new("a.out"), Vec::new());
    };
    let others = files.iter().filter(|file| *file != program);
    (program, others.map(PathBuf::as_path).collect())
}
