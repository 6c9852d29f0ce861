//! The effect of gprof's filters: which entries are shown, and which fraction of each
//! function's time counts.
//!
//! Both are inherited from callers. A function is shown if a caller is, unless it is excluded
//! by name; and the fraction of its time counts that its shown callers cause by their calls.

use crate::analyze::{CallCounts, CallGraph, CycleNumber, Fractions, Topology};
use crate::compat::gprof::filters::Filters;
use crate::symbols::SymbolId;

/// Which entries are shown, and which fractions count.
#[derive(Debug)]
pub struct Visibility {
    /// For each function, whether its entry is shown.
    pub is_function_shown: Box<[bool]>,
    pub is_cycle_shown: Box<[bool]>,
    /// The fractions of ticks that count.
    pub fractions: Fractions,
}

impl Visibility {
    /// Visits callers before callees. Linear in symbols and arcs.
    pub fn new(
        graph: &CallGraph,
        topology: &Topology,
        calls: &CallCounts,
        filters: &Filters,
    ) -> Self {
        let mut sweep = Sweep {
            graph,
            topology,
            calls,
            filters,
            result: Self {
                is_function_shown: vec![false; calls.functions.len()].into(),
                is_cycle_shown: vec![false; calls.cycles.len()].into(),
                fractions: Fractions {
                    functions: vec![0.0; calls.functions.len()].into(),
                    cycles: vec![0.0; calls.cycles.len()].into(),
                },
            },
        };
        sweep.run();
        sweep.result
    }
}

struct Sweep<'a> {
    graph: &'a CallGraph,
    topology: &'a Topology,
    calls: &'a CallCounts,
    filters: &'a Filters,
    result: Visibility,
}

impl Sweep<'_> {
    fn run(&mut self) {
        // Functions without callers inherit nothing; gprof decides on them in address order.
        let cycles = (0..).map(SymbolId).zip(&self.topology.cycle_of);
        let is_called = cycles
            .map(|(symbol, cycle)| cycle.is_some() || !self.graph.incoming(symbol).is_empty());
        let is_called: Vec<bool> = is_called.collect();
        for (symbol, _) in (0..).map(SymbolId).zip(&is_called).filter(|(_, is)| !**is) {
            let inherited = self.inherited(&[symbol]);
            self.give(symbol, inherited);
            self.decide(symbol);
        }
        let mut last_cycle = None;
        let top_down = self.topology.bottom_up.iter().rev();
        for &symbol in top_down.filter(|symbol| is_called[symbol.index()]) {
            let cycle = self.topology.cycle_of[symbol.index()];
            match cycle {
                None => {
                    let inherited = self.inherited(&[symbol]);
                    self.give(symbol, inherited);
                }
                Some(number) if last_cycle != cycle => self.enter_cycle(number),
                Some(_) => {}
            }
            last_cycle = cycle;
            self.decide(symbol);
        }
    }

    fn give(&mut self, symbol: SymbolId, (is_shown, fraction): (bool, f64)) {
        self.result.is_function_shown[symbol.index()] = is_shown;
        self.result.fractions.functions[symbol.index()] = fraction;
    }

    /// The visibility that a function, or the members of a cycle, inherit from their callers.
    fn inherited(&self, members: &[SymbolId]) -> (bool, f64) {
        let (mut is_shown, mut fraction) = (false, 0.0);
        let calls = match self.topology.cycle_of[members[0].index()] {
            Some(cycle) => self.calls.cycles[cycle.index()].from_others,
            None => self.calls.functions[members[0].index()].from_others,
        };
        let share = |count: u64| count as f64 / calls as f64;
        for &member in members {
            for &index in self.graph.incoming(member).iter().rev() {
                let arc = self.graph.arc(index);
                if self.topology.are_together(arc.caller, arc.callee) {
                    continue;
                }
                is_shown |= self.result.is_function_shown[arc.caller.index()];
                if calls != 0 {
                    let of_caller = self.result.fractions.functions[arc.caller.index()];
                    fraction += of_caller * share(arc.count);
                }
            }
            let from_outside = self.graph.calls_from_outside[member.index()];
            if from_outside != 0 {
                fraction += share(from_outside);
            }
        }
        (is_shown, fraction)
    }

    fn enter_cycle(&mut self, number: CycleNumber) {
        let members = &self.topology.cycles[number.index()].members;
        let (is_shown, fraction) = self.inherited(members);
        self.result.is_cycle_shown[number.index()] = is_shown;
        self.result.fractions.cycles[number.index()] = fraction;
        for &member in members {
            self.give(member, (is_shown, fraction));
        }
    }

    /// Applies the filters to a function.
    fn decide(&mut self, symbol: SymbolId) {
        let Filters { graph, time, .. } = self.filters;
        let is_shown = &mut self.result.is_function_shown[symbol.index()];
        *is_shown = if *is_shown {
            graph.includes(symbol) || !graph.excludes(symbol)
        } else {
            graph.selects(symbol)
        };
        let fraction = &mut self.result.fractions.functions[symbol.index()];
        if *fraction == 0.0 {
            *fraction = f64::from(u8::from(time.selects(symbol)));
        } else if !time.includes(symbol) && time.excludes(symbol) {
            *fraction = 0.0;
        }
    }
}
