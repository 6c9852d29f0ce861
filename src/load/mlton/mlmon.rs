//! `mlmon.out`, the profile of a run.
//!
//! Five header lines (`MLton prof`, the quantity, the style, the build, totals), then a count
//! and a row of numbers for each copy, then a count and a row for each name. The release of
//! 2003-03 has a single table without counts. Source: `runtime/gc/profiling.c`
//! (`GC_profileWrite`) in github.com/MLton/mlton, and files.

use std::num::NonZeroU32;

use super::super::error::ReadError;
use super::super::sparse::Bytes;
use super::super::{Claim, FilePart, Format, Hints, Loaded};
use super::lines::{MltonLines, number_to};
use super::{KIND, LAST_NUMBER, MltonFault, MltonPolicy};
use crate::model::{
    MlmonCounts, MlmonRows, MlmonStyle, Quantity, RecordedCosts, Unit, ValueMetric, ValueSource,
};
use crate::standard_ml::{Word, number, words};
use crate::threads;

const HEADER: &[u8] = b"MLton prof";
/// Ticks per second of MLton's clock.
const TICKS_PER_SECOND: NonZeroU32 = NonZeroU32::new(100).expect("100 is not 0");

/// Maximum number of values in a row.
const N_COLUMNS: usize = 3;

pub(in super::super) struct Mlmon;

impl Format for Mlmon {
    fn name(&self) -> &'static str {
        "MLton profile"
    }

    fn sniff(&self, data: Bytes<'_>, _hints: &Hints) -> Claim {
        let data = data.start();
        let start = data.get(HEADER.len()..).unwrap_or_default();
        // Before 2003 it was binary, after a header that ends in a NUL.
        let is_text = !start.starts_with(b"\0") && !start.starts_with(b"\n\0");
        Claim::certain_if(data.starts_with(HEADER) && is_text)
    }

    fn part(&self) -> FilePart {
        FilePart::Numbers
    }

    fn read(&self, data: Bytes<'_>, _hints: &Hints) -> Result<Loaded, ReadError> {
        let data = data.whole()?;
        let mut reading = Loaded::of_text("MLton profile", KIND, RecordedCosts::default());
        reading.profile.mlmon_counts = Some(read(data, MltonPolicy::CAREFUL)?);
        Ok(reading)
    }
}

/// Reads a profile. Ignores text after its end.
///
/// # Errors
/// If it is not a profile.
pub fn read(text: &[u8], policy: MltonPolicy) -> Result<MlmonCounts, ReadError> {
    let mut lines = MltonLines::new(text, policy);
    choose(&mut lines, "the header", "MLton prof", &[(HEADER, ())])?;
    let metric = ValueMetric::counted;
    let ticks = ValueMetric {
        rate: Some(TICKS_PER_SECOND),
        source: ValueSource::SAMPLES,
        ..metric("ticks", "time", "ticks", 0)
    };
    let bytes = metric("bytes", "allocated memory", "bytes", 0);
    let entries = metric("entries", "entries", "entries", 0);
    let kinds: [(&[u8], _); 3] = [
        (b"alloc", (Quantity::ALLOCATED, Unit::BYTES, &bytes)),
        (b"count", (Quantity::ENTRIES, Unit::COUNT, &entries)),
        (b"time", (Quantity::TIME, Unit::TICKS, &ticks)),
    ];
    let (quantity, unit, metric) =
        choose(&mut lines, "the counted quantity", "alloc, count or time", &kinds)?;
    let styles: [(&[u8], _); 2] =
        [(b"current", MlmonStyle::Current), (b"stack", MlmonStyle::Stack)];
    let style = choose(&mut lines, "the counting style", "current or stack", &styles)?;
    let build = lines.build()?;
    let (program, collector) = read_totals(&mut lines, policy)?;
    let (contexts, functions) = if policy.knows_first_release && !has_lengths(&lines, style) {
        let n_rows = lines.n_left();
        let rows = read_rows(&mut lines, n_rows, style, policy)?;
        (rows.clone(), rows)
    } else {
        read_tables(&mut lines, style, policy)?
    };
    Ok(MlmonCounts {
        build,
        quantity,
        unit,
        metric: metric.clone(),
        style,
        program,
        collector,
        contexts,
        functions,
    })
}

fn choose<T: Copy>(
    lines: &mut MltonLines<'_>,
    what: &'static str,
    choice: &'static str,
    choices: &[(&[u8], T)],
) -> Result<T, ReadError> {
    let line = lines.next(what)?;
    choices
        .iter()
        .find(|(text, _)| *text == line)
        .map(|(_, chosen)| *chosen)
        .ok_or_else(|| lines.error(MltonFault::Choice { what, choice }))
}

fn read_totals(lines: &mut MltonLines<'_>, policy: MltonPolicy) -> Result<(i128, i128), ReadError> {
    let what = "the totals of program and collector";
    let line = lines.next(what)?;
    let found = words(line).count();
    if found != 2 {
        let expected = 2;
        return Err(lines.error(MltonFault::Words { what, expected, found }));
    }
    let mut totals = words(line).map(|word| value(lines, word, policy));
    let mut next = || totals.next().unwrap_or(Ok(0));
    Ok((next()?, next()?))
}

/// Returns whether the number of copies follows, not the first row. A table of the release of
/// 2003-03 starts with the count of unknown code, which is rarely above 0, and no program has
/// 0 copies.
fn has_lengths(lines: &MltonLines<'_>, style: MlmonStyle) -> bool {
    let line = lines.clone().next("").unwrap_or_default();
    let n_words = words(line).count();
    match style {
        MlmonStyle::Stack => n_words < 3,
        MlmonStyle::Current => n_words != 1 || number_to(line, 0).is_none(),
    }
}

/// Reads the rows of copies and of names, and their numbers.
fn read_tables(
    lines: &mut MltonLines<'_>,
    style: MlmonStyle,
    policy: MltonPolicy,
) -> Result<(MlmonRows, MlmonRows), ReadError> {
    let n_copies = lines.number("the number of copies", LAST_NUMBER)?;
    let mut behind = lines.clone();
    let n_bytes = behind.rest().len();
    let read_copies = || read_rows(lines, n_copies, style, policy);
    let read_names = || {
        for _ in 0..n_copies {
            behind.next("a row of numbers")?;
        }
        let n_names = behind.number("the number of names", LAST_NUMBER)?;
        read_rows(&mut behind, n_names, style, policy)
    };
    let (copies, names) =
        threads::in_parallel(n_bytes as u64 >= threads::WORTH_BYTES, read_copies, read_names);
    // An error in copies comes first in the text.
    Ok((copies?, names?))
}

fn read_rows(
    lines: &mut MltonLines<'_>,
    n_rows: u64,
    style: MlmonStyle,
    policy: MltonPolicy,
) -> Result<MlmonRows, ReadError> {
    let mut rows = MlmonRows::new(style);
    let expected = style.n_columns();
    let mut row: Vec<i128> = Vec::new();
    for _ in 0..n_rows {
        let line = lines.next("a row of numbers")?;
        let mut numbers = words(line);
        let mut found: [Option<Word<'_>>; N_COLUMNS + 1] = [None; N_COLUMNS + 1];
        for place in &mut found[..=expected] {
            *place = numbers.next_number();
        }
        // If one number is expected, words after it do not count.
        let has_more = found[expected].is_some() && style == MlmonStyle::Stack;
        if found[expected - 1].is_none() || has_more {
            let (what, found) = ("a row", words(line).count());
            return Err(lines.error(MltonFault::Words { what, expected, found }));
        }
        row.clear();
        for word in found[..expected].iter().flatten() {
            row.push(match word.plain {
                Some(value) => i128::from(value),
                None => value(lines, word.text, policy)?,
            });
        }
        rows.push(&row);
    }
    Ok(rows)
}

/// A value. Negative values and values above 64 bits are invalid.
fn value(lines: &MltonLines<'_>, word: &[u8], policy: MltonPolicy) -> Result<i128, ReadError> {
    let (what, limit) = ("a value", u64::MAX);
    number(word)
        .filter(|&value| policy.takes_any_value || (0..=i128::from(limit)).contains(&value))
        .ok_or_else(|| lines.error(MltonFault::Number { what, limit }))
}
