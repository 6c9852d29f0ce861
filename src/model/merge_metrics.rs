//! Brings the columns of two profiles into one form, so that they can be added up.
//!
//! Metrics match by name, whatever their order. A metric that only one profile has counts as 0 in
//! the other: text has no list of events, so an event that did not occur is absent. Times of
//! different clocks become nanoseconds. Samples of different periods become weighted ones.

use std::num::{NonZeroU32, NonZeroU64};
use std::sync::Arc;

use super::{
    Extent, Quantity, RecordedCalls, RecordedCosts, Samples, SquareColumn, Unit, ValueMetric,
    ValueSource, ValueType,
};

const NANOSECONDS: NonZeroU32 = NonZeroU32::new(1_000_000_000).expect("it is not zero");

/// Why columns cannot be brought into one form.
pub(super) enum Unalike {
    /// The lists of metrics have none in common.
    Events {
        first: String,
        found: String,
    },
    Overflow,
}

/// Gives both the same metrics and columns, if they have a metric in common. If files list their
/// metrics, those of only one say so.
///
/// # Errors
/// If they have none, or other columns than self costs.
pub(super) fn align(
    one: &mut RecordedCosts,
    other: &mut RecordedCosts,
    lists_metrics: bool,
) -> Result<(), Unalike> {
    if one.samples.types() == other.samples.types() && is_same(&one.metrics, &other.metrics) {
        return Ok(());
    }
    let mut merged = merged(&one.metrics, &other.metrics);
    if lists_metrics {
        merged.iter_mut().flatten().for_each(MergedMetric::name_part);
    }
    let is_plain = |costs: &RecordedCosts| {
        let mut types = costs.samples.types().iter();
        types.all(|of| of.extent == Extent::Exclusive && of.class.is_none())
    };
    let Some(merged) = merged.filter(|_| is_plain(one) && is_plain(other)) else {
        let [first, found] = [&*one, other].map(|costs| list(&costs.metrics));
        return Err(Unalike::Events { first, found });
    };
    let plan = ColumnPlan::of(merged, [one, other]);
    plan.convert(one, 0)?;
    plan.convert(other, 1)?;
    Ok(())
}

/// Returns whether sums of the columns have the same meaning.
fn is_same(one: &[ValueMetric], other: &[ValueMetric]) -> bool {
    let of = |metric: &ValueMetric| {
        (metric.name.id.clone(), metric.unit, metric.rate, metric.parts, metric.source)
    };
    let own = |metrics: &[ValueMetric]| -> Vec<_> {
        metrics.iter().map(|metric| (of(metric), metric.terms.clone())).collect()
    };
    own(one) == own(other)
}

fn list(metrics: &[ValueMetric]) -> String {
    let text = |metric: &ValueMetric| {
        let id = String::from_utf8_lossy(&metric.name.id);
        match metric.rate {
            Some(rate) => format!("{id} ({rate} a second)"),
            None => id.into_owned(),
        }
    };
    metrics.iter().map(text).collect::<Vec<_>>().join(" ")
}

/// The name by which metrics match: samples of a single event have no name of their own.
fn key(metric: &ValueMetric) -> Arc<[u8]> {
    match &metric.name.title {
        Some(title) if *metric.name.id == *b"samples" => [title, &b"-samples"[..]].concat().into(),
        _ => Arc::clone(&metric.name.id),
    }
}

/// A metric of the sum, and its index in each profile.
struct MergedMetric {
    metric: ValueMetric,
    sides: [Option<usize>; 2],
}

impl MergedMetric {
    fn is_common(&self) -> bool {
        self.sides.iter().all(Option::is_some)
    }

    /// Says so if only some files have it.
    fn name_part(&mut self) {
        if !self.is_common() {
            let name = self.metric.name.title.as_ref().unwrap_or(&self.metric.name.id);
            let words: &[u8] = b", in some of the files";
            if !name.ends_with(words) {
                self.metric.name.title = Some([name, words].concat().into());
            }
        }
    }
}

/// The metrics of both, in the order of the first; `None` without a common one. A metric that is a
/// sum of columns has to be in both.
fn merged(one: &[ValueMetric], other: &[ValueMetric]) -> Option<Vec<MergedMetric>> {
    let place = |metrics: &[ValueMetric], of: &ValueMetric| {
        let wanted = key(of);
        metrics.iter().position(|metric| key(metric) == wanted && are_alike(metric, of))
    };
    let of_first = one.iter().enumerate().map(|(index, metric)| {
        let found = place(other, metric);
        let metric = found.map_or_else(|| metric.clone(), |found| sum(metric, &other[found]));
        MergedMetric { metric, sides: [Some(index), found] }
    });
    let of_first: Vec<_> = of_first.collect();
    let is_new = |(_, metric): &(usize, &ValueMetric)| place(one, metric).is_none();
    let rest = other.iter().enumerate().filter(is_new);
    let rest = rest
        .map(|(index, metric)| MergedMetric { metric: metric.clone(), sides: [None, Some(index)] });
    let is_sum = |merged: &MergedMetric| {
        merged.metric.terms.iter().filter(|(factor, _)| *factor > 0).count() > 1
    };
    let has_common = of_first.iter().any(MergedMetric::is_common);
    let all = of_first.into_iter().chain(rest);
    has_common.then(|| all.filter(|one| one.is_common() || !is_sum(one)).collect())
}

/// Returns whether values can be converted to one unit.
fn are_alike(one: &ValueMetric, other: &ValueMetric) -> bool {
    match (one.rate, other.rate) {
        (None, None) => one.unit == other.unit,
        (Some(_), Some(_)) => true,
        _ => false,
    }
}

/// Length of a tick, rounded down as in the periods of perf's clocks.
fn nanoseconds(rate: NonZeroU32) -> u64 {
    u64::from(NANOSECONDS.get() / rate.get()).max(1)
}

/// The metric of the sum of two, without its columns.
fn sum(one: &ValueMetric, other: &ValueMetric) -> ValueMetric {
    let mut sum = one.clone();
    if *one.name.id == *b"samples" {
        sum.name.id = Arc::clone(&other.name.id);
    }
    if one.name.title != other.name.title {
        sum.name.title = None;
    }
    if one.rate != other.rate {
        (sum.rate, sum.unit) = (Some(NANOSECONDS), Some("nanoseconds"));
    }
    sum.parts = one.parts.max(other.parts);
    let [one_source, other_source] = [one, other].map(|metric| in_unit(metric, &sum));
    sum.source = match (one_source, other_source) {
        (one, other) if one == other => one,
        (
            ValueSource::Sampled { .. } | ValueSource::Weighted { .. },
            ValueSource::Sampled { .. } | ValueSource::Weighted { .. },
        ) => {
            let unit = |source| match source {
                ValueSource::Sampled { period } => {
                    SquareColumn::for_samples(0, period.get(), 1).unit
                }
                ValueSource::Weighted { squares, .. } => squares.unit,
                _ => NonZeroU64::MIN,
            };
            let by_size = matches!(one_source, ValueSource::Weighted { by_size: true, .. });
            let unit = unit(one_source).max(unit(other_source));
            ValueSource::Weighted { squares: SquareColumn { column: 0, unit }, by_size }
        }
        _ => ValueSource::Unknown,
    };
    sum
}

/// How many units of the sum a value of a metric has.
fn factor(metric: &ValueMetric, sum: &ValueMetric) -> u64 {
    match (metric.rate, sum.rate) {
        (Some(from), Some(to)) if from != to => nanoseconds(from),
        _ if metric.parts == sum.parts => 1,
        _ => sum.parts.map_or(1, |parts| parts.get().into()),
    }
}

/// The source of a metric in another unit.
fn in_unit(metric: &ValueMetric, sum: &ValueMetric) -> ValueSource {
    let factor = factor(metric, sum);
    match metric.source {
        ValueSource::Sampled { period } => ValueSource::Sampled { period: times(period, factor) },
        ValueSource::Weighted { squares, by_size } => {
            let squares = SquareColumn { unit: times(squares.unit, factor), ..squares };
            ValueSource::Weighted { squares, by_size }
        }
        source => source,
    }
}

fn times(number: NonZeroU64, factor: u64) -> NonZeroU64 {
    NonZeroU64::new(number.get().saturating_mul(factor)).unwrap_or(number)
}

/// A column of the sum.
#[derive(Clone, Copy)]
enum NewColumn {
    /// The values of a metric, or with `is_negative` those to subtract.
    Values { metric: usize, is_negative: bool },
    /// The squares of its samples.
    Squares { metric: usize, of: SquareColumn },
}

struct ColumnPlan {
    metrics: Vec<MergedMetric>,
    columns: Vec<(NewColumn, ValueType)>,
}

impl ColumnPlan {
    /// First the values of all metrics, then those to subtract, then squares.
    fn of(mut metrics: Vec<MergedMetric>, costs: [&RecordedCosts; 2]) -> Self {
        let mut columns = Vec::new();
        let of_type = |merged: &MergedMetric| {
            let side = usize::from(merged.sides[0].is_none());
            let metric = &costs[side].metrics[merged.sides[side].unwrap_or(0)];
            let column = metric.terms.first().map_or(0, |(_, column)| *column);
            let unknown = ValueType {
                quantity: Quantity::EVENTS,
                unit: Unit::COUNT,
                extent: Extent::Exclusive,
                class: None,
            };
            costs[side].samples.types().get(column).copied().unwrap_or(unknown)
        };
        let types: Vec<_> = metrics.iter().map(of_type).collect();
        let values = |is_negative| {
            let types = types.iter().enumerate();
            types.map(move |(metric, of)| (NewColumn::Values { metric, is_negative }, *of))
        };
        columns.extend(values(false));
        let is_negative = |metric: &ValueMetric| metric.terms.iter().any(|(factor, _)| *factor < 0);
        let mut all = costs.iter().flat_map(|costs| &costs.metrics);
        let has_negatives = all.any(is_negative);
        if has_negatives {
            columns.extend(values(true));
        }
        let n_metrics = metrics.len();
        for (index, MergedMetric { metric, .. }) in metrics.iter_mut().enumerate() {
            metric.terms = [(1, index)].into();
            if has_negatives {
                metric.terms = [(1, index), (-1, n_metrics + index)].into();
            }
            if let ValueSource::Weighted { squares, .. } = &mut metric.source {
                squares.column = columns.len();
                let column = NewColumn::Squares { metric: index, of: *squares };
                columns.push((column, ValueType { quantity: Quantity::SQUARES, ..types[index] }));
            }
        }
        Self { metrics, columns }
    }

    /// Replaces the metrics and columns of the profile of a side.
    fn convert(&self, costs: &mut RecordedCosts, side: usize) -> Result<(), Unalike> {
        let of_side = |merged: &MergedMetric| Some(&costs.metrics[merged.sides[side]?]);
        let found: Vec<_> = self.metrics.iter().map(of_side).collect();
        let metrics: Vec<_> = self.metrics.iter().map(|merged| merged.metric.clone()).collect();
        let types: Vec<_> = self.columns.iter().map(|(_, of)| *of).collect();
        // A sum of many files was converted for an earlier one.
        if *costs.samples.types() == *types && is_same(&costs.metrics, &metrics) {
            costs.metrics = metrics;
            return Ok(());
        }
        let fill = |values: &[u64]| -> Result<Vec<u64>, Unalike> {
            let columns = self.columns.iter();
            let value = |(column, _): &(NewColumn, _)| self.value(*column, &found, values);
            columns.map(value).collect::<Option<_>>().ok_or(Unalike::Overflow)
        };
        let mut samples = Samples::new(types);
        for (key, values) in costs.samples.rows() {
            samples.push(key, &fill(values)?);
        }
        let mut calls = RecordedCalls::new(samples.types().len());
        for (call, values) in costs.calls.iter() {
            calls.push(call, &fill(values)?);
        }
        let totals = costs.event_totals.as_deref().map(fill).transpose()?;
        costs.event_totals = totals.map(Into::into);
        (costs.samples, costs.calls) = (samples, calls);
        costs.metrics = metrics;
        Ok(())
    }

    /// The value of a column of the sum, from a row of a profile; `None` on overflow.
    fn value(
        &self,
        column: NewColumn,
        found: &[Option<&ValueMetric>],
        values: &[u64],
    ) -> Option<u64> {
        let (NewColumn::Values { metric, .. } | NewColumn::Squares { metric, .. }) = column;
        let Some(from) = found[metric] else {
            return Some(0);
        };
        let sum = &self.metrics[metric].metric;
        let terms = from.terms.iter();
        let terms = terms.map(|&(factor, column)| factor * i128::from(values[column]));
        let value = terms.sum::<i128>() * i128::from(factor(from, sum));
        match column {
            NewColumn::Values { is_negative, .. } => {
                u64::try_from(if is_negative { -value } else { value }.max(0)).ok()
            }
            NewColumn::Squares { of, .. } => Some(match in_unit(from, sum) {
                ValueSource::Sampled { period } => {
                    of.of_variance(value.max(0) as f64 * period.get() as f64)
                }
                ValueSource::Weighted { squares, .. } => {
                    let unit = squares.unit.get() as f64;
                    of.of_variance(values[squares.column] as f64 * unit * unit)
                }
                _ => 0,
            }),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::{Context, ContextId, Function, FunctionId};
    use super::super::{FileKind, MergePolicy, MetricName, Profile, SampleKey};
    use super::*;

    /// A profile of one function: its metrics as `name rate value`, with a rate of 0 for none.
    fn profile(text: &str, period: u64) -> Profile {
        let words: Vec<_> = text.split(',').map(|one| one.split(' ').collect::<Vec<_>>()).collect();
        let of_type = ValueType {
            quantity: Quantity::EVENTS,
            unit: Unit::COUNT,
            extent: Extent::Exclusive,
            class: None,
        };
        let mut costs = RecordedCosts {
            functions: vec![Function::named(b"f".as_slice())],
            contexts: [Context { function: Some(FunctionId(0)), ..Context::default() }]
                .into_iter()
                .collect(),
            samples: Samples::new(vec![of_type; words.len()]),
            ..RecordedCosts::default()
        };
        let values: Vec<_> = words.iter().map(|one| one[2].parse().unwrap()).collect();
        costs.samples.push(SampleKey::Context(ContextId(0)), &values);
        let period = NonZeroU64::new(period).unwrap();
        costs.metrics = (0..words.len())
            .map(|column| {
                let name = MetricName { id: words[column][0].as_bytes().into(), title: None };
                let source = ValueSource::sampled(period);
                let metric = ValueMetric::of_column(name, source, column);
                ValueMetric { rate: NonZeroU32::new(words[column][1].parse().unwrap()), ..metric }
            })
            .collect();
        Profile::of_costs(FileKind::named("a test"), costs)
    }

    /// The metrics of a sum, with their rates and values.
    fn sum(one: Profile, other: Profile) -> String {
        let mut sum = one;
        if let Err(error) = sum.merge(other, MergePolicy::LENIENT) {
            return error.to_string();
        }
        let values = sum.costs.samples.row(0).unwrap();
        let metric = |metric: &ValueMetric| {
            let name = metric.name.title.as_ref().unwrap_or(&metric.name.id);
            let rate = metric.rate.map_or(0, NonZeroU32::get);
            let terms = metric.terms.iter().map(|(factor, at)| factor * i128::from(values[*at]));
            format!("{} {rate} {}", String::from_utf8_lossy(name), terms.sum::<i128>())
        };
        sum.costs.metrics.iter().map(metric).collect::<Vec<_>>().join(",")
    }

    #[test]
    fn metrics_match_by_name_whatever_their_order() {
        let check = |one: &str, other: &str, expected: &str| {
            assert_eq!(sum(profile(one, 1), profile(other, 1)), expected, "{one} {other}");
        };
        check("a 0 1,b 0 2", "a 0 10,b 0 20", "a 0 11,b 0 22");
        check("a 0 1,b 0 2", "b 0 20,a 0 10", "a 0 11,b 0 22");
        check(
            "a 0 1,b 0 2",
            "c 0 5,b 0 20",
            "a, in some of the files 0 1,b 0 22,c, in some of the files 0 5",
        );
        check("a 0 1", "b 0 2", "it counts the events `b`, the others `a`");
    }

    #[test]
    fn times_of_different_clocks_become_nanoseconds() {
        let found = sum(profile("cpu 100 2", 1), profile("cpu 50 3", 1));
        assert_eq!(found, "cpu 1000000000 80000000");
    }

    #[test]
    fn samples_of_different_periods_have_the_sum_of_their_variances() {
        let mut sum = profile("cycles 0 6000", 1000);
        sum.merge(profile("cycles 0 8000", 4000), MergePolicy::LENIENT).unwrap();
        let ValueSource::Weighted { squares, .. } = sum.costs.metrics[0].source else {
            panic!("{:?}", sum.costs.metrics);
        };
        let unit = squares.unit.get() as f64;
        let variance = sum.costs.samples.row(0).unwrap()[squares.column] as f64 * unit * unit;
        assert!((variance / (6.0 * 1e6 + 2.0 * 16e6) - 1.0).abs() < 0.01, "{variance}");
    }
}
