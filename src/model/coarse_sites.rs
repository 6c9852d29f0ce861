//! Entries for call sites that are larger than usual.

use super::{Address, AddressSize, Encoding};

/// The usual entries for call sites have up to two to the power of this many bytes.
pub(super) const USUAL_HALVINGS: usize = 4;

/// Ports with little memory have entries of up to two to the power of this many bytes.
const COARSE_HALVINGS: u32 = 8;

/// A larger size is certain if its probability by chance is below one in two to the power of
/// this.
const CERTAIN_BITS: u32 = 8;

/// Call sites that are all multiples of more than usual, from the start of the histogram. A
/// profiler with little memory has fewer, larger entries for them. Source: `HASHFRACTION` in
/// `libs/libbuiltin/libgcc/profile.c` of NuttX, `gmon/sys/gmon.h` of glibc.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CoarseSites {
    /// Size of an entry in bytes, a power of two.
    pub step: u64,
    /// Number of different entries with calls.
    n_sites: usize,
}

impl CoarseSites {
    pub(super) fn of(start: Address, sites: impl Iterator<Item = Address>) -> Option<Self> {
        let mut halvings = COARSE_HALVINGS;
        let distance = |site: Address| {
            let distance = site.0.wrapping_sub(start.0);
            halvings = halvings.min(distance.trailing_zeros());
            (halvings as usize > USUAL_HALVINGS).then_some(distance)
        };
        let mut distances: Vec<_> = sites.map(distance).collect::<Option<_>>()?;
        distances.sort_unstable();
        distances.dedup();
        Some(Self { step: 1 << halvings, n_sites: distances.len() })
    }

    /// Maximum size of the usual entries in bytes.
    pub const USUAL_STEP: u64 = 1 << USUAL_HALVINGS;

    /// Returns whether chance hardly explains the multiples, for the usual entries of two times
    /// two pointers.
    pub fn is_certain(self, encoding: Encoding) -> bool {
        let usual = match encoding.address_size {
            AddressSize::Four => 3,
            AddressSize::Eight => 4,
        };
        self.n_sites as u64 * u64::from(self.step.ilog2() - usual) >= u64::from(CERTAIN_BITS)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::Endian;

    fn check(sites: &[u64], expected: Option<(u64, bool)>) {
        let found = CoarseSites::of(Address(0x1000), sites.iter().copied().map(Address));
        let encoding = Encoding::new(Endian::Little, AddressSize::Four);
        let found = found.map(|coarse| (coarse.step, coarse.is_certain(encoding)));
        assert_eq!(found, expected, "{sites:x?}");
    }

    #[test]
    fn sites_are_coarse_if_all_are_multiples_of_many_bytes() {
        check(&[0x1040, 0x1080, 0x1100, 0x1140], Some((64, true)));
        check(&[0x1040, 0x1080], Some((64, false)));
        check(&[0x1020, 0x1040, 0x1040], Some((32, false)));
        check(&[0x1040, 0x1090], None);
        check(&[], Some((256, false)));
    }
}
