//! Colours of rows, by cost or verdict.

use std::io;

use crate::report::{Cell, Role, Row, RowKind, Section};

/// Ends all colours.
pub(super) const PLAIN: &str = "\x1b[0m";

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Heat {
    /// At least half of the greatest share.
    Hot,
    /// At least a fifth of it.
    Warm,
    Usual,
    /// Less than half a percent of the whole.
    Faint,
}

impl Heat {
    fn of_percent(percent: f64, greatest: f64) -> Self {
        match percent {
            0.5.. if percent >= greatest / 2.0 => Self::Hot,
            0.5.. if percent >= greatest / 5.0 => Self::Warm,
            0.5.. => Self::Usual,
            _ => Self::Faint,
        }
    }

    /// The colour sequence; empty for no colour. Red is readable on light and dark backgrounds;
    /// faint is the terminal's own colour, dimmed.
    pub(super) fn color(self) -> &'static str {
        match self {
            Self::Hot => "\x1b[1;31m",
            Self::Warm => "\x1b[31m",
            Self::Usual => "",
            Self::Faint => "\x1b[2m",
        }
    }
}

/// The shares of a section's rows in the whole, as colours on one scale.
#[derive(Clone, Copy, Debug)]
pub(super) struct HeatScale {
    share: Option<usize>,
    greatest: f64,
}

impl HeatScale {
    /// The scale from a percentage column, if there is one.
    pub(super) fn new(section: &Section, share: Option<usize>) -> io::Result<Self> {
        let mut greatest = 0.0;
        if let Some(share) = share {
            section.rows.for_each(&mut |row| {
                if let Cell::Real(percent) = row.cells[share] {
                    greatest = percent.max(greatest);
                }
                Ok(())
            })?;
        }
        Ok(Self { share, greatest })
    }

    pub(super) fn of_row(self, row: &Row<'_>) -> Heat {
        match self.share.map(|share| &row.cells[share]) {
            Some(Cell::Real(percent)) => Heat::of_percent(*percent, self.greatest),
            _ => Heat::Usual,
        }
    }
}

#[derive(Clone, Copy, Debug)]
pub(super) enum Tint {
    None,
    /// By verdict, in this column.
    Verdict(usize),
    Share(HeatScale),
}

impl Tint {
    pub(super) fn of(section: &Section) -> io::Result<Self> {
        let mut columns = section.columns.iter();
        match columns.position(|column| column.role == Role::Verdict) {
            Some(verdict) => Ok(Self::Verdict(verdict)),
            None => HeatScale::new(section, section.shown_column(Role::Share)).map(Self::Share),
        }
    }

    /// The colour sequence of a row; empty for no colour.
    pub(super) fn color(self, row: &Row<'_>) -> &'static str {
        match self {
            Self::None => "",
            _ if row.kind == RowKind::Rest => Heat::Faint.color(),
            Self::Share(scale) => scale.of_row(row).color(),
            Self::Verdict(verdict) => {
                color_of_verdict(&row.cells[verdict], row.kind == RowKind::Total)
            }
        }
    }
}

/// Red for more, green for less, both readable on light and dark backgrounds; faint without a
/// significant change. The total is bold.
fn color_of_verdict(verdict: &Cell, is_total: bool) -> &'static str {
    let Cell::Text(verdict) = verdict else {
        return if is_total { "\x1b[1m" } else { "" };
    };
    match (&**verdict, is_total) {
        (b"slower" | b"more" | b"new", false) => "\x1b[31m",
        (b"slower" | b"more" | b"new", true) => "\x1b[1;31m",
        (b"faster" | b"less" | b"gone", false) => "\x1b[32m",
        (b"faster" | b"less" | b"gone", true) => "\x1b[1;32m",
        (b"unclear" | b"same", false) => "\x1b[2m",
        (_, true) => "\x1b[1m",
        (_, false) => "",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn verdicts_have_colours_and_the_whole_stands_out() {
        let check = |verdict: &str, kind: RowKind, expected: &str| {
            let cells = [Cell::text(verdict)];
            let row = Row { kind, cells: &cells };
            let color = Tint::Verdict(0).color(&row);
            assert_eq!(color, expected, "for {verdict}");
        };
        check("slower", RowKind::Entry, "\x1b[31m");
        check("new", RowKind::Entry, "\x1b[31m");
        check("more", RowKind::Total, "\x1b[1;31m");
        check("less", RowKind::Entry, "\x1b[32m");
        check("gone", RowKind::Entry, "\x1b[32m");
        check("faster", RowKind::Total, "\x1b[1;32m");
        check("same", RowKind::Entry, "\x1b[2m");
        check("unclear", RowKind::Unattributed, "\x1b[2m");
        check("unclear", RowKind::Total, "\x1b[1m");
        check("slower", RowKind::Rest, "\x1b[2m");
        check("", RowKind::Entry, "");
    }

    #[test]
    fn shares_under_half_a_percent_fade() {
        let check = |percent: f64, greatest: f64, expected: Heat| {
            assert_eq!(Heat::of_percent(percent, greatest), expected, "for {percent}");
        };
        check(100.0, 100.0, Heat::Hot);
        check(20.0, 40.0, Heat::Hot);
        check(19.9, 40.0, Heat::Warm);
        check(7.9, 40.0, Heat::Usual);
        check(0.6, 0.7, Heat::Hot);
        check(0.49, 0.7, Heat::Faint);
        check(0.0, 0.0, Heat::Faint);
        check(-3.0, 40.0, Heat::Faint);
        check(f64::NAN, 40.0, Heat::Faint);
    }
}
