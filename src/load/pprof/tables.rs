//! The tables of a file: strings, mappings, functions and locations, by their numbers.

use std::collections::HashMap;

use foldhash::fast::RandomState;

use super::super::error::ReadError;
use super::PprofFault;
use super::wire::Message;
use crate::limits::MOST_VALUES;

/// Numbers of the fields of a profile.
pub(super) mod field {
    pub(in super::super) const SAMPLE_TYPE: u32 = 1;
    pub(in super::super) const SAMPLE: u32 = 2;
    pub(in super::super) const MAPPING: u32 = 3;
    pub(in super::super) const LOCATION: u32 = 4;
    pub(in super::super) const FUNCTION: u32 = 5;
    pub(in super::super) const STRING: u32 = 6;
    pub(in super::super) const DROP_FRAMES: u32 = 7;
    pub(in super::super) const KEEP_FRAMES: u32 = 8;
    pub(in super::super) const PERIOD_TYPE: u32 = 11;
    pub(in super::super) const PERIOD: u32 = 12;
    pub(in super::super) const COMMENT: u32 = 13;
    pub(in super::super) const DEFAULT_TYPE: u32 = 14;
    pub(in super::super) const LAST: u32 = DEFAULT_TYPE;
}

/// The number of a string.
pub(super) type StringNumber = u64;

/// The quantity of a value: the strings of its type and its unit.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct SampleType {
    pub(super) name: StringNumber,
    pub(super) unit: StringNumber,
}

#[derive(Clone, Copy, Debug, Default)]
pub(super) struct FunctionRecord {
    pub(super) name: StringNumber,
    /// The name as the linker knows it, possibly mangled.
    pub(super) system_name: StringNumber,
    pub(super) file: StringNumber,
}

#[derive(Clone, Copy, Debug, Default)]
pub(super) struct MappingRecord {
    /// The address of its first byte, and the place of this byte in the file.
    pub(super) start: u64,
    pub(super) offset: u64,
    pub(super) file: StringNumber,
    pub(super) build_id: StringNumber,
}

#[derive(Clone, Copy, Debug)]
pub(super) struct LocationRecord<'a> {
    /// 0 for none.
    pub(super) mapping: u64,
    /// Its fields, among them the lines.
    pub(super) message: Message<'a>,
}

/// All of a file but its samples.
#[derive(Debug, Default)]
pub(super) struct PprofRecords<'a> {
    pub(super) types: Vec<SampleType>,
    strings: Vec<&'a [u8]>,
    pub(super) mappings: NumberedRecords<MappingRecord>,
    pub(super) functions: NumberedRecords<FunctionRecord>,
    pub(super) locations: NumberedRecords<LocationRecord<'a>>,
    pub(super) drop_frames: StringNumber,
    pub(super) keep_frames: StringNumber,
    /// The type whose value is one period for each sample.
    pub(super) period_type: Option<SampleType>,
    pub(super) period: u64,
    pub(super) default_type: StringNumber,
}

impl<'a> PprofRecords<'a> {
    pub(super) fn read(file: Message<'a>) -> Result<Self, ReadError> {
        let mut tables = Self::default();
        let mut fields = file.fields();
        while let Some((number, value)) = fields.next()? {
            let message = || value.message().map_err(|fault| file.error(fault));
            let value = || value.number().map_err(|fault| file.error(fault));
            match number {
                field::SAMPLE_TYPE => tables.types.push(read_type(message()?)?),
                field::MAPPING => tables.add_mapping(message()?)?,
                field::LOCATION => tables.add_location(message()?)?,
                field::FUNCTION => tables.add_function(message()?)?,
                field::STRING => tables.strings.push(message()?.bytes),
                field::DROP_FRAMES => tables.drop_frames = value()?,
                field::KEEP_FRAMES => tables.keep_frames = value()?,
                field::PERIOD_TYPE => tables.period_type = Some(read_type(message()?)?),
                field::PERIOD => tables.period = value()?,
                field::DEFAULT_TYPE => tables.default_type = value()?,
                _ => {}
            }
        }
        let indexed = tables.mappings.index("mappings");
        let indexed = indexed.and_then(|()| tables.functions.index("functions"));
        let indexed = indexed.and_then(|()| tables.locations.index("locations"));
        let fault = match tables.types.len() {
            0 => Err(PprofFault::NoTypes),
            1..=MOST_VALUES => indexed,
            _ => Err(PprofFault::TooManyTypes),
        };
        fault.map_err(|fault| file.error(fault))?;
        Ok(tables)
    }

    /// The string with a number.
    pub(super) fn string(&self, number: StringNumber) -> Result<&'a [u8], PprofFault> {
        let index = usize::try_from(number).ok();
        let string = index.and_then(|index| self.strings.get(index));
        string.copied().ok_or(PprofFault::NoString { number, n_strings: self.strings.len() })
    }

    fn add_mapping(&mut self, message: Message<'a>) -> Result<(), ReadError> {
        let [id, start, offset, file, build_id] = message.numbers([1, 2, 4, 5, 6])?;
        self.mappings.push(id, MappingRecord { start, offset, file, build_id });
        Ok(())
    }

    fn add_function(&mut self, message: Message<'a>) -> Result<(), ReadError> {
        let [id, name, system_name, file] = message.numbers([1, 2, 3, 4])?;
        self.functions.push(id, FunctionRecord { name, system_name, file });
        Ok(())
    }

    fn add_location(&mut self, message: Message<'a>) -> Result<(), ReadError> {
        let [id, mapping] = message.numbers([1, 2])?;
        self.locations.push(id, LocationRecord { mapping, message });
        Ok(())
    }
}

fn read_type(message: Message<'_>) -> Result<SampleType, ReadError> {
    let [name, unit] = message.numbers([1, 2])?;
    Ok(SampleType { name, unit })
}

/// Rows that the file refers to by number. Numbers need not be dense.
#[derive(Debug)]
pub(super) struct NumberedRecords<T> {
    rows: Vec<T>,
    ids: Vec<u64>,
    /// Row indices of small numbers, one more than the index; 0 for none.
    small: Vec<u32>,
    others: HashMap<u64, u32, RandomState>,
}

impl<T> Default for NumberedRecords<T> {
    fn default() -> Self {
        Self { rows: Vec::new(), ids: Vec::new(), small: Vec::new(), others: HashMap::default() }
    }
}

impl<T> NumberedRecords<T> {
    fn push(&mut self, id: u64, row: T) {
        self.ids.push(id);
        self.rows.push(row);
    }

    /// Makes rows findable.
    fn index(&mut self, what: &'static str) -> Result<(), PprofFault> {
        self.small = vec![0; self.rows.len() + 1];
        let ids = std::mem::take(&mut self.ids);
        for (next, id) in (1..).zip(ids) {
            let small = usize::try_from(id).ok();
            let known = match small.and_then(|id| self.small.get_mut(id)) {
                Some(slot) => std::mem::replace(slot, next) != 0,
                None => self.others.insert(id, next).is_some(),
            };
            if known {
                return Err(PprofFault::Repeated { what, id });
            }
        }
        Ok(())
    }

    pub(super) fn len(&self) -> usize {
        self.rows.len()
    }

    /// The index of the row with a number.
    #[inline]
    pub(super) fn index_of(&self, id: u64) -> Option<u32> {
        let small = usize::try_from(id).ok();
        let next = match small.and_then(|id| self.small.get(id)) {
            Some(&next) => next,
            None => *self.others.get(&id)?,
        };
        next.checked_sub(1)
    }

    pub(super) fn row(&self, index: u32) -> &T {
        &self.rows[index as usize]
    }
}
