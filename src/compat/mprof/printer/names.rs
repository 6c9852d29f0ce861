//! Names of call sites.

use crate::compat::mprof::numbers::TableMeasure;
use crate::model::{Address, AddressSize, Context, ContextId, Heap, RecordedCosts};
use crate::report::Text;

/// Prints contexts with their names in the file.
pub struct SitePrinter<'a> {
    pub costs: &'a RecordedCosts,
    pub heap: &'a Heap,
    /// Size of addresses.
    pub word: AddressSize,
    /// Adds the offset of the address in the function.
    pub has_offsets: bool,
    /// The measure of the tables.
    pub measure: TableMeasure,
}

impl SitePrinter<'_> {
    pub(super) fn push(&self, text: &mut Text, id: ContextId) {
        let context = self.context(id);
        let address = context.address.unwrap_or_default();
        let function = context.function.map(|id| &self.costs.functions[id.index()]);
        let other = self.heap.other_names.binary_search_by_key(&id, |(id, _)| *id);
        let name = match (other, function) {
            (Ok(other), _) => self.heap.other_names[other].1.as_ref(),
            (Err(_), function) => function.map(|function| &function.name).filter(|n| !n.is_empty()),
        };
        let Some(name) = name else {
            let Address(address) = address;
            return text.word(match self.word {
                AddressSize::Four => format!("0x{address:08X}"),
                AddressSize::Eight => format!("0x{address:016X}"),
            });
        };
        text.word(name);
        let entry = function.and_then(|function| function.entry);
        let entry = entry.filter(|_| self.has_offsets);
        if let Some(entry) = entry.filter(|&entry| entry != address) {
            text.word(self.offset(address, entry));
        }
    }

    /// The callers of a context, innermost first.
    pub(super) fn callers(&self, id: ContextId) -> impl Iterator<Item = ContextId> {
        let caller = |id: ContextId| self.context(id).caller;
        std::iter::successors(caller(id), move |&id| caller(id))
    }

    fn context(&self, id: ContextId) -> Context {
        self.costs.contexts.get(id)
    }

    /// Distance from the start of a function; negative ones wrap.
    fn offset(&self, Address(address): Address, Address(entry): Address) -> String {
        let distance = address.wrapping_sub(entry);
        // Signed words of the profiled machine.
        let n_other_bits = 64 - 8 * self.word.bytes();
        let signed = (distance << n_other_bits).cast_signed() >> n_other_bits;
        format!("{signed:+}")
    }
}
