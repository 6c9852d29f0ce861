//! Languages whose mangled names could also be C names. They are demangled only in programs
//! that evidently use these languages.

use std::borrow::Cow;

use super::gnat;

/// The languages that a program's names show.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Languages {
    is_fortran: bool,
    is_ada: bool,
}

impl Languages {
    /// The languages of a program with these functions.
    pub(super) fn of<'n>(names: impl IntoIterator<Item = &'n [u8]>) -> Self {
        let mut languages = Self::default();
        for name in names {
            languages.is_fortran |= name == FORTRAN_MAIN.as_bytes();
            // GNAT's binder makes these names, also the name of the main procedure.
            languages.is_ada |= name == b"adainit" || name.starts_with(b"_ada_");
        }
        languages
    }

    /// The demangled name, if it differs.
    pub(super) fn demangle(self, raw: &[u8]) -> Option<Vec<u8>> {
        let name = std::str::from_utf8(raw).ok()?;
        let fortran = self.demangle_fortran(name);
        let demangled = fortran.or_else(|| self.demangle_ada(name).map(Cow::Owned))?;
        (demangled != name).then(|| demangled.into_owned().into_bytes())
    }

    /// Modules and the main program have capitals, which names from a Fortran source do not.
    /// A procedure outside of modules ends in `_`, as do many C functions.
    fn demangle_fortran(self, name: &str) -> Option<Cow<'_, str>> {
        if name == FORTRAN_MAIN {
            return Some("main program".into());
        }
        let in_module = || {
            let name = name.strip_prefix("__")?;
            // The name of a submodule starts with the name of its module.
            let parts = name.split_once("_MOD_").or_else(|| name.split_once("_SMOD_"));
            let (module, procedure) = parts.filter(|(module, _)| !module.is_empty())?;
            Some(Cow::Owned(format!("{module}::{procedure}")))
        };
        let alone = || {
            let procedure = name.strip_suffix('_')?;
            let is_own =
                |byte: u8| byte.is_ascii_lowercase() || byte.is_ascii_digit() || byte == b'_';
            let is_procedure = procedure.starts_with(|first: char| first.is_ascii_lowercase())
                && procedure.bytes().all(is_own);
            (self.is_fortran && is_procedure).then_some(Cow::Borrowed(procedure))
        };
        in_module().or_else(alone)
    }

    fn demangle_ada(self, name: &str) -> Option<String> {
        let is_encoded = name.starts_with("_ada_") || name.contains("__");
        if !self.is_ada || !is_encoded {
            return None;
        }
        gnat::decoded(name)
    }
}

/// gfortran's name of the main program.
const FORTRAN_MAIN: &str = "MAIN__";

#[cfg(test)]
mod tests {
    use super::*;

    fn check(program: &[&str], name: &str, expected: &str) {
        let languages = Languages::of(program.iter().map(|name| name.as_bytes()));
        let demangled = languages.demangle(name.as_bytes());
        let demangled = demangled.unwrap_or_else(|| name.into());
        assert_eq!(String::from_utf8_lossy(&demangled), expected, "for {name}");
    }

    #[test]
    fn fortran_names_are_written_as_in_the_source() {
        let program = ["main", "MAIN__"];
        check(&program, "MAIN__", "main program");
        check(&program, "__grid_mod_MOD_step", "grid_mod::step");
        check(&program, "__grid_mod_MOD_step.constprop.0", "grid_mod::step.constprop.0");
        check(&program, "__points_points_a_SMOD_distance", "points_points_a::distance");
        check(&program, "relax_", "relax");
        check(&program, "row.0", "row.0");
        check(&program, "_fini", "_fini");
        check(&program, "main", "main");
    }

    #[test]
    fn ada_names_are_written_as_in_the_source() {
        let program = ["main", "adainit", "_ada_tour"];
        check(&program, "_ada_tour", "tour");
        check(&program, "stacks__push__2", "stacks.push");
        check(&program, "vectors__Oadd", "vectors.\"+\"");
        check(&program, "__gnat_malloc", "__gnat_malloc");
        check(&program, "main", "main");
    }

    #[test]
    fn names_of_other_programs_stay() {
        check(&["main", "list__push"], "list__push", "list__push");
        check(&["main", "exit_"], "exit_", "exit_");
        check(&["main"], "__MOD_x", "__MOD_x");
    }
}
