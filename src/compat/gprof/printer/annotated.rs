//! Annotated source.

use std::io::{self, Write};
use std::sync::Arc;

use crate::analyze::{AnnotatedFile, LineMark};
use crate::model::RecordCounts;
use crate::report::Text;
use crate::report::number::fixed;

/// Width of the column next to the source.
const WIDTH: usize = 16;

#[derive(Debug)]
pub struct AnnotatedSource {
    /// The numbers next to the lines.
    pub annotations: AnnotatedFile,
    pub text: Arc<Vec<u8>>,
}

/// Writes a source without a heading.
pub fn write_annotated(out: &mut dyn Write, source: &AnnotatedSource) -> io::Result<()> {
    let mut marks = source.annotations.marks.iter().peekable();
    let (mut text, mut rest) = (Text::default(), source.text.as_slice());
    let mut number = 1;
    while !rest.is_empty() {
        let mark = marks.next_if(|(line, _)| *line == number);
        push_mark(&mut text, mark.map(|(_, mark)| mark));
        text.line_of(&mut rest);
        text.write_piece(out)?;
        number += 1;
    }
    text.write(out)?;
    write_top_lines(out, &source.annotations)?;
    write_summary(out, &source.annotations)
}

/// Sixteen columns; cut at the end.
fn push_mark(text: &mut Text, mark: Option<&LineMark>) {
    let start = text.len();
    match mark {
        None | Some(LineMark::Uncounted) => return text.blanks(WIDTH),
        Some(LineMark::BelowMinimum(_)) => text.word("#####"),
        Some(LineMark::Counts(counts)) => {
            for (index, &count) in counts.iter().enumerate() {
                text.word(if index > 0 { "," } else { "" });
                text.count(count, 0);
            }
        }
    }
    text.word(" -> ");
    text.cut(start + WIDTH);
    text.align_right(start, WIDTH);
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
    writeln!(out, "{:>9}   Executable lines in this file", summary.n_executable)?;
    writeln!(out, "{:>9}   Lines executed", summary.n_executed)?;
    let percent = fixed(summary.percent, 2);
    writeln!(out, "{percent:>9}   Percent of the file executed")?;
    writeln!(out, "\n{:>9}   Total number of line executions", summary.n_calls)?;
    let average = fixed(summary.average, 2);
    writeln!(out, "{average:>9}   Average executions per line")
}

/// Writes the number of records in a file.
pub fn write_file_info(
    out: &mut dyn Write,
    path: &str,
    version: u32,
    records: &RecordCounts,
) -> io::Result<()> {
    writeln!(out, "File `{path}' (version {version}) contains:")?;
    let kinds = [
        (records.n_histograms, "histogram"),
        (records.n_arcs, "call-graph"),
        (records.n_blocks, "basic-block count"),
    ];
    for (n_records, kind) in kinds {
        let plural = if n_records == 1 { "" } else { "s" };
        writeln!(out, "\t{n_records} {kind} record{plural}")?;
    }
    Ok(())
}
