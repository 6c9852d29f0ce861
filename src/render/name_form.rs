//! How much of a name is shown.

use std::borrow::Cow;

use crate::report::width::{CUT, cut_before_end, display_width};

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum NameForm {
    /// All that their language spells.
    #[default]
    Full,
    /// All that there is room for. Parameters go first, then arguments of templates, and
    /// then the middle.
    Fitting,
    /// No parameters, and no arguments of templates.
    Short,
    /// No namespaces and classes either.
    Base,
    /// What the linker knows.
    Linkage,
}

const ARGUMENTS: &[u8] = b"<...>";

const SCOPE: &[u8] = b"::";

pub(super) fn fitting(name: &[u8], columns: usize) -> Cow<'_, [u8]> {
    let fits = |name: &[u8]| display_width(name) <= columns;
    if fits(name) {
        return Cow::Borrowed(name);
    }
    let bare = without_parameters(name);
    if fits(&bare) {
        return Cow::Owned(bare);
    }
    let short = without_arguments(&bare);
    if fits(&short) {
        return Cow::Owned(short);
    }
    let short = without_clones(&short);
    let n_end = width_of_end(short, columns);
    Cow::Owned(cut_before_end(short, columns, n_end))
}

/// A name without ` [clone .isra.0]`, which says less than any part of the name.
fn without_clones(name: &[u8]) -> &[u8] {
    const CLONE: &[u8] = b" [clone ";
    let start = name.windows(CLONE.len()).position(|part| part == CLONE);
    start.map_or(name, |start| &name[..start])
}

/// The columns that are kept of the end of a name where its middle goes: what the function
/// itself is called, if there is room for all of that, or else half.
fn width_of_end(short: &[u8], columns: usize) -> usize {
    let room = columns.saturating_sub(CUT.len());
    let half = room.div_ceil(2);
    if !has_scopes(short) {
        return half;
    }
    let base = start_of_base(short);
    let starts = starts_of_components(short).into_iter();
    let starts = starts.filter(|&start| start >= base.max(SCOPE.len()));
    let starts = starts.flat_map(|start| [start - SCOPE.len(), start]);
    let mut widths = starts.map(|start| display_width(&short[start..]));
    widths.find(|&width| width <= room).unwrap_or(half)
}

/// `ns::map<...>::find` of `void ns::map<K, V>::find<T>(K const&) const`.
pub(super) fn short(name: &[u8]) -> Vec<u8> {
    without_arguments(&without_parameters(name))
}

/// `find` of the same. What has no name of its own keeps that of what it is in.
pub(super) fn base(name: &[u8]) -> Vec<u8> {
    let short = short(name);
    if !has_scopes(name) {
        return short;
    }
    let base = &short[start_of_base(&short)..];
    // `<gc>` is nobody's arguments.
    if base.starts_with(b"<") {
        return base.to_vec();
    }
    with_arguments(base, b"").trim_ascii_end().to_vec()
}

/// Where the last part starts that has a name of its own.
fn start_of_base(short: &[u8]) -> usize {
    let starts = starts_of_components(short);
    let is_named = |&&start: &&usize| {
        let component = &short[start..];
        !component.starts_with(b"{") && !component.starts_with(b"operator()")
    };
    starts.iter().rev().find(is_named).copied().unwrap_or(0)
}

/// Whether the name may be one of C++ or Rust. Standard ML has `<case (x :: rest)>`.
fn has_scopes(name: &[u8]) -> bool {
    !name.windows(2).any(|pair| pair == b".<" || pair == b" :")
}

/// A name without its parameters, what stands behind them, and the type in front.
fn without_parameters(name: &[u8]) -> Vec<u8> {
    if !has_scopes(name) {
        return name.to_vec();
    }
    let mut bare = Vec::with_capacity(name.len());
    let mut had_parameters = false;
    let mut place = 0;
    while place < name.len() {
        let rest = &name[place..];
        if let Some(length) = length_of_tag(rest) {
            place += length;
            continue;
        }
        let mut kept = verbatim_length(rest, place == 0).unwrap_or(1);
        match (rest[0], group_length(rest)) {
            _ if kept > 1 => {}
            (b'(', Some(length)) => {
                had_parameters = true;
                place += length + length_of_qualifiers(&rest[length..]);
                continue;
            }
            (b'<', Some(length)) => kept = length,
            (b'(' | b'<', None) => return name.to_vec(),
            _ => {}
        }
        bare.extend_from_slice(&rest[..kept]);
        place += kept;
    }
    if had_parameters {
        bare.drain(..start_without_type(&bare));
    }
    bare
}

/// The length of a tag such as `[abi:cxx11]`: which of two ABIs a function is of.
fn length_of_tag(rest: &[u8]) -> Option<usize> {
    let tag = rest.strip_prefix(b"[abi:")?;
    let is_part = |byte: &u8| byte.is_ascii_alphanumeric() || *byte == b'_';
    let length = tag.iter().take_while(|byte| is_part(byte)).count();
    (tag.get(length) == Some(&b']')).then_some(rest.len() - tag.len() + length + 1)
}

/// The length of what says more of a function behind its parameters.
fn length_of_qualifiers(behind: &[u8]) -> usize {
    const QUALIFIERS: [&[u8]; 4] = [b" const", b" volatile", b" &&", b" &"];
    let mut rest = behind;
    while let Some(shorter) = QUALIFIERS.iter().find_map(|one| rest.strip_prefix(*one)) {
        rest = shorter;
    }
    behind.len() - rest.len()
}

/// Where a function's name starts behind the type of what it returns: after the last
/// blank that is in no brackets, in front of operators and clones, which have blanks.
fn start_without_type(name: &[u8]) -> usize {
    let (mut start, mut place) = (0, 0);
    while place < name.len() {
        let rest = &name[place..];
        if rest.starts_with(b"operator") || rest.starts_with(b" [") {
            break;
        }
        let length = match rest[0] {
            b'<' | b'(' => match group_length(rest) {
                Some(length) => length,
                None => return start,
            },
            _ => 1,
        };
        if rest[0] == b' ' {
            start = place + 1;
        }
        place += length;
    }
    start
}

/// A name with `<...>` for the arguments of templates.
fn without_arguments(name: &[u8]) -> Vec<u8> {
    if !has_scopes(name) {
        return name.to_vec();
    }
    // What a Rust name starts with is not an argument, but has some: `<Vec<T> as Trait>::f`.
    if name.starts_with(b"<")
        && let Some(length) = group_length(name)
    {
        let inner = with_arguments(&name[1..length - 1], ARGUMENTS);
        let behind = with_arguments(&name[length..], ARGUMENTS);
        return [b"<", &*inner, b">", &*behind].concat();
    }
    with_arguments(name, ARGUMENTS)
}

/// A name with this for the arguments of templates, where they are longer.
fn with_arguments(name: &[u8], mark: &[u8]) -> Vec<u8> {
    let mut bare = Vec::with_capacity(name.len());
    let mut place = 0;
    while place < name.len() {
        let rest = &name[place..];
        let mut kept = verbatim_length(rest, false).unwrap_or(1);
        if kept == 1 && rest[0] == b'<' {
            let Some(length) = group_length(rest) else {
                return name.to_vec();
            };
            if length > mark.len() {
                if mark.is_empty() && bare.ends_with(SCOPE) {
                    bare.truncate(bare.len() - SCOPE.len());
                }
                bare.extend_from_slice(mark);
                place += length;
                continue;
            }
            kept = length;
        }
        bare.extend_from_slice(&rest[..kept]);
        place += kept;
    }
    bare
}

/// Where the parts of a name start that `::` parts.
fn starts_of_components(name: &[u8]) -> Vec<usize> {
    let mut starts = vec![0];
    let (mut place, mut n_open) = (0, 0_usize);
    while place < name.len() {
        let rest = &name[place..];
        let mut length = 1;
        match rest[0] {
            b'{' => n_open += 1,
            b'}' => n_open = n_open.saturating_sub(1),
            b'<' | b'(' => match group_length(rest) {
                Some(group) => length = group,
                None => return starts,
            },
            b':' if n_open == 0 && rest.starts_with(SCOPE) => {
                length = SCOPE.len();
                // Rust has `sort::<i32>`.
                if rest.get(length) != Some(&b'<') {
                    starts.push(place + length);
                }
            }
            _ => {}
        }
        place += length;
    }
    starts
}

/// Operators that are written with brackets, or could be taken to be; none is behind
/// one that it starts with.
const OPERATORS: [&str; 18] = [
    "()", "<=>", "<<=", ">>=", "->*", "<<", ">>", "<=", ">=", "->", "--", "-=", "==", "!=", "<",
    ">", "-", "=",
];

/// The length of what is not looked into, if it starts here.
pub(super) fn verbatim_length(rest: &[u8], is_first: bool) -> Option<usize> {
    const ANONYMOUS: &[u8] = b"(anonymous namespace)";
    const OPERATOR: &[u8] = b"operator";
    if rest.starts_with(ANONYMOUS) {
        return Some(ANONYMOUS.len());
    }
    if let Some(symbol) = rest.strip_prefix(OPERATOR) {
        let found = OPERATORS
            .iter()
            .find(|one| symbol.starts_with(one.as_bytes()));
        let length = found.map_or(0, |one| one.len());
        // In `operator< <int>` a blank keeps the symbol and the arguments apart.
        return Some(OPERATOR.len() + length);
    }
    if !is_first || !matches!(rest[0], b'<' | b'(') {
        return None;
    }
    group_length(rest)
}

/// The length of a group from its opening bracket to the one that closes it.
pub(super) fn group_length(rest: &[u8]) -> Option<usize> {
    let mut closing = Vec::new();
    for (place, &byte) in rest.iter().enumerate() {
        match byte {
            b'(' => closing.push(b')'),
            b'<' => closing.push(b'>'),
            // The arrow of a function type closes nothing.
            b'>' if place > 0 && rest[place - 1] == b'-' => {}
            b')' | b'>' if closing.pop() != Some(byte) => return None,
            _ => {}
        }
        if closing.is_empty() {
            return Some(place + 1);
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn check(form: impl Fn(&[u8]) -> Vec<u8>, name: &str, expected: &str) {
        let found = form(name.as_bytes());
        assert_eq!(String::from_utf8_lossy(&found), expected, "for {name}");
    }

    #[test]
    fn short_names_have_neither_parameters_nor_arguments() {
        let cases = [
            (
                "std::map<int, std::string>::find(int const&) const",
                "std::map<...>::find",
            ),
            (
                "void ns::work<int, char>(std::vector<int>)",
                "ns::work<...>",
            ),
            (
                "main::{lambda(int)#1}::operator()(int) const",
                "main::{lambda#1}::operator()",
            ),
            (
                "run(int) const::{lambda()#2}::operator()() const",
                "run::{lambda#2}::operator()",
            ),
            (
                "(anonymous namespace)::compare(int, int)",
                "(anonymous namespace)::compare",
            ),
            ("operator new(unsigned long)", "operator new"),
            ("A::operator bool() const", "A::operator bool"),
            (
                "bool std::operator< <char, int>(std::string const&, int)",
                "std::operator< <...>",
            ),
            (
                "bool ns::operator!=<int, char>(int, char)",
                "ns::operator!=<...>",
            ),
            (
                "ns::operator<< <int, char>(int, char)",
                "ns::operator<< <...>",
            ),
            ("A::operator->() const", "A::operator->"),
            ("unsigned long* fill<int>(int)", "fill<int>"),
            ("work(int) [clone .isra.0]", "work [clone .isra.0]"),
            (
                "std::function<void (int)>::operator()(int) const",
                "std::function<...>::operator()",
            ),
            (
                "<alloc::vec::Vec<T> as core::iter::From<T>>::from",
                "<alloc::vec::Vec<T> as core::iter::From<T>>::from",
            ),
            (
                "<Vec<String> as From<&[String]>>::from",
                "<Vec<...> as From<...>>::from",
            ),
            (
                "shop::Inventory::name[abi:cxx11](int)",
                "shop::Inventory::name",
            ),
            ("Matrix::operator[](int) const", "Matrix::operator[]"),
            ("tour::main::{{closure}}", "tour::main::{{closure}}"),
            ("grid_mod::step", "grid_mod::step"),
            ("strike_out", "strike_out"),
            ("", ""),
        ];
        for (name, expected) in cases {
            check(short, name, expected);
        }
    }

    #[test]
    fn the_base_of_a_name_stands_for_itself() {
        let cases = [
            ("std::map<int, std::string>::find(int const&) const", "find"),
            ("void ns::work<int, char>(std::vector<int>)", "work"),
            (
                "main::{lambda(int)#1}::operator()(int) const",
                "main::{lambda#1}::operator()",
            ),
            (
                "std::function<void (int)>::operator()(int) const",
                "function::operator()",
            ),
            ("tour::main::{{closure}}", "main::{{closure}}"),
            ("(anonymous namespace)::compare(int, int)", "compare"),
            ("A::operator bool() const", "operator bool"),
            ("<Vec<String> as From<&[String]>>::from", "from"),
            ("core::slice::sort::<i32>", "sort"),
            (
                "std::rt::lang_start::<()>::{closure#0}",
                "lang_start::{closure#0}",
            ),
            ("core::iter::<impl Tools for Vec<T>>::sorted", "sorted"),
            ("unsigned long* fill<int>(int)", "fill"),
            ("bool std::operator< <char, int>(int, int)", "operator<"),
            (
                "loop<int, char>(int) [clone .isra.0]",
                "loop [clone .isra.0]",
            ),
            ("strike_out", "strike_out"),
        ];
        for (name, expected) in cases {
            check(base, name, expected);
        }
    }

    #[test]
    fn names_of_other_languages_have_no_parameters() {
        for name in [
            "Vm.run.step.<case (Over, x :: y)>",
            "<case (x :: rest)>",
            "<gc>",
            "a(",
            "f<",
        ] {
            check(short, name, name);
            check(base, name, name);
        }
    }

    #[test]
    fn names_give_up_as_much_as_they_must() {
        let name = "std::map<int, std::string>::find(int const&) const";
        let fit = |columns| move |name: &[u8]| fitting(name, columns).into_owned();
        check(fit(50), name, name);
        check(fit(49), name, "std::map<int, std::string>::find");
        check(fit(31), name, "std::map<...>::find");
        check(fit(18), name, "std::map...::find");
        check(fit(10), name, "s...::find");
        check(fit(4), "strike_out", "...t");
        let lambda = "tour::run(int)::{lambda(int)#2}::operator()(int) const";
        check(fit(29), lambda, "to...::{lambda#2}::operator()");
        check(fit(24), lambda, "tour::run...::operator()");
        check(fit(14), lambda, "t...operator()");
        check(fit(12), lambda, "tour...tor()");
        let clone = "void std::loop<int*>(int*) [clone .isra.0]";
        check(fit(31), clone, "std::loop<int*> [clone .isra.0]");
        check(fit(20), clone, "std::loop<...>");
    }

    proptest! {
        #[test]
        fn no_name_is_too_much(name in "([<>(){}:. a-cä]|::|operator|->| const| \\[){0,40}", columns in 8_usize..40) {
            let width = |name: &[u8]| display_width(name);
            prop_assert!(width(&fitting(name.as_bytes(), columns)) <= columns);
            // `<...>` can be longer than an argument beside it, but not than all of a name.
            prop_assert!(width(&short(name.as_bytes())) <= name.len());
            prop_assert!(width(&base(name.as_bytes())) <= name.len());
        }
    }

    #[test]
    fn deep_names_take_no_longer_than_long_ones() {
        for pattern in ["<", "(", "{", "<a>::", "operator<", "a<b<", "(a)::"] {
            let name = pattern.repeat(100_000);
            short(name.as_bytes());
            base(name.as_bytes());
            fitting(name.as_bytes(), 30);
        }
        let nested = format!("{}{}", "<".repeat(100_000), ">".repeat(100_000));
        assert_eq!(fitting(nested.as_bytes(), 10), &b"<<...>>"[..]);
    }
}
