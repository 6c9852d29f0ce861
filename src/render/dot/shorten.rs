//! Shortens names for boxes.

use crate::render::name_form::{group_length, right_end, verbatim_length};

const NAME_LENGTH: usize = 48;

/// Maximum length of a tooltip in characters.
pub(super) const TOOLTIP_LENGTH: usize = 1000;

/// A name without parameters, template arguments and its first components, as far as necessary.
pub(super) fn shorten(name: &[u8]) -> Vec<u8> {
    let is_short = |name: &[u8]| String::from_utf8_lossy(name).chars().count() <= NAME_LENGTH;
    if is_short(name) {
        return name.to_vec();
    }
    let without_parameters = elide(name, b'(');
    if is_short(&without_parameters) {
        return without_parameters;
    }
    let without_arguments = elide(&without_parameters, b'<');
    right_end(&String::from_utf8_lossy(&without_arguments), NAME_LENGTH).into_owned().into_bytes()
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
    fn parameters_go_first_then_arguments_then_first_components() {
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
            "<alloc::vec::Vec<T> as core::iter::FromIterator…",
        );
        check(
            "bool std::operator< <char, std::allocator<char>>(std::string const&, int)",
            "bool std::operator< <…>()",
        );
        check(
            "std::function<void (int, std::vector<int>)>::operator()(int, long, long) const",
            "std::function<void ()>::operator()() const",
        );
        check(&"x".repeat(100), &format!("{}…", "x".repeat(47)));
    }

    #[test]
    fn brackets_that_do_not_match_stay() {
        let name = format!("f({}", "<".repeat(80));
        check(&name, &format!("f({}…", "<".repeat(45)));
    }
}
