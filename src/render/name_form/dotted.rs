//! Names of Java, C#, D, OCaml and others, whose parts are separated by dots.

use std::ops::Range;

/// Members that are named after their type.
const MEMBERS: [&[u8]; 7] =
    [b"<init>", b"<clinit>", b".ctor", b".cctor", b"this", b"~this", b"__ctor"];

/// The name from its class on, without parameters, and its last part.
///
/// `java.util.HashMap.put(Object)` is `HashMap.put` and `put`.
pub(super) fn forms(name: &[u8]) -> Option<[Vec<u8>; 2]> {
    // C# has `Library!Namespace.Type.Method`.
    let library = name.iter().position(|&byte| byte == b'!').filter(|&mark| {
        name[mark + 1..].first().is_some_and(u8::is_ascii_uppercase)
            && !name[..mark].contains(&b'(')
    });
    let bare = without_arguments(&name[library.map_or(0, |mark| mark + 1)..])?;
    let parts = parts(&bare);
    let is_type = |part: &Range<usize>| bare[part.start].is_ascii_uppercase();
    let last = parts.last()?;
    let first_type = parts.iter().position(is_type).filter(|&place| place + 1 < parts.len());
    let is_d = bare.len() < name.len() && bare[0].is_ascii_lowercase();
    let start = match (library, first_type) {
        (Some(_), _) => parts.len().saturating_sub(2),
        // A single part may be a package of Go with a receiver: `main.Server.Handle`.
        (None, Some(1)) => 0,
        (None, Some(first)) => first,
        (None, None) if is_d && parts.len() > 1 => 0,
        _ => return None,
    };
    let is_member = MEMBERS.contains(&&bare[last.clone()]);
    let n_base = if is_member { 2 } else { 1 };
    let base = parts[parts.len().saturating_sub(n_base)].start;
    Some([bare[parts[start].start..].to_vec(), bare[base..].to_vec()])
}

/// A name without parameters and the arguments of D's templates, `!(…)` and `!int`; `None` for
/// names of other languages.
fn without_arguments(name: &[u8]) -> Option<Vec<u8>> {
    let mut bare = Vec::with_capacity(name.len());
    let mut rest = name;
    while let [byte, after @ ..] = rest {
        let is_constructor = || rest.starts_with(b"<init>") || rest.starts_with(b"<clinit>");
        let is_plain = byte.is_ascii_alphanumeric() || b"_$./~`@'-+".contains(byte);
        let length = match byte {
            b'(' => parentheses_length(rest)?,
            b'!' if after.starts_with(b"(") => 1 + parentheses_length(after)?,
            b'!' => 1 + after.iter().take_while(|byte| byte.is_ascii_alphanumeric()).count(),
            b'<' if is_constructor() => 1,
            b'>' if bare.ends_with(b"init") => 1,
            _ if *byte >= 0x80 || is_plain => 1,
            b' ' if bare.len() < name.len() - rest.len() => break,
            _ => return None,
        };
        if !matches!(byte, b'(' | b'!') {
            bare.push(*byte);
        }
        rest = &rest[length..];
    }
    (!bare.is_empty()).then_some(bare)
}

/// Length from `(` to the matching one; strings may contain others.
fn parentheses_length(rest: &[u8]) -> Option<usize> {
    let (mut n_open, mut is_quoted) = (0_usize, false);
    for (place, byte) in rest.iter().enumerate() {
        match byte {
            b'"' => is_quoted = !is_quoted,
            b'(' if !is_quoted => n_open += 1,
            b')' if !is_quoted => n_open -= 1,
            _ => {}
        }
        if n_open == 0 {
            return Some(place + 1);
        }
    }
    None
}

/// The parts between dots, and between slashes of a package.
fn parts(bare: &[u8]) -> Vec<Range<usize>> {
    let mut parts = Vec::new();
    let mut start = 0;
    for (place, byte) in bare.iter().enumerate() {
        // C# has `Type..ctor`.
        if b"./".contains(byte) && place > start {
            parts.push(start..place);
            start = place + 1;
        }
    }
    if start < bare.len() {
        parts.push(start..bare.len());
    }
    parts
}
