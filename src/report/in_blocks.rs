//! Makes blocks of text in several threads and writes them in order.

use std::io;
use std::ops::Range;

use super::Text;
use super::text::PIECE;
use crate::threads;

/// Maximum size in bytes of a block made in advance. Larger blocks are made again in their turn,
/// and written immediately: one long name may be in many lines.
const LARGEST: usize = 1 << 20;

/// The items of a block.
pub struct BlockItems<'p> {
    pub items: Range<usize>,
    /// Writes parts of the block, in its turn.
    write: Option<&'p mut Write<'p>>,
}

/// Writes a block and clears it.
pub type Write<'w> = dyn FnMut(&mut Text) -> io::Result<()> + 'w;

impl BlockItems<'_> {
    /// Limits the text of the block so far, after each line.
    ///
    /// # Errors
    /// If it cannot be written, or is too large to be made in advance.
    pub fn flush(&mut self, block: &mut Text) -> io::Result<()> {
        match &mut self.write {
            Some(write) if block.len() >= PIECE => write(block),
            None if block.len() > LARGEST => Err(io::ErrorKind::FileTooLarge.into()),
            _ => Ok(()),
        }
    }
}

/// Text of a block, or items to make again.
#[derive(Default)]
struct MadeBlock {
    items: Range<usize>,
    text: Text,
    is_whole: bool,
}

/// Makes the text of each block with `make`, and passes it to `write`, which clears it.
///
/// # Errors
/// The first error of `write`; no later block is written.
pub fn write_blocks(
    blocks: &[Range<usize>],
    write: &mut Write<'_>,
    make: &(dyn Fn(&mut Text, BlockItems<'_>) -> io::Result<()> + Sync),
) -> io::Result<()> {
    let make_block = |items: &Range<usize>, block: &mut MadeBlock| {
        block.items = items.clone();
        let in_advance = BlockItems { items: items.clone(), write: None };
        block.is_whole = make(&mut block.text, in_advance).is_ok();
        if !block.is_whole {
            block.text = Text::default();
        }
    };
    threads::ordered(blocks, make_block, |block: &mut MadeBlock| {
        if !block.is_whole {
            let items = block.items.clone();
            make(&mut block.text, BlockItems { items, write: Some(&mut *write) })?;
        }
        write(&mut block.text)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    const N_LINES: usize = 1 << 10;

    /// Writes a line for each item, except for every tenth.
    fn written(
        n_items: usize,
        line: impl Fn(usize) -> String + Sync,
        write: &mut Write<'_>,
    ) -> io::Result<()> {
        write_blocks(&threads::blocks(n_items, N_LINES, |_| 1), write, &|text, mut part| {
            for item in part.items.clone().filter(|item| !item.is_multiple_of(10)) {
                text.word(line(item));
                part.flush(text)?;
            }
            Ok(())
        })
    }

    fn expected(n_items: usize, line: impl Fn(usize) -> String) -> String {
        (0..n_items).filter(|item| !item.is_multiple_of(10)).map(line).collect()
    }

    #[test]
    fn blocks_are_never_long_however_long_their_lines_are() {
        let (mut all, mut longest) = (Vec::new(), 0);
        let line = |item: usize| format!("{item:05000}\n");
        let done = written(2 * N_LINES, line, &mut |text| {
            longest = longest.max(text.len());
            text.write(&mut all)
        });
        assert!(done.is_ok());
        assert!(longest <= LARGEST, "{longest} bytes");
        assert!(all == expected(2 * N_LINES, line).into_bytes());
    }

    #[test]
    fn blocks_are_written_in_the_order_of_their_items() {
        for n_items in [0, 1, N_LINES, 2 * N_LINES, 100 * N_LINES + 7] {
            let (mut all, line) = (Vec::new(), |item: usize| format!("{item}\n"));
            let done = written(n_items, line, &mut |text| text.write(&mut all));
            assert!(done.is_ok());
            assert_eq!(String::from_utf8_lossy(&all), expected(n_items, line));
        }
    }

    #[test]
    fn nothing_is_written_behind_what_cannot_be_written() {
        let mut n_written = 0;
        let done = written(100 * N_LINES, |item| format!("{item}\n"), &mut |_| {
            n_written += 1;
            if n_written == 3 { Err(io::Error::other("full")) } else { Ok(()) }
        });
        assert!(done.is_err());
        assert_eq!(n_written, 3);
    }
}
