//! Names of source files: how they are put together.

use crate::symbols::MAX_PATH;

/// Compilation directory, directory and name in one, from the last that is
/// absolute. Nothing is normalised, doubled slashes and dots stay. Of parts that are too long
/// for any system the ends are taken.
pub(super) fn join(parts: [&[u8]; 3]) -> Vec<u8> {
    let first = parts.iter().rposition(|part| part.starts_with(b"/"));
    let mut path = Vec::new();
    for part in &parts[first.unwrap_or(0)..] {
        if !path.is_empty() && !part.is_empty() {
            path.push(b'/');
        }
        path.extend_from_slice(&part[part.len().saturating_sub(MAX_PATH)..]);
    }
    path
}

/// A compilation directory without `HOST.:` in front, which IRIX compilers put
/// there and gprof takes away.
pub(super) fn without_host(directory: &[u8]) -> &[u8] {
    let start = directory.iter().take(MAX_PATH);
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
