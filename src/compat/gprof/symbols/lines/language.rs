//! Languages in which a function's plain name is also its symbol's name.

use gimli::DwLang;

/// Whether `DW_AT_name` is the last word on a function's name.
///
/// For all other languages the ELF symbol is asked first. The set was found by
/// trying every code on GNU addr2line 2.40. It is not a tidy one: C17, Ada 83
/// and a unit without a language are outside.
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
