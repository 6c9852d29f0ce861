//! Sums in words of the profiled machine, which wrap on overflow.

use crate::model::AddressSize;

/// Words of the profiled machine. Sums wrap round anywhere, so it is enough to cut
/// them to the width of a word at the end.
#[derive(Clone, Copy, Debug)]
pub(super) struct MachineWords {
    mask: u64,
}

impl MachineWords {
    pub(super) fn of(size: AddressSize) -> Self {
        let mask = match size {
            AddressSize::Four => u64::from(u32::MAX),
            AddressSize::Eight => u64::MAX,
        };
        Self { mask }
    }

    pub(super) fn cut(self, sum: u64) -> u64 {
        sum & self.mask
    }

    pub(super) fn sum(self, values: impl IntoIterator<Item = u64>) -> u64 {
        self.cut(values.into_iter().fold(0, u64::wrapping_add))
    }

    pub(super) fn difference(self, left: u64, right: u64) -> u64 {
        self.cut(left.wrapping_sub(right))
    }
}
