//! Sample types as metrics.

use std::num::NonZeroU32;

use super::PprofFault;
use super::tables::{SampleType, Tables};
use crate::model::{
    Extent, MetricName, Quantity, Samples, Unit, ValueBasis, ValueMetric, ValueType,
};

const NANOSECONDS_PER_SECOND: u64 = 1_000_000_000;

/// Sample types in the order of the report: the default first, then as in the file. Without a
/// default, the last is the default, as in pprof.
pub(super) fn in_order(tables: &Tables<'_>) -> Result<Vec<usize>, PprofFault> {
    let default = tables.string(tables.default_type)?;
    let mut first = tables.types.len() - 1;
    if !default.is_empty() {
        for (index, of_type) in tables.types.iter().enumerate().rev() {
            if tables.string(of_type.name)? == default {
                first = index;
            }
        }
    }
    let others = (0..tables.types.len()).filter(|&index| index != first);
    Ok([first].into_iter().chain(others).collect())
}

/// The column of a sample type.
pub(super) fn column(of_type: SampleType, tables: &Tables<'_>) -> Result<ValueType, PprofFault> {
    let (quantity, unit) = match tables.string(of_type.unit)? {
        b"bytes" => (Quantity::EVENTS, Unit::BYTES),
        b"nanoseconds" | b"microseconds" | b"milliseconds" | b"seconds" => {
            (Quantity::TIME, Unit::TICKS)
        }
        _ => (Quantity::EVENTS, Unit::COUNT),
    };
    Ok(ValueType { quantity, unit, extent: Extent::Exclusive, class: None })
}

/// The metrics of the columns. With `has_negatives`, as many further columns contain the values
/// to subtract.
pub(super) fn metrics(
    tables: &Tables<'_>,
    order: &[usize],
    samples: &Samples,
    has_negatives: bool,
) -> Result<Vec<ValueMetric>, PprofFault> {
    let mut metrics = Vec::new();
    for (column, &index) in order.iter().enumerate() {
        let of_type = tables.types[index];
        let mut metric = metric(of_type, column, tables)?;
        if has_negatives {
            metric.terms = [(1, column), (-1, order.len() + column)].into();
        } else if let Some(sampled) = sampled(of_type, column, (tables, order), samples)? {
            metric = ValueMetric { name: metric.name, ..sampled };
        }
        metrics.push(metric);
    }
    Ok(metrics)
}

fn metric(
    of_type: SampleType,
    column: usize,
    tables: &Tables<'_>,
) -> Result<ValueMetric, PprofFault> {
    let id = tables.string(of_type.name)?;
    let name = MetricName { id: id.into(), title: None };
    let (unit, rate) = match tables.string(of_type.unit)? {
        b"bytes" => (Some("bytes"), None),
        b"nanoseconds" => (Some("nanoseconds"), NonZeroU32::new(1_000_000_000)),
        b"microseconds" => (Some("microseconds"), NonZeroU32::new(1_000_000)),
        b"milliseconds" => (Some("milliseconds"), NonZeroU32::new(1000)),
        b"seconds" => (Some("seconds"), NonZeroU32::new(1)),
        _ => (None, None),
    };
    let basis = if id == b"samples" { ValueBasis::Sampled } else { ValueBasis::Recorded };
    Ok(ValueMetric { unit, rate, ..ValueMetric::of_column(name, basis, column) })
}

/// The metric of a time that is a count of samples, one for each period. Other values may be
/// weighted, so their number of samples is unknown.
fn sampled(
    of_type: SampleType,
    column: usize,
    (tables, order): (&Tables<'_>, &[usize]),
    samples: &Samples,
) -> Result<Option<ValueMetric>, PprofFault> {
    let period = tables.period;
    let is_of_clock =
        tables.period_type == Some(of_type) && (1..=NANOSECONDS_PER_SECOND).contains(&period);
    let is_whole = is_of_clock && NANOSECONDS_PER_SECOND.is_multiple_of(period);
    if !is_whole || tables.string(of_type.unit)? != b"nanoseconds" {
        return Ok(None);
    }
    let mut counts = None;
    for (other, &index) in order.iter().enumerate() {
        let SampleType { name, unit } = tables.types[index];
        if tables.string(name)? == b"samples" && tables.string(unit)? == b"count" {
            counts = Some(other);
        }
    }
    let Some(counts) = counts else {
        return Ok(None);
    };
    let mut rows = samples.rows().map(|(_, values)| values);
    let are_ticks = rows.all(|values| values[counts].checked_mul(period) == Some(values[column]));
    let rate = u32::try_from(NANOSECONDS_PER_SECOND / period).ok();
    let rate = rate.filter(|_| are_ticks).and_then(NonZeroU32::new);
    Ok(rate.map(|rate| {
        let name = MetricName { id: b"".as_slice().into(), title: None };
        ValueMetric {
            unit: Some("ticks"),
            rate: Some(rate),
            ..ValueMetric::of_column(name, ValueBasis::Sampled, counts)
        }
    }))
}
