//! Functions that share addresses: overlays, which a program loads to one place in turn.

use std::collections::HashMap;
use std::ops::Range;

use object::read::{Object, ObjectSection, ObjectSymbol, SectionIndex};
use object::{ObjectKind, SymbolKind};

use super::code::set_bits;
use super::executable::{Executable, ExecutableError, is_code};
use super::symbol_refs::own_symbol_refs;
use crate::model::Address;

/// Two functions of different sections with common addresses.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Overlay<'a> {
    /// The common addresses.
    pub range: Range<Address>,
    pub functions: [&'a [u8]; 2],
    pub sections: [Box<[u8]>; 2],
}

/// A function in a section of code.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord)]
struct CodeSymbol<'a> {
    start: u64,
    end: u64,
    section: usize,
    name: &'a [u8],
}

/// The functions that share addresses with a function of another section before them, each with
/// one of these. Sorts the functions, if any sections share addresses.
///
/// # Errors
/// If the executable is damaged.
pub fn overlays(executable: &Executable) -> Result<Vec<Overlay<'_>>, ExecutableError> {
    let of_images = executable.images().iter().map(overlays_of_image);
    Ok(of_images.collect::<Result<Vec<_>, _>>()?.into_iter().flatten().collect())
}

fn overlays_of_image(executable: &Executable) -> Result<Vec<Overlay<'_>>, ExecutableError> {
    let object = executable.parse()?;
    if object.kind() == ObjectKind::Relocatable || !any_share_addresses(&object) {
        return Ok(Vec::new());
    }
    let sections: HashMap<SectionIndex, Box<[u8]>> = object
        .sections()
        .filter(|section| is_code(section) && section.size() > 0)
        .map(|section| (section.index(), section.name_bytes().unwrap_or_default().into()))
        .collect();
    let mut functions = Vec::new();
    for (symbol, found) in object.symbols().zip(own_symbol_refs(&object)) {
        let section = symbol.section_index().filter(|section| sections.contains_key(section));
        let is_function = symbol.kind() == SymbolKind::Text && symbol.size() > 0;
        if let Some(section) = section.filter(|_| is_function && !found.name.is_empty()) {
            let start = symbol.address() & !set_bits(&object);
            let end = start.saturating_add(symbol.size());
            functions.push(CodeSymbol { start, end, section: section.0, name: found.name });
        }
    }
    functions.sort_unstable();
    let name_of = |function: &CodeSymbol<'_>| sections[&SectionIndex(function.section)].clone();
    let pairs = pairs_of(&functions).into_iter();
    let overlays = pairs.map(|(first, second)| Overlay {
        range: Address(second.start)..Address(first.end.min(second.end)),
        functions: [first.name, second.name],
        sections: [name_of(first), name_of(second)],
    });
    Ok(overlays.collect())
}

fn any_share_addresses(object: &object::File<'_>) -> bool {
    let code = object.sections().filter(|section| is_code(section) && section.size() > 0);
    let mut ranges: Vec<_> =
        code.map(|one| (one.address(), one.address().saturating_add(one.size()))).collect();
    ranges.sort_unstable();
    let mut end = 0;
    ranges.into_iter().any(|range| {
        let is_shared = range.0 < end;
        end = end.max(range.1);
        is_shared
    })
}

/// Ascending functions with one of another section that begins before and ends in or after them.
fn pairs_of<'f, 'a>(
    functions: &'f [CodeSymbol<'a>],
) -> Vec<(&'f CodeSymbol<'a>, &'f CodeSymbol<'a>)> {
    let mut pairs = Vec::new();
    // The function with the highest end, and that of any other section.
    let (mut highest, mut other): (Option<&CodeSymbol<'_>>, Option<&CodeSymbol<'_>>) = (None, None);
    for function in functions {
        let before = [highest, other].into_iter().flatten();
        let mut before = before.filter(|one| one.section != function.section);
        pairs.extend(before.find(|one| one.end > function.start).map(|one| (one, function)));
        match highest {
            Some(one) if one.section == function.section => {
                highest = Some(if one.end < function.end { function } else { one });
            }
            Some(one) if one.end >= function.end => {
                let is_higher = other.is_none_or(|other| other.end < function.end);
                other = if is_higher { Some(function) } else { other };
            }
            _ => (highest, other) = (Some(function), highest),
        }
    }
    pairs
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(functions: &[(u64, u64, usize)], expected: &[(usize, usize)]) {
        let functions: Vec<_> = functions
            .iter()
            .map(|&(start, end, section)| CodeSymbol { start, end, section, name: b"f" })
            .collect();
        let pairs = pairs_of(&functions);
        let index = |one: &CodeSymbol<'_>| functions.iter().position(|other| other == one);
        let pairs: Vec<_> = pairs.iter().filter_map(|(a, b)| index(a).zip(index(b))).collect();
        assert_eq!(pairs, expected);
    }

    #[test]
    fn functions_of_other_sections_share_addresses() {
        check(&[(0, 8, 1), (0, 8, 2), (8, 12, 1)], &[(0, 1)]);
        // Two names of one function, and one within another, are in one section.
        check(&[(0, 8, 1), (0, 8, 1), (4, 6, 1)], &[]);
        check(&[(0, 40, 1), (4, 8, 2), (10, 12, 1), (20, 30, 3)], &[(0, 1), (0, 3)]);
        check(&[(0, 20, 2), (0, 40, 1), (10, 12, 1)], &[(0, 1), (0, 2)]);
    }
}
