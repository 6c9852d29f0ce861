//! Comparisons, and executables that may not belong to their profiles.

use arbitrary::Unstructured;

use super::super::made::program::Case;
use super::super::made::stacks::Stacks;
use super::super::made::text::{FOLDED, text_of};
use super::super::pipeline::file;
use super::report::check;

/// Ways to compare.
const COMPARISONS: &[&str] = &[
    "diff",
    "diff -q --format json",
    "diff --tree",
    "diff --format svg",
    "diff --format pprof",
    "diff --format folded",
    "diff --format junit --fail-on slower",
    "diff --format markdown",
    "diff --normalize --names short",
];

/// Two sides of stacks whose functions have names of other builds, or any folded text.
pub fn diff(data: &[u8]) {
    let mut bytes = Unstructured::new(data);
    let line = usize::from(data.first().copied().unwrap_or(0)) % COMPARISONS.len();
    let (Ok(old), Ok(new)) = (Stacks::any(&mut bytes), Stacks::any(&mut bytes)) else {
        return;
    };
    let (old, new) = (old.folded(), new.folded());
    let rest = text_of(bytes.take_rest(), FOLDED);
    let files = [file("old", &old), file("new", &[new, rest].concat())];
    check(COMPARISONS[line], &files);
}

/// Ways to judge an executable, and reports that depend on it.
const JUDGEMENTS: &[&str] = &[
    "doctor",
    "doctor --format json",
    "--strict -p",
    "-p --format json",
    "-l -p -q",
    "--inlines -p -q --tree",
    "--error -p -c",
];

/// A generated program with its own profiles, or profiles of another program.
pub fn verdict(data: &[u8]) {
    let mut bytes = Unstructured::new(data);
    let line = usize::from(data.first().copied().unwrap_or(0)) % JUDGEMENTS.len();
    let (Ok((one, _)), Ok((other, _))) = (Case::any(&mut bytes, true), Case::any(&mut bytes, true))
    else {
        return;
    };
    let program = file("program", &one.program.bytes());
    for case in [one, other] {
        let profile = file("profile", &case.profiles[0].bytes());
        check(JUDGEMENTS[line], &[program.clone(), profile]);
    }
}
