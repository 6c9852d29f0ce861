//! Shared objects: their name and the range of their code.

use std::ops::Range;

use object::elf;
use object::read::ReadRef;
use object::read::elf::{ElfFile, FileHeader, ProgramHeader};

use super::executable::Executable;
use crate::model::Address;

/// Page sizes of machines, up to the largest of Linux.
const PAGE_SIZES: [u64; 5] = [0x1000, 0x2000, 0x4000, 0x1_0000, 0x10_0000];

/// A shared object, as the loader sees it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Library {
    /// The name by which programs load it, if any.
    pub soname: Option<Vec<u8>>,
    /// From the first code segment to the end of the last.
    pub code: Range<Address>,
}

impl Library {
    /// Returns whether a profile of the range `covered`, which is rounded to pages of unknown
    /// size, can belong to it.
    pub fn fits(&self, covered: &Range<Address>) -> bool {
        let Range { start, end } = self.code;
        PAGE_SIZES.iter().any(|page| {
            let (low, high) = (start.0 / page, end.0.div_ceil(*page));
            (low.checked_mul(*page), high.checked_mul(*page))
                == (Some(covered.start.0), Some(covered.end.0))
        })
    }
}

/// The properties of an executable as a shared object; `None` for a program.
///
/// Position-independent programs have the type of shared objects too, but name an interpreter
/// or are flagged as programs, and have no soname.
pub fn library_of(executable: &Executable) -> Option<Library> {
    match executable.parse().ok()? {
        object::File::Elf32(file) => of_elf(&file),
        object::File::Elf64(file) => of_elf(&file),
        _ => None,
    }
}

fn of_elf<'data, Elf, R>(file: &ElfFile<'data, Elf, R>) -> Option<Library>
where
    Elf: FileHeader,
    R: ReadRef<'data>,
{
    let endian = file.endian();
    if file.elf_header().e_type(endian) != elf::ET_DYN {
        return None;
    }
    let dynamic = file.elf_dynamic_table().ok()?;
    let entry = |tag| dynamic.iter().find(|entry| entry.tag == tag);
    let soname = entry(elf::DT_SONAME).and_then(|entry| dynamic.string(entry).ok());
    let is_program = entry(elf::DT_FLAGS_1).is_some_and(|flags| flags.val & elf::DF_1_PIE.0 != 0);
    let mut segments = file.elf_program_headers().iter();
    let has_interpreter = segments.any(|segment| segment.p_type(endian) == elf::PT_INTERP);
    if soname.is_none() && (is_program || has_interpreter) {
        return None;
    }
    let code = file.elf_program_headers().iter().filter(|segment| {
        segment.p_type(endian) == elf::PT_LOAD && segment.p_flags(endian) & elf::PF_X == elf::PF_X
    });
    let ends = code.map(|segment| {
        let start: u64 = segment.p_vaddr(endian).into();
        let size: u64 = segment.p_memsz(endian).into();
        start..start.saturating_add(size)
    });
    let code = ends.reduce(|all, one| all.start.min(one.start)..all.end.max(one.end))?;
    Some(Library {
        soname: soname.map(<[u8]>::to_vec),
        code: Address(code.start)..Address(code.end),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(code: Range<u64>, covered: Range<u64>, fits: bool) {
        let library = Library { soname: None, code: Address(code.start)..Address(code.end) };
        let covered = Address(covered.start)..Address(covered.end);
        assert_eq!(library.fits(&covered), fits, "{code:x?} {covered:x?}");
    }

    #[test]
    fn a_profile_covers_the_pages_of_the_code() {
        check(0x1000..0x1161, 0x1000..0x2000, true);
        check(0x1020..0x2001, 0x1000..0x3000, true);
        // Pages of 8 and 64 KiB.
        check(0x1020..0x2001, 0..0x4000, true);
        check(0x1020..0x2001, 0..0x1_0000, true);
        check(0x1020..0x2001, 0x1000..0x2000, false);
        check(0x1020..0x2001, 0..0x3000, false);
        check(0x1000..u64::MAX, 0x1000..0x2000, false);
    }

    #[test]
    fn a_program_is_no_library() {
        let of = |path: &str| library_of(&Executable::open(path.as_ref()).unwrap());
        let library = of("fixtures/sprof/program/libnum.so").unwrap();
        assert_eq!(library.soname.as_deref(), Some(&b"libnum.so"[..]));
        assert_eq!(of("fixtures/sprof/program/menu"), None);
        assert_eq!(of("fixtures/oddities/work"), None);
        let nameless = of("fixtures/oddities/exports.so").unwrap();
        assert_eq!(nameless.soname, None);
    }
}
