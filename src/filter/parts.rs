//! Splits demangled names: `int ns::f<T>(int) const` has a result, a name with namespaces and
//! template arguments, parameters and a qualifier.
//!
//! For C++ and Rust; other names are a base only. Errors are harmless: a name that is split
//! wrongly matches fewer words.

use std::borrow::Cow;

/// A name without its result.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct FunctionNameParts<'a> {
    /// The name, with namespaces and template arguments.
    pub(super) base: &'a [u8],
    /// Parameters, with parentheses.
    pub(super) parameters: Option<&'a [u8]>,
    /// Text after the parameters, such as `const`.
    pub(super) qualifiers: &'a [u8],
}

impl<'a> FunctionNameParts<'a> {
    /// Splits a name. Omits clone suffixes (`[clone .cold]`).
    pub(super) fn of(name: &'a [u8]) -> Self {
        let clone = find(name, b" [clone ").unwrap_or(name.len());
        let name = &name[..clone];
        let mut parameters = None;
        let (mut start, mut is_operator) = (0, false);
        for piece in pieces(name) {
            match piece.text[0] {
                b'(' if piece.is_group => parameters = Some(piece),
                b' ' if !is_operator && parameters.is_none() => start = piece.place + 1,
                _ => is_operator |= piece.is_operator,
            }
            // Only qualifiers follow parameters: `(anonymous namespace)::f` has no parameters.
            if !piece.is_group && matches!(piece.text, b":" | b".") {
                parameters = None;
            }
        }
        let split = parameters.filter(|piece| piece.place > start);
        let end = split.map_or(name.len(), |piece| piece.place);
        let behind = split.map_or(end, |piece| piece.place + piece.text.len());
        Self {
            base: name[start..end].trim_ascii(),
            parameters: split.map(|piece| piece.text),
            qualifiers: name[behind..].trim_ascii(),
        }
    }

    /// The base without template arguments. `<T as Trait>::f` of Rust becomes `T::f`.
    pub(super) fn bare(&self) -> Cow<'a, [u8]> {
        let has_groups = self.base.iter().any(|byte| b"<[".contains(byte));
        if !has_groups {
            return Cow::Borrowed(self.base);
        }
        let mut bare = Vec::with_capacity(self.base.len());
        for piece in pieces(self.base) {
            if piece.is_group && piece.text[0] == b'<' {
                if piece.place == 0 {
                    push_without_groups(implementor(piece.text), &mut bare);
                } else if bare.ends_with(b"::") {
                    // The `::` of `f::<T>` remains.
                    bare.truncate(bare.len() - 2);
                }
            } else if !piece.text.starts_with(b"[abi:") {
                bare.extend_from_slice(piece.text);
            }
        }
        bare.truncate(bare.trim_ascii_end().len());
        Cow::Owned(bare)
    }
}

/// `T` of `<T as Trait>` and of `<T>`.
fn implementor(group: &[u8]) -> &[u8] {
    let inner = group.strip_prefix(b"<").unwrap_or(group);
    let inner = inner.strip_suffix(b">").unwrap_or(inner);
    let is_end = |piece: &NameToken<'_>| inner[piece.place..].starts_with(b" as ");
    let end = pieces(inner).find(is_end);
    &inner[..end.map_or(inner.len(), |piece| piece.place)]
}

fn push_without_groups(name: &[u8], bare: &mut Vec<u8>) {
    let pieces = pieces(name).filter(|piece| !(piece.is_group && piece.text[0] == b'<'));
    pieces.for_each(|piece| bare.extend_from_slice(piece.text));
}

/// A byte, an operator, or a pair of brackets with its contents.
#[derive(Clone, Copy, Debug)]
pub(super) struct NameToken<'a> {
    pub(super) place: usize,
    pub(super) text: &'a [u8],
    pub(super) is_group: bool,
    is_operator: bool,
}

/// The tokens of a name, with brackets as one. Linear.
pub(super) fn pieces(name: &[u8]) -> impl Iterator<Item = NameToken<'_>> {
    let mut place = 0;
    std::iter::from_fn(move || {
        let rest = &name[place..];
        let n_operator = length_of_operator(name, place);
        let (length, is_group) = match rest.first()? {
            b'o' if n_operator > 0 => (n_operator, false),
            b'(' | b'<' | b'{' | b'[' => (length_of_group(rest), true),
            _ => (1, false),
        };
        place += length;
        Some(NameToken {
            place: place - length,
            text: &rest[..length],
            is_group,
            is_operator: n_operator > 0,
        })
    })
}

/// Length of `operator` and its sign at an index; 0 if absent.
fn length_of_operator(name: &[u8], place: usize) -> usize {
    const WORD: &[u8] = b"operator";
    let is_part = |byte: &u8| byte.is_ascii_alphanumeric() || *byte == b'_';
    let Some(behind) = name[place..].strip_prefix(WORD) else {
        return 0;
    };
    let is_inside = place > 0 && is_part(&name[place - 1]);
    if is_inside || behind.first().is_some_and(is_part) {
        return 0;
    }
    let is_pair = behind.starts_with(b"()") || behind.starts_with(b"[]");
    let is_sign = |byte: &&u8| b"<>=-!&|^~*/%+,".contains(byte);
    let n_signs = behind.iter().take_while(is_sign).count();
    WORD.len() + if is_pair { 2 } else { n_signs }
}

/// Length from an opening bracket to the matching one, or to the end.
fn length_of_group(text: &[u8]) -> usize {
    let mut depth = 0_usize;
    for (place, byte) in text.iter().enumerate() {
        match byte {
            b'(' | b'<' | b'{' | b'[' => depth += 1,
            // The `>` of a result's arrow does not close a bracket.
            b'>' if place > 0 && text[place - 1] == b'-' => {}
            b')' | b'>' | b'}' | b']' => depth -= 1,
            _ => {}
        }
        if depth == 0 {
            return place + 1;
        }
    }
    text.len()
}

fn find(text: &[u8], part: &[u8]) -> Option<usize> {
    text.windows(part.len()).position(|window| window == part)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// `BASE|PARAMETERS|QUALIFIERS|BARE`.
    fn check(name: &str, expected: &str) {
        let parts = FunctionNameParts::of(name.as_bytes());
        let shown = |text: &[u8]| String::from_utf8_lossy(text).into_owned();
        let all = [
            shown(parts.base),
            shown(parts.parameters.unwrap_or_default()),
            shown(parts.qualifiers),
            shown(&parts.bare()),
        ];
        assert_eq!(all.join("|"), expected, "for {name}");
    }

    #[test]
    fn parameters_and_results_are_no_part_of_a_name() {
        check("main", "main|||main");
        check("over(int)", "over|(int)||over");
        check("int geo::f<int>(int)", "geo::f<int>|(int)||geo::f");
        check("geo::Box<int>::area() const", "geo::Box<int>::area|()|const|geo::Box::area");
        check(
            "(anonymous namespace)::f(int)",
            "(anonymous namespace)::f|(int)||(anonymous namespace)::f",
        );
        check("f(int) [clone .isra.0]", "f|(int)||f");
        check(
            "void (anonymous namespace)::f<A>()",
            "(anonymous namespace)::f<A>|()||(anonymous namespace)::f",
        );
    }

    #[test]
    fn operators_have_brackets_and_blanks_in_their_names() {
        check("S::operator()(int) const", "S::operator()|(int)|const|S::operator()");
        check("S::operator<(S const&)", "S::operator<|(S const&)||S::operator<");
        check("bool operator< <int>(A)", "operator< <int>|(A)||operator<");
        check("S::operator int*()", "S::operator int*|()||S::operator int*");
        check("operator new[](unsigned long)", "operator new[]|(unsigned long)||operator new[]");
        check("S::operator->()", "S::operator->|()||S::operator->");
    }

    #[test]
    fn local_functions_keep_their_names() {
        check(
            "main::{lambda(int)#1}::operator()(int) const",
            "main::{lambda(int)#1}::operator()|(int)|const|main::{lambda(int)#1}::operator()",
        );
        check("f(int)::Local::run()", "f(int)::Local::run|()||f(int)::Local::run");
    }

    #[test]
    fn names_of_rust_are_taken_apart_too() {
        check(
            "<alloc::vec::Vec<T> as core::iter::Extend<T>>::extend",
            "<alloc::vec::Vec<T> as core::iter::Extend<T>>::extend|||alloc::vec::Vec::extend",
        );
        check("<kv::Store>::get", "<kv::Store>::get|||kv::Store::get");
        check("kv::get::<u8>", "kv::get::<u8>|||kv::get");
        check(
            "core::ops::FnOnce<fn(A) -> B>::call",
            "core::ops::FnOnce<fn(A) -> B>::call|||core::ops::FnOnce::call",
        );
    }

    #[test]
    fn brackets_that_do_not_match_end_with_the_name() {
        check("f(int", "f|(int||f");
        check("a>b", "a>b|||a>b");
        check("(", "(|||(");
        check("", "|||");
        check("<", "<|||");
    }
}
