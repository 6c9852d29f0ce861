//! Line tables: places by address, and file names by place.

use std::collections::HashMap;

use gimli::{AttributeValue, DebugLineOffset, Format, LineProgramHeader, Reader, Section};

use super::Dwarf;
use super::address_map::AddressMap;
use super::budget::{LineBudget, LineDamage};
use super::line_program::{self, LinePosition};
use super::ranges::AddressRange;
use crate::limits::LONGEST_NAME;
use crate::symbols::{DebugBytes as Bytes, FileId, InternedFiles};

/// gprof's name of a file that the table does not contain.
const NO_SUCH_FILE: &[u8] = b"<unknown>";

/// The index of a line table in [`LineTables`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(super) struct LineTableId(usize);

/// Line tables by offset in `.debug_line`; units may share one.
#[derive(Default)]
pub(super) struct LineTables<'s> {
    tables: Vec<LineTable<'s>>,
    by_offset: HashMap<usize, Option<LineTableId>>,
}

impl<'s> LineTables<'s> {
    pub(super) fn get(&self, id: LineTableId) -> &LineTable<'s> {
        &self.tables[id.0]
    }

    pub(super) fn get_mut(&mut self, id: LineTableId) -> &mut LineTable<'s> {
        &mut self.tables[id.0]
    }

    /// The table of a unit.
    ///
    /// Relative names refer to the first unit with the table. An unreadable table is an error
    /// the first time, and `None` later.
    pub(super) fn read(
        &mut self,
        dwarf: &Dwarf<'s>,
        unit: &gimli::Unit<Bytes<'s>>,
        offset: DebugLineOffset,
        budget: &mut LineBudget,
    ) -> Result<Option<LineTableId>, LineDamage> {
        if let Some(&known) = self.by_offset.get(&offset.0) {
            return Ok(known);
        }
        self.by_offset.insert(offset.0, None);
        let table = LineTable::read(dwarf, unit, offset, budget)?;
        let id = LineTableId(self.tables.len());
        self.tables.push(table);
        self.by_offset.insert(offset.0, Some(id));
        Ok(Some(id))
    }
}

pub(super) struct LineTable<'s> {
    places: AddressMap<LinePosition>,
    covered: Vec<AddressRange>,
    compilation_directory: &'s [u8],
    /// The number of the first of `files`.
    first_file: usize,
    files: Vec<LineTableFile<'s>>,
}

struct LineTableFile<'s> {
    directory: &'s [u8],
    name: &'s [u8],
    /// Set on first use.
    id: Option<FileId>,
}

impl<'s> LineTable<'s> {
    pub(super) fn read(
        dwarf: &Dwarf<'s>,
        unit: &gimli::Unit<Bytes<'s>>,
        offset: DebugLineOffset,
        budget: &mut LineBudget,
    ) -> Result<LineTable<'s>, LineDamage> {
        let mut bytes = *dwarf.debug_line.reader();
        bytes.skip(offset.0)?;
        let (length, format) = bytes.read_initial_length()?;
        budget.spend(length.min(bytes.len()), LineBudget::LINE_TABLE_BYTE)?;

        check_header(bytes, format, budget)?;
        let address_size = unit.header.address_size();
        let program = dwarf.debug_line.program(offset, address_size, None, None)?;
        let header = program.header();
        if is_misread(header, unit.header.format()) {
            return Err(LineDamage::MixedFormats);
        }
        let output = line_program::run(header, budget)?;
        let mut text = |value| {
            let text = dwarf.attr_string(unit, value);
            let text = text.map_or(&[][..], |s| s.slice());
            budget.spend_on_string(text)?;
            Ok::<&'s [u8], LineDamage>(text)
        };
        let listed = header.file_names().iter().map(|file| {
            Ok(LineTableFile {
                directory: directory_of(file.directory_index(), header)
                    .map_or(Ok(&[][..]), &mut text)?,
                name: text(file.path_name())?,
                id: None,
            })
        });
        let files: Result<Vec<_>, LineDamage> = listed.collect();
        let mut files = files?;
        for (name, directory) in output.more_files {
            files.push(LineTableFile {
                directory: directory_of(directory, header).map_or(Ok(&[][..]), &mut text)?,
                name: text(name)?,
                id: None,
            });
        }
        let places = line_program::merge(output.sequences);
        Ok(LineTable {
            covered: places.covered(),
            places,
            compilation_directory: without_host(unit.comp_dir.map_or(&[][..], |s| s.slice())),
            first_file: first_number(header),
            files,
        })
    }

    /// The place of an address, and the end of its range.
    pub(super) fn at(&self, address: u64) -> (Option<LinePosition>, u64) {
        self.places.at(address)
    }

    pub(super) fn covered(&self) -> &[AddressRange] {
        &self.covered
    }

    pub(super) fn file_of(&mut self, place: LinePosition, names: &mut InternedFiles) -> FileId {
        let Some(file) = self.listed_file(place) else {
            return names.mention(NO_SUCH_FILE);
        };
        let file = &mut self.files[file];
        *file.id.get_or_insert_with(|| {
            let parts = [self.compilation_directory, file.directory, file.name];
            names.mention(&join(parts))
        })
    }

    fn listed_file(&self, place: LinePosition) -> Option<usize> {
        let number = usize::try_from(place.file()).ok()?;
        let index = number.checked_sub(self.first_file)?;
        (index < self.files.len()).then_some(index)
    }
}

/// Checks the memory for a header, in case it consists of one-byte names: they are read
/// before they can be counted. `rest` starts after its length.
fn check_header(
    mut rest: Bytes<'_>,
    format: Format,
    budget: &LineBudget,
) -> Result<(), LineDamage> {
    let version = rest.read_u16()?;
    if version >= 5 {
        // The sizes of an address and of a segment's number.
        rest.skip(2)?;
    }
    let length = rest.read_word(format)?.min(rest.len());
    // A name takes two bytes at least.
    budget.check_room((length / 2).saturating_mul(LineBudget::FILE_NAME))
}

/// Returns whether gprof misreads the header of a table.
///
/// It takes the size of offsets from the unit. Compilers that write 64-bit units leave the
/// line table to the assembler, which writes a 32-bit one.
fn is_misread(header: &LineProgramHeader<Bytes<'_>>, unit_format: Format) -> bool {
    let formats = header.directory_entry_format().iter();
    let mut formats = formats.chain(header.file_name_entry_format());
    let has_offsets =
        formats.any(|entry| matches!(entry.form, gimli::DW_FORM_line_strp | gimli::DW_FORM_strp));
    has_offsets && header.format() != unit_format
}

/// Files and directories are numbered from one before DWARF 5; there file zero does not
/// exist, and directory zero is the compilation directory.
fn first_number(header: &LineProgramHeader<Bytes<'_>>) -> usize {
    usize::from(header.version() < 5)
}

/// The directory of a file, except for the compilation directory.
fn directory_of<'s>(
    number: u64,
    header: &LineProgramHeader<Bytes<'s>>,
) -> Option<AttributeValue<Bytes<'s>>> {
    let index = usize::try_from(number).ok()?;
    let listed = header.include_directories();
    listed.get(index.checked_sub(first_number(header))?).copied()
}

/// Compilation directory, directory and name, from the last absolute one. Not normalised:
/// repeated slashes and dots remain. Parts longer than any path keep their end.
pub(super) fn join(parts: [&[u8]; 3]) -> Vec<u8> {
    let first = parts.iter().rposition(|part| part.starts_with(b"/"));
    let mut path = Vec::new();
    for part in &parts[first.unwrap_or(0)..] {
        if !path.is_empty() && !part.is_empty() {
            path.push(b'/');
        }
        path.extend_from_slice(&part[part.len().saturating_sub(LONGEST_NAME)..]);
    }
    path
}

/// A compilation directory without the prefix `HOST.:` of IRIX compilers, which gprof
/// removes.
pub(super) fn without_host(directory: &[u8]) -> &[u8] {
    let start = directory.iter().take(LONGEST_NAME);
    let colon = start.into_iter().position(|&byte| byte == b':');
    match colon.map(|at| (&directory[..at], &directory[at + 1..])) {
        Some((host, rest)) if host.ends_with(b".") && rest.starts_with(b"/") => rest,
        _ => directory,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(parts: [&str; 3], expected: &str) {
        let joined = join(parts.map(str::as_bytes));
        assert_eq!(joined, expected.as_bytes(), "for {parts:?}");
    }

    #[test]
    fn a_name_begins_with_its_last_absolute_part() {
        check(["/c", "sub", "a.c"], "/c/sub/a.c");
        check(["/c", "/abs", "a.c"], "/abs/a.c");
        check(["/c", "sub", "/z/a.c"], "/z/a.c");
        check(["rel", "q", "a.c"], "rel/q/a.c");
    }

    #[test]
    fn missing_parts_leave_no_slash() {
        check(["", "", "a.c"], "a.c");
        check(["/c", "", "a.c"], "/c/a.c");
        check(["", "sub", "a.c"], "sub/a.c");
    }

    #[test]
    fn nothing_is_normalised() {
        check([".", ".", "./a.c"], "./././a.c");
        check(["/c/", "..", "a.c"], "/c//../a.c");
    }

    #[test]
    fn the_host_is_taken_from_a_directory() {
        assert_eq!(without_host(b"foo.:/x"), b"/x");
        assert_eq!(without_host(b"c:/x"), b"c:/x");
    }
}
