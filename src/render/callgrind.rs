//! The callgrind format: self costs of functions and inclusive costs of calls, for
//! `KCachegrind`, `callgrind_annotate`, `gprof2dot` and profan itself.
//!
//! Self costs of all metrics come from the flat profile, calls from the call graph; either may be
//! absent. Costs are whole numbers: nanoseconds, thousandths of ticks of unknown length, or units
//! of the metric. Format: <https://valgrind.org/docs/manual/cl-format.html>. `KCachegrind`
//! refuses a name that is defined twice, and `gprof2dot` reads the header in the order written
//! here.

mod cycles;

use std::collections::HashMap;
use std::io::{self, Write};

use cycles::{CycleMembers, WrittenCall, end_of, n_calls};

use super::whole_numbers::{WholeColumn, as_word, whole_column};
use super::{RenderError, RenderOptions, RenderResult, Renderer, name_id, visible};
use crate::interner::InternedNames;
use crate::report::{
    Cell, IN_CYCLE, Metric, MetricIndex, NameId, Report, Role, Row, RowKind, Section, SectionId,
    escape_controls,
};
use crate::sorting::ColdSort;

/// Self costs and calls in the format of callgrind.
pub(super) static CALLGRIND: Renderer = Renderer {
    accepts: |section| matches!(section, SectionId::Flat | SectionId::Graph),
    shows_runs: true,
    shows_sources: true,
    has_all_metrics: true,
    greatest: Some((1 << 64) - 1),
    default_sections: &[SectionId::Flat, SectionId::Graph],
    ..Renderer::new(
        "callgrind",
        &["callgrind"],
        "self costs and calls, for KCachegrind and gprof2dot",
        render,
    )
};

/// Unknown objects and files, as callgrind writes them.
const UNKNOWN: &[u8] = b"???";

fn render(report: &Report, _options: &RenderOptions, out: &mut dyn Write) -> RenderResult {
    let sections = CALLGRIND.accepted(report)?;
    let parts = parts(&sections);
    out.write_all(b"# callgrind format\nversion: 1\n")?;
    writeln!(out, "creator: profan {}", env!("CARGO_PKG_VERSION"))?;
    if let Some(program) = program(report) {
        out.write_all(b"cmd: ")?;
        out.write_all(&escape_controls(program))?;
        out.write_all(b"\n")?;
    }
    for (index, &part) in parts.iter().enumerate() {
        write_part(report, part, index + 1, parts.len() > 1, out)?;
    }
    Ok(())
}

/// The sections of each run. A run has one of each kind.
fn parts<'s, 'r>(sections: &'s [&'r Section]) -> Vec<&'s [&'r Section]> {
    let is_twice = |of: &[&Section], id| of.iter().filter(|one| one.id == id).count() > 1;
    let has_twice = |of: &[&Section]| of.iter().take(2).any(|one| is_twice(of, one.id));
    let are_runs = has_twice(sections);
    let mut parts = Vec::new();
    let mut rest = sections;
    while let Some(first) = rest.first() {
        let is_of_other = |end: &usize| {
            let is_named = !are_runs || rest[end - 1].run == first.run;
            !is_named || has_twice(&rest[..*end])
        };
        let end = (2..=rest.len()).find(is_of_other);
        let (part, after) = rest.split_at(end.map_or(rest.len(), |end| end - 1));
        parts.push(part);
        rest = after;
    }
    parts
}

/// Writes the profile, or the profile of one of several runs. As in valgrind's files of several
/// dumps, each part numbers its names anew.
fn write_part(
    report: &Report,
    sections: &[&Section],
    part: usize,
    is_run: bool,
    out: &mut dyn Write,
) -> RenderResult {
    let with_id = |id| sections.iter().copied().find(|section| section.id == id);
    let (flat, graph) = (with_id(SectionId::Flat), with_id(SectionId::Graph));
    let self_costs = flat.or(graph).unwrap_or(sections[0]);
    let events = events(self_costs, graph, report);
    if events.is_empty() {
        return Err(RenderError::Nothing { format: CALLGRIND.name });
    }
    let calls = graph.map_or(CallKind::Unknown, |graph| calls(graph, &events));
    writeln!(out, "{}part: {part}", if part > 1 { "\n" } else { "" })?;
    if is_run {
        // KCachegrind names parts by this.
        let run = self_costs.run.as_ref().map(ToString::to_string).unwrap_or_default();
        let title = escape_controls(run.as_bytes());
        out.write_all(&[b"desc: Trigger: ", &*title, b"\n"].concat())?;
    }
    write_head(out, report, &events, calls)?;
    let mut writer = Writer::new(report, out);
    let mut totals = vec![0_u64; events.len()];
    self_costs.rows.for_each_head(&mut |row| {
        if matches!(row.kind, RowKind::Total | RowKind::Cycle) {
            return Ok(());
        }
        let costs = events.iter().map(|event| event.self_cost.of(row));
        let costs: Vec<u64> = costs.map(Option::unwrap_or_default).collect();
        for (total, cost) in totals.iter_mut().zip(&costs) {
            *total = total.saturating_add(*cost);
        }
        // Also without cost: the line of the function is here.
        let name = self_costs.cell(row, "name");
        if row.kind == RowKind::Entry {
            writer.write_function(name)?;
        } else {
            writer.write_other(name)?;
        }
        writer.write_costs(name, &costs)
    })?;
    if let Some(graph) = graph {
        write_calls(&mut writer, graph, &events)?;
    }
    write!(writer.out, "\ntotals:")?;
    write_numbers(writer.out, &totals)?;
    Ok(())
}

/// A metric with its columns.
struct EventColumns {
    metric: MetricIndex,
    self_cost: WholeColumn,
    /// Inclusive cost, in the call graph.
    total: Option<WholeColumn>,
    /// Recorded cost of calls within cycles, in the call graph.
    total_in_cycle: Option<WholeColumn>,
}

/// The metrics that the profile has self costs of, the primary one first.
fn events(self_costs: &Section, graph: Option<&Section>, report: &Report) -> Vec<EventColumns> {
    let mut metrics: Vec<_> = (0..report.metrics.len()).collect();
    metrics.cold_sort_by_key(|&metric| metric != report.primary);
    let events = metrics.into_iter().filter_map(|metric| {
        let column = |section, role| whole_column(section, role, metric, &report.metrics);
        let in_cycle = |graph: &Section| {
            let column = graph.column(IN_CYCLE)?;
            let is_of_it = graph.columns[column].metric == Some(metric);
            is_of_it.then(|| WholeColumn::of_integers(column))
        };
        Some(EventColumns {
            metric,
            self_cost: column(self_costs, Role::SelfValue)?,
            total: graph.and_then(|graph| column(graph, Role::Total)),
            total_in_cycle: graph.and_then(in_cycle),
        })
    });
    events.collect()
}

fn write_head(
    out: &mut dyn Write,
    report: &Report,
    events: &[EventColumns],
    calls: CallKind,
) -> io::Result<()> {
    if let Some(metric) = report.metrics.get(report.primary) {
        writeln!(out, "desc: Self costs: {}", metric.basis.id())?;
        let totals = metric.total_basis.filter(|_| calls != CallKind::Unknown);
        let totals = totals.map_or("unknown", |basis| basis.id());
        writeln!(out, "desc: Inclusive costs: {totals}")?;
        if calls == CallKind::Uncounted {
            writeln!(out, "desc: Numbers of calls: unknown, written as 1")?;
        }
    }
    out.write_all(b"positions: line\n")?;
    let mut ids = String::new();
    for event in events {
        let metric = &report.metrics[event.metric];
        let id = event.id(metric);
        let unit = event.self_cost.unit.unwrap_or(&metric.unit);
        let quantity = visible(&*metric.quantity);
        if [&*quantity, &*id].contains(&unit) {
            writeln!(out, "event: {id} : {quantity}")?;
        } else {
            writeln!(out, "event: {id} : {quantity} ({unit})")?;
        }
        ids.push(' ');
        ids.push_str(&id);
    }
    writeln!(out, "events:{ids}")
}

impl EventColumns {
    /// The inclusive cost of a call; within a cycle only if it was recorded.
    fn of_call(&self, row: Row<'_>) -> Option<u64> {
        let in_cycle = self.total_in_cycle.and_then(|column| column.of(row));
        in_cycle.or_else(|| self.total?.of(row))
    }

    /// A name of letters, digits and underscores, as `KCachegrind` reads it.
    fn id(&self, metric: &Metric) -> String {
        let id = self.self_cost.id.unwrap_or(&metric.id);
        let id = as_word(id);
        if id.starts_with(|first: char| first.is_ascii_alphabetic()) {
            id
        } else {
            format!("e{id}")
        }
    }
}

/// The executable, if only one is known.
fn program(report: &Report) -> Option<&[u8]> {
    let is_program = |kind: &str| kind == "executable";
    let mut programs = report.inputs.iter().filter(|input| is_program(&input.kind));
    let program = programs.next()?;
    let is_only = programs.next().is_none() && !program.has_only_names();
    is_only.then_some(program.path.as_bytes())
}

/// Calls, by caller.
fn write_calls(
    writer: &mut Writer<'_, '_>,
    graph: &Section,
    events: &[EventColumns],
) -> io::Result<()> {
    let mut members = CycleMembers::find(graph, events)?;
    let (mut caller, mut end) = (Cell::Absent, (None, None));
    let mut has_head = false;
    graph.rows.for_each(&mut |row| {
        if row.kind == RowKind::Entry {
            caller = graph.cell(row, "name").clone();
            end = end_of(graph, row);
            has_head = false;
        }
        let callee = graph.cell(row, "name");
        if !is_call(row, graph, events) {
            return Ok(());
        }
        if !has_head {
            writer.write_function(&caller)?;
            has_head = true;
        }
        // `callgrind_annotate` takes the cost of 0 calls for self cost.
        let calls = n_calls(graph, row);
        match members.written(graph, end, row, events) {
            WrittenCall::To(costs) => writer.write_call(&caller, callee, calls, &costs),
            WrittenCall::ToCycle(cycle, costs) => {
                writer.write_cycle(cycle, ["cob=", "cfi=", "cfn="])?;
                writeln!(writer.out, "calls={} 0", calls.max(0))?;
                writer.write_costs(&caller, &costs)
            }
        }
    })?;
    for cycle in members.cycles() {
        writer.out.write_all(b"\n")?;
        writer.write_cycle(cycle, ["ob=", "fl=", "fn="])?;
        for (callee, n_calls, costs) in members.calls_of(cycle) {
            writer.write_call(&Cell::Absent, &callee, n_calls, costs)?;
        }
    }
    Ok(())
}

/// Returns whether a row is a call that was counted or has a cost, not only a possible one.
fn is_call(row: Row<'_>, graph: &Section, events: &[EventColumns]) -> bool {
    // Callees of calls through registers have no index.
    let has_index = !graph.cell(row, "index").is_absent();
    let is_counted = || !graph.cell(row, "calls").is_absent();
    let has_cost = || events.iter().any(|event| event.of_call(row).is_some());
    row.kind == RowKind::Callee && has_index && (is_counted() || has_cost())
}

/// The calls of a profile.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum CallKind {
    Unknown,
    /// They have costs only.
    Uncounted,
    Counted,
}

/// Visits rows up to the first call.
fn calls(graph: &Section, events: &[EventColumns]) -> CallKind {
    let mut calls = CallKind::Unknown;
    let visited = graph.rows.for_each(&mut |row| {
        if !is_call(row, graph, events) {
            return Ok(());
        }
        calls = match graph.cell(row, "calls") {
            Cell::Absent => CallKind::Uncounted,
            _ => CallKind::Counted,
        };
        Err(io::Error::other("found"))
    });
    debug_assert_eq!(visited.is_ok(), calls == CallKind::Unknown);
    calls
}

/// Writes functions and calls, each name in full at its first use.
struct Writer<'r, 'o> {
    report: &'r Report,
    out: &'o mut dyn Write,
    /// Objects, files and functions.
    tables: [InternedNames; 3],
    /// The names of each table up to this number were written.
    n_written: [u32; 3],
    /// The numbers of each name, after its first use.
    known: HashMap<NameId, [u32; 3]>,
    /// The object of functions without one.
    program: &'r [u8],
}

impl<'r, 'o> Writer<'r, 'o> {
    fn new(report: &'r Report, out: &'o mut dyn Write) -> Self {
        Self {
            report,
            out,
            tables: Default::default(),
            n_written: [0; 3],
            known: HashMap::new(),
            program: program(report).unwrap_or(UNKNOWN),
        }
    }

    fn write_function(&mut self, name: &Cell) -> io::Result<()> {
        self.out.write_all(b"\n")?;
        self.write_names(name, ["ob=", "fl=", "fn="])
    }

    /// Writes costs outside of functions.
    fn write_other(&mut self, name: &Cell) -> io::Result<()> {
        self.out.write_all(b"\n")?;
        let name = name.bytes(&*self.report.names);
        self.write_new([UNKNOWN, UNKNOWN, name], ["ob=", "fl=", "fn="])?;
        Ok(())
    }

    /// Writes the function of a cycle.
    fn write_cycle(&mut self, cycle: i128, keys: [&str; 3]) -> io::Result<()> {
        let name = format!("<cycle {cycle}>");
        self.write_new([self.program, UNKNOWN, name.as_bytes()], keys)?;
        Ok(())
    }

    fn write_costs(&mut self, name: &Cell, costs: &[u64]) -> io::Result<()> {
        write!(self.out, "{}", self.line(name))?;
        write_numbers(self.out, costs)
    }

    fn write_call(
        &mut self,
        caller: &Cell,
        callee: &Cell,
        calls: i128,
        costs: &[u64],
    ) -> io::Result<()> {
        self.write_names(callee, ["cob=", "cfi=", "cfn="])?;
        writeln!(self.out, "calls={} {}", calls.max(0), self.line(callee))?;
        self.write_costs(caller, costs)
    }

    /// The line of a function; 0 if unknown.
    fn line(&self, name: &Cell) -> u32 {
        let place = name_id(name).and_then(|id| self.report.names.location(id));
        place.map_or(0, |place| place.line)
    }

    /// Object, file and function of a name, a line each.
    fn write_names(&mut self, name: &Cell, keys: [&str; 3]) -> io::Result<()> {
        let id = name_id(name);
        if let Some(numbers) = id.and_then(|id| self.known.get(&id)) {
            for (key, number) in keys.iter().zip(numbers) {
                writeln!(self.out, "{key}({number})")?;
            }
            return Ok(());
        }
        let names = &*self.report.names;
        let object = id.and_then(|id| names.object(id));
        let place = id.and_then(|id| names.location(id));
        let object = object.unwrap_or(self.program);
        let file = place.map_or(UNKNOWN, |place| place.file);
        let numbers = self.write_new([object, file, name.bytes(names)], keys)?;
        self.known.extend(id.map(|id| (id, numbers)));
        Ok(())
    }

    /// Writes names with their numbers, in full if they were not written before.
    fn write_new(&mut self, names: [&[u8]; 3], keys: [&str; 3]) -> io::Result<[u32; 3]> {
        let mut numbers = [0; 3];
        for (place, (name, key)) in names.into_iter().zip(keys).enumerate() {
            let name = escape_controls(name);
            let number = self.tables[place].number(&name) + 1;
            write!(self.out, "{key}({number})")?;
            if number > self.n_written[place] {
                self.n_written[place] = number;
                self.out.write_all(b" ")?;
                let is_empty = name.trim_ascii().is_empty();
                self.out.write_all(if is_empty { UNKNOWN } else { &name })?;
            }
            self.out.write_all(b"\n")?;
            numbers[place] = number;
        }
        Ok(numbers)
    }
}

fn write_numbers(out: &mut dyn Write, numbers: &[u64]) -> io::Result<()> {
    for number in numbers {
        write!(out, " {number}")?;
    }
    out.write_all(b"\n")
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::*;
    use crate::render::testing::{
        graph_columns, graph_row, hostile_report, rendered, sample_report, section,
    };
    use crate::report::RowTable;

    fn callgrind(report: &Report) -> String {
        let text = rendered(&CALLGRIND, report, &RenderOptions::default());
        String::from_utf8(text).expect("other bytes are escaped")
    }

    #[test]
    fn functions_have_self_costs_and_calls() {
        let expected = "\
events: milliticks bytes

ob=(1) prog
fl=(1) src/work.cc
fn=(1) ns::work(int)
12 30000 4096

ob=(1)
fl=(2) ???
fn=(2) main
0 10000 0

ob=(2) ???
fl=(2)
fn=(3) <unattributed>
0 5000 0

ob=(1)
fl=(2)
fn=(2)
cob=(1)
cfi=(1)
cfn=(1)
calls=3 12
0 0 0

totals: 45000 4096
";
        let text = callgrind(&sample_report());
        let (_, found) = text.split_at(text.find("events:").expect("the last line of the head"));
        assert_eq!(found, expected);
    }

    #[test]
    fn each_name_is_defined_once_and_in_one_line() {
        let mut report = hostile_report();
        let mut graph = RowTable::default();
        for id in 0..14 {
            let row = |id: u32| {
                let name = Cell::Name(NameId(id));
                graph_row(&[
                    ("self", Cell::Integer(1)),
                    ("calls", Cell::Integer(1)),
                    ("name", name),
                ])
            };
            graph.push(RowKind::Entry, row(id));
            graph.push(RowKind::Callee, row(13 - id));
        }
        report.sections = vec![section(SectionId::Graph, graph_columns(), graph)];
        let text = callgrind(&report);
        let mut defined = HashSet::new();
        let body = text.lines().skip_while(|line| !line.starts_with("ob="));
        for line in body {
            let Some((key, name)) = line.split_once("=(") else {
                let is_number = |byte: u8| byte.is_ascii_digit() || byte == b' ';
                let rest = line.trim_start_matches("calls=").trim_start_matches("totals:");
                assert!(rest.bytes().all(is_number), "{line}");
                continue;
            };
            let (number, name) = name.split_once(')').expect("numbers have an end");
            let table = match key {
                "cfi" => "fl",
                key => key.trim_start_matches('c'),
            };
            let is_new = defined.insert((table.to_owned(), number.to_owned()));
            assert_eq!(is_new, !name.is_empty(), "{line}");
        }
        assert_eq!(defined.len(), 1 + 2 * 14);
    }
}
