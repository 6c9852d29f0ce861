//! C++ names of the Itanium ABI, printed as by libiberty.
//!
//! The crate `cpp_demangle` is not used: it drops parameters of template constructors and cannot
//! read `sr` names of GCC. It also prints packs and results of enclosing functions differently.
//! None of this can be corrected from outside.

mod encoding;
mod expression;
mod name;
mod node;
mod parser;
mod print;
mod tables;
mod types;

pub(super) use print::NameSyntax;

use super::demangler::DemangleBudget;
use parser::Parser;

/// Demangles `_Z…`, or a file's constructor `_GLOBAL__I_…`.
pub(super) fn demangle(
    name: &[u8],
    syntax: NameSyntax,
    budget: &mut DemangleBudget,
) -> Option<Vec<u8>> {
    if name.len() > budget.max_cxx_length {
        return None;
    }
    match name.strip_prefix(b"_Z") {
        Some(encoding) => demangle_encoding(encoding, syntax, budget),
        None => demangle_global(name, syntax, budget),
    }
}

/// GCC's name for the function that runs a file's constructors; it contains the first name in
/// that file.
fn demangle_global(
    name: &[u8],
    syntax: NameSyntax,
    budget: &mut DemangleBudget,
) -> Option<Vec<u8>> {
    let (words, key) = match name.strip_prefix(b"_GLOBAL_")? {
        [b'_' | b'.' | b'$', b'I', b'_', key @ ..] => ("global constructors keyed to ", key),
        [b'_' | b'.' | b'$', b'D', b'_', key @ ..] => ("global destructors keyed to ", key),
        _ => return None,
    };
    let encoding = key.strip_prefix(b"_Z");
    let function = encoding.and_then(|encoding| demangle_encoding(encoding, syntax, budget));
    let key = function.as_deref().unwrap_or(key);
    Some([words.as_bytes(), key].concat())
}

fn demangle_encoding(
    encoding: &[u8],
    syntax: NameSyntax,
    budget: &mut DemangleBudget,
) -> Option<Vec<u8>> {
    let mut parser = Parser::new(encoding, budget.limit);
    let root = parser.encoding();
    budget.took(parser.nodes.len());
    budget.is_exceeded |= root.is_none() && parser.is_hostile;
    let root = root?;
    let clones = clone_suffixes(parser.rest)?;
    let mut out = print::print(&parser.nodes, root, syntax, budget)?;
    for clone in clones {
        out.extend(b" [clone ");
        out.extend(clone);
        out.extend(b"]");
    }
    Some(out)
}

/// Splits `.part.0.cold` into `.part.0` and `.cold`: a word, which may start with a digit, then
/// the numbers that follow. Anything else is not a clone suffix.
fn clone_suffixes(mut rest: &[u8]) -> Option<Vec<&[u8]>> {
    let mut suffixes = Vec::new();
    while !rest.is_empty() {
        let mut end = match rest {
            [b'.', b'a'..=b'z' | b'0'..=b'9' | b'_', ..] => {
                part_end(rest, |byte| matches!(byte, b'a'..=b'z' | b'0'..=b'9' | b'_'))
            }
            _ => return None,
        };
        while let [b'.', b'0'..=b'9', ..] = rest[end..] {
            end += part_end(&rest[end..], |byte| byte.is_ascii_digit());
        }
        let (suffix, after) = rest.split_at(end);
        suffixes.push(suffix);
        rest = after;
    }
    Some(suffixes)
}

/// Where the part after the dot ends.
fn part_end(rest: &[u8], accept: impl Fn(u8) -> bool) -> usize {
    1 + rest[1..].iter().take_while(|&&byte| accept(byte)).count()
}
