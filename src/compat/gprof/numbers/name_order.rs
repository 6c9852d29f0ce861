//! Functions by name, for several orders, and the order of entries: by time, then cycles by
//! number before functions, names without leading `_` first, more calls first, finally by
//! name.

use std::cmp::Reverse;
use std::sync::Arc;

use super::rows::GraphNode;
use crate::analyze::{CycleNumber, Propagation};
use crate::symbols::{Symbol, SymbolId, SymbolTable};
use crate::threads;

/// Symbols by name.
pub(super) struct NameOrder {
    pub(super) symbols: Vec<SymbolId>,
    /// Rank of each symbol.
    pub(super) places: Box<[u32]>,
}

impl NameOrder {
    pub(super) fn new(table: &SymbolTable) -> Self {
        let symbols = by_name(table);
        let mut places = vec![0; symbols.len()].into_boxed_slice();
        for (place, symbol) in (0..).zip(&symbols) {
            places[symbol.index()] = place;
        }
        Self { symbols, places }
    }

    /// Every symbol with its rank, by address.
    pub(super) fn in_memory(&self) -> impl Iterator<Item = (SymbolId, u32)> {
        (0..).map(SymbolId).zip(self.places.iter().copied())
    }
}

fn by_name(table: &SymbolTable) -> Vec<SymbolId> {
    let symbols = table.symbols();
    // Lines of a function are adjacent and share its name, which is compared only once.
    let have_one_name = |a: &Symbol, b: &Symbol| Arc::ptr_eq(&a.name, &b.name);
    let mut first = 0;
    let mut sharers = Vec::new();
    for shared in symbols.chunk_by(have_one_name) {
        let next = first + u32::try_from(shared.len()).expect("symbols have 32-bit numbers");
        let name = &*shared[0].name;
        sharers.push((start_of(name), name, first..next));
        first = next;
    }
    threads::sort_by(&mut sharers, |a, b| (a.0, a.1).cmp(&(b.0, b.1)));
    let numbers = sharers.into_iter().flat_map(|(.., numbers)| numbers);
    numbers.map(SymbolId).collect()
}

/// The first bytes of a name as a number, which compares faster.
fn start_of(name: &[u8]) -> u128 {
    let mut bytes = [0; 16];
    let n_bytes = name.len().min(bytes.len());
    bytes[..n_bytes].copy_from_slice(&name[..n_bytes]);
    u128::from_be_bytes(bytes)
}

/// Functions and cycles in the order of entries.
pub(super) fn in_order(
    times: &Propagation,
    by_name: &NameOrder,
    table: &SymbolTable,
) -> Vec<GraphNode> {
    // The names that start with `_` are neighbours.
    let n_not_behind = |is_behind: fn(u8) -> bool| {
        let is_before = |&id: &SymbolId| !table.get(id).name.first().is_some_and(|&b| is_behind(b));
        let n_before = by_name.symbols.partition_point(is_before);
        u32::try_from(n_before).expect("symbols have 32-bit numbers")
    };
    let low = n_not_behind(|byte| byte >= b'_')..n_not_behind(|byte| byte > b'_');
    let cycles = (1..).map(CycleNumber).zip(&times.cycles);
    let cycles = cycles.map(|(number, node)| RankedNode {
        total: Reverse(by_size(node.shown_total())),
        kind: RankedKind::Cycle,
        calls: Reverse(0),
        place: number.0,
        subject: GraphNode::Cycle(number),
    });
    let functions = by_name.in_memory().map(|(symbol, place)| {
        let node = times.function(symbol);
        RankedNode {
            total: Reverse(by_size(node.shown_total())),
            kind: if low.contains(&place) { RankedKind::LowFunction } else { RankedKind::Function },
            calls: Reverse(node.calls),
            place,
            subject: GraphNode::Function(symbol),
        }
    });
    let mut order: Vec<_> = cycles.chain(functions).collect();
    threads::sort(&mut order);
    order.into_iter().map(|ranked| ranked.subject).collect()
}

/// The sort key of a function or cycle.
#[derive(PartialEq, Eq, PartialOrd, Ord)]
struct RankedNode {
    total: Reverse<u64>,
    kind: RankedKind,
    calls: Reverse<u64>,
    place: u32,
    subject: GraphNode,
}

#[derive(PartialEq, Eq, PartialOrd, Ord)]
enum RankedKind {
    Cycle,
    Function,
    LowFunction,
}

/// An integer with the order of `total_cmp`.
pub(super) fn by_size(value: f64) -> u64 {
    const SIGN: u64 = 1 << 63;
    let bits = value.to_bits();
    if bits & SIGN == 0 { bits | SIGN } else { !bits }
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
        let names: Vec<Arc<[u8]>> =
            all.clone().chain(shared.clone()).chain(all).chain(shared).collect();
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

    #[test]
    fn sizes_are_in_the_order_of_their_numbers() {
        let numbers = [
            -f64::NAN,
            f64::NEG_INFINITY,
            -1.5,
            -f64::MIN_POSITIVE,
            -0.0,
            0.0,
            f64::MIN_POSITIVE,
            1.0,
            1.0_f64.next_up(),
            f64::INFINITY,
            f64::NAN,
        ];
        for a in numbers {
            for b in numbers {
                assert_eq!(by_size(a).cmp(&by_size(b)), a.total_cmp(&b), "{a} and {b}");
            }
        }
    }
}
