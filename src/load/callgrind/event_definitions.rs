//! `event:` lines, which give events long names or define sums of events.

use std::num::NonZeroU32;
use std::sync::Arc;

use super::{CallgrindFault, numbers};
use crate::limits::MOST_VALUES;
use crate::load::time_unit::time_unit;
use crate::model::{MetricName, ValueMetric, ValueSource};

/// The `event:` lines of a file. They may precede or follow the `events:` line, and repeat in
/// every part.
#[derive(Debug, Default)]
pub(super) struct EventDefinitions<'a> {
    definitions: Vec<Definition<'a>>,
}

#[derive(Debug, PartialEq)]
struct Definition<'a> {
    id: &'a [u8],
    formula: Option<&'a [u8]>,
    title: Option<&'a [u8]>,
}

impl<'a> EventDefinitions<'a> {
    /// Reads `Ir : Instruction Fetch` or `Sum = Ir + 2 Dr : Some of both`.
    pub(super) fn read(&mut self, text: &'a [u8]) -> Result<(), CallgrindFault> {
        let (text, title) = split_at(text, b':');
        let (id, formula) = split_at(text, b'=');
        let definition = Definition { id, formula, title };
        if self.definitions.contains(&definition) {
            return Ok(());
        }
        if self.definitions.len() == MOST_VALUES {
            return Err(CallgrindFault::TooManyEvents { limit: MOST_VALUES });
        }
        self.definitions.push(definition);
        Ok(())
    }

    /// The recorded events, then the events that are sums of recorded ones only.
    pub(super) fn metrics(&self, ids: &[&[u8]]) -> Vec<ValueMetric> {
        let metric = |id, column| {
            let (source, unit, rate) = unit_of(id);
            ValueMetric { unit, rate, ..ValueMetric::of_column(self.name_of(id), source, column) }
        };
        let counted = ids.iter().zip(0..).map(|(id, column)| metric(id, column));
        let derived = self.definitions.iter().filter_map(|definition| {
            let is_derived = !ids.contains(&definition.id);
            let terms = terms_of(definition.formula.filter(|_| is_derived)?, ids)?;
            Some(ValueMetric { terms, ..metric(definition.id, 0) })
        });
        counted.chain(derived).collect()
    }

    fn name_of(&self, id: &[u8]) -> MetricName {
        let mut titles = self.definitions.iter().filter(|event| event.id == id);
        let title = titles.find_map(|event| event.title).or_else(|| match stated_unit(id) {
            (_, None) => None,
            (b"", _) => Some(b"time"),
            (name, _) => Some(name),
        });
        MetricName { id: id.into(), title: title.map(Arc::from) }
    }
}

/// The unit in the name of an event, which Xdebug writes as `Time_(10ns)`, pprof as `cpu(ms)` and
/// pyprof2calltree as `ns`: the name without it, the number and the name of the unit.
fn stated_unit(id: &[u8]) -> (&[u8], Option<(u32, &[u8])>) {
    let place = id.iter().position(|&byte| byte == b'(');
    let (name, unit) = id.split_at(place.unwrap_or(0));
    let unit = unit.strip_prefix(b"(").map_or(Some(unit), |unit| unit.strip_suffix(b")"));
    let unit = unit.unwrap_or_default();
    let (number, unit) =
        unit.split_at(unit.iter().take_while(|byte| byte.is_ascii_digit()).count());
    let number = if number.is_empty() {
        Some(1)
    } else {
        numbers::number(number).and_then(|number| u32::try_from(number).ok())
    };
    let is_unit = unit == b"bytes" && place.is_some() || time_unit(unit).is_some();
    let found = number.filter(|_| is_unit).map(|number| (number, unit));
    (name.strip_suffix(b"_").unwrap_or(name), found)
}

/// The source, the unit and the rate of an event. Events are counted, unless their unit or their
/// name is that of a clock.
fn unit_of(id: &[u8]) -> (ValueSource, Option<&'static str>, Option<NonZeroU32>) {
    match stated_unit(id) {
        (_, Some((1, b"bytes"))) => return (ValueSource::Counted, Some("bytes"), None),
        (_, Some((number, unit))) => {
            let rate = |one: NonZeroU32| NonZeroU32::new(one.get().checked_div(number)?);
            let found = time_unit(unit).and_then(|(name, one)| Some((name, rate(one)?)));
            if let Some((name, rate)) = found {
                let unit = if number == 1 { name } else { "ticks" };
                return (ValueSource::Measured, Some(unit), Some(rate));
            }
        }
        (_, None) => {}
    }
    let end = id.iter().position(|byte| !byte.is_ascii_alphabetic()).unwrap_or(id.len());
    let is_clock =
        [b"time".as_slice(), b"ticks"].iter().any(|name| id[..end].eq_ignore_ascii_case(name));
    (if is_clock { ValueSource::Measured } else { ValueSource::Counted }, None, None)
}

/// The trimmed parts of a text before and after a byte.
fn split_at(text: &[u8], byte: u8) -> (&[u8], Option<&[u8]>) {
    let mut parts = text.splitn(2, |&found| found == byte);
    let first = parts.next().unwrap_or_default().trim_ascii();
    (first, parts.next().map(<[u8]>::trim_ascii))
}

/// The terms of a formula such as `Ir + 2 Dr` or `10 * Bim`.
fn terms_of(formula: &[u8], ids: &[&[u8]]) -> Option<Box<[(i128, usize)]>> {
    let terms = formula.split(|&byte| byte == b'+').map(|term| {
        let term = term.trim_ascii();
        let n_digits = term.iter().take_while(|byte| byte.is_ascii_digit()).count();
        let (factor, id) = term.split_at(n_digits);
        let factor = match factor {
            [] => 1,
            digits => numbers::number(digits)?,
        };
        let id = id.trim_ascii_start();
        let id = id.strip_prefix(b"*").unwrap_or(id).trim_ascii_start();
        let index = ids.iter().position(|known| *known == id)?;
        Some((i128::from(factor), index))
    });
    terms.collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_name_of_an_event_states_its_unit() {
        let check = |id: &str, title: &str, unit: Option<&str>, rate: u32| {
            let found = unit_of(id.as_bytes());
            assert_eq!((found.1, found.2), (unit, NonZeroU32::new(rate)), "for {id}");
            let found = EventDefinitions::default().name_of(id.as_bytes()).title;
            let found = found.as_deref().map(String::from_utf8_lossy);
            assert_eq!(found.unwrap_or_default(), title, "for {id}");
        };
        check("Time_(10ns)", "Time", Some("ticks"), 100_000_000);
        check("cpu(ms)", "cpu", Some("milliseconds"), 1000);
        check("ns", "time", Some("nanoseconds"), 1_000_000_000);
        check("Memory_(bytes)", "Memory", Some("bytes"), 0);
        check("inuse_space(MB)", "", None, 0);
        check("Time_(0ns)", "Time", None, 0);
        check("Time_(99999999999ns)", "", None, 0);
        check("bytes", "", None, 0);
        check("Ir", "", None, 0);
    }

    #[test]
    fn names_of_times_without_a_unit_are_clocks() {
        let source = |id: &[u8]| unit_of(id).0;
        assert_eq!([b"Time".as_slice(), b"ticks"].map(source), [ValueSource::Measured; 2]);
        assert_eq!([b"Times".as_slice(), b"Ir"].map(source), [ValueSource::Counted; 2]);
    }
}
