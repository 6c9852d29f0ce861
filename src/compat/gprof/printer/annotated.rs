//! Source with counts beside its lines.

use std::io::{self, Write};

use crate::analyze::{AnnotatedFile, Mark};
use crate::report::number::fixed;

/// Columns beside the source.
const WIDTH: usize = 16;

/// An annotated file, and the text of its source.
#[derive(Debug)]
pub struct AnnotatedSource {
    /// What stands beside the lines.
    pub annotations: AnnotatedFile,
    /// The source.
    pub text: Vec<u8>,
}

/// Writes one source without a heading.
///
/// # Errors
/// When the writer fails.
pub fn write_annotated(out: &mut dyn Write, source: &AnnotatedSource) -> io::Result<()> {
    let mut marks = source.annotations.marks.iter().peekable();
    for (number, line) in (1..).zip(source.text.split_inclusive(|&byte| byte == b'\n')) {
        let mark = marks.next_if(|(line, _)| *line == number);
        write_mark(out, mark.map(|(_, mark)| mark))?;
        out.write_all(line)?;
    }
    write_top_lines(out, &source.annotations)?;
    write_summary(out, &source.annotations)
}

/// Sixteen columns; what does not fit is cut at its end.
fn write_mark(out: &mut dyn Write, mark: Option<&Mark>) -> io::Result<()> {
    let text = match mark {
        None | Some(Mark::Uncounted) => return write!(out, "{:WIDTH$}", ""),
        Some(Mark::BelowMinimum(_)) => "##### -> ".to_owned(),
        Some(Mark::Counts(counts)) => {
            let counts: Vec<_> = counts.iter().map(u64::to_string).collect();
            format!("{} -> ", counts.join(","))
        }
    };
    write!(out, "{text:>WIDTH$.WIDTH$}")
}

fn write_top_lines(out: &mut dyn Write, file: &AnnotatedFile) -> io::Result<()> {
    let Some(top_lines) = &file.top_lines else {
        return Ok(());
    };
    let n_wanted = top_lines.n_wanted;
    write!(out, "\n\nTop {n_wanted} Lines:\n\n     Line      Count\n\n")?;
    for top in &top_lines.lines {
        writeln!(out, "{:>9} {:>10}", top.line, top.calls)?;
    }
    Ok(())
}

fn write_summary(out: &mut dyn Write, file: &AnnotatedFile) -> io::Result<()> {
    let summary = &file.summary;
    write!(out, "\nExecution Summary:\n\n")?;
    writeln!(
        out,
        "{:>9}   Executable lines in this file",
        summary.n_executable
    )?;
    writeln!(out, "{:>9}   Lines executed", summary.n_executed)?;
    let percent = fixed(summary.percent, 2);
    writeln!(out, "{percent:>9}   Percent of the file executed")?;
    writeln!(
        out,
        "\n{:>9}   Total number of line executions",
        summary.n_calls
    )?;
    let average = fixed(summary.average, 2);
    writeln!(out, "{average:>9}   Average executions per line")
}
