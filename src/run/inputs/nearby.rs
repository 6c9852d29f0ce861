//! Profiles near a program, found without being named.

use std::fs;
use std::io;
use std::path::Path;
use std::time::SystemTime;

use super::hints;
use crate::cli::ReadingOptions;
use crate::diagnose::{self, Nearby, find_nearby, holds_library_profile};
use crate::files::MOST_UNASKED;
use crate::load::{LoadError, Loaded, OpenFile, is_within, load_file};
use crate::progress::Stage;
use crate::symbols::Program;

/// Maximum number of profiles to read.
const MAX_PROFILES: usize = 8;

/// The latest profiles near a program, except oversized ones.
pub(in crate::run) fn profiles_nearby(program: &Path, reading: &ReadingOptions) -> Vec<Nearby> {
    let mut nearby = find_nearby(program, &reading.environment);
    nearby.retain(|file| fs::metadata(&file.path).is_ok_and(|file| file.len() <= MOST_UNASKED));
    nearby.truncate(MAX_PROFILES);
    nearby.retain(|file| !file.path.is_file() || may_be_read_unasked(&file.path));
    nearby
}

/// Returns whether a file may be read without being named: regular and not too large.
pub(in crate::run) fn may_be_read_unasked(path: &Path) -> bool {
    path.is_file() && is_within(path, MOST_UNASKED)
}

/// Reads a regular file; a pipe could block.
pub(in crate::run) fn load(
    file: &Nearby,
    reading: &ReadingOptions,
    program: Option<&Program>,
) -> Result<Loaded, LoadError> {
    if fs::metadata(&file.path).is_ok_and(|file| !file.is_file()) {
        return Err(LoadError::Io {
            path: file.path.display().to_string(),
            source: io::Error::other(diagnose::NOT_REGULAR),
        });
    }
    let hints = hints(reading, program);
    reading.hints.progress.begin(Stage::Reading, None);
    load_file(OpenFile::open(&file.path, &hints, |_| false)?, &hints)
}

/// A file that the user named, of any kind.
pub(in crate::run) fn named(path: &Path) -> Nearby {
    Nearby {
        path: path.to_owned(),
        modified: modified_time(path),
        is_of_library: holds_library_profile(path),
        is_named: true,
    }
}

/// Modification time, if the system has it.
pub(in crate::run) fn modified_time(path: &Path) -> Option<SystemTime> {
    fs::metadata(path).ok()?.modified().ok()
}
