//! Input bytes without long runs of zeros.
//!
//! The histogram of a large program is mostly zeros, and compresses to a thousandth. When a
//! large input is decompressed, zeros are counted but not stored.

use super::error::{Position, ReadError, ReadErrorKind};

/// Granularity in bytes.
const BLOCK: usize = 4096;

const ZEROS: [u8; BLOCK] = [0; BLOCK];

/// A run of zeros that is not stored, between stored bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Gap {
    /// Offset in the complete input.
    start: usize,
    /// Number of stored bytes before it.
    n_kept: usize,
    len: usize,
}

/// Stores bytes without long runs of zeros.
#[derive(Debug, Default)]
pub(super) struct SparseWriter {
    kept: Vec<u8>,
    gaps: Vec<Gap>,
    /// Bytes taken, without `rest`.
    len: usize,
    /// Blocks of zeros that are neither stored nor in a gap yet.
    n_zero_blocks: usize,
    /// The last, incomplete block.
    rest: Vec<u8>,
}

impl SparseWriter {
    pub(super) fn push(&mut self, mut bytes: &[u8]) {
        if !self.rest.is_empty() {
            let n_missing = (BLOCK - self.rest.len()).min(bytes.len());
            self.rest.extend(&bytes[..n_missing]);
            bytes = &bytes[n_missing..];
            if self.rest.len() == BLOCK {
                let block = std::mem::take(&mut self.rest);
                self.push_block(&block);
            }
        }
        let (blocks, rest) = bytes.as_chunks::<BLOCK>();
        for block in blocks {
            self.push_block(block);
        }
        self.rest.extend(rest);
    }

    fn push_block(&mut self, block: &[u8]) {
        if block == ZEROS {
            self.n_zero_blocks += 1;
        } else {
            self.end_zeros();
            self.kept.extend(block);
        }
        self.len += block.len();
    }

    fn end_zeros(&mut self) {
        let n_zeros = std::mem::take(&mut self.n_zero_blocks) * BLOCK;
        if let Some(len @ 1..) = n_zeros.checked_sub(2 * BLOCK) {
            self.kept.extend(ZEROS);
            self.gaps.push(Gap { start: self.len - n_zeros + BLOCK, n_kept: self.kept.len(), len });
            self.kept.extend(ZEROS);
        } else {
            self.kept.extend(std::iter::repeat_n(0, n_zeros));
        }
    }

    pub(super) fn n_kept(&self) -> usize {
        self.kept.len() + self.rest.len()
    }

    /// The stored bytes, and the gaps.
    pub(super) fn finish(mut self) -> (Vec<u8>, Vec<Gap>) {
        self.end_zeros();
        self.kept.append(&mut self.rest);
        (self.kept, self.gaps)
    }
}

#[derive(Clone, Copy, Debug)]
pub(super) struct Bytes<'a> {
    kept: &'a [u8],
    /// Ascending.
    gaps: &'a [Gap],
}

impl<'a, T: AsRef<[u8]> + ?Sized> From<&'a T> for Bytes<'a> {
    fn from(kept: &'a T) -> Self {
        let kept = kept.as_ref();
        Self { kept, gaps: &[] }
    }
}

/// Some of the bytes are in a gap.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct InGap;

/// Pieces of bytes, each with its offset. Zeros are between them.
pub(super) type Pieces<'a> = Vec<(usize, &'a [u8])>;

impl<'a> Bytes<'a> {
    /// The result of [`SparseWriter::finish`].
    pub(super) fn with_gaps(kept: &'a [u8], gaps: &'a [Gap]) -> Self {
        Self { kept, gaps }
    }

    /// Number of bytes, including gaps.
    pub(super) fn len(&self) -> usize {
        let in_gaps: usize = self.gaps.iter().map(|gap| gap.len).sum();
        self.kept.len() + in_gaps
    }

    /// All bytes, for formats without long runs of zeros.
    ///
    /// # Errors
    /// If there is a gap.
    pub(super) fn whole(&self) -> Result<&'a [u8], ReadError> {
        let no_gap = self.gaps.is_empty().then_some(self.kept);
        no_gap.ok_or_else(|| ReadError {
            position: Position::Byte(self.start().len() as u64),
            kind: ReadErrorKind::TooLarge { what: "bytes" },
        })
    }

    /// The bytes before the first gap.
    pub(super) fn start(&self) -> &'a [u8] {
        let end = self.gaps.first().map_or(self.kept.len(), |gap| gap.n_kept);
        &self.kept[..end]
    }

    /// The bytes that identify a format: explanations may come before its first line, and a
    /// stack may be long.
    pub(super) fn head(&self) -> &'a [u8] {
        let start = self.start();
        &start[..start.len().min(1 << 18)]
    }

    /// A range of bytes, if it exists.
    pub(super) fn get(&self, start: usize, size: usize) -> Option<Result<&'a [u8], InGap>> {
        if self.gaps.is_empty() {
            return self.kept.get(start..)?.get(..size).map(Ok);
        }
        let end = start.checked_add(size).filter(|&end| end <= self.len())?;
        let n_before = self.gaps.partition_point(|gap| gap.end() <= start);
        let next = self.gaps.get(n_before).map_or(usize::MAX, |gap| gap.start);
        if end > next && size > 0 {
            return Some(Err(InGap));
        }
        let in_gaps: usize = self.gaps[..n_before].iter().map(|gap| gap.len).sum();
        Some(self.kept.get(start.min(next) - in_gaps..)?.get(..size).ok_or(InGap))
    }

    /// The stored pieces of a range. Each starts and ends at a multiple of `step` (at most
    /// 4096) from the start of the range, except at its end.
    pub(super) fn pieces(&self, start: usize, size: usize, step: usize) -> Pieces<'a> {
        let end = start + size;
        let mut pieces = Vec::new();
        let (mut from, mut in_gaps) = (start, 0);
        for gap in self.gaps {
            // Zeros on both sides of a gap make room for steps.
            let stop = start + (gap.start.saturating_sub(start)).div_ceil(step) * step;
            let stop = stop.min(gap.start.max(from)).min(end);
            let stop = start + (stop - start) / step * step;
            if from < stop {
                pieces.push((from - start, &self.kept[from - in_gaps..stop - in_gaps]));
            }
            in_gaps += gap.len;
            if gap.end() > from {
                from = gap.end().max(start);
                from = start + (from - start).div_ceil(step) * step;
            }
        }
        if from < end {
            pieces.push((from - start, &self.kept[from - in_gaps..end - in_gaps]));
        }
        pieces
    }
}

impl Gap {
    fn end(&self) -> usize {
        self.start + self.len
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Bytes with runs of zeros of many lengths.
    fn all() -> Vec<u8> {
        let mut all = Vec::new();
        for (n_zeros, n_others) in [(3, 5), (50_000, 1), (9_000, 7_777), (20_481, 3), (70_001, 0)] {
            all.extend(std::iter::repeat_n(0, n_zeros));
            all.extend((0..n_others).map(|index: usize| index.to_le_bytes()[0] | 1));
        }
        all
    }

    fn sparse(all: &[u8], at_once: usize) -> (Vec<u8>, Vec<Gap>) {
        let mut writer = SparseWriter::default();
        all.chunks(at_once).for_each(|bytes| writer.push(bytes));
        writer.finish()
    }

    #[test]
    fn zeros_are_left_out_and_counted() {
        let all = all();
        let expected = sparse(&all, all.len());
        assert!(expected.0.len() < 60_000 && expected.1.len() == 3, "{:?}", expected.1);
        for at_once in [1, 7, 4095, 4096, 4097, 100_000] {
            assert_eq!(sparse(&all, at_once), expected);
        }
        assert_eq!(Bytes::with_gaps(&expected.0, &expected.1).len(), all.len());
    }

    #[test]
    fn what_is_kept_is_as_it_was() {
        let all = all();
        let (kept, gaps) = sparse(&all, 1000);
        let bytes = Bytes::with_gaps(&kept, &gaps);
        let mut n_in_gaps = 0;
        for start in (0..=all.len()).step_by(61) {
            for size in [0, 1, 24, 5000] {
                match bytes.get(start, size) {
                    None => assert!(start + size > all.len()),
                    Some(Ok(found)) => assert_eq!(found, &all[start..start + size]),
                    Some(Err(InGap)) => n_in_gaps += 1,
                }
            }
        }
        assert!(n_in_gaps > 100);
    }

    #[test]
    fn pieces_are_all_that_is_not_zero() {
        let all = all();
        let (kept, gaps) = sparse(&all, 1000);
        let bytes = Bytes::with_gaps(&kept, &gaps);
        for (start, end) in
            [(0, all.len()), (1, 60_003), (30_001, 30_101), (51_000, 90_000), (7, 7)]
        {
            for step in [1, 2, 4, 8] {
                let size = (end - start) / step * step;
                let mut found = vec![0; size];
                for (at, piece) in bytes.pieces(start, size, step) {
                    assert!(at % step == 0 && piece.len() % step == 0);
                    found[at..at + piece.len()].copy_from_slice(piece);
                }
                assert_eq!(found, &all[start..start + size], "{start} {end} {step}");
            }
        }
    }
}
