//! Symspecs: the words by which users name functions, files, lines and arcs.
//!
//! `FROM/TO` names arcs; each half is `FILE:FUNCTION`, `FILE:LINE`, a bare
//! `FUNCTION`, a bare `LINE` (it starts with a digit) or a bare `FILE` (it has a
//! dot). An empty half matches everything.

use std::fmt;
use std::str::FromStr;

/// What one word selects.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct SymSpec {
    /// The symbol, or the caller of an arc.
    pub left: Pattern,
    /// The callee, when the word names arcs.
    pub right: Option<Pattern>,
}

/// One half of a symspec. An empty one matches every symbol.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Pattern {
    /// The last component of the name of a source file.
    pub file: Option<String>,
    /// What in the file, or in all files.
    pub target: Option<Target>,
}

/// What a pattern wants of a symbol beside its file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Target {
    /// This name, as it stands in the executable.
    Function(String),
    /// This line.
    Line(u32),
}

impl SymSpec {
    /// The spec of one function.
    #[must_use]
    pub fn function(name: &str) -> Self {
        Self {
            left: Pattern {
                file: None,
                target: Some(Target::Function(name.to_owned())),
            },
            right: None,
        }
    }
}

impl FromStr for SymSpec {
    type Err = std::convert::Infallible;

    fn from_str(word: &str) -> Result<Self, Self::Err> {
        let (left, right) = match word.split_once('/') {
            Some((left, right)) => (left, Some(right)),
            None => (word, None),
        };
        Ok(Self {
            left: pattern_of(left),
            right: right.map(pattern_of),
        })
    }
}

fn pattern_of(word: &str) -> Pattern {
    let (file, target) = match word.rsplit_once(':') {
        Some((file, target)) => (file, target),
        None if word.contains('.') => (word, ""),
        None => ("", word),
    };
    Pattern {
        file: (!file.is_empty()).then(|| file.to_owned()),
        target: target_of(target),
    }
}

fn target_of(word: &str) -> Option<Target> {
    let n_digits = word.bytes().take_while(u8::is_ascii_digit).count();
    match (word, n_digits) {
        ("", _) => None,
        (_, 0) => Some(Target::Function(word.to_owned())),
        // A line that no number holds is the line of nothing.
        _ => Some(Target::Line(word[..n_digits].parse().unwrap_or(u32::MAX))),
    }
}

impl fmt::Display for SymSpec {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.left)?;
        match &self.right {
            Some(right) => write!(f, "/{right}"),
            None => Ok(()),
        }
    }
}

impl fmt::Display for Pattern {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(file) = &self.file {
            write!(f, "{file}:")?;
        }
        match &self.target {
            Some(Target::Function(name)) if self.file.is_none() && name.contains(['.', ':']) => {
                write!(f, ":{name}")
            }
            Some(Target::Function(name)) => f.write_str(name),
            Some(Target::Line(line)) => write!(f, "{line}"),
            None => Ok(()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(word: &str, expected: &str) {
        let Ok(spec) = word.parse::<SymSpec>();
        assert_eq!(spec.to_string(), expected, "for {word}");
        let Ok(again) = expected.parse::<SymSpec>();
        assert_eq!(again, spec, "for {expected}");
    }

    #[test]
    fn a_bare_word_is_a_function_unless_it_has_a_dot_or_starts_with_a_digit() {
        check("main", "main");
        check("sort.c", "sort.c:");
        check("12", "12");
        check(":f.cold", ":f.cold");
    }

    #[test]
    fn a_colon_separates_file_from_function_or_line() {
        check("sort.c:", "sort.c:");
        check("sort.c:qsort", "sort.c:qsort");
        check("sort.c:12", "sort.c:12");
        check("a:b:f", "a:b:f");
    }

    #[test]
    fn a_slash_separates_caller_from_callee() {
        check("main/qsort", "main/qsort");
        check("/qsort", "/qsort");
        check("main/", "main/");
    }
}
