//! Profiles of pprof: a message `perftools.profiles.Profile` in Protocol Buffers, compressed
//! with gzip. Read by `go tool pprof`, Pyroscope, Parca, Speedscope and others.
//!
//! Source: proto/profile.proto of github.com/google/pprof, which numbers the fields. Readers
//! require more than it specifies:
//!
//! - pprof looks for the program and prints messages unless mappings state that functions are
//!   known, and demangles again if a function has a `system_name` equal to its name: templates
//!   would lose their arguments and become one. So that is empty unless it differs.
//! - Parca numbers mappings, functions and locations from 1 in order, and Pyroscope drops
//!   samples with a location that has neither line nor address, profiles with a type that
//!   contains `-`, and profiles with text that is not UTF-8.
//!
//! Samples are written as they come; tables follow them, as the format allows.

use std::borrow::Cow;
use std::io::{self, Write};

use flate2::{Compression, GzBuilder};

use super::stacks::{StackFrames, StackMetric, StackNumbers, Stacks, TextNumbers};
use super::{RenderOptions, RenderResult, Renderer};
use crate::report::{Basis, Report, SectionId};
use crate::sorting::ColdSort;

/// Call stacks for pprof.
pub(super) static PPROF: Renderer = Renderer {
    accepts: |section| matches!(section, SectionId::Tree | SectionId::TreeDifference),
    is_binary: true,
    shows_runs: true,
    greatest: Some((1 << 63) - 1),
    shows_sources: true,
    default_sections: &[SectionId::Tree],
    ..Renderer::new(
        "pprof",
        &["pb.gz", "pprof"],
        "call stacks, for go tool pprof, Pyroscope and Parca",
        render,
    )
};

fn render(report: &Report, options: &RenderOptions, out: &mut dyn Write) -> RenderResult {
    let runs = Stacks::of_runs(&PPROF, report, options)?;
    let stacks = &runs[0];
    let mut profile = ProfileWriter {
        // Without the time and the name of a file, equal profiles are equal files.
        out: GzBuilder::new().write(out, Compression::default()),
        // The empty string is 0.
        strings: TextNumbers([String::new()].into_iter().collect()),
        message: ProtobufMessage::default(),
        n_samples: 0,
        is_saturated: false,
    };
    let mut types: Vec<&StackMetric<'_>> = stacks.metrics.iter().collect();
    types.cold_sort_by_key(|metric| metric.metric_order(report));
    for metric in &types {
        profile.write_type(field::SAMPLE_TYPE, metric)?;
    }
    let mut frames = StackFrames::default();
    for run in &runs {
        // Metrics of all runs are the same, the primary one first.
        let order = types.iter().map(|one| run.metrics.iter().position(|other| one.is(other)));
        let types: Vec<_> = order.flatten().map(|index| &run.metrics[index]).collect();
        let mut stack = StackNumbers::default();
        run.for_each(&mut |row| {
            stack.push(row.depth, frames.number(row.name, run));
            if row.sides(types[0]).is_none() {
                let weights = types.iter().map(|metric| row.weight(metric));
                return profile.write_sample(&stack, weights, run.label());
            }
            let side = |side: usize| {
                let weights = types.iter().map(move |metric| row.sides(metric));
                weights.map(move |sides| sides.map_or(0, |sides| sides[side]))
            };
            profile.write_sample(&stack, side(1), None)?;
            // By the label of the base, pprof computes percentages.
            let base = Some(("pprof::base", "true"));
            profile.write_sample(&stack, side(0).map(|weight| -weight), base)
        })?;
    }
    profile.write_frames(&frames, report)?;
    let about_limits = profile.about_limits();
    for sentence in stacks.sentences().chain(about_limits.iter().map(|line| &**line)) {
        let number = profile.number_of(sentence);
        profile.write_number(field::COMMENT, number)?;
    }
    let primary = &stacks.metrics[0];
    profile.write_type(field::PERIOD_TYPE, primary)?;
    profile.write_number(field::PERIOD, period(primary))?;
    let number = profile.number_of(&sample_type(primary).0);
    profile.write_number(field::DEFAULT_SAMPLE_TYPE, number)?;
    profile.finish()?;
    Ok(())
}

/// Field numbers.
mod field {
    pub(super) const SAMPLE_TYPE: u32 = 1;
    pub(super) const SAMPLE: u32 = 2;
    pub(super) const MAPPING: u32 = 3;
    pub(super) const LOCATION: u32 = 4;
    pub(super) const FUNCTION: u32 = 5;
    pub(super) const STRING_TABLE: u32 = 6;
    pub(super) const PERIOD_TYPE: u32 = 11;
    pub(super) const PERIOD: u32 = 12;
    pub(super) const COMMENT: u32 = 13;
    pub(super) const DEFAULT_SAMPLE_TYPE: u32 = 14;
}

impl StackMetric<'_> {
    /// Returns whether both are the same metric in the same unit.
    fn is(&self, other: &Self) -> bool {
        self.metric == other.metric && self.unit == other.unit
    }

    /// The position of the metric in the report.
    fn metric_order(&self, report: &Report) -> Option<usize> {
        report.metrics.iter().position(|metric| metric == self.metric)
    }
}

/// The type and unit of a metric, in the words that pprof knows: it offers its options for the
/// heap if it finds the types of Go's profiles.
fn sample_type<'m>(metric: &StackMetric<'m>) -> (Cow<'m, str>, &'m str) {
    let of = metric.metric;
    match (&*of.id, &*of.quantity, metric.unit) {
        ("bytes", "allocated memory", "bytes") => ("alloc_space".into(), "bytes"),
        ("count", "allocated memory", "blocks") => ("alloc_objects".into(), "count"),
        ("unfreed-bytes", "memory never freed", _) => ("inuse_space".into(), "bytes"),
        ("unfreed-count", "memory never freed", _) => ("inuse_objects".into(), "count"),
        ("ticks", "time", "nanoseconds") => ("cpu".into(), "nanoseconds"),
        ("ticks", _, "thousandths of ticks") => ("ticks".into(), "milliticks"),
        (id, _, unit) if unit.starts_with("thousandths of ") => {
            (format!("milli{}", id.replace('-', "_")).into(), "count")
        }
        (id, _, unit @ ("nanoseconds" | "bytes")) => (id.replace('-', "_").into(), unit),
        (id, ..) => (id.replace('-', "_").into(), "count"),
    }
}

/// The length of a tick, or 1 for counts; 0 if it is unknown.
fn period(metric: &StackMetric<'_>) -> u64 {
    match (metric.metric.rate, metric.metric.basis) {
        (Some(rate), _) if metric.unit == "nanoseconds" => 1_000_000_000 / u64::from(rate.max(1)),
        (_, Basis::Recorded) => 1,
        _ => 0,
    }
}

struct ProfileWriter<W: Write> {
    out: flate2::write::GzEncoder<W>,
    strings: TextNumbers,
    /// The message that is being written.
    message: ProtobufMessage,
    n_samples: usize,
    /// A value did not fit.
    is_saturated: bool,
}

/// Maximum number of samples that Pyroscope takes by default. Source:
/// `max_profile_stacktrace_samples` in its reference of configuration parameters.
const PYROSCOPE_SAMPLES: usize = 16_000;

impl<W: Write> ProfileWriter<W> {
    fn write_type(&mut self, field: u32, metric: &StackMetric<'_>) -> io::Result<()> {
        let (name, unit) = sample_type(metric);
        let numbers = [&*name, unit].map(|text| self.number_of(text));
        self.message.push_numbers(&numbers);
        self.write_message(field)
    }

    /// A sample, unless its values are all zero. Its label names a run or the base of a
    /// difference.
    fn write_sample(
        &mut self,
        stack: &StackNumbers,
        weights: impl Iterator<Item = i128> + Clone,
        label: Option<(&str, &str)>,
    ) -> io::Result<()> {
        if weights.clone().all(|weight| weight == 0) {
            return Ok(());
        }
        // The innermost frame is the first one.
        let locations = stack.0.iter().rev().map(|&frame| id(frame));
        self.message.push_packed(1, locations);
        self.n_samples += 1;
        self.is_saturated |= weights.clone().any(|weight| i64::try_from(weight).is_err());
        self.message.push_packed(2, weights.map(as_int64));
        // A sample whose label is empty gets no label.
        if let Some((key, value)) = label.filter(|(_, value)| !value.is_empty()) {
            let label = [key, value].map(|text| self.number_of(text));
            self.message.push_message(3, &label);
        }
        self.write_message(field::SAMPLE)
    }

    fn number_of(&mut self, text: &str) -> u64 {
        self.strings.number(text) as u64
    }

    /// Sentences on limits of the format and of its readers.
    fn about_limits(&self) -> Vec<String> {
        let mut lines = Vec::new();
        if self.is_saturated {
            lines.push("Costs beyond 64 bits are written as the largest number.".to_owned());
        }
        if self.n_samples > PYROSCOPE_SAMPLES {
            lines.push(format!(
                "{} call stacks: Pyroscope takes {PYROSCOPE_SAMPLES} by default; \
                 profan --focus writes fewer.",
                self.n_samples
            ));
        }
        lines
    }

    /// Mappings, locations and functions.
    fn write_frames(&mut self, table: &StackFrames, report: &Report) -> io::Result<()> {
        let are_lines = report.names.are_lines();
        let (objects, object_of) = table.objects(report);
        let (function_of, functions) = table.functions(are_lines);
        let mut limits = vec![0; objects.len()];
        for (frame, &object) in table.frames.iter().zip(&object_of) {
            let end = frame.address.map_or(0, |address| address.saturating_add(1));
            limits[object] = end.max(limits[object]);
        }
        for ((id, object), limit) in (1..).zip(&objects).zip(limits) {
            let texts = [&object.path, &object.build_id];
            let [path, build_id] = texts.map(|text| self.number_of(text));
            // It has functions, files, lines and inlined frames.
            self.message.push_numbers(&[id, 0, limit, 0, path, build_id, 1, 1, 1, 1]);
            self.write_message(field::MAPPING)?;
        }
        for (index, frame) in table.frames.iter().enumerate() {
            self.message.push_number(1, id(index));
            self.message.push_number(2, id(object_of[index]));
            self.message.push_number(3, frame.address.unwrap_or(0));
            let line = [id(function_of[index]), frame.line.into()];
            self.message.push_message(4, &line);
            self.write_message(field::LOCATION)?;
        }
        for (index, &frame) in functions.iter().enumerate() {
            let frame = &table.frames[frame];
            let (linkage_name, file) = (&frame.linkage_name, &frame.file);
            let texts = [Some(&frame.name), linkage_name.as_ref(), file.as_ref()];
            let texts = texts.map(|text| text.map_or("", String::as_str));
            let [name, linkage_name, file] = texts.map(|text| self.number_of(text));
            // The first line of a function is not known where frames are lines.
            let start = if are_lines { 0 } else { frame.line };
            self.message.push_numbers(&[id(index), name, linkage_name, file, start.into()]);
            self.write_message(field::FUNCTION)?;
        }
        Ok(())
    }

    /// Writes the message and starts an empty one.
    fn write_message(&mut self, field: u32) -> io::Result<()> {
        let mut head = ProtobufMessage::default();
        head.push_tag(field, LENGTH_DELIMITED);
        head.push_varint(self.message.0.len() as u64);
        self.out.write_all(&head.0)?;
        self.out.write_all(&self.message.0)?;
        self.message.0.clear();
        Ok(())
    }

    fn write_number(&mut self, field: u32, number: u64) -> io::Result<()> {
        let mut message = ProtobufMessage::default();
        message.push_tag(field, VARINT);
        message.push_varint(number);
        self.out.write_all(&message.0)
    }

    /// Writes the texts and the end.
    fn finish(mut self) -> io::Result<()> {
        for text in std::mem::take(&mut self.strings).0 {
            self.message.0.extend_from_slice(text.as_bytes());
            self.write_message(field::STRING_TABLE)?;
        }
        self.out.finish()?;
        Ok(())
    }
}

/// Numbers of messages start at 1.
fn id(index: usize) -> u64 {
    index as u64 + 1
}

/// A number in the encoding of the format; numbers out of range become the greatest or the least.
fn as_int64(number: i128) -> u64 {
    let clamped = number.clamp(i64::MIN.into(), i64::MAX.into());
    i64::try_from(clamped).unwrap_or_default().cast_unsigned()
}

const VARINT: u32 = 0;
const LENGTH_DELIMITED: u32 = 2;

/// The fields of a message. Source: "Encoding" in the documentation of Protocol Buffers.
#[derive(Default)]
struct ProtobufMessage(Vec<u8>);

impl ProtobufMessage {
    fn push_varint(&mut self, mut number: u64) {
        loop {
            let [low, ..] = number.to_le_bytes();
            number >>= 7;
            if number == 0 {
                return self.0.push(low);
            }
            self.0.push(low | 0x80);
        }
    }

    fn push_tag(&mut self, field: u32, wire_type: u32) {
        self.push_varint(u64::from(field << 3 | wire_type));
    }

    /// A number, unless it is zero, which is the default.
    fn push_number(&mut self, field: u32, number: u64) {
        if number != 0 {
            self.push_tag(field, VARINT);
            self.push_varint(number);
        }
    }

    /// Numbers of the fields from 1.
    fn push_numbers(&mut self, numbers: &[u64]) {
        for (field, &number) in (1..).zip(numbers) {
            self.push_number(field, number);
        }
    }

    fn push_message(&mut self, field: u32, numbers: &[u64]) {
        let mut inner = Self::default();
        inner.push_numbers(numbers);
        self.push_inner(field, &inner);
    }

    fn push_packed(&mut self, field: u32, numbers: impl Iterator<Item = u64>) {
        let mut inner = Self::default();
        numbers.for_each(|number| inner.push_varint(number));
        self.push_inner(field, &inner);
    }

    fn push_inner(&mut self, field: u32, inner: &Self) {
        self.push_tag(field, LENGTH_DELIMITED);
        self.push_varint(inner.0.len() as u64);
        self.0.extend_from_slice(&inner.0);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_have_seven_bits_in_a_byte() {
        let check = |number: u64, expected: &[u8]| {
            let mut message = ProtobufMessage::default();
            message.push_varint(number);
            assert_eq!(message.0, expected, "{number}");
        };
        check(0, &[0]);
        check(127, &[0x7f]);
        check(300, &[0xac, 0x02]);
        check(as_int64(-1), &[0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 1]);
    }

    #[test]
    fn sums_that_do_not_fit_are_the_greatest_number() {
        assert_eq!(as_int64(i128::MAX), i64::MAX.cast_unsigned());
        assert_eq!(as_int64(i128::MIN), i64::MIN.cast_unsigned());
        assert_eq!(as_int64(-3), (-3_i64).cast_unsigned());
    }
}
