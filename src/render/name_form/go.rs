//! Go names: the path of a package, then `.` and a function, or a method of a receiver.
//!
//! Source: `cmd/internal/objabi` and `runtime/symtab.go` in Go.

/// The name with the last part of its package, and without package.
///
/// `example.com/shop/server.(*Handler).Serve.func1` is `server.(*Handler).Serve.func1` and
/// `(*Handler).Serve.func1`. Types of generic functions become `[...]`.
pub(super) fn forms(name: &[u8]) -> Option<[Vec<u8>; 2]> {
    // Type arguments may contain packages of their own.
    let head = name.iter().position(|byte| b"[(".contains(byte)).unwrap_or(name.len());
    let start = name[..head].iter().rposition(|&byte| byte == b'/').map_or(0, |slash| slash + 1);
    let package = name[start..].iter().position(|&byte| byte == b'.')?;
    let is_package = |byte: &u8| byte.is_ascii_lowercase() || b"0123456789_-%".contains(byte);
    let short = &name[start..];
    let function = &short[package + 1..];
    let has_receiver = function.starts_with(b"(*") && function.windows(2).any(|two| two == b").");
    // A file has a suffix in lower case.
    let is_name = function.first().is_some_and(u8::is_ascii_uppercase) || !function.contains(&b'.');
    let has_path = start > 1 && name[0] != b'/' && is_name;
    let is_closure = || closure_number(function).is_some();
    let is_own = package > 0
        && short[..package].iter().all(is_package)
        && !name[..head].contains(&b':')
        && !name[..head].contains(&b' ')
        && !function.is_empty()
        && (has_receiver || has_path || is_closure());
    is_own.then(|| [without_types(short), without_types(function)])
}

/// The number of `f.func1`.
fn closure_number(function: &[u8]) -> Option<u8> {
    const FUNC: &[u8] = b".func";
    let start = function.windows(FUNC.len()).position(|part| part == FUNC)?;
    function.get(start + FUNC.len()).copied().filter(u8::is_ascii_digit)
}

/// `Map[int,string]` is `Map[...]`.
fn without_types(name: &[u8]) -> Vec<u8> {
    let (start, end) =
        (name.iter().position(|&byte| byte == b'['), name.iter().rposition(|&byte| byte == b']'));
    match (start, end) {
        // Types of several brackets are one gap, unless a name is between them.
        (Some(start), Some(end)) if start < end && !name[start..end].contains(&b')') => {
            [&name[..start], b"[...]", &name[end + 1..]].concat()
        }
        _ => name.to_vec(),
    }
}
