//! Reads the tables of a report, and joins them.

use std::collections::HashMap;
use std::num::NonZeroU32;

use foldhash::fast::RandomState;
use indexmap::IndexMap;

use super::super::cost_builder::{CostBuilder, Frame};
use super::super::error::{Position, ReadError};
use super::super::text_lines::lines_with_ends;
use super::super::{Damage, Reading};
use super::lines::{
    ArcLine, EntryLine, EntryName, FlatLine, has_word, is_flat_header, is_graph_header,
    sampling_period,
};
use super::{GprofTextFault, NAME};
use crate::model::{
    Extent, FileKind, Function, MetricName, Quantity, RecordedCall, RecordedCosts, SampleKey, Unit,
    ValueBasis, ValueMetric, ValueType,
};
use crate::progress::Progress;

/// Hundredths of a second.
const RATE: NonZeroU32 = NonZeroU32::new(100).expect("it is not zero");

/// The largest period that counts as a hundredth of a second. It may be computed from a share
/// with two decimals.
const MAX_PERIOD: f64 = 0.0105;

pub(super) fn read(text: &[u8], progress: Progress) -> Result<Reading, ReadError> {
    let mut reader = ReportReader::default();
    let mut n_left = text.len();
    let (mut n_lines, mut fault) = (0, None);
    for line in lines_with_ends(text) {
        n_lines += 1;
        fault = reader.line(line.trim_ascii_end()).err();
        if fault.is_some() {
            break;
        }
        n_left -= line.len();
        progress.advance(line.len() as u64);
    }
    if fault.is_none() && (reader.caller.is_some() || !reader.callers.is_empty()) {
        fault = Some(GprofTextFault::End);
    }
    fault = fault.or_else(|| reader.missing_entry());
    let error =
        |fault: GprofTextFault| ReadError { position: Position::Line(n_lines), kind: fault.into() };
    if reader.functions.is_empty() && reader.flat.is_empty() {
        return Err(error(fault.unwrap_or(GprofTextFault::NoFunction)));
    }
    let damage = fault.map(|fault| Damage { error: error(fault), n_lost: n_left as u64 });
    let kind = FileKind { may_mangle_names: true, ..FileKind::named("a text of gprof") };
    Ok(Reading { damage, ..Reading::of_text(NAME, kind, reader.finish()) })
}

/// A table of a report.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
enum Table {
    #[default]
    None,
    /// Its heading may have several lines.
    Flat {
        has_rows: bool,
    },
    Graph,
}

/// Identifies a function: its index in the call graph, which distinguishes functions with the
/// same name.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum FunctionKey<'a> {
    Index(u32),
    Name(&'a [u8]),
}

/// A function with costs in hundredths.
#[derive(Debug)]
struct ReportFunction<'a> {
    name: &'a [u8],
    self_cost: u64,
    /// `None` without an entry in the call graph.
    total: Option<u64>,
    /// Another entry refers to its entry.
    is_referred_to: bool,
    n_calls: u64,
}

/// A call, with the cost of the callee and its callees in hundredths.
#[derive(Debug)]
struct ReportCall {
    count: u64,
    cost: u64,
}

/// The unit of the values in a report.
#[derive(Debug, Default)]
struct ReportUnit {
    period: Option<f64>,
    is_cycles: bool,
    /// The number of thousandths in a value.
    thousands: u32,
}

/// The state between two lines.
#[derive(Debug, Default)]
struct ReportReader<'a> {
    table: Table,
    unit: ReportUnit,
    functions: IndexMap<FunctionKey<'a>, ReportFunction<'a>, RandomState>,
    /// By caller and callee.
    calls: IndexMap<(usize, usize), ReportCall, RandomState>,
    /// Rows of the flat profile, which may precede the call graph.
    flat: Vec<FlatLine<'a>>,
    /// Callers before the line of their callee.
    callers: Vec<ArcLine<'a>>,
    /// The function whose callees follow.
    caller: Option<usize>,
    has_graph: bool,
}

impl<'a> ReportReader<'a> {
    fn line(&mut self, line: &'a [u8]) -> Result<(), GprofTextFault> {
        if let Some(period) = sampling_period(line) {
            self.unit.period = Some(period);
            return Ok(());
        }
        if is_flat_header(line) {
            if !self.flat.is_empty() {
                return Err(GprofTextFault::SecondReport);
            }
            self.table = Table::Flat { has_rows: false };
        } else if is_graph_header(line) {
            if self.has_graph {
                return Err(GprofTextFault::SecondReport);
            }
            self.table = Table::Graph;
        }
        match self.table {
            Table::None => {}
            Table::Flat { has_rows } => match FlatLine::parse(line) {
                Some(row) => {
                    self.table = Table::Flat { has_rows: true };
                    self.flat.push(row);
                    self.number_flat();
                }
                None if has_rows => self.table = Table::None,
                None => self.unit.heading(line),
            },
            Table::Graph => self.graph_line(line)?,
        }
        Ok(())
    }

    /// Numbers the function of the last flat row, if it has an index.
    fn number_flat(&mut self) {
        let row = self.flat.last().expect("a row was added");
        if let (name, Some(index)) = (row.name, row.name.index) {
            self.function(FunctionKey::Index(index), name);
        }
    }

    fn graph_line(&mut self, line: &'a [u8]) -> Result<(), GprofTextFault> {
        if let Some(entry) = EntryLine::parse(line) {
            return self.entry(entry);
        }
        if line.starts_with(b"---") || line.starts_with(b"\x0c") {
            self.callers.clear();
            self.caller = None;
        } else if line.starts_with(b"Index by function name") {
            self.table = Table::None;
        } else if let Some(arc) = ArcLine::parse(line) {
            match self.caller {
                Some(caller) => {
                    let callee = self.end_of(&arc);
                    self.call(caller, callee, &arc);
                }
                None => self.callers.push(arc),
            }
        } else if !self.has_graph {
            self.unit.heading(line);
        }
        Ok(())
    }

    fn entry(&mut self, entry: EntryLine<'a>) -> Result<(), GprofTextFault> {
        self.has_graph = true;
        let callers = std::mem::take(&mut self.callers);
        if entry.name.is_cycle() {
            // The members of the cycle have entries of their own.
            self.caller = None;
            return Ok(());
        }
        let id = self.function(FunctionKey::Index(entry.index), entry.name);
        let function = &mut self.functions[id];
        function.self_cost = entry.self_cost;
        let total = entry.self_cost.checked_add(entry.children);
        function.total = Some(total.ok_or(GprofTextFault::Overflow)?);
        if let Some((from_others, from_self)) = entry.calls {
            function.n_calls = from_others;
            if from_self > 0 {
                self.add_call(id, id, from_self, 0);
            }
        }
        for arc in callers {
            let caller = self.end_of(&arc);
            self.call(caller, id, &arc);
        }
        self.caller = Some(id);
        Ok(())
    }

    fn function(&mut self, key: FunctionKey<'a>, name: EntryName<'a>) -> usize {
        let new = || ReportFunction {
            name: name.text,
            self_cost: 0,
            total: None,
            is_referred_to: false,
            n_calls: 0,
        };
        let entry = self.functions.entry(key);
        let id = entry.index();
        entry.or_insert_with(new);
        id
    }

    /// The caller or callee that a line names.
    fn end_of(&mut self, arc: &ArcLine<'a>) -> usize {
        let id = self.function(FunctionKey::Index(arc.index), arc.name);
        self.functions[id].is_referred_to |= arc.name.has_entry;
        id
    }

    /// The fault of a call graph that ends between two entries: it refers to an entry that
    /// does not follow.
    fn missing_entry(&self) -> Option<GprofTextFault> {
        let mut functions = self.functions.values();
        let missing = functions.find(|one| one.is_referred_to && one.total.is_none())?;
        let name = String::from_utf8_lossy(missing.name).into_owned();
        Some(GprofTextFault::NoEntry { name })
    }

    /// Adds a call, unless a line of its other end did. Calls that only the code has are
    /// omitted.
    fn call(&mut self, caller: usize, callee: usize, arc: &ArcLine<'_>) {
        if arc.count > 0 {
            self.add_call(caller, callee, arc.count, arc.cost);
        }
    }

    fn add_call(&mut self, caller: usize, callee: usize, count: u64, cost: u64) {
        self.calls.entry((caller, callee)).or_insert(ReportCall { count, cost });
    }

    /// Adds the rows of the flat profile whose functions have no entry in the call graph.
    fn join_flat(&mut self) {
        let of_graph = self.functions.values().enumerate();
        let by_name: HashMap<&[u8], usize, RandomState> =
            of_graph.map(|(id, function)| (function.name, id)).collect();
        for row in std::mem::take(&mut self.flat) {
            let key = row.name.index.map(FunctionKey::Index);
            let known = by_name.get(row.name.text).filter(|_| key.is_none());
            let key = key.unwrap_or(FunctionKey::Name(row.name.text));
            let id = known.map_or_else(|| self.function(key, row.name), |&id| id);
            let function = &mut self.functions[id];
            if function.total.is_none() {
                function.self_cost = function.self_cost.saturating_add(row.self_cost);
                let n_calls = row.n_calls.unwrap_or(0);
                function.n_calls = function.n_calls.saturating_add(n_calls);
            }
        }
    }

    fn finish(mut self) -> RecordedCosts {
        self.join_flat();
        let unit = &self.unit;
        let column = |extent| ValueType {
            quantity: Quantity::TIME,
            unit: unit.of_values(),
            extent,
            class: None,
        };
        let mut columns = vec![column(Extent::Exclusive)];
        if self.has_graph {
            columns.push(column(Extent::Inclusive));
        }
        let mut row = vec![0; columns.len()];
        let mut costs = CostBuilder::new(columns);
        let mut ids = Vec::with_capacity(self.functions.len());
        for function in self.functions.values() {
            let id = costs.add_function(Function::named(function.name));
            let context = costs.context(None, Frame { function: Some(id), place: None });
            ids.push((id, context));
            let self_cost = unit.value(function.self_cost);
            costs.row(SampleKey::Context(context))[0] = self_cost;
            if self.has_graph {
                let total = function.total.map_or(self_cost, |total| unit.value(total));
                costs.row(SampleKey::Function(id)).copy_from_slice(&[self_cost, total]);
            }
        }
        let unknown = costs.context(None, Frame::default());
        let mut n_known = vec![0u64; ids.len()];
        let mut add_call = |site, callee, count, cost| {
            row[0] = cost;
            let sum = costs.add_calls(RecordedCall { site, callee, count }, &row);
            sum.expect("each pair of caller and callee has one call");
        };
        for (&(caller, callee), call) in &self.calls {
            if caller != callee {
                n_known[callee] = n_known[callee].saturating_add(call.count);
            }
            add_call(ids[caller].1, ids[callee].0, call.count, unit.value(call.cost));
        }
        // Calls by callers that the report does not name have a site without function.
        for ((function, n_known), &(id, _)) in self.functions.values().zip(n_known).zip(&ids) {
            let count = function.n_calls.saturating_sub(n_known);
            if count > 0 {
                add_call(unknown, id, count, 0);
            }
        }
        RecordedCosts { knows_files: false, ..costs.finish(vec![unit.metric()]) }
    }
}

impl ReportUnit {
    /// Reads the unit from a line of a heading.
    fn heading(&mut self, line: &[u8]) {
        self.is_cycles |= has_word(line, b"cycles");
        if has_word(line, b"(K)") {
            self.thousands = 1;
        } else if has_word(line, b"(M)") {
            self.thousands = 2;
        }
    }

    fn of_values(&self) -> Unit {
        if self.is_cycles { Unit::COUNT } else { Unit::TICKS }
    }

    /// Hundredths in the unit of values.
    fn value(&self, hundredths: u64) -> u64 {
        if !self.is_cycles {
            return hundredths;
        }
        match self.thousands {
            0 => hundredths / 100,
            thousands => hundredths.saturating_mul(1000u64.pow(thousands) / 100),
        }
    }

    fn metric(&self) -> ValueMetric {
        let is_sampled = !self.is_cycles && self.period.is_some_and(|period| period <= MAX_PERIOD);
        let basis = if is_sampled { ValueBasis::Sampled } else { ValueBasis::Recorded };
        let id: &[u8] = if self.is_cycles { b"cycles" } else { b"time" };
        let name = MetricName { id: id.into(), title: None };
        ValueMetric {
            unit: (!self.is_cycles).then_some("ticks"),
            rate: (!self.is_cycles).then_some(RATE),
            ..ValueMetric::of_column(name, basis, 0)
        }
    }
}
