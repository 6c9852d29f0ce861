//! Call stacks as a tree of frames with values, for formats of stacks.

use std::borrow::Cow;
use std::sync::Arc;

use super::{Cell, Metric, MetricIndex, NameId, NoNames, RowKind};
use crate::interner::InternedNames;

closed_set! {
    /// How stacks are known.
    "basis", StackBasis {
        Recorded = "recorded",
        /// Inferred from the costs of calls.
        Inferred = "inferred",
        /// Unknown: each function is a stack of its own.
        Functions = "functions",
    }
}

/// The frames of all stacks in pre-order, and of each the value of the stack that ends in it.
#[derive(Clone, Debug, Default)]
pub struct CallStacks {
    pub frames: Vec<StackFrame>,
    /// The values of all frames by metric, the primary one first.
    pub values: Vec<MetricValues>,
    /// Names that are not in the table of the report.
    pub(crate) texts: InternedNames,
}

#[derive(Clone, Copy, Debug)]
pub struct StackFrame {
    pub depth: u32,
    pub name: FrameName,
    pub kind: RowKind,
    pub basis: Option<StackBasis>,
}

#[derive(Clone, Copy, Debug)]
pub enum FrameName {
    Id(NameId),
    /// A number in [`CallStacks::texts`].
    Text(u32),
}

/// Whole numbers in a unit such as `nanoseconds` or `bytes`, by frame.
#[derive(Clone, Debug)]
pub struct MetricValues {
    pub metric: MetricIndex,
    pub unit: Cow<'static, str>,
    /// Of a difference those of the new side.
    pub values: Vec<i128>,
    /// Of a difference those of the old side.
    pub old: Option<Vec<i128>>,
}

impl MetricValues {
    /// The value of a frame; of a difference the change.
    pub fn value(&self, frame: usize) -> i128 {
        self.values[frame].saturating_sub(self.old.as_ref().map_or(0, |old| old[frame]))
    }

    /// The values of a frame on both sides of a difference.
    pub fn sides(&self, frame: usize) -> Option<[i128; 2]> {
        Some([self.old.as_ref()?[frame], self.values[frame]])
    }

    pub fn push(&mut self, [old, new]: [i128; 2]) {
        self.values.push(new);
        self.old.iter_mut().for_each(|values| values.push(old));
    }
}

/// The name of the column with the values of a metric in tables.
pub fn value_column(metrics: &[Metric], metric: MetricIndex, primary: MetricIndex) -> String {
    match metrics.get(metric) {
        Some(other) if metric != primary => format!("weight_{}", other.id),
        _ => "weight".to_owned(),
    }
}

impl CallStacks {
    /// Adds a name that is not in the table of the report.
    pub fn text(&mut self, text: &[u8]) -> FrameName {
        FrameName::Text(self.texts.number(text))
    }

    pub fn name(&self, frame: usize) -> Cell {
        match self.frames[frame].name {
            FrameName::Id(id) => Cell::Name(id),
            FrameName::Text(text) => Cell::Text(Arc::clone(self.texts.get(text))),
        }
    }

    /// The same with other names for those in the table of the report.
    pub fn renamed(mut self, mut name: impl FnMut(&mut Self, NameId) -> FrameName) -> Self {
        let mut frames = std::mem::take(&mut self.frames);
        for frame in &mut frames {
            if let FrameName::Id(id) = frame.name {
                frame.name = name(&mut self, id);
            }
        }
        Self { frames, ..self }
    }

    /// Some frames in order. `None` stands for all others, which become a frame of this name.
    pub fn chosen(&self, frames: &[Option<usize>], rest: &Cell) -> Self {
        let mut left_out: Vec<_> =
            self.frames.iter().map(|frame| frame.kind == RowKind::Entry).collect();
        // Damaged reports may have rows that are no frames.
        let is_frame = |frame: &Option<usize>| frame.is_none_or(|at| at < left_out.len());
        let chosen: Vec<_> = frames.iter().copied().filter(is_frame).collect();
        chosen.iter().flatten().for_each(|&frame| left_out[frame] = false);
        let of_chosen = |values: &Vec<i128>| -> Vec<i128> {
            let left_out = values.iter().zip(&left_out).filter(|(_, is_left_out)| **is_left_out);
            let rest = left_out.fold(0_i128, |sum, (value, _)| sum.saturating_add(*value));
            chosen.iter().map(|frame| frame.map_or(rest, |frame| values[frame])).collect()
        };
        let mut all = Self { texts: self.texts.clone(), ..Self::default() };
        let (kind, name) = (RowKind::Rest, all.text(rest.bytes(&NoNames)));
        let rest = StackFrame { depth: 0, name, kind, basis: None };
        all.frames = chosen.iter().map(|one| one.map_or(rest, |one| self.frames[one])).collect();
        let values = self.values.iter().map(|one| MetricValues {
            values: of_chosen(&one.values),
            old: one.old.as_ref().map(of_chosen),
            unit: one.unit.clone(),
            ..*one
        });
        all.values = values.collect();
        all
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn frames_that_are_not_chosen_become_one() {
        let mut stacks = CallStacks::default();
        for (depth, kind) in [RowKind::Entry, RowKind::Cycle, RowKind::Entry].iter().enumerate() {
            let name = stacks.text(format!("f{depth}").as_bytes());
            let depth = u32::try_from(depth).expect("it is small");
            stacks.frames.push(StackFrame { depth, name, kind: *kind, basis: None });
        }
        let (unit, old) = (Cow::Borrowed("s"), Some(vec![1, 2, 4]));
        let values = vec![10, 20, 40];
        stacks.values.push(MetricValues { metric: 0, unit, values, old });
        // A saved report may have a row that is no frame.
        let chosen = stacks.chosen(&[Some(0), None, Some(3)], &Cell::text("... 1 more frame"));
        let frames: Vec<_> = chosen.frames.iter().map(|frame| (frame.depth, frame.kind)).collect();
        assert_eq!(frames, [(0, RowKind::Entry), (0, RowKind::Rest)]);
        assert_eq!(chosen.name(1), Cell::text("... 1 more frame"));
        assert_eq!(chosen.name(0), Cell::text("f0"));
        // A cycle is the sum of the functions below it.
        let sides = [0, 1].map(|frame| chosen.values[0].sides(frame));
        assert_eq!(sides, [Some([1, 10]), Some([4, 40])]);
        assert_eq!([0, 1].map(|frame| chosen.values[0].value(frame)), [9, 36]);
    }
}
