//! Abbreviation tables, each read once.

use std::collections::HashMap;
use std::sync::Arc;

use gimli::{Abbreviations, DebugAbbrev, DebugAbbrevOffset, Reader, Section};

use super::budget::Budget;
use super::damage::Damage;
use crate::symbols::DebugBytes as Bytes;

/// The tables read so far, by their offset in `.debug_abbrev`.
#[derive(Default)]
pub(super) struct AbbreviationTables {
    by_offset: HashMap<usize, Arc<Abbreviations>>,
}

impl AbbreviationTables {
    pub(super) fn get(
        &mut self,
        section: &DebugAbbrev<Bytes<'_>>,
        offset: DebugAbbrevOffset,
        budget: &mut Budget,
    ) -> Result<Arc<Abbreviations>, Damage> {
        if let Some(table) = self.by_offset.get(&offset.0) {
            return Ok(Arc::clone(table));
        }
        let mut rest = *section.reader();
        rest.skip(offset.0)?;
        charge_for_table(rest, budget)?;
        let table = Arc::new(section.abbreviations(offset)?);
        self.by_offset.insert(offset.0, Arc::clone(&table));
        Ok(table)
    }
}

/// Walks over a table without keeping it. Tables may overlap each other, so
/// their bytes are paid for before they are unpacked.
fn charge_for_table(mut bytes: Bytes<'_>, budget: &mut Budget) -> Result<(), Damage> {
    loop {
        let before = bytes.len();
        let is_last = skip_abbreviation(&mut bytes)?;
        budget.spend(before - bytes.len(), Budget::ABBREVIATION_BYTE)?;
        if is_last {
            return Ok(());
        }
    }
}

/// Steps over one abbreviation; says whether it was the end of the table.
fn skip_abbreviation(bytes: &mut Bytes<'_>) -> Result<bool, Damage> {
    if bytes.read_uleb128()? == 0 {
        return Ok(true);
    }
    let _tag = bytes.read_uleb128()?;
    let _has_children = bytes.read_u8()?;
    loop {
        let name = bytes.read_uleb128()?;
        let form = bytes.read_uleb128()?;
        if form == u64::from(gimli::DW_FORM_implicit_const.0) {
            bytes.read_sleb128()?;
        }
        if (name, form) == (0, 0) {
            return Ok(false);
        }
    }
}
