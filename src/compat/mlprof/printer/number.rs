//! Numbers as Standard ML prints them: `~` is the minus sign.

use std::io::{self, Write};

use crate::model::Quantity;

/// Writes a percentage with one decimal.
pub(super) fn write_percentage(out: &mut impl Write, percentage: f64) -> io::Result<()> {
    let sign = if percentage < 0.0 { "~" } else { "" };
    write!(out, "{sign}{:.1}%", percentage.abs())
}

/// Writes what was counted, in brackets.
pub(super) fn write_raw(out: &mut impl Write, value: i128, quantity: Quantity) -> io::Result<()> {
    out.write_all(b"(")?;
    match quantity {
        Quantity::TIME => {
            write_seconds(out, value)?;
            out.write_all(b"s)")
        }
        _ => {
            write_grouped(out, value)?;
            out.write_all(b")")
        }
    }
}

/// Writes hundredths of a second as seconds.
pub(super) fn write_seconds(out: &mut impl Write, ticks: i128) -> io::Result<()> {
    let sign = if ticks < 0 { "~" } else { "" };
    write!(out, "{sign}{:.2}", ticks.unsigned_abs() as f64 / 100.0)
}

/// Writes a number with commas between groups of three digits.
pub(super) fn write_grouped(out: &mut impl Write, value: i128) -> io::Result<()> {
    if value < 0 {
        out.write_all(b"~")?;
    }
    let digits = value.unsigned_abs().to_string();
    for (index, digit) in digits.bytes().enumerate() {
        if index > 0 && (digits.len() - index).is_multiple_of(3) {
            out.write_all(b",")?;
        }
        out.write_all(&[digit])?;
    }
    Ok(())
}
