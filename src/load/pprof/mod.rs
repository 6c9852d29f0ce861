//! pprof profiles: a protocol buffer of samples, each a call stack with one value for each
//! sample type. Source: `proto/profile.proto` in github.com/google/pprof.
//!
//! Tables may be anywhere in the file, so it is read twice: first the tables, then the
//! samples. Unknown fields are skipped, and repeated numbers may be packed or not.

mod metrics;
mod prune;
mod samples;
mod sources;
mod stacks;
mod tables;
#[cfg(test)]
mod tests;
mod wire;

use super::error::{FormatFault, ReadError};
use super::sparse::Bytes;
use super::{Claim, Format, Hints, Loaded};
use crate::limits::MOST_VALUES;
use crate::model::FileKind;
use tables::{PprofRecords, field};
use wire::{FieldValue, Fields, Message};

pub(super) struct Pprof;

impl Format for Pprof {
    fn name(&self) -> &'static str {
        "pprof"
    }

    /// All fields have the types of the format, up to the end of the file, and the first
    /// string is empty. A file that ends early can be one if sample types precede all tables,
    /// as all known writers put them.
    fn sniff(&self, data: Bytes<'_>, _hints: &Hints) -> Claim {
        let (outline, is_whole) = Outline::of(data.start());
        if is_whole && outline.has_types && outline.has_empty_string {
            Claim::Certain
        } else if !is_whole && outline.may_be_cut_off() {
            Claim::Plausible
        } else {
            Claim::No
        }
    }

    fn read(&self, data: Bytes<'_>, hints: &Hints) -> Result<Loaded, ReadError> {
        let file = Message::of_file(data.whole()?);
        let tables = PprofRecords::read(file)?;
        let costs = samples::read(file, &tables, hints.progress)?;
        let kind = FileKind { has_stacks: true, ..FileKind::named("a pprof profile") };
        Ok(Loaded::of_text("pprof", kind, costs))
    }
}

/// The structure of a file that may be a profile.
#[derive(Debug, Default)]
struct Outline {
    has_types: bool,
    begins_with_type: bool,
    has_empty_string: bool,
    n_strings: usize,
    n_messages: usize,
    is_wrong: bool,
}

impl Outline {
    /// Follows the fields of a file, without looking into most of them. Returns whether they
    /// end where the file does.
    fn of(bytes: &[u8]) -> (Self, bool) {
        let mut outline = Self::default();
        let mut fields = Message::of_file(bytes).fields();
        loop {
            match fields.next() {
                Ok(Some((number, value))) => {
                    outline.add(number, value);
                    if outline.is_wrong {
                        return (outline, false);
                    }
                }
                Ok(None) => return (outline, true),
                Err(error) => {
                    outline.is_wrong = !error.is_cut_off();
                    return (outline, false);
                }
            }
        }
    }

    fn add(&mut self, number: u32, value: FieldValue<'_>) {
        let is_message = matches!(value, FieldValue::Bytes(_));
        let is_number = matches!(value, FieldValue::Number(_));
        let fits = match number {
            field::SAMPLE_TYPE | field::PERIOD_TYPE => {
                let is_type = value.message().is_ok_and(|message| is_type(message.fields()));
                self.has_types |= is_type && number == field::SAMPLE_TYPE;
                self.begins_with_type |= is_type && self.n_messages == 0;
                is_type
            }
            field::STRING => {
                if self.n_strings == 0 {
                    self.has_empty_string = value.message().is_ok_and(|m| m.bytes.is_empty());
                }
                self.n_strings += 1;
                is_message
            }
            field::SAMPLE | field::MAPPING | field::LOCATION | field::FUNCTION => is_message,
            field::COMMENT => is_message || is_number,
            1..=field::LAST => is_number,
            _ => true,
        };
        self.n_messages += usize::from(is_message);
        self.is_wrong |= !fits;
    }

    fn may_be_cut_off(&self) -> bool {
        let has_strings = self.n_strings == 0 || self.has_empty_string;
        !self.is_wrong && self.begins_with_type && has_strings
    }
}

/// Returns whether a message has at most a type and a unit, both numbers of strings.
fn is_type(mut fields: Fields<'_>) -> bool {
    let mut seen = [false; 2];
    loop {
        match fields.next() {
            Ok(Some((number @ 1..=2, FieldValue::Number(_)))) => {
                let seen = &mut seen[number as usize - 1];
                if std::mem::replace(seen, true) {
                    return false;
                }
            }
            Ok(None) => return true,
            _ => return false,
        }
    }
}

#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub(super) enum PprofFault {
    #[error("the file ends inside a field")]
    End,
    #[error("a number has more than 64 bits")]
    Number,
    #[error("no field has the tag {tag}")]
    Tag { tag: u64 },
    #[error("a field has another type than in a pprof profile")]
    Type,
    #[error("string {number} of {n_strings}")]
    NoString { number: u64, n_strings: usize },
    #[error("no sample types")]
    NoTypes,
    #[error("more than {MOST_VALUES} sample types")]
    TooManyTypes,
    #[error("two {what} have the number {id}")]
    Repeated { what: &'static str, id: u64 },
    #[error("a sample has the location {id}, which the file does not contain")]
    NoLocation { id: u64 },
    #[error("a sample has {n_values} values for {n_types} sample types")]
    Values { n_values: usize, n_types: usize },
    #[error("inlined functions make more frames than the file has bytes")]
    Frames,
    #[error("the values of this stack exceed 64 bits")]
    Overflow,
}

impl FormatFault for PprofFault {
    fn is_cut_off(&self) -> bool {
        matches!(self, Self::End)
    }
}
