//! Profiles of the Firefox Profiler (profiler.firefox.com), in its processed format: a thread
//! for each metric of each run, and a counter track for the use of a heap over time. Weights may
//! be negative, so a difference is a profile too.
//!
//! Source: docs-developer/CHANGELOG-formats.md and src/types/profile.ts of
//! github.com/firefox-devtools/profiler. The site converts all older versions of the format.
//! A sample has the weight of its stack, and lasts as long.

mod counter;

use std::fmt::Display;
use std::io::{self, Write};

use self::counter::Counter;
use super::stacks::{
    StackFrames, StackMetric, StackObject, Stacks, TextNumbers, json_text, write_list,
};
use super::{RenderOptions, RenderResult, Renderer};
use crate::report::{Report, SectionId};

/// Call stacks for the Firefox Profiler.
pub(super) static FIREFOX: Renderer = Renderer {
    accepts: |section| {
        use SectionId as S;
        matches!(section, S::Tree | S::TreeDifference | S::TraceHistory)
    },
    shows_runs: true,
    shows_sources: true,
    has_time_axis: true,
    default_sections: &[SectionId::Tree],
    ..Renderer::new("firefox", &["firefox.json"], "call stacks, for profiler.firefox.com", render)
};

/// The version of the processed format, and of the recorded format behind it.
const VERSION: u32 = 55;
const RECORDED_VERSION: u32 = 24;

/// Required fields of each thread, without meaning in a profile without time and markers.
const THREAD_WITHOUT_MARKERS: &str = "\
    \"processType\":\"default\",\"processStartupTime\":0,\"processShutdownTime\":null,\
    \"registerTime\":0,\"unregisterTime\":null,\"pausedRanges\":[],\
    \"showMarkersInTimeline\":false,\
    \"markers\":{\"length\":0,\"category\":[],\"data\":[],\"endTime\":[],\"name\":[],\
    \"phase\":[],\"startTime\":[]},\
    \"nativeSymbols\":{\"length\":0,\"address\":[],\"functionSize\":[],\"libIndex\":[],\
    \"name\":[]}";

fn render(report: &Report, options: &RenderOptions, out: &mut dyn Write) -> RenderResult {
    let accepted = FIREFOX.accepted(report)?;
    let history = accepted.iter().find(|one| one.id == SectionId::TraceHistory);
    // A trace has its history alone.
    let is_history = history.is_some() && accepted.len() == 1;
    let runs = if is_history { Vec::new() } else { Stacks::of_runs(&FIREFOX, report, options)? };
    let tables = ThreadParts::of(&runs, report)?;
    let metric = runs.first().map(|stacks| &stacks.metrics[0]);
    let counter = history.map(|history| Counter::of(history, report));
    let counter = counter.transpose()?;
    let span = counter.as_ref().map(Counter::span);
    let interval = match (span, metric) {
        // A track ends this long after its last sample.
        (Some(_), _) => 1,
        (None, Some(metric)) => period(metric),
        (None, None) => NANOSECONDS,
    };
    let basis = runs.first().map_or("", |stacks| stacks.basis);
    write!(
        out,
        "{{\"meta\":{{\"preprocessedProfileVersion\":{VERSION},\"version\":{RECORDED_VERSION},\
         \"interval\":{},\"startTime\":0,\"processType\":0,\"stackwalk\":0,\"debug\":false,\
         \"product\":{},\"importedFrom\":{},\"symbolicated\":true,\
         \"usesOnlyOneStackType\":true,\"sourceCodeIsNotOnSearchfox\":true,\
         \"sampleUnits\":{{\"time\":\"ms\",\"eventDelay\":\"ms\",\"threadCPUDelta\":\"µs\"}},\
         \"categories\":[{{\"name\":\"Other\",\"color\":\"grey\",\"subcategories\":[\"Other\"]}}],\
         \"extensions\":{{\"length\":0,\"id\":[],\"name\":[],\"baseURL\":[]}},\
         \"pausedRanges\":[],\"initialSelectedThreads\":[0],\"markerSchema\":[]}},\n\"libs\":[",
        Millis(interval),
        json_text(&Stacks::title(report)),
        json_text(format!("profan: {basis}").trim_end_matches(": ")),
    )?;
    let libraries = tables.objects.iter().map(|object| {
        let name = object.path.rsplit('/').next().unwrap_or_default();
        let (name, path) = (json_text(name), json_text(&object.path));
        let id = json_text(&object.build_id);
        format!(
            "{{\"name\":{name},\"path\":{path},\"debugName\":{name},\"debugPath\":{path},\
             \"breakpadId\":\"\",\"codeId\":{id},\"arch\":null}}"
        )
    });
    write_list(libraries, out)?;
    out.write_all(b"],\n\"threads\":[")?;
    let of_runs = runs.iter().zip(&tables.runs);
    let threads = of_runs.flat_map(|(stacks, of_run)| {
        let metrics = stacks.metrics.iter();
        metrics.map(move |metric| (of_run, Some((stacks, metric))))
    });
    let nothing = Vec::new();
    let without_stacks = runs.is_empty().then_some((&nothing, None));
    for (index, (of_run, samples)) in threads.chain(without_stacks).enumerate() {
        let name = samples.map(|(stacks, metric)| stacks.metric_name(metric));
        out.write_all(if index == 0 { b"\n{" } else { b",\n{" })?;
        write!(
            out,
            "\"name\":{},\"isMainThread\":{},\"processName\":{},\"pid\":\"0\",\
             \"tid\":\"{index}\",{THREAD_WITHOUT_MARKERS},",
            json_text(name.as_deref().unwrap_or("heap")),
            index == 0,
            json_text(&Stacks::title(report)),
        )?;
        let mut strings = TextNumbers::default();
        tables.write(of_run, &mut strings, out)?;
        match samples {
            Some((stacks, metric)) => write_samples(stacks, metric, span, out)?,
            None => write!(
                out,
                "\"samples\":{{\"length\":2,\"weightType\":\"samples\",\
                 \"stack\":[null,null],\"weight\":[0,0],\"timeDeltas\":[0,{}]}}",
                Millis(span.unwrap_or(0))
            )?,
        }
        let texts = strings.0.iter().map(|text| json_text(text));
        write_column("stringArray", texts, out)?;
        out.write_all(b"}")?;
    }
    out.write_all(b"],\n\"pages\":[],\"counters\":[")?;
    if let Some(counter) = counter {
        counter.write(out)?;
    }
    out.write_all(b"],\"profilerOverhead\":[]}\n")?;
    Ok(())
}

/// The tables of all threads, which differ in their samples only.
struct ThreadParts {
    frames: StackFrames,
    /// The function of each frame, and the first frame of each function.
    function_of: Vec<usize>,
    functions: Vec<usize>,
    /// The object of each function.
    objects: Vec<StackObject>,
    object_of: Vec<usize>,
    /// The caller and the frame of each stack of each run.
    runs: Vec<Vec<(Option<usize>, usize)>>,
}

impl ThreadParts {
    fn of(runs: &[Stacks<'_>], report: &Report) -> io::Result<Self> {
        let mut frames = StackFrames::default();
        let mut of_runs = Vec::new();
        for stacks in runs {
            let mut all = Vec::new();
            let mut open: Vec<usize> = Vec::new();
            stacks.for_each(&mut |row| {
                open.truncate(row.depth);
                all.push((open.last().copied(), frames.number(row.name, stacks)));
                open.push(all.len() - 1);
                Ok(())
            })?;
            of_runs.push(all);
        }
        let (function_of, functions) = frames.functions(report.names.are_lines());
        let (objects, object_of) = frames.objects(report);
        Ok(Self {
            object_of: functions.iter().map(|&frame| object_of[frame]).collect(),
            frames,
            function_of,
            functions,
            objects,
            runs: of_runs,
        })
    }

    fn write(
        &self,
        stacks: &[(Option<usize>, usize)],
        strings: &mut TextNumbers,
        out: &mut dyn Write,
    ) -> io::Result<()> {
        let frames = &self.frames.frames;
        let line = |line: u32| NumberOrNull((line > 0).then_some(line as usize));
        let n_frames = frames.len();
        write!(out, "\n\"frameTable\":{{\"length\":{n_frames}")?;
        for (key, value) in [
            ("address", "-1"),
            ("inlineDepth", "0"),
            ("category", "0"),
            ("subcategory", "0"),
            ("nativeSymbol", "null"),
            ("innerWindowID", "0"),
            ("column", "null"),
        ] {
            write_column(key, std::iter::repeat_n(value, n_frames), out)?;
        }
        write_column("func", self.function_of.iter(), out)?;
        write_column("line", frames.iter().map(|frame| line(frame.line)), out)?;
        let functions = || self.functions.iter().map(|&frame| &frames[frame]);
        let n_functions = self.functions.len();
        write!(out, "}},\n\"funcTable\":{{\"length\":{n_functions}")?;
        for (key, value) in
            [("isJS", "false"), ("relevantForJS", "false"), ("columnNumber", "null")]
        {
            write_column(key, std::iter::repeat_n(value, n_functions), out)?;
        }
        write_column("name", functions().map(|one| strings.number(&one.name)), out)?;
        let files = functions().map(|one| one.file.as_ref());
        let files = files.map(|file| NumberOrNull(file.map(|file| strings.number(file))));
        write_column("fileName", files, out)?;
        write_column("lineNumber", functions().map(|one| line(one.line)), out)?;
        write_column("resource", self.object_of.iter(), out)?;
        let n_objects = self.objects.len();
        write!(out, "}},\n\"resourceTable\":{{\"length\":{n_objects}")?;
        write_column("lib", 0..n_objects, out)?;
        let names = self.objects.iter().map(|object| strings.number(&object.path));
        write_column("name", names, out)?;
        write_column("host", std::iter::repeat_n("null", n_objects), out)?;
        // A library.
        write_column("type", std::iter::repeat_n("1", n_objects), out)?;
        write!(out, "}},\n\"stackTable\":{{\"length\":{}", stacks.len())?;
        let callers = stacks.iter().map(|(caller, _)| NumberOrNull(*caller));
        write_column("prefix", callers, out)?;
        write_column("frame", stacks.iter().map(|(_, frame)| frame), out)?;
        out.write_all(b"},\n")
    }
}

/// Writes samples one after another, or evenly over a span of nanoseconds, with one of no stack
/// and no weight at its end.
fn write_samples(
    stacks: &Stacks<'_>,
    metric: &StackMetric<'_>,
    span: Option<i128>,
    out: &mut dyn Write,
) -> io::Result<()> {
    let mut samples = Vec::new();
    let mut index = 0;
    stacks.for_each(&mut |row| {
        let weight = row.weight(metric);
        if weight != 0 {
            samples.push((Some(index), weight));
        }
        index += 1;
        Ok(())
    })?;
    let even = span.map(|span| span / i128::try_from(samples.len()).unwrap_or(1).max(1));
    samples.extend(span.map(|_| (None, 0)));
    let is_time = metric.unit == "nanoseconds";
    let weight_type = match metric.unit {
        "nanoseconds" => "tracing-ms",
        "bytes" => "bytes",
        _ => "samples",
    };
    let value = |weight: i128| {
        if is_time { Millis(weight) } else { Millis(weight.saturating_mul(NANOSECONDS)) }
    };
    let length = samples.len();
    write!(out, "\"samples\":{{\"length\":{length},\"weightType\":\"{weight_type}\"")?;
    let stacks = samples.iter().map(|&(stack, _)| NumberOrNull(stack));
    write_column("stack", stacks, out)?;
    write_column("weight", samples.iter().map(|&(_, weight)| value(weight)), out)?;
    // The time before each sample: the length of the previous one.
    let length_of = |weight: i128| match even {
        Some(length) => length,
        None if is_time => weight.abs(),
        None => NANOSECONDS,
    };
    let lengths = samples.iter().map(|&(_, weight)| length_of(weight));
    let deltas = std::iter::once(0).chain(lengths).take(length);
    write_column("timeDeltas", deltas.map(Millis), out)?;
    out.write_all(b"}")
}

/// The length of a tick in nanoseconds, or a millisecond.
fn period(metric: &StackMetric<'_>) -> i128 {
    match metric.metric.rate {
        Some(rate) if metric.unit == "nanoseconds" => 1_000_000_000 / i128::from(rate.max(1)),
        _ => NANOSECONDS,
    }
}

/// Nanoseconds in a millisecond.
const NANOSECONDS: i128 = 1_000_000;

/// Nanoseconds, written in milliseconds without rounding.
struct Millis(i128);

impl Display for Millis {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let sign = if self.0 < 0 { "-" } else { "" };
        let (whole, rest) = (self.0.abs() / NANOSECONDS, self.0.abs() % NANOSECONDS);
        if rest == 0 {
            return write!(f, "{sign}{whole}");
        }
        let digits = format!("{rest:06}");
        write!(f, "{sign}{whole}.{}", digits.trim_end_matches('0'))
    }
}

struct NumberOrNull(Option<usize>);

impl Display for NumberOrNull {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self.0 {
            Some(number) => write!(f, "{number}"),
            None => f.write_str("null"),
        }
    }
}

/// Writes a key of a table, and its values.
fn write_column(
    key: &str,
    values: impl Iterator<Item = impl Display>,
    out: &mut dyn Write,
) -> io::Result<()> {
    write!(out, ",\"{key}\":[")?;
    write_list(values, out)?;
    out.write_all(b"]")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn milliseconds_lose_nothing() {
        let check = |nanoseconds, expected| assert_eq!(Millis(nanoseconds).to_string(), expected);
        check(0, "0");
        check(1, "0.000001");
        check(10_000_000, "10");
        check(-1_500_000, "-1.5");
    }
}
