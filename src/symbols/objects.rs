//! The objects of a process in one table: a program and its shared objects.
//!
//! The linker puts all of them at the same low addresses. They are moved to separate
//! addresses, as by a loader:
//!
//! ```text
//! linked   [ prog     ]
//!          [ liba.so       ]
//!          [ libb.so ]
//! placed   [ prog     ]   [ liba.so       ]   [ libb.so ]
//! ```
//!
//! The first one keeps its addresses. Reports show the linked addresses, see
//! [`Placed::linked`].

use std::ops::Range;
use std::sync::Arc;

use crate::model::Address;

/// Objects start at multiples of this, with a gap between them.
const GAP: u64 = 1 << 20;

/// A moved object.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Placed {
    pub name: Arc<[u8]>,
    /// Its address range after the move.
    pub range: Range<Address>,
    /// Distance of the move.
    pub distance: u64,
}

impl Placed {
    /// The linked address of a moved one.
    pub fn linked(&self, placed: Address) -> Address {
        Address(placed.0.wrapping_sub(self.distance))
    }

    pub(super) fn placed(&self, linked: Address) -> Address {
        Address(linked.0.wrapping_add(self.distance))
    }
}

/// Places objects with these names and address ranges one after another. `None` if they exceed
/// the address space.
pub fn place(objects: Vec<(Arc<[u8]>, Range<Address>)>) -> Option<Vec<Placed>> {
    let mut free = None;
    let place = |(name, linked): (Arc<[u8]>, Range<Address>)| {
        let start = free.unwrap_or(linked.start.0);
        let size = linked.end.0.checked_sub(linked.start.0)?;
        let end = start.checked_add(size)?;
        free = Some(end.checked_next_multiple_of(GAP)?.checked_add(GAP)?);
        Some(Placed {
            name,
            range: Address(start)..Address(end),
            distance: start.wrapping_sub(linked.start.0),
        })
    };
    objects.into_iter().map(place).collect()
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;

    pub(in crate::symbols) fn object(
        name: &str,
        start: u64,
        end: u64,
    ) -> (Arc<[u8]>, Range<Address>) {
        (name.as_bytes().into(), Address(start)..Address(end))
    }

    #[test]
    fn objects_lie_apart_and_keep_the_addresses_of_the_linker() {
        let linked = vec![
            object("prog", 0x40_0000, 0x48_0001),
            object("liba.so", 0x1000, 0x30_0000),
            object("libb.so", 0x1000, 0x2000),
        ];
        let placed = place(linked.clone()).expect("there is room");
        assert_eq!(placed[0].range, linked[0].1);
        for (one, (_, linked)) in placed.iter().zip(&linked) {
            assert_eq!(one.linked(one.range.start), linked.start);
            assert_eq!(one.linked(one.range.end), linked.end);
        }
        for pair in placed.windows(2) {
            assert!(pair[0].range.end < pair[1].range.start);
        }
    }

    #[test]
    fn objects_after_the_last_address_do_not_fit() {
        let linked = vec![object("prog", 0x1000, u64::MAX), object("liba.so", 0x1000, 0x2000)];
        assert_eq!(place(linked), None);
    }
}
