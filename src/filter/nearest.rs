//! Suggests similar names for a misspelled one.

use std::collections::BTreeSet;

use crate::limits::SHORT_NAME;

/// Maximum number of suggestions.
const N_SUGGESTED: usize = 3;

/// Minimum length in bytes of a part of a name.
const SHORTEST_PART: usize = 3;

/// Collects the names most similar to a word.
///
/// Names are similar within a few edits (insertion, deletion, substitution, transposition):
/// one for every three letters of the word. Names that contain the word follow. For each
/// name, takes its length times the number of edits, and the memory of three names.
#[derive(Debug)]
pub struct Nearest {
    word: Vec<u8>,
    most_steps: usize,
    /// The best so far, by rank.
    best: BTreeSet<NearName>,
}

/// A name and its rank, best first.
#[derive(Debug, PartialEq, Eq, PartialOrd, Ord)]
struct NearName {
    distance: Distance,
    length: usize,
    shown: String,
}

#[derive(Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Distance {
    Steps(usize),
    PartOf,
}

impl Nearest {
    pub fn new(word: &[u8]) -> Self {
        Self {
            word: word.to_ascii_lowercase(),
            most_steps: word.len().max(3) / 3,
            best: BTreeSet::new(),
        }
    }

    pub fn among<S: AsRef<str>>(word: &str, names: impl IntoIterator<Item = S>) -> Self {
        let mut nearest = Self::new(word.as_bytes());
        for name in names {
            let name = name.as_ref();
            nearest.look_at(name.as_bytes(), || name.to_owned());
        }
        nearest
    }

    pub fn look_at(&mut self, name: &[u8], shown: impl FnOnce() -> String) {
        let Some(distance) = self.distance(name) else {
            return;
        };
        let is_worse = |last: &NearName| last.distance < distance;
        if self.best.len() == N_SUGGESTED && self.best.last().is_some_and(is_worse) {
            return;
        }
        let candidate = NearName { distance, length: name.len(), shown: shown() };
        self.best.insert(candidate);
        if self.best.len() > N_SUGGESTED {
            self.best.pop_last();
        }
    }

    /// The best names in order. If some are a few edits away, only those.
    pub fn into_names(self) -> Vec<String> {
        let is_part = |one: &NearName| one.distance == Distance::PartOf;
        if self.best.first().is_some_and(is_part) {
            return self.best.into_iter().map(|one| one.shown).collect();
        }
        self.into_near_names()
    }

    /// Only names a few edits away.
    pub fn into_near_names(self) -> Vec<String> {
        let best = self.best.into_iter();
        let near = best.filter(|one| one.distance != Distance::PartOf);
        near.map(|one| one.shown).collect()
    }

    fn distance(&self, name: &[u8]) -> Option<Distance> {
        if self.word.is_empty() || self.word.len() > SHORT_NAME {
            return None;
        }
        if let Some(steps) = steps(&self.word, name, self.most_steps) {
            return Some(Distance::Steps(steps));
        }
        let is_part = self.word.len() >= SHORTEST_PART
            && name.len() <= SHORT_NAME
            && name.to_ascii_lowercase().windows(self.word.len()).any(|part| part == self.word);
        is_part.then_some(Distance::PartOf)
    }
}

/// The least number of edits from a word to a name, up to `most`, ignoring case.
fn steps(word: &[u8], name: &[u8], most: usize) -> Option<usize> {
    if word.len().abs_diff(name.len()) > most {
        return None;
    }
    // Bytes count, so each is a character of its own.
    let chars = |text: &[u8]| -> String {
        let bytes = text.iter().map(u8::to_ascii_lowercase);
        bytes.map(char::from).collect()
    };
    let steps = strsim::osa_distance(&chars(word), &chars(name));
    (steps <= most).then_some(steps)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(word: &str, names: &str, expected: &str) {
        let mut nearest = Nearest::new(word.as_bytes());
        for name in names.split(' ') {
            nearest.look_at(name.as_bytes(), || name.to_owned());
        }
        assert_eq!(nearest.into_names().join(" "), expected, "for {word}");
    }

    #[test]
    fn a_letter_more_or_less_or_another_is_near() {
        check("kv_gett", "kv_get kv_put main", "kv_get");
        check("kv_gt", "kv_get kv_put", "kv_get");
        check("kv_got", "kv_get other", "kv_get");
        check("kv_gte", "kv_get kv_set", "kv_get kv_set");
        check("MAIN", "main", "main");
        check("ab", "ba abcdef", "ba");
    }

    #[test]
    fn names_that_contain_the_word_come_last() {
        check("get", "kv_get kv_getter put", "kv_get kv_getter");
        check("gett", "kv_getter get", "get");
        check("xyz", "kv_get", "");
    }

    #[test]
    fn of_many_the_same_few_are_proposed_in_any_order() {
        check("fn", "fa fb fc fd fe", "fa fb fc");
        check("fn", "fe fd fc fb fa", "fa fb fc");
    }

    #[test]
    fn the_shortened_table_gives_the_same_distances() {
        // By hand, with the usual table.
        for (word, name, expected) in [
            ("kitten", "sitting", 3),
            ("saturday", "sunday", 3),
            ("abc", "abc", 0),
            ("abcd", "acbd", 1),
            ("", "abc", 3),
        ] {
            let (word, name) = (word.as_bytes(), name.as_bytes());
            assert_eq!(steps(word, name, 8), Some(expected));
            assert_eq!(steps(word, name, expected), Some(expected));
            assert_eq!(steps(name, word, expected), Some(expected));
            let fewer = expected.checked_sub(1);
            assert_eq!(fewer.and_then(|most| steps(word, name, most)), None);
        }
    }
}
