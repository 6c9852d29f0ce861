//! The samples of a call tree by label and time. A page adds up those that somebody chooses.

use std::cmp::Reverse;
use std::collections::BTreeMap;

use foldhash::fast::RandomState;
use indexmap::IndexMap;

use super::table::Columns;
use super::weights::{in_units, weight_of};
use crate::analyze::amount::{Amount, Amounts};
use crate::analyze::cost_graph::CostGraph;
use crate::limits::{MOST_LISTED, MOST_VALUES};
use crate::model::{Interner, Label, RecordedCosts, TimeSlices};
use crate::report::{Column, MetricValues, Role, Section, SectionId, value_column};
use crate::sorting::ColdSort;

/// The costs of frames in samples of one set of labels, and in one slice of time.
pub(super) struct FrameSamples<'r> {
    /// The labels of each set. The first set is empty.
    sets: Vec<Vec<&'r Label>>,
    slices: Option<TimeSlices>,
    /// In the order of frames, each with its costs in all metrics, in the units of weights.
    sums: Vec<(SampleGroup, Box<[i128]>)>,
}

/// The samples of a sum.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
struct SampleGroup {
    frame: u32,
    set: u32,
    slice: Option<u8>,
}

/// More sums than a page should have.
pub(super) struct TooManySums;

/// Recorded samples: the frame, the set of labels, and the row of their costs.
struct SampleRows<'c> {
    rows: Vec<(u32, Option<usize>, usize)>,
    costs: &'c Amounts,
}

impl<'r> FrameSamples<'r> {
    /// The sums; `None` if there is nothing to choose by. `frames` has the frame of each context.
    /// Linear in samples, but for sorting.
    ///
    /// # Errors
    /// If there are too many, even with few labels and slices.
    pub(super) fn new(
        costs: &CostGraph,
        recorded: &'r RecordedCosts,
        frames: &[Option<u32>],
        metrics: &[MetricValues],
    ) -> Result<Option<Self>, TooManySums> {
        let Some(samples) = SampleRows::new(costs, recorded, frames) else {
            return Ok(None);
        };
        let labels = samples.labels_by_cost(recorded, costs.shape.primary);
        if labels.is_empty() && recorded.slices.is_none() {
            return Ok(None);
        }
        let found = (0..=MOST_VALUES.ilog2()).find_map(|step| {
            let labels = &labels[..labels.len().min(MOST_VALUES >> step)];
            let (sets, set_of) = sets_with(recorded, labels);
            let group = |frame, set: Option<usize>| SampleGroup {
                frame,
                set: set.map_or(0, |set| set_of[set]),
                slice: set.and_then(|set| recorded.label_sets[set].slice).map(|one| one >> step),
            };
            let mut sums = samples.sums(group, metrics)?;
            for (_, sums) in &mut sums {
                for (sum, values) in sums.iter_mut().zip(metrics) {
                    *sum = in_units(*sum, weight_of(costs, values.metric).1);
                }
            }
            let wider = |one: TimeSlices| TimeSlices { width: one.width << step, ..one };
            Some(Self { sets, slices: recorded.slices.map(wider), sums })
        });
        found.map(Some).ok_or(TooManySums)
    }

    /// The labels, the slices and the sums, as far as there are any.
    pub(super) fn sections(&self, costs: &CostGraph, metrics: &[MetricValues]) -> Vec<Section> {
        let sets = (0_u32..).zip(&self.sets);
        let labels = sets.flat_map(|(set, labels)| labels.iter().map(move |&one| (set, one)));
        let labels = Columns::<(u32, &Label)>::new()
            .hidden(Role::Other, "set", |&(set, _)| set)
            .hidden(Role::Other, "key", |(_, label)| &*label.key)
            .hidden(Role::Other, "value", |(_, label)| &*label.value)
            .table_of_any(SectionId::Labels, "Labels of samples:", labels.collect());
        let mut columns = Columns::<usize>::new()
            .hidden(Role::Other, "frame", |&row| self.sums[row].0.frame)
            .hidden(Role::Other, "set", |&row| Some(self.sums[row].0.set).filter(|&set| set > 0))
            .hidden(Role::Other, "slice", |&row| self.sums[row].0.slice);
        for (index, values) in metrics.iter().enumerate() {
            let id = value_column(&costs.shape.metrics, values.metric, costs.shape.primary);
            let column =
                Column::on_request(id, Role::Count, ["weight".into(), values.unit.clone()]);
            let column = column.of(values.metric);
            columns = columns.with(column, move |&row: &usize| self.sums[row].1[index]);
        }
        let samples = columns.table(SectionId::Samples, "Samples:", 0..self.sums.len());
        let slices = self.slices.map(slices_section);
        labels.into_iter().chain(slices).chain([samples]).collect()
    }
}

/// The slices of time, in nanoseconds from the first sample.
fn slices_section(slices: TimeSlices) -> Section {
    Columns::<TimeSlices>::new()
        .hidden(Role::Other, "start", |slices| slices.start)
        .hidden(Role::Other, "width", |slices| slices.width)
        .hidden(Role::Other, "last", |slices| slices.last)
        .table(SectionId::Slices, "Slices of time:", [slices])
}

impl<'c> SampleRows<'c> {
    /// The rows of samples that have a frame; `None` without stacks.
    fn new(costs: &'c CostGraph, recorded: &RecordedCosts, frames: &[Option<u32>]) -> Option<Self> {
        let by_context = &costs.costs.by_context;
        let amounts = by_context.amounts.as_ref().filter(|_| !frames.is_empty())?;
        // Filters select contexts, each with all of its samples, in their order.
        let mut is_selected = vec![false; recorded.contexts.len()];
        by_context.contexts.iter().for_each(|id| is_selected[id.index()] = true);
        let keys = recorded.samples.rows().filter_map(|(key, _)| {
            let id = key.context().filter(|id| is_selected[id.index()])?;
            Some((frames[id.index()], key.label_set().map(|set| set.index())))
        });
        let rows = keys.zip(0..).filter_map(|((frame, set), row)| Some((frame?, set, row)));
        let rows = rows.collect();
        Some(Self { rows, costs: amounts })
    }

    /// The labels with the largest costs, these first. A label that all samples have tells nothing.
    fn labels_by_cost<'r>(&self, recorded: &'r RecordedCosts, primary: usize) -> Vec<&'r Label> {
        let mut of_sets = vec![0; recorded.label_sets.len()];
        let mut all = 0;
        for &(_, set, row) in &self.rows {
            let cost = self.costs.get(row, primary).as_exact();
            all += cost;
            set.into_iter().for_each(|set| of_sets[set] += cost);
        }
        let mut sums: BTreeMap<&Label, i128> = BTreeMap::new();
        for (set, cost) in recorded.label_sets.iter().zip(of_sets) {
            set.iter().for_each(|label| *sums.entry(label).or_default() += cost);
        }
        let mut found: Vec<(&Label, i128)> = sums.into_iter().collect();
        found.retain(|&(_, cost)| cost < all);
        found.cold_sort_by_key(|&(_, cost)| Reverse(cost));
        found.truncate(MOST_VALUES);
        found.into_iter().map(|(label, _)| label).collect()
    }

    /// The sums of groups, sorted; `None` if there are too many.
    fn sums(
        &self,
        group: impl Fn(u32, Option<usize>) -> SampleGroup,
        metrics: &[MetricValues],
    ) -> Option<Vec<(SampleGroup, Box<[i128]>)>> {
        let mut sums: IndexMap<SampleGroup, Box<[i128]>, RandomState> = IndexMap::default();
        for &(frame, set, row) in &self.rows {
            let zeros = || vec![0; metrics.len()].into();
            let sum = sums.entry(group(frame, set)).or_insert_with(zeros);
            for (sum, values) in sum.iter_mut().zip(metrics) {
                if let Amount::Exact(amount) = self.costs.get(row, values.metric) {
                    *sum += amount;
                }
            }
            if sums.len() > MOST_LISTED / 2 {
                return None;
            }
        }
        sums.sort_unstable_keys();
        Some(sums.into_iter().collect())
    }
}

/// The different sets of these labels, an empty one first, and the number of each recorded set.
fn sets_with<'r>(
    recorded: &'r RecordedCosts,
    labels: &[&'r Label],
) -> (Vec<Vec<&'r Label>>, Vec<u32>) {
    let (mut numbers, mut sets) = (Interner::default(), Vec::new());
    let mut number_of = |set: Vec<&'r Label>| numbers.find(set.clone(), &mut sets, || set);
    number_of(Vec::new());
    let chosen = recorded.label_sets.iter().map(|set| {
        let has = |one: &&Label| labels.contains(one);
        number_of(set.iter().filter(has).collect())
    });
    let set_of = chosen.collect();
    (sets, set_of)
}
