//! Images of one memory as one program: a boot loader and an application, code in ROM, secure and
//! non-secure code. Their addresses stay as they are, since no two have code at the same one.

use std::collections::HashMap;
use std::ops::Range;
use std::path::Path;
use std::sync::Arc;

use super::executable::{Executable, ExecutableError};
use super::objects::Placed;
use super::table::SymbolTable;
use super::{NamesFrom, Program};
use crate::model::Address;

/// The first address at which both of two executables have code.
///
/// # Errors
/// If one is damaged.
pub fn shared_address(
    first: &Executable,
    second: &Executable,
) -> Result<Option<Address>, ExecutableError> {
    let second = second.code_ranges()?;
    let shared = |range: Range<Address>| {
        let n_before = second.partition_point(|other| other.end <= range.start);
        let other = second.get(n_before).filter(|other| other.start < range.end)?;
        Some(range.start.max(other.start))
    };
    Ok(first.code_ranges()?.into_iter().find_map(shared))
}

/// The programs of images with their paths as one, with the names of files as objects. A single one
/// stays as it is.
pub(super) fn join(images: Vec<(&Path, Program)>) -> Program {
    let names = names_of(images.iter().map(|(path, _)| *path));
    let mut images = images.into_iter().map(|(_, program)| program);
    let mut all = images.next().expect("there is one image");
    if images.len() == 0 {
        return all;
    }
    let mut pieces = Vec::new();
    let (mut parts, mut lines) = (Vec::new(), Vec::new());
    let mut add = |name: &Arc<[u8]>, program: &mut Program| {
        let placed = |range: Range<Address>| Placed { name: Arc::clone(name), range, distance: 0 };
        pieces.extend(program.code.iter().cloned().map(placed));
        let table = std::mem::take(&mut program.table);
        let whole = Address(0)..Address(u64::MAX);
        parts.push((placed(whole), Arc::unwrap_or_clone(table)));
        lines.push(std::mem::take(&mut program.lines));
    };
    let mut names = names.iter();
    let mut name = || names.next().expect("each image has a name");
    add(name(), &mut all);
    for mut other in images {
        add(name(), &mut other);
        if other.names_from == NamesFrom::SymbolTable {
            all.names_from = NamesFrom::SymbolTable;
        }
        all.notes.extend(other.notes);
        all.cut_names = all.cut_names.or(other.cut_names);
        all.missing_split = all.missing_split.or(other.missing_split);
        all.is_too_large |= other.is_too_large;
        all.percent_skipped = all.percent_skipped.max(other.percent_skipped);
        all.code.extend(other.code);
        all.link_base = all.link_base.min(other.link_base);
        all.refused.extend(other.refused);
        all.is_fixed &= other.is_fixed;
        all.calls_mcount = all.calls_mcount.max(other.calls_mcount);
    }
    all.code.sort_unstable_by_key(|range| range.start);
    pieces.sort_unstable_by_key(|piece| piece.range.start);
    let parts = parts.into_iter().zip(&lines);
    let parts = parts.map(|((placed, table), lines)| (placed, table, &**lines));
    let (table, lines) = SymbolTable::of_objects(parts.collect());
    all.table = Arc::new(table.with_objects(pieces.into()));
    all.lines = lines.into();
    all
}

/// File names, or paths where these are the same.
fn names_of<'p>(paths: impl Iterator<Item = &'p Path> + Clone) -> Vec<Arc<[u8]>> {
    let name = |path: &'p Path| path.file_name().map_or(&b""[..], |name| name.as_encoded_bytes());
    let mut n_named: HashMap<&[u8], usize> = HashMap::new();
    for path in paths.clone() {
        *n_named.entry(name(path)).or_default() += 1;
    }
    let unique = |path: &'p Path| match n_named[name(path)] {
        1 => name(path).into(),
        _ => path.as_os_str().as_encoded_bytes().into(),
    };
    paths.map(unique).collect()
}
