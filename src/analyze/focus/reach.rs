//! Which functions and arcs take part in what is asked for, however little they cost.

use super::paths::Paths;
use super::stage::PathStage;
use crate::analyze::call_graph::GraphArc;
use crate::symbols::SymbolId;

/// Where calls come from and lead to.
pub(super) struct Reach {
    /// By group, whether it is called in each of the open stages.
    arrives: Vec<[bool; 2]>,
    /// By group, whether calls of it that are made in each of the open stages come
    /// within.
    leads: Vec<[bool; 2]>,
}

impl Reach {
    /// `is_start` says of a group whether some calls of it are nobody's.
    pub(super) fn new(paths: &Paths<'_>, is_start: impl Fn(usize) -> bool) -> Self {
        Self {
            arrives: arrives(paths, is_start),
            leads: leads(paths),
        }
    }

    /// Whether calls along an arc run through what is asked for. Those that only stand
    /// in the code belong to what their caller runs within.
    pub(super) fn carries(&self, paths: &Paths<'_>, index: u32, arc: &GraphArc) -> bool {
        if !paths.is_live(index) {
            return self.is_within(paths, arc.caller);
        }
        let arrives = self.arrives[paths.groups.of(arc.caller)];
        let leads = self.leads[paths.groups.of(arc.callee)];
        let is_part = |(stage, arrives): (PathStage, bool)| {
            let inside = paths.stage(arc.caller, stage).index();
            arrives && inside.is_some_and(|inside| leads[inside])
        };
        PathStage::OPEN.into_iter().zip(arrives).any(is_part)
    }

    /// Whether calls of a function from nowhere do.
    pub(super) fn carries_from_outside(&self, paths: &Paths<'_>, id: SymbolId) -> bool {
        let stage = paths.first.index();
        stage.is_some_and(|stage| self.leads[paths.groups.of(id)][stage])
    }

    /// Whether some of what a symbol itself cost is asked for, if it cost anything.
    pub(super) fn is_within(&self, paths: &Paths<'_>, id: SymbolId) -> bool {
        let arrives = self.arrives[paths.groups.of(id)];
        let mut stages = PathStage::OPEN.into_iter().zip(arrives);
        stages.any(|(stage, arrives)| arrives && paths.stage(id, stage) == PathStage::Within)
    }
}

/// Callers first.
fn arrives(paths: &Paths<'_>, is_start: impl Fn(usize) -> bool) -> Vec<[bool; 2]> {
    let mut arrives = vec![[false; 2]; paths.groups.len()];
    for group in (0..paths.groups.len()).rev() {
        if let Some(first) = paths.first.index() {
            arrives[group][first] |= is_start(group);
        }
        for id in paths.groups.members(group) {
            let open = PathStage::OPEN.into_iter().zip(arrives[group]);
            let stages = open.filter(|(_, arrives)| *arrives);
            let inside = stages.filter_map(|(stage, _)| paths.stage(id, stage).index());
            for stage in inside {
                for (_, arc) in paths.calls_of(id) {
                    arrives[paths.groups.of(arc.callee)][stage] = true;
                }
            }
        }
    }
    arrives
}

/// Callees first.
fn leads(paths: &Paths<'_>) -> Vec<[bool; 2]> {
    let mut leads = vec![[false; 2]; paths.groups.len()];
    for group in 0..paths.groups.len() {
        for stage in PathStage::OPEN {
            let leads_on = |id: SymbolId| match paths.stage(id, stage) {
                PathStage::Out => false,
                PathStage::Within => true,
                inside @ PathStage::Before => {
                    let index = inside.index().unwrap_or(0);
                    let mut calls = paths.calls_of(id);
                    calls.any(|(_, arc)| leads[paths.groups.of(arc.callee)][index])
                }
            };
            let is_leading = paths.groups.members(group).any(leads_on);
            leads[group][stage as usize] = is_leading;
        }
    }
    leads
}
