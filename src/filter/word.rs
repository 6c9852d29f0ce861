//! Matches a name that the user wrote with one name.

use super::parts::FunctionNameParts;

/// How a name matches.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Fit {
    /// Without its outer namespaces.
    Tail,
    /// Completely, demangled.
    Whole,
}

/// A name that the user wrote, split.
pub(super) struct TypedName<'a> {
    parts: FunctionNameParts<'a>,
    /// Starts with `::`, so no namespace may precede it.
    is_global: bool,
    pub(super) has_star: bool,
    text: &'a [u8],
    /// The word after `*::`, so that namespaces may precede it.
    tail: Vec<u8>,
}

impl<'a> TypedName<'a> {
    pub(super) fn new(word: &'a [u8]) -> Self {
        let text = word.strip_prefix(b"::").unwrap_or(word);
        Self {
            parts: FunctionNameParts::of(text),
            is_global: text.len() < word.len(),
            has_star: text.contains(&b'*'),
            text,
            tail: [b"*::", text].concat(),
        }
    }

    /// Whether a name matches: as the executable contains it, or as the source writes it.
    pub(super) fn fit(&self, raw: &[u8], formatted: &[u8]) -> Option<Fit> {
        let parts = FunctionNameParts::of(formatted);
        let fit = if self.has_star {
            self.fit_star(raw, formatted, &parts)
        } else {
            self.fit_parts(raw, &parts)
        };
        fit.filter(|&fit| fit == Fit::Whole || !self.is_global)
    }

    fn fit_star(&self, raw: &[u8], formatted: &[u8], parts: &FunctionNameParts<'_>) -> Option<Fit> {
        // A word without brackets ignores the text in brackets.
        let has = |sign| self.text.contains(sign);
        let bare = parts.bare();
        let is_whole = raw != formatted && fits_pattern(self.text, raw)
            || fits_pattern(self.text, &bare)
            || has(&b'<') && fits_pattern(self.text, parts.base)
            || has(&b'(') && fits_pattern(self.text, formatted);
        if is_whole {
            return Some(Fit::Whole);
        }
        fits_pattern(&self.tail, &bare).then_some(Fit::Tail)
    }

    fn fit_parts(&self, raw: &[u8], parts: &FunctionNameParts<'_>) -> Option<Fit> {
        let has = |asked: &[u8], there: &[u8]| without_blanks(asked).eq(without_blanks(there));
        let fits_parameters = match (self.parts.parameters, parts.parameters) {
            (None, _) => true,
            (Some(asked), there) => there.is_some_and(|there| has(asked, there)),
        };
        let qualifiers = self.parts.qualifiers;
        let fits_qualifiers = qualifiers.is_empty() || has(qualifiers, parts.qualifiers);
        if !fits_parameters || !fits_qualifiers {
            return None;
        }
        let of_name = |name: &[u8]| fit_of_name(self.parts.base, name);
        let copy = stem_of_copy(raw).and_then(of_name);
        of_name(parts.base).max(of_name(&parts.bare())).max(copy)
    }
}

/// Whether a name is the word, or ends with `::` and the word.
fn fit_of_name(word: &[u8], name: &[u8]) -> Option<Fit> {
    let before = name.strip_suffix(word)?;
    match before {
        b"" => Some(Fit::Whole),
        _ => before.ends_with(b"::").then_some(Fit::Tail),
    }
}

/// The name of the function that the compiler made a copy or a part of: `f` of
/// `f.isra.0` and of `f.cold`.
fn stem_of_copy(raw: &[u8]) -> Option<&[u8]> {
    const KINDS: [&str; 7] =
        ["isra", "part", "constprop", "cold", "lto_priv", "localalias", "llvm"];
    let end = raw.iter().position(|&byte| byte == b'.').filter(|&end| end > 0)?;
    let kind = raw[end + 1..].split(|&byte| byte == b'.').next()?;
    let is_known = KINDS.iter().any(|known| known.as_bytes() == kind);
    is_known.then_some(&raw[..end])
}

fn without_blanks(text: &[u8]) -> impl Iterator<Item = &u8> {
    text.iter().filter(|&&byte| byte != b' ')
}

/// Whether a pattern fits a whole text. Costs their product at worst.
pub(super) fn fits_pattern(pattern: &[u8], text: &[u8]) -> bool {
    let (mut at, mut place) = (0, 0);
    // The last star, and the end of its match.
    let mut star: Option<(usize, usize)> = None;
    while place < text.len() {
        match pattern.get(at) {
            Some(b'*') => {
                star = Some((at, place));
                at += 1;
            }
            Some(&byte) if byte == text[place] => {
                at += 1;
                place += 1;
            }
            // Extend the match of the last star by one byte.
            _ => match &mut star {
                None => return false,
                Some((star, end)) => {
                    *end += 1;
                    (at, place) = (*star + 1, *end);
                }
            },
        }
    }
    pattern[at..].iter().all(|&byte| byte == b'*')
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(pattern: &str, words: &str, expected: &str) {
        let fitting =
            words.split(',').filter(|word| fits_pattern(pattern.as_bytes(), word.as_bytes()));
        let fitting: Vec<_> = fitting.collect();
        assert_eq!(fitting.join(","), expected, "for {pattern}");
    }

    #[test]
    fn a_star_matches_anything() {
        check("kv_*", "kv_get,kv_,xkv_get,kv", "kv_get,kv_");
        check("*get", "kv_get,get,gets", "kv_get,get");
        check("a*b*c", "abc,axxbyyc,ac,abcb", "abc,axxbyyc");
        check("*", "a,", "a,");
        check("**a", "a,ba,b", "a,ba");
        check("f", "f,ff", "f");
    }
}
