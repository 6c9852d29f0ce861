//! Finds cycles of functions that call each other, and an order from callees to callers.
//!
//! One depth-first search finds both (Gabow's algorithm for strongly connected components,
//! *Path-based depth-first search*, 2000). `path` has the symbols being visited; `heads`
//! those not yet known to be in a cycle with a lower one:
//!
//! ```text
//! path    main  a  b  c        c calls a: b and c join the cycle of a
//! heads   main  a  b  c   →   main  a
//! ```
//!
//! The members of a cycle follow its head in a chain, in the order in which they joined;
//! equal members are printed in that order. When a head is left, it and its members get the
//! next number, so numbers ascend from callees to callers.
//!
//! The algorithm does not recurse, and each symbol joins a chain once: linear in symbols plus
//! arcs.

use super::adjacency::Adjacency;
use super::call_graph::CallGraph;
use crate::symbols::SymbolId;

/// The number of a cycle, from 1.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct CycleNumber(pub u32);

impl CycleNumber {
    #[inline]
    pub fn index(self) -> usize {
        self.0 as usize - 1
    }
}

/// Functions that all reach each other: two or more.
#[derive(Debug)]
pub struct Cycle {
    /// In order of discovery, head first.
    pub members: Box<[SymbolId]>,
}

/// The cycles of a graph, and an order of its symbols.
#[derive(Debug)]
pub struct Topology {
    /// By number, that is, by address of their heads.
    pub cycles: Box<[Cycle]>,
    pub cycle_of: Box<[Option<CycleNumber>]>,
    /// All symbols, callees before callers. Members of a cycle are adjacent, by address.
    pub bottom_up: Box<[SymbolId]>,
}

impl Topology {
    #[inline]
    pub fn are_together(&self, a: SymbolId, b: SymbolId) -> bool {
        let cycle = self.cycle_of[a.index()];
        a == b || (cycle.is_some() && cycle == self.cycle_of[b.index()])
    }
}

/// Finds cycles and the order. Visits symbols by address, and arcs from last to first, which
/// decides the order of members.
pub fn find_cycles(graph: &CallGraph) -> Topology {
    let mut walk = Walk::new(graph);
    for symbol in symbols(graph) {
        walk.visit(symbol);
    }
    let Walk { visits, mut chain, next_number, .. } = walk;
    let numbers = visits.iter().map(|visit| Some(visit.number as usize));
    let by_number = Adjacency::new(next_number as usize, numbers);
    let bottom_up = by_number.all().iter().copied().map(SymbolId);

    let mut cycle_of = vec![None; graph.n_symbols()];
    let mut cycles = Vec::new();
    for head in symbols(graph).filter(|symbol| visits[symbol.index()].head == Some(*symbol)) {
        if chain[head.index()].is_none() {
            continue;
        }
        let mut members = vec![head];
        while let Some(next) = chain[members[members.len() - 1].index()].take() {
            members.push(next);
        }
        cycles.push(Cycle { members: members.into() });
        let number = CycleNumber(number_of(cycles.len()));
        for member in &cycles[number.index()].members {
            cycle_of[member.index()] = Some(number);
        }
    }
    Topology { cycles: cycles.into(), cycle_of: cycle_of.into(), bottom_up: bottom_up.collect() }
}

fn number_of(n_symbols: usize) -> u32 {
    u32::try_from(n_symbols).expect("symbols have 32-bit numbers")
}

fn symbols(graph: &CallGraph) -> impl Iterator<Item = SymbolId> {
    (0..).map(SymbolId).take(graph.n_symbols())
}

#[derive(Clone, Copy, Default)]
struct CycleVisit {
    /// Ascending from callees to callers; 0 before the symbol is left.
    number: u32,
    /// Index on the path of heads, for a head there.
    head_index: u32,
    /// Head of its cycle, or itself. `None` before the visit.
    head: Option<SymbolId>,
}

struct Walk<'g> {
    graph: &'g CallGraph,
    visits: Vec<CycleVisit>,
    /// The next member after each symbol in its cycle.
    chain: Vec<Option<SymbolId>>,
    /// The last member, for a head.
    last: Vec<SymbolId>,
    /// The symbols being visited, each with the number of arcs left.
    path: Vec<(SymbolId, usize)>,
    heads: Vec<SymbolId>,
    next_number: u32,
}

impl<'g> Walk<'g> {
    fn new(graph: &'g CallGraph) -> Self {
        Self {
            graph,
            visits: vec![CycleVisit::default(); graph.n_symbols()],
            chain: vec![None; graph.n_symbols()],
            last: symbols(graph).collect(),
            path: Vec::new(),
            heads: Vec::new(),
            next_number: 1,
        }
    }

    fn visit(&mut self, start: SymbolId) {
        self.meet(start);
        while let Some((symbol, n_left)) = self.path.last_mut() {
            let Some(rest) = n_left.checked_sub(1) else {
                self.leave();
                continue;
            };
            *n_left = rest;
            let arc = self.graph.outgoing(*symbol)[rest];
            let callee = self.graph.arc(arc).callee;
            self.meet(callee);
        }
    }

    /// Reaches a symbol, for the first time or again.
    fn meet(&mut self, symbol: SymbolId) {
        let visit = &mut self.visits[symbol.index()];
        match visit.head {
            None => {
                visit.head = Some(symbol);
                visit.head_index = number_of(self.heads.len());
                self.heads.push(symbol);
                let n_arcs = self.graph.outgoing(symbol).len();
                self.path.push((symbol, n_arcs));
            }
            Some(_) if visit.number == 0 => self.join_cycle(symbol),
            Some(_) => {}
        }
    }

    /// Merges all heads above the head of a symbol into its cycle.
    fn join_cycle(&mut self, symbol: SymbolId) {
        let head = self.head_of(symbol);
        let index = self.visits[head.index()].head_index as usize;
        for joining in self.heads.drain(index + 1..) {
            let tail = self.last[head.index()];
            self.chain[tail.index()] = Some(joining);
            self.last[head.index()] = self.last[joining.index()];
            self.visits[joining.index()].head = Some(head);
        }
    }

    /// The head of a symbol's cycle; shortens the path to it.
    fn head_of(&mut self, symbol: SymbolId) -> SymbolId {
        let mut at = symbol;
        loop {
            let head = self.visits[at.index()].head.expect("only visited symbols have joined");
            if head == at {
                return at;
            }
            let above = self.visits[head.index()].head.expect("a head was visited");
            self.visits[at.index()].head = Some(above);
            at = above;
        }
    }

    /// Leaves the last symbol of the path. A head completes its cycle.
    fn leave(&mut self) {
        let Some((symbol, _)) = self.path.pop() else {
            return;
        };
        if self.heads.last() != Some(&symbol) {
            return;
        }
        self.heads.pop();
        let mut member = Some(symbol);
        while let Some(at) = member {
            self.visits[at.index()].number = self.next_number;
            member = self.chain[at.index()];
        }
        self.next_number += 1;
    }
}
