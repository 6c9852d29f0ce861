//! Costs from histograms and counted arcs.

use std::sync::OnceLock;

use super::samples::SampleAmounts;
use super::{CostGraph, CostShape, Costs, CountedCalls, CycleCosts, Flows, TotalsFrom, source_of};
use crate::analyze::amount::{Amount, Amounts};
use crate::analyze::attribution::{Attribution, snapped};
use crate::analyze::call_graph::{CallGraph, CallRules, CallSites, UnknownCallers};
use crate::analyze::cycles::{Topology, find_cycles};
use crate::analyze::flows::ContextCosts;
use crate::analyze::inline_costs::InlineCosts;
use crate::analyze::lower_bounds::LowerBounds;
use crate::analyze::propagation::{CallCounts, Calls, Fractions, Propagation, propagate};
use crate::analyze::scale::Scale;
use crate::analyze::spread::Spread;
use crate::filter::FilterSets;
use crate::model::{Histogram, Profile};
use crate::report::{Basis, Metric, Source};
use crate::symbols::{Granularity, Inlines, StaticCall, SymbolTable};
use crate::threads;

/// Properties of the samples, and ticks outside of functions.
#[derive(Clone, Debug)]
pub struct Sampling {
    pub scale: Scale,
    /// Bytes of code per bin, rounded; the maximum of all histograms.
    pub bytes_per_bin: u64,
    /// Which ticks certainly belong to a function.
    pub spread: Spread,
    /// Ticks of all functions whose time counts.
    pub ticks_in_functions: f64,
    pub outside: f64,
    /// Ticks of the profiler's own functions.
    pub profiler: f64,
}

const LOWER_BOUNDS: &str = "(at least): a counter was full there, or in what it called: self, \
    or the total, is a lower bound.";

const LEAST_TOTALS: &str = "(at least): calls that recurse include each other; the total is at \
    least the largest call.";

const LEAST_OF_NAMESAKES: &str = "(at least): functions of this name may call each other; the \
    total is at least the largest of theirs.";

impl CostGraph {
    /// Multiplies all times.
    pub fn scale_times(&mut self, factor: f64) {
        if let Some(sampling) = &mut self.sampling {
            sampling.scale.rate /= factor;
        }
    }

    /// Notes on lower bounds below the rows.
    pub(in crate::analyze) fn notes_on_time(&self) -> Vec<String> {
        let note = match self.shape.totals_from {
            _ if self.sampling.is_some() => LOWER_BOUNDS,
            TotalsFrom::Profile => LEAST_OF_NAMESAKES,
            _ => LEAST_TOTALS,
        };
        Vec::from_iter(self.has_lower_bounds().then(|| note.to_owned()))
    }
}

impl CostGraph {
    /// Assigns the ticks of histograms to functions or lines, and distributes the time of
    /// callees to callers by calls. Linear in bins, symbols and arcs, plus a search for each
    /// end of an arc.
    pub fn from_histograms(
        profile: &Profile,
        table: &SymbolTable,
        filters: &FilterSets,
        static_calls: &[StaticCall],
    ) -> Self {
        let histograms = profile.histograms();
        let (own, (calls, topology, counts)) = threads::in_parallel(
            profile.arcs().len() > threads::WORTH_ITEMS,
            || OwnTimes::of(histograms, table, filters),
            || called(profile, table, filters, static_calls),
        );
        let fractions = Fractions::whole(&counts);
        let times = propagate(&calls, &topology, &own.ticks, &counts, &fractions);
        let mut lower_bounds = LowerBounds::find(histograms, table);
        lower_bounds.add_callers(&calls, &topology);
        let sampling = Sampling {
            bytes_per_bin: bytes_per_bin(histograms),
            spread: own.spread,
            ticks_in_functions: times.total,
            outside: own.outside,
            profiler: own.profiler,
            scale: Scale::new(histograms.first().map(|h| &h.clock)),
        };
        let shows_outside = !own.is_filtered && filters.flat.is_all();
        let outside = if shows_outside { own.outside } else { 0.0 };
        let shape = CostShape {
            metrics: vec![metric(profile, &sampling.scale)],
            primary: 0,
            is_heap: false,
            paired: None,
            collector: None,
            amounts: Some(SampleAmounts::Equal(1.0)),
            counts_entries: false,
            totals_from: TotalsFrom::Calls,
        };
        let counted = CountedCalls {
            topology,
            functions: counts.functions,
            cycles: times.cycles.iter().map(cycle_costs).collect(),
            bounds: OnceLock::new(),
        };
        let costs = Costs {
            children: Amounts::of_ticks(times.functions.iter().map(|f| f.child_ticks).collect()),
            flows: Some(flows(&times)),
            self_costs: Amounts::of_ticks(own.ticks.into_vec()),
            all: vec![Amount::Ticks(own.all)],
            unattributed: vec![Amount::Ticks(outside)],
            lower_bounds,
            is_filtered: own.is_filtered,
            collected: None,
            by_context: ContextCosts::default(),
            focus: None,
            inlines: own.inlines,
        };
        let costs = Self {
            counted: Some(counted),
            sampling: Some(sampling),
            ..Self::new(shape, calls, costs)
        };
        costs.focused(&filters.focus, |id| table.function_of(id))
    }
}

struct OwnTimes {
    ticks: Box<[f64]>,
    all: f64,
    outside: f64,
    profiler: f64,
    inlines: Option<InlineCosts>,
    spread: Spread,
    /// A filter removed ticks.
    is_filtered: bool,
}

impl OwnTimes {
    fn of(histograms: &[Histogram], table: &SymbolTable, filters: &FilterSets) -> Self {
        let (attribution, mut spread) = Spread::with_attribution(histograms, table);
        let Attribution { mut ticks, total: all, outside } = attribution;
        if table.granularity() == Granularity::Lines {
            for (id, _) in table.iter() {
                let piece = std::mem::take(&mut ticks[id.index()]);
                ticks[table.enclosing_function(id).index()] += piece;
            }
        }
        for ticks in ticks.iter_mut() {
            *ticks = snapped(*ticks);
        }
        let by_inlines = table.granularity() == Granularity::Inlines;
        let gather = |ticks: &mut [f64]| InlineCosts::gather(ticks, table);
        let inlines = by_inlines.then(|| gather(&mut ticks)).flatten();
        let mut inlines = inlines.filter(|_| table.inlines().is_some_and(Inlines::has_parts));
        let mut is_filtered = false;
        for (id, _) in table.iter() {
            if !filters.time.contains(id) {
                is_filtered |= ticks[id.index()] != 0.0;
                ticks[id.index()] = 0.0;
                spread.clear(id);
            }
        }
        if let Some(inlines) = inlines.as_mut().filter(|_| is_filtered) {
            inlines.scale(|enclosing| f64::from(u8::from(filters.time.contains(enclosing))));
        }
        let profiler = table.iter().filter(|(_, symbol)| symbol.counts_calls());
        let profiler = profiler.map(|(id, _)| ticks[id.index()]).sum();
        Self { ticks, all, outside, profiler, inlines, spread, is_filtered }
    }
}

/// Calls, cycles and counts.
fn called(
    profile: &Profile,
    table: &SymbolTable,
    filters: &FilterSets,
    static_calls: &[StaticCall],
) -> (CallGraph, Topology, CallCounts) {
    let rules = CallRules {
        unknown_callers: UnknownCallers::Counted,
        // The return address of a call may belong to the next line.
        call_sites: match table.granularity() {
            Granularity::Functions | Granularity::Inlines => CallSites::AsRecorded,
            Granularity::Lines => CallSites::BeforeReturn,
        },
    };
    let selects = |caller, callee| filters.arcs.contains(caller, callee);
    let calls = CallGraph::new(profile.arcs(), table, selects, static_calls, rules);
    let topology = find_cycles(&calls);
    let counts = CallCounts::new(&calls, &topology);
    (calls, topology, counts)
}

fn metric(profile: &Profile, scale: &Scale) -> Metric {
    let rate = profile.histograms().first().and_then(|h| h.clock.rate);
    let quantity = match &*scale.dimension {
        b"seconds" | b"ticks" => "time".to_owned(),
        other => String::from_utf8_lossy(other).into_owned(),
    };
    Metric {
        id: "ticks".into(),
        quantity: quantity.into(),
        unit: "ticks".into(),
        rate: rate.map(std::num::NonZero::get),
        parts: None,
        basis: Basis::Sampled,
        source: Some(Source::Sampled),
        calls_source: Some(source_of(profile.calls_source)).filter(|one| !one.is_counted()),
        per_sample: None,
        is_level: false,
        total_basis: Some(Basis::Propagated),
    }
}

fn cycle_costs(node: &crate::analyze::propagation::NodeTicks) -> CycleCosts {
    CycleCosts {
        self_cost: Amount::Ticks(node.self_ticks),
        children: Amount::Ticks(node.child_ticks),
        calls: Calls { from_others: node.calls, from_self: node.self_calls },
    }
}

fn flows(times: &Propagation) -> Flows {
    Flows {
        self_costs: Some(Amounts::of_ticks(
            times.flows.iter().map(|flow| flow.self_ticks).collect(),
        )),
        children: Amounts::of_ticks(times.flows.iter().map(|flow| flow.child_ticks).collect()),
    }
}

fn bytes_per_bin(histograms: &[Histogram]) -> u64 {
    let with_bins = histograms.iter().filter(|histogram| histogram.n_bins > 0);
    let units = with_bins.map(Histogram::units_per_bin);
    let bytes = (units.fold(0.0, f64::max) * 2.0).round();
    // A damaged histogram may have bins of any width.
    if !bytes.is_finite() || bytes >= 1e18 {
        return 0;
    }
    #[expect(clippy::cast_possible_truncation, reason = "checked above")]
    #[expect(clippy::cast_sign_loss, reason = "sizes are not negative")]
    let whole = bytes as u64;
    whole
}
