//! Regular expressions in the dialect of `mlprof`: POSIX extended ones over bytes.
//!
//! `. [ ] [^ ] [a-z] [[:alpha:]] * + ? {n} {n,} {n,m}
//! ( ) ^ $ \c`. As literals, `)`, `|`, `*`, `+`, `?` and `{` need a backslash; no branch may
//! be empty.

use std::fmt::Write;

use regex::bytes::{Regex, RegexBuilder};

#[derive(Clone, Debug)]
pub struct KeepPattern {
    regex: Regex,
    text: Box<[u8]>,
}

/// Where a pattern may match.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MatchPosition {
    /// Only at the start, as in mlprof.
    Start,
    Anywhere,
}

#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum PatternError {
    #[error("nothing to repeat before byte {0}")]
    Empty(usize),
    /// An unmatched opening or closing bracket.
    #[error("unmatched bracket at byte {0}")]
    Bracket(usize),
    #[error("`{{` needs numbers and `}}` at byte {0}; write `\\{{` for a literal brace")]
    Bound(usize),
    #[error("unknown character class at byte {0}")]
    Class(usize),
    #[error("nothing follows the last backslash")]
    Backslash,
    #[error("it is too large")]
    Size,
}

const CLASSES: [&[u8]; 10] = [
    b"alnum", b"alpha", b"cntrl", b"digit", b"graph", b"lower", b"print", b"space", b"upper",
    b"xdigit",
];

impl KeepPattern {
    /// Parses a pattern.
    ///
    /// # Errors
    /// If it is invalid.
    pub fn new(text: &[u8], place: MatchPosition) -> Result<Self, PatternError> {
        let anchor = match place {
            MatchPosition::Start => "^",
            MatchPosition::Anywhere => "",
        };
        let regex = RegexBuilder::new(&format!("{anchor}(?:{})", translate(text)?))
            .unicode(false)
            .dot_matches_new_line(true)
            .build()
            .map_err(|_| PatternError::Size)?;
        Ok(Self {
            regex,
            text: text.into(),
        })
    }

    pub fn fits(&self, text: &[u8]) -> bool {
        self.regex.is_match(text)
    }

    pub fn text(&self) -> &[u8] {
        &self.text
    }
}

/// Translates a pattern to the dialect of the `regex` crate.
fn translate(text: &[u8]) -> Result<String, PatternError> {
    let mut translated = String::new();
    let (mut place, mut n_open) = (0, 0);
    // Whether something stands in this branch that may be repeated.
    let mut has_piece = false;
    while let Some(&byte) = text.get(place) {
        let needs_piece = matches!(byte, b'|' | b')' | b'*' | b'+' | b'?' | b'{');
        if needs_piece && !has_piece {
            return Err(PatternError::Empty(place));
        }
        has_piece = !matches!(byte, b'|' | b'(');
        let sign = char::from(byte);
        place += 1;
        match byte {
            b'(' => {
                n_open += 1;
                translated.push_str("(?:");
            }
            b')' if n_open == 0 => return Err(PatternError::Bracket(place - 1)),
            b')' => {
                n_open -= 1;
                translated.push(sign);
            }
            b'|' | b'*' | b'+' | b'.' | b'^' | b'$' => translated.push(sign),
            // Behind another repetition the crate's `?` means something else.
            b'?' => translated.push_str("{0,1}"),
            b'{' => place = bound(text, place, &mut translated)?,
            b'[' => place = bracket(text, place, &mut translated)?,
            b'\\' => {
                let &escaped = text.get(place).ok_or(PatternError::Backslash)?;
                place += 1;
                literal(escaped, &mut translated);
            }
            _ => literal(byte, &mut translated),
        }
    }
    if n_open > 0 {
        return Err(PatternError::Bracket(text.len()));
    }
    if !has_piece {
        return Err(PatternError::Empty(text.len()));
    }
    Ok(translated)
}

fn literal(byte: u8, translated: &mut String) {
    write!(translated, "\\x{byte:02x}").expect("a string takes everything");
}

/// Translates the text after `{`; returns the index after it.
fn bound(text: &[u8], start: usize, translated: &mut String) -> Result<usize, PatternError> {
    let unclear = PatternError::Bound(start - 1);
    let length = text[start..].iter().position(|&byte| byte == b'}');
    let end = start + length.ok_or_else(|| unclear.clone())?;
    let numbers = std::str::from_utf8(&text[start..end]).unwrap_or_default();
    let number = |digits: &str| -> Option<u32> {
        let is_plain = digits.bytes().all(|byte| byte.is_ascii_digit());
        digits.parse().ok().filter(|_| is_plain)
    };
    let (least, most) = match numbers.split_once(',') {
        None => (number(numbers), number(numbers)),
        Some((least, "")) => (number(least), Some(u32::MAX)),
        Some((least, most)) => (number(least), number(most)),
    };
    let is_clear = least.zip(most).is_some_and(|(least, most)| least <= most);
    if !is_clear {
        return Err(unclear);
    }
    write!(translated, "{{{numbers}}}").expect("a string takes everything");
    Ok(end + 1)
}

/// Translates the text after `[`; returns the index after it. A `]` directly after it is
/// literal, and so is a backslash.
fn bracket(text: &[u8], start: usize, translated: &mut String) -> Result<usize, PatternError> {
    let open = PatternError::Bracket(start - 1);
    let at = |place: usize| text.get(place).copied().ok_or_else(|| open.clone());
    translated.push('[');
    let mut place = start;
    if at(place)? == b'^' {
        translated.push('^');
        place += 1;
    }
    let first = place;
    loop {
        let byte = at(place)?;
        if byte == b']' && place > first {
            translated.push(']');
            return Ok(place + 1);
        }
        if byte == b'[' && at(place + 1)? == b':' {
            place = class(text, place, translated)?;
            continue;
        }
        literal(byte, translated);
        place += 1;
        if at(place)? == b'-' && at(place + 1)? != b']' {
            let last = at(place + 1)?;
            if last < byte {
                return Err(PatternError::Bound(place));
            }
            translated.push('-');
            literal(last, translated);
            place += 2;
        }
    }
}

/// Translates `[:name:]`; returns the index after it.
fn class(text: &[u8], start: usize, translated: &mut String) -> Result<usize, PatternError> {
    let rest = &text[start + 2..];
    let name = CLASSES
        .iter()
        .find(|name| {
            rest.strip_prefix(**name)
                .is_some_and(|r| r.starts_with(b":]"))
        })
        .ok_or(PatternError::Class(start))?;
    let shown = std::str::from_utf8(name).expect("the names are ASCII");
    write!(translated, "[:{shown}:]").expect("a string takes everything");
    Ok(start + 2 + name.len() + 2)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn started(pattern: &[u8]) -> Result<KeepPattern, PatternError> {
        KeepPattern::new(pattern, MatchPosition::Start)
    }

    /// The words that match.
    fn check(pattern: &str, words: &str, expected: &str) {
        let pattern = started(pattern.as_bytes()).expect("case should be a pattern");
        let fitting: Vec<_> = words
            .split(',')
            .filter(|word| pattern.fits(word.as_bytes()))
            .collect();
        assert_eq!(fitting.join(","), expected, "for {pattern:?}");
    }

    fn check_error(pattern: &str, expected: &PatternError) {
        let error = started(pattern.as_bytes()).expect_err("case should be no pattern");
        assert_eq!(&error, expected, "for {pattern}");
    }

    #[test]
    fn a_start_is_enough() {
        check("Main", "Main.f,xMain,Mai", "Main.f");
        check("Main$", "Main.f,Main", "Main");
        check("a|bc", "ab,cb,bc,b", "ab,bc");
        check("^f", "f,g", "f");
    }

    #[test]
    fn where_it_may_fit_anywhere_it_is_searched_for() {
        let fits = |pattern: &[u8], text: &[u8]| {
            let pattern = KeepPattern::new(pattern, MatchPosition::Anywhere);
            pattern.expect("case should be a pattern").fits(text)
        };
        assert!(fits(b"run", b"Matcher::run"));
        assert!(fits(b"a|run$", b"Matcher::run"));
        assert!(!fits(b"^run", b"Matcher::run"));
        assert!(!fits(b"run$", b"Matcher::runs"));
    }

    #[test]
    fn pieces_repeat() {
        check("a{2}b", "aab,ab,aaab", "aab");
        check("a{2,}b", "aab,ab,aaab", "aab,aaab");
        check("(ab)+c", "ababc,c", "ababc");
        check("x*y?z", "z,xyz,xxz,yyz", "z,xyz,xxz");
    }

    #[test]
    fn what_repeats_may_repeat_as_a_whole() {
        check("x+?y", "y,xxy,z", "y,xxy");
        check("x{2}?y", "y,xy,xxy", "y,xxy");
        check("x??y", "y,xy,xxy", "y,xy");
        check("x?+y", "y,xxy,z", "y,xxy");
        check("x{2}{2}y", "xxy,xxxxy", "xxxxy");
    }

    #[test]
    fn brackets_hold_ranges_and_classes() {
        check("[a-c]x", "ax,dx,cx", "ax,cx");
        check("[^a-c]x", "ax,dx,cx", "dx");
        check("[]x]y", "]y,xy,y", "]y,xy");
        check("[[:upper:][:digit:]_]a", "Aa,1a,_a,aa", "Aa,1a,_a");
        check("[a\\]", "a,\\,b", "a,\\");
        check("[a&&b]", "a,&,b,c", "a,&,b");
        check("[x-]", "x,-,y", "x,-");
    }

    #[test]
    fn a_backslash_takes_the_sign_itself() {
        check("a\\.b", "a.b,axb", "a.b");
        check("\\n", "n,\n", "n");
        check("\\(\\)\\|", "()|,x", "()|");
    }

    #[test]
    fn bytes_need_not_be_utf8() {
        let pattern = started(&[0xff, b'.']).expect("bytes make a pattern");
        assert!(pattern.fits(&[0xff, 0xfe]));
    }

    #[test]
    fn what_makes_no_sense_is_refused() {
        check_error("", &PatternError::Empty(0));
        check_error("*a", &PatternError::Empty(0));
        check_error("a|", &PatternError::Empty(2));
        check_error("a||b", &PatternError::Empty(2));
        check_error("()", &PatternError::Empty(1));
        check_error("(a", &PatternError::Bracket(2));
        check_error("a)", &PatternError::Bracket(1));
        check_error("[a", &PatternError::Bracket(0));
        check_error("a{x}", &PatternError::Bound(1));
        check_error("a{2,1}", &PatternError::Bound(1));
        check_error("[z-a]", &PatternError::Bound(2));
        check_error("[[:punct:]]", &PatternError::Class(1));
        check_error("a\\", &PatternError::Backslash);
        check_error("a{1000000}", &PatternError::Size);
        check_error(
            &"(".repeat(2000).replace('(', "(a"),
            &PatternError::Bracket(4000),
        );
    }
}
