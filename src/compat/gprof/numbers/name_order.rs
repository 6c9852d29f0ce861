//! The functions by name, which more than one order needs.
//!
//! Names are compared eight bytes at a time, which stand beside the function as a number:
//!
//! ```text
//! tree_walk     "tree_wal"          "k"
//! tree_write    "tree_wri"          "te"
//! tree_wring    "tree_wri"          "ng"
//! ```
//!
//! They are sorted by the first number; what is equal then is sorted by the next one. So
//! names that start alike are not read again and again: the cost is that of sorting
//! numbers, and the bytes of names.

use std::sync::Arc;

use crate::symbols::{Symbol, SymbolId, SymbolTable};
use crate::threads;

/// The symbols in order of their names.
pub(super) struct NameOrder {
    /// Every symbol by name; of one name, by address.
    pub(super) symbols: Vec<SymbolId>,
    /// For each symbol its place among them.
    pub(super) places: Box<[u32]>,
}

impl NameOrder {
    /// That of a table.
    pub(super) fn new(table: &SymbolTable) -> Self {
        let symbols = by_name(table);
        let mut places = vec![0; symbols.len()].into_boxed_slice();
        for (place, symbol) in (0..).zip(&symbols) {
            places[symbol.index()] = place;
        }
        Self { symbols, places }
    }

    /// Every symbol with its place by name, in order of addresses.
    pub(super) fn in_memory(&self) -> impl Iterator<Item = (SymbolId, u32)> {
        (0..).map(SymbolId).zip(self.places.iter().copied())
    }
}

fn by_name(table: &SymbolTable) -> Vec<SymbolId> {
    let symbols = table.symbols();
    // By line, those of a function stand together and share its name.
    let have_one_name = |a: &Symbol, b: &Symbol| Arc::ptr_eq(&a.name, &b.name);
    let mut first = 0;
    let mut sharers = Vec::new();
    for shared in symbols.chunk_by(have_one_name) {
        sharers.push(Part::new(&shared[0].name, 0, first));
        first += u32::try_from(shared.len()).expect("symbols have 32-bit numbers");
    }
    sort(&mut sharers, table);
    let mut order = Vec::with_capacity(symbols.len());
    for Part { first, .. } in sharers {
        let name = &symbols[first as usize].name;
        let shared = symbols[first as usize..].iter();
        let n_shared = shared.take_while(|symbol| Arc::ptr_eq(&symbol.name, name));
        order.extend((first..).map(SymbolId).zip(n_shared).map(|(id, _)| id));
    }
    order
}

/// Eight bytes of a name. Sorted by them, then by how many there are, since a name may
/// have zeros at its end, and at last by address.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Part {
    bytes: u64,
    /// 9 for more than there is room for.
    n_bytes: u8,
    /// The first of the symbols of that name.
    first: u32,
}

impl Part {
    fn new(name: &[u8], depth: usize, first: u32) -> Self {
        let rest = &name[depth..];
        let mut bytes = [0; 8];
        let n_here = rest.len().min(bytes.len());
        bytes[..n_here].copy_from_slice(&rest[..n_here]);
        Self {
            bytes: u64::from_be_bytes(bytes),
            n_bytes: u8::try_from(rest.len().min(9)).expect("it is 9 at most"),
            first,
        }
    }

    fn has_more(&self) -> bool {
        self.n_bytes > 8
    }
}

fn sort(parts: &mut [Part], table: &SymbolTable) {
    // What is equal up to a depth, and the depth.
    let mut unsorted = vec![(0..parts.len(), 0)];
    while let Some((range, depth)) = unsorted.pop() {
        let parts = &mut parts[range.clone()];
        threads::sort(parts);
        let mut start = range.start;
        for equal in parts.chunk_by_mut(|a, b| (a.bytes, a.n_bytes) == (b.bytes, b.n_bytes)) {
            let range = start..start + equal.len();
            start = range.end;
            if equal.len() == 1 || !equal[0].has_more() {
                continue;
            }
            let depth = depth + 8;
            for part in equal {
                let name = &table.get(SymbolId(part.first)).name;
                *part = Part::new(name, depth, part.first);
            }
            unsorted.push((range, depth));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::Address;
    use crate::symbols::{Granularity, SourceFiles};

    #[test]
    fn names_are_in_the_order_of_their_bytes_and_equal_ones_by_address() {
        let words: [&[u8]; 14] = [
            b"walk",
            b"",
            b"tree_write",
            b"tree_wring",
            b"tree_wri",
            b"tree_wri\0",
            b"tree_wri\0\0",
            b"a\0",
            b"a",
            b"a\0\0",
            b"\xff",
            b"tree_write_and_so_on_to_the_end",
            b"tree_write_and_so_on_to_the_en",
            b"_x",
        ];
        let shared: Arc<[u8]> = b"tree_write_and_so_on".as_slice().into();
        let all = words.iter().chain(&words).map(|&word| Arc::from(word));
        let shared = std::iter::repeat_n(Arc::clone(&shared), 3);
        let names: Vec<Arc<[u8]>> = all
            .clone()
            .chain(shared.clone())
            .chain(all)
            .chain(shared)
            .collect();
        let symbol = |(address, name): (u64, &Arc<[u8]>)| Symbol {
            range: Address(address)..Address(address + 1),
            ticks_end: Address(address + 1),
            name: Arc::clone(name),
            is_function: true,
            is_static: false,
            source: None,
        };
        let symbols = (0..).zip(&names).map(symbol).collect();
        let table = SymbolTable::new(symbols, SourceFiles::default(), Granularity::Lines);
        let mut expected: Vec<_> = table.iter().map(|(id, _)| id).collect();
        expected.sort_by(|&a, &b| table.get(a).name.cmp(&table.get(b).name));
        let order = NameOrder::new(&table);
        assert_eq!(order.symbols, expected);
        for (symbol, place) in order.in_memory() {
            assert_eq!(expected[place as usize], symbol);
        }
    }
}
