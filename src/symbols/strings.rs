//! Names in a string table, each ending with a zero byte.

use memchr::memchr;

/// Maximum number of times that each byte is searched.
const READINGS: usize = 4;

/// A string table.
///
/// Names may overlap, so that searching the end of each could take the size of the table
/// times the number of symbols. If it does, all ends are found at once.
pub(super) struct Strings<'data> {
    bytes: &'data [u8],
    /// Remaining bytes for searching single names.
    n_left: usize,
    /// All ends of names, after that.
    ends: Option<Box<[usize]>>,
}

impl<'data> Strings<'data> {
    pub(super) fn new(bytes: &'data [u8]) -> Self {
        Self { bytes, n_left: bytes.len().saturating_mul(READINGS), ends: None }
    }

    /// The name at an offset, and the table from there on; empty if out of range.
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
