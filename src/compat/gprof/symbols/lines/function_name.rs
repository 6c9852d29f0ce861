//! The name of a function in its DWARF entry.

use gimli::{AttributeValue, UnitOffset};

use super::budget::{LineBudget, LineDamage};
use super::units::{self, LineUnit};
use crate::limits::DEEPEST;
use crate::symbols::DebugBytes as Bytes;

/// A name found so far.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct DwarfName<'s> {
    pub(super) name: Option<&'s [u8]>,
    /// The ELF symbol is no longer considered.
    pub(super) is_final: bool,
}

/// Reads the name of the function whose entry is at `entry` of a unit.
///
/// Attributes count in the order they are written. A linkage name replaces the known name; a
/// plain name only fills a gap. An abstract origin or a specification adds its own attributes in
/// the same manner.
pub(super) fn read<'s>(
    dwarf: &gimli::Dwarf<Bytes<'s>>,
    units: &[LineUnit<'s>],
    unit: usize,
    entry: UnitOffset,
    budget: &mut LineBudget,
) -> Result<DwarfName<'s>, LineDamage> {
    let mut chain =
        OriginChain { dwarf, units, budget, found: DwarfName::default(), entries_left: DEEPEST };
    chain.visit(unit, entry)?;
    Ok(chain.found)
}

struct OriginChain<'a, 's> {
    dwarf: &'a gimli::Dwarf<Bytes<'s>>,
    units: &'a [LineUnit<'s>],
    budget: &'a mut LineBudget,
    found: DwarfName<'s>,
    entries_left: usize,
}

impl<'s> OriginChain<'_, 's> {
    /// Visits an entry. The recursion is limited by the remaining entries.
    fn visit(&mut self, unit_index: usize, entry: UnitOffset) -> Result<(), LineDamage> {
        if self.entries_left == 0 {
            return Ok(());
        }
        self.entries_left -= 1;
        let unit = &self.units[unit_index];
        let abbreviations = &unit.dwarf.abbreviations;
        let mut entries = unit.dwarf.header.entries_raw(abbreviations, Some(entry))?;
        let Some(abbreviation) = entries.read_abbreviation()? else {
            return Ok(());
        };
        let specifications = abbreviation.attributes();
        self.budget.spend(specifications.len(), LineBudget::ATTRIBUTE)?;
        for &specification in specifications {
            let attribute = entries.read_attribute(specification)?;
            match attribute.name() {
                gimli::DW_AT_name => self.add_plain_name(unit, attribute.value())?,
                gimli::DW_AT_linkage_name | gimli::DW_AT_MIPS_linkage_name => {
                    self.set_linkage_name(unit, attribute.value())?;
                }
                gimli::DW_AT_abstract_origin | gimli::DW_AT_specification => {
                    self.follow(unit_index, attribute.value())?;
                }
                _ => {}
            }
        }
        Ok(())
    }

    /// Whether a plain name is final depends on the language of the unit that contains it,
    /// not of the referring one.
    fn add_plain_name(
        &mut self,
        unit: &LineUnit<'s>,
        value: AttributeValue<Bytes<'s>>,
    ) -> Result<(), LineDamage> {
        if self.found.name.is_none() {
            self.found.name = self.text(unit, value)?;
            self.found.is_final |= unit.plain_names_are_final;
        }
        Ok(())
    }

    fn set_linkage_name(
        &mut self,
        unit: &LineUnit<'s>,
        value: AttributeValue<Bytes<'s>>,
    ) -> Result<(), LineDamage> {
        if let Some(name) = self.text(unit, value)? {
            self.found.name = Some(name);
            self.found.is_final = true;
        }
        Ok(())
    }

    fn follow(&mut self, unit: usize, target: AttributeValue<Bytes<'s>>) -> Result<(), LineDamage> {
        match target {
            AttributeValue::UnitRef(entry) => self.visit(unit, entry),
            AttributeValue::DebugInfoRef(offset) => {
                let Some(unit) = units::unit_at(self.units, offset.0) else {
                    return Ok(());
                };
                let entry = UnitOffset(offset.0 - self.units[unit].offset);
                self.visit(unit, entry)
            }
            // Signatures of types, and supplementary files.
            _ => Ok(()),
        }
    }

    fn text(
        &mut self,
        unit: &LineUnit<'s>,
        value: AttributeValue<Bytes<'s>>,
    ) -> Result<Option<&'s [u8]>, LineDamage> {
        let Ok(text) = self.dwarf.attr_string(&unit.dwarf, value) else {
            return Ok(None);
        };
        self.budget.spend_on_string(text.slice())?;
        Ok(Some(text.slice()))
    }
}
