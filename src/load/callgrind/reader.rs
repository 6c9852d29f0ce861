//! Reads a profile line by line in one pass.

use std::num::NonZeroU32;

use super::super::Damage;
use super::super::cost_builder::{FunctionKey, NameId};
use super::super::error::ReadError;
use super::super::text_lines::{LinesRead, read_lines};
use super::CallgrindFault;
use super::event_definitions::EventDefinitions;
use super::levels::number_first_levels;
use super::names::{NameCompression, NameKind};
use super::numbers::{number, take_number, take_position};
use super::parts::ProfileParts;
use super::tables::{CallgrindCosts, CostPlace};
use crate::limits::MOST_VALUES;
use crate::model::{FunctionId, RecordedCosts};
use crate::progress::Progress;

#[derive(Debug)]
pub(super) struct Read {
    pub(super) costs: RecordedCosts,
    pub(super) version: Option<u32>,
    pub(super) damage: Option<Damage>,
}

/// Reads a profile up to the first invalid line. Without costs before it, that is an error.
///
/// Differences of `cg_diff`, and Xdebug's memory, have negative costs. A profile with these is
/// read again with columns for them.
pub(super) fn read(text: &[u8], progress: Progress) -> Result<Read, ReadError> {
    match read_with(text, false, progress)? {
        Some(read) => Ok(read),
        None => Ok(read_with(text, true, Progress::default())?.expect("it has these columns")),
    }
}

/// Reads a profile; `None` at the first negative cost without columns for these.
fn read_with(
    text: &[u8],
    has_negatives: bool,
    progress: Progress,
) -> Result<Option<Read>, ReadError> {
    let mut reader = CallgrindReader { has_negatives, ..CallgrindReader::default() };
    let LinesRead { n_lines, n_left, fault } = read_lines(text, progress, |_, line| {
        reader.check_whole(line)?;
        reader.read_line(line.trim_ascii())
    });
    let damage = match fault {
        Some(CallgrindFault::Negative) => return Ok(None),
        Some(fault) => Some(damage_at(n_lines, fault, n_left)),
        None => reader.check_end().err().map(|fault| damage_at(n_lines + 1, fault, 0)),
    };
    match damage {
        Some(damage) if reader.event_ids.is_empty() => Err(damage.error),
        _ => reader.finish(damage, n_lines).map(Some),
    }
}

/// The start of a line between profiles that Xdebug appended to one file
/// (`xdebug.profiler_append`).
const NEXT_FILE: &[u8] = b"==== NEW PROFILING FILE ====";

fn damage_at(line: u64, fault: CallgrindFault, n_lost: u64) -> Damage {
    Damage { error: ReadError::at_line(line, fault), n_lost }
}

/// The state set by earlier lines.
#[derive(Debug, Default)]
struct CallgrindReader<'a> {
    version: Option<u32>,
    /// The second half of the columns contains the costs to subtract.
    has_negatives: bool,
    /// Written by callgrind: every line has an end, and every part has totals.
    is_of_callgrind: bool,
    names: NameCompression,
    tables: CallgrindCosts,
    parts: ProfileParts,
    definitions: EventDefinitions<'a>,
    event_ids: Vec<&'a [u8]>,
    columns: PositionColumns,
    /// The positions of the last costs.
    address: u64,
    line: u64,
    /// The costs on the current line.
    costs: Vec<u64>,
    object: Option<NameId>,
    file: Option<NameId>,
    function: Option<FunctionId>,
    callee: CalleeSpec,
    /// Calls whose costs follow: the callee and the count.
    calls: Option<(FunctionId, u64)>,
    /// The position of a jump follows.
    is_behind_jump: bool,
}

/// The position columns before the costs.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum PositionColumns {
    #[default]
    Line,
    Address,
    AddressAndLine,
}

/// The specified properties of the next callee; the others equal the caller's.
#[derive(Debug, Default)]
struct CalleeSpec {
    object: Option<Option<NameId>>,
    file: Option<Option<NameId>>,
    /// Its level of recursion, from 2.
    name: Option<(NameId, Option<NonZeroU32>)>,
    /// The previous callee, which a call without `cfn=` repeats.
    last: Option<FunctionId>,
}

impl<'a> CallgrindReader<'a> {
    fn read_line(&mut self, line: &'a [u8]) -> Result<(), CallgrindFault> {
        match line.first() {
            None | Some(b'#') => Ok(()),
            Some(b'=') if line.starts_with(NEXT_FILE) => self.end_run(),
            Some(b'0'..=b'9' | b'+' | b'-' | b'*') => self.read_costs(line),
            Some(_) => {
                let n_letters = line.iter().take_while(|b| b.is_ascii_alphabetic()).count();
                let (key, rest) = line.split_at(n_letters);
                match rest.split_first() {
                    Some((b'=', value)) => self.read_position(key, value.trim_ascii_start()),
                    Some((b':', value)) => self.read_header(key, value.trim_ascii_start()),
                    _ => Err(CallgrindFault::Line),
                }
            }
        }
    }

    /// Handles the line before an appended profile, which numbers its names anew.
    fn end_run(&mut self) -> Result<(), CallgrindFault> {
        self.parts.meet_header()?;
        self.names.numbered = Default::default();
        (self.object, self.file, self.function) = (None, None, None);
        self.callee = CalleeSpec::default();
        Ok(())
    }

    fn read_header(&mut self, key: &[u8], value: &'a [u8]) -> Result<(), CallgrindFault> {
        match key {
            b"totals" => {
                self.parts.totals = Some(self.costs_alone(value)?);
                return Ok(());
            }
            // Usually it is in the header; cachegrind and Xdebug write it at the end.
            b"summary" => {
                self.parts.summary = Some(self.costs_alone(value)?);
                return Ok(());
            }
            _ => self.parts.meet_header()?,
        }
        let number_of = |what| number(value).ok_or(CallgrindFault::Number { what });
        let part = &mut self.parts.current;
        match key {
            b"version" => {
                // Minor versions are compatible: Xdebug before 2.3 wrote 0.9.6.
                let major = value.split(|&byte| byte == b'.').next().and_then(number);
                let what = "the version of the format";
                let version = major.ok_or(CallgrindFault::Number { what })?;
                if version > 1 {
                    return Err(CallgrindFault::Version { version });
                }
                self.version = u32::try_from(version).ok();
            }
            b"creator" => {
                self.is_of_callgrind = value.starts_with(b"callgrind");
                self.names.has_levels = self.is_of_callgrind;
            }
            b"cmd" => {
                let id = self.tables.costs.name(value);
                part.command = Some(self.tables.costs.text(id).clone());
            }
            b"pid" => part.process = Some(number_of("the number of a process")?),
            b"part" => part.number = Some(number_of("the number of a part")?),
            b"thread" => part.thread = Some(number_of("the number of a thread")?),
            b"positions" => self.columns = columns(value)?,
            b"event" => self.definitions.read(value)?,
            b"events" => self.read_events(value)?,
            // Descriptions, and keys of later versions.
            _ => {}
        }
        Ok(())
    }

    fn read_events(&mut self, value: &'a [u8]) -> Result<(), CallgrindFault> {
        let ids = value.split(u8::is_ascii_whitespace);
        let ids = ids.filter(|id| !id.is_empty());
        if !self.event_ids.is_empty() {
            let is_same = ids.eq(self.event_ids.iter().copied());
            return is_same.then_some(()).ok_or(CallgrindFault::OtherEvents);
        }
        let ids: Vec<_> = ids.take(MOST_VALUES + 1).collect();
        if ids.is_empty() {
            let what = "the name of an event";
            return Err(CallgrindFault::End { what });
        }
        if ids.len() > MOST_VALUES {
            return Err(CallgrindFault::TooManyEvents { limit: MOST_VALUES });
        }
        self.event_ids = ids;
        let n_columns = self.event_ids.len() * if self.has_negatives { 2 } else { 1 };
        self.tables.set_n_columns(n_columns);
        Ok(())
    }

    /// Costs without a position. Trailing zeros may be omitted.
    fn costs_alone(&mut self, mut text: &[u8]) -> Result<Vec<u64>, CallgrindFault> {
        // A summary may come before the list of events.
        let n_events = match self.event_ids.len() {
            0 => MOST_VALUES,
            n_events => n_events,
        };
        let mut costs = Vec::new();
        self.take_costs(&mut text, n_events, &mut costs)?;
        Ok(costs)
    }

    /// The costs on a line: after all events, those to subtract, if the profile has such.
    fn take_costs(
        &self,
        text: &mut &[u8],
        n_events: usize,
        costs: &mut Vec<u64>,
    ) -> Result<(), CallgrindFault> {
        costs.clear();
        let mut negatives = Vec::new();
        while !text.is_empty() {
            if costs.len() == n_events {
                return Err(CallgrindFault::Costs { n_events });
            }
            let what = "a cost";
            let is_negative = text.starts_with(b"-");
            if is_negative && !self.has_negatives {
                return Err(CallgrindFault::Negative);
            }
            *text = &text[usize::from(is_negative)..];
            let cost = take_number(text).ok_or(CallgrindFault::Number { what })?;
            if is_negative {
                negatives.push((costs.len(), cost));
            }
            costs.push(if is_negative { 0 } else { cost });
        }
        if !negatives.is_empty() && !self.event_ids.is_empty() {
            costs.resize(2 * n_events, 0);
            for (event, cost) in negatives {
                costs[n_events + event] = cost;
            }
        }
        Ok(())
    }

    fn read_position(&mut self, key: &[u8], value: &[u8]) -> Result<(), CallgrindFault> {
        if self.calls.is_some() {
            return Err(CallgrindFault::NoCallCosts);
        }
        self.parts.meet_body();
        match key {
            b"ob" => self.object = self.known(NameKind::Object, value),
            b"fl" | b"fi" | b"fe" => self.file = self.known(NameKind::File, value),
            b"fn" => {
                let (name, level) = self.names.read_function(value, &mut self.tables.costs);
                let key = FunctionKey { name, level, file: self.file, object: self.object };
                self.function = Some(self.tables.function(key));
            }
            b"cob" => self.callee.object = Some(self.known(NameKind::Object, value)),
            b"cfl" | b"cfi" => self.callee.file = Some(self.known(NameKind::File, value)),
            b"cfn" => {
                self.callee.name = Some(self.names.read_function(value, &mut self.tables.costs))
            }
            // After the count, some programs write the called line, others something else.
            b"calls" => {
                let count = value.split(u8::is_ascii_whitespace).next();
                let count = count.and_then(number);
                let what = "a number of calls";
                let count = count.ok_or(CallgrindFault::Number { what })?;
                self.calls = Some((self.take_callee()?, count));
            }
            b"jump" | b"jcnd" => self.is_behind_jump = true,
            // The targets of jumps, whose names may be used again.
            b"job" => _ = self.name(NameKind::Object, value),
            b"jfl" | b"jfi" => _ = self.name(NameKind::File, value),
            b"jfn" => _ = self.name(NameKind::Function, value),
            _ => return Err(CallgrindFault::Line),
        }
        Ok(())
    }

    fn name(&mut self, kind: NameKind, value: &[u8]) -> NameId {
        self.names.read(kind, value, &mut self.tables.costs)
    }

    /// A name; `None` if it is a placeholder.
    fn known(&mut self, kind: NameKind, value: &[u8]) -> Option<NameId> {
        let id = self.name(kind, value);
        let is_unknown = matches!(**self.tables.costs.text(id), [] | [b'?', b'?', b'?']);
        (!is_unknown).then_some(id)
    }

    fn take_callee(&mut self) -> Result<FunctionId, CallgrindFault> {
        let CalleeSpec { object, file, name, last } = std::mem::take(&mut self.callee);
        let callee = match name {
            Some((name, level)) => {
                let key = FunctionKey {
                    name,
                    level,
                    file: file.unwrap_or(self.file),
                    object: object.unwrap_or(self.object),
                };
                self.tables.function(key)
            }
            None => last.ok_or(CallgrindFault::NoCallee)?,
        };
        self.callee.last = Some(callee);
        Ok(callee)
    }

    fn read_costs(&mut self, mut text: &[u8]) -> Result<(), CallgrindFault> {
        let n_events = self.event_ids.len();
        if n_events == 0 {
            return Err(CallgrindFault::NoEvents);
        }
        self.parts.meet_body();
        if self.columns != PositionColumns::Line {
            self.address = take_position(&mut text, self.address, "address")?;
        }
        let mut line = None;
        if self.columns != PositionColumns::Address {
            let what = "line";
            self.line = take_position(&mut text, self.line, what)?;
            let number = u32::try_from(self.line);
            line = NonZeroU32::new(number.map_err(|_| CallgrindFault::Position { what })?);
        }
        if std::mem::take(&mut self.is_behind_jump) {
            return Ok(());
        }
        let mut costs = std::mem::take(&mut self.costs);
        self.take_costs(&mut text, n_events, &mut costs)?;
        costs.resize(if self.has_negatives { 2 * n_events } else { n_events }, 0);
        self.costs = costs;
        let place = CostPlace { function: self.function, file: self.file, line };
        match self.calls.take() {
            Some(calls) => self.tables.add_calls(place, calls, &self.costs),
            None => self.tables.add_costs(place, &self.costs),
        }
    }

    /// Refuses a last line without newline, which may be truncated.
    fn check_whole(&self, line: &[u8]) -> Result<(), CallgrindFault> {
        let what = "the rest of this line";
        if line.ends_with(b"\n") || !self.is_of_callgrind {
            Ok(())
        } else {
            Err(CallgrindFault::End { what })
        }
    }

    fn check_end(&self) -> Result<(), CallgrindFault> {
        let lacks = [
            (self.event_ids.is_empty(), "a line `events:`"),
            (self.calls.is_some(), "the costs of calls"),
            (self.is_of_callgrind && self.parts.totals.is_none(), "a line `totals:`"),
        ];
        let lack = lacks.into_iter().find(|(is_missing, _)| *is_missing);
        lack.map_or(Ok(()), |(_, what)| Err(CallgrindFault::End { what }))
    }

    fn finish(mut self, damage: Option<Damage>, last_line: u64) -> Result<Read, ReadError> {
        let mut metrics = self.definitions.metrics(&self.event_ids);
        if self.has_negatives {
            metrics.iter_mut().for_each(|metric| metric.subtract_behind(self.event_ids.len()));
        }
        let (mut costs, first_levels) = self.tables.finish(metrics);
        number_first_levels(&mut costs, &first_levels);
        costs.unnamed_number = self.names.unnamed;
        let summed = self.parts.finish(&mut costs);
        let overflow = summed.err().map(|fault| damage_at(last_line, fault, 0));
        Ok(Read { costs, version: self.version, damage: damage.or(overflow) })
    }
}

fn columns(text: &[u8]) -> Result<PositionColumns, CallgrindFault> {
    let mut words = text.split(u8::is_ascii_whitespace);
    let mut next = || words.find(|word| !word.is_empty());
    match (next(), next(), next()) {
        (Some(b"line"), None, _) => Ok(PositionColumns::Line),
        // The name before callgrind became a part of Valgrind.
        (Some(b"instr" | b"addr"), None, _) => Ok(PositionColumns::Address),
        (Some(b"instr" | b"addr"), Some(b"line"), None) => Ok(PositionColumns::AddressAndLine),
        _ => Err(CallgrindFault::Positions),
    }
}
