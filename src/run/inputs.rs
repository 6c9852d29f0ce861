//! Files of a command line: told apart, opened, read and summed.

use std::fs::File;
use std::io::{self, Read as _};
use std::path::{Path, PathBuf};

use anyhow::{Result, bail};

use super::placing::put_in_place;
use crate::analyze::{FileSummary, file_section};
use crate::cli::{OutputStyle, Plan};
use crate::diagnose::{self, RunError, Warning};
use crate::load::{Hints, Loaded, ReadPolicy, Sum, load_file};
use crate::model::{Encoding, Kind, Profile};
use crate::report::{Input, Section};
use crate::symbols::{Executable, Program};

/// Tells the executable from the profiles, by what is in them. Where one of them
/// is missing, its usual name is tried.
pub(super) fn sort_out(files: &[PathBuf]) -> Result<(Option<Executable>, Vec<PathBuf>)> {
    let mut executable: Option<Executable> = None;
    let mut profiles = Vec::new();
    for path in files {
        if !is_executable(path)? {
            profiles.push(path.clone());
            continue;
        }
        if let Some(first) = &executable {
            bail!(RunError::TwoExecutables {
                first: first.path().display().to_string(),
                second: path.display().to_string(),
            });
        }
        executable = Some(Executable::open(path)?);
    }
    let usual = Path::new("a.out");
    if executable.is_none() && is_executable(usual).unwrap_or(false) {
        executable = Some(Executable::open(usual)?);
    }
    if profiles.is_empty() {
        let usual = USUAL_PROFILES.iter().map(PathBuf::from);
        let found = usual.into_iter().find(|path| path.exists());
        profiles.push(found.ok_or(RunError::NoProfile)?);
    }
    Ok((executable, profiles))
}

/// What profiles are called where nobody says otherwise; the first that is there.
const USUAL_PROFILES: [&str; 3] = ["gmon.out", "mpatrol.out", "mpatrol.trace"];

/// Bytes at the start of a file that tell what it is.
const HEAD_SIZE: u64 = 4096;

fn is_executable(path: &Path) -> Result<bool> {
    if path == Path::new("-") {
        return Ok(false);
    }
    let read_head = || -> io::Result<Vec<u8>> {
        let mut head = Vec::new();
        File::open(path)?.take(HEAD_SIZE).read_to_end(&mut head)?;
        Ok(head)
    };
    let head = read_head().map_err(|source| RunError::Unreadable {
        path: path.display().to_string(),
        source,
        advice: None,
    })?;
    Ok(Executable::is_one(&head))
}

/// The sum of profiles, and what there is to say of each.
pub(super) struct Read {
    pub(super) profile: Profile,
    /// How the first one stores words.
    pub(super) encoding: Option<Encoding>,
    /// What is odd about single files.
    pub(super) warnings: Vec<Warning>,
    /// What is in each, where that is asked for.
    pub(super) files: Vec<Section<'static>>,
    /// The files themselves.
    pub(super) inputs: Vec<Input>,
}

/// Adds up profiles.
pub(super) fn read_profiles(
    paths: &[PathBuf],
    plan: &Plan,
    executable: Option<(&Executable, &Program)>,
) -> Result<Read> {
    let hints = hints(plan, executable.map(|(_, program)| program));
    let mut sum = Sum::new(ReadPolicy::CAREFUL);
    let mut encoding = None;
    let (mut warnings, mut files, mut inputs) = (Vec::new(), Vec::new(), Vec::new());
    for path in paths {
        let mut loaded = load_file(path, &hints)?;
        if plan.is_strict {
            loaded = undamaged(loaded)?;
        }
        warnings.extend(diagnose::check_file(&loaded));
        encoding = encoding.or(loaded.encoding());
        inputs.push(Input {
            path: loaded.path().to_owned(),
            kind: "profile".into(),
            layout: loaded.layout().to_string(),
            build_id: None,
        });
        if plan.styles.wants(OutputStyle::FileInfo) {
            files.push(file_section(&summary_of(&loaded)));
        }
        // Files that do not go together can be looked at all the same.
        if plan.styles.want_only(OutputStyle::FileInfo) {
            continue;
        }
        if let (Some(Kind::Heap), Some(executable)) = (loaded.profile().kind(), executable) {
            warnings.extend(put_in_place(loaded.profile_mut(), executable, plan)?);
        }
        sum.add(loaded)?;
    }
    if let Some((executable, program)) = executable {
        inputs.push(Input {
            path: executable.path().display().to_string(),
            kind: "executable".into(),
            layout: program.encoding.to_string(),
            build_id: executable.build_id(),
        });
    }
    let profile = sum.into_profile();
    if let Some(mlmon_counts) = &profile.mlmon_counts {
        let build = mlmon_counts.build;
        bail!(RunError::NoTable { build });
    }
    Ok(Read {
        profile,
        encoding,
        warnings,
        files,
        inputs,
    })
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

fn hints(plan: &Plan, program: Option<&Program>) -> Hints {
    Hints {
        encoding: program.map(|program| program.encoding),
        layout: plan.layout,
        policy: ReadPolicy::CAREFUL,
        has_short_long: program.is_some_and(|p| p.is_windows),
    }
}
