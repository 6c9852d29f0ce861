//! Exact charges to numbers: who allocated, spent or was entered how much, alone and
//! with all that it called.
//!
//! gmon files leave it to a guess how the time of a function divides among its
//! callers. Here it is recorded, stack by stack, or MLton recorded the totals: nothing
//! is estimated, and where something was not recorded there is no number.

mod amounts;
mod bins;
mod classes;
mod columns;
mod events;
mod flat;
mod flows;
mod graph;
mod leaks;
mod ledger;
mod lines;
#[cfg(test)]
mod tests;

pub use amounts::{Amounts, Measure};
pub use bins::{SizeRow, SizeSteps, SizeTable};
pub use classes::ClassRow;
pub use events::EventRow;
pub use flat::{ChargeRow, FlatCharges};
pub use graph::{ChargeEntry, ChargeLine, GraphCharges, LineFlow};
pub use leaks::{Leak, LeakDepth, Leaks};
pub use ledger::{Kind, Ledger, TotalsFrom};
pub use lines::{ChargedFile, ChargedLine};

pub(super) use ledger::percent;
