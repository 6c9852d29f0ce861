//! Names that a trace writes once and then refers to by number.

use super::super::BUFFER_SIZE;
use super::super::cost_builder::NameId;
use super::super::error::ReadError;
use super::byte_source::ByteSource;

/// Maximum number of a name, from 1.
const N_SLOTS: u8 = 32;

/// Flag of a number whose name follows.
const DEFINES: u8 = 0x80;

/// The current number of a name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct NameSlot(u8);

#[derive(Debug, Default)]
struct Name {
    bytes: Vec<u8>,
    /// Its stored name, after the first request.
    known: Option<NameId>,
}

/// Names of functions, or of files.
///
/// Valid numbers are 1 to 32. Others denote no name, even if they are defined.
#[derive(Debug)]
pub(super) struct NameCache {
    what: &'static str,
    names: [Name; N_SLOTS as usize],
    /// The numbers in use, one bit each.
    defined: u32,
    /// Receives names with invalid numbers.
    stray: Vec<u8>,
}

impl NameCache {
    /// An empty cache; `what` describes its names in errors.
    pub(super) fn new(what: &'static str) -> Self {
        Self { what, names: Default::default(), defined: 0, stray: Vec::new() }
    }

    /// Reads a reference, and its name if it is defined here.
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
            source.name(self.what, BUFFER_SIZE, &mut self.stray)?;
            return Ok(None);
        };
        let name = &mut self.names[usize::from(slot.0)];
        source.name(self.what, BUFFER_SIZE, &mut name.bytes)?;
        name.known = None;
        self.defined |= 1 << slot.0;
        Ok(Some(slot))
    }

    /// The name that has a number now.
    pub(super) fn name(&self, NameSlot(slot): NameSlot) -> &[u8] {
        &self.names[usize::from(slot)].bytes
    }

    /// A stored name; `intern` is called once for each definition.
    pub(super) fn known(
        &mut self,
        NameSlot(slot): NameSlot,
        intern: impl FnOnce(&[u8]) -> NameId,
    ) -> NameId {
        let name = &mut self.names[usize::from(slot)];
        *name.known.get_or_insert_with(|| intern(&name.bytes))
    }
}

/// The slot of a number from 1.
#[inline(always)]
fn slot_of(number: u8) -> Option<NameSlot> {
    let slot = number.checked_sub(1)?;
    (slot < N_SLOTS).then_some(NameSlot(slot))
}
