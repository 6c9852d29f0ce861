//! Reads `perf script` as a stream. Memory depends on the number of different stacks, not on
//! the length of the text.

use std::borrow::Cow;
use std::collections::HashMap;
use std::io::Read;
use std::num::{NonZeroU32, NonZeroU64};

use foldhash::fast::RandomState;
use indexmap::IndexMap;

use super::super::cost_builder::{CostBuilder, Frame, FunctionKey, NameId};
use super::super::error::ReadError;
use super::super::frame_parts::{base, unnamed_in};
use super::super::seen_stacks::{SeenStacks, StackHash, longest_known};
use super::super::text_lines::{TextLines, lines_with_ends};
use super::super::utf16::BYTE_ORDER_MARK;
use super::super::{Damage, Loaded, SkippedLines};
use super::lines::{
    FrameLine, FrameObject, SampleHeader, Task, UNKNOWN, behind_address, frame_of, last_arrow,
    source_line, without_instruction, write_without_offset,
};
use super::samples::{SampleText, end_of_last, hash_frames, pieces};
use super::times::SampleTimes;
use super::{NAME, PerfScriptFault, is_frame_of_bare};
use crate::limits::{MOST_FRAMES, MOST_VALUES};
use crate::model::{
    ContextId, Extent, FileKind, LabelSetId, LocationId, MetricName, Quantity, RecordedCosts,
    SampleKey, SquareColumn, TimeRange, TimeSlices, Unit, ValueMetric, ValueSource, ValueType,
};
use crate::progress::Progress;
use crate::sorting::ColdSort;
use crate::threads;

/// The most kinds of events: each may have three columns.
const EVENTS: usize = MOST_VALUES / 2;

/// Maximum number of bytes of lines to remember with their frames.
const MAX_KNOWN: usize = 1 << 23;

/// Maximum number of tasks to remember with their labels.
const MAX_TASKS: usize = 1 << 12;

/// Minimum size in bytes of a text worth another thread, which reads the next one.
const WORTH_THREADS: usize = 1 << 20;

/// Nanoseconds per second: the periods of clocks are in nanoseconds.
const NANOSECONDS: NonZeroU32 = NonZeroU32::new(1_000_000_000).expect("it is not zero");

/// Reads samples up to the end or the first error.
pub(super) fn read(
    stream: &mut dyn Read,
    progress: Progress,
    times: Option<TimeRange>,
) -> Result<Loaded, ReadError> {
    let mut reader = Reader { times: times.map(SampleTimes::new), ..Reader::default() };
    let mut lines = TextLines::new(stream);
    let mut next = lines.next_lines(Vec::new());
    let mut spare = Vec::new();
    let fault = loop {
        let text = match next {
            Ok(Some(text)) => text,
            Ok(None) => break reader.end().err(),
            Err(error) => break Some(PerfScriptFault::Io(error.to_string())),
        };
        progress.advance(text.len() as u64);
        let is_long = text.len() >= WORTH_THREADS;
        let read;
        (read, next) = threads::in_parallel(
            is_long,
            || reader.text(&text),
            || lines.next_lines(std::mem::take(&mut spare)),
        );
        if let Err(fault) = read {
            break Some(fault);
        }
        spare = text;
    };
    let n_lines = reader.n_lines.max(1);
    let at_line = |fault: PerfScriptFault| ReadError::at_line(n_lines, fault);
    if reader.rows.is_empty() && reader.slices().is_none() {
        return Err(at_line(fault.unwrap_or(PerfScriptFault::NoSample)));
    }
    let damage = fault.map(|fault| Damage { error: at_line(fault), n_lost: 0 });
    let kind = FileKind {
        has_stacks: true,
        lists_metrics: false,
        ..FileKind::named("a profile of perf script")
    };
    let skipped = reader.skipped;
    Ok(Loaded { damage, skipped, ..Loaded::of_text(NAME, kind, reader.finish()) })
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
    fn add(&mut self, period: Option<u64>) {
        self.has_periods |= period.is_some();
        self.period = self.period.filter(|_| self.period == period);
    }

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
#[derive(Clone, Copy, Debug)]
struct StackFrame {
    name: NameId,
    object: Option<NameId>,
    is_inlined: bool,
    place: Option<LocationId>,
}

/// The callers of a frame.
#[derive(Clone, Copy, Debug, Default)]
struct Callers {
    /// `None` for the outermost frame.
    context: Option<ContextId>,
    /// The object of the last one, which functions inlined into it have.
    object: Option<NameId>,
}

/// The key by which samples are added up.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
struct RowKey {
    /// The number of the kind of event.
    event: u8,
    slice: Option<u8>,
    /// `None` is a stack without frames.
    context: Option<ContextId>,
    labels: Option<LabelSetId>,
}

/// A part of a text.
enum SearchedText<'a> {
    Known(SampleText<'a>, KnownSample<'a>),
    /// Any number of samples.
    Unknown(&'a [u8]),
}

/// A sample whose parts were seen before.
#[derive(Clone, Copy)]
struct KnownSample<'a> {
    event: usize,
    period: Option<u64>,
    time: Option<&'a [u8]>,
    labels: Option<LabelSetId>,
    /// The only frame before the known callers, if it is known too.
    innermost: Option<StackFrame>,
    callers: Callers,
    /// The start of the lines of the callers in the stack, and the hash of these lines.
    start: usize,
    hash: StackHash,
}

impl KnownSample<'_> {
    /// Returns whether all of its lines are known.
    fn is_whole(&self) -> bool {
        self.start == 0 || self.innermost.is_some()
    }
}

/// Memory for looking up samples.
#[derive(Default)]
struct SampleBuffers {
    frames: Vec<(usize, StackHash)>,
    line: Vec<u8>,
}

/// The sums of the samples of a row.
#[derive(Clone, Copy, Default)]
struct RowSums {
    n_samples: u64,
    periods: u64,
    /// The sum of the squares of the periods.
    squares: f64,
}

impl RowSums {
    /// Adds other sums; `None` on overflow, without any change.
    fn add(&mut self, other: &Self) -> Option<()> {
        self.periods = self.periods.checked_add(other.periods)?;
        self.n_samples += other.n_samples;
        self.squares += other.squares;
        Some(())
    }
}

/// The state between two lines.
#[derive(Default)]
struct Reader {
    costs: CostBuilder,
    rows: IndexMap<RowKey, RowSums, RandomState>,
    events: Vec<Event>,
    /// The sample that is being read: its event and period.
    sample: Option<(usize, u64)>,
    /// It is out of the requested time.
    is_left_out: bool,
    /// The slice of its time, if times are kept.
    slice: Option<u8>,
    times: Option<SampleTimes>,
    labels: Option<LabelSetId>,
    /// The labels of tasks by their text.
    tasks: HashMap<Box<[u8]>, Option<LabelSetId>, RandomState>,
    /// The number of lines of its stack, which include those of frames.
    n_stack_lines: usize,
    /// Its frames, innermost first, and the index of the first one of each line.
    stack: Vec<StackFrame>,
    line_starts: Vec<usize>,
    /// The callers of these frames that were not read again.
    outer: Callers,
    /// The last stack up to each line, outermost first.
    levels: Vec<Callers>,
    /// Callers by their lines.
    seen: SeenStacks<Callers>,
    /// Frames by their line, without the address and offset.
    known: HashMap<Box<[u8]>, StackFrame, RandomState>,
    n_known_bytes: usize,
    /// The line of the last frame, without these.
    frame_text: Vec<u8>,
    skipped: Option<SkippedLines>,
    n_lines: u64,
    /// The only frame of the sample is on its first line.
    is_inline: bool,
    /// The last line and its number, if it may be a sample without event.
    pending: Option<(u64, Vec<u8>)>,
}

impl Reader {
    /// Reads whole lines. Other threads search them for samples that are known, which are most:
    /// these need no parsing.
    fn text(&mut self, mut text: &[u8]) -> Result<(), PerfScriptFault> {
        while self.sample.is_some() || self.pending.is_some() {
            let Some(line) = lines_with_ends(text).next() else {
                return Ok(());
            };
            text = &text[line.len()..];
            self.lines(line)?;
        }
        let (samples, rest) = text.split_at(end_of_last(text));
        let pieces = pieces(samples);
        let known = &*self;
        let found = threads::numbered(pieces.len(), 1, |piece| known.samples_of(pieces[piece]));
        for text in found.into_iter().flatten() {
            match text {
                SearchedText::Known(text, sample) => self.add_sample(text, Some(sample))?,
                SearchedText::Unknown(text) => self.add_unknown(text)?,
            }
        }
        self.lines(rest)
    }

    fn add_unknown(&mut self, text: &[u8]) -> Result<(), PerfScriptFault> {
        let mut end = 0;
        for sample in SampleText::all(text) {
            end += sample.len();
            self.add_sample(sample, None)?;
        }
        // The last of several blank lines.
        self.lines(&text[end..])
    }

    fn lines(&mut self, text: &[u8]) -> Result<(), PerfScriptFault> {
        let mut lines = lines_with_ends(text);
        lines.try_for_each(|line| self.line(line.strip_suffix(b"\n").unwrap_or(line)))
    }

    /// Looks up the samples of a text.
    fn samples_of<'t>(&self, text: &'t [u8]) -> Vec<SearchedText<'t>> {
        let mut buffers = SampleBuffers::default();
        let mut found = Vec::new();
        let (mut end, mut n_searched) = (0, 0);
        for sample in SampleText::all(text) {
            let start = end;
            end += sample.len();
            if let Some(known) = self.known_sample(&sample, &mut buffers) {
                if n_searched < start {
                    found.push(SearchedText::Unknown(&text[n_searched..start]));
                }
                found.push(SearchedText::Known(sample, known));
                n_searched = end;
            }
        }
        found.push(SearchedText::Unknown(&text[n_searched..]));
        found
    }

    /// The parts of a sample that were seen before, if its first line has none that is new.
    fn known_sample<'t>(
        &self,
        text: &SampleText<'t>,
        SampleBuffers { frames, line }: &mut SampleBuffers,
    ) -> Option<KnownSample<'t>> {
        let header = text.header()?;
        let name = event_name(header.event);
        let event = self.events.iter().position(|event| *event.name == *name)?;
        let labels = *self.tasks.get(header.task)?;
        hash_frames(text.stack, StackHash::default(), &self.seen.keys, frames);
        let (n_known, callers) =
            longest_known(frames.len(), |n_frames| self.seen.get(frames[n_frames - 1].1));
        let (start, hash) = match n_known.checked_sub(1) {
            Some(last) => frames[last],
            None => (text.stack.len(), StackHash::default()),
        };
        let innermost = text.only_frame_before(start).and_then(|frame| {
            write_without_offset(frame, line);
            self.known.get(&**line).copied()
        });
        let callers = callers.unwrap_or_default();
        let SampleHeader { period, time, .. } = header;
        Some(KnownSample { event, period, time, labels, innermost, callers, start, hash })
    }

    /// Adds a sample, and remembers its parts.
    fn add_sample(
        &mut self,
        text: SampleText<'_>,
        known: Option<KnownSample<'_>>,
    ) -> Result<(), PerfScriptFault> {
        let again = || self.known_sample(&text, &mut SampleBuffers::default());
        let Some(known) = known.filter(KnownSample::is_whole).or_else(again) else {
            self.line(text.header)?;
            self.lines(text.stack)?;
            return self.line(b"");
        };
        let KnownSample { event, period, time, labels, innermost, callers, .. } = known;
        let context = match innermost {
            Some(frame) => self.innermost(callers, frame).context,
            None if known.is_whole() => callers.context,
            None => return self.add_stack(text, &known),
        };
        self.n_lines += text.n_lines();
        self.events[event].add(period);
        if self.add_time(time)? {
            self.add_row(event, context, labels, period.unwrap_or(0))?;
        }
        Ok(())
    }

    /// Adds a sample that has lines before the known ones.
    fn add_stack(
        &mut self,
        text: SampleText<'_>,
        known: &KnownSample<'_>,
    ) -> Result<(), PerfScriptFault> {
        let (new, callers) = text.stack.split_at(known.start);
        let n_lines = |text| memchr::memchr_iter(b'\n', text).count();
        self.line(text.header)?;
        self.lines(new)?;
        if self.is_inline || self.n_stack_lines != n_lines(new) {
            self.lines(callers)?;
            return self.line(b"");
        }
        self.outer = known.callers;
        self.n_lines += n_lines(callers) as u64;
        self.line(b"")?;
        let mut frames = Vec::new();
        hash_frames(new, known.hash, &self.seen.keys, &mut frames);
        if frames.len() == self.levels.len() {
            // The innermost frame is not among the callers.
            frames.pop();
            for (&(_, hash), &callers) in frames.iter().zip(&self.levels) {
                self.seen.insert(hash, callers);
            }
        }
        Ok(())
    }

    fn line(&mut self, line: &[u8]) -> Result<(), PerfScriptFault> {
        self.n_lines += 1;
        let line = without_instruction(line);
        let mark = line.strip_prefix(BYTE_ORDER_MARK).filter(|_| self.n_lines == 1);
        let line = mark.unwrap_or(line);
        if let Some((number, task)) = self.pending.take() {
            let header = is_frame_of_bare(line).then(|| SampleHeader::bare(&task)).flatten();
            match header {
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
        let header = SampleHeader::parse(line);
        if self.sample.is_some() {
            if let Some(header) = header.filter(|header| header.time.is_some() || self.is_inline) {
                return self.header(header);
            }
            if let Some(frame) = frame_of(line).filter(|_| !self.is_inline) {
                return self.frame(frame);
            }
            if self.is_inline
                && let Some(header) = self.bare_inline(line)
            {
                return self.header(header);
            }
            if line.starts_with(b"  ") && !self.line_starts.is_empty() {
                self.n_stack_lines += 1;
                self.place(line);
                return Ok(());
            }
        }
        if let Some(header) = header.or_else(|| self.bare_inline(line)) {
            return self.header(header);
        }
        let follows_sample = || {
            let header = SampleHeader::bare(line).filter(|_| !self.line_starts.is_empty());
            header.is_some_and(|header| {
                header.time.is_some() || Task::parse(header.task).thread.is_some()
            })
        };
        if self.lacks_events() && (self.sample.is_none() || self.is_inline || follows_sample()) {
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
        let header = self.lacks_events().then(|| SampleHeader::bare(line)).flatten()?;
        header.inline_frame.is_some().then_some(header)
    }

    fn header(&mut self, header: SampleHeader<'_>) -> Result<(), PerfScriptFault> {
        self.end_sample()?;
        let name = event_name(header.event);
        let known = self.events.iter().position(|event| *event.name == *name);
        let event = known.unwrap_or(self.events.len());
        if event == EVENTS {
            return Err(PerfScriptFault::TooManyEvents { limit: EVENTS });
        }
        if known.is_none() {
            self.events.push(Event {
                name: (*name).into(),
                has_periods: false,
                period: header.period,
            });
        }
        self.events[event].add(header.period);
        self.sample = Some((event, header.period.unwrap_or(0)));
        self.is_left_out = !self.add_time(header.time)?;
        self.labels = self.labels_of(header.task);
        self.is_inline = header.inline_frame.is_some();
        match header.inline_frame {
            Some(frame) => self.frame(frame),
            None => Ok(()),
        }
    }

    fn labels_of(&mut self, text: &[u8]) -> Option<LabelSetId> {
        if let Some(&known) = self.tasks.get(text) {
            return known;
        }
        let task = Task::parse(text);
        let labels: [(&[u8], _); 3] =
            [(b"comm", task.command), (b"pid", task.process), (b"tid", task.thread)];
        let known = labels.iter().filter_map(|&(key, value)| Some((key, value?)));
        let known: Vec<_> =
            known.map(|(key, value)| (self.costs.name(key), self.costs.name(value))).collect();
        let labels = (!known.is_empty()).then(|| self.costs.label_set(known, None));
        if self.tasks.len() < MAX_TASKS && text.len() < MAX_TASKS {
            self.tasks.insert(text.into(), labels);
        }
        labels
    }

    /// Adds the frame of a line without address.
    fn frame(&mut self, line: &[u8]) -> Result<(), PerfScriptFault> {
        if self.line_starts.len() == MOST_FRAMES {
            return Err(PerfScriptFault::TooManyFrames { limit: MOST_FRAMES });
        }
        self.n_stack_lines += 1;
        self.line_starts.push(self.stack.len());
        write_without_offset(line, &mut self.frame_text);
        if let Some(&known) = self.known.get(&*self.frame_text) {
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
                if self.stack.len() >= MOST_FRAMES {
                    return Err(PerfScriptFault::TooManyFrames { limit: MOST_FRAMES });
                }
                self.stack.push(frame(&rest[arrow + 2..]));
                rest = &rest[..arrow];
            }
        }
        let unnamed = path.filter(|_| rest == UNKNOWN).and_then(unnamed_in);
        let frame = frame(unnamed.as_deref().unwrap_or(rest));
        self.stack.push(frame);
        let n_bytes = self.n_known_bytes + self.frame_text.len();
        if rest.len() == parsed.name.len() && n_bytes <= MAX_KNOWN {
            self.n_known_bytes = n_bytes;
            self.known.insert((&*self.frame_text).into(), frame);
        }
        Ok(())
    }

    /// Adds the source line of the last frame.
    fn place(&mut self, line: &[u8]) {
        if let (Some((file, line)), Some(frame)) = (source_line(line), self.stack.last_mut()) {
            let file = self.costs.name(file);
            frame.place = Some(self.costs.place(file, Some(line)));
        }
    }

    /// The context of the current stack, which ends.
    fn end_stack(&mut self) -> Option<ContextId> {
        self.n_stack_lines = 0;
        self.levels.clear();
        let mut callers = std::mem::take(&mut self.outer);
        while let Some(frame) = self.stack.pop() {
            callers = self.innermost(callers, frame);
            if self.line_starts.pop_if(|start| *start == self.stack.len()).is_some() {
                self.levels.push(callers);
            }
        }
        callers.context
    }

    /// A frame with its callers, as the callers of another one.
    fn innermost(&mut self, callers: Callers, frame: StackFrame) -> Callers {
        let StackFrame { name, object, is_inlined, place } = frame;
        // An inlined function is in the object of the function that it is inlined into.
        let object = if is_inlined { callers.object } else { object };
        let key = FunctionKey { name, object, file: None, level: None };
        let function = Some(self.costs.function(key));
        let context = self.costs.context(callers.context, Frame { function, place });
        Callers { context: Some(context), object }
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
        if self.is_left_out {
            self.n_stack_lines = 0;
            self.stack.clear();
            self.line_starts.clear();
            self.levels.clear();
            self.outer = Callers::default();
            return Ok(());
        }
        let context = self.end_stack();
        self.add_row(event, context, self.labels, period)
    }

    /// Adds the time of a sample, and returns whether it is in the requested range.
    fn add_time(&mut self, time: Option<&[u8]>) -> Result<bool, PerfScriptFault> {
        let Some(times) = &mut self.times else {
            return Ok(true);
        };
        let Some(added) = times.add(time) else {
            return Ok(false);
        };
        self.slice = added.slice;
        if added.n_widened > 0 {
            // The width doubles at most 64 times.
            for (mut key, sums) in std::mem::take(&mut self.rows) {
                key.slice = key.slice.map(|slice| slice.checked_shr(added.n_widened).unwrap_or(0));
                let sum = self.rows.entry(key).or_default().add(&sums);
                sum.ok_or(PerfScriptFault::Overflow)?;
            }
        }
        Ok(true)
    }

    fn add_row(
        &mut self,
        event: usize,
        context: Option<ContextId>,
        labels: Option<LabelSetId>,
        period: u64,
    ) -> Result<(), PerfScriptFault> {
        let event = u8::try_from(event).expect("there are few kinds of events");
        let key = RowKey { event, slice: self.slice, context, labels };
        let squares = period as f64 * period as f64;
        let sample = RowSums { n_samples: 1, periods: period, squares };
        self.rows.entry(key).or_default().add(&sample).ok_or(PerfScriptFault::Overflow)
    }

    fn slices(&self) -> Option<TimeSlices> {
        self.times?.slices()
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
            let of_event = self.rows.iter().filter(|(key, _)| usize::from(key.event) == event);
            let sums = of_event.fold((0u64, 0), |(all, n), (_, sums)| {
                (all.saturating_add(sums.periods), n + sums.n_samples)
            });
            let of_squares = SquareColumn::for_samples(types.len(), sums.0, sums.1);
            metrics[metric].source = ValueSource::Weighted { squares: of_squares, by_size: false };
            columns.push((event, RowValue::Squares(of_squares)));
            types.push(column(Quantity::SQUARES));
        }
        self.costs.set_columns(types);
        let slices = self.slices();
        let mut row = vec![0; columns.len()];
        for (key, sums) in self.rows {
            for (value, &(event, kind)) in row.iter_mut().zip(&columns) {
                *value = match kind {
                    _ if event != usize::from(key.event) => 0,
                    RowValue::Samples => sums.n_samples,
                    RowValue::Periods => sums.periods,
                    RowValue::Squares(column) => column.of_variance(sums.squares),
                };
            }
            let unknown = || self.costs.context(None, Frame::default());
            let context = key.context.unwrap_or_else(unknown);
            let labels = match key.slice {
                Some(slice) => Some(self.costs.in_slice(key.labels, slice)),
                None => key.labels,
            };
            let sum = self.costs.add(SampleKey::labelled(context, labels), &row);
            sum.expect("each column belongs to one event");
        }
        let costs = self.costs.finish(metrics);
        RecordedCosts { knows_files: !costs.locations.is_empty(), slices, ..costs }
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
    let name = base(path);
    name.starts_with(b"perf-") && name.ends_with(b".map")
}

fn column(quantity: Quantity) -> ValueType {
    ValueType { quantity, unit: Unit::COUNT, extent: Extent::Exclusive, class: None }
}

/// An event of a hybrid processor is the same on both kinds of its cores:
/// `cpu_core/cycles/P` and `cpu_atom/cycles/P` are `cycles:P`.
fn event_name(event: &[u8]) -> Cow<'_, [u8]> {
    let of_core = [&b"cpu_core/"[..], b"cpu_atom/"].into_iter().find_map(|core| {
        let rest = event.strip_prefix(core)?;
        let end = memchr::memchr(b'/', rest)?;
        Some((&rest[..end], rest[end + 1..].trim_ascii()))
    });
    match of_core {
        Some((name, b"")) => name.into(),
        Some((name, modifiers)) => {
            let modifiers = modifiers.strip_prefix(b":").unwrap_or(modifiers);
            [name, b":", modifiers].concat().into()
        }
        None => event.into(),
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
