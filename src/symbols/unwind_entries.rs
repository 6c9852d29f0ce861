//! Functions without names. Unwind tables contain their ranges, even in stripped files.

use std::collections::HashMap;
use std::ops::Range;
use std::sync::Arc;

use gimli::{BaseAddresses, CieOrFde, EhFrame, EndianSlice, RunTimeEndian, UnwindSection};
use object::read::{Object, ObjectSection};

use super::stubs::Stubs;
use super::table::SymbolCandidate;
use crate::model::Address;
use crate::threads;

/// The functions outside of the `known` ones and of stubs, each named by its address. A known
/// symbol without size ends at the next function.
pub(super) fn unnamed(
    object: &object::File<'_>,
    known: &[SymbolCandidate],
    stubs: &Stubs,
) -> Vec<SymbolCandidate> {
    let mut known_starts: Vec<_> = known.iter().map(|one| one.address).collect();
    threads::sort(&mut known_starts);
    let is_named = super::complete_rules::bodies(known);
    let entries = entries(object).into_iter();
    let unnamed = entries.filter(|entry| {
        let start = entry.start;
        !(is_named(start) || known_starts.binary_search(&start).is_ok() || stubs.contain(start))
    });
    let candidate = |entry: Range<Address>| SymbolCandidate {
        address: entry.start,
        size: entry.end.0 - entry.start.0,
        name: entry.start.to_string().into_bytes().into(),
        is_function: true,
        is_static: true,
        source: None,
    };
    unnamed.map(candidate).collect()
}

/// The ranges in the unwind table, up to its first error.
fn entries(object: &object::File<'_>) -> Vec<Range<Address>> {
    let Some(section) = object.section_by_name(".eh_frame") else {
        return Vec::new();
    };
    let bytes = section.data().unwrap_or_default();
    let endian = if object.is_little_endian() { RunTimeEndian::Little } else { RunTimeEndian::Big };
    let mut frames = EhFrame::new(bytes, endian);
    frames.set_address_size(if object.is_64() { 8 } else { 4 });
    let bases = BaseAddresses::default().set_eh_frame(section.address());
    let mut all = frames.entries(&bases);
    // Reads each only once, even if many functions share it.
    let mut shared = HashMap::new();
    let mut found = Vec::new();
    while let Ok(Some(entry)) = all.next() {
        let CieOrFde::Fde(partial) = entry else {
            continue;
        };
        let function = partial.parse(|frames, bases, offset| {
            let known = shared.entry(offset);
            known
                .or_insert_with(|| frames.cie_from_offset(bases, offset).map(Arc::new))
                .clone()
                .map(|cie: Arc<gimli::CommonInformationEntry<EndianSlice<'_, _>>>| (*cie).clone())
        });
        let Ok(function) = function else { continue };
        let (start, n_bytes) = (function.initial_address(), function.len());
        if n_bytes > 0 {
            found.push(Address(start)..Address(start.saturating_add(n_bytes)));
        }
    }
    found
}
