//! The functions that count calls: mcount, and what it calls.

use super::Symbol;
use super::symbol_refs::symbol_refs;
use crate::limits::KNOWN_NAME;

/// Functions of all runtimes that count calls. The first names are those that `-pg` calls.
/// Sources: `MCOUNT_NAME` and `FUNCTION_PROFILER` in `gcc/config` of GCC; `MCountName` in
/// `clang/lib/Basic/Targets` of LLVM; and as below.
const COUNTERS: [&[u8]; 11] = [
    // Most systems; the BSDs' `machine/profile.h`.
    b"mcount",
    b"_mcount",
    // The BSDs; dietlibc's `profiling/__mcount.c`.
    b"__mcount",
    // `-mfentry`; MinGW's default (`mcountFunc.S` in mingw-w64).
    b"__fentry__",
    // ARM's EABI.
    b"__gnu_mcount_nc",
    // `gmon.h` in mingw-w64 and Cygwin: called by `_mcount` and `__fentry__`.
    b"_mcount_private",
    // `machine-gmon.h` of glibc, for most machines; OP-TEE.
    b"__mcount_internal",
    // Ports for ARM boards: `_mcount_internal` in those with newlib, `mcount_internal` in NuttX.
    b"_mcount_internal",
    b"mcount_internal",
    // `libgcc/config/sol2/gmon.c` in GCC, for Solaris.
    b"internal_mcount",
    // OSF/1; gprof excludes it by default.
    b"_gprof_mcount",
];

/// The name without its version, if it belongs to a function that counts calls. A dot before it
/// marks code in 64-bit PowerPC (ELFv1), and is part of the name on FreeBSD.
pub(super) fn mcount_name(name: &[u8]) -> Option<&[u8]> {
    if !matches!(name.first(), Some(b'm' | b'i' | b'_' | b'.')) {
        return None;
    }
    // Thousands of symbols may share a name that takes long to look through.
    let name = &name[..name.len().min(KNOWN_NAME)];
    let plain = name.split(|&byte| byte == b'@').next().unwrap_or(name);
    mcount_rank(plain).map(|_| plain)
}

/// The rank of a name of mcount.
pub(super) fn mcount_rank(name: &[u8]) -> Option<usize> {
    let plain = name.strip_prefix(b".").unwrap_or(name);
    COUNTERS.iter().position(|&counter| counter == plain)
}

/// Returns whether the program refers to mcount. `None` without a symbol table.
pub(super) fn calls_mcount(object: &object::File<'_>) -> Option<bool> {
    let symbols = symbol_refs(object).into_iter();
    let mut names = symbols.map(|symbol| symbol.name).filter(|name| !name.is_empty()).peekable();
    names.peek()?;
    Some(names.any(|name| mcount_name(name).is_some()))
}

impl Symbol {
    /// Returns whether the function counts calls.
    pub fn counts_calls(&self) -> bool {
        mcount_name(&self.name).is_some()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn counters_of_all_runtimes_are_known_with_dots_and_versions() {
        let names =
            ["mcount@GLIBC_2.2.5", ".mcount", "._mcount", "._mcount@@GLIBC_2.3", "__fentry__"];
        let inner =
            ["_mcount_private", "__mcount_internal", ".__mcount_internal", "internal_mcount"];
        for name in names.into_iter().chain(inner) {
            assert!(mcount_name(name.as_bytes()).is_some(), "{name}");
        }
        for name in ["", ".", "main", "mcounter", "..mcount", "_mcount_top", "@mcount"] {
            assert_eq!(mcount_name(name.as_bytes()), None, "{name}");
        }
    }
}
