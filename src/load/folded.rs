//! Folded stacks: `main;work;step 12` is a stack, outermost frame first, and its number of
//! samples. Source: `stackcollapse.pl` and `flamegraph.pl` in
//! github.com/brendangregg/FlameGraph; there is no specification.
//!
//! Names may contain blanks, so the last blank separates the number. A stack may be on
//! several lines. The last line may have no end, and Windows line ends are allowed. Blank
//! lines and `#` lines without a number are ignored.

//! The suffixes of FlameGraph's scripts are kinds of objects: `_[k]` for the kernel, `_[j]` for
//! code of a just-in-time compiler. `_[i]` is an inlined function, in the object of its caller.
//! py-spy writes the location after the name: `work (run.py:8)`.

use std::collections::HashMap;
use std::num::NonZeroU32;

use foldhash::fast::RandomState;

use super::cost_builder::{CostBuilder, Frame};
use super::error::{FormatFault, Position, ReadError};
use super::frame_parts::FrameParts;
use super::sparse::Bytes;
use super::text_lines::lines_with_ends;
use super::{Claim, Damage, Format, Hints, Reading, SkippedLines};
use crate::model::{
    ContextId, Extent, FileKind, MetricName, Quantity, RecordedCosts, SampleKey, Unit, ValueMetric,
    ValueSource, ValueType,
};

/// Bytes at the start of a file to search for stacks.
const HEAD_SIZE: usize = 1 << 14;

/// Lines of stacks and numbers.
pub(super) struct Folded;

impl Format for Folded {
    fn name(&self) -> &'static str {
        "folded stacks"
    }

    /// Most lines are stacks, including the first one, and some have several frames.
    fn sniff(&self, data: Bytes<'_>, _hints: &Hints) -> Claim {
        let data = data.start();
        let head = &data[..data.len().min(HEAD_SIZE)];
        if head.contains(&0) {
            return Claim::No;
        }
        let mut lines: Vec<_> = head.split(|&byte| byte == b'\n').map(line_of).collect();
        // The last line may be a part of one.
        lines.pop_if(|last| matches!(last, FoldedLine::Other));
        let mut lines = lines.iter().filter(|line| !matches!(line, FoldedLine::Blank));
        let Some(FoldedLine::Stack(first, _)) = lines.next() else {
            return Claim::No;
        };
        let (mut n_stacks, mut n_others) = (1, 0);
        let mut has_frames = first.contains(&b';');
        for line in lines {
            match line {
                FoldedLine::Stack(stack, _) => {
                    n_stacks += 1;
                    has_frames |= stack.contains(&b';');
                }
                _ => n_others += 1,
            }
        }
        if has_frames && n_stacks > n_others { Claim::Plausible } else { Claim::No }
    }

    fn may_start(&self, head: &[u8], hints: &Hints) -> bool {
        // The first stack may be longer than the available bytes.
        let is_part_of_stack = !head.contains(&b'\n') && !head.contains(&0) && head.contains(&b';');
        is_part_of_stack || self.sniff(head.into(), hints) != Claim::No
    }

    fn read(&self, data: Bytes<'_>, hints: &Hints) -> Result<Reading, ReadError> {
        let data = data.whole()?;
        let mut stacks = FoldedStacks::new();
        let (mut damage, mut skipped) = (None, None);
        let mut n_left = data.len();
        for (number, line) in (1..).zip(lines_with_ends(data)) {
            let line_kind = line_of(line);
            if matches!(line_kind, FoldedLine::Other) {
                SkippedLines::add(&mut skipped, number);
            }
            if let Err(fault) = stacks.add_line(line_kind) {
                let position = Position::Line(number);
                let kind = fault.into();
                let error = ReadError { position, kind };
                let n_lost = n_left as u64;
                damage = Some(Damage { error, n_lost });
                break;
            }
            n_left -= line.len();
            hints.progress.advance(line.len() as u64);
        }
        if stacks.costs.samples().is_empty() {
            return Err(damage.map_or_else(no_stack, |damage| damage.error));
        }
        let kind = FileKind { has_stacks: true, ..FileKind::named("a profile of folded stacks") };
        Ok(Reading { damage, skipped, ..Reading::of_text("folded stacks", kind, stacks.finish()) })
    }
}

/// The kinds of lines.
enum FoldedLine<'a> {
    Blank,
    /// The stack, and the digits after it.
    Stack(&'a [u8], &'a [u8]),
    Other,
}

fn line_of(line: &[u8]) -> FoldedLine<'_> {
    let line = line.trim_ascii_end();
    let n_digits = line.iter().rev().take_while(|byte| byte.is_ascii_digit());
    let (stack, digits) = line.split_at(line.len() - n_digits.count());
    let frames = stack.trim_ascii();
    let has_frame = frames.iter().any(|&byte| byte != b';');
    if !digits.is_empty() && stack.ends_with(b" ") && has_frame {
        FoldedLine::Stack(frames, digits)
    } else if line.is_empty() || line.starts_with(b"#") {
        FoldedLine::Blank
    } else {
        FoldedLine::Other
    }
}

/// The parts of a frame. `outer` is the object of its caller.
fn frame_parts<'a>(text: &'a [u8], outer: Option<&'a [u8]>) -> FrameParts<'a> {
    let of_kind = |suffix: &[u8]| text.strip_suffix(suffix).filter(|name| !name.is_empty());
    let (name, object) = if let Some(name) = of_kind(b"_[k]") {
        (name, Some(&b"[kernel]"[..]))
    } else if let Some(name) = of_kind(b"_[j]") {
        (name, Some(&b"[jit]"[..]))
    } else if let Some(name) = of_kind(b"_[i]") {
        (name, outer)
    } else {
        (text, None)
    };
    let (name, place) = match place_of(name) {
        Some((name, file, line)) => (name, Some((file, line))),
        None => (name, None),
    };
    FrameParts {
        address: None,
        name,
        file: place.map(|(file, _)| file),
        line: place.map(|(_, line)| line),
        object,
    }
}

/// Name, file and line of `name (file:line)`.
fn place_of(frame: &[u8]) -> Option<(&[u8], &[u8], NonZeroU32)> {
    let inner = frame.strip_suffix(b")")?;
    let start = memchr::memmem::rfind(inner, b" (")?;
    let (name, place) = (&inner[..start], &inner[start + 2..]);
    let colon = memchr::memrchr(b':', place)?;
    let line = std::str::from_utf8(&place[colon + 1..]).ok()?.parse().ok()?;
    let file = &place[..colon];
    (!name.is_empty() && !file.is_empty()).then_some((name, file, line))
}

/// A frame, and the name of its object.
type FrameInObject<'a> = (Frame, Option<&'a [u8]>);

/// The costs of a profile during reading.
struct FoldedStacks<'a> {
    costs: CostBuilder,
    /// Frames by their text, with their object.
    frames: HashMap<&'a [u8], FrameInObject<'a>, RandomState>,
}

impl<'a> FoldedStacks<'a> {
    fn new() -> Self {
        let column = ValueType {
            quantity: Quantity("samples"),
            unit: Unit::COUNT,
            extent: Extent::Exclusive,
            class: None,
        };
        Self { costs: CostBuilder::new([column]), frames: HashMap::default() }
    }

    fn add_line(&mut self, line: FoldedLine<'a>) -> Result<(), FoldedFault> {
        let FoldedLine::Stack(stack, digits) = line else {
            return Ok(());
        };
        let count = std::str::from_utf8(digits).ok();
        let count = count.and_then(|count| count.parse::<u64>().ok());
        let count = count.ok_or(FoldedFault::Number)?;
        let context = SampleKey::Context(self.context(stack));
        self.costs.add(context, &[count]).ok_or(FoldedFault::Overflow)
    }

    fn context(&mut self, stack: &'a [u8]) -> ContextId {
        let hash = self.costs.seen.hash(stack);
        if let Some(known) = self.costs.seen.get(hash) {
            return known;
        }
        let (mut innermost, mut object) = (None, None);
        let mut rest = stack;
        while !rest.is_empty() {
            let end = memchr::memchr(b';', rest).unwrap_or(rest.len());
            let (text, behind) = rest.split_at(end);
            rest = behind.get(1..).unwrap_or_default();
            if !text.is_empty() {
                let frame;
                (frame, object) = self.frame(text, object);
                innermost = Some(self.costs.context(innermost, frame));
            }
        }
        let context = innermost.expect("a stack has a frame");
        self.costs.seen.insert(hash, context);
        context
    }

    /// The frame with a text, and its object.
    fn frame(&mut self, text: &'a [u8], outer: Option<&'a [u8]>) -> FrameInObject<'a> {
        // The object of an inlined function depends on its caller.
        let is_inlined = text.ends_with(b"_[i]");
        if !is_inlined && let Some(&known) = self.frames.get(text) {
            return known;
        }
        let parts = frame_parts(text, outer);
        let found = (self.costs.frame(&parts), parts.object);
        if !is_inlined {
            self.frames.insert(text, found);
        }
        found
    }

    fn finish(self) -> RecordedCosts {
        let name = MetricName { id: b"samples".as_slice().into(), title: None };
        let metrics = vec![ValueMetric::of_column(name, ValueSource::SAMPLES, 0)];
        let costs = self.costs.finish(metrics);
        RecordedCosts { knows_files: !costs.locations.is_empty(), ..costs }
    }
}

fn no_stack() -> ReadError {
    ReadError { position: Position::Line(1), kind: FoldedFault::NoStack.into() }
}

#[derive(Debug, thiserror::Error)]
enum FoldedFault {
    #[error("expected a stack, a space and a whole number, as in `main;work 12`")]
    NoStack,
    #[error("the number of samples exceeds 64 bits")]
    Number,
    #[error("the samples of this stack exceed 64 bits")]
    Overflow,
}

impl FormatFault for FoldedFault {
    fn advice(&self) -> Option<&'static str> {
        matches!(self, Self::NoStack).then_some("check that line, or write the file again")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Rows as `function<caller<…=value`, and the damage.
    fn text(data: &str) -> String {
        let reading = match Folded.read(data.into(), &Hints::default()) {
            Ok(reading) => reading,
            Err(error) => return error.to_string(),
        };
        let costs = &reading.profile.costs;
        let rows = costs.samples.rows().map(|(key, values)| {
            let mut names = Vec::new();
            let mut next = key.context();
            while let Some(id) = next {
                let context = costs.contexts[id.index()];
                let function = &costs.functions[context.function.expect("it has one").index()];
                let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
                let object = function.object.as_deref().map(text).unwrap_or_default();
                let place = context.location.map(|id| &costs.locations[id.index()]);
                let place = place.map(|place| {
                    format!("@{}:{}", text(&place.file), place.line.expect("it has one"))
                });
                names.push(text(&function.name) + &object + &place.unwrap_or_default());
                next = context.caller;
            }
            format!("{}={}", names.join("<"), values[0])
        });
        let mut lines: Vec<_> = rows.collect();
        lines.extend(reading.damage.map(|damage| damage.error.position.to_string()));
        let skipped =
            |skipped: SkippedLines| format!("-{} from {}", skipped.n_lines, skipped.first);
        lines.extend(reading.skipped.map(skipped));
        lines.join(" ")
    }

    fn check(data: &str, expected: &str) {
        assert_eq!(text(data), expected, "{data:?}");
    }

    #[test]
    fn stacks_share_frames_and_are_added_up() {
        check("a;b;c 12\na;b 3\na;b;c 1\n", "c<b<a=13 b<a=3");
        check("a;a;a 1\nb 2", "a<a<a=1 b=2");
        check("a;b 1\r\na;b 2\r\n", "b<a=3");
    }

    #[test]
    fn names_may_have_blanks_and_numbers() {
        check("operator new;f (int) 5 7\n", "f (int) 5<operator new=7");
        check("# a word\n\na;;b; 7\n", "b<a=7");
        check("a;#b 7\n", "#b<a=7");
    }

    #[test]
    fn lines_that_are_no_stacks_are_skipped() {
        check("a;b 1\na;c\na;d 4\n", "b<a=1 d<a=4 -1 from 2");
        check("a;b 1\na;c 1.5\n 7\n", "b<a=1 -2 from 2");
        check("a\n", "line 1: expected a stack, a space and a whole number, as in `main;work 12`");
    }

    #[test]
    fn a_sum_that_does_not_fit_ends_the_reading() {
        check("a;b 99999999999999999999\n", "line 1: the number of samples exceeds 64 bits");
        check("a;b 18446744073709551615\na;b 1\nc 1\n", "b<a=18446744073709551615 line 2");
    }

    #[test]
    fn suffixes_are_objects_and_brackets_places() {
        check("a;f_[k];g_[i];h_[j] 2\n", "h[jit]<g[kernel]<f[kernel]<a=2");
        check("a;f_[i] 1\na;b_[k];f_[i] 1\n", "f<a=1 f[kernel]<b[kernel]<a=1");
        check("_[k];x 1\n", "x<_[k]=1");
        check("<module> (r.py:2);f (r.py:8) 3\n", "f@r.py:8<<module>@r.py:2=3");
        check("f (int);g(a:b);h (a:0) 3\n", "h (a:0)<g(a:b)<f (int)=3");
    }

    #[test]
    fn stacks_are_recognised() {
        let check = |data: &[u8], expected| {
            assert_eq!(Folded.sniff(data.into(), &Hints::default()), expected, "{data:?}");
        };
        check(b"a;b 1\nc 2\n", Claim::Plausible);
        check(b"a;b 1\na;b", Claim::Plausible);
        check(b"# a word\na;b 1", Claim::Plausible);
        check(b"a;b 1\nc\na;d 2\n", Claim::Plausible);
        check(b"a 1\nb 2\n", Claim::No);
        check(b"int a; int b;\nreturn 0;\n", Claim::No);
        check(b"events: Ir\n0 1\n", Claim::No);
        check(b"a;b 1\0", Claim::No);
        check(b"", Claim::No);
    }
}
