//! Renamed functions (`--rename`).

use regex::bytes::{Regex, RegexBuilder};
use thiserror::Error;

/// A rule from old to new names.
#[derive(Clone, Debug)]
pub struct Rename {
    text: String,
    old: Regex,
    new: Vec<u8>,
}

/// An invalid rule.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
pub enum RenameError {
    /// The text has no `=`.
    #[error("`{0}` has no `=` between the old and the new name")]
    NoNew(String),
    /// The old name is empty.
    #[error("`{0}` has no old name")]
    NoOld(String),
    /// The old name is not a regular expression.
    #[error("`{old}` is not a regular expression: {fault}")]
    Expression {
        old: String,
        /// The error, in one line.
        fault: String,
    },
    /// The new name has something in it that the old one does not find.
    #[error("`{new}` refers to `${group}`, but the old name has no such group")]
    NoGroup {
        new: String,
        /// The group, by name or number.
        group: String,
    },
}

impl Rename {
    /// Parses `OLD=NEW`. `OLD` is a regular expression that may match any part of a name;
    /// `\=` is a literal `=`. In `NEW`, `$1` or `${1}` is the first group, and `$$` a dollar.
    ///
    /// # Errors
    /// If either is missing or invalid.
    pub fn parse(text: &str) -> Result<Self, RenameError> {
        let end = end_of_old(text).ok_or_else(|| RenameError::NoNew(text.into()))?;
        let (old, new) = (&text[..end], &text[end + 1..]);
        if old.is_empty() {
            return Err(RenameError::NoOld(text.into()));
        }
        let built = RegexBuilder::new(old).unicode(false).build();
        let expression = built.map_err(|error| RenameError::Expression {
            old: old.into(),
            fault: in_one_line(&error),
        })?;
        if let Some(group) = groups(new).find(|group| !has_group(&expression, group)) {
            return Err(RenameError::NoGroup { new: new.into(), group: group.into() });
        }
        Ok(Self { text: text.into(), old: expression, new: new.into() })
    }

    pub fn text(&self) -> &str {
        &self.text
    }

    /// The name with all matches replaced; `None` without a match, or if the result is empty.
    pub(super) fn apply(&self, name: &[u8]) -> Option<Vec<u8>> {
        if !self.old.is_match(name) {
            return None;
        }
        let renamed = self.old.replace_all(name, &self.new[..]).into_owned();
        (!renamed.is_empty() && renamed != name).then_some(renamed)
    }
}

/// Index of the first `=` without a backslash.
fn end_of_old(text: &str) -> Option<usize> {
    let mut is_escaped = false;
    text.bytes().position(|byte| {
        let is_end = byte == b'=' && !is_escaped;
        is_escaped = byte == b'\\' && !is_escaped;
        is_end
    })
}

/// The error alone: the full message repeats the expression on several lines.
fn in_one_line(error: &regex::Error) -> String {
    let message = error.to_string();
    let last = message.lines().last().unwrap_or_default();
    last.trim().trim_start_matches("error: ").into()
}

/// The groups that a new name refers to, in the syntax of `regex`.
fn groups(new: &str) -> impl Iterator<Item = &str> {
    let mut rest = new;
    std::iter::from_fn(move || {
        loop {
            rest = &rest[rest.find('$')? + 1..];
            if let Some(behind) = rest.strip_prefix('$') {
                rest = behind;
                continue;
            }
            let is_part = |byte: &u8| byte.is_ascii_alphanumeric() || *byte == b'_';
            let group = match rest.strip_prefix('{') {
                Some(inner) => inner.split_once('}').map(|(group, _)| group),
                None => Some(&rest[..rest.bytes().take_while(|byte| is_part(byte)).count()]),
            };
            if let Some(group) = group.filter(|group| !group.is_empty()) {
                return Some(group);
            }
        }
    })
}

fn has_group(expression: &Regex, group: &str) -> bool {
    match group.parse::<usize>() {
        Ok(number) => number < expression.captures_len(),
        Err(_) => expression.capture_names().flatten().any(|name| name == group),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(rename: &str, name: &str, expected: Option<&str>) {
        let rename = Rename::parse(rename).expect("case should parse");
        let renamed = rename.apply(name.as_bytes());
        let renamed = renamed.map(|name| String::from_utf8(name).expect("cases are text"));
        assert_eq!(renamed.as_deref(), expected, "for {name}");
    }

    fn check_fault(rename: &str, expected: &str) {
        let error = Rename::parse(rename).expect_err("case should not parse");
        assert_eq!(error.to_string(), expected, "for {rename}");
    }

    #[test]
    fn matching_names_are_renamed() {
        check("^walk$=stroll", "walk", Some("stroll"));
        check("^walk$=stroll", "walks", None);
        check("old::=new::", "old::f(old::T)", Some("new::f(new::T)"));
        check(r"^(\w+)_v1=${1}_v2", "sort_v1", Some("sort_v2"));
        check("(?<all>.+)_old=$all", "sort_old", Some("sort"));
        check(r"operator\=\=(.*)=equals$1", "operator==(T)", Some("equals(T)"));
        check("x=$$=", "x", Some("$="));
        check("^f=", "f", None);
        check("f=f", "f", None);
    }

    #[test]
    fn faults_are_reported_in_one_line() {
        check_fault("walk", "`walk` has no `=` between the old and the new name");
        check_fault("=x", "`=x` has no old name");
        check_fault("(a=b", "`(a` is not a regular expression: unclosed group");
        let fault = "`${2}x$1` refers to `$2`, but the old name has no such group";
        check_fault("(a)=${2}x$1", fault);
        let fault = "`$1_x` refers to `$1_x`, but the old name has no such group";
        check_fault("(a)=$1_x", fault);
        let huge = Rename::parse("(a{1000}){1000}=b").expect_err("it is too large");
        assert_eq!(huge.to_string().lines().count(), 1, "{huge}");
    }
}
