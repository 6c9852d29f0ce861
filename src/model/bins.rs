//! Histogram counters, in the width that the file recorded.

/// Ticks by bin. Long runs of zeros are not stored, because most of a large program never
/// runs.
#[derive(Clone, Debug, Default)]
pub struct Bins {
    len: usize,
    /// Ascending and disjoint. All other bins are zero.
    pieces: Vec<CounterRange>,
}

/// Consecutive counters.
#[derive(Clone, Debug)]
struct CounterRange {
    start: usize,
    counters: Counters,
}

#[derive(Clone, Debug)]
pub enum Counters {
    /// 16 bits: nearly all files, and sums that fit.
    Narrow(Box<[u16]>),
    Wide(Box<[u64]>),
}

impl Bins {
    /// `pieces` by their first bin, ascending and disjoint, below `len`.
    ///
    /// # Panics
    /// If they overlap or exceed `len`.
    pub fn new(len: usize, pieces: impl IntoIterator<Item = (usize, Counters)>) -> Self {
        let pieces = pieces.into_iter();
        let pieces = pieces.map(|(start, counters)| CounterRange { start, counters });
        let mut pieces: Vec<CounterRange> = pieces.collect();
        pieces.retain(|piece| piece.counters.len() > 0);
        let mut end = 0;
        for piece in &pieces {
            assert!(end <= piece.start, "pieces are in order");
            end = piece.end();
        }
        assert!(end <= len, "pieces are of the bins");
        Self { len, pieces }
    }

    pub fn len(&self) -> usize {
        self.len
    }

    pub fn is_empty(&self) -> bool {
        self.len == 0
    }

    pub fn get(&self, bin: usize) -> u64 {
        let n_before = self.pieces.partition_point(|piece| piece.start <= bin);
        let piece = n_before.checked_sub(1).map(|index| &self.pieces[index]);
        let piece = piece.filter(|piece| bin < piece.end());
        piece.map_or(0, |piece| piece.counters.get(bin - piece.start))
    }

    /// Bins with ticks: index and ticks, ascending. A hot path: it skips zeros in the
    /// recorded width.
    pub fn hit(&self) -> impl Iterator<Item = (usize, u64)> + Clone + '_ {
        self.pieces.iter().flat_map(|piece| Hits { piece, next: 0 })
    }

    /// The ticks of all bins.
    pub fn total(&self) -> u64 {
        self.pieces.iter().map(|piece| piece.counters.total()).fold(0, u64::saturating_add)
    }

    pub fn most(&self) -> u64 {
        self.hit().map(|(_, ticks)| ticks).max().unwrap_or(0)
    }

    pub(super) fn any_has(&self, ticks: u64) -> bool {
        let mut pieces = self.pieces.iter();
        pieces.any(|piece| piece.counters.any_is(ticks))
    }

    /// Adds the ticks of `other`. The result has the larger number of bins.
    pub(super) fn add(&mut self, other: &Self) {
        self.make_room(other);
        let mut index = 0;
        for piece in &other.pieces {
            while self.pieces[index].end() <= piece.start {
                index += 1;
            }
            let own = &mut self.pieces[index];
            own.counters.add(piece.start - own.start, &piece.counters);
        }
    }

    /// Extends the pieces so that each piece of `other` lies within one of them.
    fn make_room(&mut self, other: &Self) {
        self.len = self.len.max(other.len);
        let is_inside = |piece: &CounterRange| {
            let n_before = self.pieces.partition_point(|own| own.start <= piece.start);
            let own = n_before.checked_sub(1).map(|index| &self.pieces[index]);
            own.is_some_and(|own| piece.end() <= own.end())
        };
        if other.pieces.iter().all(is_inside) {
            return;
        }
        let mut ranges: Vec<_> = self.pieces.iter().chain(&other.pieces).collect();
        ranges.sort_by_key(|piece| (piece.start, piece.end()));
        let mut joined: Vec<CounterRange> = Vec::new();
        let mut ranges = ranges.into_iter().map(|piece| piece.start..piece.end()).peekable();
        while let Some(mut range) = ranges.next() {
            while let Some(next) = ranges.next_if(|next| next.start < range.end) {
                range.end = range.end.max(next.end);
            }
            joined.push(CounterRange {
                start: range.start,
                counters: Counters::Narrow(vec![0; range.len()].into()),
            });
        }
        let wider = Self { len: self.len, pieces: joined };
        let narrow = std::mem::replace(self, wider);
        self.add(&narrow);
    }
}

impl CounterRange {
    fn end(&self) -> usize {
        self.start + self.counters.len()
    }
}

/// Iterator over the bins of one piece that have ticks.
#[derive(Clone)]
struct Hits<'p> {
    piece: &'p CounterRange,
    /// Index of the next counter.
    next: usize,
}

impl Iterator for Hits<'_> {
    type Item = (usize, u64);

    #[inline]
    fn next(&mut self) -> Option<(usize, u64)> {
        let (n_zeros, ticks) = match &self.piece.counters {
            Counters::Narrow(counters) => first_hit(&counters[self.next..])?,
            Counters::Wide(counters) => first_hit(&counters[self.next..])?,
        };
        let bin = self.piece.start + self.next + n_zeros;
        self.next += n_zeros + 1;
        Some((bin, ticks))
    }
}

#[inline]
fn first_hit<T: Copy + Default + PartialEq + Into<u64>>(counters: &[T]) -> Option<(usize, u64)> {
    let zero = T::default();
    // Several at a time are one comparison.
    let (several, _) = counters.as_chunks::<8>();
    let is_zero = |chunk: &&[T; 8]| **chunk == [zero; 8];
    let n_passed = 8 * several.iter().take_while(is_zero).count();
    let n_zeros = counters[n_passed..].iter().position(|&counter| counter != zero)?;
    let n_zeros = n_passed + n_zeros;
    Some((n_zeros, counters[n_zeros].into()))
}

impl Counters {
    fn len(&self) -> usize {
        match self {
            Self::Narrow(counters) => counters.len(),
            Self::Wide(counters) => counters.len(),
        }
    }

    fn get(&self, index: usize) -> u64 {
        match self {
            Self::Narrow(counters) => counters[index].into(),
            Self::Wide(counters) => counters[index],
        }
    }

    fn total(&self) -> u64 {
        match self {
            Self::Narrow(counters) => counters.iter().map(|&counter| u64::from(counter)).sum(),
            Self::Wide(counters) => counters.iter().copied().fold(0, u64::saturating_add),
        }
    }

    fn any_is(&self, ticks: u64) -> bool {
        match self {
            Self::Narrow(counters) => any_is(counters, ticks),
            Self::Wide(counters) => any_is(counters, ticks),
        }
    }

    /// Adds counters from index `start` on. Widens the counters if a sum does not fit; the
    /// widest saturate.
    fn add(&mut self, start: usize, other: &Self) {
        if let (Self::Narrow(sums), Self::Narrow(more)) = (&mut *self, other) {
            let sums = &mut sums[start..start + more.len()];
            // To go on after one that does not fit is less work than to stop there.
            let pairs = sums.iter().zip(more);
            if pairs.fold(true, |fit, (sum, more)| fit & (u16::MAX - sum >= *more)) {
                for (sum, more) in sums.iter_mut().zip(more) {
                    *sum += more;
                }
                return;
            }
        }
        let sums = self.widen();
        for (index, sum) in (0..other.len()).zip(&mut sums[start..]) {
            *sum = sum.saturating_add(other.get(index));
        }
    }

    fn widen(&mut self) -> &mut [u64] {
        if let Self::Narrow(counters) = self {
            *self = Self::Wide(counters.iter().copied().map(u64::from).collect());
        }
        match self {
            Self::Wide(counters) => counters,
            Self::Narrow(_) => unreachable!("they were made wide"),
        }
    }
}

/// Visits all counters: an early exit is slower than the complete loop.
fn any_is<T: Copy + PartialEq + TryFrom<u64>>(counters: &[T], ticks: u64) -> bool {
    T::try_from(ticks).is_ok_and(|ticks| {
        let is_there = |found, &one: &T| found | (one == ticks);
        let mut chunks = counters.chunks(1024);
        chunks.any(|chunk| chunk.iter().fold(false, is_there))
    })
}

/// Compares ticks by bin, not the stored width.
impl PartialEq for Bins {
    fn eq(&self, other: &Self) -> bool {
        self.len == other.len && self.hit().eq(other.hit())
    }
}

impl Eq for Bins {}

impl<T: AsRef<[u64]>> From<T> for Bins {
    fn from(ticks: T) -> Self {
        let ticks = ticks.as_ref();
        Self::new(ticks.len(), [(0, Counters::Wide(ticks.into()))])
    }
}

#[cfg(test)]
mod tests;
