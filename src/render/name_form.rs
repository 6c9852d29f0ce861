//! Shortens names.

mod dotted;
mod go;
mod right_end;
mod swift;

use std::borrow::Cow;
use std::collections::{HashMap, HashSet};
use std::ops::Range;

use foldhash::fast::RandomState;

use crate::report::width::{CUT, cut_middle, display_width};

pub(super) use right_end::{CLONE_MARKS, right_end};

/// Columns of a short name in pages and pictures, as in a usual terminal.
pub(super) const SHORT_COLUMNS: usize = 72;

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum NameForm {
    /// The whole demangled name.
    #[default]
    Full,
    /// As much as fits: without parameters, template arguments, and the middle.
    Fitting,
    /// Without parameters and template arguments.
    Short,
    /// Without namespaces and classes too.
    Base,
    /// Mangled.
    Linkage,
}

const ARGUMENTS: &[u8] = b"<...>";

const SCOPE: &[u8] = b"::";

/// A name in `columns`: without parameters, template arguments, enclosing scopes, and its
/// middle, as far as necessary.
pub(super) fn fitting(name: &[u8], columns: usize) -> Cow<'_, [u8]> {
    let fits = |name: &[u8]| display_width(name) <= columns;
    if fits(name) {
        return Cow::Borrowed(name);
    }
    if let Some([short, base]) = other_forms(name) {
        return Cow::Owned(if fits(&short) { short } else { cut_middle(&base, columns) });
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
    let plain = match short.first() {
        // The brackets at the start of a Rust name are not arguments.
        Some(b'<') => short.to_vec(),
        _ if has_scopes(short) => with_arguments(short, b""),
        _ => short.to_vec(),
    };
    let mut base = start_of_base(short);
    for (form, has_base) in [(short, false), (&*plain, true)] {
        base = start_of_base(form);
        let starts = starts_of_components(form);
        // A component without a name of its own stays with its neighbour.
        let last = starts.last().copied().unwrap_or(base);
        let starts = starts.into_iter().rev();
        let starts =
            starts.filter(|&start| start < base || has_base && (start == base || start < last));
        // From the end, since each end of a name is wider than those within it.
        if let Some(start) = starts.take_while(|&start| fits(&form[start..])).last() {
            return Cow::Owned(form[start..].to_vec());
        }
    }
    Cow::Owned(cut_middle(&plain[base..], columns))
}

/// A name without ` [clone .isra.0]`.
fn without_clones(name: &[u8]) -> &[u8] {
    const CLONE: &[u8] = b" [clone ";
    let start = name.windows(CLONE.len()).position(|part| part == CLONE);
    start.map_or(name, |start| &name[..start])
}

/// Inline namespaces of standard libraries, which appear in every name.
const INLINE_NAMESPACES: [&[u8]; 3] = [b"__cxx11::", b"__1::", b"_V2::"];

const DEFAULT_ARGUMENTS: [&[u8]; 6] = [
    b", std::allocator<",
    b", std::char_traits<",
    b", std::less<",
    b", std::hash<",
    b", std::equal_to<",
    b", std::default_delete<",
];

/// A name as in sources: `std::string`, and containers without default arguments.
pub(super) fn folded(name: &[u8]) -> Cow<'_, [u8]> {
    const STRING: &[u8] = b"std::basic_string<char>";
    if !name.windows(5).any(|part| part == b"std::") {
        return Cow::Borrowed(name);
    }
    let mut folded: Vec<u8> = Vec::with_capacity(name.len());
    // Each bracket is closed once, so that nested arguments take no longer than others.
    let mut place = 0;
    while place < name.len() {
        let rest = &name[place..];
        if folded.ends_with(b"::")
            && let Some(namespace) = INLINE_NAMESPACES.iter().find(|one| rest.starts_with(one))
        {
            place += namespace.len();
            continue;
        }
        if let Some(length) = length_of_default(rest) {
            place += length;
            continue;
        }
        let is_operator = rest.starts_with(b"operator");
        let length = if is_operator { verbatim_length(rest, false) } else { None };
        let length = length.unwrap_or(1);
        if rest[0] == b'>' && folded.ends_with(b" ") && !folded.ends_with(b"operator ") {
            folded.pop();
        }
        folded.extend_from_slice(&rest[..length]);
        if folded.ends_with(STRING) {
            folded.truncate(folded.len() - STRING.len());
            folded.extend_from_slice(b"std::string");
        }
        place += length;
    }
    Cow::Owned(folded)
}

/// Length of a default argument, if one starts here and no other follows.
fn length_of_default(rest: &[u8]) -> Option<usize> {
    let start = DEFAULT_ARGUMENTS.iter().find(|one| rest.starts_with(one))?;
    let behind = &rest[start.len() - 1..];
    // Longer ones are hardly default arguments, and searching for their end takes time.
    let length = group_length(&behind[..behind.len().min(MAX_DEFAULT)])?;
    let after = &behind[length..];
    let is_last = after.starts_with(b">") || after.starts_with(b" >");
    let is_before_another = || DEFAULT_ARGUMENTS.iter().any(|one| after.starts_with(one));
    (is_last || is_before_another()).then_some(start.len() - 1 + length)
}

const MAX_DEFAULT: usize = 2000;

/// Names with the same shortened text, each with the part that differs from the others and,
/// if it fits, the text around it. Otherwise with a number.
///
/// Linear in the names, for each of a few rounds: a part that differs from most names may not
/// differ from all.
pub(super) fn distinct(names: &[&[u8]], columns: usize) -> Vec<Vec<u8>> {
    let shown = names.iter().map(|name| fitting(name, columns).into_owned()).collect();
    told_apart(names, shown, columns)
}

/// The same for any shortened texts of the names.
pub(super) fn told_apart(names: &[&[u8]], mut shown: Vec<Vec<u8>>, columns: usize) -> Vec<Vec<u8>> {
    let all: Vec<usize> = (0..names.len()).collect();
    let mut alike = of_one_text(&shown, &all);
    for _ in 0..N_ROUNDS {
        let mut left = Vec::new();
        for members in alike {
            let sources: Vec<&[u8]> = members.iter().map(|&member| names[member]).collect();
            for (&member, text) in members.iter().zip(differing(&sources, columns)) {
                shown[member] = text;
            }
            left.extend(of_one_text(&shown, &members));
        }
        alike = left;
    }
    // Other names may have become equal to one of these.
    alike = of_one_text(&shown, &all);
    for members in alike {
        for (number, member) in (1..).zip(members) {
            let number = format!("#{number}");
            let room = columns.saturating_sub(number.len());
            shown[member] = [&*cut_middle(&shown[member], room), number.as_bytes()].concat();
        }
    }
    shown
}

const N_ROUNDS: usize = 4;

/// Members with equal texts, by text.
fn of_one_text(shown: &[Vec<u8>], members: &[usize]) -> Vec<Vec<usize>> {
    let mut places: HashMap<&[u8], usize, RandomState> = HashMap::default();
    let mut by_text: Vec<Vec<usize>> = Vec::new();
    for &member in members {
        let place = *places.entry(&shown[member]).or_insert(by_text.len());
        if place == by_text.len() {
            by_text.push(Vec::new());
        }
        by_text[place].push(member);
    }
    by_text.retain(|alike| alike.len() > 1);
    by_text
}

/// Names without their common parts, except for the last components.
fn differing(names: &[&[u8]], columns: usize) -> Vec<Vec<u8>> {
    let bare = |name: &&[u8]| {
        other_forms(name).map_or_else(|| without_parameters(name), |[short, _]| short)
    };
    let bare: Vec<_> = names.iter().map(bare).collect();
    let is_distinct = bare.iter().collect::<HashSet<_, RandomState>>().len() > 1;
    let sources: Vec<&[u8]> =
        if is_distinct { bare.iter().map(Vec::as_slice).collect() } else { names.to_vec() };
    let (Some(first), Some(n_shortest)) =
        (sources.first(), sources.iter().map(|name| name.len()).min())
    else {
        return Vec::new();
    };
    let is_same = |a: &[u8]| a.iter().zip(*first).take_while(|(a, b)| a == b).count();
    let is_same_behind =
        |a: &[u8]| a.iter().rev().zip(first.iter().rev()).take_while(|(a, b)| a == b).count();
    let is_word = |byte: u8| byte.is_ascii_alphanumeric() || byte == b'_' || byte >= 0x80;
    let mut n_before = sources.iter().map(|name| is_same(name)).min().unwrap_or(0);
    let mut n_behind = sources.iter().map(|name| is_same_behind(name)).min().unwrap_or(0);
    n_behind = n_behind.min(n_shortest - n_before);
    while n_before > 0 && is_word(first[n_before - 1]) {
        n_before -= 1;
    }
    while n_behind > 0 && is_word(first[first.len() - n_behind]) {
        n_behind -= 1;
    }
    let tell = |name: &&[u8]| around(name, n_before..name.len() - n_behind, columns);
    sources.iter().map(tell).collect()
}

/// A part of a name and its last component, with as much of the rest as fits.
fn around(name: &[u8], part: Range<usize>, columns: usize) -> Vec<u8> {
    let base = base_range(name);
    let [first, second] = if part.start <= base.start { [part, base] } else { [base, part] };
    let end = first.end.max(second.end);
    let starts = starts_of_components(name);
    let fits = |text: &Vec<u8>| display_width(text) <= columns;
    let shapes = [
        [first.start..name.len(), end..end],
        [first.start..end, end..end],
        [first.clone(), second.clone()],
    ];
    for [part, other] in &shapes {
        let starts = starts.iter().rev().copied().filter(|&start| start < part.start);
        let starts = [part.start].into_iter().chain(starts);
        let texts = starts.map(|start| with_gaps(name, &[start..part.end, other.clone()]));
        if let Some(text) = texts.take_while(fits).last() {
            return text;
        }
    }
    cut_middle(&with_gaps(name, &[first, second]), columns)
}

/// Parts of a name, with dots for the text between them and for a partial component before
/// them.
fn with_gaps(name: &[u8], [first, second]: &[Range<usize>; 2]) -> Vec<u8> {
    let is_start = first.start == 0 || name[..first.start].ends_with(SCOPE);
    let dots = if is_start { "" } else { CUT };
    let mut text = [dots.as_bytes(), &name[first.clone()]].concat();
    let rest = first.end.max(second.start)..first.end.max(second.end);
    // A gap of at most the length of the dots stays.
    let between = &name[first.end..rest.start];
    text.extend_from_slice(if between.len() > CUT.len() { CUT.as_bytes() } else { between });
    text.extend_from_slice(&name[rest]);
    text
}

/// Range of the last component, without arguments and parameters.
fn base_range(name: &[u8]) -> Range<usize> {
    let start = start_of_base(name);
    let rest = &name[start..];
    let operator = rest.starts_with(b"operator").then(|| verbatim_length(rest, false)).flatten();
    let from = operator.unwrap_or(0);
    let is_end = |byte: &u8| matches!(byte, b'(' | b'<' | b' ');
    let length = rest[from..].iter().position(is_end);
    start..length.map_or(name.len(), |length| start + from + length)
}

/// The short name and its base by the rules of a language other than C++ and Rust, which the
/// spelling shows.
fn other_forms(name: &[u8]) -> Option<[Vec<u8>; 2]> {
    let is_none = || name.starts_with(b"<") || name.starts_with(b"operator");
    let forms = || swift::forms(name).or_else(|| go::forms(name)).or_else(|| dotted::forms(name));
    if is_none() { None } else { forms() }
}

/// `ns::map<...>::find` of `void ns::map<K, V>::find<T>(K const&) const`.
pub(super) fn short(name: &[u8]) -> Vec<u8> {
    if let Some([short, _]) = other_forms(name) {
        return short;
    }
    let short = without_arguments(&without_parameters(name));
    if short.is_empty() { name.to_vec() } else { short }
}

/// `find` of the same. Unnamed functions keep the name of their scope.
pub(super) fn base(name: &[u8]) -> Vec<u8> {
    if let Some([_, base]) = other_forms(name) {
        return base;
    }
    let short = short(name);
    if !has_scopes(name) {
        return short;
    }
    let base = &short[start_of_base(&short)..];
    // `<gc>` is a name, not arguments.
    if base.starts_with(b"<") {
        return base.to_vec();
    }
    let base = with_arguments(base, b"").trim_ascii_end().to_vec();
    if base.is_empty() { short } else { base }
}

/// Start of the last component with a name.
fn start_of_base(short: &[u8]) -> usize {
    let starts = starts_of_components(short);
    let is_named = |&&start: &&usize| {
        let component = &short[start..];
        !component.starts_with(b"{") && !component.starts_with(b"operator()")
    };
    starts.iter().rev().find(is_named).copied().unwrap_or(0)
}

/// Returns whether the name may be from C++ or Rust. Standard ML has `<case (x :: rest)>`.
fn has_scopes(name: &[u8]) -> bool {
    !name.windows(2).any(|pair| pair == b".<" || pair == b" :")
}

/// A name without parameters, the text after them, and the result type.
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

/// Length of an ABI tag: `[abi:cxx11]`.
fn length_of_tag(rest: &[u8]) -> Option<usize> {
    let tag = rest.strip_prefix(b"[abi:")?;
    let is_part = |byte: &u8| byte.is_ascii_alphanumeric() || *byte == b'_';
    let length = tag.iter().take_while(|byte| is_part(byte)).count();
    (tag.get(length) == Some(&b']')).then_some(rest.len() - tag.len() + length + 1)
}

/// Length of qualifiers after parameters.
fn length_of_qualifiers(behind: &[u8]) -> usize {
    const QUALIFIERS: [&[u8]; 4] = [b" const", b" volatile", b" &&", b" &"];
    let mut rest = behind;
    while let Some(shorter) = QUALIFIERS.iter().find_map(|one| rest.strip_prefix(*one)) {
        rest = shorter;
    }
    behind.len() - rest.len()
}

/// Start of the function's name after its result type: after the last blank outside of
/// brackets, but before operators and clone suffixes, which contain blanks.
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

/// A name with `<...>` for template arguments.
fn without_arguments(name: &[u8]) -> Vec<u8> {
    if !has_scopes(name) {
        return name.to_vec();
    }
    // The brackets at the start of a Rust name are not arguments, but contain some: `<Vec<T> as
    // Trait>::f`.
    if name.starts_with(b"<")
        && let Some(length) = group_length(name)
    {
        let inner = with_arguments(&name[1..length - 1], ARGUMENTS);
        let behind = with_arguments(&name[length..], ARGUMENTS);
        return [b"<", &*inner, b">", &*behind].concat();
    }
    with_arguments(name, ARGUMENTS)
}

/// A name with `mark` for longer template arguments.
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

/// Starts of the components separated by `::`.
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

/// Operators with brackets, or similar; no earlier one is a prefix of a later one.
const OPERATORS: [&str; 18] = [
    "()", "<=>", "<<=", ">>=", "->*", "<<", ">>", "<=", ">=", "->", "--", "-=", "==", "!=", "<",
    ">", "-", "=",
];

/// Length of text to copy unchanged, if it starts here.
pub(super) fn verbatim_length(rest: &[u8], is_first: bool) -> Option<usize> {
    const ANONYMOUS: &[u8] = b"(anonymous namespace)";
    const OPERATOR: &[u8] = b"operator";
    if rest.starts_with(ANONYMOUS) {
        return Some(ANONYMOUS.len());
    }
    if let Some(symbol) = rest.strip_prefix(OPERATOR) {
        let found = OPERATORS.iter().find(|one| symbol.starts_with(one.as_bytes()));
        let length = found.map_or(0, |one| one.len());
        // In `operator< <int>` a blank keeps the symbol and the arguments apart.
        return Some(OPERATOR.len() + length);
    }
    if !is_first || !matches!(rest[0], b'<' | b'(') {
        return None;
    }
    group_length(rest)
}

/// Length from an opening bracket to the matching one.
pub(super) fn group_length(rest: &[u8]) -> Option<usize> {
    let mut closing = Vec::new();
    for (place, &byte) in rest.iter().enumerate() {
        match byte {
            b'(' => closing.push(b')'),
            b'<' => closing.push(b'>'),
            // The `>` of a function type's arrow does not close a bracket.
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
            ("std::map<int, std::string>::find(int const&) const", "std::map<...>::find"),
            ("void ns::work<int, char>(std::vector<int>)", "ns::work<...>"),
            ("main::{lambda(int)#1}::operator()(int) const", "main::{lambda#1}::operator()"),
            ("run(int) const::{lambda()#2}::operator()() const", "run::{lambda#2}::operator()"),
            ("(anonymous namespace)::compare(int, int)", "(anonymous namespace)::compare"),
            ("operator new(unsigned long)", "operator new"),
            ("A::operator bool() const", "A::operator bool"),
            ("bool std::operator< <char, int>(std::string const&, int)", "std::operator< <...>"),
            ("bool ns::operator!=<int, char>(int, char)", "ns::operator!=<...>"),
            ("ns::operator<< <int, char>(int, char)", "ns::operator<< <...>"),
            ("A::operator->() const", "A::operator->"),
            ("unsigned long* fill<int>(int)", "fill<int>"),
            ("work(int) [clone .isra.0]", "work [clone .isra.0]"),
            ("std::function<void (int)>::operator()(int) const", "std::function<...>::operator()"),
            (
                "<alloc::vec::Vec<T> as core::iter::From<T>>::from",
                "<alloc::vec::Vec<T> as core::iter::From<T>>::from",
            ),
            ("<Vec<String> as From<&[String]>>::from", "<Vec<...> as From<...>>::from"),
            ("shop::Inventory::name[abi:cxx11](int)", "shop::Inventory::name"),
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
    fn short_names_follow_the_rules_of_their_language() {
        let cases = [
            ("main.(*Server).Handle", "main.(*Server).Handle", "(*Server).Handle"),
            (
                "github.com/acme/widgets/server.(*Handler).ServeHTTP.func1",
                "server.(*Handler).ServeHTTP.func1",
                "(*Handler).ServeHTTP.func1",
            ),
            ("net/http.serve", "http.serve", "serve"),
            ("net/http.Header.Get", "http.Header.Get", "Header.Get"),
            ("main.Server.Handle", "main.Server.Handle", "Handle"),
            (
                "main.Map[go.shape.int_0,net/http.Header].func1",
                "main.Map[...].func1",
                "Map[...].func1",
            ),
            ("main.main", "main.main", "main.main"),
            ("work.constprop.0", "work.constprop.0", "work.constprop.0"),
            (
                "Foundation.JSONDecoder.decode<A where A: Swift.Decodable>(_: A.Type, from: \
                 Foundation.Data) throws -> A",
                "Foundation.JSONDecoder.decode",
                "decode",
            ),
            (
                "closure #1 (Swift.Int, Swift.String) -> Swift.Bool in \
                 App.Controller.update(values: [Swift.Int]) -> ()",
                "closure #1 in App.Controller.update",
                "closure #1 in update",
            ),
            ("App.Item.init(name: Swift.String) -> App.Item", "App.Item.init", "Item.init"),
            ("App.Item.name.getter : Swift.String", "App.Item.name.getter", "name.getter"),
            ("App.(load in _1A2B)(x: Swift.Int) -> ()", "App.load", "load"),
            (
                "protocol witness for Swift.Equatable.== infix(A, A) -> Swift.Bool in \
                 conformance App.Item : Swift.Equatable in App",
                "protocol witness for Swift.Equatable.== infix",
                "== infix",
            ),
            ("java.util.HashMap.put(Object, Object)", "HashMap.put", "put"),
            ("java/util/ArrayList.<init>", "ArrayList.<init>", "ArrayList.<init>"),
            (
                "System.Private.CoreLib!System.Threading.Thread.Sleep(int32)",
                "Thread.Sleep",
                "Sleep",
            ),
            ("std.stdio.File.~this()", "File.~this", "File.~this"),
            (
                "std.algorithm.sorting.sort!(\"a < b\", int[]).sort(int[])",
                "std.algorithm.sorting.sort.sort",
                "sort",
            ),
            ("Stdlib.List.map", "Stdlib.List.map", "map"),
            ("Lists.fold (f : 'a -> 'b) -> int", "Lists.fold", "fold"),
        ];
        for (name, expected_short, expected_base) in cases {
            check(short, name, expected_short);
            check(base, name, expected_base);
        }
    }

    #[test]
    fn short_names_of_real_programs_are_as_in_the_source() {
        let real = include_str!("../../fixtures/names/real.tsv");
        let rows = real.lines().skip(1).map(|line| line.split('\t').collect::<Vec<_>>());
        for row in rows {
            let [_, _, full, expected_short, expected_base] = row[..] else { panic!("{row:?}") };
            check(short, full, expected_short);
            check(base, full, expected_base);
        }
    }

    #[test]
    fn the_base_of_a_name_stands_for_itself() {
        let cases = [
            ("std::map<int, std::string>::find(int const&) const", "find"),
            ("void ns::work<int, char>(std::vector<int>)", "work"),
            ("main::{lambda(int)#1}::operator()(int) const", "main::{lambda#1}::operator()"),
            ("std::function<void (int)>::operator()(int) const", "function::operator()"),
            ("tour::main::{{closure}}", "main::{{closure}}"),
            ("(anonymous namespace)::compare(int, int)", "compare"),
            ("A::operator bool() const", "operator bool"),
            ("<Vec<String> as From<&[String]>>::from", "from"),
            ("core::slice::sort::<i32>", "sort"),
            ("std::rt::lang_start::<()>::{closure#0}", "lang_start::{closure#0}"),
            ("core::iter::<impl Tools for Vec<T>>::sorted", "sorted"),
            ("unsigned long* fill<int>(int)", "fill"),
            ("bool std::operator< <char, int>(int, int)", "operator<"),
            ("loop<int, char>(int) [clone .isra.0]", "loop [clone .isra.0]"),
            ("strike_out", "strike_out"),
        ];
        for (name, expected) in cases {
            check(base, name, expected);
        }
    }

    #[test]
    fn names_of_other_languages_have_no_parameters() {
        for name in ["Vm.run.step.<case (Over, x :: y)>", "<case (x :: rest)>", "<gc>", "a(", "f<"]
        {
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
        check(fit(18), name, "map<...>::find");
        check(fit(13), name, "map::find");
        check(fit(8), name, "find");
        check(fit(4), "strike_out", "...t");
        let lambda = "tour::run(int)::{lambda(int)#2}::operator()(int) const";
        check(fit(29), lambda, "run::{lambda#2}::operator()");
        check(fit(26), lambda, "{lambda#2}::operator()");
        check(fit(20), lambda, "run::{la...perator()");
        let clone = "void std::loop<int*>(int*) [clone .isra.0]";
        check(fit(31), clone, "std::loop<int*> [clone .isra.0]");
        check(fit(20), clone, "std::loop<...>");
    }

    #[test]
    fn what_everybody_repeats_goes_first() {
        let cases = [
            (
                "std::__cxx11::basic_string<char, std::char_traits<char>, std::allocator<char> >::size() const",
                "std::string::size() const",
            ),
            (
                "std::map<int, std::vector<int, std::allocator<int> >, std::less<int>, std::allocator<std::pair<int const, std::vector<int, std::allocator<int> > > > >::size()",
                "std::map<int, std::vector<int>>::size()",
            ),
            ("std::map<int, int, Own, std::allocator<int> >::f()", "std::map<int, int, Own>::f()"),
            (
                "std::set<int, std::less<int>, Pool<int> >::f()",
                "std::set<int, std::less<int>, Pool<int>>::f()",
            ),
            ("bool std::operator> <char>(char)", "bool std::operator> <char>(char)"),
            ("std::chrono::_V2::steady_clock::now()", "std::chrono::steady_clock::now()"),
            ("a > b", "a > b"),
        ];
        for (name, expected) in cases {
            check(|name| folded(name).into_owned(), name, expected);
        }
    }

    #[test]
    fn names_differ_where_they_are_shown_beside_each_other() {
        let check = |names: &[&str], columns, expected: &[&str]| {
            let names: Vec<_> = names.iter().map(|name| name.as_bytes()).collect();
            let shown = distinct(&names, columns);
            let shown: Vec<_> = shown.iter().map(|one| String::from_utf8_lossy(one)).collect();
            assert_eq!(shown, expected, "in {columns} columns");
        };
        let vectors = [
            "void std::vector<shop::Item>::push_back(shop::Item const&)",
            "void std::vector<unsigned long>::push_back(unsigned long const&)",
            "main",
        ];
        check(
            &vectors,
            40,
            &[
                "std::vector<shop::Item>::push_back",
                "std::vector<unsigned long>::push_back",
                "main",
            ],
        );
        check(
            &vectors,
            30,
            &["vector<shop::Item>::push_back", "...unsigned long>::push_back", "main"],
        );
        check(&vectors, 16, &["...sho...sh_back", "...uns...sh_back", "main"]);
        check(&["f(ns::Left, int)", "f(ns::Right, int)"], 12, &["f(ns::Left", "f(ns::Right"]);
        check(&["same", "same"], 12, &["same#1", "same#2"]);
    }

    proptest! {
        #[test]
        fn different_names_are_shown_in_different_ways(
            names in proptest::collection::btree_set("(std::|ns::|a<b>::|v<(int|c)>::){0,3}(f|g|operator\\(\\))(<d>)?(\\((int|e)?\\))?", 1..12),
            columns in 8_usize..40,
        ) {
            let names: Vec<_> = names.iter().map(|name| name.as_bytes()).collect();
            let shown = distinct(&names, columns);
            let all: std::collections::BTreeSet<_> = shown.iter().collect();
            prop_assert_eq!(all.len(), names.len(), "{:?}", shown);
            prop_assert!(shown.iter().all(|name| display_width(name) <= columns));
        }

        #[test]
        fn no_name_is_too_much(name in "([<>(){}:. a-cä]|::|operator|->| const| \\[){0,40}", columns in 8_usize..40) {
            let width = |name: &[u8]| display_width(name);
            prop_assert!(width(&fitting(name.as_bytes(), columns)) <= columns);
            // `<...>` can be longer than an argument next to it, but not longer than a whole
            // name.
            prop_assert!(width(&short(name.as_bytes())) <= name.len());
            prop_assert!(width(&base(name.as_bytes())) <= name.len());
        }
    }

    #[test]
    fn deep_names_take_no_longer_than_long_ones() {
        let depth = if cfg!(debug_assertions) { 10_000 } else { 100_000 };
        for pattern in ["<", "(", "{", "<a>::", "operator<", "a<b<", "(a)::"] {
            let name = pattern.repeat(depth);
            short(name.as_bytes());
            base(name.as_bytes());
            fitting(name.as_bytes(), 30);
        }
        let nested = format!("{}{}", "<".repeat(depth), ">".repeat(depth));
        assert_eq!(fitting(nested.as_bytes(), 10), &b"<<...>>"[..]);
    }
}
