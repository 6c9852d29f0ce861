//! The texts of whole samples: a first line, the lines of a stack and a blank line.
//!
//! Most samples repeat the callers of another one. These are known by the hash of their lines, from
//! the outermost one.

use super::super::seen_stacks::{StackHash, StackKeys};
use super::super::text_lines::line_end;
use super::lines::{SampleHeader, behind_address};

/// A line end, and a blank line.
const END: &[u8] = b"\n\n";

/// The bytes that a thread reads at once.
const PIECE: usize = 1 << 18;

/// Maximum size of a sample to look up. The limit of frames is checked in longer ones.
const MAX_SIZE: usize = 1 << 17;

/// The text of a sample, without the blank line.
#[derive(Clone, Copy)]
pub(super) struct SampleText<'a> {
    /// The first line.
    pub(super) header: &'a [u8],
    /// The lines of the stack.
    pub(super) stack: &'a [u8],
}

impl<'a> SampleText<'a> {
    /// The samples of a text that ends with a blank line.
    pub(super) fn all(mut text: &'a [u8]) -> impl Iterator<Item = Self> {
        let finder = memchr::memmem::Finder::new(END);
        std::iter::from_fn(move || {
            let end = finder.find(text)?;
            let sample = &text[..=end];
            text = &text[end + END.len()..];
            let (header, stack) = sample.split_at(line_end(sample));
            Some(Self { header: &header[..header.len() - 1], stack })
        })
    }

    /// The contents of the first line, if it starts a sample whose stack can be looked up.
    pub(super) fn header(&self) -> Option<SampleHeader<'a>> {
        let can_be_known = !self.header.starts_with(b"#") && self.stack.len() <= MAX_SIZE;
        let header = SampleHeader::parse(Some(self.header).filter(|_| can_be_known)?)?;
        header.inline_frame.is_none().then_some(header)
    }

    /// The line of the innermost frame without its address, if it is all before `callers`.
    pub(super) fn only_frame_before(&self, callers: usize) -> Option<&'a [u8]> {
        let line = self.stack.get(..callers)?;
        let is_one = line.starts_with(b"\t") && line_end(line) == line.len();
        behind_address(line).filter(|_| is_one)
    }

    /// The number of its bytes, with the blank line.
    pub(super) fn len(&self) -> usize {
        self.header.len() + self.stack.len() + 2
    }

    /// The number of its lines, with the blank one.
    pub(super) fn n_lines(&self) -> u64 {
        2 + memchr::memchr_iter(b'\n', self.stack).count() as u64
    }
}

/// Lists the frames of a stack from the outermost one: the start of the line of each, and the hash
/// of the lines from there to the end, and of the lines after these, whose hash is given.
pub(super) fn hash_frames(
    stack: &[u8],
    mut hash: StackHash,
    keys: &StackKeys,
    frames: &mut Vec<(usize, StackHash)>,
) {
    frames.clear();
    let mut end = stack.len();
    while end > 0 {
        let start = memchr::memrchr(b'\n', &stack[..end - 1]).map_or(0, |before| before + 1);
        hash = keys.step(hash, &stack[start..end]);
        // The source line of a frame may follow it.
        if stack[start] == b'\t' {
            frames.push((start, hash));
        }
        end = start;
    }
}

/// Cuts a text of samples, which ends with a blank line, into pieces for threads.
pub(super) fn pieces(mut text: &[u8]) -> Vec<&[u8]> {
    let mut pieces = Vec::new();
    while !text.is_empty() {
        let end = text.get(PIECE..).and_then(|text| memchr::memmem::find(text, END));
        let (piece, rest) = text.split_at(end.map_or(text.len(), |end| PIECE + end + END.len()));
        pieces.push(piece);
        text = rest;
    }
    pieces
}

/// The end of the last sample in a text.
pub(super) fn end_of_last(text: &[u8]) -> usize {
    memchr::memmem::rfind(text, END).map_or(0, |end| end + END.len())
}
