//! The costs of calls within cycles, for readers that add up calls.
//!
//! To `callgrind_annotate --inclusive=yes`, the total of a function is the cost of all calls to it.
//! Calls from outside of a cycle have their own cost. The calls within it share the rest of the
//! total of their callee, by their recorded costs or else by their number.
//!
//! In a sampled profile, calls from outside have the cost of the whole cycle, more than the total of
//! a member. There they go to a function `<cycle 1>`, which calls the members:
//!
//! ```text
//! main → <cycle 1> 0.68      <cycle 1> → even 0.30      even → odd 0.38      odd → even 0
//! ```

use std::collections::{BTreeMap, BTreeSet};
use std::io;

use super::{EventColumns, is_call};
use crate::render::name_id;
use crate::report::{Cell, NameId, Row, RowKind, Section};

/// A function and its cycle.
pub(super) type Caller = (Option<NameId>, Option<i128>);

/// The members of cycles, and functions that call themselves.
#[derive(Default)]
pub(super) struct CycleMembers {
    members: BTreeMap<NameId, Member>,
    /// The cycles that are functions.
    written: BTreeSet<i128>,
}

#[derive(Default)]
struct Member {
    cycle: Option<i128>,
    totals: Vec<u64>,
    /// The costs and the number of calls from outside.
    outside: Vec<u64>,
    n_outside: i128,
    /// The weights of calls within the cycle, and of those that were written.
    within: Vec<u64>,
    n_within: u64,
    passed: Vec<u64>,
    n_passed: u64,
}

/// A call as it is written.
pub(super) enum WrittenCall {
    /// With these costs.
    To(Vec<u64>),
    /// To the function of a cycle.
    ToCycle(i128, Vec<u64>),
}

impl CycleMembers {
    /// Finds the members of cycles among the callees of a call graph.
    pub(super) fn find(graph: &Section, events: &[EventColumns]) -> io::Result<Self> {
        let mut found = Self::default();
        graph.rows.for_each_head(&mut |row| {
            let (name, cycle) = end_of(graph, row);
            let is_recursive = cycle.is_some() || !graph.cell(row, "recursive").is_absent();
            if let Some(name) = name.filter(|_| is_recursive && row.kind == RowKind::Entry) {
                let totals = events
                    .iter()
                    .map(|event| event.total.and_then(|total| total.of(row)).unwrap_or(0))
                    .collect();
                let member = Member { cycle, totals, ..Member::default() };
                found.members.insert(name, member);
            }
            Ok(())
        })?;
        if found.members.is_empty() {
            return Ok(found);
        }
        let mut caller = Caller::default();
        graph.rows.for_each(&mut |row| {
            if row.kind == RowKind::Entry {
                caller = end_of(graph, row);
            }
            if is_call(row, graph, events) {
                found.add(caller, graph, row, events);
            }
            Ok(())
        })?;
        let exceeds = |member: &&Member| {
            member.outside.iter().zip(&member.totals).any(|(outside, total)| outside > total)
        };
        let of_whole = found.members.values().filter(exceeds);
        found.written = of_whole.filter_map(|member| member.cycle).collect();
        Ok(found)
    }

    /// The callee and the costs of a call to write.
    pub(super) fn written(
        &mut self,
        graph: &Section,
        caller: Caller,
        row: Row<'_>,
        events: &[EventColumns],
    ) -> WrittenCall {
        let recorded = || costs(row, events, 0);
        let callee = end_of(graph, row).0;
        let Some(member) = callee.and_then(|callee| self.members.get_mut(&callee)) else {
            return WrittenCall::To(recorded());
        };
        let is_within = member.has_within(caller, callee);
        let of_cycle = member.cycle.filter(|cycle| self.written.contains(cycle));
        match of_cycle {
            Some(cycle) if !is_within => WrittenCall::ToCycle(cycle, recorded()),
            Some(_) if member.n_outside > 0 => WrittenCall::To(vec![0; events.len()]),
            _ if is_within => WrittenCall::To(member.share(graph, row, events)),
            _ => WrittenCall::To(recorded()),
        }
    }

    fn add(&mut self, caller: Caller, graph: &Section, row: Row<'_>, events: &[EventColumns]) {
        let callee = end_of(graph, row).0;
        let Some(member) = callee.and_then(|callee| self.members.get_mut(&callee)) else {
            return;
        };
        if member.has_within(caller, callee) {
            member.n_within = member.n_within.saturating_add(1);
            add(&mut member.within, &weights(graph, row, events));
        } else {
            member.n_outside = member.n_outside.saturating_add(n_calls(graph, row).max(1));
            add(&mut member.outside, &costs(row, events, 0));
        }
    }

    /// The cycles to write as functions.
    pub(super) fn cycles(&self) -> impl Iterator<Item = i128> {
        self.written.iter().copied()
    }

    /// The calls of the function of a cycle: callee, number of calls and costs.
    pub(super) fn calls_of(&self, cycle: i128) -> impl Iterator<Item = (Cell, i128, &[u64])> {
        let members = self.members.iter();
        let entered =
            members.filter(move |(_, member)| member.cycle == Some(cycle) && member.n_outside > 0);
        entered.map(|(name, member)| (Cell::Name(*name), member.n_outside, &*member.totals))
    }
}

impl Member {
    /// Returns whether a call is within the cycle.
    fn has_within(&self, (caller, cycle): Caller, callee: Option<NameId>) -> bool {
        caller == callee || cycle.is_some() && cycle == self.cycle
    }

    /// The part of a call within the cycle in the total that calls from outside leave. The parts
    /// add up to that.
    fn share(&mut self, graph: &Section, row: Row<'_>, events: &[EventColumns]) -> Vec<u64> {
        let weights = weights(graph, row, events);
        self.passed.resize(events.len(), 0);
        let n_passed = self.n_passed;
        self.n_passed += 1;
        let of_event = |event: usize| {
            let outside = self.outside.get(event).copied().unwrap_or(0);
            let rest = self.totals[event].saturating_sub(outside);
            let (before, weight, all) = match self.within.get(event).copied().unwrap_or(0) {
                0 => (n_passed, 1, self.n_within),
                all => (self.passed[event], weights[event], all),
            };
            let up_to = |weight: u64| {
                let part = u128::from(rest) * u128::from(weight.min(all)) / u128::from(all.max(1));
                u64::try_from(part).unwrap_or(rest)
            };
            up_to(before.saturating_add(weight)).saturating_sub(up_to(before))
        };
        let shares = (0..events.len()).map(of_event).collect();
        add(&mut self.passed, &weights);
        shares
    }
}

/// The recorded costs of a call within a cycle, or else its number of calls.
fn weights(graph: &Section, row: Row<'_>, events: &[EventColumns]) -> Vec<u64> {
    costs(row, events, u64::try_from(n_calls(graph, row)).unwrap_or(1))
}

/// The recorded costs of a call, or else `unknown`.
fn costs(row: Row<'_>, events: &[EventColumns], unknown: u64) -> Vec<u64> {
    events.iter().map(|event| event.of_call(row).unwrap_or(unknown)).collect()
}

/// The number of calls of a row; 1 if they were not counted.
pub(super) fn n_calls(graph: &Section, row: Row<'_>) -> i128 {
    graph.cell(row, "calls").as_integer().unwrap_or(1)
}

fn add(sums: &mut Vec<u64>, numbers: &[u64]) {
    sums.resize(numbers.len(), 0);
    for (sum, number) in sums.iter_mut().zip(numbers) {
        *sum = sum.saturating_add(*number);
    }
}

/// The function of a row, and its cycle.
pub(super) fn end_of(graph: &Section, row: Row<'_>) -> Caller {
    (name_id(graph.cell(row, "name")), graph.cell(row, "cycle").as_integer())
}
