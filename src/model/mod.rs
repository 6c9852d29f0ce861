//! Facts as recorded: integers, addresses, names. Depends on nothing else here.
//!
//! A [`Profile`] holds what a profile file says and no more. Fractions,
//! percentages and names of functions come later, in other rooms.

mod address;
mod arc;
mod charges;
mod clock;
mod context;
mod function;
mod heap;
mod histogram;
mod merge_allocations;
mod profile;
mod records;
mod sample;

pub use address::{Address, AddressSize, Encoding, Endian};
pub use arc::{BasicBlockCount, CallArc};
pub use charges::{Charges, PossibleCall, Totals};
pub use clock::Clock;
pub use context::{Context, ContextId, callers_first};
pub use function::{Function, FunctionId, Place, PlaceId};
pub use heap::{Heap, SizeBins, SizeBounds};
pub use histogram::Histogram;
pub use profile::{MergeError, MergeRule, Profile};
pub use records::{RecordCounts, RecordKind};
pub use sample::{Extent, Quantity, Samples, SizeClass, Subject, Unit, ValueType};
