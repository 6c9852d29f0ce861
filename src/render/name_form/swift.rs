//! Swift names, as the compiler's demangler writes them.
//!
//! Source: `docs/ABI/Mangling.rst` and `NodePrinter.cpp` in Swift.

use super::group_length;

/// Members that are named after their type or property.
const MEMBERS: [&[u8]; 10] = [
    b"init",
    b"deinit",
    b"__allocating_init",
    b"__deallocating_deinit",
    b"getter",
    b"setter",
    b"modify",
    b"read",
    b"subscript",
    b"unsafeMutableAddressor",
];

/// The name without parameters and types, and the same without modules and types around it.
///
/// `closure #1 (Swift.Int) -> Swift.Bool in App.Store.load(name: Swift.String) -> App.Item` is
/// `closure #1 in App.Store.load` and `closure #1 in load`.
pub(super) fn forms(name: &[u8]) -> Option<[Vec<u8>; 2]> {
    let is_own = has(name, b"closure #")
        || has(name, b": Swift.")
        || top_level(name, |rest| rest.starts_with(b" -> ")).is_some();
    if !is_own || top_level(name, |rest| rest.starts_with(b"::")).is_some() {
        return None;
    }
    let mut rest = name;
    let mut closures = Vec::new();
    while let Some(number) = closure(rest) {
        closures.extend_from_slice(number);
        closures.extend_from_slice(b" in ");
        let end = top_level(rest, |rest| rest.starts_with(b" in "))?;
        rest = &rest[end + b" in ".len()..];
    }
    let path = path(rest);
    let start = start_of_base(&path);
    let is_any = start < path.len();
    is_any.then(|| [[&*closures, &path].concat(), [&*closures, &path[start..]].concat()])
}

/// `closure #1`, or `implicit closure #1`, at the start.
fn closure(rest: &[u8]) -> Option<&[u8]> {
    const CLOSURE: &[u8] = b"closure #";
    let n_implicit = if rest.starts_with(b"implicit ") { b"implicit ".len() } else { 0 };
    let number = rest[n_implicit..].strip_prefix(CLOSURE)?;
    let n_digits = number.iter().take_while(|byte| byte.is_ascii_digit()).count();
    Some(&rest[..n_implicit + CLOSURE.len() + n_digits])
}

/// The name before its parameters and type. A private name has its file: `App.(load in _1A2B)`.
fn path(name: &[u8]) -> Vec<u8> {
    let mut path = Vec::with_capacity(name.len());
    let mut rest = name;
    if rest.starts_with(b"(extension in ")
        && let Some(length) = group_length(rest)
    {
        rest = rest[length..].strip_prefix(b":").unwrap_or(&rest[length..]);
    }
    while let [byte, after @ ..] = rest {
        let operator = operator_length(rest).filter(|_| path.ends_with(b"."));
        let length = match byte {
            _ if operator.is_some() => operator.unwrap_or(1),
            b'(' if path.is_empty() || path.ends_with(b".") => {
                let Some(length) = group_length(rest) else { break };
                let group = &rest[1..length - 1];
                let end = group.windows(4).position(|part| part == b" in ").unwrap_or(group.len());
                path.extend_from_slice(&group[..end]);
                rest = &rest[length..];
                continue;
            }
            b'<' => match group_length(rest) {
                // The arguments of a type whose member follows.
                Some(length) if rest.get(length) == Some(&b'.') => {
                    rest = &rest[length..];
                    continue;
                }
                _ => break,
            },
            b'(' => break,
            b' ' if after.starts_with(b"-> ") || after.starts_with(b": ") => break,
            _ => 1,
        };
        path.extend_from_slice(&rest[..length]);
        rest = &rest[length..];
    }
    path.truncate(path.trim_ascii_end().len());
    path
}

const OPERATOR_LENGTH: usize = 16;

/// Length of an operator, which `infix`, `prefix` or `postfix` follows: `== infix`.
fn operator_length(rest: &[u8]) -> Option<usize> {
    let length = rest.iter().take(OPERATOR_LENGTH).take_while(|&&byte| byte != b' ').count();
    let is_symbol = |byte: &u8| byte.is_ascii_punctuation() && !b"(_[".contains(byte);
    let kind = rest.get(length + 1..)?;
    let is_kind = [&b"infix"[..], b"prefix", b"postfix"].iter().any(|one| kind.starts_with(one));
    (length > 0 && rest[..length].iter().all(is_symbol) && is_kind).then_some(length)
}

fn start_of_base(path: &[u8]) -> usize {
    let after_dot =
        |end: usize| path[..end].iter().rposition(|&byte| byte == b'.').map_or(0, |dot| dot + 1);
    if is_operator(path) {
        let end = path.iter().rposition(|&byte| byte == b' ').unwrap_or(path.len());
        let is_word = |byte: &u8| byte.is_ascii_alphanumeric() || *byte == b'_';
        let word = path[..end].iter().rposition(is_word);
        // A dot is between the type and the operator.
        return word.map_or(0, |last| (last + 2).min(end));
    }
    let start = after_dot(path.len());
    if start > 0 && MEMBERS.contains(&&path[start..]) { after_dot(start - 1) } else { start }
}

fn is_operator(path: &[u8]) -> bool {
    [&b" infix"[..], b" prefix", b" postfix"].iter().any(|kind| path.ends_with(kind))
}

fn has(name: &[u8], part: &[u8]) -> bool {
    memchr::memmem::find(name, part).is_some()
}

/// The first place outside of brackets where `is_it` holds.
fn top_level(name: &[u8], is_it: impl Fn(&[u8]) -> bool) -> Option<usize> {
    let mut place = 0;
    while place < name.len() {
        let rest = &name[place..];
        if is_it(rest) {
            return Some(place);
        }
        place += if matches!(rest[0], b'(' | b'<') { group_length(rest)? } else { 1 };
    }
    None
}
