//! An order of functions or files for the linker: names, and nothing else.

use std::io::{self, Write};

use super::Report;
use crate::analyze::OrderedName;

pub(super) fn write(out: &mut dyn Write, report: &Report<'_>) -> io::Result<()> {
    for name in &report.analysis.order {
        match name {
            OrderedName::Symbol(id) => out.write_all(&report.names.raw(*id))?,
            OrderedName::Other(name) => out.write_all(&report.names.printable(name))?,
        }
        out.write_all(b"\n")?;
    }
    Ok(())
}
