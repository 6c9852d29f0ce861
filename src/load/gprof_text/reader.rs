//! Reads the tables of a report, and joins them.

use std::collections::HashMap;
use std::num::NonZeroU32;
use std::sync::Arc;

use foldhash::fast::RandomState;
use indexmap::IndexMap;

use super::super::cost_builder::{CostBuilder, Frame};
use super::super::error::ReadError;
use super::super::text_lines::read_lines;
use super::super::{Damage, Loaded, SkippedLines};
use super::lines::{
    ArcLine, EntryLine, EntryName, FlatLine, UNACCOUNTED, has_word, is_flat_header,
    is_graph_header, is_verilator_header, sampling_period, unaccounted,
};
use super::{GprofTextFault, NAME};
use crate::model::{
    Extent, FileKind, Function, MetricName, Quantity, RecordedCall, RecordedCosts, SampleKey, Unit,
    ValueMetric, ValueSource, ValueType,
};
use crate::progress::Progress;

/// Hundredths of a second.
const RATE: NonZeroU32 = NonZeroU32::new(100).expect("it is not zero");

/// The largest period that counts as a hundredth of a second. It may be computed from a share
/// with two decimals.
const USUAL_PERIOD: f64 = 0.0105;

pub(super) fn read(text: &[u8], progress: Progress) -> Result<Loaded, ReadError> {
    let mut reader = ReportReader::default();
    let read = read_lines(text, progress, |number, line| {
        reader.n_lines = number;
        reader.line(line.trim_ascii_end())
    });
    let mut fault = read.fault;
    if fault.is_none() && (reader.caller.is_some() || !reader.callers.is_empty()) {
        fault = Some(GprofTextFault::End);
    }
    fault = fault.or_else(|| reader.missing_entry());
    let (n_lines, skipped) = (reader.n_lines, reader.skipped);
    let error = |fault: GprofTextFault| ReadError::at_line(n_lines, fault);
    if reader.functions.is_empty() && reader.flat.is_empty() && !reader.has_no_time {
        return Err(error(fault.unwrap_or(GprofTextFault::NoFunction)));
    }
    let damage = fault.map(|fault| Damage { error: error(fault), n_lost: read.n_left });
    let kind = FileKind::named("a text of gprof");
    Ok(Loaded { damage, skipped, ..Loaded::of_text(NAME, kind, reader.finish()) })
}

/// ` no time accumulated`, or `for no time propagated` at the end of a line.
fn has_no_time(line: &[u8]) -> bool {
    line.ends_with(b"no time accumulated") || line.ends_with(b"no time propagated")
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
    Verilator,
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
    /// A complete call graph has its entry.
    needs_entry: bool,
    object: Option<&'a [u8]>,
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
    /// The heading of a table ends at an empty line.
    is_in_heading: bool,
    /// An explanation, the index or another table follows the call graph.
    is_graph_over: bool,
    /// The report says that the run has no samples.
    has_no_time: bool,
    /// The share of verilator_profcfunc for no row.
    unaccounted: Option<u64>,
    n_lines: u64,
    skipped: Option<SkippedLines>,
    /// Other lines since the last row of the flat profile.
    odd: Option<SkippedLines>,
}

impl<'a> ReportReader<'a> {
    fn line(&mut self, line: &'a [u8]) -> Result<(), GprofTextFault> {
        if let Some(period) = sampling_period(line) {
            self.unit.period = Some(period);
            return Ok(());
        }
        if has_no_time(line) {
            self.has_no_time = true;
            return Ok(());
        }
        let is_flat = is_flat_header(line);
        let is_heading = is_flat || is_graph_header(line);
        if is_flat {
            if !self.flat.is_empty() {
                return Err(GprofTextFault::SecondReport);
            }
            self.is_graph_over |= self.has_graph;
            self.table = Table::Flat { has_rows: false };
        } else if is_heading {
            if self.has_graph {
                return Err(GprofTextFault::SecondReport);
            }
            self.table = Table::Graph;
        }
        self.is_in_heading |= is_heading;
        self.is_in_heading &= !line.is_empty();
        match self.table {
            Table::None => self.unaccounted = self.unaccounted.or_else(|| unaccounted(line)),
            Table::Flat { has_rows } => match FlatLine::parse(line) {
                Some(row) => {
                    self.table = Table::Flat { has_rows: true };
                    if let Some(odd) = self.odd.take() {
                        self.skipped.get_or_insert(SkippedLines { n_lines: 0, ..odd }).n_lines +=
                            odd.n_lines;
                    }
                    self.flat.push(row);
                    self.number_flat();
                }
                None if has_rows && (line.is_empty() || line.starts_with(b"\x0c")) => {
                    self.table = Table::None;
                    self.odd = None;
                }
                None if has_rows => SkippedLines::add(&mut self.odd, self.n_lines),
                None if is_verilator_header(line) => self.table = Table::Verilator,
                None if self.is_in_heading => self.unit.heading(line),
                None => {}
            },
            Table::Verilator => self.flat.extend(FlatLine::parse_verilator(line)),
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
            self.is_graph_over = true;
            self.table = Table::None;
        } else if let Some(arc) = ArcLine::parse(line) {
            match self.caller {
                Some(caller) => {
                    let callee = self.end_of(&arc, true);
                    self.call(caller, callee, &arc);
                }
                None => self.callers.push(arc),
            }
        } else if !self.has_graph {
            if self.is_in_heading {
                self.unit.heading(line);
            }
        } else if self.caller.is_none() && self.callers.is_empty() {
            // Other lines start with a number, `[` or `<`, even if they are cut.
            self.is_graph_over |= line.trim_ascii().first().is_some_and(u8::is_ascii_alphabetic);
        }
        Ok(())
    }

    fn entry(&mut self, entry: EntryLine<'a>) -> Result<(), GprofTextFault> {
        self.has_graph = true;
        self.is_graph_over = false;
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
            let caller = self.end_of(&arc, false);
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
            needs_entry: false,
            object: None,
            n_calls: 0,
        };
        let entry = self.functions.entry(key);
        let id = entry.index();
        entry.or_insert_with(new);
        id
    }

    /// The caller or callee that a line names.
    fn end_of(&mut self, arc: &ArcLine<'a>, is_callee: bool) -> usize {
        let id = self.function(FunctionKey::Index(arc.index), arc.name);
        // A function with neither calls nor time has no entry.
        self.functions[id].needs_entry |=
            arc.name.has_entry && (is_callee && arc.count > 0 || arc.cost > 0);
        id
    }

    /// The fault of a call graph that ends between two entries: it refers to an entry that
    /// does not follow.
    fn missing_entry(&self) -> Option<GprofTextFault> {
        let mut functions = self.functions.values().filter(|_| !self.is_graph_over);
        let missing = functions.find(|one| one.needs_entry && one.total.is_none())?;
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
            function.object = row.object;
            if function.total.is_none() {
                function.self_cost = function.self_cost.saturating_add(row.self_cost);
                let n_calls = row.n_calls.unwrap_or(0);
                function.n_calls = function.n_calls.saturating_add(n_calls);
            }
        }
    }

    /// Adds the time of verilator_profcfunc that belongs to no row.
    fn add_unaccounted(&mut self) {
        let Some(share) = self.unaccounted else {
            return;
        };
        let known: u128 = self.functions.values().map(|one| u128::from(one.self_cost)).sum();
        let cost = known * u128::from(share) / u128::from(10_000 - share);
        let name = EntryName { text: UNACCOUNTED, index: None, has_entry: false };
        let id = self.function(FunctionKey::Name(UNACCOUNTED), name);
        self.functions[id].self_cost = u64::try_from(cost).unwrap_or(u64::MAX);
    }

    fn finish(mut self) -> RecordedCosts {
        self.join_flat();
        self.add_unaccounted();
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
            let object = function.object.map(Arc::from);
            let id = costs.add_function(Function { object, ..Function::named(function.name) });
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
        let is_sampled =
            !self.is_cycles && self.period.is_some_and(|period| period <= USUAL_PERIOD);
        let source = if is_sampled { ValueSource::SAMPLES } else { ValueSource::Measured };
        let id: &[u8] = if self.is_cycles { b"cycles" } else { b"time" };
        let name = MetricName { id: id.into(), title: None };
        ValueMetric {
            unit: (!self.is_cycles).then_some("ticks"),
            rate: (!self.is_cycles).then_some(RATE),
            ..ValueMetric::of_column(name, source, 0)
        }
    }
}
