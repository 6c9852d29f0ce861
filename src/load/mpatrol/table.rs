//! Tables of words: a count, then that many rows.

use super::super::cursor::Cursor;
use super::super::error::{ReadError, ReadErrorKind};
use super::fault::ProfileError;
use super::word;
use crate::model::Encoding;

/// Columns of a call site.
pub(super) mod site {
    pub(in super::super) const NUMBER: usize = 0;
    pub(in super::super) const CALLER: usize = 1;
    pub(in super::super) const ADDRESS: usize = 2;
    pub(in super::super) const SYMBOL: usize = 3;
    pub(in super::super) const NAME: usize = 4;
    pub(in super::super) const RECORD: usize = 5;
    pub(in super::super) const N_COLUMNS: usize = 6;
}

/// A complete table with at most 2³² rows.
pub(super) struct WordGrid<'a> {
    start: Cursor<'a>,
    raw: &'a [u8],
    n_columns: usize,
}

impl<'a> WordGrid<'a> {
    /// Reads the count and skips the rows.
    pub(super) fn read(
        cursor: &mut Cursor<'a>,
        what: &'static str,
        n_columns: usize,
    ) -> Result<Self, ReadError> {
        let mut start = cursor.clone();
        let count = word(cursor, what)?;
        let row_size = (n_columns * cursor.encoding().address_size.bytes()) as u64;
        let remaining = cursor.remaining() as u64;
        if count > remaining / row_size || u32::try_from(count).is_err() {
            return Err(start.error(ReadErrorKind::Count { what, count, remaining }));
        }
        start = cursor.clone();
        let raw = cursor.take(what, count * row_size)?;
        Ok(Self { start, raw, n_columns })
    }

    pub(super) fn len(&self) -> usize {
        self.raw.len() / self.row_size()
    }

    pub(super) fn rows(&self) -> impl Iterator<Item = (u32, GridWords<'a>)> {
        (0..).zip(self.raw.chunks_exact(self.row_size()).map(|raw| self.row_of(raw)))
    }

    /// The row with this index, if it exists.
    pub(super) fn row(&self, number: usize) -> Option<GridWords<'a>> {
        let size = self.row_size();
        let start = number.checked_mul(size)?;
        let raw = self.raw.get(start..start + size)?;
        Some(self.row_of(raw))
    }

    /// An error at the position of a row.
    pub(super) fn error(&self, row: u32, kind: impl Into<ReadErrorKind>) -> ReadError {
        let mut place = self.start.clone();
        match place.take("row", u64::from(row) * self.row_size() as u64) {
            Ok(_) => place.error(kind),
            Err(error) => error,
        }
    }

    /// Rows in the order of the numbers in their first column, which must be 1 up to their count.
    pub(super) fn rows_by_number(&self, what: &'static str) -> Result<Vec<u32>, ReadError> {
        const NONE: u32 = u32::MAX;
        let mut rows = vec![NONE; self.len()];
        for (row, words) in self.rows() {
            let number = words.word(0);
            let count = rows.len();
            let index = usize::try_from(number.wrapping_sub(1)).ok();
            let Some(slot) = index.and_then(|index| rows.get_mut(index)) else {
                let kind = ProfileError::Number { what, number, count };
                return Err(self.error(row, kind));
            };
            if *slot != NONE {
                return Err(self.error(row, ProfileError::Repeated { what, number }));
            }
            *slot = row;
        }
        Ok(rows)
    }

    fn row_of(&self, raw: &'a [u8]) -> GridWords<'a> {
        GridWords { raw, encoding: self.start.encoding() }
    }

    fn row_size(&self) -> usize {
        self.n_columns * self.start.encoding().address_size.bytes()
    }
}

pub(super) struct GridWords<'a> {
    raw: &'a [u8],
    encoding: Encoding,
}

impl GridWords<'_> {
    /// The word in a column, which must exist.
    pub(super) fn word(&self, column: usize) -> u64 {
        let size = self.encoding.address_size.bytes();
        self.encoding.read_word(&self.raw[column * size..])
    }
}
