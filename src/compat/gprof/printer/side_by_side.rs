//! Lines that are made side by side and written in their order.
//!
//! They are cut into blocks, and a batch of blocks is made by all threads while the batch
//! before it is written. Blocks are cut by lines, but a line may have a name of any
//! length: a block that is full is left as it is, and the rest of its lines follow piece by
//! piece when it is its turn. So the memory is that of some blocks, whatever is printed.

use std::io::{self, Write};
use std::ops::Range;

use crate::report::Text;
use crate::threads;

/// The lines of a block, as a rule.
pub(super) const LINES: usize = 512;

/// Bytes from which on a block is full.
const FULL: usize = 1 << 19;

/// Fewer blocks than these are made one after the other: waking threads takes as long.
const FEW: usize = 24;

/// Whether so many bytes are enough for a block.
pub(super) fn is_full(text: &Text) -> bool {
    text.len() >= FULL
}

pub(super) fn blocks_of(n_lines: usize) -> Vec<Range<usize>> {
    let starts = (0..n_lines).step_by(LINES);
    starts
        .map(|start| start..n_lines.min(start + LINES))
        .collect()
}

/// Writes blocks of things that are printed. `push` adds the lines of the first things of
/// a range until none is left or the text is full, and cuts the range to those that are
/// left; it may keep a state between the pieces of a block.
pub(super) fn write_blocks<S: Default + Send>(
    out: &mut dyn Write,
    blocks: &[Range<usize>],
    push: impl Fn(&mut Range<usize>, &mut S, &mut Text) + Sync,
) -> io::Result<()> {
    if blocks.len() < FEW {
        let mut block = Block::default();
        for range in blocks {
            block.start(range);
            block.write(out, &push)?;
        }
        return Ok(());
    }
    let make = |range: &Range<usize>, block: &mut Block<S>| {
        block.start(range);
        block.make(&push);
    };
    threads::ordered(blocks, make, |block| block.write(out, &push))
}

/// Some of what is printed, and its text as far as it is made.
#[derive(Default)]
struct Block<S> {
    left: Range<usize>,
    state: S,
    text: Text,
}

impl<S: Default> Block<S> {
    fn start(&mut self, range: &Range<usize>) {
        self.left = range.clone();
    }

    fn make(&mut self, push: &impl Fn(&mut Range<usize>, &mut S, &mut Text)) {
        push(&mut self.left, &mut self.state, &mut self.text);
    }

    /// Writes the text, and whatever is left.
    fn write(
        &mut self,
        out: &mut dyn Write,
        push: &impl Fn(&mut Range<usize>, &mut S, &mut Text),
    ) -> io::Result<()> {
        self.text.write(out)?;
        while !self.left.is_empty() {
            self.make(push);
            self.text.write(out)?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Every thing is three lines, each as long as `width`, and a state counts lines.
    fn print(n_things: usize, width: usize) -> Vec<u8> {
        let push = |left: &mut Range<usize>, line: &mut usize, text: &mut Text| {
            while left.start < left.end && !is_full(text) {
                text.count((3 * left.start + *line) as u64, width);
                text.word("\n");
                *line = (*line + 1) % 3;
                left.start += usize::from(*line == 0);
            }
        };
        let mut out = Vec::new();
        write_blocks(&mut out, &blocks_of(n_things), push).expect("memory takes everything");
        out
    }

    #[test]
    fn lines_come_in_their_order_whatever_their_number_and_length() {
        for (n_things, width) in [(0, 7), (5, 7), (100_000, 7), (30_000, 700), (3, 60_000)] {
            let printed = print(n_things, width);
            let mut lines = printed.split_inclusive(|&byte| byte == b'\n');
            for number in 0..3 * n_things {
                let line = lines.next().expect("a line for each number");
                assert_eq!(line.len(), width + 1);
                assert_eq!(line.trim_ascii(), number.to_string().as_bytes());
            }
            assert_eq!(lines.next(), None);
        }
    }

    #[test]
    fn what_cannot_be_written_ends_it() {
        struct Closed;
        impl Write for Closed {
            fn write(&mut self, _: &[u8]) -> io::Result<usize> {
                Err(io::ErrorKind::BrokenPipe.into())
            }
            fn flush(&mut self) -> io::Result<()> {
                Ok(())
            }
        }
        for n_things in [1, 100_000] {
            let push = |left: &mut Range<usize>, (): &mut (), text: &mut Text| {
                left.start = left.end;
                text.word("line\n");
            };
            let written = write_blocks(&mut Closed, &blocks_of(n_things), push);
            let error = written.expect_err("nothing can be written");
            assert_eq!(error.kind(), io::ErrorKind::BrokenPipe);
        }
    }
}
