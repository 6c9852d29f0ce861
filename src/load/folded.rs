//! Folded stacks: `main;work;step 12` is a stack, outermost frame first, and its number of
//! samples. Source: `stackcollapse.pl` and `flamegraph.pl` in
//! github.com/brendangregg/FlameGraph; there is no specification.
//!
//! Names may contain blanks, so the last blank separates the number, which may be a fraction. A
//! stack may be on several lines. The last line may have no end, and Windows line ends are
//! allowed. Blank lines, `#` lines without a number and the metadata of Austin (`# mode: wall`)
//! are ignored.
//!
//! `frame` splits frames into their parts.

mod frame;

use std::collections::HashMap;
use std::num::NonZeroU32;

use foldhash::fast::RandomState;

use self::frame::frame_parts;
use super::cost_builder::{CostBuilder, Frame};
use super::error::{FormatFault, ReadError};
use super::seen_stacks::{SeenStacks, StackHash, longest_known};
use super::sparse::Bytes;
use super::stack_numbers::StackNumbers;
use super::text_lines::{LinesRead, read_lines};
use super::{Claim, Damage, Format, Hints, Loaded, RequestedLayout, SkippedLines};
use crate::model::{
    ContextId, Extent, FileKind, Quantity, RecordedCosts, SampleKey, Unit, ValueType,
};

/// The fewest lines of stacks with one frame: shorter texts may be anything.
const MIN_LINES: usize = 10;

/// The number of other lines that a short file may have.
const FEW_LINES: usize = 2;

/// The parts of a sample in which a file with fractions counts.
const THOUSANDTHS: NonZeroU32 = NonZeroU32::new(1000).expect("it is not zero");

/// Bytes of a stack that differ from the one before it, worth looking up its callers.
const LONG_REST: usize = 256;

/// Lines of stacks and numbers.
pub(super) struct Folded;

impl Format for Folded {
    fn name(&self) -> &'static str {
        "folded stacks"
    }

    /// Most lines are stacks. If all have one frame, many are, or the file has a known suffix.
    fn sniff(&self, data: Bytes<'_>, hints: &Hints) -> Claim {
        let lines = HeadLines::count(data.head(), true);
        let is_folded = match lines.n_sure {
            0 => {
                let are_many = lines.n_stacks >= MIN_LINES && lines.are_names();
                lines.are_stacks()
                    && (hints.has_folded_suffix || are_many && lines.are_nearly_all())
            }
            _ => lines.are_stacks(),
        };
        if is_folded { Claim::Plausible } else { Claim::No }
    }

    fn is_requested(&self, _data: Bytes<'_>, hints: &Hints) -> bool {
        hints.layout == Some(RequestedLayout::Folded)
    }

    fn may_start(&self, head: &[u8], hints: &Hints) -> bool {
        // The first stack may be longer than the available bytes.
        let is_part_of_stack = !head.contains(&b'\n') && !head.contains(&0) && head.contains(&b';');
        is_part_of_stack || self.sniff(head.into(), hints) != Claim::No
    }

    fn read(&self, data: Bytes<'_>, hints: &Hints) -> Result<Loaded, ReadError> {
        let data = data.whole()?;
        // Few files have fractions: the first one starts the reading anew.
        read(data, 1, hints).unwrap_or_else(|Fraction| {
            read(data, THOUSANDTHS.get().into(), hints).unwrap_or_else(|Fraction| Err(no_stack()))
        })
    }
}

/// Returns whether a text may have stacks, too few to be recognised.
pub(super) fn may_be_folded(head: &[u8]) -> bool {
    let lines = HeadLines::count(head, false);
    lines.n_sure > 0 && lines.n_others <= 2 * lines.n_stacks
        || lines.are_stacks() && lines.are_nearly_all() && lines.are_names()
}

/// Bytes of the shortest stack: `a 1`, with the end of its line.
const SHORTEST_LINE: usize = 4;

/// Numbers of lines at the start of a file.
#[derive(Default)]
struct HeadLines {
    n_stacks: usize,
    /// Stacks with several frames, which other texts do not have.
    n_sure: usize,
    /// Stacks that are one word.
    n_named: usize,
    n_others: usize,
}

impl HeadLines {
    /// With `gives_up`, up to the line from which on there are too few stacks for a file of them.
    fn count(head: &[u8], gives_up: bool) -> Self {
        let mut found = Self::default();
        if memchr::memchr(0, head).is_some() {
            return found;
        }
        let mut lines = head.split(|&byte| byte == b'\n').peekable();
        let mut n_left = head.len();
        while let Some(line) = lines.next() {
            // The last line may lack its end.
            let most = (found.n_stacks + (n_left + 1) / SHORTEST_LINE) / 9;
            if gives_up && found.n_others > most.max(FEW_LINES) {
                break;
            }
            n_left = n_left.saturating_sub(line.len() + 1);
            match line_of(line) {
                FoldedLine::Stack(stack, _) => {
                    found.n_stacks += 1;
                    // A blank follows the semicolons of other texts.
                    found.n_sure += usize::from(
                        stack.contains(&b';') && memchr::memmem::find(stack, b"; ").is_none(),
                    );
                    found.n_named += usize::from(is_name(stack));
                }
                // The last line may be a part of one.
                FoldedLine::Other => found.n_others += usize::from(lines.peek().is_some()),
                FoldedLine::Blank => {}
            }
        }
        found
    }

    fn are_nearly_all(&self) -> bool {
        self.n_others <= self.n_stacks / 9
    }

    fn are_names(&self) -> bool {
        self.n_stacks - self.n_named <= self.n_named / 9
    }

    fn are_stacks(&self) -> bool {
        let is_small = self.n_others <= FEW_LINES;
        self.n_stacks > self.n_others && (is_small || self.are_nearly_all())
    }
}

/// A number of samples is not whole.
struct Fraction;

/// Reads numbers in parts of a sample.
fn read(data: &[u8], scale: u64, hints: &Hints) -> Result<Result<Loaded, ReadError>, Fraction> {
    let mut stacks = FoldedStacks::new();
    let (mut skipped, mut has_fraction) = (None, false);
    let refuses_fractions = scale == 1 && !hints.policy.stacks.is_smallest();
    let LinesRead { n_lines, n_left, fault } = read_lines(data, hints.progress, |number, line| {
        let line = line_of(line);
        match line {
            FoldedLine::Other => SkippedLines::add(&mut skipped, number),
            FoldedLine::Stack(_, count) if refuses_fractions && count.contains(&b'.') => {
                has_fraction = true;
                return Err(FoldedFault::Number);
            }
            _ => {}
        }
        stacks.add_line(line, scale)
    });
    if has_fraction {
        return Err(Fraction);
    }
    let error = fault.map(|fault| ReadError::at_line(n_lines, fault));
    let damage = error.map(|error| Damage { error, n_lost: n_left });
    if stacks.costs.samples().is_empty() {
        return Ok(Err(damage.map_or_else(no_stack, |damage| damage.error)));
    }
    let kind = FileKind {
        has_stacks: true,
        lacks_units: true,
        ..FileKind::named("a profile of folded stacks")
    };
    let costs = stacks.finish(scale, hints.policy.stacks);
    Ok(Ok(Loaded { damage, skipped, ..Loaded::of_text("folded stacks", kind, costs) }))
}

/// Returns whether a stack of one frame is one word, no number and no key: lines of logs, sources
/// and settings end in numbers too.
fn is_name(stack: &[u8]) -> bool {
    let starts_as_name = stack.first().is_some_and(|byte| !byte.is_ascii_digit());
    let is_name = starts_as_name && stack.iter().any(u8::is_ascii_alphabetic);
    is_name && !stack.ends_with(b":") && !stack.iter().any(|byte| b" \"".contains(byte))
}

/// The kinds of lines.
enum FoldedLine<'a> {
    Blank,
    /// The stack, and the number after it.
    Stack(&'a [u8], &'a [u8]),
    Other,
}

fn line_of(line: &[u8]) -> FoldedLine<'_> {
    let line = line.trim_ascii_end();
    let is_of_number = |byte: &&u8| byte.is_ascii_digit() || **byte == b'.';
    let n_digits = line.iter().rev().take_while(is_of_number).count();
    let (stack, number) = line.split_at(line.len() - n_digits);
    let frames = stack.trim_ascii();
    let has_frame = frames.iter().any(|&byte| byte != b';');
    if line.is_empty() || line.starts_with(b"# ") {
        FoldedLine::Blank
    } else if is_decimal(number) && stack.ends_with(b" ") && has_frame {
        FoldedLine::Stack(frames, number)
    } else if line.starts_with(b"#") {
        FoldedLine::Blank
    } else {
        FoldedLine::Other
    }
}

/// `12` or `3.5`.
fn is_decimal(number: &[u8]) -> bool {
    let n_points = number.iter().filter(|&&byte| byte == b'.').count();
    let has_digits = |end: Option<&u8>| end.is_some_and(u8::is_ascii_digit);
    n_points <= 1 && has_digits(number.first()) && has_digits(number.last())
}

/// A decimal number times `scale`, rounded.
fn scaled(number: &[u8], scale: u64) -> Option<u64> {
    let mut parts = number.split(|&byte| byte == b'.');
    let digits = std::str::from_utf8(parts.next()?).ok()?;
    let mut value = digits.parse::<u64>().ok()?.checked_mul(scale)?;
    let mut unit = scale;
    for &digit in parts.next().unwrap_or_default() {
        let digit = u64::from(digit - b'0');
        if unit == 1 {
            return value.checked_add(u64::from(digit >= 5));
        }
        unit /= 10;
        value = value.checked_add(unit * digit)?;
    }
    Some(value)
}

/// A frame, and the name of its object.
type FrameInObject<'a> = (Frame, Option<&'a [u8]>);

/// The costs of a profile during reading.
struct FoldedStacks<'a> {
    costs: CostBuilder,
    /// Frames by their text, with their object.
    frames: HashMap<&'a [u8], FrameInObject<'a>, RandomState>,
    /// The last stack. Most files are sorted, so that the next one starts with the same frames.
    last: &'a [u8],
    /// The end of each of its frames in its text, with the context and the object.
    path: Vec<(usize, ContextId, Option<&'a [u8]>)>,
    /// Callers by their text.
    seen: SeenStacks<(ContextId, Option<&'a [u8]>)>,
    /// The end of each frame of a stack, and the hash of the text up to there.
    hashes: Vec<(usize, StackHash)>,
}

impl<'a> FoldedStacks<'a> {
    fn new() -> Self {
        let column = ValueType {
            quantity: Quantity("samples"),
            unit: Unit::COUNT,
            extent: Extent::Exclusive,
            class: None,
        };
        Self {
            costs: CostBuilder::new([column]),
            frames: HashMap::default(),
            last: b"",
            path: Vec::new(),
            seen: SeenStacks::default(),
            hashes: Vec::new(),
        }
    }

    fn add_line(&mut self, line: FoldedLine<'a>, scale: u64) -> Result<(), FoldedFault> {
        let FoldedLine::Stack(stack, number) = line else {
            return Ok(());
        };
        let count = scaled(number, scale).ok_or(FoldedFault::Number)?;
        let context = SampleKey::Context(self.context(stack));
        self.costs.add(context, &[count]).ok_or(FoldedFault::Overflow)
    }

    fn context(&mut self, stack: &'a [u8]) -> ContextId {
        let last = std::mem::replace(&mut self.last, stack);
        let n_same = common_start(last, stack);
        let ends_frame = |text: &[u8], at| text.get(at).is_none_or(|&byte| byte == b';');
        let is_same = |end| end < n_same || end == n_same && ends_frame(last, end);
        while self.path.pop_if(|(end, ..)| !(is_same(*end) && ends_frame(stack, *end))).is_some() {}
        let mut start = self.path.last().map_or(0, |(end, ..)| end + 1);
        let is_long = stack.len() > start + LONG_REST;
        if is_long {
            start = self.find_callers(stack, start);
        }
        let n_shared = self.path.len();
        let (mut innermost, mut object) =
            self.path.last().map_or((None, None), |&(_, context, object)| (Some(context), object));
        let mut rest = stack.get(start..).unwrap_or_default();
        while !rest.is_empty() {
            let end = memchr::memchr(b';', rest).unwrap_or(rest.len());
            let (text, behind) = rest.split_at(end);
            rest = behind.get(1..).unwrap_or_default();
            if !text.is_empty() {
                let frame;
                (frame, object) = self.frame(text, object);
                let context = self.costs.context(innermost, frame);
                self.path.push((stack.len() - behind.len(), context, object));
                innermost = Some(context);
            }
        }
        if is_long {
            let new = self.hashes.iter().rev().zip(self.path[n_shared..].iter().rev());
            new.for_each(|(&(_, hash), &(_, context, object))| {
                self.seen.insert(hash, (context, object));
            });
        }
        innermost.expect("a stack has a frame")
    }

    /// Looks up the callers of a stack, of which the frames before `start` are known. Returns the
    /// start of the frames after them.
    fn find_callers(&mut self, stack: &'a [u8], start: usize) -> usize {
        self.hashes.clear();
        let (mut end, mut hash) = (0, StackHash::default());
        for text in stack.split(|&byte| byte == b';') {
            end += text.len() + 1;
            if !text.is_empty() {
                hash = self.seen.keys.step(hash, text);
                self.hashes.push((end - 1, hash));
            }
        }
        let known = |n_frames: usize| self.seen.get(self.hashes[n_frames - 1].1);
        let (n_frames, found) = longest_known(self.hashes.len(), known);
        match found {
            Some((context, object)) if self.hashes[n_frames - 1].0 > start => {
                let (end, _) = self.hashes[n_frames - 1];
                self.path.clear();
                self.path.push((end, context, object));
                end + 1
            }
            _ => start,
        }
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

    fn finish(self, scale: u64, stated: StackNumbers) -> RecordedCosts {
        let rows = self.costs.samples().rows().map(|(_, values)| values[0]);
        let numbers: Vec<_> = rows.filter(|&number| number > 0).collect();
        let metrics = vec![match scale {
            1 => stated.metric(&numbers),
            _ => stated.metric_of_parts(&numbers, THOUSANDTHS),
        }];
        let costs = self.costs.finish(metrics);
        RecordedCosts { knows_files: !costs.locations.is_empty(), ..costs }
    }
}

/// The number of bytes at the start that two texts share.
fn common_start(one: &[u8], other: &[u8]) -> usize {
    const BLOCK: usize = 16;
    let blocks = one.as_chunks::<BLOCK>().0.iter().zip(other.as_chunks::<BLOCK>().0);
    let n_blocks = blocks.take_while(|(one, other)| one == other).count() * BLOCK;
    let bytes = one[n_blocks..].iter().zip(&other[n_blocks..]);
    n_blocks + bytes.take_while(|(one, other)| one == other).count()
}

fn no_stack() -> ReadError {
    ReadError::at_line(1, FoldedFault::NoStack)
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
                let context = costs.contexts.get(id);
                let function = &costs.functions[context.function.expect("it has one").index()];
                let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
                let object = function.object.as_deref().map(text).unwrap_or_default();
                let place = context.location.map(|id| costs.locations.get(id));
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
        check("a;b 1\na;c -1.5\n 7\n", "b<a=1 -2 from 2");
        check("a\n", "line 1: expected a stack, a space and a whole number, as in `main;work 12`");
    }

    #[test]
    fn metadata_of_austin_are_no_samples() {
        check(
            "# austin: 3.0.0\n# duration: 383010\nP1;a.py:f:7 3\n#b;c 2\n",
            "f@a.py:7<P1=3 c<#b=2",
        );
    }

    #[test]
    fn fractions_are_thousandths() {
        check("a;b 4\nmain 3.5\n", "b<a=4000 main=3500");
        check("a 0.12345\na 0.0005\nb 1.2.3\n", "a=124 -1 from 3");
        check("a 1\na 18446744073709551615.5\n", "a=1000 line 2");
    }

    #[test]
    fn a_sum_that_does_not_fit_ends_the_reading() {
        check("a;b 99999999999999999999\n", "line 1: the number of samples exceeds 64 bits");
        check("a;b 18446744073709551615\na;b 1\nc 1\n", "b<a=18446744073709551615 line 2");
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
        // Other lines may come first.
        check(b" 84\na;b 1\nc 2\n", Claim::Plausible);
        check(b"one\ntwo\na;b 1\n", Claim::No);
        let long = [&b"a;".repeat(20_000)[..], b"b 1\na;b 2\n"].concat();
        check(&long, Claim::Plausible);
        // Many stacks of one frame, or a known suffix.
        check(&b"main 3.5\n".repeat(10), Claim::Plausible);
        check(&b"main 3\n".repeat(9), Claim::No);
        check(&b"#define A 3\n".repeat(10), Claim::No);
        check(&b"0.5 3\n".repeat(10), Claim::No);
        check(&b"port: 3\n".repeat(10), Claim::No);
        check(&b"n_total{of=\"a\"} 3\n".repeat(10), Claim::No);
        check(&b"sort -n 3; echo $a 3\n".repeat(10), Claim::No);
        let named = Hints { has_folded_suffix: true, ..Hints::default() };
        assert_eq!(Folded.sniff(b"a 1\nb 2\n"[..].into(), &named), Claim::Plausible);
        assert_eq!(Folded.sniff(b"total 3\nand\nmore\n"[..].into(), &named), Claim::No);
        check(b"", Claim::No);
    }
}
