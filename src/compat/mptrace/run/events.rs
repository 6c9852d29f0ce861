//! The events of a trace one by one. Of a long one they are decoded by a thread of its own
//! while those before them are acted out.

use std::sync::mpsc::{Receiver, Sender, SyncSender, channel, sync_channel};
use std::thread::{self, JoinHandle};

use crate::load::{ReadError, TraceReader};
use crate::model::{EventLocation, TraceEvent};

/// The bytes that the original wants to be left before it reads a number. What ends
/// a whole trace sees to that; of one that is cut off the last event may be lost.
const LOOK_AHEAD: u64 = 5;

/// Events that are handed over at once.
const BATCH: usize = 1024;

/// Batches that wait to be acted out.
const WAITING: usize = 4;

/// Goes through the events of a trace.
pub(super) enum Events {
    /// Each is decoded when it is its turn.
    Here(Box<TraceReader<'static>>),
    Ahead(Ahead),
}

impl Events {
    pub(super) fn new(reader: TraceReader<'static>) -> Self {
        Self::Here(Box::new(reader))
    }

    /// The next event; `None` behind the last one.
    #[inline(always)]
    pub(super) fn next(&mut self) -> Result<Option<TraceEvent>, ReadError> {
        match self {
            Self::Here(reader) => next_event(reader),
            Self::Ahead(ahead) => ahead.next(),
        }
    }

    /// Where the last event happened. Nobody knows that of events that are decoded ahead.
    pub(super) fn location(&self) -> EventLocation<'_> {
        match self {
            Self::Here(reader) => reader.location(),
            Self::Ahead(_) => EventLocation::default(),
        }
    }

    /// Has all further events decoded ahead, if there can be a thread for that.
    #[cold]
    pub(super) fn go_ahead(self) -> Self {
        match self {
            Self::Here(reader) => Ahead::new(reader).map_or_else(Self::Here, Self::Ahead),
            ahead @ Self::Ahead(_) => ahead,
        }
    }

    /// Waits until nothing is read any more: readers of one file get in each other's way.
    pub(super) fn stop(self) {
        if let Self::Ahead(Ahead {
            batches, thread, ..
        }) = self
        {
            // Who finds nobody to take a batch is done.
            drop(batches);
            let _ = thread.join();
        }
    }
}

#[inline(always)]
fn next_event(reader: &mut TraceReader<'_>) -> Result<Option<TraceEvent>, ReadError> {
    loop {
        let event = reader.next_event()?;
        if event.is_none() || reader.had_left(LOOK_AHEAD) {
            return Ok(event);
        }
    }
}

/// Events that a thread decodes.
pub(super) struct Ahead {
    batches: Receiver<Batch>,
    /// Where batches go that were acted out, to be filled again.
    used: Sender<Vec<TraceEvent>>,
    batch: Batch,
    /// How many of its events there were.
    n_done: usize,
    thread: JoinHandle<()>,
}

/// Some events.
#[derive(Default)]
struct Batch {
    events: Vec<TraceEvent>,
    /// What comes behind them, if these are the last ones.
    end: Option<Result<(), ReadError>>,
}

impl Ahead {
    /// Starts the thread, or gives the reader back.
    fn new(reader: Box<TraceReader<'static>>) -> Result<Self, Box<TraceReader<'static>>> {
        let (filled, batches) = sync_channel(WAITING);
        let (used, empty) = channel();
        // A thread that cannot be started would keep what was given to it.
        let (sender, receiver) = channel::<Box<TraceReader<'static>>>();
        let read = move || {
            if let Ok(mut reader) = receiver.recv() {
                decode(&mut reader, &filled, &empty);
            }
        };
        let Ok(thread) = thread::Builder::new().spawn(read) else {
            return Err(reader);
        };
        sender.send(reader).map_err(|unsent| unsent.0)?;
        Ok(Self {
            batches,
            used,
            batch: Batch::default(),
            n_done: 0,
            thread,
        })
    }

    #[inline(always)]
    fn next(&mut self) -> Result<Option<TraceEvent>, ReadError> {
        if let Some(&event) = self.batch.events.get(self.n_done) {
            self.n_done += 1;
            return Ok(Some(event));
        }
        self.next_batch()
    }

    /// The first event of the next batch that has any.
    #[inline(never)]
    fn next_batch(&mut self) -> Result<Option<TraceEvent>, ReadError> {
        loop {
            if let Some(end) = self.batch.end.take() {
                self.batch.end = Some(Ok(()));
                return end.map(|()| None);
            }
            let next = self.batches.recv();
            let next = next.expect("a batch without an end is followed by another one");
            let done = std::mem::replace(&mut self.batch, next);
            // The thread may have ended.
            let _ = self.used.send(done.events);
            if let Some(&first) = self.batch.events.first() {
                self.n_done = 1;
                return Ok(Some(first));
            }
            self.n_done = 0;
        }
    }
}

/// Hands on all events that are left, until nobody takes them.
fn decode(
    reader: &mut TraceReader<'_>,
    filled: &SyncSender<Batch>,
    empty: &Receiver<Vec<TraceEvent>>,
) {
    let mut is_end = false;
    while !is_end {
        let mut events = empty.try_recv().unwrap_or_default();
        events.clear();
        let end = fill(reader, &mut events);
        is_end = end.is_some();
        if filled.send(Batch { events, end }).is_err() {
            return;
        }
    }
}

/// Decodes as many events as are handed over at once, and says what ended that.
fn fill(
    reader: &mut TraceReader<'_>,
    events: &mut Vec<TraceEvent>,
) -> Option<Result<(), ReadError>> {
    events.reserve_exact(BATCH);
    while events.len() < BATCH {
        match next_event(reader) {
            Ok(Some(event)) => events.push(event),
            end => return Some(end.map(|_| ())),
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A trace of so many frees, cut off behind them if it has no end.
    fn trace(n_events: usize, end: &[u8]) -> Vec<u8> {
        let mut bytes = b"MTRC\x01\0\0\0\0\0\0\0".to_vec();
        bytes.extend(10_300_u64.to_le_bytes());
        for number in (0..0x80).cycle().take(n_events) {
            bytes.extend([b'F', number]);
        }
        bytes.extend(end);
        bytes
    }

    fn reader(bytes: Vec<u8>) -> TraceReader<'static> {
        TraceReader::new(Box::new(std::io::Cursor::new(bytes))).expect("it starts as a trace")
    }

    #[test]
    fn events_are_the_same_ahead_as_here() {
        for n_events in [0, 1, BATCH - 1, BATCH, BATCH + 1, 20 * BATCH] {
            for end in [&b"MTRC"[..], b"MT", b"", b"X"] {
                let bytes = trace(n_events, end);
                let mut here = Events::new(reader(bytes.clone()));
                let mut ahead = Events::new(reader(bytes)).go_ahead();
                assert!(matches!(ahead, Events::Ahead(_)));
                loop {
                    let expected = here.next();
                    assert_eq!(ahead.next(), expected, "{n_events} and {end:?}");
                    if !matches!(expected, Ok(Some(_))) {
                        break;
                    }
                }
                ahead.stop();
            }
        }
    }

    #[test]
    fn who_is_stopped_reads_no_more() {
        let mut events = Events::new(reader(trace(100 * BATCH, b"MTRC"))).go_ahead();
        assert!(matches!(events.next(), Ok(Some(TraceEvent::Freed(_)))));
        events.stop();
    }
}
