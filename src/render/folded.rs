//! Folded call stacks for flame graphs: a line `a;b;c N` for each.
//!
//! Frames start with the outermost caller, and `N` is the self cost of the last one:
//! nanoseconds, thousandths of ticks of unknown length, or units of the metric. Read by
//! `flamegraph.pl`, `inferno`, speedscope and `gprof2dot -f collapse`. The format has no
//! place for the unit.

use std::borrow::Cow;
use std::io::Write;

use super::text::{depth_column, depth_of};
use super::{NameForm, RenderError, RenderOptions, Renderer, name_form};
use crate::report::{Cell, MAX_FOLDED_FRAMES, NameTable, Report, SectionId, escape_controls};

/// Call stacks, folded.
pub(super) static FOLDED: Renderer = Renderer {
    accepts: |section| section == SectionId::Tree,
    ..Renderer::new("folded", &["folded"], render)
};

fn render(
    report: &Report<'_>,
    options: &RenderOptions,
    out: &mut dyn Write,
) -> Result<(), RenderError> {
    for section in FOLDED.accepted(report)? {
        let (depth, weight) = (depth_column(section), section.column("weight"));
        let name = section.column("name").unwrap_or_default();
        let mut stack = Stack::default();
        section.rows.for_each(&mut |row| {
            let depth = depth_of(&row, depth).unwrap_or(0);
            if depth < MAX_FOLDED_FRAMES {
                stack.push(
                    depth,
                    &frame(&row.cells[name], &*report.names, options.names),
                );
            }
            match weight.map(|weight| &row.cells[weight]) {
                // Readers take whole numbers, and none below zero.
                Some(&Cell::Integer(weight)) if weight > 0 => {
                    out.write_all(&stack.frames)?;
                    writeln!(out, " {weight}")
                }
                _ => Ok(()),
            }
        })?;
    }
    Ok(())
}

/// The stack of a row.
#[derive(Default)]
struct Stack {
    frames: Vec<u8>,
    /// The end of each frame.
    ends: Vec<usize>,
}

impl Stack {
    /// Replaces the frame at a depth and those below it.
    fn push(&mut self, depth: usize, frame: &[u8]) {
        self.ends.truncate(depth);
        self.frames.truncate(self.ends.last().copied().unwrap_or(0));
        if !self.ends.is_empty() {
            self.frames.push(b';');
        }
        self.frames.extend_from_slice(frame);
        self.ends.push(self.frames.len());
    }
}

/// The name of a frame, without separators of frames, lines and counts: two numbers at the
/// end of a line would mean two profiles.
fn frame(cell: &Cell, names: &dyn NameTable, form: NameForm) -> Vec<u8> {
    let name: Cow<'_, [u8]> = match (cell, form) {
        (Cell::Name(id), NameForm::Linkage) => names.linkage_name(*id).into(),
        (Cell::Name(id), NameForm::Short) => name_form::short(names.name(*id)).into(),
        (Cell::Name(id), NameForm::Base) => name_form::base(names.name(*id)).into(),
        (Cell::Name(id), _) => names.name(*id).into(),
        (Cell::Text(text), _) => Cow::Borrowed(&**text),
        _ => Cow::default(),
    };
    let mut frame = escape_controls(&name).into_owned();
    for byte in frame.iter_mut().filter(|byte| **byte == b';') {
        *byte = b':';
    }
    let is_of_number = |byte: &&u8| byte.is_ascii_digit() || **byte == b'.';
    let n_digits = frame.iter().rev().take_while(is_of_number).count();
    match frame.iter_mut().rev().nth(n_digits) {
        Some(blank) if *blank == b' ' && n_digits > 0 => *blank = b'_',
        Some(_) => {}
        None if n_digits == 0 => return b"<unnamed>".to_vec(),
        None => {}
    }
    frame
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::report::NoNames;

    #[test]
    fn names_end_no_frame_no_line_and_in_no_number() {
        let check = |name: &str, expected: &str| {
            let found = frame(&Cell::text(name), &NoNames, NameForm::Full);
            assert_eq!(String::from_utf8_lossy(&found), expected);
        };
        check("operator new(unsigned long)", "operator new(unsigned long)");
        check("a;b", "a:b");
        check("a\tb\n", "a\\x09b\\x0a");
        check("cycle 1", "cycle_1");
        check("1.5", "1.5");
        check("f 1.5", "f_1.5");
        check("", "<unnamed>");
    }
}
