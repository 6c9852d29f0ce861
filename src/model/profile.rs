//! The contents of one profile file, or the sum of several.

mod mlmon;

use std::cmp::Reverse;
use std::collections::BTreeMap;
use std::ops::Range;

use super::coarse_sites::USUAL_HALVINGS;
use super::merge_costs::{self, CostIndices};
use super::{
    Address, ArcIndex, BasicBlockCount, Bins, CallArc, Clock, CoarseSites, Counters, FileKind,
    Heap, HeapHistory, HeapSeries, Histogram, InstructionStarts, MergeError, MergePolicy,
    MlmonCounts, RecordCounts, RecordedCosts, ValueSource,
};
use crate::threads;

/// One in this many call sites may lie off the grid of the others.
const SITES_PER_STRAY: usize = 10;

/// The contents of one file, or the sum of several.
///
/// gmon files have histograms, arcs and blocks: time without callers, and calls without time.
/// Heap profiles, traces and MLton's profiles have exact costs of contexts. A file fills the
/// tables that it has records for.
///
/// Tables keep the order of first appearance, which decides the order of equal rows.
/// Histograms with the same range, scale and clock are one entry. Arcs of one file may repeat
/// a key; arcs of a sum do not.
#[derive(Clone, Debug, Default)]
pub struct Profile {
    /// The kind of file; `None` for an empty profile, which can be added to any kind.
    pub kind: Option<FileKind>,
    histograms: Vec<Histogram>,
    arcs: Vec<CallArc>,
    blocks: Vec<BasicBlockCount>,
    records: RecordCounts,
    /// Where the counts of arcs come from.
    pub calls_source: ValueSource,
    /// Exact costs of contexts and functions.
    pub costs: RecordedCosts,
    /// Counters that wait for the table of their functions.
    pub mlmon_counts: Option<MlmonCounts>,
    /// Totals of the heap, in heap profiles and traces.
    pub heap: Option<Heap>,
    /// History of the heap, in traces.
    pub history: Option<HeapHistory>,
    /// The size of the heap over time, in profiles made of snapshots.
    pub series: Option<HeapSeries>,
    /// Indices of histograms, by low address, high address and number of bins.
    histogram_indices: BTreeMap<(Address, Address, u64), Vec<usize>>,
    /// Indices of arcs; filled by the first merge.
    arc_indices: ArcIndex,
    cost_indices: Option<CostIndices>,
}

impl Profile {
    /// A profile with exact costs only.
    pub fn of_costs(kind: FileKind, costs: RecordedCosts) -> Self {
        Self { kind: Some(kind), costs, ..Self::default() }
    }

    pub fn histograms(&self) -> &[Histogram] {
        &self.histograms
    }

    pub fn arcs(&self) -> &[CallArc] {
        &self.arcs
    }

    pub fn blocks(&self) -> &[BasicBlockCount] {
        &self.blocks
    }

    pub fn records(&self) -> RecordCounts {
        self.records
    }

    pub fn n_ticks(&self) -> u64 {
        self.histograms.iter().map(Histogram::n_ticks).fold(0, u64::saturating_add)
    }

    /// The sum of all counted calls.
    pub fn n_calls(&self) -> u64 {
        let counts = self.arcs.iter().map(|arc| arc.count);
        counts.fold(0, u64::saturating_add)
    }

    /// Sampled time; `None` if the length of a tick is unknown.
    pub fn sampled_seconds(&self) -> Option<f64> {
        let seconds = |h: &Histogram| Some(h.n_ticks() as f64 * h.clock.seconds_per_tick()?);
        self.histograms.iter().map(seconds).sum()
    }

    /// Sets the full bins of all histograms; `most` is the maximum of a counter.
    pub fn find_full_bins(&mut self, most: u64) {
        for histogram in &mut self.histograms {
            histogram.find_full_bins(most);
        }
    }

    /// Looks for counters of calls that are full. A call that two records share was added up, and
    /// did not fit into one.
    pub fn find_full_calls(&mut self) {
        let is_same = |a: &CallArc, b: &CallArc| (a.call_site, a.callee) == (b.call_site, b.callee);
        let mut calls = self.arcs.chunk_by(is_same);
        if calls.any(|call| matches!(call, [arc] if arc.count == u64::from(u32::MAX))) {
            self.calls_source = ValueSource::CountedAtLeast;
        }
    }

    pub fn clocks_mut(&mut self) -> impl Iterator<Item = &mut Clock> {
        self.histograms.iter_mut().map(|histogram| &mut histogram.clock)
    }

    /// Sorts the contents of gmon files, so that the result does not depend on the order of
    /// the files. The first histogram has bins, if any has, and the highest clock rate; the
    /// others are converted to it.
    pub fn sort_records(&mut self) {
        self.histograms.sort_by(|a, b| {
            let shape = |h: &Histogram| (h.n_bins == 0, Reverse(h.clock.rate), h.low, h.high);
            let names = |h: &Histogram| (h.n_bins, h.clock.abbreviation);
            let by_shape = shape(a).cmp(&shape(b)).then(names(a).cmp(&names(b)));
            by_shape.then_with(|| a.clock.dimension.cmp(&b.clock.dimension))
        });
        // As one number, for a single comparison.
        let ends = |arc: &CallArc| u128::from(arc.call_site.0) << 64 | u128::from(arc.callee.0);
        threads::sort_by(&mut self.arcs, |a, b| ends(a).cmp(&ends(b)));
        self.blocks.sort_by_key(|block| (block.address, block.count));
        self.histogram_indices.clear();
        self.arc_indices = ArcIndex::default();
    }

    /// Sorts instrumented costs by name, so that the result does not depend on the order of
    /// the files.
    pub fn sort_instrumented(&mut self) {
        if self.heap.is_none() && !self.costs.metrics.is_empty() && self.costs.build.is_none() {
            merge_costs::sort(&mut self.costs);
            self.cost_indices = None;
        }
    }

    /// Calls into some ranges of code, ascending and disjoint, and the ticks there.
    #[must_use]
    pub fn within(&self, code: &[Range<Address>]) -> Self {
        let meets = |range: &Range<Address>| {
            let n_before = code.partition_point(|one| one.end <= range.start);
            code.get(n_before).is_some_and(|one| one.start < range.end)
        };
        let calls = self.arcs.iter();
        let calls =
            calls.filter(|arc| meets(&(arc.callee..Address(arc.callee.0.saturating_add(1)))));
        let histograms = self.histograms.iter().map(|histogram| {
            let edges = histogram.edges();
            let hit = histogram.bins.hit().filter(|&(bin, _)| meets(&edges.of_bin(bin)));
            let hit = hit.map(|(bin, ticks)| (bin, Counters::Wide([ticks].into())));
            Histogram {
                bins: Bins::new(histogram.bins.len(), hit),
                full_bins: Vec::new(),
                instructions: InstructionStarts::default(),
                ..histogram.clone()
            }
        });
        Self {
            kind: self.kind,
            histograms: histograms.collect(),
            arcs: calls.copied().collect(),
            ..Self::default()
        }
    }

    /// Adds where instructions start in the bins of each histogram.
    pub fn find_instructions(
        &mut self,
        starts: impl Fn(&Histogram, &[CallArc]) -> InstructionStarts,
    ) {
        for histogram in &mut self.histograms {
            histogram.instructions = starts(histogram, &self.arcs);
        }
    }

    /// Takes `distance` from every address, wrapping.
    pub fn move_down(&mut self, distance: u64) {
        let moved = |address: Address| Address(address.0.wrapping_sub(distance));
        for histogram in &mut self.histograms {
            histogram.low = moved(histogram.low);
            histogram.high = moved(histogram.high);
        }
        for arc in &mut self.arcs {
            *arc = arc.moved_down(distance);
        }
        for block in &mut self.blocks {
            block.address = moved(block.address);
        }
        self.histogram_indices.clear();
        self.arc_indices = ArcIndex::default();
    }

    pub fn map_arcs(&mut self, replace: impl Fn(CallArc) -> CallArc) {
        for arc in &mut self.arcs {
            *arc = replace(*arc);
        }
        self.arc_indices = ArcIndex::default();
    }

    /// How many bytes of code share an entry of the profiler's call-site table: a power of two.
    /// Nearly all call sites in the code are multiples of it, from the start of the histogram
    /// less `below`.
    pub fn call_site_step(&self, below: u64, is_in_code: impl Fn(Address) -> bool) -> u64 {
        let start = self.histograms.first().map_or(0, |h| h.low.0).wrapping_sub(below);
        let sites = self.arcs.iter().map(|arc| arc.call_site);
        // By how often the distance to the start can be halved.
        let mut n_sites = [0usize; USUAL_HALVINGS + 1];
        for site in sites.filter(|&site| is_in_code(site)) {
            let distance = site.0.wrapping_sub(start);
            n_sites[USUAL_HALVINGS.min(distance.trailing_zeros() as usize)] += 1;
        }
        let n_all: usize = n_sites.iter().sum();
        let mut n_multiples = 0;
        for (halvings, n) in n_sites.iter().enumerate().rev() {
            n_multiples += n;
            if SITES_PER_STRAY * (n_all - n_multiples) <= n_all {
                return 1 << halvings;
            }
        }
        1
    }

    /// The size of entries for call sites in the code, if it is larger than usual.
    pub fn coarse_sites(&self, is_in_code: impl Fn(Address) -> bool) -> Option<CoarseSites> {
        let sites = self.arcs.iter().map(|arc| arc.call_site);
        let start = self.histograms.first()?.low;
        CoarseSites::of(start, sites.filter(|&site| is_in_code(site)))
    }

    pub fn count_records(&mut self, records: RecordCounts) {
        self.records.add(records);
    }

    pub fn add_arc(&mut self, arc: CallArc) {
        self.arcs.push(arc);
    }

    pub fn add_arcs(&mut self, arcs: impl IntoIterator<Item = CallArc>) {
        self.arcs.extend(arcs);
    }

    /// Removes and returns all arcs, for callers that add them up themselves. Keeps the
    /// record counts.
    pub fn take_arcs(&mut self) -> Vec<CallArc> {
        self.arc_indices = ArcIndex::default();
        std::mem::take(&mut self.arcs)
    }

    pub fn add_blocks(&mut self, blocks: impl IntoIterator<Item = BasicBlockCount>) {
        self.blocks.extend(blocks);
    }

    /// Adds a histogram, to an equal one if possible.
    ///
    /// # Errors
    /// If `policy` refuses it next to the present histograms.
    pub fn add_histogram(
        &mut self,
        found: Histogram,
        policy: MergePolicy,
    ) -> Result<(), MergeError> {
        if let Some(first) = self.histograms.first() {
            check_beside(first, &found, policy)?;
        }
        let key = (found.low, found.high, found.n_bins);
        let indices = self.histogram_indices.get(&key).map_or(&[][..], Vec::as_slice);
        for &index in indices {
            let known = &mut self.histograms[index];
            if policy.ignores_rates || known.clock == found.clock {
                known.add_bins(&found);
                return Ok(());
            }
        }
        if policy.refuses_overlaps && self.overlaps_any(&found) {
            let (low, high) = (found.low, found.high);
            return Err(MergeError::Overlap { low, high });
        }
        let index = self.histograms.len();
        self.histogram_indices.entry(key).or_default().push(index);
        self.histograms.push(found);
        Ok(())
    }

    /// Refuses a profile of another kind.
    ///
    /// # Errors
    /// If both kinds are known and differ.
    pub fn check_kind(&self, other: &Self) -> Result<(), MergeError> {
        match (self.kind, other.kind) {
            (Some(first), Some(found)) if first != found => Err(MergeError::Kind { first, found }),
            _ => Ok(()),
        }
    }

    /// Adds all contents of a later profile.
    ///
    /// # Errors
    /// If `policy` refuses its histograms, or its table or counters belong to another build.
    pub fn merge(&mut self, other: Self, policy: MergePolicy) -> Result<(), MergeError> {
        self.check_kind(&other)?;
        match (self.kind, other.kind) {
            (Some(kind), Some(_)) if !kind.adds_up => return Err(MergeError::Traces),
            (None, Some(_)) => {
                *self = other;
                return Ok(());
            }
            _ => {}
        }
        if other.costs.build.is_some() || other.mlmon_counts.is_some() {
            return self.merge_mlmon_counts(other.costs, other.mlmon_counts);
        }
        if other.heap.is_some() || !other.costs.metrics.is_empty() {
            return self.merge_costs(other);
        }
        for histogram in other.histograms {
            self.add_histogram(histogram, policy)?;
        }
        if self.arc_indices.is_empty() {
            for arc in std::mem::take(&mut self.arcs) {
                self.sum_arc(arc);
            }
        }
        for arc in other.arcs {
            self.sum_arc(arc);
        }
        self.blocks.extend(other.blocks);
        self.records.add(other.records);
        if other.calls_source != ValueSource::Counted {
            self.calls_source = other.calls_source;
        }
        Ok(())
    }

    fn merge_costs(&mut self, mut other: Self) -> Result<(), MergeError> {
        self.costs.forget_times();
        other.costs.forget_times();
        let new_indices = || CostIndices::of(&self.costs);
        let indices = self.cost_indices.get_or_insert_with(new_indices);
        if let (Some(heap), Some(other_heap)) = (&mut self.heap, &other.heap) {
            let (sum, added) = ((heap, &mut self.costs), (other_heap, &other.costs));
            return indices.add_allocations(sum, added);
        }
        let lists_metrics = self.kind.is_none_or(|kind| kind.lists_metrics);
        indices.add_instrumented(&mut self.costs, other.costs, lists_metrics)
    }

    fn sum_arc(&mut self, arc: CallArc) {
        let key = |arc: &CallArc| (arc.call_site, arc.callee);
        let known = |index: usize| key(&self.arcs[index]);
        match self.arc_indices.find_or_add(key(&arc), self.arcs.len(), known) {
            Some(index) => {
                let known = &mut self.arcs[index].count;
                *known = known.wrapping_add(arc.count);
            }
            None => self.arcs.push(arc),
        }
    }

    /// The present ranges are disjoint, so only the last one that starts before the end of
    /// `found` can overlap it.
    fn overlaps_any(&self, found: &Histogram) -> bool {
        let below_end = ..(found.high, Address(0), 0);
        let last = self.histogram_indices.range(below_end).next_back();
        last.is_some_and(|(_, indices)| {
            indices.iter().any(|&index| self.histograms[index].overlaps(found))
        })
    }
}

fn check_beside(
    first: &Histogram,
    found: &Histogram,
    policy: MergePolicy,
) -> Result<(), MergeError> {
    let same_abbreviation = first.clock.abbreviation == found.clock.abbreviation;
    let same_dimension = first.clock.dimension == found.clock.dimension
        && (same_abbreviation || !policy.requires_equal_abbreviation);
    if !same_dimension {
        let text = |h: &Histogram| String::from_utf8_lossy(&h.clock.dimension).into_owned();
        return Err(MergeError::Dimension { first: text(first), found: text(found) });
    }
    let (scale, other) = (first.units_per_bin(), found.units_per_bin());
    if policy.requires_equal_scale && (scale - other).abs() > 1e-6 {
        return Err(MergeError::Scale { first: scale * 2.0, found: other * 2.0 });
    }
    Ok(())
}
