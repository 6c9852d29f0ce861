//! Two call trees as one, with the costs of both sides.

use std::cmp::Reverse;
use std::sync::Arc;

use super::side_tree::{SideTree, side_name};
use crate::model::{InternedNames, Interner};
use crate::report::{Cell, FrameName, NameId, RowKind, StackBasis, StackFrame};

#[derive(Default)]
pub(super) struct DifferenceTree {
    /// Callers before callees.
    pub(super) nodes: Vec<ComparedFrame>,
    pub(super) names: InternedNames,
    n_metrics: usize,
    /// Of each node, by metric, both sides.
    weights: Vec<[i128; 2]>,
    /// By caller, counted from 1, and name.
    known: Interner<(u32, u32)>,
    /// Of each node in the first metric, both sides.
    pub(super) totals: Vec<[i128; 2]>,
    /// The callees of roots (0) and of each node, counted from 1: all, and where each starts.
    callees: Vec<u32>,
    starts: Vec<u32>,
}

pub(super) struct ComparedFrame {
    caller: Option<u32>,
    /// In the table of both sides.
    pub(super) id: Option<NameId>,
    pub(super) name: u32,
    pub(super) basis: Option<StackBasis>,
    pub(super) kind: RowKind,
}

impl ComparedFrame {
    /// The number of the caller, counted from 1.
    fn place(&self) -> u32 {
        self.caller.map_or(0, |caller| caller + 1)
    }
}

impl DifferenceTree {
    pub(super) fn new(n_metrics: usize) -> Self {
        Self { n_metrics, ..Self::default() }
    }

    /// Adds the tree of a side, as means of its runs.
    pub(super) fn add(&mut self, of_side: &SideTree, side: usize, values: &[usize], n_runs: u64) {
        let mut open: Vec<u32> = Vec::new();
        for (number, frame) in of_side.stacks.frames.iter().enumerate() {
            open.truncate(frame.depth as usize);
            let index = self.node(open.last().copied(), of_side, frame, side);
            let first = index as usize * self.n_metrics;
            self.weights.resize(self.nodes.len() * self.n_metrics, [0; 2]);
            let sums = &mut self.weights[first..first + self.n_metrics];
            for (sum, &values) in sums.iter_mut().zip(values) {
                sum[side] += of_side.stacks.values[values].value(number);
            }
            open.push(index);
        }
        let n_runs = i128::from(n_runs.max(1));
        for sum in &mut self.weights {
            sum[side] = (2 * sum[side] + n_runs).div_euclid(2 * n_runs);
        }
    }

    fn node(
        &mut self,
        caller: Option<u32>,
        of_side: &SideTree,
        frame: &StackFrame,
        side: usize,
    ) -> u32 {
        let name = self.names.number(of_side.name(frame));
        let id = match frame.name {
            FrameName::Id(id) => Some(side_name(id, side)),
            FrameName::Text(_) => None,
        };
        let &StackFrame { basis, kind, .. } = frame;
        let node = || ComparedFrame { caller, id, name, basis, kind };
        let key = (caller.map_or(0, |caller| caller + 1), name);
        self.known.find(key, &mut self.nodes, node)
    }

    /// Adds up totals, and puts callees in the order of the total of both sides, then of names.
    pub(super) fn finish(&mut self) {
        self.known = Interner::default();
        self.totals = self.weights.iter().step_by(self.n_metrics).copied().collect();
        for (index, node) in self.nodes.iter().enumerate().rev() {
            if let Some(caller) = node.caller {
                let [old, new] = self.totals[index];
                self.totals[caller as usize][0] += old;
                self.totals[caller as usize][1] += new;
            }
        }
        let n_nodes = u32::try_from(self.nodes.len()).expect("frames have such numbers");
        let mut callees: Vec<u32> = (0..n_nodes).collect();
        callees.sort_by_key(|&index| {
            let node = &self.nodes[index as usize];
            let total = self.totals[index as usize].iter().sum::<i128>();
            (node.place(), Reverse(total), self.names.get(node.name))
        });
        let place = |&index: &u32| self.nodes[index as usize].place();
        let starts = (0..=n_nodes + 1).map(|at| callees.partition_point(|index| place(index) < at));
        self.starts = starts.map(|start| u32::try_from(start).unwrap_or(n_nodes)).collect();
        self.callees = callees;
    }

    /// The callees of a node, or the roots.
    fn callees(&self, caller: Option<u32>) -> &[u32] {
        let place = caller.map_or(0, |caller| caller as usize + 1);
        &self.callees[self.starts[place] as usize..self.starts[place + 1] as usize]
    }

    /// The cost of both sides together.
    pub(super) fn whole(&self) -> i128 {
        self.callees(None).iter().flat_map(|&root| self.totals[root as usize]).sum()
    }

    /// The costs of a node in each metric, on both sides.
    pub(super) fn weights(&self, node: usize) -> &[[i128; 2]] {
        &self.weights[node * self.n_metrics..(node + 1) * self.n_metrics]
    }

    pub(super) fn name_cell(&self, node: usize) -> Cell {
        let ComparedFrame { id, name, .. } = self.nodes[node];
        id.map_or_else(|| Cell::Text(Arc::clone(self.names.get(name))), Cell::Name)
    }

    /// The frames in pre-order, each with its depth.
    pub(super) fn frames(&self) -> impl Iterator<Item = (usize, usize)> {
        // Frames that follow, the next one last.
        let mut next: Vec<_> = self.callees(None).iter().rev().map(|&root| (root, 0)).collect();
        std::iter::from_fn(move || {
            let (index, depth) = next.pop()?;
            let callees = self.callees(Some(index)).iter().rev();
            next.extend(callees.map(|&callee| (callee, depth + 1)));
            Some((index as usize, depth))
        })
    }
}
