//! A counter track: the bytes of a heap that are in use, over time.

use std::io::{self, Write};

use super::super::stacks::json_text;
use super::{Millis, NANOSECONDS, write_column};
use crate::report::{Cell, Report, Section};

/// The use of a heap over time.
pub(super) struct Counter {
    /// The most bytes of each column of the chart.
    bytes: Vec<i128>,
    /// The extent of the columns, in `unit`.
    end: i128,
    unit: String,
}

impl Counter {
    pub(super) fn of(history: &Section, report: &Report) -> io::Result<Self> {
        let mut counter = Self { bytes: Vec::new(), end: 0, unit: "events".to_owned() };
        history.rows.for_each(&mut |row| {
            let number = |id| history.cell(row, id).as_integer();
            counter.bytes.extend(number("bytes"));
            counter.end = number("events").unwrap_or(counter.end);
            match history.cell(row, "unit") {
                Cell::Absent => {}
                unit => {
                    let unit = unit.bytes(&*report.names);
                    counter.unit = String::from_utf8_lossy(unit).into_owned();
                }
            }
            Ok(())
        })?;
        Ok(counter)
    }

    /// The nanoseconds that it covers. An event, an instruction or a byte is a microsecond.
    pub(super) fn span(&self) -> i128 {
        let of_unit = match &*self.unit {
            "ms" => NANOSECONDS,
            _ => NANOSECONDS / 1000,
        };
        self.end.max(0).saturating_mul(of_unit)
    }

    /// Writes it as a counter of memory: each count is the change since the one before.
    pub(super) fn write(&self, out: &mut dyn Write) -> io::Result<()> {
        let n_columns = self.bytes.len();
        let about = format!("Bytes in use, over {} {}", self.end, self.unit);
        write!(
            out,
            "{{\"name\":\"heap\",\"category\":\"Memory\",\"description\":{},\"pid\":\"0\",\
             \"mainThreadIndex\":0,\"samples\":{{\"length\":{n_columns}",
            json_text(&about)
        )?;
        let step = self.span() / i128::try_from(n_columns).unwrap_or(1).max(1);
        let times = (0..).map(|column: i128| Millis(step * column));
        write_column("time", times.take(n_columns), out)?;
        let before = std::iter::once(&0).chain(&self.bytes);
        let changes = self.bytes.iter().zip(before);
        let changes = changes.map(|(now, then)| now.saturating_sub(*then));
        write_column("count", changes, out)?;
        out.write_all(b"}}")
    }
}
