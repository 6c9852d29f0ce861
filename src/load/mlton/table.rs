//! The table that a program prints for `@MLton show-sources`, before 2007 for `@MLton
//! show-prof`.
//!
//! A build number; a count and names with positions; a count and copies, each with a name and
//! a list of callees by number; a count and lists of copies. The release of 2003-03 has no
//! copies and no counts after the names, but for each name a list of callee names. Source:
//! `runtime/gc/sources.c` in github.com/MLton/mlton, and files.

use std::collections::HashMap;
use std::num::NonZeroU32;

use foldhash::fast::RandomState;

use super::super::cost_builder::CostBuilder;
use super::super::error::ReadError;
use super::super::sparse::Bytes;
use super::super::{Claim, Damage, Format, Hints, Loaded};
use super::lines::{MltonLines, build, number_to, word_to};
use super::{KIND, LAST_NUMBER, MltonFault, MltonPolicy};
use crate::model::{
    CalleeListId, Context, ContextId, Function, FunctionId, PossibleCalls, RecordedCosts,
};
use crate::standard_ml::{Word, number, plain_number, words};
use crate::threads;

/// The text that programs print for an unknown position.
const UNKNOWN: &[u8] = b"<unknown>";

pub(in super::super) struct Table;

impl Format for Table {
    fn name(&self) -> &'static str {
        "MLton table"
    }

    fn sniff(&self, data: Bytes<'_>, _hints: &Hints) -> Claim {
        let data = data.start();
        let mut lines = MltonLines::new(&data[..data.len().min(256)], MltonPolicy::CAREFUL);
        let mut next = || lines.next("").unwrap_or_default();
        let (first, second, third) = (next(), next(), next());
        let has_build = first.starts_with(b"0x") && build(first).is_some();
        let has_count = words(second).count() == 1 && number_to(second, LAST_NUMBER).is_some();
        if !(has_build && has_count) {
            Claim::No
        } else if first.len() == 10 && third == UNKNOWN {
            Claim::Certain
        } else {
            Claim::Plausible
        }
    }

    fn read(&self, data: Bytes<'_>, _hints: &Hints) -> Result<Loaded, ReadError> {
        let data = data.whole()?;
        let (costs, damage) = read(data, MltonPolicy::CAREFUL)?;
        Ok(Loaded { damage, ..Loaded::of_text("MLton source table", KIND, costs) })
    }
}

/// Reads a table. Text after its end is the only recoverable damage.
///
/// # Errors
/// If it is not a table.
pub fn read(
    text: &[u8],
    policy: MltonPolicy,
) -> Result<(RecordedCosts, Option<Damage>), ReadError> {
    let mut lines = MltonLines::new(text, policy);
    let build = Some(lines.build()?);
    let n_names = lines.number("the number of names", LAST_NUMBER)?;
    let n_names = usize::try_from(n_names).unwrap_or(usize::MAX);
    let mut names = lines.clone();
    let (names, calls) = threads::in_parallel(
        text.len() as u64 >= threads::WORTH_BYTES,
        || read_names(&mut names, policy, n_names),
        || read_calls(&mut lines, policy, n_names),
    );
    // An error in names comes first in the text.
    let names = names?;
    let calls = calls?;
    let costs = RecordedCosts {
        build,
        contexts: calls.contexts,
        possible_calls: calls.possible_calls,
        ..names
    };
    let n_lines = lines.n_left();
    if n_lines == 0 {
        return Ok((costs, None));
    }
    let n_lost = lines.rest().len() as u64;
    let error = lines.error(MltonFault::Rest { n_lines });
    Ok((costs, Some(Damage { error, n_lost })))
}

/// Reads functions with their positions.
fn read_names(
    lines: &mut MltonLines<'_>,
    policy: MltonPolicy,
    n_names: usize,
) -> Result<RecordedCosts, ReadError> {
    let mut costs = CostBuilder::default();
    let mut special_functions = Vec::new();
    for id in (0..).take(n_names) {
        let line = lines.next("a name")?;
        let (name, position) =
            split_name(line, policy).ok_or_else(|| lines.error(MltonFault::Name))?;
        if position.is_none() {
            special_functions.push(FunctionId(id));
        }
        let position = position.filter(|&text| policy.keeps_unknown_positions || text != UNKNOWN);
        let location = position.map(|text| {
            let (file, line) = split_position(text);
            let file = costs.name(file);
            costs.place(file, line)
        });
        costs.add_function(Function { location, ..Function::named(name) });
    }
    let costs = costs.finish(Vec::new());
    Ok(RecordedCosts { special_functions, knows_files: false, ..costs })
}

/// Reads the rest after the names: contexts and possible calls.
fn read_calls(
    lines: &mut MltonLines<'_>,
    policy: MltonPolicy,
    n_names: usize,
) -> Result<RecordedCosts, ReadError> {
    let mut costs = RecordedCosts::default();
    for _ in 0..n_names {
        lines.next("a name")?;
    }
    if n_names == 0 {
        return Err(lines.error(MltonFault::NotProfiled));
    }
    if policy.knows_first_release && !has_copies(lines) {
        read_callees_of_names(lines, n_names, &mut costs)?;
    } else {
        read_copies(lines, n_names, &mut costs)?;
    }
    Ok(costs)
}

/// A name and its position, separated by a tab. A line with one of them has a name only.
fn split_name(line: &[u8], policy: MltonPolicy) -> Option<(&[u8], Option<&[u8]>)> {
    let is_tab = |byte: &u8| *byte == b'\t';
    let mut parts = line.splitn(2, is_tab);
    let name = parts.next().unwrap_or_default();
    let position = parts.next().filter(|text| !text.is_empty());
    if !policy.joins_tabs {
        return match (name, position) {
            (b"", Some(position)) => Some((position, None)),
            found => Some(found),
        };
    }
    let mut parts = line.split(is_tab).filter(|part| !part.is_empty());
    let name = parts.next()?;
    let position = parts.next();
    parts.next().is_none().then_some((name, position))
}

/// Splits file and line at the last colon with a blank. A line number in another notation
/// belongs to the file name.
fn split_position(position: &[u8]) -> (&[u8], Option<NonZeroU32>) {
    let n_digits = position.iter().rev().take_while(|byte| byte.is_ascii_digit());
    let (before, digits) = position.split_at(position.len() - n_digits.count());
    let Some(file) = before.strip_suffix(b": ") else {
        return (position, None);
    };
    let line = plain_number(digits).filter(|_| !digits.starts_with(b"0"));
    let line = line.and_then(|line| NonZeroU32::try_from(u32::try_from(line).ok()?).ok());
    match line {
        None => (position, None),
        line => (file, line),
    }
}

/// Returns whether the number of copies follows the names, not the (empty) callee list of
/// `<unknown>`.
fn has_copies(lines: &MltonLines<'_>) -> bool {
    let mut lines = lines.clone();
    lines.next("").map_or(true, |line| words(line).count() == 1)
}

fn read_callees_of_names(
    lines: &mut MltonLines<'_>,
    n_names: usize,
    costs: &mut RecordedCosts,
) -> Result<(), ReadError> {
    for id in (0..).take(n_names) {
        let line = lines.next("the callees of a name")?;
        let mut callees = Vec::new();
        let mut numbers = words(line);
        while let Some(number) = numbers.next_number() {
            let what = "the number of a name";
            callees.push(ContextId(index(lines, number, what, n_names)?));
        }
        costs.contexts.push(context_of(FunctionId(id)));
        let list = costs.possible_calls.add_list(callees);
        costs.possible_calls.add_caller(list);
    }
    Ok(())
}

fn read_copies(
    lines: &mut MltonLines<'_>,
    n_names: usize,
    costs: &mut RecordedCosts,
) -> Result<(), ReadError> {
    let n_copies = lines.number("the number of copies", LAST_NUMBER)?;
    let first_line = lines.line_number() + 1;
    let mut sequences = Vec::new();
    for _ in 0..n_copies {
        let line = lines.next("a copy")?;
        let mut numbers = words(line);
        let (Some(name), Some(sequence), None) =
            (numbers.next_number(), numbers.next_number(), numbers.next())
        else {
            let (what, expected) = ("the name and the callees of a copy", 2);
            let fault = MltonFault::Words { what, expected, found: words(line).count() };
            return Err(lines.error(fault));
        };
        let name = index(lines, name, "the number of a name", n_names)?;
        costs.contexts.push(context_of(FunctionId(name)));
        // The number of lists follows only after the copies.
        let (what, limit) = ("the number of a list of callees", LAST_NUMBER);
        let sequence = word_to(sequence, limit)
            .ok_or_else(|| lines.error(MltonFault::Number { what, limit }))?;
        sequences.push(sequence);
    }
    read_lists(lines, &sequences, first_line, costs)
}

/// Reads the lists that copies refer to, the first of them in `first_line`. The other lists
/// are call stacks for the program itself.
fn read_lists(
    lines: &mut MltonLines<'_>,
    sequences: &[u64],
    first_line: u64,
    costs: &mut RecordedCosts,
) -> Result<(), ReadError> {
    let n_copies = costs.contexts.len();
    let n_lists = lines.number("the number of lists of callees", LAST_NUMBER)?;
    let mut copies = (first_line..).zip(sequences);
    if let Some((line, _)) = copies.find(|(_, sequence)| **sequence >= n_lists) {
        let (what, limit) = ("the number of a list of callees", n_lists.saturating_sub(1));
        return Err(lines.error_at(line, MltonFault::Number { what, limit }));
    }
    let mut lists: HashMap<u64, Option<CalleeListId>, RandomState> =
        sequences.iter().map(|&sequence| (sequence, None)).collect();
    let mut calls = PossibleCalls::default();
    let mut callees = Vec::new();
    for sequence in 0..n_lists {
        let line = lines.next("a list of callees")?;
        callees.clear();
        let named = lists.get_mut(&sequence);
        let mut numbers = words(line);
        while let Some(copy) = numbers.next_number() {
            let what = "the number of a copy";
            if named.is_some() {
                callees.push(ContextId(index(lines, copy, what, n_copies)?));
            } else if word_to(copy, LAST_NUMBER).is_none()
                && number(copy.text).is_none_or(|number| i32::try_from(number).is_err())
            {
                let limit = LAST_NUMBER;
                return Err(lines.error(MltonFault::Number { what, limit }));
            }
        }
        if let Some(list) = named {
            *list = Some(calls.add_list(callees.iter().copied()));
        }
    }
    for sequence in sequences {
        calls.add_caller(lists[sequence].expect("every list that a copy names was read"));
    }
    costs.possible_calls = calls;
    Ok(())
}

fn context_of(function: FunctionId) -> Context {
    Context { function: Some(function), ..Context::default() }
}

/// A word as an index below `length`.
fn index(
    lines: &MltonLines<'_>,
    word: Word<'_>,
    what: &'static str,
    length: usize,
) -> Result<u32, ReadError> {
    let limit = (length as u64).saturating_sub(1);
    word_to(word, limit)
        .filter(|_| length > 0)
        .and_then(|number| u32::try_from(number).ok())
        .ok_or_else(|| lines.error(MltonFault::Number { what, limit }))
}
