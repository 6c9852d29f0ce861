//! Finds the last symbol that starts at or before an address: for both ends of every arc, so
//! it is a hot path.
//!
//! The address range is divided into equal parts, about one for each symbol. A table has the
//! number of symbols before each part, so that a search compares only those within a part.

use crate::model::Address;

/// Ascending start addresses.
#[derive(Clone, Debug, Default)]
pub(super) struct Starts {
    starts: Box<[Address]>,
    /// The number of starts before each part, and the total.
    n_before: Box<[u32]>,
    /// A part has 2 to the power of this many bytes.
    part_bits: u32,
}

impl Starts {
    /// `starts` must be ascending.
    pub(super) fn new(starts: Box<[Address]>) -> Self {
        let (Some(first), Some(last)) = (starts.first(), starts.last()) else {
            return Self::default();
        };
        let n_bytes = last.0 - first.0;
        let bytes_each = n_bytes / starts.len() as u64 + 1;
        let part_bits = bytes_each.ilog2();
        let part_of = |address: &Address| (address.0 - first.0) >> part_bits;
        let n_code_ranges = part_of(last) + 1;
        let mut n_before = Vec::new();
        let mut rest = (0u32..).zip(&starts).peekable();
        for code_range in 0..=n_code_ranges {
            while rest.next_if(|(_, start)| part_of(start) < code_range).is_some() {}
            let n_starts = u32::try_from(starts.len()).unwrap_or(u32::MAX);
            n_before.push(rest.peek().map_or(n_starts, |&(index, _)| index));
        }
        Self { n_before: n_before.into(), starts, part_bits }
    }

    /// Index of the last start at or before an address.
    pub(super) fn last_at_or_before(&self, address: Address) -> Option<usize> {
        let first = self.starts.first()?;
        let code_range = address.0.checked_sub(first.0)? >> self.part_bits;
        let code_range = usize::try_from(code_range).unwrap_or(usize::MAX);
        let bounds = self.n_before.get(code_range..).and_then(|rest| rest.first_chunk());
        let Some(&[from, to]) = bounds else {
            return self.starts.len().checked_sub(1);
        };
        let (from, to) = (from as usize, to as usize);
        let n_inside = self.starts[from..to].partition_point(|&start| start <= address);
        (from + n_inside).checked_sub(1)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_address_has_the_last_start_before_it() {
        let lists: [&[u64]; 5] = [
            &[5],
            &[0, 1, 2, 3],
            &[16, 17, 18, 1000],
            &[0, u64::MAX],
            &[100, 200, 300, 400, 401, 1 << 40],
        ];
        for list in lists {
            let starts: Box<[Address]> = list.iter().map(|&start| Address(start)).collect();
            let index = Starts::new(starts);
            let around = |&start: &u64| [start.wrapping_sub(1), start, start.wrapping_add(1)];
            for address in list.iter().flat_map(around) {
                let expected = list.partition_point(|&start| start <= address).checked_sub(1);
                let found = index.last_at_or_before(Address(address));
                assert_eq!(found, expected, "{address} in {list:?}");
            }
        }
        assert_eq!(Starts::default().last_at_or_before(Address(0)), None);
    }
}
