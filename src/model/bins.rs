//! The counters of a histogram, as wide as they were recorded.

/// Ticks by bin.
///
/// Counters have the width that they have on disk until sums need more. Long stretches of
/// zeros need not be there: most of a large program never runs.
#[derive(Clone, Debug, Default)]
pub struct Bins {
    len: usize,
    /// In order and apart. What is in none of them is zero.
    pieces: Vec<Piece>,
}

/// Counters of bins that lie one behind the other.
#[derive(Clone, Debug)]
struct Piece {
    /// The number of the first bin.
    start: usize,
    counters: Counters,
}

/// Counters of one width.
#[derive(Clone, Debug)]
pub enum Counters {
    /// Of a byte.
    Eight(Box<[u8]>),
    /// Of two bytes.
    Sixteen(Box<[u16]>),
    /// Of four bytes.
    ThirtyTwo(Box<[u32]>),
    /// Of eight bytes.
    SixtyFour(Box<[u64]>),
}

impl Bins {
    /// Pieces by their first bin, in order and apart, of `len` bins.
    ///
    /// # Panics
    /// When they are not.
    #[must_use]
    pub fn new(len: usize, pieces: impl IntoIterator<Item = (usize, Counters)>) -> Self {
        let pieces = pieces.into_iter();
        let pieces = pieces.map(|(start, counters)| Piece { start, counters });
        let mut pieces: Vec<Piece> = pieces.collect();
        pieces.retain(|piece| piece.counters.len() > 0);
        let mut end = 0;
        for piece in &pieces {
            assert!(end <= piece.start, "pieces are in order");
            end = piece.end();
        }
        assert!(end <= len, "pieces are of the bins");
        Self { len, pieces }
    }

    /// How many there are.
    #[must_use]
    pub fn len(&self) -> usize {
        self.len
    }

    /// Whether there are none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// The ticks of a bin.
    #[must_use]
    pub fn get(&self, bin: usize) -> u64 {
        let n_before = self.pieces.partition_point(|piece| piece.start <= bin);
        let piece = n_before.checked_sub(1).map(|index| &self.pieces[index]);
        let piece = piece.filter(|piece| bin < piece.end());
        piece.map_or(0, |piece| piece.counters.get(bin - piece.start))
    }

    /// The bins that have ticks, and how many. This is a hot path: what is zero is passed
    /// over in the width that it has.
    pub fn hit(&self) -> impl Iterator<Item = (usize, u64)> + Clone + '_ {
        self.pieces.iter().flat_map(|piece| Hits { piece, next: 0 })
    }

    /// The most ticks of a bin.
    #[must_use]
    pub fn most(&self) -> u64 {
        self.hit().map(|(_, ticks)| ticks).max().unwrap_or(0)
    }

    /// Whether any bin has so many ticks.
    pub(super) fn any_has(&self, ticks: u64) -> bool {
        let mut pieces = self.pieces.iter();
        pieces.any(|piece| piece.counters.any_is(ticks))
    }

    /// Adds the ticks of others. There are as many bins afterwards as the longer has.
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

    /// Makes pieces such that each one of others lies in one of these.
    fn make_room(&mut self, other: &Self) {
        self.len = self.len.max(other.len);
        let is_inside = |piece: &Piece| {
            let n_before = self.pieces.partition_point(|own| own.start <= piece.start);
            let own = n_before.checked_sub(1).map(|index| &self.pieces[index]);
            own.is_some_and(|own| piece.end() <= own.end())
        };
        if other.pieces.iter().all(is_inside) {
            return;
        }
        let mut ranges: Vec<_> = self.pieces.iter().chain(&other.pieces).collect();
        ranges.sort_by_key(|piece| (piece.start, piece.end()));
        let mut joined: Vec<Piece> = Vec::new();
        let mut ranges = ranges
            .into_iter()
            .map(|piece| piece.start..piece.end())
            .peekable();
        while let Some(mut range) = ranges.next() {
            while let Some(next) = ranges.next_if(|next| next.start < range.end) {
                range.end = range.end.max(next.end);
            }
            joined.push(Piece {
                start: range.start,
                counters: Counters::Eight(vec![0; range.len()].into()),
            });
        }
        let wider = Self {
            len: self.len,
            pieces: joined,
        };
        let narrow = std::mem::replace(self, wider);
        self.add(&narrow);
    }
}

impl Piece {
    fn end(&self) -> usize {
        self.start + self.counters.len()
    }
}

/// The bins of a piece that have ticks.
#[derive(Clone)]
struct Hits<'p> {
    piece: &'p Piece,
    /// The next counter to look at.
    next: usize,
}

impl Iterator for Hits<'_> {
    type Item = (usize, u64);

    #[inline]
    fn next(&mut self) -> Option<(usize, u64)> {
        let (n_zeros, ticks) = match &self.piece.counters {
            Counters::Eight(counters) => first_hit(&counters[self.next..])?,
            Counters::Sixteen(counters) => first_hit(&counters[self.next..])?,
            Counters::ThirtyTwo(counters) => first_hit(&counters[self.next..])?,
            Counters::SixtyFour(counters) => first_hit(&counters[self.next..])?,
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
    let n_zeros = counters[n_passed..]
        .iter()
        .position(|&counter| counter != zero)?;
    let n_zeros = n_passed + n_zeros;
    Some((n_zeros, counters[n_zeros].into()))
}

impl Counters {
    fn len(&self) -> usize {
        match self {
            Self::Eight(counters) => counters.len(),
            Self::Sixteen(counters) => counters.len(),
            Self::ThirtyTwo(counters) => counters.len(),
            Self::SixtyFour(counters) => counters.len(),
        }
    }

    fn get(&self, index: usize) -> u64 {
        match self {
            Self::Eight(counters) => counters[index].into(),
            Self::Sixteen(counters) => counters[index].into(),
            Self::ThirtyTwo(counters) => counters[index].into(),
            Self::SixtyFour(counters) => counters[index],
        }
    }

    fn any_is(&self, ticks: u64) -> bool {
        match self {
            Self::Eight(counters) => any_is(counters, ticks),
            Self::Sixteen(counters) => any_is(counters, ticks),
            Self::ThirtyTwo(counters) => any_is(counters, ticks),
            Self::SixtyFour(counters) => any_is(counters, ticks),
        }
    }

    /// Adds counters from the one at an index on, in a larger width where sums need it.
    fn add(&mut self, start: usize, other: &Self) {
        let mut n_done = 0;
        while let Err(n_added) = self.add_narrow(start, other, n_done) {
            n_done = n_added;
            self.widen();
        }
    }

    /// Adds those from the one numbered `from` on, up to one that would not fit, whose
    /// number is the error.
    fn add_narrow(&mut self, start: usize, other: &Self, from: usize) -> Result<(), usize> {
        use Counters::{Eight, Sixteen, SixtyFour, ThirtyTwo};
        match (self, other) {
            (Eight(sums), Eight(more)) => {
                add_quickly(&mut sums[start..], more, from, u8::wrapping_add)
            }
            (Sixteen(sums), Eight(more)) => {
                add_quickly(&mut sums[start..], more, from, u16::wrapping_add)
            }
            (Sixteen(sums), Sixteen(more)) => {
                add_quickly(&mut sums[start..], more, from, u16::wrapping_add)
            }
            (ThirtyTwo(sums), Eight(more)) => {
                add_quickly(&mut sums[start..], more, from, u32::wrapping_add)
            }
            (ThirtyTwo(sums), Sixteen(more)) => {
                add_quickly(&mut sums[start..], more, from, u32::wrapping_add)
            }
            (ThirtyTwo(sums), ThirtyTwo(more)) => {
                add_quickly(&mut sums[start..], more, from, u32::wrapping_add)
            }
            (Eight(sums), other) => add_each(&mut sums[start..], other, from),
            (Sixteen(sums), other) => add_each(&mut sums[start..], other, from),
            (ThirtyTwo(sums), other) => add_each(&mut sums[start..], other, from),
            (SixtyFour(sums), other) => {
                for (sum, index) in sums[start..].iter_mut().zip(0..other.len()).skip(from) {
                    *sum = sum.saturating_add(other.get(index));
                }
                Ok(())
            }
        }
    }

    fn widen(&mut self) {
        *self = match &*self {
            Self::Eight(counters) => Self::Sixteen(wide(counters)),
            Self::Sixteen(counters) => Self::ThirtyTwo(wide(counters)),
            Self::ThirtyTwo(counters) => Self::SixtyFour(wide(counters)),
            Self::SixtyFour(counters) => Self::SixtyFour(counters.clone()),
        };
    }
}

/// Looks at all of them: to go on after a match is less work than to stop there.
fn any_is<T: Copy + PartialEq + TryFrom<u64>>(counters: &[T], ticks: u64) -> bool {
    T::try_from(ticks).is_ok_and(|ticks| {
        let several = counters.chunks(1024);
        several.fold(false, |found, several| {
            found
                | several
                    .iter()
                    .fold(false, |found, &one| found | (one == ticks))
        })
    })
}

fn wide<T: Copy, W: From<T>>(counters: &[T]) -> Box<[W]> {
    counters.iter().map(|&counter| counter.into()).collect()
}

/// Adds counters that are no wider than the sums, from the one numbered `from` on. A sum
/// that does not fit ends it: the counter stays as it was. This is a hot path: all of
/// several are added before it is asked whether they fit.
fn add_quickly<T, A>(
    sums: &mut [T],
    added: &[A],
    from: usize,
    wrapping_add: impl Fn(T, T) -> T,
) -> Result<(), usize>
where
    T: Copy + Default + Ord + From<A> + Into<u64> + TryFrom<u64>,
    A: Copy + Into<u64>,
{
    const AT_ONCE: usize = 32;
    let (sums, added) = (&mut sums[from..added.len()], &added[from..]);
    let (several_sums, rest) = sums.as_chunks_mut::<AT_ONCE>();
    let (several, last) = added.as_chunks::<AT_ONCE>();
    let mut n_done = from;
    for (sums, added) in several_sums.iter_mut().zip(several) {
        let mut totals = [T::default(); AT_ONCE];
        let mut fits = true;
        for index in 0..AT_ONCE {
            totals[index] = wrapping_add(sums[index], T::from(added[index]));
            fits &= totals[index] >= sums[index];
        }
        if !fits {
            return add_all(sums, added).map_err(|index| n_done + index);
        }
        *sums = totals;
        n_done += AT_ONCE;
    }
    add_all(rest, last).map_err(|index| n_done + index)
}

/// The same for counters of any width.
fn add_each<T>(sums: &mut [T], other: &Counters, from: usize) -> Result<(), usize>
where
    T: Copy + Into<u64> + TryFrom<u64>,
{
    let sums = &mut sums[from..];
    let added = match other {
        Counters::Eight(counters) => add_all(sums, &counters[from..]),
        Counters::Sixteen(counters) => add_all(sums, &counters[from..]),
        Counters::ThirtyTwo(counters) => add_all(sums, &counters[from..]),
        Counters::SixtyFour(counters) => add_all(sums, &counters[from..]),
    };
    added.map_err(|index| from + index)
}

fn add_all<T, A>(sums: &mut [T], added: &[A]) -> Result<(), usize>
where
    T: Copy + Into<u64> + TryFrom<u64>,
    A: Copy + Into<u64>,
{
    for (index, (sum, &more)) in sums.iter_mut().zip(added).enumerate() {
        let (old, more): (u64, u64) = ((*sum).into(), more.into());
        let total = old.checked_add(more).ok_or(index)?;
        *sum = T::try_from(total).map_err(|_| index)?;
    }
    Ok(())
}

/// The same ticks in the same bins, whatever their width.
impl PartialEq for Bins {
    fn eq(&self, other: &Self) -> bool {
        self.len == other.len && self.hit().eq(other.hit())
    }
}

impl Eq for Bins {}

/// Counters of eight bytes.
impl<T: AsRef<[u64]>> From<T> for Bins {
    fn from(ticks: T) -> Self {
        let ticks = ticks.as_ref();
        Self::new(ticks.len(), [(0, Counters::SixtyFour(ticks.into()))])
    }
}

#[cfg(test)]
mod tests;
