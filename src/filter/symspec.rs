//! Symspecs: names of functions, files, lines and arcs on the command line.
//!
//! `FROM/TO` is an arc; each half is `FILE:FUNCTION`, `FILE:LINE`, `FUNCTION`, `LINE` (starts
//! with a digit) or `FILE` (contains a dot). An empty half matches everything. Source: the
//! gprof manual, "Symspecs".
//!
//! The native mode also accepts demangled names: `::`, text in brackets and operators belong
//! to the name, see [`SymSpec::of_names`].

use std::fmt;
use std::str::FromStr;

use super::parts::pieces;

/// The selection of one word.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct SymSpec {
    /// The symbol, or the caller of an arc.
    pub left: Pattern,
    /// The callee of an arc.
    pub right: Option<Pattern>,
    /// The whole word, if it may be or contain the name of a function: names of Go contain
    /// slashes and dots.
    pub name: Option<Box<str>>,
}

/// One half of a symspec. An empty one matches every symbol.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Pattern {
    /// Base name of a source file.
    pub file: Option<String>,
    /// The function or line to match in the file, or in all files.
    pub target: Option<SymbolTarget>,
}

/// The part of a pattern after the file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum SymbolTarget {
    /// A name, as in the executable.
    Function(String),
    Line(u32),
}

impl SymSpec {
    pub fn function(name: &str) -> Self {
        Self {
            left: Pattern { file: None, target: Some(SymbolTarget::Function(name.to_owned())) },
            ..Self::default()
        }
    }

    /// All functions of a source file, by its name without directories.
    pub fn of_file(file: &str) -> Self {
        Self { left: Pattern { file: Some(file.to_owned()), target: None }, ..Self::default() }
    }

    /// A word of an option that selects no arcs: a slash belongs to the name.
    pub fn of_name(word: &str) -> Self {
        let spec = Self::of_name_or_arc(word);
        if spec.right.is_some() {
            return Self::function(word);
        }
        spec
    }

    /// A word that may be an arc.
    pub fn of_name_or_arc(word: &str) -> Self {
        let spec = Self::of_names(word);
        let is_other = !word.is_empty() && spec != Self::function(word);
        Self { name: is_other.then(|| word.into()), ..spec }
    }

    /// A word that is an arc, whose names may contain slashes.
    pub fn of_arc(word: &str) -> Self {
        Self { name: Some(word.into()), ..Self::of_names(word) }
    }

    /// The halves at each slash of an arc.
    pub(super) fn splits(&self) -> impl Iterator<Item = [&str; 2]> {
        let word = self.name.as_deref().filter(|_| self.right.is_some());
        let word = word.unwrap_or_default();
        let splits = slashes(word).take(MOST_SLASHES);
        splits.map(|slash| [&word[..slash], &word[slash + 1..]])
    }

    pub fn of_names(word: &str) -> Self {
        match slashes(word).next() {
            None => Self { left: pattern_of_name(word), ..Self::default() },
            Some(slash) => Self {
                left: pattern_of_name(&word[..slash]),
                right: Some(pattern_of_name(&word[slash + 1..])),
                name: None,
            },
        }
    }
}

/// Maximum number of slashes at which an arc may be split.
const MOST_SLASHES: usize = 32;

/// Indices of slashes outside of brackets and operators.
fn slashes(word: &str) -> impl Iterator<Item = usize> {
    outermost(word).filter(|&place| word.as_bytes()[place] == b'/')
}

/// Indices of bytes outside of brackets and operators.
fn outermost(word: &str) -> impl Iterator<Item = usize> {
    let single = pieces(word.as_bytes()).filter(|piece| piece.text.len() == 1 && !piece.is_group);
    single.map(|piece| piece.place)
}

pub(super) fn pattern_of_name(word: &str) -> Pattern {
    // As reports mark inlined functions.
    let word = word.split(" (inlined").next().unwrap_or(word);
    let bytes = word.as_bytes();
    let is_colon = |place: usize| bytes.get(place) == Some(&b':');
    let is_single = |place: &usize| {
        is_colon(*place) && !is_colon(place + 1) && (*place == 0 || !is_colon(place - 1))
    };
    let has_dot = || outermost(word).any(|place| bytes[place] == b'.');
    let (file, target) = match outermost(word).filter(is_single).last() {
        Some(colon) => (&word[..colon], &word[colon + 1..]),
        None if has_dot() => (word, ""),
        None => ("", word),
    };
    let is_line = !target.is_empty() && target.bytes().all(|byte| byte.is_ascii_digit());
    Pattern {
        file: (!file.is_empty()).then(|| file.to_owned()),
        target: if is_line {
            target_of(target)
        } else {
            (!target.is_empty()).then(|| SymbolTarget::Function(target.to_owned()))
        },
    }
}

impl FromStr for SymSpec {
    type Err = std::convert::Infallible;

    fn from_str(word: &str) -> Result<Self, Self::Err> {
        let (left, right) = match word.split_once('/') {
            Some((left, right)) => (left, Some(right)),
            None => (word, None),
        };
        Ok(Self { left: pattern_of(left), right: right.map(pattern_of), name: None })
    }
}

fn pattern_of(word: &str) -> Pattern {
    let (file, target) = match word.rsplit_once(':') {
        Some((file, target)) => (file, target),
        None if word.contains('.') => (word, ""),
        None => ("", word),
    };
    Pattern { file: (!file.is_empty()).then(|| file.to_owned()), target: target_of(target) }
}

fn target_of(word: &str) -> Option<SymbolTarget> {
    let n_digits = word.bytes().take_while(u8::is_ascii_digit).count();
    match (word, n_digits) {
        ("", _) => None,
        (_, 0) => Some(SymbolTarget::Function(word.to_owned())),
        // A line number out of range matches nothing.
        _ => Some(SymbolTarget::Line(word[..n_digits].parse().unwrap_or(u32::MAX))),
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
            Some(SymbolTarget::Function(name))
                if self.file.is_none() && name.contains(['.', ':']) =>
            {
                write!(f, ":{name}")
            }
            Some(SymbolTarget::Function(name)) => f.write_str(name),
            Some(SymbolTarget::Line(line)) => write!(f, "{line}"),
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

    /// `FILE|TARGET`, for both halves.
    fn check_names(word: &str, expected: &str) {
        let spec = SymSpec::of_names(word);
        let shown = |pattern: &Pattern| {
            let file = pattern.file.as_deref().unwrap_or_default();
            let target = match &pattern.target {
                None => String::new(),
                Some(SymbolTarget::Function(name)) => name.clone(),
                Some(SymbolTarget::Line(line)) => format!("line {line}"),
            };
            format!("{file}|{target}")
        };
        let right = spec.right.as_ref().map(shown);
        let right = right.map_or(String::new(), |right| format!(" / {right}"));
        assert_eq!(shown(&spec.left) + &right, expected, "for {word}");
    }

    #[test]
    fn two_colons_are_part_of_a_name() {
        check_names("Matcher::run", "|Matcher::run");
        check_names("::run", "|::run");
        check_names("match.cc:Matcher::run", "match.cc|Matcher::run");
        check_names("match.cc:12", "match.cc|line 12");
        check_names("12", "|line 12");
        check_names("sort.c", "sort.c|");
        check_names("sort.c:", "sort.c|");
        check_names(":f.cold", "|f.cold");
    }

    #[test]
    fn text_in_brackets_is_part_of_a_name() {
        check_names("f(a.b, c/d)", "|f(a.b, c/d)");
        check_names("S::operator/", "|S::operator/");
        check_names("main/f(int)", "|main / |f(int)");
        check_names("<kv::Store as std::fmt::Debug>::fmt", "|<kv::Store as std::fmt::Debug>::fmt");
        check_names("/", "| / |");
        check_names("größe/f(ü)", "|größe / |f(ü)");
    }

    #[test]
    fn a_slash_separates_caller_from_callee() {
        check("main/qsort", "main/qsort");
        check("/qsort", "/qsort");
        check("main/", "main/");
    }
}
