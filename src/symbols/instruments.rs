//! What is built into a program that writes profiles, by the names that it mentions.

use super::executable::{Executable, ExecutableError, hook_name};
use super::symbol_refs::symbol_refs;

/// The functions of C libraries that start and end profiling. The start-up files of `-pg`
/// call them. Sources: the C libraries of GNU, the BSDs, newlib and MinGW.
const START_UP: [&[u8]; 6] = [
    b"monstartup",
    b"_monstartup",
    b"__monstartup",
    b"___monstartup",
    b"_mcleanup",
    b"__mcleanup",
];

/// Longer than any of the names, with a version.
const LONGEST: usize = 256;

/// What of profilers a program has.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Instruments {
    /// It mentions the hook that `-pg` plants.
    pub mentions_hook: bool,
    /// Profiling is started and its file is written.
    pub has_start_up: bool,
    /// mpatrol's library is part of it, or is loaded with it.
    pub has_mpatrol: bool,
    /// Functions report that they were entered, by `-finstrument-functions`.
    pub reports_entries: bool,
    /// There are no names by which to tell.
    pub is_nameless: bool,
}

impl Instruments {
    /// Looks at all names of an executable.
    ///
    /// # Errors
    /// When it is damaged.
    pub fn of(executable: &Executable) -> Result<Self, ExecutableError> {
        let object = executable.parse()?;
        let libraries = super::linkage::of(&object).libraries;
        let mut found = Self {
            has_mpatrol: libraries.iter().any(|name| name.starts_with("libmpatrol")),
            is_nameless: true,
            ..Self::default()
        };
        for symbol in symbol_refs(&object) {
            // None of the names is as long, and thousands of symbols may share one that is.
            let name = &symbol.name[..symbol.name.len().min(LONGEST)];
            let plain = name.split(|&byte| byte == b'@').next().unwrap_or(name);
            found.is_nameless &= plain.is_empty();
            found.mentions_hook |= hook_name(name).is_some();
            found.has_mpatrol |= plain.starts_with(b"__mp_");
            found.reports_entries |= plain.ends_with(b"__cyg_profile_func_enter");
            // Every dynamic program asks for the last one; start-up files define it.
            found.has_start_up |=
                START_UP.contains(&plain) || plain == b"__gmon_start__" && !symbol.is_undefined;
        }
        Ok(found)
    }
}
