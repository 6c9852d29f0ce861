//! Annotated source.

use std::io::{self, Write};
use std::sync::Arc;

use crate::analyze::{AnnotatedFile, LineMark};
use crate::model::RecordCounts;
use crate::report::Text;
use crate::report::gprof_layout::{
    SourceMark, push_beside_source, push_summary_line, push_top_heads, push_top_line,
};

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
        push_beside_source(&mut text, shown_mark(mark.map(|(_, mark)| mark)));
        text.line_of(&mut rest);
        text.write_piece(out)?;
        number += 1;
    }
    push_top_lines(&mut text, &source.annotations);
    text.word("\nExecution Summary:\n\n");
    for (number, (value, what)) in source.annotations.summary.rows().iter().enumerate() {
        push_summary_line(&mut text, number, value, what.as_bytes());
    }
    text.write(out)
}

fn shown_mark(mark: Option<&LineMark>) -> SourceMark<'_> {
    match mark {
        None | Some(LineMark::Uncounted) => SourceMark::Nothing,
        Some(LineMark::BelowMinimum(_)) => SourceMark::Word(b"#####"),
        Some(LineMark::Counts(counts)) => SourceMark::Counts(counts),
    }
}

fn push_top_lines(text: &mut Text, file: &AnnotatedFile) {
    let Some(top_lines) = &file.top_lines else {
        return;
    };
    push_top_heads(text, &format!("Top {} Lines:", top_lines.n_wanted));
    for top in &top_lines.lines {
        push_top_line(text, top.line.into(), top.calls);
    }
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
