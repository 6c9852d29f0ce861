//! Regular expressions of MLton's Regexp library, which `mlprof` uses: POSIX extended ones over
//! bytes, with rules of their own:
//!
//! ```text
//! expression  branch | branch …                 a branch contains at least one atom
//! branch      atom quantifier? …                at most one quantifier after an atom: not a**
//! quantifier  *   +   ?   {N}   {N,}   {N,M}    decimal, N ≤ M
//! atom        ( expression )   ()               () matches the empty string
//!             .   ^   $                         any byte, the start, the end
//!             [ set ]   [^ set ]
//!             \C                                the byte C itself; a last \ is a backslash
//!             C                                 any byte but ) | * + ? {
//! set         first ] and then first - are themselves; then, until ]
//!             C-D                               a range, also if D is ]; empty if D < C
//!             [:alnum:]  alpha cntrl digit graph lower print space upper xdigit
//!             [.STRING.]                        a string, not after ^
//!             C                                 the byte itself, \ too
//!             -]                                a last - is itself; elsewhere it is an error
//! ```
//!
//! `{` needs a number after it, and `]` and `}` are themselves outside of sets. The library has no
//! `[:blank:]`, `[:punct:]`, `[=C=]` or back references. mlprof matches an expression at the start
//! of `NAME`, two blanks and `FILE: LINE`; `--keep` anywhere in a name.
//!
//! An anchor takes its end of the text, so that a second one (`^^`, `$$`) never matches. Both
//! ends are characters above 255; the characters of Latin-1 are the bytes.
//!
//! Source: `lib/mlton/basic/regexp.sml` of MLton, and recorded commands of mlprof.

use std::fmt::Write;

use regex::{Regex, RegexBuilder};

use crate::standard_ml::is_space;

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
    #[error("nothing to repeat, or an empty branch, before byte {0}")]
    Empty(usize),
    /// An unmatched opening or closing bracket.
    #[error("unmatched bracket at byte {0}")]
    Bracket(usize),
    #[error("`{{` needs numbers and `}}` at byte {0}; write `\\{{` for a literal brace")]
    Bound(usize),
    #[error("unknown character class at byte {0}")]
    Class(usize),
    #[error("a `-` that ends no range at byte {0}; put it first, or last before `]`")]
    Range(usize),
    #[error("it is too large")]
    Size,
}

type ByteTest = fn(&u8) -> bool;

/// The ends of a text.
const START: char = '\u{100}';
const END: char = '\u{101}';

/// Classes of ASCII bytes.
const CLASSES: [(&str, ByteTest); 10] = [
    ("alnum", u8::is_ascii_alphanumeric),
    ("alpha", u8::is_ascii_alphabetic),
    ("cntrl", u8::is_ascii_control),
    ("digit", u8::is_ascii_digit),
    ("graph", u8::is_ascii_graphic),
    ("lower", u8::is_ascii_lowercase),
    ("print", |byte| matches!(byte, b' '..=b'~')),
    ("space", is_space),
    ("upper", u8::is_ascii_uppercase),
    ("xdigit", u8::is_ascii_hexdigit),
];

impl KeepPattern {
    /// Parses a pattern.
    ///
    /// # Errors
    /// If it is invalid.
    pub fn new(text: &[u8], place: MatchPosition) -> Result<Self, PatternError> {
        let before = match place {
            MatchPosition::Start => format!("^{START}?"),
            MatchPosition::Anywhere => String::new(),
        };
        let regex = RegexBuilder::new(&format!("{before}(?:{})", translate(text)?)).build();
        Ok(Self { regex: regex.map_err(|_| PatternError::Size)?, text: text.into() })
    }

    pub fn fits(&self, text: &[u8]) -> bool {
        let bytes = text.iter().map(|&byte| char::from(byte));
        let text: String = [START].into_iter().chain(bytes).chain([END]).collect();
        self.regex.is_match(&text)
    }

    pub fn text(&self) -> &[u8] {
        &self.text
    }
}

/// Translates a pattern to the dialect of the `regex` crate.
fn translate(text: &[u8]) -> Result<String, PatternError> {
    let mut translated = String::new();
    let (mut place, mut n_open) = (0, 0);
    let mut before = Before::Branch;
    while let Some(&byte) = text.get(place) {
        let start = place;
        place += 1;
        before = match (byte, before) {
            (b'(', _) if text.get(place) == Some(&b')') => {
                place += 1;
                translated.push_str("(?:)");
                Before::Atom
            }
            (b'(', _) => {
                n_open += 1;
                translated.push_str("(?:");
                Before::Branch
            }
            (b')' | b'|', Before::Branch) => return Err(PatternError::Empty(start)),
            (b')', _) => {
                n_open = usize::checked_sub(n_open, 1).ok_or(PatternError::Bracket(start))?;
                translated.push(')');
                Before::Atom
            }
            (b'|', _) => {
                translated.push('|');
                Before::Branch
            }
            (b'*' | b'+' | b'?' | b'{', Before::Branch | Before::Quantifier) => {
                return Err(PatternError::Empty(start));
            }
            (b'*' | b'+' | b'?', Before::Atom) => {
                translated.push(char::from(byte));
                Before::Quantifier
            }
            (b'{', Before::Atom) => {
                place = bound(text, place, &mut translated)?;
                Before::Quantifier
            }
            (b'.', _) => {
                translated.push_str("[\\x00-\\xff]");
                Before::Atom
            }
            (b'^' | b'$', _) => {
                translated.push(if byte == b'^' { START } else { END });
                Before::Atom
            }
            (b'[', _) => {
                place = bracket(text, place, &mut translated)?;
                Before::Atom
            }
            (b'\\', _) => {
                // At the end, a backslash is itself.
                let escaped = text.get(place).copied();
                place += usize::from(escaped.is_some());
                literal(escaped.unwrap_or(byte), &mut translated);
                Before::Atom
            }
            _ => {
                literal(byte, &mut translated);
                Before::Atom
            }
        };
    }
    if n_open > 0 {
        return Err(PatternError::Bracket(text.len()));
    }
    if before == Before::Branch {
        return Err(PatternError::Empty(text.len()));
    }
    Ok(translated)
}

/// The part of a pattern before the current one.
#[derive(Clone, Copy, PartialEq)]
enum Before {
    /// The start of a branch, which may not be empty.
    Branch,
    Atom,
    /// A quantifier, which takes no other.
    Quantifier,
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

/// Translates the text after `[`; returns the index after its `]`.
fn bracket(text: &[u8], start: usize, translated: &mut String) -> Result<usize, PatternError> {
    let mut rest = &text[start..];
    let mut skip = |prefix: &[u8]| {
        let after = rest.strip_prefix(prefix);
        rest = after.unwrap_or(rest);
        after.is_some()
    };
    let is_negated = skip(b"^");
    let mut set = [false; 256];
    let mut strings = String::new();
    // Here, `]` and `-` are themselves.
    set[usize::from(b']')] = skip(b"]");
    set[usize::from(b'-')] = skip(b"-");
    loop {
        let place = text.len() - rest.len();
        rest = match *rest {
            [b']', ref behind @ ..] => {
                rest = behind;
                break;
            }
            [b'-', b']', ..] => {
                set[usize::from(b'-')] = true;
                &rest[1..]
            }
            [b'-', ..] => return Err(PatternError::Range(place)),
            // The last byte may be `]`. Without bytes between them, the range is empty.
            [first, b'-', last, ref behind @ ..] => {
                (first..=last).for_each(|byte| set[usize::from(byte)] = true);
                behind
            }
            [b'[', b'.', ref behind @ ..] => {
                let (element, behind) = element(behind).ok_or(PatternError::Bracket(place))?;
                strings.push('|');
                element.iter().for_each(|&byte| literal(byte, &mut strings));
                behind
            }
            [b'[', b':', ref behind @ ..] => {
                let (holds, behind) = class(behind).ok_or(PatternError::Class(place))?;
                let bytes = (0..=u8::MAX).filter(holds);
                bytes.for_each(|byte| set[usize::from(byte)] = true);
                behind
            }
            [byte, ref behind @ ..] => {
                set[usize::from(byte)] = true;
                behind
            }
            [] => return Err(PatternError::Bracket(start - 1)),
        };
    }
    if is_negated && !strings.is_empty() {
        return Err(PatternError::Class(start));
    }
    // The crate has no empty set, but an empty intersection.
    translated.push_str("(?:[a&&b");
    if set.iter().any(|&is_in| is_in != is_negated) {
        translated.truncate(translated.len() - "a&&b".len());
        let bytes = (0..=u8::MAX).filter(|&byte| set[usize::from(byte)] != is_negated);
        bytes.for_each(|byte| literal(byte, translated));
    }
    translated.push(']');
    translated.push_str(&strings);
    translated.push(')');
    Ok(text.len() - rest.len())
}

/// The string of `[.string.]`, after its start, and the text after it.
fn element(text: &[u8]) -> Option<(&[u8], &[u8])> {
    let length = text.iter().position(|&byte| byte == b'.')?;
    let (string, rest) = text.split_at(length);
    Some((string, rest.strip_prefix(b".]")?))
}

/// The bytes of `[:name:]`, after its start, and the text after it.
fn class(text: &[u8]) -> Option<(ByteTest, &[u8])> {
    CLASSES.iter().find_map(|(name, holds)| {
        let rest = text.strip_prefix(name.as_bytes())?.strip_prefix(b":]")?;
        Some((*holds, rest))
    })
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
        let fitting: Vec<_> =
            words.split(',').filter(|word| pattern.fits(word.as_bytes())).collect();
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
    fn an_atom_has_one_quantifier() {
        check("(x{2}){2}y", "xxy,xxxxy", "xxxxy");
        check("^*x", "x,ax", "x");
        check("^+x", "x,ax", "x");
        check_error("a**", &PatternError::Empty(2));
        check_error("x+?y", &PatternError::Empty(2));
        check_error("x{2}{2}", &PatternError::Empty(4));
    }

    #[test]
    fn an_anchor_takes_its_end() {
        for never in ["^^f", "(^)^f", "^{2}f", "f$$", "f($){2}", "f$^"] {
            check(never, "f,^f,f$", "");
        }
        check("^f$", "f,fg", "f");
        check("x*^f", "f,xf", "f");
        check("f($)?g*$", "f,fgg,fa", "f,fgg");
        check("(^|x){2}f", "xf,xxf,f", "xf,xxf");
    }

    #[test]
    fn parentheses_may_be_empty() {
        check("()", "a,b", "a,b");
        check("a()*b", "ab,b", "ab");
        check_error("(|a)", &PatternError::Empty(1));
    }

    #[test]
    fn brackets_hold_ranges_and_classes() {
        check("[a-c]x", "ax,dx,cx", "ax,cx");
        check("[^a-c]x", "ax,dx,cx", "dx");
        check("[]x]y", "]y,xy,y", "]y,xy");
        check("[[:upper:][:digit:]_]a", "Aa,1a,_a,aa", "Aa,1a,_a");
        check("[a\\]", "a,\\,b", "a,\\");
        check("[a&&b]", "a,&,b,c", "a,&,b");
        check("[[:digit:]-]", "1,-,y", "1,-");
        check("[^-a]", "a,-,y", "y");
        check("[[.xy.]z]!", "xy!,z!,x!", "xy!,z!");
    }

    #[test]
    fn a_range_may_end_with_any_byte_and_be_empty() {
        check("[Z-]]x", "Zx,]x,[x,^x", "Zx,]x,[x");
        check("[[-\\]x", "[x,\\x,]x", "[x,\\x");
        check("[z-a]", "z,a,-", "");
        check("[^z-a]", "z,a", "z,a");
        check_error("[b-]", &PatternError::Bracket(0));
        check_error("[a-b-c]", &PatternError::Range(4));
    }

    #[test]
    fn a_backslash_takes_the_sign_itself() {
        check("a\\.b", "a.b,axb", "a.b");
        check("\\n", "n,\n", "n");
        check("\\(\\)\\|", "()|,x", "()|");
        check("f\\", "f\\,f", "f\\");
    }

    #[test]
    fn bytes_need_not_be_utf8() {
        let pattern = started(&[0xff, b'.']).expect("bytes make a pattern");
        assert!(pattern.fits(&[0xff, 0xfe]));
    }

    #[test]
    fn invalid_patterns_are_refused() {
        check_error("", &PatternError::Empty(0));
        check_error("*a", &PatternError::Empty(0));
        check_error("a|", &PatternError::Empty(2));
        check_error("a||b", &PatternError::Empty(2));
        check_error("(a", &PatternError::Bracket(2));
        check_error("a)", &PatternError::Bracket(1));
        check_error("[a", &PatternError::Bracket(0));
        check_error("a{x}", &PatternError::Bound(1));
        check_error("a{,2}", &PatternError::Bound(1));
        check_error("[^[.xy.]]", &PatternError::Class(1));
        check_error("a{2,1}", &PatternError::Bound(1));
        check_error("[[:punct:]]", &PatternError::Class(1));
        check_error("a{1000000}", &PatternError::Size);
        check_error(&"(".repeat(2000).replace('(', "(a"), &PatternError::Bracket(4000));
    }
}
