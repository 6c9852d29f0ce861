//! Shortens names for boxes.

use std::borrow::Cow;

use crate::render::name_form::{group_length, verbatim_length};

const MAX_NAME: usize = 48;

/// Maximum length of a tooltip in characters.
pub(super) const MAX_TOOLTIP: usize = 1000;

/// A name without parameters, template arguments and its middle, as far as necessary.
pub(super) fn shorten(name: &[u8]) -> Cow<'_, [u8]> {
    if is_short(name, MAX_NAME) {
        return Cow::Borrowed(name);
    }
    let without_parameters = elide(name, b'(');
    if is_short(&without_parameters, MAX_NAME) {
        return Cow::Owned(without_parameters);
    }
    let without_arguments = elide(&without_parameters, b'<');
    Cow::Owned(cut(&without_arguments, MAX_NAME).into_owned())
}

/// A name without its middle, if it has more than `max` characters.
pub(super) fn cut(name: &[u8], max: usize) -> Cow<'_, [u8]> {
    if is_short(name, max) {
        return Cow::Borrowed(name);
    }
    let n_kept = max / 2;
    let starts = char_starts(name);
    let (first, last) = (starts[n_kept], starts[starts.len() - n_kept]);
    Cow::Owned([&name[..first], "…".as_bytes(), &name[last..]].concat())
}

fn is_short(name: &[u8], max: usize) -> bool {
    name.len() <= max || (name.len() <= 4 * max && char_starts(name).len() <= max)
}

/// Starts of characters; every byte if the name is not UTF-8.
fn char_starts(name: &[u8]) -> Vec<usize> {
    match std::str::from_utf8(name) {
        Ok(name) => name.char_indices().map(|(place, _)| place).collect(),
        Err(_) => (0..name.len()).collect(),
    }
}

/// Empties parentheses or angle brackets in a name. Keeps the name if they do not match.
///
/// Keeps brackets of operators, `(anonymous namespace)`, and those at the start: `<T as
/// Trait>::f`.
fn elide(name: &[u8], open: u8) -> Vec<u8> {
    let mut short = Vec::with_capacity(name.len());
    let mut place = 0;
    while place < name.len() {
        let rest = &name[place..];
        let length = match verbatim_length(rest, place == 0) {
            Some(length) => length,
            None if rest[0] != open => 1,
            None => match group_length(rest) {
                Some(length) => {
                    short.extend_from_slice(if open == b'(' { "()" } else { "<…>" }.as_bytes());
                    place += length;
                    continue;
                }
                None => return name.to_vec(),
            },
        };
        short.extend_from_slice(&rest[..length]);
        place += length;
    }
    short
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(name: &str, expected: &str) {
        let short = shorten(name.as_bytes());
        assert_eq!(String::from_utf8_lossy(&short), expected, "for {name}");
    }

    #[test]
    fn short_names_stay_as_they_are() {
        check("std::vector<int>::push_back(int const&)", "std::vector<int>::push_back(int const&)");
        check("ö", "ö");
    }

    #[test]
    fn parameters_go_first_then_arguments_then_the_middle() {
        check(
            "ns::work(std::basic_string<char, std::char_traits<char>>, int) const",
            "ns::work() const",
        );
        check(
            "std::map<std::basic_string<char>, std::vector<int>>::operator[](std::string const&)",
            "std::map<…>::operator[]()",
        );
        check(
            "(anonymous namespace)::compare(std::vector<int> const&, std::vector<int>)",
            "(anonymous namespace)::compare()",
        );
        check(
            "<alloc::vec::Vec<T> as core::iter::FromIterator<T>>::from_iter",
            "<alloc::vec::Vec<T> as c…mIterator<T>>::from_iter",
        );
        check(
            "bool std::operator< <char, std::allocator<char>>(std::string const&, int)",
            "bool std::operator< <…>()",
        );
        check(
            "std::function<void (int, std::vector<int>)>::operator()(int, long, long) const",
            "std::function<void ()>::operator()() const",
        );
        check(&"x".repeat(100), &format!("{0}…{0}", "x".repeat(24)));
    }

    #[test]
    fn brackets_that_do_not_match_are_cut_in_the_middle() {
        let name = format!("f({}", "<".repeat(80));
        check(&name, &format!("f({}…{}", "<".repeat(22), "<".repeat(24)));
    }

    #[test]
    fn bytes_that_are_no_text_are_cut_too() {
        assert!(cut(&[0xff; 200], 10).len() < 20);
        assert!(cut(&[0x80; 200], 10).len() < 20);
    }
}
