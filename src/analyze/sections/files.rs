//! What is in a profile file.

use std::borrow::Cow;
use std::fmt::Display;

use super::counted;
use super::table::Columns;
use crate::analyze::file_summary::{
    CostSummary, EventSummary, FileSummary, HeapSummary, HistogramSummary, MlmonSummary, RunSummary,
};
use crate::model::SizeBounds;
use crate::report::escape::escape_controls;
use crate::report::{Cell, Layout, Role, Section, SectionId};

/// What there is of each kind of record, a sentence each, and in numbers a row each.
pub fn file_section(file: &FileSummary) -> Section<'static> {
    let mut facts = Facts::default();
    for histogram in &file.histograms {
        facts.histogram(histogram);
    }
    if let Some(heap) = &file.heap {
        facts.heap(heap);
    }
    if let Some(events) = &file.events {
        facts.events(events);
    }
    if let Some(mlmon_counts) = &file.mlmon_counts {
        facts.mlmon_counts(mlmon_counts);
    }
    if let Some(run) = &file.run {
        facts.events_of_run(run);
    }
    if let Some(costs) = &file.costs {
        facts.costs(costs);
    }
    if let Some(run) = &file.run {
        facts.calls_and_parts(run);
    }
    if let Some(build) = file.build {
        facts.line("build", build);
    }
    facts.records(file);
    let columns = Columns::<(&'static str, Cow<'static, str>, Cell)>::new()
        .hidden(Role::Source, "path", |_| &*file.path)
        .hidden(Role::Other, "record", |row| row.0)
        .hidden(Role::Other, "what", |row| row.1.to_string())
        .hidden(Role::Count, "value", |row| row.2.clone());
    Section {
        title: title(file).into(),
        layout: Layout::Gprof,
        summary: facts.sentences,
        ..columns.table(SectionId::Files, "", facts.values)
    }
}

fn title(file: &FileSummary) -> String {
    let path = escape_controls(file.path.as_bytes());
    let mut title = format!("{}: {} layout", String::from_utf8_lossy(&path), file.layout);
    if let Some(encoding) = file.encoding {
        title += &format!(", {encoding}");
    }
    if file.version > 0 {
        title += &format!(", version {}", file.version);
    }
    title
}

#[derive(Default)]
struct Facts {
    sentences: Vec<String>,
    values: Vec<(&'static str, Cow<'static, str>, Cell)>,
}

impl Facts {
    /// Adds a sentence about records of a kind.
    fn line(&mut self, record: &str, words: impl Display) {
        self.sentences.push(format!("  {record:<10} {words}"));
    }

    fn value(&mut self, record: &'static str, what: &'static str, value: impl Into<i128>) {
        self.values
            .push((record, what.into(), Cell::Integer(value.into())));
    }

    fn histogram(&mut self, histogram: &HistogramSummary) {
        let (low, high) = (histogram.low, histogram.high);
        let bins = counted(histogram.n_bins.into(), "bin");
        let size = histogram.bytes_per_bin;
        let size = size.map_or(String::new(), |size| format!(" of {} bytes", rounded(size)));
        let ticks = counted(histogram.n_ticks.into(), "tick");
        let rate = histogram.rate.map(|rate| rate.to_string());
        let rate = rate.unwrap_or_else(|| "not known how many".to_owned());
        let unit = escape_controls(singular(&histogram.dimension));
        let unit = String::from_utf8_lossy(&unit);
        self.line(
            "histogram",
            format!("{low} to {high}: {bins}{size}, {ticks}, {rate} to the {unit}"),
        );
        self.value("histogram", "bins", histogram.n_bins);
        self.value("histogram", "ticks", histogram.n_ticks);
        if let Some(rate) = histogram.rate {
            self.value("histogram", "rate", rate);
        }
        self.value("histogram", "low", low.0);
        self.value("histogram", "high", high.0);
    }

    fn heap(&mut self, heap: &HeapSummary) {
        let SizeBounds {
            small,
            medium,
            large,
        } = heap.bounds;
        let bins = counted(heap.n_bins as i128, "bin");
        for (record, n_blocks, n_bytes) in [
            ("allocated", heap.n_allocated, heap.n_allocated_bytes),
            ("freed", heap.n_freed, heap.n_freed_bytes),
        ] {
            self.line(record, format!("{n_blocks} blocks, {n_bytes} bytes"));
            self.value(record, "blocks", n_blocks);
            self.value(record, "bytes", n_bytes);
        }
        self.line(
            "sizes",
            format!("{bins}; small to {small}, medium to {medium}, large to {large} bytes"),
        );
    }

    fn events(&mut self, events: &EventSummary) {
        let parts = [
            ("allocation", "allocations", events.n_allocations),
            ("reallocation", "reallocations", events.n_reallocations),
            ("free", "frees", events.n_frees),
            ("region", "regions", events.n_regions),
            ("thread", "threads", events.n_threads as u64),
        ];
        let spelled = parts.map(|(one, _, n)| counted(n.into(), one));
        self.line("events", spelled.join(", "));
        for (_, what, n) in parts {
            self.value("events", what, n);
        }
    }

    fn mlmon_counts(&mut self, mlmon_counts: &MlmonSummary) {
        let (program, collector) = (mlmon_counts.program, mlmon_counts.collector);
        let n_functions = mlmon_counts.n_functions as i128;
        let functions = counted(n_functions, "function");
        let n_copies = mlmon_counts.n_copies;
        self.line(
            "values",
            format!("{}, {}", mlmon_counts.quantity, mlmon_counts.style),
        );
        self.line(
            "totals",
            format!("{program}, and {collector} of the garbage collector"),
        );
        self.line("rows", format!("{functions}, {n_copies} of their copies"));
        self.value("totals", "program", program);
        self.value("totals", "collector", collector);
        self.value("rows", "functions", n_functions);
        self.value("rows", "copies", n_copies as i128);
    }

    fn events_of_run(&mut self, run: &RunSummary) {
        let shown = |text: &[u8]| String::from_utf8_lossy(&escape_controls(text)).into_owned();
        if let Some(command) = &run.command {
            self.line("command", shown(command));
        }
        for event in &run.events {
            let title = event.name.title.as_ref();
            let title = title.map_or(String::new(), |title| format!(" ({})", shown(title)));
            let stated = match event.stated {
                Some(stated) if u128::from(stated) == event.charged => String::new(),
                Some(stated) => format!(", but {stated} by the totals of the file"),
                None => ", without totals to compare".to_owned(),
            };
            let (id, charged) = (shown(&event.name.id), event.charged);
            self.line("event", format!("{id}{title}: {charged}{stated}"));
            let sum = i128::try_from(charged).unwrap_or(i128::MAX);
            let what = Cow::Owned(id);
            self.values.push(("event", what, Cell::Integer(sum)));
        }
    }

    fn calls_and_parts(&mut self, run: &RunSummary) {
        if run.n_call_sites > 0 {
            let sites = counted(run.n_call_sites as i128, "site");
            let calls = if run.n_calls == 1 { "call" } else { "calls" };
            self.line("calls", format!("{sites}, {} {calls}", run.n_calls));
            let n_calls = i128::try_from(run.n_calls).unwrap_or(i128::MAX);
            self.value("calls", "calls", n_calls);
        }
        let mut parts = run.n_parts.to_string();
        if run.n_threads > 0 {
            parts += &format!(" of {}", counted(run.n_threads as i128, "thread"));
        }
        self.line("parts", parts);
        self.value("parts", "parts", run.n_parts as i128);
    }

    fn costs(&mut self, costs: &CostSummary) {
        let CostSummary {
            n_functions,
            n_contexts,
            n_samples,
            n_possible_calls,
        } = *costs;
        let mut contexts = counted(n_contexts as i128, "context");
        if n_samples > 0 {
            contexts += &format!(", {} of values", counted(n_samples as i128, "row"));
        }
        self.line("functions", counted(n_functions as i128, "name"));
        self.line("contexts", contexts);
        if n_possible_calls > 0 {
            let calls = counted(n_possible_calls as i128, "possible call");
            self.line("calls", calls);
        }
        self.value("functions", "names", n_functions as i128);
        self.value("contexts", "contexts", n_contexts as i128);
        self.value("contexts", "rows", n_samples as i128);
        self.value("calls", "possible calls", n_possible_calls as i128);
    }

    fn records(&mut self, file: &FileSummary) {
        let records = &file.records;
        let is_of_gmon = file.costs.is_none() && file.mlmon_counts.is_none() && file.run.is_none();
        if !is_of_gmon && records.n_arcs == 0 {
            return;
        }
        let n_arcs = counted(records.n_arcs.into(), "record");
        let n_calls = counted(file.n_calls.into(), "call");
        self.line("arcs", format!("{n_arcs}, {n_calls}"));
        self.value("arcs", "records", records.n_arcs);
        self.value("arcs", "calls", file.n_calls);
        if records.n_blocks > 0 {
            let n_blocks = counted(file.n_blocks as i128, "block");
            let n_records = counted(records.n_blocks.into(), "record");
            self.line("blocks", format!("{n_records}, {n_blocks}"));
            self.value("blocks", "records", records.n_blocks);
            self.value("blocks", "blocks", file.n_blocks as i128);
        }
    }
}

fn singular(dimension: &[u8]) -> &[u8] {
    match dimension {
        b"seconds" => b"second",
        other => other,
    }
}

/// A number with as many decimals as it needs, two at most.
fn rounded(number: f64) -> String {
    let text = format!("{number:.2}");
    let text = text.trim_end_matches('0').trim_end_matches('.');
    text.to_owned()
}
