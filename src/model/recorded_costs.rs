//! Values charged exactly to contexts and functions, rather than sampled by address.

use std::fmt;
use std::ops::Range;

use super::{
    Address, Context, Function, FunctionId, PossibleCalls, RecordedCalls, RecordedLocation,
    RunPart, Samples, ValueMetric,
};

/// What tells builds of programs apart: a number that the compiler draws for each.
/// Different programs may have drawn the same one.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct BuildId(pub u32);

impl fmt::Display for BuildId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:#010x}", self.0)
    }
}

/// Values charged exactly, and what they are charged to. Heap profiles, traces,
/// MLton's and callgrind's profiles are of this kind; gmon files have none.
///
/// Every number of a function, location or context that stands in one of the tables is
/// in range, and no context is, by way of others, its own caller. Readers see to it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct RecordedCosts {
    /// Functions that the file names itself, in its order.
    pub functions: Vec<Function>,
    /// Locations in the source, in order of first appearance.
    pub locations: Vec<RecordedLocation>,
    /// Contexts, in the order of the file.
    pub contexts: Vec<Context>,
    /// Calls that might happen, in the order of the file.
    pub possible_calls: PossibleCalls,
    pub calls: RecordedCalls,
    /// The build of the program, where the file names it.
    pub build: Option<BuildId>,
    /// Functions that are none of the program: its runtime system, code in C, and
    /// what could not be told. In rising order.
    pub special_functions: Vec<FunctionId>,
    pub samples: Samples,
    /// What all values of a quantity sum up to, where the file has totals of its own.
    pub totals: Option<Totals>,
    /// What the values add up to. The first of them, one for each column, may be the columns
    /// themselves.
    pub metrics: Vec<ValueMetric>,
    /// What the file says is the sum of each column, if it does.
    pub event_totals: Option<Box<[u64]>>,
    /// Functions without a location have no source file that is known.
    pub knows_files: bool,
    /// The parts of the run that are summed here.
    pub parts: Vec<RunPart>,
}

impl RecordedCosts {
    /// Takes `distance` from every address in `range`, wrapping.
    pub fn move_down(&mut self, range: Range<Address>, distance: u64) {
        let moved = |address: Address| {
            if range.contains(&address) {
                Address(address.0.wrapping_sub(distance))
            } else {
                address
            }
        };
        for function in &mut self.functions {
            function.entry = function.entry.map(moved);
        }
        for context in &mut self.contexts {
            context.address = context.address.map(moved);
        }
    }
}

/// The totals of a profile of a program with a garbage collector, in the unit of its
/// values. They need not be the sums of the values: real files are a few ticks off.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Totals {
    pub program: u64,
    pub collector: u64,
}
