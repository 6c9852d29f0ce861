//! The names of local symbols that gprof treats as functions.
//!
//! Names with a `$` are not functions. Names with dots are, if digits follow each dot, or each
//! `.clone.` or `.constprop.` with text after it.
//!
//! For a name that ends in such a group, gprof continues with the next string of the string
//! table, under the same rules. So `f.constprop.0` is accepted or not depending on its
//! neighbour. Results are stored, so each string is read once.

use std::collections::HashMap;

use memchr::{memchr, memchr2};

const CLONE_MARKS: [&[u8]; 2] = [b".clone.", b".constprop."];

/// The results for a string table.
#[derive(Default)]
pub(super) struct LocalNames {
    /// By number of bytes from the start of the string to the end of the table.
    verdicts: HashMap<usize, bool>,
}

/// Shorter names are evaluated each time: they may overlap.
const SHORT: usize = 128;

enum LocalNameVerdict {
    Is(bool),
    /// The verdict on the next string.
    OfNext,
}

impl LocalNames {
    /// Returns whether gprof keeps the local symbol whose name starts `strings`, the rest of
    /// its string table.
    pub(super) fn accepts(&mut self, strings: &[u8]) -> bool {
        // Most names do not depend on the next string, and evaluating them is faster than a
        // lookup.
        let start = &strings[..strings.len().min(SHORT)];
        if let Some(end) = memchr(0, start)
            && let LocalNameVerdict::Is(is_in) = verdict_of(&start[..end])
        {
            return is_in;
        }
        let mut rest = strings;
        let mut undecided = Vec::new();
        let is_in = loop {
            if let Some(&known) = self.verdicts.get(&rest.len()) {
                break known;
            }
            undecided.push(rest.len());
            let end = memchr(0, rest);
            let (name, next) = rest.split_at(end.unwrap_or(rest.len()));
            match verdict_of(name) {
                LocalNameVerdict::Is(is_in) => break is_in,
                // A table that ends in a group has no next string.
                LocalNameVerdict::OfNext if next.len() < 2 => break true,
                LocalNameVerdict::OfNext => rest = &next[1..],
            }
        };
        self.verdicts.extend(undecided.into_iter().map(|key| (key, is_in)));
        is_in
    }
}

fn verdict_of(name: &[u8]) -> LocalNameVerdict {
    let Some(dot) = memchr2(b'$', b'.', name) else {
        return LocalNameVerdict::Is(true);
    };
    let mut rest = &name[dot..];
    while let Some(group) = group_after_mark(rest) {
        let n_digits = group.iter().take_while(|b| b.is_ascii_digit()).count();
        rest = &group[n_digits..];
        match rest.first() {
            None => return LocalNameVerdict::OfNext,
            Some(b'.') if n_digits > 0 => {}
            Some(_) => return LocalNameVerdict::Is(false),
        }
    }
    // The rest starts with `$`: it is not empty and does not start with a dot.
    LocalNameVerdict::Is(false)
}

/// The text after the dot or clone suffix at the start.
fn group_after_mark(text: &[u8]) -> Option<&[u8]> {
    CLONE_MARKS
        .iter()
        .find_map(|mark| text.strip_prefix(*mark).filter(|rest| !rest.is_empty()))
        .or_else(|| text.strip_prefix(b"."))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(strings: &[u8], expected: bool) {
        let text = String::from_utf8_lossy(strings);
        assert_eq!(LocalNames::default().accepts(strings), expected, "{text}");
    }

    #[test]
    fn plain_names_are_in_and_dollars_out() {
        check(b"main\0", true);
        check(b"\0", true);
        check(b"money$local\0", false);
        check(b"$d\0", false);
    }

    #[test]
    fn dots_want_digits() {
        check(b"dotted.name\0", false);
        check(b"gone.isra.0\0", false);
        check(b"gone.cold\0", false);
        check(b"a..1\0", false);
        check(b"f.1.x\0", false);
    }

    #[test]
    fn a_name_that_ends_in_digits_is_judged_by_its_neighbour() {
        check(b"f.constprop.0\0g\0", true);
        check(b"f.constprop.0\0g.isra.0\0", false);
        check(b"f.constprop.0\0x$y\0", false);
        check(b"f.clone.7.2\0f.3\0f.4\0plain\0", true);
        check(b"f.\0plain\0", true);
        check(b"last.1\0", true);
    }

    #[test]
    fn a_chain_of_neighbours_is_read_once() {
        let table = b"f.1\0".repeat(200_000);
        let mut names = LocalNames::default();
        for start in (0..table.len()).step_by(4) {
            assert!(names.accepts(&table[start..]));
        }
    }
}
