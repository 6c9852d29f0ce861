//! The ELF symbol nearest to an address, as gprof chooses it to name code that
//! debugging information leaves without a name.

use std::ops::Range;

use object::{
    Architecture, Object, ObjectSection, ObjectSymbol, SectionIndex, SymbolFlags, SymbolKind, elf,
};

use crate::symbols::{FunctionDescriptors, own_symbol_refs};

#[derive(Debug, Clone, Copy)]
pub(super) struct CodeSymbol<'s> {
    pub(super) address: u64,
    /// At least one byte.
    size: u64,
    pub(super) name: &'s [u8],
}

impl CodeSymbol<'_> {
    fn end(&self) -> u64 {
        self.address.saturating_add(self.size)
    }

    fn covers(&self, address: u64) -> bool {
        (self.address..self.end()).contains(&address)
    }
}

/// The symbols of `.text`, one for each address.
#[derive(Debug, Default)]
pub(super) struct CodeSymbols<'s> {
    symbols: Vec<CodeSymbol<'s>>,
    text_start: u64,
    /// Some symbol overlaps the start of another.
    overlap: bool,
    /// The last answer. It is repeated as long as it covers the address, even if another
    /// symbol starts inside.
    last: Option<CodeSymbol<'s>>,
}

impl<'s> CodeSymbols<'s> {
    /// Collects symbols from `.symtab`. Only for ELF, as in gprof.
    pub(super) fn of(object: &object::File<'s>) -> CodeSymbols<'s> {
        let text = object.section_by_name(".text");
        let Some(text) = text.filter(|_| object.format() == object::BinaryFormat::Elf) else {
            return CodeSymbols::default();
        };
        let place = CodePlace {
            text: text.index(),
            addresses: text.address()..text.address().saturating_add(text.size()),
            descriptors: FunctionDescriptors::of(object),
            architecture: object.architecture(),
        };
        let symbols = object.symbols();
        let mut symbols: Vec<_> = symbols
            .zip(own_symbol_refs(object))
            .filter_map(|(symbol, mention)| code_symbol(&symbol, mention.name, &place))
            .collect();
        // The largest counts, then the first in the file.
        symbols.sort_by_key(|symbol| (symbol.address, std::cmp::Reverse(symbol.size)));
        symbols.dedup_by_key(|symbol| symbol.address);
        let pairs = symbols.windows(2);
        let overlap = pairs.into_iter().any(|pair| pair[0].end() > pair[1].address);
        CodeSymbols { symbols, overlap, text_start: text.address(), last: None }
    }

    /// Returns whether answers depend on earlier questions: only if symbols overlap, since
    /// otherwise the last answer is also the nearest one.
    pub(super) fn overlap(&self) -> bool {
        self.overlap
    }

    /// The symbol at or below an address, and the end of the range in which ascending
    /// questions get the same answer.
    pub(super) fn nearest(&mut self, address: u64) -> (Option<CodeSymbol<'s>>, u64) {
        if let Some(last) = self.last.filter(|last| last.covers(address)) {
            return (Some(last), last.end());
        }
        // gprof asks for offsets into `.text`, unsigned. Code below it lies, in
        // this view, above everything else.
        let (next, next_start) = if address < self.text_start {
            (self.symbols.len(), self.text_start)
        } else {
            self.next_after(address)
        };
        let Some(found) = next.checked_sub(1).map(|index| self.symbols[index]) else {
            return (None, next_start);
        };
        self.last = Some(found);
        let end = if found.covers(address) { found.end() } else { next_start };
        (Some(found), end)
    }

    fn next_after(&self, address: u64) -> (usize, u64) {
        let is_below = |symbol: &CodeSymbol<'_>| symbol.address <= address;
        let next = self.symbols.partition_point(is_below);
        let start = self.symbols.get(next).map_or(u64::MAX, |next| next.address);
        (next, start)
    }
}

/// The conditions for a symbol to denote code.
struct CodePlace<'s> {
    text: SectionIndex,
    addresses: Range<u64>,
    descriptors: Option<FunctionDescriptors<'s>>,
    architecture: Architecture,
}

impl<'s> CodePlace<'s> {
    fn address_of(&self, symbol: &object::Symbol<'s, '_>) -> Option<u64> {
        if symbol.section_index() == Some(self.text) {
            // On 32-bit Arm the lowest bit marks Thumb code.
            let is_arm = self.architecture == Architecture::Arm;
            return Some(symbol.address() & !u64::from(is_arm));
        }
        let descriptors = self.descriptors.as_ref();
        let descriptors = descriptors.filter(|d| symbol.section_index() == Some(d.section))?;
        let address = descriptors.code_address(symbol.address())?;
        self.addresses.contains(&address).then_some(address)
    }
}

fn code_symbol<'s>(
    symbol: &object::Symbol<'s, '_>,
    name: &'s [u8],
    place: &CodePlace<'s>,
) -> Option<CodeSymbol<'s>> {
    let is_code = !matches!(
        symbol.kind(),
        SymbolKind::Data | SymbolKind::Section | SymbolKind::File | SymbolKind::Tls
    );
    if !is_code || is_hidden_label(symbol) {
        return None;
    }
    let address = place.address_of(symbol)?;
    let is_mark = is_mapping_symbol(name, place.architecture);
    (!is_mark).then(|| CodeSymbol { address, size: symbol.size().max(1), name })
}

/// Local hidden labels without type and size: annotations of compiler plug-ins.
fn is_hidden_label(symbol: &object::Symbol<'_, '_>) -> bool {
    let SymbolFlags::Elf { st_info, st_other } = symbol.flags() else {
        return false;
    };
    let is_plain_local = st_info == elf::STB_LOCAL | elf::STT_NOTYPE;
    is_plain_local && st_other.visibility() == elf::STV_HIDDEN && symbol.size() == 0
}

/// Mapping symbols between code and data (`$x`, `$d.1`).
fn is_mapping_symbol(name: &[u8], architecture: Architecture) -> bool {
    let has_them = matches!(architecture, Architecture::Arm | Architecture::Aarch64);
    has_them
        && matches!(
            name,
            [b'$', b'a' | b'd' | b't' | b'x'] | [b'$', b'a' | b'd' | b't' | b'x', b'.', ..]
        )
}

#[cfg(test)]
mod tests {
    use super::*;

    /// `outer` covers everything up to 0x80, `gap` only its first bytes.
    fn symbols() -> CodeSymbols<'static> {
        let symbol =
            |address, size, name: &'static str| CodeSymbol { address, size, name: name.as_bytes() };
        CodeSymbols {
            symbols: vec![
                symbol(0x10, 0x70, "outer"),
                symbol(0x20, 8, "inner"),
                symbol(0x90, 4, "gap"),
            ],
            text_start: 0x8,
            overlap: true,
            last: None,
        }
    }

    fn check(questions: &[(u64, &str, u64)]) {
        let mut symbols = symbols();
        for &(address, name, end) in questions {
            let (symbol, found_end) = symbols.nearest(address);
            let found = symbol.map_or(&b"-"[..], |symbol| symbol.name);
            let found = (String::from_utf8_lossy(found), found_end);
            assert_eq!(found, (name.into(), end), "at {address:#x}");
        }
    }

    #[test]
    fn the_highest_symbol_at_or_below_counts_even_beyond_its_end() {
        check(&[(0x25, "inner", 0x28), (0x30, "inner", 0x90)]);
        check(&[(0x200, "gap", u64::MAX)]);
        check(&[(0xf, "-", 0x10)]);
    }

    #[test]
    fn an_answer_is_given_again_as_far_as_the_symbol_reaches() {
        check(&[(0x10, "outer", 0x80), (0x25, "outer", 0x80)]);
        check(&[(0x25, "inner", 0x28), (0x18, "outer", 0x80)]);
    }

    #[test]
    fn code_below_text_takes_the_last_symbol() {
        check(&[(0x4, "gap", 0x8)]);
    }
}
