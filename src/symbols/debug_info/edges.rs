//! Starts and ends of functions and inlined functions.
//!
//! `addr2line` finds the functions at an address, but not their range. Between two edges the
//! answer is the same.

use std::ops::Range;

use gimli::{AttributeValue, DwTag};

use super::budgeted::BudgetedBytes;
use super::notes::{DebugDamage, DebugPart, Notes};
use super::split::{self, SplitReader};
use super::units::{self, Dwarf, DwarfUnit};
use crate::limits;
use crate::model::Address;

/// The result of a pass over all entries.
#[derive(Default)]
pub(super) struct CodeEdges {
    /// Ascending, without duplicates.
    pub(super) addresses: Vec<u64>,
    /// Inlining is too deep to ask `addr2line` for functions.
    pub(super) is_too_deep: bool,
}

/// Reads all entries of units with a part of some code once, which is in address order and
/// apart. Costs their bytes.
pub(super) fn read<'s>(
    dwarf: &Dwarf<'s>,
    split: &'s SplitReader<'_>,
    code: &[Range<Address>],
    notes: &mut Notes<DebugDamage>,
) -> CodeEdges {
    let mut edges = CodeEdges::default();
    let is_in_code = |range: &gimli::Range| {
        let n_before = code.partition_point(|piece| piece.end.0 <= range.begin);
        code.get(n_before).is_some_and(|piece| piece.start.0 < range.end)
    };
    for offset in units::offsets(dwarf) {
        // Units that cannot be read were noted when the index was made.
        let Ok(Some((unit, ranges))) = units::read(dwarf, offset) else {
            continue;
        };
        if !ranges.is_empty() && !ranges.iter().any(is_in_code) {
            continue;
        }
        let done = match unit.dwo_id.and_then(|id| split.dwarf(id, dwarf)) {
            None => read_whole(dwarf, &unit, &mut edges.addresses),
            Some(own) => match split::unit_of(&own, &unit) {
                Ok(unit) => {
                    unit.map_or(Ok(()), |unit| read_whole(&own, &unit, &mut edges.addresses))
                }
                Err(error) => Err(error.into()),
            },
        };
        if let Err(damage) = done {
            edges.is_too_deep |= matches!(damage, DebugDamage::TooDeep { .. });
            notes.add(DebugPart::Unit(offset), damage);
        }
    }
    edges.addresses.sort_unstable();
    edges.addresses.dedup();
    edges
}

fn read_whole<'s>(
    dwarf: &Dwarf<'s>,
    unit: &DwarfUnit<'s>,
    edges: &mut Vec<u64>,
) -> Result<(), DebugDamage> {
    match read_unit(dwarf, unit, edges) {
        // Behind the damage there may be more, which others get by.
        Err(DebugDamage::Dwarf(error)) => depth_is_fine(unit).and(Err(DebugDamage::Dwarf(error))),
        done => done,
    }
}

fn read_unit<'s>(
    dwarf: &Dwarf<'s>,
    unit: &DwarfUnit<'s>,
    edges: &mut Vec<u64>,
) -> Result<(), DebugDamage> {
    let mut nesting = InlineNesting::default();
    let mut entries = unit.entries_raw(None)?;
    while !entries.is_empty() {
        let depth = entries.next_depth();
        let Some(abbreviation) = entries.read_abbreviation()? else {
            continue;
        };
        if !is_function(abbreviation.tag()) {
            entries.skip_attributes(abbreviation.attributes())?;
            continue;
        }
        nesting.enter(abbreviation.tag(), depth)?;
        let mut extent = EntryExtent::default();
        for &specification in abbreviation.attributes() {
            let attribute = entries.read_attribute(specification)?;
            match attribute.name() {
                gimli::DW_AT_low_pc => extent.low = Some(attribute.value()),
                gimli::DW_AT_high_pc => extent.high = Some(attribute.value()),
                gimli::DW_AT_ranges => extent.list = Some(attribute.value()),
                _ => {}
            }
        }
        extent.add_edges(dwarf, unit, edges)?;
    }
    Ok(())
}

fn is_function(tag: DwTag) -> bool {
    matches!(tag, gimli::DW_TAG_subprogram | gimli::DW_TAG_inlined_subroutine)
}

/// Checks the depth of a unit without reading attributes.
fn depth_is_fine(unit: &DwarfUnit<'_>) -> Result<(), DebugDamage> {
    let mut nesting = InlineNesting::default();
    let Ok(mut entries) = unit.entries_raw(None) else {
        return Ok(());
    };
    while !entries.is_empty() {
        let depth = entries.next_depth();
        let Ok(abbreviation) = entries.read_abbreviation() else {
            return Ok(());
        };
        if let Some(abbreviation) = abbreviation {
            nesting.enter(abbreviation.tag(), depth)?;
            if entries.skip_attributes(abbreviation.attributes()).is_err() {
                return Ok(());
            }
        }
    }
    Ok(())
}

/// The depths of the inlined functions around an entry.
#[derive(Default)]
struct InlineNesting(Vec<isize>);

impl InlineNesting {
    fn enter(&mut self, tag: DwTag, depth: isize) -> Result<(), DebugDamage> {
        while self.0.last().is_some_and(|&outer| outer >= depth) {
            self.0.pop();
        }
        if tag == gimli::DW_TAG_inlined_subroutine {
            self.0.push(depth);
        }
        if self.0.len() > limits::DEEPEST {
            return Err(DebugDamage::TooDeep { limit: limits::DEEPEST });
        }
        Ok(())
    }
}

/// The code range of an entry.
#[derive(Default)]
struct EntryExtent<'s> {
    low: Option<AttributeValue<BudgetedBytes<'s>>>,
    high: Option<AttributeValue<BudgetedBytes<'s>>>,
    list: Option<AttributeValue<BudgetedBytes<'s>>>,
}

impl<'s> EntryExtent<'s> {
    fn add_edges(
        self,
        dwarf: &Dwarf<'s>,
        unit: &DwarfUnit<'s>,
        edges: &mut Vec<u64>,
    ) -> Result<(), DebugDamage> {
        if let Some(list) = self.list {
            if let Some(offset) = dwarf.attr_ranges_offset(unit, list)? {
                let mut ranges = dwarf.ranges(unit, offset)?;
                while let Some(range) = ranges.next()? {
                    edges.extend([range.begin, range.end]);
                }
            }
            return Ok(());
        }
        let (Some(low), Some(high)) = (self.low, self.high) else {
            return Ok(());
        };
        let Some(low) = dwarf.attr_address(unit, low)? else {
            return Ok(());
        };
        let high = match high {
            AttributeValue::Udata(size) => Some(low.wrapping_add(size)),
            high => dwarf.attr_address(unit, high)?,
        };
        edges.extend([Some(low), high].into_iter().flatten());
        Ok(())
    }
}
