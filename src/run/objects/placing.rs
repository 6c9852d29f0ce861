//! Moves the addresses of a profile to the addresses of the linker.
//!
//! Each run of a position-independent program has another load address, so each file is moved
//! before files are added up. Addresses in shared libraries stay as recorded.

use anyhow::Result;

use crate::cli::Base;
use crate::diagnose::Warning;
use crate::model::{Address, Profile};
use crate::symbols::{Executable, Program, RecordedAddresses, find_load_offset};

/// Moves addresses in the program by the distance that the user states or that the addresses
/// show. Returns a warning if the evidence is weak.
///
/// # Errors
/// If the executable is damaged.
pub(in crate::run) fn put_in_place(
    profile: &mut Profile,
    (executable, program): (&Executable, &Program),
    base: Option<Base>,
) -> Result<Option<Warning>> {
    let (distance, guess) = match base {
        Some(base) => (base.distance_from(program.link_base), None),
        None => find_distance(profile, (executable, program))?,
    };
    let ends = program.code.iter();
    let start = ends.clone().map(|code| code.start).min();
    let end = ends.map(|code| code.end).max();
    if let (Some(start), Some(end), 1..) = (start, end, distance) {
        let moved = |address: Address| Address(address.0.wrapping_add(distance));
        profile.costs.move_down(moved(start)..moved(end), distance);
    }
    Ok(guess)
}

fn find_distance(
    profile: &Profile,
    (executable, program): (&Executable, &Program),
) -> Result<(u64, Option<Warning>)> {
    let costs = &profile.costs;
    let returns: Vec<_> = costs.contexts.iter().filter_map(|c| c.address).collect();
    if returns.is_empty() {
        return Ok((0, None));
    }
    let functions = costs.functions.iter();
    let entries: Vec<_> =
        functions.filter_map(|function| Some((&*function.name, function.entry?))).collect();
    let recorded = RecordedAddresses { returns: &returns, entries: &entries };
    let Some(found) = find_load_offset(&recorded, executable, &program.table)? else {
        return Ok((0, None));
    };
    let guess = (!found.evidence.is_strong()).then(|| Warning::GuessedBase {
        base: Address(program.link_base.0.wrapping_add(found.distance)),
        executable: executable.path().display().to_string(),
    });
    Ok((found.distance, guess))
}
