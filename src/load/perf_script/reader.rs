//! Reads `perf script` as a stream. Memory depends on the number of different stacks, not on
//! the length of the text.

use std::io::Read;
use std::num::NonZeroU32;

use super::super::error::{Position, ReadError};
use super::super::stack_tables::{Frame, NameId, RowKey, StackTables};
use super::super::text_lines::TextLines;
use super::super::{Damage, Reading, SkippedLines};
use super::lines::{FrameLine, FrameObject, SampleHeader, Task, is_frame, source_line};
use super::{NAME, PerfScriptFault};
use crate::model::{
    ContextId, Extent, FileKind, LabelSetId, MetricName, Quantity, RecordedCosts, Unit, ValueBasis,
    ValueMetric, ValueType,
};
use crate::progress::Progress;

/// Maximum number of kinds of events in a file.
const MAX_EVENTS: usize = 16;

/// Maximum number of frames in a stack. The kernel records at most a few thousand.
const MAX_FRAMES: usize = 1 << 16;

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
            Ok(None) => break reader.end_sample().err(),
            Err(error) => break Some(PerfScriptFault::Io(error.to_string())),
        }
    };
    let at_line = |fault: PerfScriptFault| ReadError {
        position: Position::Line(lines.n_lines().max(1)),
        kind: fault.into(),
    };
    if reader.tables.is_empty() {
        return Err(at_line(fault.unwrap_or(PerfScriptFault::NoSample)));
    }
    let damage = fault.map(|fault| Damage { error: at_line(fault), n_lost: 0 });
    let kind = FileKind { has_stacks: true, ..FileKind::named("a profile of perf script") };
    let skipped = reader.skipped;
    Ok(Reading { damage, skipped, ..Reading::of_text(NAME, kind, reader.finish()) })
}

/// A kind of event.
struct Event {
    /// As in the file, with modifiers.
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

/// A parsed frame. The object of an inlined function is that of the next frame.
#[derive(Clone, Copy, PartialEq, Eq)]
struct StackFrame {
    name: NameId,
    object: Option<NameId>,
    is_inlined: bool,
    place: Option<(NameId, Option<NonZeroU32>)>,
}

/// The state between two lines.
#[derive(Default)]
struct Reader {
    tables: StackTables,
    events: Vec<Event>,
    /// The sample that is being read: its event and period.
    sample: Option<(usize, u64)>,
    /// Its labels, with the text that they come from: successive samples often agree in it.
    task: (Vec<u8>, Option<LabelSetId>),
    /// Its frames, innermost first.
    stack: Vec<StackFrame>,
    /// The frames of the preceding sample, outermost first, and their contexts.
    preceding: Vec<(StackFrame, ContextId)>,
    skipped: Option<SkippedLines>,
    n_lines: u64,
}

impl Reader {
    fn line(&mut self, line: &[u8]) -> Result<(), PerfScriptFault> {
        self.n_lines += 1;
        let line = line.strip_suffix(b"\r").unwrap_or(line);
        if self.sample.is_some() && line.starts_with(b"\t") && is_frame(line) {
            return self.frame(line);
        }
        if line.trim_ascii().is_empty() {
            return self.end_sample();
        }
        if line.starts_with(b"#") {
            return Ok(());
        }
        if self.sample.is_some() {
            let header = SampleHeader::parse(line).filter(|header| header.has_time);
            if let Some(header) = header {
                return self.header(header);
            }
            if is_frame(line) {
                return self.frame(line);
            }
            if line.starts_with(b"  ") && !self.stack.is_empty() {
                self.place(line);
                return Ok(());
            }
        }
        match SampleHeader::parse(line) {
            Some(header) => self.header(header),
            None => {
                SkippedLines::add(&mut self.skipped, self.n_lines);
                Ok(())
            }
        }
    }

    fn header(&mut self, header: SampleHeader<'_>) -> Result<(), PerfScriptFault> {
        self.end_sample()?;
        let known = self.events.iter().position(|event| *event.name == *header.event);
        let event = known.unwrap_or(self.events.len());
        if event == MAX_EVENTS {
            return Err(PerfScriptFault::TooManyEvents { limit: MAX_EVENTS });
        }
        if known.is_none() {
            self.events.push(Event {
                name: header.event.into(),
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
        if let Some(frame) = header.inline_frame {
            self.frame(frame)?;
            self.end_sample()?;
        }
        Ok(())
    }

    fn labels(&mut self, task: &[u8]) -> Option<LabelSetId> {
        let task = Task::parse(task);
        let labels: [(&[u8], _); 3] =
            [(b"comm", task.command), (b"pid", task.process), (b"tid", task.thread)];
        let known = labels.iter().filter_map(|&(key, value)| Some((key, value?)));
        let known: Vec<_> = known.collect();
        (!known.is_empty()).then(|| self.tables.label_set(&known))
    }

    fn frame(&mut self, line: &[u8]) -> Result<(), PerfScriptFault> {
        let line = line.trim_ascii();
        if self.stack.len() == MAX_FRAMES {
            return Err(PerfScriptFault::TooManyFrames { limit: MAX_FRAMES });
        }
        let parsed = FrameLine::parse(line);
        let (object, is_inlined) = match parsed.object {
            FrameObject::Unknown => (None, false),
            FrameObject::Inlined => (None, true),
            FrameObject::Path(path) => (Some(path), false),
        };
        let object_id = object.map(|path| self.tables.name(path));
        let mut frame = |name: &[u8]| StackFrame {
            name: self.tables.name(name),
            object: object_id,
            is_inlined,
            place: None,
        };
        if object.is_some_and(is_jit_map) && memchr::memmem::find(parsed.name, b"->").is_some() {
            // Written by perf-map-agent: `a->b` is `b` inlined into `a`.
            let mut rest = parsed.name;
            while let Some(arrow) = memchr::memmem::rfind(rest, b"->") {
                self.stack.push(frame(&rest[arrow + 2..]));
                rest = &rest[..arrow];
            }
            self.stack.push(frame(rest));
            return Ok(());
        }
        let frame = frame(parsed.name);
        self.stack.push(frame);
        Ok(())
    }

    /// Adds the source line of the last frame.
    fn place(&mut self, line: &[u8]) {
        let Some((file, line)) = source_line(line) else {
            return;
        };
        let file = self.tables.name(file);
        if let Some(frame) = self.stack.last_mut() {
            frame.place = Some((file, Some(line)));
        }
    }

    fn end_sample(&mut self) -> Result<(), PerfScriptFault> {
        let Some((event, period)) = self.sample.take() else {
            return Ok(());
        };
        // An inlined function is in the object of the function that it is inlined into.
        let mut object = None;
        for frame in self.stack.iter_mut().rev() {
            if frame.is_inlined {
                frame.object = object;
            }
            object = frame.object;
        }
        // Successive samples share most of their stacks.
        let frames = self.stack.iter().rev();
        let shared = frames.zip(&self.preceding);
        let n_shared = shared.take_while(|(frame, (known, _))| *frame == known).count();
        self.preceding.truncate(n_shared);
        let mut context = self.preceding.last().map(|&(_, context)| context);
        for &frame in self.stack.iter().rev().skip(n_shared) {
            let key = Frame { name: frame.name, object: frame.object, place: frame.place };
            let inner = self.tables.context(context, key);
            self.preceding.push((frame, inner));
            context = Some(inner);
        }
        self.stack.clear();
        let key = RowKey { event, context, labels: self.task.1 };
        let sum = self.tables.add(key, [1, period]);
        sum.ok_or(PerfScriptFault::Overflow)
    }

    /// The costs: for each kind of event its samples, then its periods.
    fn finish(self) -> RecordedCosts {
        let (mut columns, mut types, mut metrics) = (Vec::new(), Vec::new(), Vec::new());
        let is_only = self.events.len() == 1;
        // Not in file order, which depends on the run.
        let mut events: Vec<_> = self.events.iter().enumerate().collect();
        events.sort_by_key(|(_, event)| (rank(&event.name), &event.name));
        for (index, event) in events {
            columns.push((index, 0));
            metrics.push(samples_metric(event, is_only, metrics.len()));
            types.push(column(Quantity("samples")));
            if event.has_periods {
                columns.push((index, 1));
                metrics.push(period_metric(&event.name, metrics.len()));
                types.push(column(Quantity::EVENTS));
            }
        }
        self.tables.finish(&columns, types, metrics)
    }
}

/// Events that stand for time come before others.
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

fn samples_metric(event: &Event, is_only: bool, column: usize) -> ValueMetric {
    let id = if is_only {
        b"samples".as_slice().into()
    } else {
        [&event.name, &b"-samples"[..]].concat().into()
    };
    let name = MetricName { id, title: Some((&*event.name).into()) };
    let rate = event.rate();
    ValueMetric {
        unit: Some(rate.map_or("samples", |_| "ticks")),
        rate,
        ..ValueMetric::of_column(name, ValueBasis::Sampled, column)
    }
}

/// The sum of periods estimates the number of events, or for clocks, the time.
fn period_metric(event: &[u8], column: usize) -> ValueMetric {
    let name = MetricName { id: event.into(), title: None };
    let is_clock = is_clock(event);
    ValueMetric {
        rate: is_clock.then_some(NANOSECONDS),
        unit: is_clock.then_some("ticks"),
        ..ValueMetric::of_column(name, ValueBasis::Recorded, column)
    }
}
