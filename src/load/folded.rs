//! Folded stacks: `main;work;step 12` is a stack, outermost frame first, and its number of
//! samples. Source: `stackcollapse.pl` and `flamegraph.pl` in
//! github.com/brendangregg/FlameGraph; there is no specification.
//!
//! Names may contain blanks, so the last blank separates the number. A stack may be on
//! several lines. The last line may have no end, and Windows line ends are allowed. Blank
//! lines and `#` lines without a number are ignored.

use super::error::{FormatFault, Position, ReadError};
use super::sparse::Bytes;
use super::{Claim, Damage, Format, Hints, Reading};
use crate::model::{
    Context, ContextId, Extent, FileKind, Function, FunctionId, Interner, MetricName, Quantity,
    RecordedCosts, SampleKey, Samples, Unit, ValueBasis, ValueMetric, ValueType,
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
        let mut lines = lines
            .iter()
            .filter(|line| !matches!(line, FoldedLine::Blank));
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
        if has_frames && n_stacks > n_others {
            Claim::Plausible
        } else {
            Claim::No
        }
    }

    fn may_start(&self, head: &[u8], hints: &Hints) -> bool {
        // The first stack may be longer than what is there.
        let is_part_of_stack = !head.contains(&b'\n') && !head.contains(&0) && head.contains(&b';');
        is_part_of_stack || self.sniff(head.into(), hints) != Claim::No
    }

    fn read(&self, data: Bytes<'_>, hints: &Hints) -> Result<Reading, ReadError> {
        let data = data.whole()?;
        let mut stacks = FoldedStacks::new();
        let mut damage = None;
        let mut n_left = data.len();
        for (number, line) in (1..).zip(data.split_inclusive(|&byte| byte == b'\n')) {
            if let Err(fault) = stacks.add_line(line_of(line)) {
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
        if let Some(damage) = damage.take_if(|_| stacks.costs.samples.is_empty()) {
            return Err(damage.error);
        }
        let kind = FileKind {
            has_stacks: true,
            ..FileKind::named("a profile of folded stacks")
        };
        Ok(Reading {
            damage,
            ..Reading::of_text("folded stacks", kind, stacks.costs)
        })
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

/// The tables of a profile during reading. Stacks share their common outer frames.
struct FoldedStacks<'a> {
    costs: RecordedCosts,
    functions: Interner<&'a [u8]>,
    contexts: Interner<Context>,
    /// The row of each context with values.
    rows: Interner<ContextId>,
}

impl<'a> FoldedStacks<'a> {
    fn new() -> Self {
        let name = MetricName {
            id: b"samples".as_slice().into(),
            title: None,
        };
        let column = ValueType {
            quantity: Quantity("samples"),
            unit: Unit::COUNT,
            extent: Extent::Exclusive,
            class: None,
        };
        Self {
            costs: RecordedCosts {
                samples: Samples::new([column]),
                metrics: vec![ValueMetric::of_column(name, ValueBasis::Sampled, 0)],
                ..RecordedCosts::default()
            },
            functions: Interner::default(),
            contexts: Interner::default(),
            rows: Interner::default(),
        }
    }

    fn add_line(&mut self, line: FoldedLine<'a>) -> Result<(), FoldedFault> {
        let (stack, digits) = match line {
            FoldedLine::Blank => return Ok(()),
            FoldedLine::Other => return Err(FoldedFault::Line),
            FoldedLine::Stack(stack, digits) => (stack, digits),
        };
        let count = std::str::from_utf8(digits).ok();
        let count = count.and_then(|count| count.parse::<u64>().ok());
        let count = count.ok_or(FoldedFault::Number)?;
        let mut innermost = None;
        let frames = stack.split(|&byte| byte == b';');
        for frame in frames.filter(|frame| !frame.is_empty()) {
            innermost = Some(self.context(innermost, frame));
        }
        let context = innermost.expect("a stack has a frame");
        let samples = &mut self.costs.samples;
        let row = self.rows.number(context) as usize;
        if row == samples.len() {
            samples.push(SampleKey::Context(context), &[count]);
            return Ok(());
        }
        let sum = samples.add_to(row, &[count]);
        sum.ok_or(FoldedFault::Overflow)
    }

    fn context(&mut self, caller: Option<ContextId>, name: &'a [u8]) -> ContextId {
        let costs = &mut self.costs;
        let function = || Function::named(name);
        let function = self.functions.find(name, &mut costs.functions, function);
        let context = Context {
            caller,
            function: Some(FunctionId(function)),
            ..Context::default()
        };
        ContextId(self.contexts.find(context, &mut costs.contexts, || context))
    }
}

#[derive(Debug, thiserror::Error)]
enum FoldedFault {
    #[error("expected a stack, a space and a whole number, as in `main;work 12`")]
    Line,
    #[error("the number of samples exceeds 64 bits")]
    Number,
    #[error("the samples of this stack exceed 64 bits")]
    Overflow,
}

impl FormatFault for FoldedFault {
    fn advice(&self) -> Option<&'static str> {
        matches!(self, Self::Line).then_some("check that line, or write the file again")
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
                names.push(String::from_utf8_lossy(&function.name).into_owned());
                next = context.caller;
            }
            format!("{}={}", names.join("<"), values[0])
        });
        let mut lines: Vec<_> = rows.collect();
        lines.extend(
            reading
                .damage
                .map(|damage| damage.error.position.to_string()),
        );
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
    fn a_wrong_line_ends_the_reading() {
        check("a;b 1\na;c\na;d 4\n", "b<a=1 line 2");
        check("a;b 1\na;c 1.5\n", "b<a=1 line 2");
        check("a;b 1\n 7\n", "b<a=1 line 2");
        check(
            "a;b 99999999999999999999\n",
            "line 1: the number of samples exceeds 64 bits",
        );
        check(
            "a;b 18446744073709551615\na;b 1\n",
            "b<a=18446744073709551615 line 2",
        );
    }

    #[test]
    fn stacks_are_recognised() {
        let check = |data: &[u8], expected| {
            assert_eq!(
                Folded.sniff(data.into(), &Hints::default()),
                expected,
                "{data:?}"
            );
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
