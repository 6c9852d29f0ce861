//! The numbers behind folded stacks: samples, or a sum of the weights of samples, in any unit.
//!
//! The format does not say which. stackcollapse-perf.pl writes samples times the period, offcputime
//! microseconds, and others bytes.

use std::num::{NonZeroU32, NonZeroU64};

use super::time_unit::time_unit;
use crate::model::{MetricName, ValueMetric, ValueSource};

/// The unit of numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum StackUnit {
    Samples,
    Nanoseconds,
    Microseconds,
    Milliseconds,
    Bytes,
    /// Anything else, by name.
    Named(&'static str),
}

/// What the user knows about the numbers.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct StackNumbers {
    pub unit: Option<StackUnit>,
    /// The number that each sample adds.
    pub period: Option<NonZeroU64>,
}

/// Larger sums are no numbers of samples: that would be a day at a thousand a second.
const USUAL_SAMPLES: u64 = 10_000_000;

/// Stacks whose numbers are multiples of a divisor by chance are rarer than one file in two to the
/// power of this number: that is twenty stacks and a divisor of 2.
const EVIDENT: f64 = 19.0;

impl StackNumbers {
    /// The metric of these numbers, without zeros.
    pub(super) fn metric(self, numbers: &[u64]) -> ValueMetric {
        self.metric_with(self.period.or_else(|| common_divisor(numbers)), numbers)
    }

    /// The metric of numbers with fractions, in parts.
    pub(super) fn metric_of_parts(self, numbers: &[u64], parts: NonZeroU32) -> ValueMetric {
        let of_parts = |period: NonZeroU64| period.saturating_mul(parts.into());
        let stated = Self { period: self.period.map(of_parts), ..self };
        let metric = stated.metric_with(stated.period, numbers);
        let source = match metric.source {
            ValueSource::Sampled { .. } if stated.period.is_none() => ValueSource::Unknown,
            source => source,
        };
        match metric.rate.map(|rate| rate.checked_mul(parts)) {
            None => ValueMetric { parts: Some(parts), source, ..metric },
            Some(rate) => ValueMetric { rate, source, ..metric },
        }
    }

    /// Returns whether the unit has no parts.
    pub(super) fn is_smallest(self) -> bool {
        self.unit == Some(StackUnit::Nanoseconds)
    }

    fn metric_with(self, period: Option<NonZeroU64>, numbers: &[u64]) -> ValueMetric {
        let sampled = |otherwise| period.map_or(otherwise, ValueSource::sampled);
        let sum = numbers.iter().fold(0u64, |sum, number| sum.saturating_add(*number));
        let is_small = sum <= USUAL_SAMPLES;
        let time = |unit| {
            let (unit, rate) = time_unit(unit).unzip();
            ("time", unit, rate, sampled(ValueSource::Measured))
        };
        let (id, unit, rate, source) = match self.unit {
            None if is_small => ("samples", None, None, sampled(ValueSource::SAMPLES)),
            None => ("samples", None, None, sampled(ValueSource::Unknown)),
            Some(StackUnit::Samples) => ("samples", None, None, ValueSource::SAMPLES),
            Some(StackUnit::Nanoseconds) => time(b"ns"),
            Some(StackUnit::Microseconds) => time(b"us"),
            Some(StackUnit::Milliseconds) => time(b"ms"),
            Some(StackUnit::Bytes) => ("bytes", Some("bytes"), None, self.stated()),
            Some(StackUnit::Named(name)) => (name, None, None, self.stated()),
        };
        let name = MetricName { id: id.as_bytes().into(), title: None };
        ValueMetric { unit, rate, ..ValueMetric::of_column(name, source, 0) }
    }

    /// Amounts are counted, unless a period was stated.
    fn stated(self) -> ValueSource {
        self.period.map_or(ValueSource::Counted, ValueSource::sampled)
    }
}

/// The divisor above 1 of all numbers, if that is hardly by chance.
fn common_divisor(numbers: &[u64]) -> Option<NonZeroU64> {
    let divisor = numbers.iter().fold(0, |divisor, number| greatest_divisor(divisor, *number));
    let n_others = numbers.len().saturating_sub(1) as f64;
    let is_evident = divisor > 1 && n_others * (divisor as f64).log2() >= EVIDENT;
    NonZeroU64::new(divisor).filter(|_| is_evident)
}

fn greatest_divisor(one: u64, other: u64) -> u64 {
    let (mut one, mut other) = (one, other);
    while other > 0 {
        (one, other) = (other, one % other);
    }
    one
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(stated: StackNumbers, numbers: &[u64], expected: ValueSource) {
        let found = stated.metric(numbers).source;
        assert_eq!(found, expected, "{stated:?} {numbers:?}");
    }

    fn period(period: u64) -> ValueSource {
        ValueSource::sampled(NonZeroU64::new(period).unwrap())
    }

    #[test]
    fn numbers_with_an_evident_divisor_are_samples_of_that_period() {
        let unknown = StackNumbers::default();
        check(unknown, &[777_777_770, 626_262_620, 10_101_010], period(10_101_010));
        let even: Vec<u64> = (1..=20).map(|number| 2 * number).collect();
        check(unknown, &even, period(2));
        check(unknown, &even[1..], ValueSource::SAMPLES);
        check(unknown, &[10, 20, 30], ValueSource::SAMPLES);
        check(unknown, &[u64::MAX], ValueSource::Unknown);
        check(unknown, &[12_345_678, 23_456_789], ValueSource::Unknown);
        check(unknown, &[], ValueSource::SAMPLES);
    }

    #[test]
    fn a_stated_unit_or_period_decides() {
        let of = |unit| StackNumbers { unit: Some(unit), period: None };
        check(of(StackUnit::Microseconds), &[12_345_678, 9], ValueSource::Measured);
        check(of(StackUnit::Samples), &[10_101_010; 9], ValueSource::SAMPLES);
        check(of(StackUnit::Bytes), &[4096; 30], ValueSource::Counted);
        let stated = StackNumbers { unit: Some(StackUnit::Bytes), period: NonZeroU64::new(512) };
        check(stated, &[4096, 4096], period(512));
    }
}
