//! Which functions and arcs are selected, regardless of cost.

use super::paths::Paths;
use super::stage::PathStage;
use crate::analyze::call_graph::GraphArc;
use crate::symbols::SymbolId;

/// The stages that calls can have.
pub(super) struct Reach {
    /// For each group, whether it is called in each open stage.
    arrives: Vec<[bool; 2]>,
    /// For each group, whether its calls in each open stage reach a selected function.
    leads: Vec<[bool; 2]>,
}

impl Reach {
    /// `is_start` returns whether a group has calls without caller.
    pub(super) fn new(paths: &Paths<'_>, is_start: impl Fn(usize) -> bool) -> Self {
        Self { arrives: arrives(paths, is_start), leads: leads(paths) }
    }

    /// Returns whether calls along an arc are selected. Calls found only in code follow their
    /// caller.
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

    /// Returns whether calls of a function without caller are selected.
    pub(super) fn carries_from_outside(&self, paths: &Paths<'_>, id: SymbolId) -> bool {
        let stage = paths.first.index();
        stage.is_some_and(|stage| self.leads[paths.groups.of(id)][stage])
    }

    /// Returns whether the self cost of a symbol is at least partly selected.
    pub(super) fn is_within(&self, paths: &Paths<'_>, id: SymbolId) -> bool {
        let arrives = self.arrives[paths.groups.of(id)];
        let mut stages = PathStage::OPEN.into_iter().zip(arrives);
        stages.any(|(stage, arrives)| arrives && paths.stage(id, stage) == PathStage::Within)
    }
}

/// Visits callers first.
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

/// Visits callees first.
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
