//! Files of a command line: told apart, opened, read and summed.

use std::path::{Path, PathBuf};

use anyhow::{Result, bail};

use super::build;
use super::placing::put_in_place;
use crate::analyze::{FileSummary, file_section};
use crate::cli::{OutputStyle, Plan};
use crate::diagnose::{self, RunError, Warning};
use crate::load::{
    self, Hints, LoadError, Loaded, OpenFile, ReadPolicy, Sum, load_file, load_hexdump,
};
use crate::model::{Encoding, Kind, Profile};
use crate::render::json;
use crate::report::{Input, Section};
use crate::symbols::{Executable, Program};

/// Opens files, each once: a pipe gives what is in it to the first who reads it.
pub(super) fn open_all(paths: &[PathBuf], plan: &Plan) -> Result<Vec<OpenFile>> {
    let files = paths.iter().map(|path| open(path, plan));
    files.collect()
}

fn open(path: &Path, plan: &Plan) -> Result<OpenFile> {
    let is_hexdump = plan.reading.is_hexdump;
    let is_wanted = |head: &[u8]| is_hexdump || Executable::is_one(head) || json::is_report(head);
    let opened = OpenFile::open(path, &hints(plan, None), is_wanted);
    opened.map_err(|error| match error {
        LoadError::Io { path, source } => RunError::Unreadable { path, source }.into(),
        error => error.into(),
    })
}

/// Tells the executable from the profiles, by what is in them. Where one of them
/// is missing, its usual name is tried.
pub(super) fn sort_out(
    files: Vec<OpenFile>,
    plan: &Plan,
) -> Result<(Option<Executable>, Vec<OpenFile>)> {
    let (executables, mut profiles): (Vec<_>, Vec<_>) = files.into_iter().partition(is_executable);
    if let [first, second, ..] = &*executables {
        bail!(RunError::TwoExecutables {
            first: first.path(),
            second: second.path(),
        });
    }
    let usual = || {
        let file = open(Path::new("a.out"), plan).ok();
        file.filter(is_executable)
    };
    let executable = executables.into_iter().next().or_else(usual);
    let executable = executable.map(open_executable).transpose()?;
    if profiles.is_empty() {
        let usual = USUAL_PROFILES.iter().map(Path::new);
        let found = usual.into_iter().find(|path| path.exists());
        profiles.push(open(found.ok_or(RunError::NoProfile)?, plan)?);
    }
    Ok((executable, profiles))
}

fn is_executable(file: &OpenFile) -> bool {
    Executable::is_one(file.head())
}

fn open_executable(file: OpenFile) -> Result<Executable> {
    let path = file.given_path().to_owned();
    if file.is_plain() {
        return Ok(Executable::open(&path)?);
    }
    Ok(Executable::from_bytes(&path, file.into_bytes()?)?)
}

/// What profiles are called where nobody says otherwise; the first that is there.
const USUAL_PROFILES: [&str; 3] = ["gmon.out", "mpatrol.out", "mpatrol.trace"];

/// The sum of profiles, and what there is to say of each.
pub(super) struct Read {
    pub(super) profile: Profile,
    /// How they store words.
    pub(super) encodings: Vec<Encoding>,
    /// What is odd about single files.
    pub(super) warnings: Vec<Warning>,
    /// What is in each, where that is asked for.
    pub(super) files: Vec<Section<'static>>,
    /// The files themselves.
    pub(super) inputs: Vec<Input>,
}

/// Adds up profiles.
pub(super) fn read_profiles(
    files: Vec<OpenFile>,
    plan: &Plan,
    executable: Option<(&Executable, &Program)>,
) -> Result<Read> {
    let hints = hints(plan, executable.map(|(_, program)| program));
    let mut sum = Sum::new(hints.policy);
    let mut encodings = Vec::new();
    let n_files = files.len();
    let (mut warnings, mut sections, mut inputs) = (Vec::new(), Vec::new(), Vec::new());
    for file in files {
        let mut loaded = load_one(file, plan, &hints)?;
        if plan.is_strict {
            loaded = undamaged(loaded)?;
        }
        warnings.extend(diagnose::check_file(&loaded, plan.reading.rate));
        encodings.extend(loaded.encoding());
        inputs.push(Input {
            path: loaded.path().to_owned(),
            kind: "profile".into(),
            layout: loaded.layout().to_string(),
            build_id: None,
        });
        if plan.styles.wants(OutputStyle::FileInfo) {
            let mut section = file_section(&summary_of(&loaded));
            section
                .summary
                .extend(build::lines(&loaded, executable, plan)?);
            sections.push(section);
        }
        // Files that do not go together can be looked at all the same.
        if plan.styles.want_only(OutputStyle::FileInfo) {
            continue;
        }
        if let Some(rate) = plan.reading.rate {
            loaded.profile_mut().set_rate(rate);
        }
        if let (Some(Kind::Heap), Some(executable)) = (loaded.profile().kind(), executable) {
            warnings.extend(put_in_place(loaded.profile_mut(), executable, plan)?);
        }
        sum.add(loaded)?;
    }
    if let Some((executable, program)) = executable {
        inputs.push(of_executable(executable, program));
    }
    let mut profile = sum.into_profile();
    if n_files > 1 {
        profile.sort_records();
    }
    if let Some(mlmon_counts) = &profile.mlmon_counts {
        let build = mlmon_counts.build;
        bail!(RunError::NoTable { build });
    }
    Ok(Read {
        profile,
        encodings,
        warnings,
        files: sections,
        inputs,
    })
}

fn load_one(file: OpenFile, plan: &Plan, hints: &Hints) -> Result<Loaded, LoadError> {
    if plan.reading.is_hexdump {
        return load_hexdump(&load::Input::from_file(file)?, hints);
    }
    load_file(file, hints)
}

/// What a report says of the executable that it was made from.
pub(super) fn of_executable(executable: &Executable, program: &Program) -> Input {
    Input {
        path: executable.path().display().to_string(),
        kind: "executable".into(),
        layout: program.encoding.to_string(),
        build_id: executable.build_id(),
    }
}

fn summary_of(loaded: &Loaded) -> FileSummary {
    FileSummary::new(
        loaded.path(),
        loaded.layout().to_string(),
        loaded.encoding(),
        loaded.version().unwrap_or(0),
        loaded.profile(),
    )
}

fn undamaged(loaded: Loaded) -> Result<Loaded> {
    match loaded.damage() {
        None => Ok(loaded),
        Some(_) => {
            let error = loaded.into_error().expect("damage makes an error");
            Err(error.into())
        }
    }
}

pub(super) fn hints(plan: &Plan, program: Option<&Program>) -> Hints {
    Hints {
        encoding: program.map(|program| program.encoding),
        layout: plan.layout,
        policy: ReadPolicy {
            heap_events: plan.exact.heap_events(),
            ..plan.reading.policy()
        },
        has_short_long: program.is_some_and(|p| p.is_windows),
    }
}
