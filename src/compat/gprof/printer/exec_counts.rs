//! How often functions and basic blocks were executed.

use std::io::{self, Write};

use super::Report;
use crate::compat::gprof::numbers::CountRow;

pub(super) fn write(out: &mut dyn Write, rows: &[CountRow], report: &Report<'_>) -> io::Result<()> {
    for row in rows {
        let (file, line) = report.names.source(row.symbol);
        out.write_all(&file)?;
        write!(out, ":{line}: (")?;
        out.write_all(&report.names.raw(row.symbol))?;
        writeln!(out, ":{}) {} executions", row.address, row.count)?;
    }
    Ok(())
}
