//! Reads `perf script` as a stream. Memory depends on the number of different stacks, not on
//! the length of the text.

use std::collections::HashMap;
use std::io::Read;
use std::num::{NonZeroU32, NonZeroU64};

use foldhash::fast::RandomState;
use indexmap::IndexMap;

use super::super::cost_builder::{CostBuilder, Frame, FunctionKey, NameId};
use super::super::error::{Position, ReadError};
use super::super::text_lines::TextLines;
use super::super::utf16::BYTE_ORDER_MARK;
use super::super::{Damage, Reading, SkippedLines};
use super::lines::{
    FrameLine, FrameObject, SampleHeader, Task, behind_address, last_arrow, source_line,
};
use super::{NAME, PerfScriptFault, is_frame_of_bare};
use crate::model::{
    ContextId, Extent, FileKind, LabelSetId, LocationId, MetricName, Quantity, RecordedCosts,
    SampleKey, SquareColumn, Unit, ValueMetric, ValueSource, ValueType,
};
use crate::progress::Progress;
use crate::sorting::ColdSort;

/// Maximum number of kinds of events in a file.
const MAX_EVENTS: usize = 16;

/// Maximum number of frames in a stack. The kernel records at most a few thousand.
const MAX_FRAMES: usize = 1 << 16;

/// Maximum number of bytes of a stack to keep before they are parsed.
const MAX_TEXT: usize = 1 << 18;

/// Maximum number of bytes of lines to remember with their frames.
const MAX_KNOWN: usize = 1 << 23;

/// The kinds of lines of a stack.
#[derive(Clone, Copy)]
enum LineKind {
    /// Without the address.
    Frame,
    /// The source line of the frame before it.
    Place,
}

/// Nanoseconds per second: the periods of clocks are in nanoseconds.
const NANOSECONDS: NonZeroU32 = NonZeroU32::new(1_000_000_000).expect("it is not zero");

/// Reads samples up to the end or the first error.
pub(super) fn read(stream: &mut dyn Read, progress: Progress) -> Result<Reading, ReadError> {
    let mut reader = Reader::default();
    let mut lines = TextLines::new(stream);
    let fault = loop {
        match lines.next_line() {
            Ok(Some(line)) => {
                progress.advance(line.len() as u64 + 1);
                if let Err(fault) = reader.line(line) {
                    break Some(fault);
                }
            }
            Ok(None) => break reader.end().err(),
            Err(error) => break Some(PerfScriptFault::Io(error.to_string())),
        }
    };
    let at_line = |fault: PerfScriptFault| ReadError {
        position: Position::Line(lines.n_lines().max(1)),
        kind: fault.into(),
    };
    if reader.rows.is_empty() {
        return Err(at_line(fault.unwrap_or(PerfScriptFault::NoSample)));
    }
    let damage = fault.map(|fault| Damage { error: at_line(fault), n_lost: 0 });
    let kind = FileKind {
        has_stacks: true,
        lists_metrics: false,
        ..FileKind::named("a profile of perf script")
    };
    let skipped = reader.skipped;
    Ok(Reading { damage, skipped, ..Reading::of_text(NAME, kind, reader.finish()) })
}

/// A kind of event.
struct Event {
    /// With modifiers.
    name: Box<[u8]>,
    has_periods: bool,
    /// The period of all samples; `None` if they differ.
    period: Option<u64>,
}

impl Event {
    /// Samples per second: a clock has a constant period in nanoseconds, 1,000,000,000 divided
    /// by the frequency and rounded down.
    fn rate(&self) -> Option<NonZeroU32> {
        let period = self.period.filter(|_| is_clock(&self.name))?;
        let second = u64::from(NANOSECONDS.get());
        let rate = second.checked_div(period)?;
        let is_of = |rate: &u64| *rate > 0 && second / rate == period;
        let rate = [rate, rate + 1].into_iter().find(is_of)?;
        NonZeroU32::new(u32::try_from(rate).ok()?)
    }
}

/// A parsed frame. An inlined function has the object of the next frame.
#[derive(Clone, Copy)]
struct StackFrame {
    name: NameId,
    object: Option<NameId>,
    is_inlined: bool,
    place: Option<LocationId>,
}

/// The key by which samples are added up.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
struct RowKey {
    /// The number of the kind of event.
    event: usize,
    /// `None` is a stack without frames.
    context: Option<ContextId>,
    labels: Option<LabelSetId>,
}

/// The sums of the samples of a row.
#[derive(Clone, Copy, Default)]
struct RowSums {
    n_samples: u64,
    periods: u64,
    /// The sum of the squares of the periods.
    squares: f64,
}

/// The state between two lines.
#[derive(Default)]
struct Reader {
    costs: CostBuilder,
    rows: IndexMap<RowKey, RowSums, RandomState>,
    events: Vec<Event>,
    /// The sample that is being read: its event and period.
    sample: Option<(usize, u64)>,
    /// Its labels, with the text that they come from: successive samples often agree in it.
    task: (Vec<u8>, Option<LabelSetId>),
    /// The lines of its stack that were not parsed yet, each with its kind and end.
    text: Vec<u8>,
    /// The kind of each line, and its end in `text`.
    lines: Vec<(LineKind, usize)>,
    n_frames: usize,
    /// Its frames, innermost first.
    stack: Vec<StackFrame>,
    /// Frames by their line, without the address.
    known: HashMap<Box<[u8]>, StackFrame, RandomState>,
    n_known_bytes: usize,
    skipped: Option<SkippedLines>,
    n_lines: u64,
    /// The only frame of the sample is on its first line.
    is_inline: bool,
    /// The last line and its number, if it may be a sample without event.
    pending: Option<(u64, Vec<u8>)>,
}

impl Reader {
    fn line(&mut self, line: &[u8]) -> Result<(), PerfScriptFault> {
        self.n_lines += 1;
        let line = line.strip_suffix(b"\r").unwrap_or(line);
        let mark = line.strip_prefix(BYTE_ORDER_MARK).filter(|_| self.n_lines == 1);
        let line = mark.unwrap_or(line);
        if let Some((number, task)) = self.pending.take() {
            match SampleHeader::bare(&task).filter(|_| is_frame_of_bare(line)) {
                Some(header) => self.header(header)?,
                None => SkippedLines::add(&mut self.skipped, number),
            }
        }
        if self.sample.is_some()
            && !self.is_inline
            && line.starts_with(b"\t")
            && let Some(frame) = behind_address(line)
        {
            return self.frame(frame);
        }
        if line.trim_ascii().is_empty() {
            return self.end_sample();
        }
        if line.starts_with(b"#") {
            return Ok(());
        }
        if self.sample.is_some() {
            let header = SampleHeader::parse(line);
            if let Some(header) = header.filter(|header| header.has_time || self.is_inline) {
                return self.header(header);
            }
            if let Some(frame) = behind_address(line).filter(|_| !self.is_inline) {
                return self.frame(frame);
            }
            if let Some(header) = self.bare_inline(line).filter(|_| self.is_inline) {
                return self.header(header);
            }
            if line.starts_with(b"  ") && self.n_frames > 0 {
                return self.stack_line(LineKind::Place, line);
            }
        }
        if let Some(header) = SampleHeader::parse(line) {
            return self.header(header);
        }
        if let Some(header) = self.bare_inline(line) {
            return self.header(header);
        }
        if self.lacks_events() && (self.sample.is_none() || self.is_inline) {
            // The next line shows whether this one is a sample without event.
            self.pending = Some((self.n_lines, line.to_vec()));
        } else {
            SkippedLines::add(&mut self.skipped, self.n_lines);
        }
        Ok(())
    }

    /// Where one sample has an event, all have.
    fn lacks_events(&self) -> bool {
        self.events.first().is_none_or(|event| event.name.is_empty())
    }

    /// A sample without event, with its only frame.
    fn bare_inline<'l>(&self, line: &'l [u8]) -> Option<SampleHeader<'l>> {
        let header = SampleHeader::bare(line).filter(|_| self.lacks_events())?;
        header.inline_frame.is_some().then_some(header)
    }

    fn header(&mut self, header: SampleHeader<'_>) -> Result<(), PerfScriptFault> {
        self.end_sample()?;
        let name = event_name(header.event);
        let known = self.events.iter().position(|event| *event.name == *name);
        let event = known.unwrap_or(self.events.len());
        if event == MAX_EVENTS {
            return Err(PerfScriptFault::TooManyEvents { limit: MAX_EVENTS });
        }
        if known.is_none() {
            self.events.push(Event {
                name: name.into(),
                has_periods: false,
                period: header.period,
            });
        }
        let known = &mut self.events[event];
        known.has_periods |= header.period.is_some();
        known.period = known.period.filter(|_| known.period == header.period);
        self.sample = Some((event, header.period.unwrap_or(0)));
        if self.task.0 != header.task {
            self.task = (header.task.to_vec(), self.labels(header.task));
        }
        self.is_inline = header.inline_frame.is_some();
        match header.inline_frame {
            Some(frame) => self.frame(frame),
            None => Ok(()),
        }
    }

    fn labels(&mut self, task: &[u8]) -> Option<LabelSetId> {
        let task = Task::parse(task);
        let labels: [(&[u8], _); 3] =
            [(b"comm", task.command), (b"pid", task.process), (b"tid", task.thread)];
        let known = labels.iter().filter_map(|&(key, value)| Some((key, value?)));
        let known: Vec<_> =
            known.map(|(key, value)| (self.costs.name(key), self.costs.name(value))).collect();
        (!known.is_empty()).then(|| self.costs.label_set(known))
    }

    fn frame(&mut self, line: &[u8]) -> Result<(), PerfScriptFault> {
        if self.n_frames == MAX_FRAMES {
            return Err(PerfScriptFault::TooManyFrames { limit: MAX_FRAMES });
        }
        self.n_frames += 1;
        self.stack_line(LineKind::Frame, line)
    }

    /// Keeps a line of the stack until its end shows whether the stack is known.
    fn stack_line(&mut self, kind: LineKind, line: &[u8]) -> Result<(), PerfScriptFault> {
        if self.text.len() + line.len() > MAX_TEXT {
            self.parse_stack()?;
        }
        self.text.extend_from_slice(line);
        self.lines.push((kind, self.text.len()));
        self.text.extend_from_slice(&[kind as u8, b'\n']);
        Ok(())
    }

    /// Parses the lines that were kept.
    fn parse_stack(&mut self) -> Result<(), PerfScriptFault> {
        let (text, lines) = (std::mem::take(&mut self.text), std::mem::take(&mut self.lines));
        let mut start = 0;
        for &(kind, end) in &lines {
            let line = &text[start..end];
            start = end + 2;
            match kind {
                LineKind::Frame => self.parse_frame(line)?,
                LineKind::Place => self.parse_place(line),
            }
        }
        (self.text, self.lines) = (text, lines);
        self.clear_text();
        Ok(())
    }

    fn clear_text(&mut self) {
        self.text.clear();
        self.lines.clear();
    }

    /// Adds the frame of a line without address.
    fn parse_frame(&mut self, line: &[u8]) -> Result<(), PerfScriptFault> {
        if let Some(&known) = self.known.get(line) {
            self.stack.push(known);
            return Ok(());
        }
        let parsed = FrameLine::parse(line);
        let path = parsed.object.path();
        let object = path.map(|path| self.costs.name(path));
        let is_inlined = parsed.object == FrameObject::Inlined;
        let mut frame =
            |name| StackFrame { name: self.costs.name(name), object, is_inlined, place: None };
        let mut rest = parsed.name;
        if path.is_some_and(is_jit_map) {
            // Written by perf-map-agent: `a->b` is `b` inlined into `a`.
            while let Some(arrow) = last_arrow(rest) {
                if self.stack.len() >= MAX_FRAMES {
                    return Err(PerfScriptFault::TooManyFrames { limit: MAX_FRAMES });
                }
                self.stack.push(frame(&rest[arrow + 2..]));
                rest = &rest[..arrow];
            }
        }
        let frame = frame(rest);
        self.stack.push(frame);
        if rest.len() == parsed.name.len() && self.n_known_bytes + line.len() <= MAX_KNOWN {
            self.n_known_bytes += line.len();
            self.known.insert(line.into(), frame);
        }
        Ok(())
    }

    /// Adds the source line of the last frame.
    fn parse_place(&mut self, line: &[u8]) {
        if let (Some((file, line)), Some(frame)) = (source_line(line), self.stack.last_mut()) {
            let file = self.costs.name(file);
            frame.place = Some(self.costs.place(file, Some(line)));
        }
    }

    /// The context of the current stack.
    fn context(&mut self) -> Result<Option<ContextId>, PerfScriptFault> {
        if std::mem::take(&mut self.n_frames) == 0 {
            return Ok(None);
        }
        let hash = self.stack.is_empty().then(|| self.costs.seen.hash(&self.text));
        if let Some(known) = hash.and_then(|hash| self.costs.seen.get(hash)) {
            self.clear_text();
            return Ok(Some(known));
        }
        self.parse_stack()?;
        // An inlined function is in the object of the function that it is inlined into.
        let mut outer = None;
        let mut frames = Vec::with_capacity(self.stack.len());
        for StackFrame { name, object, is_inlined, place } in self.stack.drain(..).rev() {
            outer = if is_inlined { outer } else { object };
            let key = FunctionKey { name, object: outer, file: None, level: None };
            frames.push(Frame { function: Some(self.costs.function(key)), place });
        }
        let context = self.costs.stack(&frames);
        if let Some(hash) = hash {
            self.costs.seen.insert(hash, context);
        }
        Ok(Some(context))
    }

    fn end(&mut self) -> Result<(), PerfScriptFault> {
        if let Some((number, _)) = self.pending.take() {
            SkippedLines::add(&mut self.skipped, number);
        }
        self.end_sample()
    }

    fn end_sample(&mut self) -> Result<(), PerfScriptFault> {
        let Some((event, period)) = self.sample.take() else {
            return Ok(());
        };
        let key = RowKey { event, context: self.context()?, labels: self.task.1 };
        let sums = self.rows.entry(key).or_default();
        let periods = sums.periods.checked_add(period).ok_or(PerfScriptFault::Overflow)?;
        sums.periods = periods;
        sums.n_samples += 1;
        sums.squares += period as f64 * period as f64;
        Ok(())
    }

    /// The costs: for each kind of event its samples, then its periods. The squares of periods
    /// that differ are behind all others.
    fn finish(mut self) -> RecordedCosts {
        let (mut columns, mut types, mut metrics) = (Vec::new(), Vec::new(), Vec::new());
        let mut squares = Vec::new();
        let is_only = self.events.len() == 1;
        // File order would depend on the run.
        let mut events: Vec<_> = self.events.iter().enumerate().collect();
        events.cold_sort_by_key(|(_, event)| (rank(&event.name), &event.name));
        let names = shown_names(&self.events);
        for (index, event) in events {
            let name = names[index];
            columns.push((index, RowValue::Samples));
            metrics.push(samples_metric(event, name, is_only, metrics.len()));
            types.push(column(Quantity("samples")));
            if event.has_periods {
                columns.push((index, RowValue::Periods));
                let source = event.period.and_then(NonZeroU64::new).map(ValueSource::sampled);
                squares.extend(source.is_none().then_some((index, metrics.len())));
                let source = source.unwrap_or(ValueSource::Unknown);
                metrics.push(period_metric(name, source, metrics.len()));
                types.push(column(Quantity::EVENTS));
            }
        }
        for (event, metric) in squares {
            let of_event = self.rows.iter().filter(|(key, _)| key.event == event);
            let sums = of_event.fold((0u64, 0), |(all, n), (_, sums)| {
                (all.saturating_add(sums.periods), n + sums.n_samples)
            });
            let of_squares = SquareColumn::for_samples(types.len(), sums.0, sums.1);
            metrics[metric].source = ValueSource::Weighted { squares: of_squares, by_size: false };
            columns.push((event, RowValue::Squares(of_squares)));
            types.push(column(Quantity::SQUARES));
        }
        self.costs.set_columns(types);
        let mut row = vec![0; columns.len()];
        for (key, sums) in self.rows {
            for (value, &(event, kind)) in row.iter_mut().zip(&columns) {
                *value = match kind {
                    _ if event != key.event => 0,
                    RowValue::Samples => sums.n_samples,
                    RowValue::Periods => sums.periods,
                    RowValue::Squares(column) => column.of_variance(sums.squares),
                };
            }
            let unknown = || self.costs.context(None, Frame::default());
            let context = key.context.unwrap_or_else(unknown);
            let sum = self.costs.add(SampleKey::labelled(context, key.labels), &row);
            sum.expect("each column belongs to one event");
        }
        let costs = self.costs.finish(metrics);
        RecordedCosts { knows_files: !costs.locations.is_empty(), ..costs }
    }
}

/// The value of a row in a column.
#[derive(Clone, Copy)]
enum RowValue {
    Samples,
    Periods,
    Squares(SquareColumn),
}

/// Events that measure time come before others.
const FIRST_EVENTS: [&[u8]; 5] =
    [b"cycles", b"cpu-cycles", b"cpu-clock", b"task-clock", b"instructions"];

fn rank(event: &[u8]) -> usize {
    let name = event.split(|&byte| byte == b':').next();
    let first = FIRST_EVENTS.iter();
    first.take_while(|&&first| Some(first) != name).count()
}

/// Returns whether the periods of an event are nanoseconds.
fn is_clock(event: &[u8]) -> bool {
    event.starts_with(b"cpu-clock") || event.starts_with(b"task-clock")
}

/// The file in which a just-in-time compiler names its functions: `/tmp/perf-PID.map`.
fn is_jit_map(path: &[u8]) -> bool {
    let name = path.rsplit(|&byte| byte == b'/').next();
    name.is_some_and(|name| name.starts_with(b"perf-") && name.ends_with(b".map"))
}

fn column(quantity: Quantity) -> ValueType {
    ValueType { quantity, unit: Unit::COUNT, extent: Extent::Exclusive, class: None }
}

/// An event of a hybrid processor is the same on both kinds of its cores:
/// `cpu_core/cycles/P` and `cpu_atom/cycles/P` are `cycles:P`.
fn event_name(event: &[u8]) -> Vec<u8> {
    let of_core = [&b"cpu_core/"[..], b"cpu_atom/"].into_iter().find_map(|core| {
        let rest = event.strip_prefix(core)?;
        let end = memchr::memchr(b'/', rest)?;
        Some((&rest[..end], rest[end + 1..].trim_ascii()))
    });
    match of_core {
        Some((name, b"")) => name.to_vec(),
        Some((name, modifiers)) => {
            let modifiers = modifiers.strip_prefix(b":").unwrap_or(modifiers);
            [name, b":", modifiers].concat()
        }
        None => event.to_vec(),
    }
}

/// The names of events without their modifiers, unless they differ in nothing else. Trace points
/// have a colon, but no modifiers: `sched:sched_switch`.
fn shown_names(events: &[Event]) -> Vec<&[u8]> {
    let bare = |event: &'_ Event| {
        let name = &*event.name;
        let start = memchr::memrchr(b':', name).unwrap_or(name.len());
        let modifiers = name.get(start + 1..).unwrap_or_default();
        let are_known = modifiers.iter().all(|byte| b"ukhGHpPSDWeb".contains(byte));
        if are_known { start } else { name.len() }
    };
    let ends: Vec<_> = events.iter().map(bare).collect();
    let bare = |index: usize| &events[index].name[..ends[index]];
    let is_shared =
        |index: usize| (0..events.len()).any(|at| at != index && bare(at) == bare(index));
    let name = |index| if is_shared(index) { &*events[index].name } else { bare(index) };
    (0..events.len()).map(name).collect()
}

fn samples_metric(event: &Event, name: &[u8], is_only: bool, column: usize) -> ValueMetric {
    let id = if is_only {
        b"samples".as_slice().into()
    } else {
        [name, &b"-samples"[..]].concat().into()
    };
    let title = Some(name).filter(|name| !name.is_empty());
    let name = MetricName { id, title: title.map(Into::into) };
    let rate = event.rate();
    ValueMetric {
        unit: Some(rate.map_or("samples", |_| "ticks")),
        rate,
        ..ValueMetric::of_column(name, ValueSource::SAMPLES, column)
    }
}

/// The sum of periods estimates the number of events, or for clocks, the time.
fn period_metric(event: &[u8], source: ValueSource, column: usize) -> ValueMetric {
    let id = if event.is_empty() { b"events" } else { event };
    let name = MetricName { id: id.into(), title: None };
    let is_clock = is_clock(event);
    ValueMetric {
        rate: is_clock.then_some(NANOSECONDS),
        unit: is_clock.then_some("ticks"),
        ..ValueMetric::of_column(name, source, column)
    }
}
