//! Text columns, buffered and written in large chunks. A hot path: a report can have a
//! hundred megabytes.

use std::io::{self, BufRead, Write};

use super::decimal::{put_count, put_count_left, put_fixed};
use super::number;
use super::width::{bounded, display_width};

/// Chunk size in bytes.
pub(super) const PIECE: usize = 1 << 16;

/// The usual maximum of blanks in a column.
const BLANKS: [u8; 32] = [b' '; 32];

/// Writes a byte `count` times, in constant memory.
pub fn write_repeated(out: &mut dyn Write, byte: u8, count: usize) -> io::Result<()> {
    let piece = vec![byte; count.min(PIECE)];
    let mut n_left = count;
    while n_left > 0 {
        let n_now = n_left.min(PIECE);
        out.write_all(&piece[..n_now])?;
        n_left -= n_now;
    }
    Ok(())
}

#[derive(Default)]
pub struct Text {
    bytes: Vec<u8>,
    /// A number before it is aligned.
    number: Vec<u8>,
}

/// Writes to the buffer.
impl Write for Text {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.word(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

impl Text {
    #[inline]
    pub fn word(&mut self, word: impl AsRef<[u8]>) {
        self.bytes.extend_from_slice(word.as_ref());
    }

    /// Takes the first line from `rest`.
    pub fn line_of(&mut self, rest: &mut &[u8]) {
        let read = rest.read_until(b'\n', &mut self.bytes);
        read.expect("memory can be read");
    }

    /// Adds blanks, at most the width of a column.
    pub fn blanks(&mut self, count: usize) {
        match BLANKS.get(..count) {
            Some(blanks) => self.word(blanks),
            None => self.bytes.resize(self.bytes.len() + bounded(count), b' '),
        }
    }

    /// Adds any number of blanks; writes full chunks in between.
    pub fn write_blanks(&mut self, count: usize, out: &mut dyn Write) -> io::Result<()> {
        if count <= PIECE {
            self.bytes.resize(self.bytes.len() + count, b' ');
            return Ok(());
        }
        self.write(out)?;
        write_repeated(out, b' ', count)
    }

    /// Adds a word, cut to `precision` bytes, right-aligned.
    pub fn right(&mut self, word: &[u8], width: usize, precision: usize) {
        let word = &word[..word.len().min(precision)];
        self.blanks(width.saturating_sub(word.len()));
        self.word(word);
    }

    /// Adds a word, cut to `precision` bytes, left-aligned.
    pub fn left(&mut self, word: &[u8], width: usize, precision: usize) {
        let word = &word[..word.len().min(precision)];
        self.word(word);
        self.blanks(width.saturating_sub(word.len()));
    }

    pub fn count(&mut self, count: u64, width: usize) {
        let mut field = BLANKS;
        let start = put_count(&mut field, count).expect("a count has twenty digits at most");
        self.field(&field, start, width);
    }

    pub fn count_left(&mut self, count: u64, width: usize) {
        let mut field = BLANKS;
        let end = put_count_left(&mut field, count).expect("a count has twenty digits at most");
        self.word(&field[..end]);
        self.blanks(width.saturating_sub(end));
    }

    /// Adds a number in the given hexadecimal digits, padded with zeros to `least` digits.
    pub fn hex(&mut self, number: u64, least: usize, digits: &[u8; 16]) {
        let n_digits = 16 - number.leading_zeros() as usize / 4;
        for place in (0..n_digits.max(least)).rev() {
            self.bytes.push(digits[(number >> (4 * place) & 0xf) as usize]);
        }
    }

    /// Adds a number with decimals, right-aligned.
    pub fn fixed(&mut self, value: f64, decimals: usize, width: usize) {
        let mut field = BLANKS;
        if let Some(start) = put_fixed(&mut field, value, decimals) {
            return self.field(&field, start, width);
        }
        let mut number = std::mem::take(&mut self.number);
        number.clear();
        number::push_fixed(&mut number, value, decimals);
        self.right(&number, width, usize::MAX);
        self.number = number;
    }

    /// Adds the rest of a field from `start`, right-aligned.
    fn field(&mut self, field: &[u8], start: usize, width: usize) {
        match field.len().checked_sub(width) {
            Some(column) => self.word(&field[start.min(column)..]),
            None => self.right(&field[start..], width, usize::MAX),
        }
    }

    /// Truncates the text to `len` bytes.
    pub fn cut(&mut self, len: usize) {
        self.bytes.truncate(len);
    }

    /// Right-aligns the text from `start` in a column.
    pub fn align_right(&mut self, start: usize, width: usize) {
        let missing = bounded(width.saturating_sub(self.bytes.len() - start));
        self.blanks(missing);
        self.bytes[start..].rotate_right(missing);
    }

    /// Left-aligns the text from `start` in a column.
    pub fn align_left(&mut self, start: usize, width: usize) {
        self.blanks(width.saturating_sub(self.bytes.len() - start));
    }

    /// Columns used in the current line.
    pub fn column(&self) -> usize {
        let mut lines = self.bytes.rsplit(|&byte| byte == b'\n');
        lines.next().map_or(0, display_width)
    }

    /// Returns whether the current line has only blanks so far.
    pub fn is_line_blank(&self) -> bool {
        let last = self.bytes.iter().rev().find(|byte| **byte != b' ');
        last.is_none_or(|byte| *byte == b'\n')
    }

    pub fn len(&self) -> usize {
        self.bytes.len()
    }

    pub fn is_empty(&self) -> bool {
        self.bytes.is_empty()
    }

    pub fn as_bytes(&self) -> &[u8] {
        &self.bytes
    }

    /// The buffer, for other writers.
    pub fn bytes_mut(&mut self) -> &mut Vec<u8> {
        &mut self.bytes
    }

    pub fn clear(&mut self) {
        self.bytes.clear();
    }

    /// Writes the buffer if it has a chunk.
    pub fn write_piece(&mut self, out: &mut dyn Write) -> io::Result<()> {
        if self.bytes.len() < PIECE {
            return Ok(());
        }
        self.write(out)
    }

    pub fn write(&mut self, out: &mut dyn Write) -> io::Result<()> {
        out.write_all(&self.bytes)?;
        self.bytes.clear();
        Ok(())
    }
}
