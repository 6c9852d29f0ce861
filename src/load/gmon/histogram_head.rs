//! What stands before the bins of a histogram in the GNU layout, and in the profiles that
//! the loader of glibc makes of shared libraries.

use super::super::cursor::Cursor;
use super::super::error::ReadError;
use crate::model::{Address, Clock};

/// The range and the clock of a histogram: two addresses, two numbers of 32 bits, 15 bytes
/// of a dimension and one that abbreviates it.
pub(in crate::load) struct HistogramHead {
    pub(in crate::load) low: Address,
    pub(in crate::load) high: Address,
    pub(in crate::load) n_bins: u64,
    pub(in crate::load) clock: Clock,
}

impl HistogramHead {
    /// Reads it.
    ///
    /// # Errors
    /// When the file ends before.
    pub(in crate::load) fn read(cursor: &mut Cursor<'_>) -> Result<Self, ReadError> {
        let low = cursor.address("histogram low end")?;
        let high = cursor.address("histogram high end")?;
        let n_bins = u64::from(cursor.u32("histogram size")?);
        let rate = cursor.u32("histogram rate")?;
        let names = cursor.take("histogram dimension", 16)?;
        let (dimension, abbreviation) = names.split_at(15);
        let length = dimension.iter().position(|&byte| byte == 0).unwrap_or(15);
        Ok(Self {
            low,
            high,
            n_bins,
            clock: Clock {
                dimension: dimension[..length].into(),
                abbreviation: abbreviation[0],
                ..Clock::seconds(rate)
            },
        })
    }
}
