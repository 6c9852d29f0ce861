//! Which parts of a report were asked for.

use super::printer::{Flavor, Section};
use crate::model::RecordCounts;

/// What gprof calls an output style: what one letter of the command line asks for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum OutputStyle {
    /// `-p`: the flat profile.
    Flat,
    /// `-q`: the call graph and its index.
    Graph,
    /// `-C`: how often functions and basic blocks were executed.
    ExecCounts,
    /// `-A`: the source with counts.
    AnnotatedSource,
    /// `-r`: an order of functions for the linker.
    FunctionOrder,
    /// `-R`: an order of object files for the linker.
    FileOrder,
    /// `-i`: what is in each profile.
    FileInfo,
    /// `-s`: the sum of the profiles, in a file.
    Sum,
}

/// The styles that were asked for, and those that were named at all: one bit each.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Styles {
    wanted: u8,
    named: u8,
}

impl Styles {
    /// What a letter says, `-p`, `-P` and their likes: this style, or not this one.
    pub(super) fn set(&mut self, style: OutputStyle, is_wanted: bool) {
        let bit = 1 << style as u8;
        self.named |= bit;
        self.wanted = if is_wanted {
            self.wanted | bit
        } else {
            self.wanted & !bit
        };
    }

    /// Whether the style was asked for.
    pub(super) fn wants(self, style: OutputStyle) -> bool {
        self.wanted & 1 << style as u8 != 0
    }

    /// Whether the style may be printed, as far as the command line tells.
    pub(super) fn can_have(self, style: OutputStyle) -> bool {
        use OutputStyle as S;
        let is_default = matches!(style, S::Flat | S::Graph | S::ExecCounts);
        let is_open = self.wanted == 0 && self.named & 1 << style as u8 == 0;
        self.wants(style) || is_default && is_open
    }

    /// The parts to print. Where none is wanted, it is what the profile has
    /// records for, or counts if it has none, less what was named in the negative.
    pub(super) fn sections(self, records: &RecordCounts, flavor: Flavor) -> Vec<Section> {
        use OutputStyle as S;
        let has = |style, is_default: bool| self.wants(style) || is_default && self.can_have(style);
        let has_graph = has(S::Graph, records.has_arcs);
        let has_neither = !records.has_histogram && !records.has_arcs;
        let flat = has(S::Flat, records.has_histogram).then_some(Section::Flat);
        let graph = has_graph.then_some(Section::Graph);
        let index = has_graph.then_some(Section::Index);
        let counts = has(S::ExecCounts, has_neither).then_some(Section::ExecCounts);
        let source = has(S::AnnotatedSource, false).then_some(Section::AnnotatedSource);
        let has_order = has(S::FunctionOrder, false) || has(S::FileOrder, false);
        let order = has_order.then_some(Section::Order);
        let sections = match flavor {
            Flavor::Gnu => [flat, graph, index, counts, source, order],
            Flavor::Bsd => [graph, flat, index, counts, source, order],
        };
        sections.into_iter().flatten().collect()
    }
}
