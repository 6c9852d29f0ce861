//! The names in a string table, each up to its zero byte.

use memchr::memchr;

/// How often each byte may be looked at as names are asked for.
const READINGS: usize = 4;

/// A string table.
///
/// Names may be parts of each other, so that looking for the end of each could take the
/// table times its symbols. Where that shows, all ends are found at once.
pub(super) struct Strings<'data> {
    bytes: &'data [u8],
    /// Bytes that may still be looked at for single names.
    n_left: usize,
    /// Where names end, once that is used up.
    ends: Option<Box<[usize]>>,
}

impl<'data> Strings<'data> {
    pub(super) fn new(bytes: &'data [u8]) -> Self {
        Self {
            bytes,
            n_left: bytes.len().saturating_mul(READINGS),
            ends: None,
        }
    }

    /// The name that starts at an offset, and the table from there on. Both are empty where
    /// there is none.
    pub(super) fn at(&mut self, offset: usize) -> (&'data [u8], &'data [u8]) {
        let rest = self.bytes.get(offset..).unwrap_or_default();
        (&rest[..self.length(offset, rest)], rest)
    }

    fn length(&mut self, offset: usize, rest: &[u8]) -> usize {
        if self.n_left > 0 {
            let end = memchr(0, rest);
            let length = end.unwrap_or(rest.len());
            self.n_left = self.n_left.saturating_sub(length);
            return length;
        }
        let ends = self.ends.get_or_insert_with(|| {
            let bytes = self.bytes.iter().enumerate();
            let zeros = bytes.filter(|&(_, &byte)| byte == 0);
            zeros.map(|(place, _)| place).collect()
        });
        let next = ends.get(ends.partition_point(|&end| end < offset));
        next.map_or(rest.len(), |end| end - offset)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_end_where_they_do_however_often_they_are_asked_for() {
        let mut strings = Strings::new(b"\0one\0two\0\0last");
        for round in 0..20 {
            let mut name = |offset| String::from_utf8_lossy(strings.at(offset).0).into_owned();
            let names = [0, 1, 3, 5, 9, 10, 13, 14, 99].map(&mut name);
            let expected = ["", "one", "e", "two", "", "last", "t", "", ""];
            assert_eq!(names, expected, "in round {round}");
        }
        assert!(strings.ends.is_some());
    }
}
