//! OCaml names of native code.
//!
//! Sources: `Compilenv.make_symbol` and `Name_mangling` in OCaml, and
//! `tools/perf/util/demangle-ocaml.c` in Linux.

/// `camlStdlib__List__map_123` is `Stdlib.List.map`; `$27` is a character.
pub(super) fn demangle(name: &[u8]) -> Option<Vec<u8>> {
    let mut rest = name
        .strip_prefix(b"caml")
        .filter(|rest| rest.first().is_some_and(u8::is_ascii_uppercase))?;
    let is_number = |part: &[u8]| !part.is_empty() && part.iter().all(u8::is_ascii_digit);
    if let Some(end) = rest.iter().rposition(|&byte| byte == b'_')
        && is_number(&rest[end + 1..])
    {
        rest = &rest[..end];
    }
    let mut out = Vec::with_capacity(rest.len());
    let mut has_parts = false;
    while let [byte, after @ ..] = rest {
        let length = match (byte, after) {
            (b'$', [high, low, ..]) if high.is_ascii_hexdigit() && low.is_ascii_hexdigit() => {
                let digits = std::str::from_utf8(&after[..2]).ok()?;
                out.push(u8::from_str_radix(digits, 16).ok()?);
                3
            }
            // Between a module and what it contains, `.` or `$` since OCaml 5.1.
            (b'_', [b'_', _, ..]) | (b'.' | b'$', [_, ..]) => {
                has_parts = true;
                out.push(b'.');
                if *byte == b'_' { 2 } else { 1 }
            }
            _ => {
                out.push(*byte);
                1
            }
        };
        rest = &rest[length..];
    }
    has_parts.then_some(out)
}

#[cfg(test)]
mod tests {
    use super::demangle;

    fn check(name: &str, expected: Option<&str>) {
        let found = demangle(name.as_bytes());
        let found = found.map(|name| String::from_utf8_lossy(&name).into_owned());
        assert_eq!(found.as_deref(), expected, "for {name}");
    }

    #[test]
    fn functions_of_modules_are_written_as_in_the_source() {
        check("camlStdlib__List__map_123", Some("Stdlib.List.map"));
        check("camlStdlib__List.map_123", Some("Stdlib.List.map"));
        check("camlStdlib$map_1", Some("Stdlib.map"));
        check("camlTour__$2b$21_17", Some("Tour.+!"));
        check("camlTour__walk$27_5", Some("Tour.walk'"));
        check("camlTour__fun_1234", Some("Tour.fun"));
        check("camlTour__entry", Some("Tour.entry"));
    }

    #[test]
    fn names_of_the_runtime_stay() {
        for name in ["caml", "caml_alloc", "caml_main", "camlFloat", "camellia", "camlX__"] {
            check(name, None);
        }
    }
}
