//! Where the values of a sample type come from: from its name, its unit, and the period.
//!
//! `period_type` is the type whose value is one period for each sample; the other types of the
//! file have no statement of their own.

use super::super::time_unit::time_unit;
use std::num::NonZeroU64;

use super::PprofFault;
use super::tables::{PprofRecords, SampleType};
use crate::model::{Extent, Quantity, Samples, SquareColumn, Unit, ValueSource, ValueType};

/// Where the values of a column come from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Origin {
    Of(ValueSource),
    /// Sums of the amounts of samples, whose number is in this column.
    Counted(usize),
    /// Blocks, seen with a probability that depends on their size, and scaled: the columns with
    /// their number and their bytes.
    BySize {
        blocks: usize,
        bytes: usize,
    },
}

struct TypeNames<'a> {
    name: &'a [u8],
    unit: &'a [u8],
}

impl TypeNames<'_> {
    fn is_time(&self) -> bool {
        time_unit(self.unit).is_some()
    }

    /// `samples`, `sample`, or `cycles_sample`, written by perf_data_converter beside
    /// `cycles_event`.
    fn counts_samples(&self) -> bool {
        let name = self.name.strip_suffix(b"s").unwrap_or(self.name);
        self.unit == b"count" && (name == b"sample" || name.ends_with(b"_sample"))
    }
}

/// The origins of all columns.
pub(super) fn origins(
    tables: &PprofRecords<'_>,
    order: &[usize],
    samples: &Samples,
) -> Result<Vec<Origin>, PprofFault> {
    let names = |index: &usize| {
        let of_type = tables.types[*index];
        Ok(TypeNames { name: tables.string(of_type.name)?, unit: tables.string(of_type.unit)? })
    };
    let types = order.iter().map(names).collect::<Result<Vec<_>, PprofFault>>()?;
    let of_period = match tables.period_type {
        Some(SampleType { name, unit }) => {
            Some(TypeNames { name: tables.string(name)?, unit: tables.string(unit)? })
        }
        None => None,
    };
    let period = NonZeroU64::new(tables.period);
    let is_by_size = tables.period > 1 && of_period.as_ref().is_some_and(|of| of.unit == b"bytes");
    let is_of_period = |of: &TypeNames<'_>| {
        of_period.as_ref().is_some_and(|one| one.name == of.name && one.unit == of.unit)
    };
    let counts = |of: &TypeNames<'_>| {
        let stem = of.name.strip_suffix(b"_event").unwrap_or_default();
        let is_own = |one: &TypeNames<'_>| {
            one.counts_samples() && (stem.is_empty() || one.name.starts_with(stem))
        };
        types.iter().position(is_own).filter(|_| of.is_time() || !stem.is_empty())
    };
    let all_are = |column: usize, holds: &dyn Fn(&[u64], u64) -> bool| {
        samples.rows().all(|(_, values)| holds(values, values[column]))
    };
    let origin = |column: usize, of: &TypeNames<'_>| {
        let counts = counts(of);
        let pair = is_by_size.then(|| pair(&types, column)).flatten();
        match (pair, period.filter(|_| is_of_period(of)), counts) {
            _ if of.counts_samples() => Origin::Of(ValueSource::SAMPLES),
            (Some((blocks, bytes)), ..) => Origin::BySize { blocks, bytes },
            (None, Some(period), Some(counts))
                if all_are(column, &|values, value| {
                    values[counts].checked_mul(period.get()) == Some(value)
                }) =>
            {
                Origin::Of(ValueSource::sampled(period))
            }
            (None, Some(period), None)
                if period.get() > 1
                    && all_are(column, &|_, value| value.is_multiple_of(period.get())) =>
            {
                Origin::Of(ValueSource::sampled(period))
            }
            (None, _, Some(counts)) => Origin::Counted(counts),
            (None, _, None) if of.is_time() => Origin::Of(ValueSource::Measured),
            (None, Some(period), None) if period.get() > 1 => Origin::Of(ValueSource::Unknown),
            _ => Origin::Of(ValueSource::Counted),
        }
    };
    let mut origins: Vec<_> = types.iter().enumerate().map(|(at, of)| origin(at, of)).collect();
    // Numbers of delays are scaled up from some of them, as are their times.
    if origins.contains(&Origin::Of(ValueSource::Measured)) {
        for (origin, of) in origins.iter_mut().zip(&types) {
            if of.unit == b"count" && *origin == Origin::Of(ValueSource::Counted) {
                *origin = Origin::Of(ValueSource::Unknown);
            }
        }
    }
    Ok(origins)
}

/// The columns of blocks and of bytes that a column belongs to: `alloc_objects` and
/// `alloc_space`, or `objects` and `space`.
fn pair(types: &[TypeNames<'_>], column: usize) -> Option<(usize, usize)> {
    let of = &types[column];
    let is_bytes = of.unit == b"bytes";
    let stem = |of: &TypeNames<'_>| {
        let end = memchr::memrchr(b'_', of.name).map_or(0, |at| at + 1);
        of.name[..end].to_vec()
    };
    let is_other = |one: &TypeNames<'_>| {
        stem(one) == stem(of) && one.unit == if is_bytes { &b"count"[..] } else { b"bytes" }
    };
    let other = types.iter().position(is_other)?;
    Some(if is_bytes { (other, column) } else { (column, other) })
}

/// Adds the column with the squared amounts of another, and returns the source that refers to it.
pub(super) fn with_squares(
    samples: &mut Samples,
    column: usize,
    origin: Origin,
    period: u64,
) -> ValueSource {
    // The number of samples of a row, and the chance that a block was not seen.
    let sampled = |values: &[u64]| match origin {
        Origin::Of(_) => (0.0, 0.0),
        Origin::Counted(counts) => (values[counts].max(1) as f64, 0.0),
        Origin::BySize { blocks, bytes } => {
            let n_blocks = values[blocks].max(1) as f64;
            let size = values[bytes] as f64 / n_blocks;
            let unseen = (-size / period as f64).exp();
            // Go's `scaleHeapSample` divides by `1 - unseen`.
            ((n_blocks * (1.0 - unseen)).max(1.0), unseen)
        }
    };
    let rows = samples.rows().map(|(_, values)| values).filter(|values| values[column] > 0);
    let (sum, n) = rows.fold((0u64, 0.0), |(sum, n), values| {
        (sum.saturating_add(values[column]), n + sampled(values).0)
    });
    #[expect(clippy::cast_possible_truncation, reason = "it is rounded")]
    #[expect(clippy::cast_sign_loss, reason = "a number of samples")]
    let n_samples = n as u64;
    let squares = SquareColumn::for_samples(samples.types().len(), sum, n_samples);
    let of_type = ValueType {
        quantity: Quantity::SQUARES,
        unit: Unit::COUNT,
        extent: Extent::Exclusive,
        class: None,
    };
    samples.add_column(of_type, |values| {
        let (value, (n_samples, unseen)) = (values[column] as f64, sampled(values));
        // A block that is always seen adds nothing to the variance.
        let variance = value * value / n_samples * unseen;
        if values[column] == 0 { 0 } else { squares.of_variance(variance).max(1) }
    });
    ValueSource::Weighted { squares, by_size: matches!(origin, Origin::BySize { .. }) }
}
