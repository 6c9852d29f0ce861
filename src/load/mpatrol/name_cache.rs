//! Names that a trace spells once and then refers to by number.

use super::super::error::ReadError;
use super::byte_source::ByteSource;

/// The numbers that are ever given to names, from 1 on.
const N_SLOTS: u8 = 32;

/// The longest name that is read.
const MAX_NAME: usize = 1 << 16;

/// Marks a number whose name follows.
const DEFINES: u8 = 0x80;

/// The number of a name, while it has it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct NameSlot(u8);

#[derive(Debug, Default)]
struct Name {
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
    names: [Name; N_SLOTS as usize],
    /// The numbers that names have, a bit for each.
    defined: u32,
    /// Takes names whose number is not genuine.
    stray: Vec<u8>,
}

impl NameCache {
    /// No names yet; `what` says what they are of.
    pub(super) fn new(what: &'static str) -> Self {
        Self {
            what,
            names: Default::default(),
            defined: 0,
            stray: Vec::new(),
        }
    }

    /// Reads a reference, and the name if it is defined here.
    #[inline]
    pub(super) fn read(
        &mut self,
        source: &mut ByteSource<'_>,
    ) -> Result<Option<NameSlot>, ReadError> {
        let byte = source.byte(self.what)?;
        if byte & DEFINES == 0 {
            return Ok(slot_of(byte).filter(|&NameSlot(slot)| self.defined >> slot & 1 != 0));
        }
        self.define(byte & !DEFINES, source)
    }

    #[cold]
    fn define(
        &mut self,
        number: u8,
        source: &mut ByteSource<'_>,
    ) -> Result<Option<NameSlot>, ReadError> {
        let Some(slot) = slot_of(number) else {
            source.name(self.what, MAX_NAME, &mut self.stray)?;
            return Ok(None);
        };
        let name = &mut self.names[usize::from(slot.0)];
        source.name(self.what, MAX_NAME, &mut name.bytes)?;
        name.known = None;
        self.defined |= 1 << slot.0;
        Ok(Some(slot))
    }

    /// The name that has a number now.
    pub(super) fn name(&self, NameSlot(slot): NameSlot) -> &[u8] {
        &self.names[usize::from(slot)].bytes
    }

    /// The number that `intern` gives a name; it is asked once for each definition.
    pub(super) fn known(
        &mut self,
        NameSlot(slot): NameSlot,
        intern: impl FnOnce(&[u8]) -> u32,
    ) -> u32 {
        let name = &mut self.names[usize::from(slot)];
        *name.known.get_or_insert_with(|| intern(&name.bytes))
    }
}

/// The slot with a number from 1 on.
#[inline(always)]
fn slot_of(number: u8) -> Option<NameSlot> {
    let slot = number.checked_sub(1)?;
    (slot < N_SLOTS).then_some(NameSlot(slot))
}
