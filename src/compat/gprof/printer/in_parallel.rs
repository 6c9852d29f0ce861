//! Renders lines in several threads and writes them in order.
//!
//! A line may have a name of any length: a full block stops, and the rest of its lines are
//! written piece by piece in its turn. So the memory is limited to some blocks.

use std::io::{self, Write};
use std::ops::Range;

use crate::report::Text;
use crate::threads;

/// Usual number of lines in a block. Fewer need no other thread.
const LINES: usize = 1 << 11;

/// Size of a full block in bytes.
const FULL: usize = 1 << 19;

/// Ranges of items with about as many lines as a block.
pub(super) fn blocks_of(n_things: usize, n_lines_of: impl Fn(usize) -> usize) -> Vec<Range<usize>> {
    threads::blocks(n_things, LINES, n_lines_of)
}

/// Writes blocks of items. `push` adds the next line of an item and returns whether it was
/// the last; it may keep a state between the lines of a block.
pub(super) fn write_blocks<S: Default + Send>(
    out: &mut dyn Write,
    blocks: &[Range<usize>],
    push: impl Fn(usize, &mut S, &mut Text) -> bool + Sync,
) -> io::Result<()> {
    let fill = |block: &mut PrintedBlock<S>| {
        while !block.left.is_empty() && block.text.len() < FULL {
            let is_done = push(block.left.start, &mut block.state, &mut block.text);
            block.left.start += usize::from(is_done);
        }
    };
    let make = |range: &Range<usize>, block: &mut PrintedBlock<S>| {
        block.left = range.clone();
        fill(block);
    };
    threads::ordered(blocks, make, |block| {
        block.text.write(out)?;
        while !block.left.is_empty() {
            fill(block);
            block.text.write(out)?;
        }
        Ok(())
    })
}

/// A range of items, and its text so far.
#[derive(Default)]
struct PrintedBlock<S> {
    left: Range<usize>,
    state: S,
    text: Text,
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Every item has three lines, each as long as `width`; a state counts lines.
    fn print(n_things: usize, width: usize) -> Vec<u8> {
        let push = |thing: usize, line: &mut usize, text: &mut Text| {
            text.count((3 * thing + *line) as u64, width);
            text.word("\n");
            *line = (*line + 1) % 3;
            *line == 0
        };
        let mut out = Vec::new();
        let blocks = blocks_of(n_things, |_| 3);
        write_blocks(&mut out, &blocks, push).expect("memory takes everything");
        out
    }

    #[test]
    fn lines_of_any_number_and_length_stay_in_order() {
        let part = if cfg!(debug_assertions) { 10 } else { 1 };
        let sizes = [(0, 7), (5, 7), (100_000 / part, 7), (30_000 / part, 700), (3, 60_000)];
        for (n_things, width) in sizes {
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
    fn a_write_error_ends_it() {
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
            let push = |_, (): &mut (), text: &mut Text| {
                text.word("line\n");
                true
            };
            let written = write_blocks(&mut Closed, &blocks_of(n_things, |_| 1), push);
            let error = written.expect_err("nothing can be written");
            assert_eq!(error.kind(), io::ErrorKind::BrokenPipe);
        }
    }
}
