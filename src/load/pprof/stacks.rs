//! Call stacks as contexts: stacks share their common outer frames.

use std::collections::HashMap;
use std::num::NonZeroU32;
use std::ops::Range;
use std::sync::Arc;

use foldhash::fast::RandomState;

use super::super::error::ReadError;
use super::PprofFault;
use super::prune::OmittedFrames;
use super::tables::{FunctionRecord, StringNumber, Tables};
use super::wire::Message;
use crate::model::{
    Context, ContextId, Function, FunctionId, Interner, LocationId, RecordedCosts, RecordedLocation,
};

/// Frames in excess of the bytes of a file, in total.
const MOST_EXTRA_FRAMES: usize = 1 << 15;

/// A function and a line in it.
type Frame = (FunctionId, Option<LocationId>);

/// The frames of one location, outermost first.
#[derive(Clone, Debug)]
struct LocationFrames {
    frames: Range<u32>,
    omits: Omits,
}

/// Whether stacks end at a location.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Omits {
    Nothing,
    /// The functions that the last frame calls.
    Callees,
    /// The location and all that it calls.
    All,
}

/// The functions and contexts of a file, as its samples need them.
pub(super) struct StackBuilder<'t, 'a> {
    tables: &'t Tables<'a>,
    omitted: Option<OmittedFrames>,
    pub(super) functions: Vec<Function>,
    pub(super) places: Vec<RecordedLocation>,
    pub(super) contexts: Vec<Context>,
    strings: HashMap<StringNumber, Arc<[u8]>, RandomState>,
    function_ids: Interner<(Option<u32>, Option<u32>)>,
    place_ids: Interner<(StringNumber, Option<NonZeroU32>)>,
    frame_ids: Interner<Frame>,
    frames: Vec<Frame>,
    /// The frames of all locations, one after another: indices of `frames`.
    frames_of_locations: Vec<u32>,
    /// By location, once a sample needed it.
    locations: Vec<Option<LocationFrames>>,
    /// Contexts by caller, counted from 1, and frame.
    context_ids: Interner<(u32, u32)>,
    most_contexts: usize,
    /// The locations of the last stack, outermost first, and the context of each.
    last: Vec<(u32, Option<ContextId>)>,
}

impl<'t, 'a> StackBuilder<'t, 'a> {
    pub(super) fn new(tables: &'t Tables<'a>, n_bytes: usize) -> Result<Self, PprofFault> {
        Ok(Self {
            tables,
            omitted: OmittedFrames::of(tables)?,
            functions: Vec::new(),
            places: Vec::new(),
            contexts: Vec::new(),
            strings: HashMap::default(),
            function_ids: Interner::default(),
            place_ids: Interner::default(),
            frame_ids: Interner::default(),
            frames: Vec::new(),
            frames_of_locations: Vec::new(),
            locations: vec![None; tables.locations.len()],
            context_ids: Interner::default(),
            most_contexts: n_bytes.saturating_add(MOST_EXTRA_FRAMES),
            last: Vec::new(),
        })
    }

    /// The context of a stack: numbers of locations, innermost first.
    pub(super) fn context(
        &mut self,
        stack: &[u64],
        sample: Message<'a>,
    ) -> Result<ContextId, ReadError> {
        let mut is_same = true;
        let mut innermost = None;
        let mut has_kept = false;
        for (depth, &id) in stack.iter().rev().enumerate() {
            let location = self.tables.locations.index_of(id);
            let location = location.ok_or_else(|| sample.error(PprofFault::NoLocation { id }))?;
            let omits = self.frames_of(location)?.omits;
            if omits == Omits::Nothing {
                has_kept = true;
            } else if has_kept && omits == Omits::All {
                break;
            }
            is_same = is_same && self.last.get(depth).is_some_and(|last| last.0 == location);
            if is_same {
                innermost = self.last[depth].1;
            } else {
                self.last.truncate(depth);
                innermost = self.below(innermost, location);
                self.last.push((location, innermost));
            }
            if has_kept && omits == Omits::Callees {
                break;
            }
        }
        if self.contexts.len() > self.most_contexts {
            return Err(sample.error(PprofFault::Frames));
        }
        Ok(match innermost {
            Some(context) => context,
            None => self.child(None, None),
        })
    }

    /// The context of the innermost frame of a location below a caller.
    fn below(&mut self, caller: Option<ContextId>, location: u32) -> Option<ContextId> {
        let of_location = self.locations[location as usize].as_ref();
        let frames = of_location.expect("it was resolved").frames.clone();
        frames.fold(caller, |caller, index| {
            let frame = self.frames_of_locations[index as usize];
            Some(self.child(caller, Some(frame)))
        })
    }

    fn child(&mut self, caller: Option<ContextId>, frame: Option<u32>) -> ContextId {
        let key = (caller.map_or(0, |caller| caller.0 + 1), frame.unwrap_or(u32::MAX));
        let frame = frame.map(|frame| self.frames[frame as usize]);
        let context = || Context {
            caller,
            function: frame.map(|(function, _)| function),
            location: frame.and_then(|(_, place)| place),
            address: None,
        };
        ContextId(self.context_ids.find(key, &mut self.contexts, context))
    }

    fn frames_of(&mut self, location: u32) -> Result<&LocationFrames, ReadError> {
        let index = location as usize;
        if self.locations[index].is_none() {
            let record = *self.tables.locations.row(location);
            let found = self.resolve(record.mapping, record.message)?;
            self.locations[index] = Some(found);
        }
        Ok(self.locations[index].as_ref().expect("it was resolved"))
    }

    /// Reads the lines of a location. The file has the innermost inlined function first.
    fn resolve(&mut self, mapping: u64, message: Message<'a>) -> Result<LocationFrames, ReadError> {
        let mapping = self.tables.mappings.index_of(mapping);
        let mut lines = Vec::new();
        message.each(|number, value| {
            if number == 4 {
                lines.push(value.message()?);
            }
            Ok(())
        })?;
        let start = self.frames_of_locations.len();
        let mut omits = Omits::Nothing;
        for line in lines.iter().rev() {
            let (mut function, mut number) = (0, 0);
            line.each(|field, value| {
                match field {
                    1 => function = value.number()?,
                    2 => number = value.number()?,
                    _ => {}
                }
                Ok(())
            })?;
            let function = self.tables.functions.index_of(function);
            let record = function.map(|function| *self.tables.functions.row(function));
            let is_first = self.frames_of_locations.len() == start;
            let fits = omits == Omits::Nothing
                && self.is_omitted(record).map_err(|fault| line.error(fault))?;
            if fits && !is_first {
                omits = Omits::Callees;
                break;
            }
            let frame = self.frame(function, mapping, number);
            let frame = frame.map_err(|fault| line.error(fault))?;
            self.frames_of_locations.push(frame);
            if fits {
                omits = Omits::All;
            }
        }
        if lines.is_empty() {
            let frame = self.frame(None, mapping, 0);
            self.frames_of_locations.push(frame.map_err(|fault| message.error(fault))?);
        }
        let index =
            |len: usize| u32::try_from(len).expect("a location has fewer frames than bytes");
        let frames = index(start)..index(self.frames_of_locations.len());
        Ok(LocationFrames { frames, omits })
    }

    fn is_omitted(&self, function: Option<FunctionRecord>) -> Result<bool, PprofFault> {
        let (Some(omitted), Some(function)) = (&self.omitted, function) else {
            return Ok(false);
        };
        Ok(omitted.has(self.tables.string(function.name)?))
    }

    /// The number of a frame.
    fn frame(
        &mut self,
        function: Option<u32>,
        mapping: Option<u32>,
        line: u64,
    ) -> Result<u32, PprofFault> {
        let id = self.function_ids.number((function, mapping));
        if id as usize == self.functions.len() {
            let found = self.new_function(function, mapping)?;
            self.functions.push(found);
        }
        let record = function.map(|function| self.tables.functions.row(function));
        let file = record.map_or(0, |record| record.file);
        let line = u32::try_from(line).ok().and_then(NonZeroU32::new);
        let place = self.place(file, line)?;
        let frame = (FunctionId(id), place);
        Ok(self.frame_ids.find(frame, &mut self.frames, || frame))
    }

    fn new_function(
        &mut self,
        function: Option<u32>,
        mapping: Option<u32>,
    ) -> Result<Function, PprofFault> {
        let record = function.map(|function| *self.tables.functions.row(function));
        let record = record.unwrap_or_default();
        let object = mapping.map_or(0, |mapping| *self.tables.mappings.row(mapping));
        let path = self.string(object)?;
        let start = path.iter().rposition(|&byte| byte == b'/');
        let base = &path[start.map_or(0, |slash| slash + 1)..];
        let mut name = self.string(record.name)?;
        if name.is_empty() {
            name = self.string(record.system_name)?;
        }
        if name.is_empty() && !base.is_empty() {
            // As pprof names code without symbols.
            let base = base.strip_prefix(b"[").unwrap_or(base);
            let base = base.strip_suffix(b"]").unwrap_or(base);
            name = [b"[", base, b"]"].concat().into();
        }
        Ok(Function {
            object: (!base.is_empty()).then(|| Arc::from(base)),
            location: self.place(record.file, None)?,
            ..Function::named(name)
        })
    }

    /// A line of a file; `None` without a file name.
    fn place(
        &mut self,
        file: StringNumber,
        line: Option<NonZeroU32>,
    ) -> Result<Option<LocationId>, PprofFault> {
        let name = self.string(file)?;
        if name.is_empty() {
            return Ok(None);
        }
        let place = || RecordedLocation { file: name, line };
        let id = self.place_ids.find((file, line), &mut self.places, place);
        Ok(Some(LocationId(id)))
    }

    /// A string, stored once.
    pub(super) fn string(&mut self, number: StringNumber) -> Result<Arc<[u8]>, PprofFault> {
        let bytes = self.tables.string(number)?;
        let known = self.strings.entry(number);
        Ok(Arc::clone(known.or_insert_with(|| bytes.into())))
    }

    /// Moves functions, places and contexts to the costs of a profile.
    pub(super) fn finish(self, costs: &mut RecordedCosts) {
        costs.functions = self.functions;
        costs.locations = self.places;
        costs.contexts = self.contexts;
        costs.knows_files = true;
    }
}
