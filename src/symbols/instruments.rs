//! Detects the instrumentation of a program by its symbol names.

use super::counters::mcount_name;
use super::executable::{Executable, ExecutableError};
use super::symbol_refs::symbol_refs;
use crate::limits::KNOWN_NAME;

/// Functions that start and end profiling, called by the start-up files of `-pg`. Sources:
/// `csu/gmon-start.c` in glibc, `csu` of the BSDs, newlib, mingw-w64.
const START_UP: [&[u8]; 6] =
    [b"monstartup", b"_monstartup", b"__monstartup", b"___monstartup", b"_mcleanup", b"__mcleanup"];

/// Functions of MLton's runtime in every program. Source: `include/*-main.h` and
/// `runtime/gc/profiling.c` in MLton.
const MLTON: [&[u8]; 4] = [b"MLton_main", b"_MLton_main", b"GC_profileWrite", b"_GC_profileWrite"];

/// The instrumentation of a program.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Instruments {
    /// Refers to mcount.
    pub refers_to_mcount: bool,
    /// Starts profiling and writes its file.
    pub has_start_up: bool,
    /// Contains or loads mpatrol's library.
    pub has_mpatrol: bool,
    /// Was compiled by MLton.
    pub is_of_mlton: bool,
    /// Was compiled with `-finstrument-functions`.
    pub reports_entries: bool,
    /// Has no names.
    pub is_nameless: bool,
}

impl Instruments {
    /// Checks all names of an executable.
    ///
    /// # Errors
    /// If it is damaged.
    pub fn of(executable: &Executable) -> Result<Self, ExecutableError> {
        let mut found = Self { is_nameless: true, ..Self::default() };
        for image in executable.images() {
            found.add(&image.parse()?);
        }
        Ok(found)
    }

    fn add(&mut self, object: &object::File<'_>) {
        let libraries = super::linkage::of(object).libraries;
        self.has_mpatrol |= libraries.iter().any(|name| name.starts_with("libmpatrol"));
        for symbol in symbol_refs(object) {
            // All of these names are shorter, and thousands of symbols may share a long one.
            let name = &symbol.name[..symbol.name.len().min(KNOWN_NAME)];
            let plain = name.split(|&byte| byte == b'@').next().unwrap_or(name);
            self.is_nameless &= plain.is_empty();
            self.refers_to_mcount |= mcount_name(name).is_some();
            self.has_mpatrol |= plain.starts_with(b"__mp_");
            self.is_of_mlton |= MLTON.contains(&plain);
            self.reports_entries |= plain.ends_with(b"__cyg_profile_func_enter");
            // Every dynamic program refers to the last one; start-up files define it.
            self.has_start_up |=
                START_UP.contains(&plain) || plain == b"__gmon_start__" && !symbol.is_undefined;
        }
    }
}
