//! The functions and branches that ran and the ones that never did.

use std::io;

use super::Page;
use crate::report::{Cell, RowKind, Section};

impl Page<'_> {
    pub(super) fn coverage(&mut self, section: &Section) -> io::Result<()> {
        self.summary(section);
        if section.columns.is_empty() {
            return Ok(());
        }
        self.text.word(format!("{:>21}  {:>21}\n", "functions", "branches"));
        self.text.word("entered     of      %  entered     of      %  file\n");
        let names = self.names;
        self.each_row(section, |text, row| {
            let [file, shares @ ..] = row.cells else {
                return;
            };
            for share in shares.chunks(3) {
                if let [Cell::Integer(entered), Cell::Integer(all), percent] = share {
                    text.word(format!("{entered:>7} {all:>6} "));
                    match percent {
                        Cell::Real(percent) => text.word(format!("{percent:>6.1}  ")),
                        _ => text.word(format!("{:>6}  ", "-")),
                    }
                }
            }
            names.push_source(text, file);
            text.word("\n");
        })
    }

    pub(super) fn missed(&mut self, section: &Section) -> io::Result<()> {
        let names = self.names;
        let mut before: Option<Cell> = None;
        self.each_row(section, |text, row| {
            if let (RowKind::Rest, Some(what)) = (row.kind, row.cells.last()) {
                text.word("\n");
                names.push_words(text, what);
                text.word("\n");
                return;
            }
            let [file, Cell::Integer(line), what, name] = row.cells else {
                return;
            };
            if before.as_ref() != Some(file) {
                text.word("\nNever entered in ");
                names.push_source(text, file);
                text.word(":\n");
                before = Some(file.clone());
            }
            text.word(format!("{line:>7}  "));
            let start = text.len();
            names.push(text, what);
            text.align_left(start, 8);
            text.word("  ");
            names.push(text, name);
            text.word("\n");
        })
    }
}
