//! Numbers of lambdas and other unnamed functions.

use std::borrow::Cow;

/// The text before a number, and after it.
const COUNTED: [(&[u8], &[u8]); 4] = [
    // `{lambda(int)#2}`, `{closure#0}`, `{unnamed type#1}`
    (MARK, b"}"),
    // Clang's `main::$_0::operator()`.
    (b"$_", b""),
    // The name in older versions of GCC.
    (b"__lambda", b""),
    // LLVM writes a lambda `'lambda0'(int)`.
    (b"'lambda", b"'"),
];

/// The mark of a number, removed with it.
const MARK: &[u8] = b"#";

/// Splits `f()::{lambda(int)#2}::operator()(int)` into the name without `#2`, and `2,`. For
/// demangled names.
pub(super) fn split(name: &[u8]) -> (Cow<'_, [u8]>, Vec<u8>) {
    let (mut plain, mut numbers) = (Vec::new(), Vec::new());
    // Up to where `plain` has all of the name.
    let mut done = 0;
    let mut place = 0;
    while place < name.len() {
        let Some((word, n_digits)) = counted(name, place) else {
            place += 1;
            continue;
        };
        plain.extend_from_slice(&name[done..place]);
        if word != MARK {
            plain.extend_from_slice(word);
        }
        place += word.len() + n_digits;
        numbers.extend_from_slice(&name[place - n_digits..place]);
        numbers.push(b',');
        done = place;
    }
    if numbers.is_empty() {
        return (Cow::Borrowed(name), numbers);
    }
    plain.extend_from_slice(&name[done..]);
    (Cow::Owned(plain), numbers)
}

/// The word before a number at this index, and the number of its digits.
fn counted(name: &[u8], place: usize) -> Option<(&'static [u8], usize)> {
    let rest = &name[place..];
    let &(word, end) = COUNTED.iter().find(|(word, _)| rest.starts_with(word))?;
    let behind = &rest[word.len()..];
    let n_digits = behind.iter().take_while(|byte| byte.is_ascii_digit());
    let n_digits = n_digits.count();
    let after = &behind[n_digits..];
    let is_number = n_digits > 0 && after.starts_with(end);
    // Names that only have such a word in them are names.
    let is_whole = !end.is_empty()
        || !name[..place].last().is_some_and(is_part) && !after.first().is_some_and(is_part);
    (is_number && is_whole).then_some((word, n_digits))
}

fn is_part(byte: &u8) -> bool {
    byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'$')
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(name: &str, plain: &str, numbers: &str) {
        let (found, found_numbers) = split(name.as_bytes());
        assert_eq!(String::from_utf8_lossy(&found), plain, "for {name}");
        let found = String::from_utf8_lossy(&found_numbers);
        assert_eq!(found, numbers, "for {name}");
    }

    #[test]
    fn numbers_go_and_parameters_stay() {
        check(
            "main::{lambda(int)#2}::operator()(int) const",
            "main::{lambda(int)}::operator()(int) const",
            "2,",
        );
        check(
            "a::{lambda()#1}::operator()() const::{lambda()#12}",
            "a::{lambda()}::operator()() const::{lambda()}",
            "1,12,",
        );
        check("app::run::{closure#3}", "app::run::{closure}", "3,");
        check("main::$_0::operator()()", "main::$_::operator()()", "0,");
        check("main::__lambda3::call", "main::__lambda::call", "3,");
        check("f()::'lambda0'(int)", "f()::'lambda'(int)", "0,");
    }

    #[test]
    fn other_numbers_stay() {
        for name in [
            "app::run::{{closure}}",
            "f#1",
            "f{#}",
            "f{#x}",
            "a$_0",
            "a__lambda1",
            "__lambda1a",
            "__lambda",
            "$_",
            "f()::'lambda'(int)",
            "",
            "x1",
        ] {
            check(name, name, "");
        }
    }

    #[test]
    fn long_names_take_no_longer_than_they_are() {
        for part in ["#", "#1", "$_", "'lambda1", "__lambda", "{#1}"] {
            split(part.repeat(200_000).as_bytes());
        }
        let digits = format!("#{}", "1".repeat(200_000));
        split(digits.as_bytes());
    }
}
