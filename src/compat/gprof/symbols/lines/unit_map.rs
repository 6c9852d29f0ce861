//! Which units to ask about an address.

use super::address_map::AddressMap;
use super::pieces::{self, Interval};
use super::ranges::AddressRange;

/// Units that may be asked in turn at one address. Real files need one, or two
/// where a discarded function was left at address zero.
const MAX_CANDIDATES: usize = 8;

/// The first units, in file order, that cover an address.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(super) struct Candidates {
    units: [u32; MAX_CANDIDATES],
    count: u8,
}

impl Candidates {
    pub(super) fn iter(&self) -> impl Iterator<Item = usize> {
        let units = &self.units[..usize::from(self.count)];
        // Counted as `usize` where they came from.
        units.iter().filter_map(|&unit| usize::try_from(unit).ok())
    }

    fn first_of(units: impl Iterator<Item = u32>) -> Candidates {
        let mut candidates = Candidates::default();
        for unit in units {
            let index = usize::from(candidates.count);
            let is_known = index > 0 && candidates.units[index - 1] == unit;
            if index < MAX_CANDIDATES && !is_known {
                candidates.units[index] = unit;
                candidates.count += 1;
            }
        }
        candidates
    }
}

/// Units by the addresses they cover.
pub(super) struct UnitMap {
    intervals: Vec<Interval<(u32, u32)>>,
    by_address: AddressMap<Candidates>,
}

impl UnitMap {
    pub(super) fn new() -> UnitMap {
        UnitMap {
            intervals: Vec::new(),
            by_address: AddressMap::default(),
        }
    }

    /// Adds a range of a unit. It is found after the next [`UnitMap::settle`].
    pub(super) fn add(&mut self, unit: usize, range: AddressRange) {
        let unit = u32::try_from(unit);
        let order = u32::try_from(self.intervals.len());
        if let (Ok(unit), Ok(order)) = (unit, order) {
            let (AddressRange { start, end }, rank) = (range, (unit, order));
            self.intervals.push(Interval { start, end, rank });
        }
    }

    pub(super) fn settle(&mut self) {
        let mut by_address = AddressMap::default();
        pieces::cut(&self.intervals, |address, in_force| {
            // A unit may be in force many times over; look at a few only.
            let units = in_force.iter().take(2 * MAX_CANDIDATES);
            let candidates = Candidates::first_of(units.map(|&(unit, _)| unit));
            let is_gap = candidates.count == 0;
            by_address.push(address, (!is_gap).then_some(candidates));
        });
        self.by_address = by_address;
    }

    /// The units that cover an address, and up to where that is so.
    pub(super) fn at(&self, address: u64) -> (Candidates, u64) {
        let (candidates, end) = self.by_address.at(address);
        (candidates.unwrap_or_default(), end)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn units_are_asked_in_file_order() {
        let mut map = UnitMap::new();
        for (unit, start, end) in [(2, 0, 80), (1, 10, 20), (1, 15, 30), (3, 90, 99)] {
            map.add(unit, AddressRange { start, end });
        }
        map.settle();
        let check = |address, units: &[usize], end| {
            let (candidates, found_end) = map.at(address);
            let found: Vec<_> = candidates.iter().collect();
            assert_eq!((found.as_slice(), found_end), (units, end), "at {address}");
        };
        check(5, &[2], 10);
        check(12, &[1, 2], 30);
        check(40, &[2], 80);
        check(85, &[], 90);
    }
}
