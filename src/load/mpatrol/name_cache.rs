//! Names that a trace spells once and then refers to by number.

use super::super::error::ReadError;
use super::byte_source::ByteSource;

/// The numbers that are ever given to names, from 1 on.
const N_SLOTS: usize = 32;

/// The longest name that is read.
const MAX_NAME: usize = 1 << 16;

/// Marks a number whose name follows.
const DEFINES: u8 = 0x80;

/// The number of a name, while it has it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Slot(usize);

#[derive(Debug, Default)]
struct Name {
    is_defined: bool,
    bytes: Vec<u8>,
    /// The number that it got from whoever asked for one.
    known: Option<u32>,
}

/// The names of functions, or of files.
///
/// Genuine numbers go from 1 to 32. Others cannot be referred to: they stand for
/// no name, whether they are defined or not.
#[derive(Debug)]
pub(super) struct NameCache {
    what: &'static str,
    names: [Name; N_SLOTS],
    /// Takes names whose number is not genuine.
    stray: Vec<u8>,
}

impl NameCache {
    /// No names yet; `what` says what they are of.
    pub(super) fn new(what: &'static str) -> Self {
        Self {
            what,
            names: Default::default(),
            stray: Vec::new(),
        }
    }

    /// Reads a reference, and the name if it is defined here.
    pub(super) fn read(&mut self, source: &mut ByteSource<'_>) -> Result<Option<Slot>, ReadError> {
        let byte = source.byte(self.what)?;
        if byte == 0 {
            return Ok(None);
        }
        let slot = usize::from(byte & !DEFINES).checked_sub(1);
        let slot = slot.filter(|&slot| slot < N_SLOTS);
        if byte & DEFINES == 0 {
            let slot = slot.filter(|&slot| self.names[slot].is_defined);
            return Ok(slot.map(Slot));
        }
        let Some(slot) = slot else {
            source.name(self.what, MAX_NAME, &mut self.stray)?;
            return Ok(None);
        };
        let name = &mut self.names[slot];
        source.name(self.what, MAX_NAME, &mut name.bytes)?;
        name.is_defined = true;
        name.known = None;
        Ok(Some(Slot(slot)))
    }

    /// The name that has a number now.
    pub(super) fn name(&self, Slot(slot): Slot) -> &[u8] {
        &self.names[slot].bytes
    }

    /// The number that `intern` gives a name; it is asked once for each definition.
    pub(super) fn known(&mut self, Slot(slot): Slot, intern: impl FnOnce(&[u8]) -> u32) -> u32 {
        let name = &mut self.names[slot];
        *name.known.get_or_insert_with(|| intern(&name.bytes))
    }
}
