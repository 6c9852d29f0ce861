//! Call stacks as contexts: stacks share their common outer frames.

use std::collections::HashMap;
use std::num::NonZeroU32;
use std::ops::Range;

use foldhash::fast::RandomState;

use super::super::cost_builder::{CostBuilder, Frame, NameId};
use super::super::error::ReadError;
use super::super::frame_parts::{base, unnamed_in};
use super::PprofFault;
use super::prune::OmittedFrames;
use super::tables::{FunctionRecord, MappingRecord, PprofRecords, StringNumber};
use super::wire::Message;
use crate::limits::MOST_FRAMES;
use crate::model::{
    Address, ContextId, Function, FunctionId, LocationId, MappedFile, UnnamedCode, UnnamedFunction,
    ValueType,
};

/// The frames of one location, outermost first.
#[derive(Clone, Debug)]
struct LocationFrames {
    /// Indices of the frames of all locations.
    frames: Range<u32>,
    omits: Omits,
}

/// The names that functions get from a mapped file, which all its functions share.
#[derive(Clone, Copy)]
struct ObjectName {
    /// The file name without directory.
    name: NameId,
    /// The name of code without symbols, as in pprof.
    unnamed: NameId,
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

/// The stacks of a file, with the functions and contexts that its samples need.
pub(super) struct StackBuilder<'t, 'a> {
    tables: &'t PprofRecords<'a>,
    omitted: Option<OmittedFrames>,
    pub(super) costs: CostBuilder,
    names: HashMap<StringNumber, NameId, RandomState>,
    /// By the file name of a mapping.
    objects: HashMap<StringNumber, Option<ObjectName>, RandomState>,
    /// Functions by record and mapping.
    functions: HashMap<(Option<u32>, Option<u32>), FunctionId, RandomState>,
    /// Functions of locations without lines.
    pub(super) unnamed: UnnamedCode,
    /// By mapping, the index of its file among those of unnamed functions.
    unnamed_files: HashMap<u32, u32, RandomState>,
    /// The frames of all locations, one after another.
    frames: Vec<Frame>,
    /// By location, once a sample needed it.
    locations: Vec<Option<LocationFrames>>,
    most_contexts: usize,
    /// The frames of the last stack.
    stack: Vec<Frame>,
}

impl<'t, 'a> StackBuilder<'t, 'a> {
    pub(super) fn new(
        tables: &'t PprofRecords<'a>,
        columns: Vec<ValueType>,
        n_bytes: usize,
    ) -> Result<Self, PprofFault> {
        Ok(Self {
            tables,
            omitted: OmittedFrames::of(tables)?,
            costs: CostBuilder::new(columns),
            names: HashMap::default(),
            objects: HashMap::default(),
            functions: HashMap::default(),
            unnamed: UnnamedCode::default(),
            unnamed_files: HashMap::default(),
            frames: Vec::new(),
            locations: vec![None; tables.locations.len()],
            most_contexts: n_bytes.saturating_add(MOST_FRAMES),
            stack: Vec::new(),
        })
    }

    /// The context of a stack: numbers of locations, innermost first.
    pub(super) fn context(
        &mut self,
        stack: &[u64],
        sample: Message<'a>,
    ) -> Result<ContextId, ReadError> {
        let mut has_kept = false;
        self.stack.clear();
        for &id in stack.iter().rev() {
            let location = self.tables.locations.index_of(id);
            let location = location.ok_or_else(|| sample.error(PprofFault::NoLocation { id }))?;
            let LocationFrames { frames, omits } = self.frames_of(location)?.clone();
            if omits == Omits::Nothing {
                has_kept = true;
            } else if has_kept && omits == Omits::All {
                break;
            }
            match &self.frames[frames.start as usize..frames.end as usize] {
                // Few locations have inlined functions.
                [frame] => self.stack.push(*frame),
                frames => self.stack.extend_from_slice(frames),
            }
            if self.stack.len() > self.most_contexts {
                return Err(sample.error(PprofFault::Frames));
            }
            if has_kept && omits == Omits::Callees {
                break;
            }
        }
        let context = self.costs.stack(&self.stack);
        if self.costs.n_contexts() > self.most_contexts {
            return Err(sample.error(PprofFault::Frames));
        }
        Ok(context)
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
        let [address] = message.numbers([3])?;
        let mut lines = Vec::new();
        message.each(|number, value| {
            if number == 4 {
                lines.push(value.message()?);
            }
            Ok(())
        })?;
        let start = self.frames.len();
        let mut omits = Omits::Nothing;
        for line in lines.iter().rev() {
            let [function, number] = line.numbers([1, 2])?;
            let function = self.tables.functions.index_of(function);
            let record = function.map(|function| *self.tables.functions.row(function));
            let is_first = self.frames.len() == start;
            let fits = omits == Omits::Nothing
                && self.is_omitted(record).map_err(|fault| line.error(fault))?;
            if fits && !is_first {
                omits = Omits::Callees;
                break;
            }
            let frame = self.frame(function, mapping, number);
            let frame = frame.map_err(|fault| line.error(fault))?;
            self.frames.push(frame);
            if fits {
                omits = Omits::All;
            }
        }
        if lines.is_empty() {
            let frame = self.unnamed_frame(mapping, address);
            self.frames.push(frame.map_err(|fault| message.error(fault))?);
        }
        let index =
            |len: usize| u32::try_from(len).expect("a location has fewer frames than bytes");
        let frames = index(start)..index(self.frames.len());
        Ok(LocationFrames { frames, omits })
    }

    fn is_omitted(&self, function: Option<FunctionRecord>) -> Result<bool, PprofFault> {
        let (Some(omitted), Some(function)) = (&self.omitted, function) else {
            return Ok(false);
        };
        Ok(omitted.has(self.tables.string(function.name)?))
    }

    fn frame(
        &mut self,
        function: Option<u32>,
        mapping: Option<u32>,
        line: u64,
    ) -> Result<Frame, PprofFault> {
        let id = match self.functions.get(&(function, mapping)) {
            Some(&known) => known,
            None => {
                let new = self.new_function(function, mapping)?;
                let id = self.costs.add_function(new);
                self.functions.insert((function, mapping), id);
                id
            }
        };
        let record = function.map(|function| self.tables.functions.row(function));
        let file = record.map_or(0, |record| record.file);
        let line = u32::try_from(line).ok().and_then(NonZeroU32::new);
        Ok(Frame { function: Some(id), place: self.place(file, line)? })
    }

    /// The frame of code without a name. In a mapped file, each address is a function that an
    /// executable can name.
    fn unnamed_frame(&mut self, mapping: Option<u32>, address: u64) -> Result<Frame, PprofFault> {
        let Some(number) = mapping.filter(|_| address != 0) else {
            return self.frame(None, mapping, 0);
        };
        let record = *self.tables.mappings.row(number);
        let new = self.new_function(None, mapping)?;
        let function = self.costs.add_function(new);
        let file = match self.unnamed_files.get(&number) {
            Some(&known) => known,
            None => {
                let text = |number| Ok(self.tables.string(number)?.into());
                let MappingRecord { start, offset, file, build_id } = record;
                let (path, build_id) = (text(file)?, text(build_id)?);
                self.unnamed.files.push(MappedFile { path, build_id, start, offset });
                let index = u32::try_from(self.unnamed.files.len() - 1);
                let index = index.expect("a file has fewer mappings than bytes");
                self.unnamed_files.insert(number, index);
                index
            }
        };
        let address = Address(address);
        self.unnamed.functions.push(UnnamedFunction { function, address, file });
        Ok(Frame { function: Some(function), place: None })
    }

    fn new_function(
        &mut self,
        function: Option<u32>,
        mapping: Option<u32>,
    ) -> Result<Function, PprofFault> {
        let record = function.map(|function| *self.tables.functions.row(function));
        let record = record.unwrap_or_default();
        let path = mapping.map_or(0, |mapping| self.tables.mappings.row(mapping).file);
        let object = self.object(path)?;
        let mut name = self.name(record.name)?;
        if self.costs.text(name).is_empty() {
            name = self.name(record.system_name)?;
        }
        if let Some(object) = object.filter(|_| self.costs.text(name).is_empty()) {
            name = object.unnamed;
        }
        Ok(Function {
            object: object.map(|object| self.costs.text(object.name).clone()),
            location: self.place(record.file, None)?,
            ..Function::named(self.costs.text(name).clone())
        })
    }

    /// The names of a mapped file, looked up once: they may be long. `None` without a path.
    fn object(&mut self, path: StringNumber) -> Result<Option<ObjectName>, PprofFault> {
        if let Some(known) = self.objects.get(&path) {
            return Ok(*known);
        }
        let bytes = self.tables.string(path)?;
        let found = unnamed_in(bytes).map(|unnamed| ObjectName {
            name: self.costs.name(base(bytes)),
            unnamed: self.costs.name(&unnamed),
        });
        self.objects.insert(path, found);
        Ok(found)
    }

    /// A line of a file; `None` without a file name.
    fn place(
        &mut self,
        file: StringNumber,
        line: Option<NonZeroU32>,
    ) -> Result<Option<LocationId>, PprofFault> {
        if self.tables.string(file)?.is_empty() {
            return Ok(None);
        }
        let file = self.name(file)?;
        Ok(Some(self.costs.place(file, line)))
    }

    /// The name in a string.
    pub(super) fn name(&mut self, number: StringNumber) -> Result<NameId, PprofFault> {
        if let Some(&known) = self.names.get(&number) {
            return Ok(known);
        }
        let name = self.costs.name(self.tables.string(number)?);
        self.names.insert(number, name);
        Ok(name)
    }
}
