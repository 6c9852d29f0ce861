//! Tables whose columns are as wide as what is in them.

use crate::report::Text;

/// A table in the making: numbers at the right of their columns, and at the end of
/// each row a text, which has no width.
pub(super) struct Columns<const N: usize> {
    headers: [&'static str; N],
    last_header: &'static str,
    rows: Vec<([String; N], Vec<u8>)>,
}

/// Blanks before each column.
const GAP: usize = 2;

impl<const N: usize> Columns<N> {
    /// A table with these words above its columns. Where they hold a line break they
    /// stand in two lines.
    pub(super) fn new(headers: [&'static str; N], last_header: &'static str) -> Self {
        Self {
            headers,
            last_header,
            rows: Vec::new(),
        }
    }

    pub(super) fn row(&mut self, numbers: [String; N], last: Vec<u8>) {
        self.rows.push((numbers, last));
    }

    pub(super) fn write(&self, text: &mut Text) {
        let widths: Vec<_> = (0..N).map(|column| self.width(column)).collect();
        let has_upper = self.headers.iter().any(|header| header.contains('\n'));
        for line in usize::from(!has_upper)..2 {
            let mut n_blanks = 0;
            for (header, &width) in self.headers.iter().zip(&widths) {
                let word = part(header, line);
                n_blanks += GAP + width - word.len();
                if !word.is_empty() {
                    text.blanks(std::mem::take(&mut n_blanks));
                    text.word(word);
                }
            }
            if line == 1 {
                text.blanks(GAP + n_blanks);
                text.word(self.last_header);
            }
            text.word("\n");
        }
        for (numbers, last) in &self.rows {
            for (number, &width) in numbers.iter().zip(&widths) {
                text.blanks(GAP);
                text.right(number.as_bytes(), width, usize::MAX);
            }
            if !last.is_empty() {
                text.blanks(GAP);
                text.word(last);
            }
            text.word("\n");
        }
    }

    fn width(&self, column: usize) -> usize {
        let lines = self.headers[column].lines().map(str::len);
        let numbers = self.rows.iter().map(|(numbers, _)| numbers[column].len());
        lines.chain(numbers).max().unwrap_or(0)
    }
}

/// What of a header stands in the upper or in the lower of two lines.
fn part(header: &'static str, line: usize) -> &'static str {
    match (header.split_once('\n'), line) {
        (Some((upper, _)), 0) => upper,
        (Some((_, lower)), _) => lower,
        (None, 0) => "",
        (None, _) => header,
    }
}
