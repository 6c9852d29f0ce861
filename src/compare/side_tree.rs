//! The call tree of a side: of each frame only what a difference shows, so that the rows of one
//! side are gone before those of the other are made.

use std::io;

use crate::model::InternedNames;
use crate::report::{Cell, Column, NameId, Report, RowKind, SectionId, StackWeight};

/// A report on a side, with its call tree.
pub struct SideTree {
    /// Without sections.
    pub report: Report,
    pub(super) summary: Vec<String>,
    /// The columns of weights.
    pub(super) weight_columns: Vec<Column>,
    /// In pre-order.
    pub(super) frames: Vec<SideFrame>,
    /// Of each frame, one for each column.
    weights: Vec<i128>,
    texts: InternedNames,
}

pub(super) struct SideFrame {
    pub(super) depth: u32,
    name: FrameName,
    pub(super) kind: RowKind,
    basis: u32,
}

enum FrameName {
    Id(NameId),
    Text(u32),
}

impl SideTree {
    /// The call tree of a report; `None` if it has none.
    pub fn of(mut report: Report) -> Option<Self> {
        let sections = std::mem::take(&mut report.sections);
        let section = sections.into_iter().find(|section| section.id == SectionId::Tree)?;
        let is_weight = |column: &Column| column.weight == Some(StackWeight::Whole);
        let all = section.columns.iter().enumerate();
        let (columns, weight_columns): (Vec<usize>, Vec<Column>) =
            all.filter(|(_, column)| is_weight(column)).map(|(at, of)| (at, of.clone())).unzip();
        let (mut frames, mut weights) = (Vec::new(), Vec::new());
        let mut texts = InternedNames::default();
        let visited = section.rows.for_each(&mut |row| {
            let depth = section.cell(row, "depth").as_integer().unwrap_or(0);
            frames.push(SideFrame {
                depth: u32::try_from(depth).unwrap_or(0),
                name: match section.cell(row, "name") {
                    Cell::Name(id) => FrameName::Id(*id),
                    cell => FrameName::Text(texts.number(cell.bytes(&*report.names))),
                },
                kind: row.kind,
                basis: texts.number(section.cell(row, "basis").bytes(&*report.names)),
            });
            let cost = |&column: &usize| row.cells[column].as_integer().unwrap_or(0);
            weights.extend(columns.iter().map(cost));
            Ok::<(), io::Error>(())
        });
        visited.ok()?;
        let summary = section.summary;
        Some(Self { report, summary, weight_columns, frames, weights, texts })
    }

    pub(super) fn name(&self, frame: &SideFrame) -> &[u8] {
        match frame.name {
            FrameName::Id(id) => self.report.names.name(id),
            FrameName::Text(text) => self.texts.get(text),
        }
    }

    /// The name in the table of the report.
    pub(super) fn name_id(frame: &SideFrame) -> Option<NameId> {
        match frame.name {
            FrameName::Id(id) => Some(id),
            FrameName::Text(_) => None,
        }
    }

    /// How the stack is known.
    pub(super) fn basis(&self, frame: &SideFrame) -> &[u8] {
        self.texts.get(frame.basis)
    }

    /// The weights of a frame, by column.
    pub(super) fn weights(&self, frame: usize) -> &[i128] {
        let n_columns = self.weight_columns.len();
        &self.weights[frame * n_columns..(frame + 1) * n_columns]
    }
}
