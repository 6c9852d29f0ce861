//! The contents of a profile file.

use std::borrow::Cow;
use std::collections::BTreeSet;
use std::fmt::Display;
use std::num::NonZeroU32;

use super::counted;
use super::table::Columns;
use crate::model::SizeBounds;
use crate::model::{Encoding, Heap, HeapHistory, Histogram, MlmonCounts, Profile, RecordedCosts};
use crate::report::escape::escape_controls;
use crate::report::{Cell, Layout, Role, Section, SectionId};

/// The layout of a profile file.
#[derive(Clone, Debug)]
pub struct FileLayout {
    pub path: String,
    pub layout: String,
    /// `None` for text.
    pub encoding: Option<Encoding>,
    /// The number in the file; 0 if it has none.
    pub version: u32,
}

/// Each kind of record, as a sentence and as a row.
pub fn file_section(file: &FileLayout, profile: &Profile) -> Section {
    let costs = &profile.costs;
    let mlmon_counts = profile.mlmon_counts.as_ref();
    let mut facts = FileFacts::default();
    for histogram in profile.histograms() {
        facts.histogram(histogram);
    }
    if let Some(heap) = &profile.heap {
        facts.heap(heap);
    }
    if let Some(history) = &profile.history {
        facts.events(history);
    }
    if let Some(mlmon_counts) = mlmon_counts {
        facts.mlmon_counts(mlmon_counts);
    }
    let is_of_run = !costs.metrics.is_empty() && profile.heap.is_none();
    if is_of_run {
        facts.events_of_run(costs);
    }
    let has_costs =
        !(costs.functions.is_empty() && costs.contexts.is_empty() && costs.samples.is_empty());
    if has_costs {
        facts.costs(costs);
    }
    if is_of_run {
        facts.calls_and_parts(costs);
    }
    if let Some(build) = costs.build.or(mlmon_counts.map(|counts| counts.build)) {
        facts.line("build", build);
    }
    let is_of_gmon = !has_costs && mlmon_counts.is_none() && !is_of_run;
    if is_of_gmon || profile.records().n_arcs > 0 {
        facts.arcs_and_blocks(profile);
    }
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

fn title(file: &FileLayout) -> String {
    let path = shown(file.path.as_bytes());
    let mut title = format!("{path}: {} layout", file.layout);
    if let Some(encoding) = file.encoding {
        title += &format!(", {encoding}");
    }
    if file.version > 0 {
        title += &format!(", version {}", file.version);
    }
    title
}

fn shown(text: &[u8]) -> String {
    String::from_utf8_lossy(&escape_controls(text)).into_owned()
}

/// The values of a label that are shown.
const SHOWN_VALUES: usize = 8;

#[derive(Default)]
struct FileFacts {
    sentences: Vec<String>,
    values: Vec<(&'static str, Cow<'static, str>, Cell)>,
}

impl FileFacts {
    /// Adds a sentence about a kind of record.
    fn line(&mut self, record: &str, words: impl Display) {
        self.sentences.push(format!("  {record:<10} {words}"));
    }

    fn value(&mut self, record: &'static str, what: &'static str, value: impl Into<i128>) {
        self.values.push((record, what.into(), Cell::Integer(value.into())));
    }

    fn histogram(&mut self, histogram: &Histogram) {
        let (low, high, n_ticks) = (histogram.low, histogram.high, histogram.n_ticks());
        let bins = counted(histogram.n_bins.into(), "bin");
        let bytes = high.0.wrapping_sub(low.0) as f64;
        let size = match histogram.n_bins {
            0 => String::new(),
            n_bins => format!(" of {} bytes", rounded(bytes / n_bins as f64)),
        };
        let samples = counted(n_ticks.into(), "sample");
        let rate = histogram.clock.rate.map(NonZeroU32::get);
        let unit = shown(singular(&histogram.clock.dimension));
        let rate_words =
            rate.map_or("unknown rate".to_owned(), |rate| format!("{rate} per {unit}"));
        self.line("histogram", format!("{low} to {high}: {bins}{size}, {samples}, {rate_words}"));
        self.value("histogram", "bins", histogram.n_bins);
        self.value("histogram", "ticks", n_ticks);
        if let Some(rate) = rate {
            self.value("histogram", "rate", rate);
        }
        self.value("histogram", "low", low.0);
        self.value("histogram", "high", high.0);
    }

    fn heap(&mut self, heap: &Heap) {
        let SizeBounds { small, medium, large } = heap.bounds;
        for (record, bins) in [("allocated", &heap.allocated), ("freed", &heap.freed)] {
            let (n_blocks, n_bytes) = (bins.n_blocks(), bins.n_bytes());
            self.line(record, format!("{n_blocks} blocks, {n_bytes} bytes"));
            self.value(record, "blocks", n_blocks);
            self.value(record, "bytes", n_bytes);
        }
        let bins = counted(heap.allocated.counts.len() as i128, "bin");
        self.line(
            "sizes",
            format!("{bins}; small to {small}, medium to {medium}, large to {large} bytes"),
        );
    }

    fn events(&mut self, history: &HeapHistory) {
        let n_regions = history.reserved.count + history.internal.count;
        let parts = [
            ("allocation", "allocations", history.allocations.count),
            ("reallocation", "reallocations", history.reallocations.count),
            ("free", "frees", history.frees.count),
            ("region", "regions", n_regions),
            ("thread", "threads", history.threads.len() as u64),
        ];
        let formatted = parts.map(|(one, _, n)| counted(n.into(), one));
        self.line("events", formatted.join(", "));
        for (_, what, n) in parts {
            self.value("events", what, n);
        }
    }

    fn mlmon_counts(&mut self, counts: &MlmonCounts) {
        let (program, collector) = (counts.program, counts.collector);
        let n_functions = counts.functions.len() as i128;
        let functions = counted(n_functions, "function");
        let n_copies = counts.contexts.len();
        self.line("values", format!("{}, {}", counts.quantity, counts.style));
        self.line("totals", format!("{program}, and {collector} of the garbage collector"));
        self.line("rows", format!("{functions}, {n_copies} of their copies"));
        self.value("totals", "program", program);
        self.value("totals", "collector", collector);
        self.value("rows", "functions", n_functions);
        self.value("rows", "copies", n_copies as i128);
    }

    /// Costs charged to lines, next to the totals in the file.
    fn events_of_run(&mut self, costs: &RecordedCosts) {
        let mut commands = costs.parts.iter().filter_map(|part| part.command.as_ref());
        if let Some(command) = commands.next() {
            self.line("command", shown(command));
        }
        let mut sums = vec![0; costs.samples.types().len()];
        for (_, values) in costs.samples.rows() {
            for (sum, &value) in sums.iter_mut().zip(values) {
                *sum += i128::from(value);
            }
        }
        // Further metrics are sums of these.
        let metrics = costs.metrics.iter().take(sums.len());
        for (index, metric) in metrics.enumerate() {
            let terms = metric.terms.iter();
            let charged: i128 = terms.map(|&(factor, column)| factor * sums[column]).sum();
            let title = metric.name.title.as_ref();
            let title = title.map_or(String::new(), |title| format!(" ({})", shown(title)));
            let stated = match costs.event_totals.as_ref().map(|totals| totals[index]) {
                Some(stated) if i128::from(stated) == charged => String::new(),
                Some(stated) => format!(", but {stated} by the totals of the file"),
                None => ", without totals to compare".to_owned(),
            };
            let id = shown(&metric.name.id);
            self.line("event", format!("{id}{title}: {charged}{stated}"));
            let what = Cow::Owned(id);
            self.values.push(("event", what, Cell::Integer(charged)));
        }
    }

    fn calls_and_parts(&mut self, costs: &RecordedCosts) {
        let counts = costs.calls.iter().map(|(call, _)| u128::from(call.count));
        let n_calls: u128 = counts.sum();
        if !costs.calls.is_empty() {
            let sites = counted(costs.calls.len() as i128, "site");
            let calls = if n_calls == 1 { "call" } else { "calls" };
            self.line("calls", format!("{sites}, {n_calls} {calls}"));
            self.value("calls", "calls", i128::try_from(n_calls).unwrap_or(i128::MAX));
        }
        let threads = costs.parts.iter().filter_map(|part| part.thread);
        let n_threads = threads.collect::<BTreeSet<_>>().len();
        let mut parts = costs.parts.len().to_string();
        if n_threads > 0 {
            parts += &format!(" of {}", counted(n_threads as i128, "thread"));
        }
        self.line("parts", parts);
        self.value("parts", "parts", costs.parts.len() as i128);
    }

    fn costs(&mut self, costs: &RecordedCosts) {
        // Each address without a name is a function with the name of its file.
        let unnamed = &costs.unnamed_code;
        let n_repeated = unnamed.functions.len().saturating_sub(unnamed.files.len());
        let n_functions = costs.functions.len().saturating_sub(n_repeated) as i128;
        let n_contexts = costs.contexts.len() as i128;
        let n_samples = costs.samples.len() as i128;
        let n_possible_calls = costs.possible_calls.len() as i128;
        let mut contexts = counted(n_contexts, "context");
        if n_samples > 0 {
            contexts += &format!(", {} of values", counted(n_samples, "row"));
        }
        self.line("functions", counted(n_functions, "name"));
        self.line("contexts", contexts);
        for (key, values) in costs.label_values() {
            let n_more = values.len().saturating_sub(SHOWN_VALUES);
            let known = values.into_iter().take(SHOWN_VALUES).map(shown);
            let mut known: Vec<_> = known.collect();
            if n_more > 0 {
                known.push(format!("{n_more} more"));
            }
            self.line("label", format!("{}: {}", shown(key), known.join(", ")));
        }
        if n_possible_calls > 0 {
            self.line("calls", counted(n_possible_calls, "possible call"));
        }
        self.value("functions", "names", n_functions);
        self.value("contexts", "contexts", n_contexts);
        self.value("contexts", "rows", n_samples);
        self.value("calls", "possible calls", n_possible_calls);
    }

    fn arcs_and_blocks(&mut self, profile: &Profile) {
        let records = profile.records();
        let counts = profile.arcs().iter().map(|arc| arc.count);
        let n_calls = counts.fold(0, u64::saturating_add);
        let arcs = counted(records.n_arcs.into(), "record");
        let calls = counted(n_calls.into(), "call");
        self.line("arcs", format!("{arcs}, {calls}"));
        self.value("arcs", "records", records.n_arcs);
        self.value("arcs", "calls", n_calls);
        if records.n_blocks > 0 {
            let n_blocks = profile.blocks().len() as i128;
            let blocks = counted(n_blocks, "block");
            let n_records = counted(records.n_blocks.into(), "record");
            self.line("blocks", format!("{n_records}, {blocks}"));
            self.value("blocks", "records", records.n_blocks);
            self.value("blocks", "blocks", n_blocks);
        }
    }
}

fn singular(dimension: &[u8]) -> &[u8] {
    match dimension {
        b"seconds" => b"second",
        other => other,
    }
}

/// A number with up to two decimals, as needed.
fn rounded(number: f64) -> String {
    let text = format!("{number:.2}");
    let text = text.trim_end_matches('0').trim_end_matches('.');
    text.to_owned()
}
