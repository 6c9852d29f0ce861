//! The images of one memory. Each is judged by the calls into it and its ticks, with the code of
//! all.

use std::ops::Range;
use std::path::Path;

use crate::model::{Address, Profile};
use crate::symbols::{Executable, ExecutableError};

/// The images of a program that have neither calls nor ticks.
///
/// # Errors
/// If the executable is damaged.
pub fn unused_images<'e>(
    profile: &Profile,
    executable: &'e Executable,
) -> Result<Vec<&'e Path>, ExecutableError> {
    let mut unused = Vec::new();
    for image in executable.images() {
        if part_of(profile, &image.code_ranges()?).is_none() {
            unused.push(image.path());
        }
    }
    Ok(unused)
}

/// The calls and ticks in some code, if any.
pub(super) fn part_of(profile: &Profile, code: &[Range<Address>]) -> Option<Profile> {
    let part = profile.within(code);
    (part.n_ticks() > 0 || !part.arcs().is_empty()).then_some(part)
}
