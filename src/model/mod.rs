//! Facts as recorded: integers, addresses, names. Depends on nothing else here.
//!
//! A [`Profile`] holds what a profile file says and no more. Fractions,
//! percentages and names of functions come later, in other rooms.

mod address;
mod arc;
mod clock;
mod histogram;
mod profile;
mod records;

pub use address::{Address, AddressSize, Encoding, Endian};
pub use arc::{BasicBlockCount, CallArc};
pub use clock::Clock;
pub use histogram::Histogram;
pub use profile::{MergeError, MergeRule, Profile};
pub use records::{RecordCounts, RecordKind};
