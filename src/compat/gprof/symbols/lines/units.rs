//! The units of `.debug_info` and their first entries.

use std::collections::HashMap;
use std::sync::Arc;

use gimli::{
    Abbreviations, AttributeValue, DebugAbbrev, DebugAbbrevOffset, DebugInfoOffset,
    DebugLineOffset, DwLang, Reader, Section, UnitHeader, UnitType,
};

use super::Dwarf;
use super::budget::{LineBudget, LineDamage};
use super::ranges::{self, AddressRange, RangeAttributes};
use crate::symbols::{DebugBytes as Bytes, DebugPart, Notes};

/// A compilation or partial unit.
pub(super) struct LineUnit<'s> {
    /// Offset in `.debug_info`.
    pub(super) offset: usize,
    /// Header, abbreviations and bases.
    pub(super) dwarf: gimli::Unit<Bytes<'s>>,
    pub(super) line_table: Option<DebugLineOffset>,
    pub(super) plain_names_are_final: bool,
    /// Stated ranges; may be empty.
    pub(super) ranges: Vec<AddressRange>,
}

/// Reads the first entry of every unit with code, in file order.
///
/// gprof stops at the first invalid unit.
pub(super) fn read_units<'s>(
    dwarf: &Dwarf<'s>,
    budget: &mut LineBudget,
    notes: &mut Notes<LineDamage>,
) -> Vec<LineUnit<'s>> {
    let mut tables = AbbreviationTables::default();
    let mut units = Vec::new();
    let mut next_offset = Some(0);
    let size = dwarf.debug_info.reader().len();
    while let Some(offset) = next_offset.filter(|&offset| offset < size) {
        match read_unit(dwarf, offset, &mut tables, budget) {
            Ok(unit) => units.extend(unit),
            Err(damage) => {
                notes.add(DebugPart::UnitsFrom(offset), damage);
                break;
            }
        }
        next_offset = end_of_unit(dwarf, offset);
    }
    units
}

/// The unit that contains an offset of `.debug_info`.
pub(super) fn unit_at(units: &[LineUnit<'_>], offset: usize) -> Option<usize> {
    units.partition_point(|unit| unit.offset <= offset).checked_sub(1)
}

/// Start of the next unit. The length comes first, so unknown units can be skipped.
fn end_of_unit(dwarf: &gimli::Dwarf<Bytes<'_>>, offset: usize) -> Option<usize> {
    let mut bytes = *dwarf.debug_info.reader();
    let size = bytes.len();
    bytes.skip(offset).ok()?;
    let (length, _format) = bytes.read_initial_length().ok()?;
    bytes.skip(length).ok()?;
    Some(size - bytes.len())
}

/// A unit, if it can contain code.
fn read_unit<'s>(
    dwarf: &Dwarf<'s>,
    offset: usize,
    tables: &mut AbbreviationTables,
    budget: &mut LineBudget,
) -> Result<Option<LineUnit<'s>>, LineDamage> {
    let header = dwarf.debug_info.header_from_offset(DebugInfoOffset(offset))?;
    if !may_have_code(header.type_()) {
        return Ok(None);
    }
    let abbreviations = tables.get(&dwarf.debug_abbrev, header.debug_abbrev_offset(), budget)?;
    let mut unit = LineUnit {
        offset,
        dwarf: blank(header, abbreviations),
        line_table: None,
        plain_names_are_final: false,
        ranges: Vec::new(),
    };
    unit.read_root(dwarf, budget)?;
    Ok(Some(unit))
}

/// Type units have no code, but line tables, and gprof treats those of DWARF 5 as any other
/// unit.
fn may_have_code(kind: UnitType<usize>) -> bool {
    matches!(
        kind,
        UnitType::Compilation | UnitType::Partial | UnitType::Skeleton(_) | UnitType::Type { .. }
    )
}

/// A unit whose header alone has been read.
///
/// `gimli::Unit::new` would also read the header of the line program, once for each unit.
fn blank<'s>(
    header: UnitHeader<Bytes<'s>>,
    abbreviations: Arc<Abbreviations>,
) -> gimli::Unit<Bytes<'s>> {
    let encoding = header.encoding();
    let file_type = gimli::DwarfFileType::Main;
    gimli::Unit {
        header,
        abbreviations,
        name: None,
        comp_dir: None,
        low_pc: 0,
        str_offsets_base: gimli::DebugStrOffsetsBase::default_for_encoding_and_file(
            encoding, file_type,
        ),
        addr_base: gimli::DebugAddrBase(0),
        loclists_base: gimli::DebugLocListsBase::default_for_encoding_and_file(encoding, file_type),
        rnglists_base: gimli::DebugRngListsBase::default_for_encoding_and_file(encoding, file_type),
        line_program: None,
        dwo_id: None,
    }
}

impl<'s> LineUnit<'s> {
    fn read_root(&mut self, dwarf: &Dwarf<'s>, budget: &mut LineBudget) -> Result<(), LineDamage> {
        let abbreviations = Arc::clone(&self.dwarf.abbreviations);
        let mut entries = self.dwarf.header.entries_raw(&abbreviations, None)?;
        let first = entries.read_abbreviation()?;
        let abbreviation = first.ok_or(gimli::Error::MissingUnitDie)?;
        let mut covered = RangeAttributes::default();
        let mut directory = None;
        budget.spend(abbreviation.attributes().len(), LineBudget::ATTRIBUTE)?;
        for &specification in abbreviation.attributes() {
            let attribute = entries.read_attribute(specification)?;
            covered.note(&attribute);
            match (attribute.name(), attribute.value()) {
                (gimli::DW_AT_comp_dir, value) => directory = Some(value),
                (gimli::DW_AT_stmt_list, AttributeValue::DebugLineRef(offset)) => {
                    self.line_table = Some(offset);
                }
                (gimli::DW_AT_language, AttributeValue::Language(language)) => {
                    self.plain_names_are_final = plain_names_are_final(language);
                }
                (_, value) => self.note_base(value),
            }
        }
        // Indexed strings and addresses need the bases, which may come later
        // than the attributes that use them.
        self.dwarf.comp_dir =
            directory.and_then(|value| dwarf.attr_string(&self.dwarf, value).ok());
        self.dwarf.low_pc = covered.low_pc(dwarf, &self.dwarf)?.unwrap_or(0);
        self.ranges = ranges::read(dwarf, &self.dwarf, &covered, budget)?;
        Ok(())
    }

    fn note_base(&mut self, value: AttributeValue<Bytes<'s>>) {
        match value {
            AttributeValue::DebugStrOffsetsBase(base) => self.dwarf.str_offsets_base = base,
            AttributeValue::DebugAddrBase(base) => self.dwarf.addr_base = base,
            AttributeValue::DebugRngListsBase(base) => self.dwarf.rnglists_base = base,
            _ => {}
        }
    }
}

/// Abbreviation tables by offset in `.debug_abbrev`.
#[derive(Default)]
pub(super) struct AbbreviationTables {
    by_offset: HashMap<usize, Arc<Abbreviations>>,
}

impl AbbreviationTables {
    pub(super) fn get(
        &mut self,
        section: &DebugAbbrev<Bytes<'_>>,
        offset: DebugAbbrevOffset,
        budget: &mut LineBudget,
    ) -> Result<Arc<Abbreviations>, LineDamage> {
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

/// Skips a table. Tables may overlap, so their bytes are charged before they are decoded.
fn charge_for_table(mut bytes: Bytes<'_>, budget: &mut LineBudget) -> Result<(), LineDamage> {
    loop {
        let before = bytes.len();
        let is_last = skip_abbreviation(&mut bytes)?;
        budget.spend(before - bytes.len(), LineBudget::ABBREVIATION_BYTE)?;
        if is_last {
            return Ok(());
        }
    }
}

/// Skips an abbreviation; returns whether it was the end of the table.
fn skip_abbreviation(bytes: &mut Bytes<'_>) -> Result<bool, LineDamage> {
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

/// Returns whether `DW_AT_name` is final.
///
/// For other languages the ELF symbol has priority. The set was determined by trying every
/// code with GNU addr2line 2.40; C17, Ada 83 and units without language are not in it.
pub(super) fn plain_names_are_final(language: DwLang) -> bool {
    matches!(
        language,
        gimli::DW_LANG_C89
            | gimli::DW_LANG_C
            | gimli::DW_LANG_Cobol74
            | gimli::DW_LANG_Cobol85
            | gimli::DW_LANG_Fortran77
            | gimli::DW_LANG_Pascal83
            | gimli::DW_LANG_C99
            | gimli::DW_LANG_PLI
            | gimli::DW_LANG_UPC
            | gimli::DW_LANG_C11
            | gimli::DW_LANG_Mips_Assembler
            | HP_BASIC_91
            | HP_PASCAL_91
            | HP_IMACRO
            | GNU_UPC
    )
}

// Vendor codes that gimli does not name.
const HP_BASIC_91: DwLang = DwLang(0x8004);
const HP_PASCAL_91: DwLang = DwLang(0x8006);
const HP_IMACRO: DwLang = DwLang(0x8007);
const GNU_UPC: DwLang = DwLang(0x8765);
