//! Mptrace's reports.

mod streams;

use std::io::Write;
use std::path::Path;

use anyhow::{Context, Result};
use streams::{NAME, Streams};

use super::numbers::{
    BlockStep, EventRow, OutOfOrder, Replay, Revisited, SlotTable, Statistics, TooManySlots,
};
use super::options::MptracePlan;
use super::printer::{
    EventTable, hatf_header, hatf_line, invalid_event_line, location_line, program_end,
    program_line, program_start, statistics_text,
};
use crate::compat::{CANNOT_WRITE, WithFirstLine, check_output, first_line};
use crate::load::{Compressions, RewindableTrace, TraceInput, TraceReader, open_trace};
use crate::model::TraceEvent;

/// Prints the report of a plan. Writes the original's messages to `notes`. Like the original, it
/// opens the trace, then the other outputs. It reads the header of the trace after writing the
/// headers of the outputs. After an error, the outputs contain all complete events.
pub(in crate::compat) fn run(
    plan: &MptracePlan,
    out: &mut dyn Write,
    notes: &mut dyn Write,
) -> Result<()> {
    for note in &plan.notes {
        writeln!(notes, "{NAME}{note}").context(CANNOT_WRITE)?;
    }
    let preface = out.write_all(plan.preface.as_bytes());
    preface.context(CANNOT_WRITE)?;
    for path in [&plan.hatf, &plan.program].into_iter().flatten() {
        check_output(path, [&*plan.file].into_iter())?;
    }
    let with_line = |error: anyhow::Error| {
        let line = if error.is::<TooManySlots>() {
            Some("Too many allocations in use".to_owned())
        } else {
            first_line::of_mpatrol(&error, &plan.file, "Tracing")
        };
        WithFirstLine::add(line.map(|line| NAME.to_owned() + &line), error)
    };
    let trace = open_trace(&plan.file, Compressions::Gzip);
    let trace = trace.map_err(|error| with_line(error.into()))?;
    let mut streams = Streams::open(plan, out, notes)?;
    write_starts(plan, &mut streams);
    let outcome = replay(plan, trace, &mut streams);
    if let Ok(statistics) = &outcome {
        if plan.shows_events {
            streams.stdout.word("\n");
        }
        statistics_text(&mut streams.stdout, statistics);
    }
    let finished = streams.finish();
    outcome.map_err(with_line)?;
    finished
}

/// Prints a line for each event to every output.
fn replay(plan: &MptracePlan, trace: TraceInput, streams: &mut Streams<'_>) -> Result<Statistics> {
    let trace = &mut trace.into_rewindable()?;
    let mut slots = SlotTable::default();
    let outcome = replay_events(plan, trace, &mut slots, streams);
    // The program replays the events before an error in the trace.
    let is_complete = !outcome.as_ref().is_err_and(|error| error.is::<TooManySlots>());
    if let Some(text) = streams.program().filter(|_| is_complete) {
        program_end(text, slots.n_slots());
    }
    outcome
}

fn replay_events(
    plan: &MptracePlan,
    trace: &mut RewindableTrace,
    slots: &mut SlotTable,
    streams: &mut Streams<'_>,
) -> Result<Statistics> {
    let mut reader = reader_of(trace)?;
    let address_size = reader.encoding().address_size;
    let table = plan.shows_events.then(|| EventTable::new(address_size));
    let mut replay = Replay::new(address_size, None);
    let mut n_done = 0;
    if let Some(table) = table {
        table.header(&mut streams.stdout);
    }
    while let Some(event) = next_event(&mut reader, trace)? {
        let outcome = match replay.step(event) {
            Ok(outcome) => Ok(outcome),
            Err(OutOfOrder) => {
                (reader, replay) = act_again(trace, n_done)?;
                next_event(&mut reader, trace)?;
                replay.step(event)
            }
        };
        n_done += 1;
        let (step, invalid_event) = outcome.expect("what is revisited is known");
        if let Some(invalid_event) = invalid_event {
            streams.say(&invalid_event_line(invalid_event));
        }
        if let (Some(table), Some(step)) = (table, &step) {
            table.line(&mut streams.stdout, step);
        }
        if let Some(EventRow::Block(step)) = step {
            if plan.shows_events && plan.shows_locations {
                location_line(&mut streams.stdout, &reader.location());
            }
            write_forms(&step, slots, streams)?;
        }
        streams.write_pieces()?;
    }
    Ok(replay.statistics().clone())
}

/// Replays the first `n_events` events again, now storing revisited blocks. The result is the
/// same, except for the stored blocks.
#[cold]
fn act_again(trace: &mut RewindableTrace, n_events: u64) -> Result<(TraceReader<'static>, Replay)> {
    let revisited = find_revisited(trace)?;
    let mut reader = reader_of(trace)?;
    let mut replay = Replay::new(reader.encoding().address_size, Some(revisited));
    for _ in 0..n_events {
        let Some(event) = next_event(&mut reader, trace)? else {
            break;
        };
        let _ = replay.step(event);
    }
    Ok((reader, replay))
}

/// The blocks that the trace refers to after they were freed. The next pass reports damage.
fn find_revisited(trace: &mut RewindableTrace) -> Result<Revisited> {
    let mut reader = reader_of(trace)?;
    let events = std::iter::from_fn(|| reader.next_event().ok().flatten());
    Ok(Revisited::among(events))
}

/// Number of bytes that the original requires before it reads a number. The end of a complete
/// trace provides them; a truncated trace may lose its last event. The original reads a longer
/// number, and all that follows, from the zeros after the end.
const LOOK_AHEAD: u64 = 5;

fn reader_of(trace: &mut RewindableTrace) -> Result<TraceReader<'static>> {
    Ok(trace.reader()?.completing_numbers(LOOK_AHEAD))
}

#[inline(always)]
fn next_event(reader: &mut TraceReader<'_>, trace: &RewindableTrace) -> Result<Option<TraceEvent>> {
    loop {
        let event = reader.next_event();
        let event = event.map_err(|error| trace.malformed(error))?;
        if event.is_none() || reader.had_left(LOOK_AHEAD) {
            return Ok(event);
        }
    }
}

fn write_starts(plan: &MptracePlan, streams: &mut Streams<'_>) {
    let name = |path: &Path| path.as_os_str().as_encoded_bytes().to_owned();
    if let Some(text) = streams.program() {
        program_start(text, &name(&plan.file));
    }
    if let (Some(text), Some(path)) = (streams.hatf(), &plan.hatf) {
        hatf_header(text, &name(path));
    }
}

/// Adds an event to the other outputs.
fn write_forms(step: &BlockStep, slots: &mut SlotTable, streams: &mut Streams<'_>) -> Result<()> {
    if let Some(text) = streams.hatf() {
        hatf_line(text, step);
    }
    if let Some(text) = streams.program()
        && let Some(slot) = slots.slot(step)?
    {
        program_line(text, slot, step);
    }
    Ok(())
}
