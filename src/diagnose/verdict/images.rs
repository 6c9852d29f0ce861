//! Verdicts on the images of one memory. Each is judged by the calls into it and its ticks, with
//! the code of all.

use std::ops::Range;
use std::path::Path;

use super::{Verdict, verdict, verdict_on};
use crate::model::{Address, Profile};
use crate::symbols::{Executable, ExecutableError, Program};

/// The verdicts on the images of a program that have calls or ticks, with their paths. A single
/// image has one in any case.
///
/// # Errors
/// If the executable is damaged.
pub fn verdicts<'e>(
    profile: &Profile,
    executable: &'e Executable,
    program: &Program,
) -> Result<Vec<(&'e Path, Verdict)>, ExecutableError> {
    let mut found = Vec::new();
    if executable.images().len() > 1 {
        for image in executable.images() {
            let code = image.code_ranges()?;
            if let Some(part) = part_of(profile, &code) {
                found.push((image.path(), verdict_on(&part, executable, program, Some(&code))?));
            }
        }
    }
    if found.is_empty() {
        found.push((executable.path(), verdict(profile, executable, program)?));
    }
    Ok(found)
}

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
fn part_of(profile: &Profile, code: &[Range<Address>]) -> Option<Profile> {
    let part = profile.within(code);
    (part.n_ticks() > 0 || !part.arcs().is_empty()).then_some(part)
}
