//! `event:` lines, which give events long names or define sums of events.

use std::sync::Arc;

use super::{CallgrindFault, MAX_EVENTS};
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
        if self.definitions.len() == MAX_EVENTS {
            return Err(CallgrindFault::TooManyEvents { limit: MAX_EVENTS });
        }
        self.definitions.push(definition);
        Ok(())
    }

    /// The recorded events, then the events that are sums of recorded ones only.
    pub(super) fn metrics(&self, ids: &[&[u8]]) -> Vec<ValueMetric> {
        let metric = |id, column| ValueMetric::of_column(self.name_of(id), source_of(id), column);
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
        MetricName { id: id.into(), title: titles.find_map(|event| event.title).map(Arc::from) }
    }
}

/// Units of time that stand for a clock in the names of events.
const CLOCKS: [&[u8]; 6] = [b"time", b"ns", b"us", b"ms", b"ticks", b"seconds"];

/// Events are counted, unless their name is that of a time: Xdebug writes `Time_(10ns)`, and
/// pyprof2calltree `ns`.
fn source_of(id: &[u8]) -> ValueSource {
    let end = id.iter().position(|byte| !byte.is_ascii_alphabetic()).unwrap_or(id.len());
    let is_clock = CLOCKS.iter().any(|clock| id[..end].eq_ignore_ascii_case(clock));
    if is_clock { ValueSource::Measured } else { ValueSource::Counted }
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
            digits => std::str::from_utf8(digits).ok()?.parse::<u64>().ok()?,
        };
        let id = id.trim_ascii_start();
        let id = id.strip_prefix(b"*").unwrap_or(id).trim_ascii_start();
        let index = ids.iter().position(|known| *known == id)?;
        Some((i128::from(factor), index))
    });
    terms.collect()
}
