//! Exact charges to numbers: who allocated, spent or was entered how much, alone and
//! with all that it called.
//!
//! gmon files leave it to a guess how the time of a function divides among its
//! callers. Here it is recorded, stack by stack, or MLton recorded the totals: nothing
//! is estimated, and where something was not recorded there is no number.

mod bins;
mod classes;
mod events;
mod flat;
mod flows;
mod graph;
mod leaks;
mod lines;
mod stacks;
#[cfg(test)]
mod tests;

pub use bins::{SizeRow, SizeSteps, SizeTable};
pub use classes::ClassRow;
pub use events::EventRow;
pub use flat::{ChargeRow, FlatCharges};
pub use graph::{ChargeEntry, ChargeLine, GraphCharges, LineFlow};
pub use leaks::{Leak, LeakDepth, Leaks};
pub use lines::{ChargedFile, ChargedLine};

use crate::filter::FilterSets;
use crate::model::{ContextId, Extent, Profile, Quantity, Samples, Subject, Unit, ValueType};
use crate::symbols::{NamedContexts, SymbolId};
use flows::{Flow, Flows};

/// One of the numbers that a context has.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Measure {
    /// What the profile measures: bytes that were allocated, ticks, entries.
    #[default]
    Value,
    /// The blocks in which those bytes were allocated.
    Count,
    /// The bytes of them that were not freed.
    UnfreedValue,
    /// The blocks of them that were not freed.
    UnfreedCount,
}

impl Measure {
    /// The measure that stands beside this one: blocks beside bytes, and bytes
    /// beside blocks.
    #[must_use]
    pub fn companion(self) -> Self {
        match self {
            Self::Value => Self::Count,
            Self::Count => Self::Value,
            Self::UnfreedValue => Self::UnfreedCount,
            Self::UnfreedCount => Self::UnfreedValue,
        }
    }
}

/// One number for each measure. Signed, since a damaged file may free more than it
/// allocated; wide, so that no sum can overflow.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Amounts([i128; 4]);

impl Amounts {
    /// The number for one measure.
    #[must_use]
    pub fn get(&self, measure: Measure) -> i128 {
        self.0[measure as usize]
    }

    /// Whether all numbers are zero.
    #[must_use]
    pub fn is_zero(&self) -> bool {
        self.0 == [0; 4]
    }

    /// Whether there is nothing to show for a measure and its companion.
    #[must_use]
    pub fn lacks(&self, measure: Measure) -> bool {
        self.get(measure) == 0 && self.get(measure.companion()) == 0
    }

    fn add(&mut self, other: &Self) {
        for (sum, number) in self.0.iter_mut().zip(other.0) {
            *sum += number;
        }
    }

    fn minus(&self, other: &Self) -> Self {
        let mut difference = *self;
        for (number, other) in difference.0.iter_mut().zip(other.0) {
            *number -= other;
        }
        difference
    }
}

/// What is measured, and what in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// A heap profile: bytes and blocks, allocated and unfreed.
    Heap,
    /// Ticks of a clock, so many a second.
    Time(u32),
    /// Bytes that were allocated; what became of them is not known.
    Allocated,
    /// How often functions were entered.
    Entries,
    /// Nothing: only which calls are possible.
    Nothing,
}

/// Everything that reports of exact charges are made of.
#[derive(Debug)]
pub struct Ledger {
    /// What is measured.
    pub kind: Kind,
    /// Which totals of functions are known.
    pub totals_from: TotalsFrom,
    /// The measure by which rows are sorted, and that flows along arcs.
    pub measure: Measure,
    /// For each symbol, what was charged to it alone.
    own: Vec<Amounts>,
    /// For each symbol, what was charged to it and to all that it called.
    total: Vec<Amounts>,
    /// For each symbol, what the collector took while it was active.
    collector: Vec<i128>,
    flows: Flows,
    /// All that was charged.
    pub charged: Amounts,
    /// All that there is, charged to somebody or not.
    pub all: Amounts,
    /// What the garbage collector took of it.
    pub collected: Option<u64>,
    /// No filter took anything away.
    is_complete: bool,
    /// What was charged to each context, as the file has it.
    by_context: Vec<(ContextId, Amounts)>,
}

/// The most possible calls that a graph lists. They take a hundred megabytes.
const MAX_LISTED_CALLS: usize = 1 << 20;

/// Where the totals of functions come from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TotalsFrom {
    /// The stacks that were recorded with each value.
    Stacks,
    /// The profile has them; along which calls they flowed is not known.
    Profile,
    /// They are not known.
    Nothing,
}

impl Ledger {
    /// Adds up everything. Costs contexts, values and possible calls. Only a heap
    /// profile has another `measure` than the value.
    #[must_use]
    pub fn new(
        profile: &Profile,
        names: &NamedContexts,
        filters: &FilterSets,
        measure: Measure,
    ) -> Self {
        let charges = &profile.charges;
        let columns = Columns::new(&charges.samples);
        let kind = columns.kind(profile);
        let n_symbols = names.table.symbols().len();
        let mut ledger = Self {
            kind,
            totals_from: TotalsFrom::Nothing,
            measure: match kind {
                Kind::Heap => measure,
                _ => Measure::Value,
            },
            own: vec![Amounts::default(); n_symbols],
            total: Vec::new(),
            collector: vec![0; n_symbols],
            flows: Flows::default(),
            charged: Amounts::default(),
            all: Amounts::default(),
            collected: charges.totals.map(|totals| totals.collector),
            is_complete: true,
            by_context: Vec::new(),
        };
        let counts = |id: SymbolId| filters.time.contains(id);
        if columns.inclusive.is_some() {
            ledger.take_recorded_totals(&charges.samples, &columns, names);
        }
        // Values of functions are sums of those of their contexts, so only the
        // latter are added up.
        let by_context = charges.samples.rows().filter_map(|(subject, values)| {
            let context = match subject {
                Subject::Context(context) | Subject::ThreadContext(context, _) => context,
                Subject::Function(_) => return None,
            };
            Some((context, columns.amounts(values)))
        });
        let mut by_context: Vec<_> = by_context.collect();
        let mut recorded = Amounts::default();
        for (_, amounts) in &by_context {
            recorded.add(amounts);
        }
        let n_all = by_context.len();
        by_context.retain(|(context, _)| counts(names.of(*context)));
        ledger.is_complete = by_context.len() == n_all;
        for (context, amounts) in &by_context {
            ledger.own[names.of(*context).index()].add(amounts);
            ledger.charged.add(amounts);
        }
        let has_stacks = charges.contexts.iter().any(|c| c.caller.is_some());
        if has_stacks {
            let (flows, total) = flows::along_stacks(charges, &by_context, names, &filters.arcs);
            ledger.flows = flows;
            ledger.total = total;
            ledger.totals_from = TotalsFrom::Stacks;
        } else {
            ledger.flows = flows::possible(charges, names, &filters.arcs);
        }
        if ledger.total.is_empty() {
            ledger.total.clone_from(&ledger.own);
        }
        ledger.by_context = by_context;
        ledger.all = everything(profile, recorded);
        ledger
    }

    fn take_recorded_totals(
        &mut self,
        samples: &Samples,
        columns: &Columns,
        names: &NamedContexts,
    ) {
        self.total = vec![Amounts::default(); self.own.len()];
        self.totals_from = TotalsFrom::Profile;
        for (subject, values) in samples.rows() {
            let Subject::Function(function) = subject else {
                continue;
            };
            let symbol = names.of_function(function).index();
            let column = |place: Option<usize>| place.map_or(0, |place| i128::from(values[place]));
            let collector = column(columns.collector);
            self.collector[symbol] += collector;
            self.total[symbol].0[0] += column(columns.inclusive) + collector;
        }
    }

    /// What was charged to a symbol alone.
    #[must_use]
    pub fn own(&self, id: SymbolId) -> &Amounts {
        &self.own[id.index()]
    }

    /// What was charged to a symbol and to all that it called. Where the profile
    /// recorded that itself it may be a few ticks off: it is no less than the
    /// symbol's own here, and no more than everything.
    #[must_use]
    pub fn total(&self, id: SymbolId) -> Amounts {
        let (own, mut total) = (self.own[id.index()], self.total[id.index()]);
        if self.totals_from == TotalsFrom::Profile {
            // Totals of several functions of one name may overlap.
            total.0[0] = total.0[0].min(self.all.0[0]).max(own.0[0]);
        }
        total
    }

    /// What the collector took while a symbol was active.
    #[must_use]
    pub fn collector(&self, id: SymbolId) -> i128 {
        self.collector[id.index()]
    }

    /// What there is more than was charged to anybody: mpatrol counts allocations
    /// without a usable stack by size only. None where filters leave anything out.
    pub(super) fn unattributed(&self, filters: &FilterSets) -> Option<Amounts> {
        let rest = self.all.minus(&self.charged);
        // Ticks of time may be a few off; that is no loss.
        let is_whole = self.kind == Kind::Heap && self.is_complete && filters.flat.is_all();
        Some(rest).filter(|rest| is_whole && !rest.is_zero())
    }

    /// The arcs, by caller and callee.
    pub(super) fn arcs(&self) -> impl Iterator<Item = Flow> + Clone {
        self.flows.arcs()
    }

    /// Whether there are more possible calls than could be looked at, so that there
    /// are no arcs.
    #[must_use]
    pub fn lacks_calls(&self) -> bool {
        self.flows.are_too_many
    }

    /// Whether there are more possible calls than anybody reads.
    #[must_use]
    pub fn has_too_many_calls(&self) -> bool {
        let is_recorded = self.totals_from == TotalsFrom::Stacks;
        self.flows.are_too_many || !is_recorded && self.flows.len() > MAX_LISTED_CALLS
    }

    /// `part` in percent of all there is.
    #[must_use]
    pub fn percent(&self, part: i128) -> f64 {
        percent(part, self.all.get(self.measure))
    }
}

/// All that the file has a total for, or else all that it has `recorded` for somebody.
/// A trace is as good as that sum: every one of its events has a place.
fn everything(profile: &Profile, recorded: Amounts) -> Amounts {
    let heap = profile.heap.as_ref().filter(|heap| !heap.is_empty());
    if let Some(heap) = heap.filter(|_| profile.course.is_none()) {
        let (allocated, freed) = (&heap.allocated, &heap.freed);
        let (bytes, blocks) = (allocated.n_bytes(), allocated.n_blocks());
        let unfreed = [bytes - freed.n_bytes(), blocks - freed.n_blocks()];
        return Amounts([bytes, blocks, unfreed[0], unfreed[1]]);
    }
    match profile.charges.totals {
        Some(totals) => {
            let all = i128::from(totals.program) + i128::from(totals.collector);
            Amounts([all, 0, 0, 0])
        }
        None => recorded,
    }
}

/// `part` in percent of `whole`; 0 where there is nothing, or even less, to have a
/// part of.
pub(super) fn percent(part: i128, whole: i128) -> f64 {
    match whole {
        ..=0 => 0.0,
        _ => 100.0 * part as f64 / whole as f64,
    }
}

/// Which columns of the values add up to which measure.
struct Columns {
    /// For each column, the measures that it adds to or, if freed, is taken from.
    effects: Vec<[i128; 4]>,
    first: Option<ValueType>,
    is_heap: bool,
    inclusive: Option<usize>,
    collector: Option<usize>,
}

impl Columns {
    fn new(samples: &Samples) -> Self {
        let types = samples.types();
        let place = |extent| types.iter().position(|t| t.extent == extent);
        let is_heap = types.iter().any(|t| t.quantity == Quantity::Freed);
        Self {
            effects: types.iter().map(effect).collect(),
            first: types.first().copied(),
            is_heap,
            inclusive: place(Extent::Inclusive),
            collector: place(Extent::Collector),
        }
    }

    fn kind(&self, profile: &Profile) -> Kind {
        if self.is_heap || profile.heap.is_some() {
            return Kind::Heap;
        }
        match self.first.map(|first| (first.quantity, first.unit)) {
            Some((Quantity::Time, Unit::Ticks(rate))) => Kind::Time(rate.get()),
            Some((Quantity::Allocated, _)) => Kind::Allocated,
            Some(_) => Kind::Entries,
            None => Kind::Nothing,
        }
    }

    fn amounts(&self, values: &[u64]) -> Amounts {
        let mut amounts = Amounts::default();
        for (effect, &value) in self.effects.iter().zip(values) {
            for (sum, factor) in amounts.0.iter_mut().zip(effect) {
                *sum += factor * i128::from(value);
            }
        }
        amounts
    }
}

/// What a value of this type does to each measure.
fn effect(value: &ValueType) -> [i128; 4] {
    if value.extent != Extent::Exclusive {
        return [0; 4];
    }
    match (value.quantity, value.unit) {
        (Quantity::Allocated, Unit::Count) => [0, 1, 0, 1],
        (Quantity::Allocated, _) => [1, 0, 1, 0],
        (Quantity::Freed, Unit::Count) => [0, 0, 0, -1],
        (Quantity::Freed, _) => [0, 0, -1, 0],
        (Quantity::Time | Quantity::Entries, _) => [1, 0, 0, 0],
        (Quantity::Released | Quantity::LifeTime, _) => [0; 4],
    }
}
