//! Who reads a report.

/// Decides which rows and columns a report has, in which units, and how long names are.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Audience {
    /// People at a terminal: units that fit, short names, no small rows.
    Screen,
    /// Readers of text in a file or pipe. Units never depend on the numbers.
    #[default]
    Listing,
    /// Programs: full precision, every column.
    Data,
}
