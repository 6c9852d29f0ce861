//! Tables of numbers with a name at the end of each row.

use std::io::{self, Write};

/// The number of lines that head a table.
const N_HEADS: usize = 2;

/// A table: columns of numbers, each as wide as its widest cell, and a last column
/// of names, which is as wide as it likes.
pub(super) struct Table {
    heads: Vec<[&'static str; N_HEADS]>,
    /// The cells of all rows, one after the other.
    cells: Vec<String>,
    names: Vec<Vec<u8>>,
}

impl Table {
    /// A table whose columns have these headings, each of two lines. The last one is
    /// that of the names.
    pub(super) fn new(heads: Vec<[&'static str; N_HEADS]>) -> Self {
        Self {
            heads,
            cells: Vec::new(),
            names: Vec::new(),
        }
    }

    /// Adds a row: a cell for each column of numbers, and a name.
    pub(super) fn push(&mut self, cells: Vec<String>, name: Vec<u8>) {
        debug_assert_eq!(cells.len() + 1, self.heads.len(), "a cell for each column");
        self.cells.extend(cells);
        self.names.push(name);
    }

    /// Prints the heads and all rows, numbers to the right and two blanks between
    /// columns. Where all heads are in the lower line there is no upper one.
    pub(super) fn write(&self, out: &mut dyn Write) -> io::Result<()> {
        let (name_heads, heads) = self.heads.split_last().expect("names have a column");
        let rows = || self.cells.chunks(heads.len());
        let mut widths: Vec<_> = heads
            .iter()
            .map(|head| head.iter().map(|line| line.len()).max().unwrap_or(0))
            .collect();
        for row in rows() {
            for (width, cell) in widths.iter_mut().zip(row) {
                *width = cell.len().max(*width);
            }
        }
        let is_blank = |line: usize| self.heads.iter().all(|head| head[line].is_empty());
        for line in (0..N_HEADS).filter(|&line| !is_blank(line)) {
            let cells: Vec<_> = heads.iter().map(|head| head[line]).collect();
            write_row(out, &widths, &cells, name_heads[line].as_bytes())?;
        }
        for (row, name) in rows().zip(&self.names) {
            let cells: Vec<_> = row.iter().map(String::as_str).collect();
            write_row(out, &widths, &cells, name)?;
        }
        Ok(())
    }
}

fn write_row(out: &mut dyn Write, widths: &[usize], cells: &[&str], name: &[u8]) -> io::Result<()> {
    let mut line = Vec::new();
    for (cell, width) in cells.iter().zip(widths) {
        write!(line, "{cell:>width$}  ")?;
    }
    line.extend_from_slice(name);
    let end = line.iter().rposition(|&byte| byte != b' ');
    out.write_all(&line[..end.map_or(0, |end| end + 1)])?;
    out.write_all(b"\n")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(table: &Table, expected: &str) {
        let mut text = Vec::new();
        table.write(&mut text).expect("a vector takes everything");
        assert_eq!(String::from_utf8_lossy(&text), expected);
    }

    #[test]
    fn heads_of_one_line_take_one_line() {
        let mut table = Table::new(vec![["", "bytes"], ["", "name"]]);
        table.push(vec!["1".into()], b"main".to_vec());
        check(&table, "bytes  name\n    1  main\n");
    }

    #[test]
    fn columns_are_as_wide_as_their_widest_cell() {
        let mut table = Table::new(vec![["%", ""], ["self", "bytes"], ["", "name"]]);
        table.push(vec!["1.00".into(), "1234567".into()], b"main".to_vec());
        table.push(vec!["10.00".into(), "1".into()], b"f".to_vec());
        check(
            &table,
            "    %     self\n         bytes  name\n 1.00  1234567  main\n10.00        1  f\n",
        );
    }
}
