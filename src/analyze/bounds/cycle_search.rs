//! The order in which a search reaches the members of a cycle, and their semidominators.
//!
//! A member's dominator is the lowest common ancestor of its caller in the search and of its
//! semidominator (Georgiadis, *Linear-Time Algorithms for Dominators and Related Problems*,
//! 2005). Semidominators are those of Lengauer and Tarjan (*A fast algorithm for finding
//! dominators in a flowgraph*, 1979). Takes calls times the logarithm of the members.

use crate::analyze::call_graph::{CallGraph, GraphArc};
use crate::analyze::cycles::Topology;
use crate::symbols::SymbolId;

/// The number of the cycle itself, which calls the members that others call.
pub(super) const CYCLE: usize = 0;

/// A member of a cycle. Members have numbers from 1, callers in the search before callees.
pub(super) struct CycleVisit {
    pub(super) member: SymbolId,
    pub(super) caller: usize,
    pub(super) semidominator: usize,
}

pub(super) struct CycleSearch<'a> {
    calls: &'a CallGraph,
    topology: &'a Topology,
    /// The number of each visited member.
    numbers: Vec<usize>,
}

impl<'a> CycleSearch<'a> {
    pub(super) fn new(calls: &'a CallGraph, topology: &'a Topology) -> Self {
        Self { calls, topology, numbers: vec![CYCLE; calls.n_symbols()] }
    }

    /// Visits all members of a cycle.
    pub(super) fn visit(&mut self, members: &[SymbolId]) -> Vec<CycleVisit> {
        let mut visits = Vec::with_capacity(members.len());
        let entries: Vec<_> = members.iter().filter(|&&id| self.is_entry(id)).collect();
        // No counted call may lead to a member, if the cycle consists of calls in the code.
        for &first in entries.into_iter().chain(members) {
            if self.numbers[first.index()] == CYCLE {
                self.descend(first, &mut visits);
            }
        }
        let mut forest = SearchForest::new(&visits);
        for number in (1..=visits.len()).rev() {
            let CycleVisit { member, caller, .. } = visits[number - 1];
            let least = if self.is_entry(member) {
                CYCLE
            } else {
                let callers = self.arcs_within(self.calls.incoming(member));
                let callers = callers.map(|arc| self.numbers[arc.caller.index()]);
                let semidominators = callers.map(|caller| forest.least_above(caller, number + 1));
                semidominators.fold(caller, usize::min)
            };
            forest.semidominators[number] = least;
            visits[number - 1].semidominator = least;
        }
        visits
    }

    /// Visits a member and all that it reaches, depth first.
    fn descend(&mut self, first: SymbolId, visits: &mut Vec<CycleVisit>) {
        let calls = self.calls;
        let mut enter = |numbers: &mut [usize], member: SymbolId, caller| {
            visits.push(CycleVisit { member, caller, semidominator: CYCLE });
            numbers[member.index()] = visits.len();
            (visits.len(), calls.outgoing(member))
        };
        let mut open = vec![enter(&mut self.numbers, first, CYCLE)];
        while let Some((caller, rest)) = open.last_mut() {
            let Some((arc, others)) = rest.split_first() else {
                open.pop();
                continue;
            };
            *rest = others;
            let caller = *caller;
            let arc = calls.arc(*arc);
            if self.is_within(arc) && self.numbers[arc.callee.index()] == CYCLE {
                open.push(enter(&mut self.numbers, arc.callee, caller));
            }
        }
    }

    fn arcs_within(&self, arcs: &'a [u32]) -> impl Iterator<Item = &'a GraphArc> {
        arcs.iter().map(|&arc| self.calls.arc(arc)).filter(|arc| self.is_within(arc))
    }

    /// Returns whether a call was counted and leads from one member of a cycle to another.
    fn is_within(&self, arc: &GraphArc) -> bool {
        arc.count > 0 && self.topology.are_together(arc.caller, arc.callee)
    }

    /// Returns whether a member was called from outside of its cycle.
    fn is_entry(&self, member: SymbolId) -> bool {
        let mut arcs = self.calls.incoming(member).iter().map(|&arc| self.calls.arc(arc));
        self.calls.calls_from_outside[member.index()] > 0
            || arcs.any(|arc| arc.count > 0 && !self.topology.are_together(arc.caller, member))
    }
}

/// The visits whose semidominators are known, as trees whose paths get shorter.
struct SearchForest {
    /// The caller in the search, or a visit above it.
    above: Vec<usize>,
    semidominators: Vec<usize>,
    /// The visit with the least semidominator on the path to `above`.
    least: Vec<usize>,
    path: Vec<usize>,
}

impl SearchForest {
    fn new(visits: &[CycleVisit]) -> Self {
        let numbers = || (0..=visits.len()).collect();
        let above = std::iter::once(CYCLE).chain(visits.iter().map(|visit| visit.caller));
        Self {
            above: above.collect(),
            semidominators: numbers(),
            least: numbers(),
            path: Vec::new(),
        }
    }

    /// The least semidominator of a visit and those above it, as far as their number is
    /// at least `first_known`.
    fn least_above(&mut self, number: usize, first_known: usize) -> usize {
        let mut top = number;
        while self.above[top] >= first_known {
            self.path.push(top);
            top = self.above[top];
        }
        while let Some(below) = self.path.pop() {
            let [of_top, of_below] =
                [top, below].map(|visit| self.semidominators[self.least[visit]]);
            if of_top < of_below {
                self.least[below] = self.least[top];
            }
            self.above[below] = self.above[top];
            top = below;
        }
        self.semidominators[self.least[number]]
    }
}
