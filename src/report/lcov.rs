//! Coverage as a tracefile of lcov, which genhtml and many services read.
//!
//! Each file is a record: `SF` names it; `FN` and `FNDA` are its functions, `BRDA` its
//! branches, `DA` its lines; `FNF`, `BRF` and `LF` count them, `FNH`, `BRH` and `LH`
//! those that were entered. Source: the manual page of geninfo.

use std::collections::BTreeMap;
use std::io::{self, Write};

use crate::analyze::coverage::{Coverage, EntryCount, FileCoverage};

/// Writes a tracefile.
///
/// # Errors
/// When the writer fails.
pub fn write_lcov(out: &mut dyn Write, coverage: &Coverage) -> io::Result<()> {
    for file in &coverage.files {
        out.write_all(b"TN:\nSF:")?;
        out.write_all(&file.file)?;
        out.write_all(b"\n")?;
        write_functions(out, file)?;
        write_branches(out, file)?;
        for line in &file.lines {
            writeln!(out, "DA:{},{}", line.line, line.entries)?;
        }
        let n_entered = file.lines.iter().filter(|line| line.entries > 0).count();
        writeln!(out, "LF:{}\nLH:{n_entered}", file.lines.len())?;
        out.write_all(b"end_of_record\n")?;
    }
    Ok(())
}

fn write_functions(out: &mut dyn Write, file: &FileCoverage) -> io::Result<()> {
    let mut uses: BTreeMap<&[u8], usize> = BTreeMap::new();
    for function in &file.functions {
        *uses.entry(&function.name).or_insert(0) += 1;
    }
    // A tracefile tells functions apart by name only; `fn` is one on many lines.
    let write_name = |out: &mut dyn Write, function: &EntryCount| {
        out.write_all(&function.name)?;
        match uses[&*function.name] {
            1 => writeln!(out),
            _ => writeln!(out, ":{}", function.line),
        }
    };
    for function in &file.functions {
        write!(out, "FN:{},", function.line)?;
        write_name(out, function)?;
    }
    for function in &file.functions {
        write!(out, "FNDA:{},", function.entries)?;
        write_name(out, function)?;
    }
    let share = file.tally.functions;
    writeln!(out, "FNF:{}\nFNH:{}", share.n, share.n_entered)
}

fn write_branches(out: &mut dyn Write, file: &FileCoverage) -> io::Result<()> {
    for branch in &file.branches {
        let (line, group, index) = (branch.entry.line, branch.group, branch.index);
        write!(out, "BRDA:{line},{group},{index},")?;
        match branch.was_reached {
            true => writeln!(out, "{}", branch.entry.entries)?,
            false => writeln!(out, "-")?,
        }
    }
    let share = file.tally.branches;
    writeln!(out, "BRF:{}\nBRH:{}", share.n, share.n_entered)
}
