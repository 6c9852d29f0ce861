//! Sample types as metrics.

use std::num::{NonZeroU32, NonZeroU64};

use super::PprofFault;
use super::sources::{Origin, origins, with_squares};
use super::tables::{PprofRecords, SampleType};
use crate::load::time_unit::time_unit;
use crate::model::{
    Extent, MetricName, Quantity, RecordedCosts, Samples, Unit, ValueMetric, ValueSource, ValueType,
};

const NANOSECONDS_PER_SECOND: u64 = 1_000_000_000;

/// Sample types in the order of the report: the default first, then as in the file. Without a
/// default, the last is the default, as in pprof.
pub(super) fn in_order(tables: &PprofRecords<'_>) -> Result<Vec<usize>, PprofFault> {
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
pub(super) fn column(
    of_type: SampleType,
    tables: &PprofRecords<'_>,
) -> Result<ValueType, PprofFault> {
    let (quantity, unit) = match tables.string(of_type.unit)? {
        b"bytes" => (Quantity::EVENTS, Unit::BYTES),
        unit if time_unit(unit).is_some() => (Quantity::TIME, Unit::TICKS),
        _ => (Quantity::EVENTS, Unit::COUNT),
    };
    Ok(ValueType { quantity, unit, extent: Extent::Exclusive, class: None })
}

/// Sets the metrics of the columns, and adds the columns that they need. With `has_negatives`,
/// the second half of the columns contains the values to subtract.
pub(super) fn add_metrics(
    costs: &mut RecordedCosts,
    tables: &PprofRecords<'_>,
    order: &[usize],
    has_negatives: bool,
) -> Result<(), PprofFault> {
    let origins = origins(tables, order, &costs.samples)?;
    for (column, (&index, &origin)) in order.iter().zip(&origins).enumerate() {
        let of_type = tables.types[index];
        let mut metric = metric(of_type, column, tables)?;
        metric.is_level = is_level(&metric.name.id);
        metric.source = match origin {
            // The sum of positive and negative amounts has not the variance of either.
            _ if has_negatives && origin != Origin::Of(ValueSource::Counted) => {
                ValueSource::Unknown
            }
            Origin::Of(source) => source,
            Origin::Counted(..) | Origin::BySize { .. } => {
                with_squares(&mut costs.samples, column, origin, tables.period)
            }
        };
        if has_negatives {
            metric.subtract_behind(order.len());
        } else if let Origin::Of(ValueSource::Sampled { period }) = origin
            && let Some((counts, rate)) = ticks(column, period, (tables, order), &costs.samples)?
        {
            metric.unit = Some("ticks");
            metric.rate = Some(rate);
            metric.source = ValueSource::SAMPLES;
            metric.terms = [(1, counts)].into();
        }
        costs.metrics.push(metric);
    }
    Ok(())
}

/// Live memory, goroutines and threads are levels.
fn is_level(id: &[u8]) -> bool {
    id.starts_with(b"inuse") || matches!(id, b"goroutine" | b"threadcreate" | b"objects" | b"space")
}

fn metric(
    of_type: SampleType,
    column: usize,
    tables: &PprofRecords<'_>,
) -> Result<ValueMetric, PprofFault> {
    let id = tables.string(of_type.name)?;
    let name = MetricName { id: id.into(), title: None };
    let (unit, rate) = match tables.string(of_type.unit)? {
        b"bytes" => (Some("bytes"), None),
        unit => time_unit(unit).map(|(name, rate)| (Some(name), Some(rate))).unwrap_or_default(),
    };
    Ok(ValueMetric { unit, rate, ..ValueMetric::of_column(name, ValueSource::Counted, column) })
}

/// The column with the counts, and their rate, of a time that is a count of samples, one for
/// each period of a whole part of a second.
fn ticks(
    column: usize,
    period: NonZeroU64,
    (tables, order): (&PprofRecords<'_>, &[usize]),
    samples: &Samples,
) -> Result<Option<(usize, NonZeroU32)>, PprofFault> {
    let period = period.get();
    let is_whole = NANOSECONDS_PER_SECOND.is_multiple_of(period);
    if !is_whole || tables.string(tables.types[order[column]].unit)? != b"nanoseconds" {
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
    Ok(rate.map(|rate| (counts, rate)))
}
