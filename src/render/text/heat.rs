//! Colour by how much of the whole a row is.

use crate::report::{Cell, Role, Row, Section};

/// How much of the whole a row is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Heat {
    /// A tenth or more.
    Hot,
    /// Some percent.
    Warm,
    Usual,
    /// Too little to look at.
    Faint,
}

impl Heat {
    pub(super) fn of_percent(percent: f64) -> Self {
        match percent {
            10.0.. => Self::Hot,
            2.0..10.0 => Self::Warm,
            0.5..2.0 => Self::Usual,
            _ => Self::Faint,
        }
    }

    /// The heat of a row that has a share in that column.
    pub(super) fn of_row(row: &Row<'_>, share: Option<usize>) -> Self {
        match share.map(|share| &row.cells[share]) {
            Some(Cell::Real(percent)) => Self::of_percent(*percent),
            _ => Self::Usual,
        }
    }

    /// The order that starts the colour; nothing where there is none. Red is read on
    /// light and on dark, and what is faint is the terminal's own colour with less of it.
    pub(super) fn color(self) -> &'static str {
        match self {
            Self::Hot => "\x1b[1;31m",
            Self::Warm => "\x1b[31m",
            Self::Usual => "",
            Self::Faint => "\x1b[2m",
        }
    }
}

/// The column of the share that colours rows: the first one.
pub(super) fn share_column(section: &Section<'_>) -> Option<usize> {
    let mut columns = section.columns.iter();
    columns.position(|column| column.role == Role::Share && column.print.is_some())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shares_under_half_a_percent_fade() {
        let check = |percent: f64, expected: Heat| {
            assert_eq!(Heat::of_percent(percent), expected, "for {percent}");
        };
        check(100.0, Heat::Hot);
        check(10.0, Heat::Hot);
        check(9.99, Heat::Warm);
        check(0.5, Heat::Usual);
        check(0.49, Heat::Faint);
        check(0.0, Heat::Faint);
        check(-3.0, Heat::Faint);
        check(f64::NAN, Heat::Faint);
    }
}
