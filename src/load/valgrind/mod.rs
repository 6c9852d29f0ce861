//! Heap profiles of valgrind: DHAT and massif.

mod dhat;
mod frames;
mod massif;
#[cfg(test)]
mod tests;

pub(super) use dhat::Dhat;
pub(super) use massif::Massif;

use super::error::{FormatFault, ReadError};
use super::sparse::Bytes;
use super::{Claim, Damage, Format, Hints, Loaded};
