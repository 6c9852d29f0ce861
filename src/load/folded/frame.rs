//! Frames of folded stacks, as their writers decorate them.
//!
//! The suffixes of FlameGraph's scripts and async-profiler are kinds of objects: `_[k]` for the
//! kernel, `_[j]` and `_[1]` for code of a just-in-time compiler, `_[0]` for interpreted code.
//! `_[i]` is an inlined function, in the object of its caller. py-spy writes the location after
//! the name: `work (run.py:8)`; Austin writes `run.py:work:8`; bcc writes offset and object:
//! `work+0x16 [a.out]`.

use std::num::NonZeroU32;

use super::super::frame_parts::FrameParts;

/// Suffixes and their objects.
const OBJECTS: [(&[u8], &[u8]); 4] =
    [(b"_[k]", b"[kernel]"), (b"_[j]", b"[jit]"), (b"_[1]", b"[jit]"), (b"_[0]", b"[interpreted]")];

/// The parts of a frame. `outer` is the object of its caller.
pub(super) fn frame_parts<'a>(text: &'a [u8], outer: Option<&'a [u8]>) -> FrameParts<'a> {
    let (name, object) = object_of(text, outer);
    let place = place_of(name).or_else(|| place_before(name));
    let (name, place) = match place {
        Some((name, file, line)) => (name, Some((file, line))),
        None => (name, None),
    };
    FrameParts {
        address: None,
        name,
        file: place.map(|(file, _)| file),
        line: place.and_then(|(_, line)| line),
        object,
    }
}

/// The name without its object.
fn object_of<'a>(text: &'a [u8], outer: Option<&'a [u8]>) -> (&'a [u8], Option<&'a [u8]>) {
    let of_kind = |suffix: &[u8]| text.strip_suffix(suffix).filter(|name| !name.is_empty());
    if let Some(name) = of_kind(b"_[i]") {
        return (without_offset(name).unwrap_or(name), outer);
    }
    let suffixed = OBJECTS.iter().find_map(|(suffix, object)| Some((of_kind(suffix)?, *object)));
    if let Some((name, object)) = suffixed {
        return (without_offset(name).unwrap_or(name), Some(object));
    }
    let inner = text.strip_suffix(b"]").unwrap_or_default();
    let split = memchr::memmem::rfind(inner, b" [").map(|at| (&inner[..at], &inner[at + 2..]));
    if let Some((name, object)) = split {
        if let Some(name) = without_offset(name) {
            return (name, Some(object).filter(|object| !object.is_empty()));
        }
        // Without an offset, it could be the end of a name.
        if is_library(object) && !name.starts_with(b"0x") {
            return (name, Some(object));
        }
    }
    (without_offset(text).unwrap_or(text), None)
}

/// Returns whether a text is the file name of a shared library, as in `malloc [libc.so.6]`.
fn is_library(object: &[u8]) -> bool {
    object.ends_with(b".so") || memchr::memmem::find(object, b".so.").is_some()
}

/// The name before `+0x16`.
fn without_offset(name: &[u8]) -> Option<&[u8]> {
    let plus = memchr::memmem::rfind(name, b"+0x").filter(|&plus| plus > 0)?;
    let digits = &name[plus + 3..];
    let is_offset = !digits.is_empty() && digits.iter().all(u8::is_ascii_hexdigit);
    is_offset.then_some(&name[..plus])
}

/// Name, file and line.
type PlacedName<'a> = (&'a [u8], &'a [u8], Option<NonZeroU32>);

/// Name, file and line of `name (file:line)`; the line of `name (run.py)` is unknown.
fn place_of(frame: &[u8]) -> Option<PlacedName<'_>> {
    let inner = frame.strip_suffix(b")")?;
    let start = memchr::memmem::rfind(inner, b" (")?;
    let (name, place) = (&inner[..start], &inner[start + 2..]);
    let (file, line) = match numbered(place) {
        Some((file, line)) => (file, Some(line)),
        None => (place, None),
    };
    let is_file = !file.is_empty() && (line.is_some() || is_source(file));
    (!name.is_empty() && is_file).then_some((name, file, line))
}

/// Name, file and line of `file:name:line`. Names of C++ and Java may look like that, so the file
/// must be a source.
fn place_before(frame: &[u8]) -> Option<PlacedName<'_>> {
    let (rest, line) = numbered(frame)?;
    let colon = memchr::memrchr(b':', rest)?;
    let (file, name) = (&rest[..colon], &rest[colon + 1..]);
    (is_source(file) && !name.is_empty()).then_some((name, file, Some(line)))
}

/// The number after the last colon.
fn numbered(text: &[u8]) -> Option<(&[u8], NonZeroU32)> {
    let colon = memchr::memrchr(b':', text)?;
    let line = std::str::from_utf8(&text[colon + 1..]).ok()?.parse().ok()?;
    Some((&text[..colon], line))
}

/// Returns whether a text is the name of a source file of Python: a path, or `<frozen posixpath>`.
fn is_source(file: &[u8]) -> bool {
    let is_path = file.contains(&b'/') && !file.ends_with(b":");
    is_path || file.ends_with(b".py") || file.starts_with(b"<") && file.ends_with(b">")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(frame: &str, expected: &str) {
        let parts = frame_parts(frame.as_bytes(), Some(b"outer"));
        let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
        let mut found = text(parts.name);
        found.extend(parts.file.map(|file| format!("@{}", text(file))));
        found.extend(parts.line.map(|line| format!(":{line}")));
        found.extend(parts.object.map(|object| format!(" in {}", text(object))));
        assert_eq!(found, expected, "{frame}");
    }

    #[test]
    fn suffixes_are_objects() {
        check("f_[k]", "f in [kernel]");
        check("f_[j]", "f in [jit]");
        check("f_[1]", "f in [jit]");
        check("f_[0]", "f in [interpreted]");
        check("f_[i]", "f in outer");
        check("f+0x1f_[k]", "f in [kernel]");
        check("_[k]", "_[k]");
        check("f_[2]", "f_[2]");
    }

    #[test]
    fn offsets_and_objects_in_brackets_are_parts() {
        check("main+0x16 [a.out]", "main in a.out");
        check("operator[](int)+0x16 [lib x.so]", "operator[](int) in lib x.so");
        check("malloc [libc.so.6]", "malloc in libc.so.6");
        check("0x1000 [libc.so.6]", "0x1000 [libc.so.6]");
        check("main+0x16", "main");
        check("-[View draw] [App]", "-[View draw] [App]");
        check("a+0x", "a+0x");
        check("+0x16", "+0x16");
    }

    #[test]
    fn places_are_in_brackets_or_before_the_name() {
        check("<module> (r.py:2)", "<module>@r.py:2");
        check("f (pkg/r.py)", "f@pkg/r.py");
        check("f (int)", "f (int)");
        check("g(a:b)", "g(a:b)");
        check("h (a:0)", "h (a:0)");
        check("/home/me/a.py:keep_busy:30", "keep_busy@/home/me/a.py:30");
        check("<frozen importlib._bootstrap>:_find:7", "_find@<frozen importlib._bootstrap>:7");
        check("T0x7f:12", "T0x7f:12");
        check("ns::f:12", "ns::f:12");
        check("com.A:f:12", "com.A:f:12");
    }
}
