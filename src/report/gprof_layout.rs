//! gprof's layouts of the call graph, the index and annotated source. A hot path.
//!
//! ```text
//! index % time    self  children    called     name
//! [7]     12.5    0.25    1.00      10+5       f [7]
//!                 0.25    1.00      10/15          g [9]
//! ```

use std::io;

use super::decimal::{put_count, put_count_left, put_fixed};
use super::{Cell, Text};

/// Separates entries.
pub const RULE: &str = "-----------------------------------------------";

/// Width of a number of calls.
const CALLS: usize = 7;

/// Maximum width of the numbers in a line.
const NUMBER_WIDTH: usize = 64;

/// Which of two layouts.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Flavor {
    #[default]
    Gnu,
    /// The older one of BSD.
    Bsd,
}

/// The columns of the call graph up to the name.
pub struct GraphLayout {
    flavor: Flavor,
    /// Decimals of times: 2, as in gprof, or more.
    decimals: usize,
    /// Heads of the columns that gprof does not have, between times and calls.
    further_heads: String,
}

/// The numbers of a line.
#[derive(Clone, Copy)]
pub struct GraphNumbers<'a> {
    /// Percentage of the total, in an entry's own line.
    pub percent: Option<f64>,
    pub self_time: f64,
    pub children: f64,
    /// Columns that gprof does not have, as wide as their heads.
    pub further: &'a [u8],
    /// Number of calls, and the number after it.
    pub calls: Option<(u64, AfterCalls)>,
}

impl GraphNumbers<'_> {
    /// No numbers before the name of a caller or callee.
    pub const NONE: Self =
        Self { percent: None, self_time: 0.0, children: 0.0, further: b"", calls: None };

    /// Blanks before the name: an entry's own name is four columns to the left.
    fn gap(&self) -> usize {
        if self.percent.is_some() { 1 } else { 5 }
    }
}

/// The number after the number of calls.
#[derive(Clone, Copy)]
pub enum AfterCalls {
    All(u64),
    /// Direct recursion; omitted if 0.
    Itself(u64),
}

/// The number of an entry: in brackets, or in parentheses if it is not shown.
#[derive(Clone, Copy)]
pub struct IndexNumber {
    pub number: u64,
    pub is_shown: bool,
}

impl IndexNumber {
    pub fn push(self, text: &mut Text) {
        text.word(self.put(&mut [0; 24]));
    }

    /// Writes the number at the end of a field.
    fn put(self, field: &mut [u8; 24]) -> &[u8] {
        let [open, close] = if self.is_shown { *b"[]" } else { *b"()" };
        field[23] = close;
        let digits = put_count(&mut field[..23], self.number);
        let start = digits.expect("a count has twenty digits at most") - 1;
        field[start] = open;
        &field[start..]
    }
}

impl GraphLayout {
    pub fn new(flavor: Flavor, further_heads: String) -> Self {
        Self { flavor, decimals: 2, further_heads }
    }

    /// The layout with times of at least two decimals, and columns wider by the others.
    #[must_use]
    pub fn with_decimals(self, decimals: usize) -> Self {
        Self { decimals: decimals.max(2), ..self }
    }

    fn self_width(&self) -> usize {
        5 + self.decimals
    }

    fn children_width(&self) -> usize {
        match self.flavor {
            Flavor::Gnu => 5 + self.decimals,
            Flavor::Bsd => 9 + self.decimals,
        }
    }

    fn before_calls(&self) -> usize {
        let times = self.self_width() + 1 + self.children_width();
        6 + 1 + 5 + 1 + times + self.further_heads.len()
    }

    pub fn push_heads(&self, text: &mut Text) {
        let further = &self.further_heads;
        let (own_width, children) = (self.self_width(), self.children_width());
        if self.flavor == Flavor::Gnu {
            let (own_width, children) = (own_width + 1, children + 3);
            let times = format!("{:>own_width$}{:>children$}", "self", "children");
            return text.word(format!("index % time{times}{further}    called     name\n"));
        }
        let width = self.before_calls() + 1;
        let ends = format!("{:width$}{:>7}/{:<7}     ", "", "called", "total");
        let own = format!("{:<6} {:>5} {:>own_width$}", "index", "%time", "self");
        let own = format!("{own} {:>children$}", "descendants");
        let own = format!("{own}{further} {:>7}+{:<7} {:<8}\tindex", "called", "self", "name");
        text.word(format!("{ends}parents \n{own}\n{ends}children\n\n"));
    }

    /// Adds a line up to its name; `number` is cut to six columns, as in gprof: a number of
    /// five digits loses its closing bracket.
    pub fn push(&self, text: &mut Text, number: Option<IndexNumber>, numbers: &GraphNumbers<'_>) {
        let mut field = [0; 24];
        let number = number.map_or(&b""[..], |number| number.put(&mut field));
        let number = &number[..number.len().min(6)];
        let mut line = [b' '; NUMBER_WIDTH];
        match self.put(&mut line, number, numbers) {
            Some(len) => text.word(&line[..len]),
            None => self.push_wide(text, number, numbers),
        }
    }

    /// Writes a line of numbers that fit their columns over blanks, four times faster than
    /// column by column. Returns its length.
    fn put(
        &self,
        line: &mut [u8; NUMBER_WIDTH],
        number: &[u8],
        numbers: &GraphNumbers<'_>,
    ) -> Option<usize> {
        if !self.further_heads.is_empty() || self.decimals > 2 {
            return None;
        }
        line[..number.len()].copy_from_slice(number);
        if let Some(percent) = numbers.percent {
            put_fixed(&mut line[7..12], percent, 1)?;
        }
        put_fixed(&mut line[13..20], numbers.self_time, 2)?;
        let end = self.before_calls();
        put_fixed(&mut line[21..end], numbers.children, 2)?;
        let after = end + 1 + CALLS;
        if let Some((calls, what)) = numbers.calls {
            put_count(&mut line[end + 1..after], calls)?;
            let (sign, count) = match what {
                AfterCalls::All(all) => (b'/', Some(all)),
                AfterCalls::Itself(count) => (b'+', (count != 0).then_some(count)),
            };
            if let Some(count) = count {
                line[after] = sign;
                put_count_left(&mut line[after + 1..after + 1 + CALLS], count)?;
            }
        }
        Some(after + 1 + CALLS + numbers.gap())
    }

    fn push_wide(&self, text: &mut Text, number: &[u8], numbers: &GraphNumbers<'_>) {
        text.left(number, 6, 6);
        text.blanks(1);
        match numbers.percent {
            Some(percent) => text.fixed(percent, 1, 5),
            None => text.blanks(5),
        }
        text.blanks(1);
        text.fixed(numbers.self_time, self.decimals, self.self_width());
        text.blanks(1);
        text.fixed(numbers.children, self.decimals, self.children_width());
        text.word(numbers.further);
        match numbers.calls {
            None => text.blanks(1 + CALLS + 1 + CALLS),
            Some((calls, what)) => {
                text.blanks(1);
                text.count(calls, CALLS);
                match what {
                    AfterCalls::All(all) => {
                        text.word("/");
                        text.count_left(all, CALLS);
                    }
                    AfterCalls::Itself(0) => text.blanks(1 + CALLS),
                    AfterCalls::Itself(count) => {
                        text.word("+");
                        text.count_left(count, CALLS);
                    }
                }
            }
        }
        text.blanks(numbers.gap());
    }

    /// Adds a line without times up to its name.
    pub fn push_count(&self, text: &mut Text, calls: Option<u64>) {
        text.blanks(self.before_calls() + 1);
        match calls {
            Some(calls) => text.count(calls, CALLS),
            None => text.blanks(CALLS),
        }
        text.blanks(1 + CALLS + 5);
    }

    /// Adds the line of a function without callers.
    pub fn push_no_callers(&self, text: &mut Text) {
        text.blanks(self.before_calls() + 1 + CALLS + 1 + CALLS);
        text.word("     <spontaneous>\n");
    }

    /// Ends an entry.
    pub fn push_rule(&self, text: &mut Text) {
        let [above, below] = if self.flavor == Flavor::Gnu { ["", "\n"] } else { ["\n", "\n\n"] };
        text.word(above);
        text.word(RULE);
        text.word(below);
    }
}

/// Adds the text after a name: its cycle and index number, as in `f <cycle 1> [12]`.
pub fn push_reference(text: &mut Text, cycle: Option<u64>, number: IndexNumber) {
    if let Some(cycle) = cycle {
        text.word(" <cycle ");
        text.count(cycle, 0);
        text.word(">");
    }
    text.word(" ");
    number.push(text);
}

/// Entries by column: the rows of the index.
pub fn index_rows<E>(entries: &[E]) -> impl Iterator<Item = impl Iterator<Item = &E>> {
    let n_rows = entries.len().div_ceil(INDEX_COLUMNS);
    (0..n_rows).map(move |first| entries[first..].iter().step_by(n_rows))
}

/// Width of a column of the index in a line of `width`.
pub fn index_column(width: usize) -> usize {
    width.saturating_sub(1) / INDEX_COLUMNS
}

const INDEX_COLUMNS: usize = 3;

/// Width of a name in BSD's index.
pub const BSD_NAME: usize = 19;

/// Writes the index in lines of `width`.
pub fn write_index<N>(
    flavor: Flavor,
    width: usize,
    entries: &[(IndexNumber, N)],
    text: &mut Text,
    out: &mut dyn io::Write,
    push_name: impl Fn(&mut Text, &N),
) -> io::Result<()> {
    for row in index_rows(entries) {
        // In GNU's layout a name starts in its column or, after a long name, later. Brackets of
        // numbers do not count for the position. A gap may exceed the buffer.
        let mut place = 0;
        for (column, (number, name)) in row.enumerate() {
            let mut field = [0; 24];
            let number = number.put(&mut field);
            if flavor == Flavor::Bsd {
                text.right(number, 6, 6);
                text.blanks(1);
                let start = text.len();
                push_name(text, name);
                text.cut(start + BSD_NAME);
                text.align_left(start, BSD_NAME);
                continue;
            }
            place += number.len();
            let gap = (column * index_column(width) + 5).saturating_sub(place);
            text.write_blanks(gap + 1, out)?;
            text.word(number);
            text.blanks(1);
            let start = text.len();
            push_name(text, name);
            place += gap + text.len() - start;
        }
        text.word("\n");
        text.write_piece(out)?;
    }
    text.write(out)
}

/// Width of the column next to source.
pub const BESIDE_SOURCE: usize = 16;

/// The number next to a source line.
pub enum SourceMark<'a> {
    Nothing,
    Word(&'a [u8]),
    Counts(&'a [u64]),
}

/// Adds the column next to a source line, cut at the end.
pub fn push_beside_source(text: &mut Text, mark: SourceMark<'_>) {
    let start = text.len();
    match mark {
        SourceMark::Nothing => return text.blanks(BESIDE_SOURCE),
        SourceMark::Word(word) => text.word(word),
        SourceMark::Counts(counts) => {
            for (index, &count) in counts.iter().enumerate() {
                text.word(if index > 0 { "," } else { "" });
                text.count(count, 0);
            }
        }
    }
    text.word(" -> ");
    text.cut(start + BESIDE_SOURCE);
    text.align_right(start, BESIDE_SOURCE);
}

pub fn push_top_heads(text: &mut Text, title: &str) {
    text.word(format!("\n\n{title}\n\n     Line      Count\n\n"));
}

pub fn push_top_line(text: &mut Text, line: u64, count: u64) {
    text.count(line, 9);
    text.blanks(1);
    text.count(count, 10);
    text.word("\n");
}

/// Adds a line of the summary of a source: three shares of lines, then shares of executions.
pub fn push_summary_line(text: &mut Text, number: usize, value: &Cell, what: &[u8]) {
    text.word(if number == 3 { "\n" } else { "" });
    match value {
        Cell::Real(value) => text.fixed(*value, 2, 9),
        value => text.count(value.as_count(), 9),
    }
    text.blanks(3);
    text.word(what);
    text.word("\n");
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Both ways print the same if the numbers fit.
    #[test]
    fn numbers_that_fit_are_aligned() {
        let counts = [0, 1, 15, 9_999_999, 10_000_000, u64::MAX];
        let times = [0.0, 0.005, 1.25, 9999.99, 99_999.0, 1e9, -1.0, f64::NAN];
        let both = times.map(|self_time| times.map(|children| (self_time, children)));
        let mut n_plain = 0;
        for flavor in [Flavor::Gnu, Flavor::Bsd] {
            let layout = GraphLayout::new(flavor, String::new());
            for &(self_time, children) in both.as_flattened() {
                for count in counts {
                    for (percent, calls) in [
                        (None, None),
                        (Some(self_time), Some((count, AfterCalls::Itself(0)))),
                        (Some(100.0), Some((3, AfterCalls::Itself(count)))),
                        (None, Some((count, AfterCalls::All(count)))),
                        (None, Some((7, AfterCalls::All(count)))),
                    ] {
                        let numbers = GraphNumbers { percent, calls, ..GraphNumbers::NONE };
                        let numbers = GraphNumbers { self_time, children, ..numbers };
                        let number = IndexNumber { number: 12345, is_shown: true };
                        let (mut pushed, mut wide) = (Text::default(), Text::default());
                        layout.push(&mut pushed, Some(number), &numbers);
                        layout.push_wide(&mut wide, b"[12345", &numbers);
                        assert_eq!(pushed.as_bytes(), wide.as_bytes());
                        let mut line = [b' '; NUMBER_WIDTH];
                        n_plain += usize::from(layout.put(&mut line, b"", &numbers).is_some());
                    }
                }
            }
        }
        assert!(n_plain > 500, "{n_plain} took the quick way");
    }
}
