//! Where calls in machine code return to.

use object::Architecture;

use super::super::code::x86::ends_in_indirect_call;
use super::super::static_calls::Piece;
use super::PAGE;
use crate::model::Address;

/// How much code is looked at. Damaged files may have the same bytes many times over.
const MAX_BYTES: usize = 1 << 28;

/// The machine code of a program.
pub(super) struct Code<'a> {
    pieces: Vec<Piece<'a>>,
    /// The pages of all places behind calls, by the place in the page. `None` where
    /// calls cannot be read.
    returns: Option<Buckets>,
}

impl<'a> Code<'a> {
    /// The pieces come in the order of their addresses.
    pub(super) fn new(mut pieces: Vec<Piece<'a>>, machine: Architecture) -> Self {
        let mut n_bytes = 0usize;
        pieces.retain(|piece| {
            n_bytes = n_bytes.saturating_add(piece.bytes.len());
            n_bytes <= MAX_BYTES
        });
        let is_x86 = matches!(
            machine,
            Architecture::X86_64 | Architecture::X86_64_X32 | Architecture::I386
        );
        Self {
            returns: is_x86.then(|| Buckets::of_calls(&pieces)),
            pieces,
        }
    }

    pub(super) fn has_calls(&self) -> bool {
        self.returns.is_some()
    }

    /// How many pages an address finds here, about.
    pub(super) fn votes_per_address(&self) -> usize {
        match &self.returns {
            Some(returns) => returns.pages.len() / Buckets::COUNT + 1,
            None => self.pages().count(),
        }
    }

    /// The pages in which an address with this place in its page may be.
    pub(super) fn pages_with(&self, place: u64) -> Box<dyn Iterator<Item = u64> + '_> {
        match &self.returns {
            Some(returns) => Box::new(returns.at(place).iter().copied()),
            None => Box::new(self.pages().filter(move |page| self.contains(page + place))),
        }
    }

    /// How many of these addresses are behind calls, and how many in the code at all,
    /// when it is this far from where it was linked.
    pub(super) fn fit(&self, addresses: &[Address], distance: u64) -> (usize, usize) {
        let (mut n_for, mut n_all) = (0, 0);
        for address in addresses {
            let linked = address.0.wrapping_sub(distance);
            if self.contains(linked) {
                n_all += 1;
                n_for += usize::from(!self.has_calls() || self.is_behind_call(linked));
            }
        }
        (n_for, n_all)
    }

    fn is_behind_call(&self, address: u64) -> bool {
        let before = self.bytes_before(address);
        before.is_some_and(ends_in_call)
    }

    /// Whether an address can be behind an instruction of this code.
    fn contains(&self, address: u64) -> bool {
        self.bytes_before(address)
            .is_some_and(|bytes| !bytes.is_empty())
    }

    fn bytes_before(&self, address: u64) -> Option<&'a [u8]> {
        let n_before = self
            .pieces
            .partition_point(|piece| piece.start.0 <= address);
        let piece = &self.pieces[n_before.checked_sub(1)?];
        piece
            .bytes
            .get(..usize::try_from(address - piece.start.0).ok()?)
    }

    fn pages(&self) -> impl Iterator<Item = u64> {
        self.pieces.iter().flat_map(|piece| {
            let end = piece.start.0.saturating_add(piece.bytes.len() as u64);
            let first = piece.start.0 / PAGE;
            (first..=end / PAGE).map(|page| page * PAGE)
        })
    }
}

/// Whether the last instruction may be a call: `e8` with a distance, or `ff /2` with
/// what names its target. Source: the processors' manuals.
fn ends_in_call(bytes: &[u8]) -> bool {
    let end = bytes.len();
    if end >= 5 && bytes[end - 5] == 0xe8 {
        return true;
    }
    ends_in_indirect_call(bytes)
}

/// Pages, by a place in them.
struct Buckets {
    starts: Vec<u32>,
    pages: Vec<u64>,
}

impl Buckets {
    /// How many places a page has.
    const COUNT: usize = 1 << 12;

    fn of_calls(pieces: &[Piece<'_>]) -> Self {
        let mut returns: Vec<_> = pieces
            .iter()
            .flat_map(|piece| {
                let ends = 2..=piece.bytes.len();
                let ends = ends.filter(|&end| ends_in_call(&piece.bytes[..end]));
                ends.map(|end| piece.start.0.wrapping_add(end as u64))
            })
            .collect();
        returns.sort_unstable_by_key(|address| (address % PAGE, *address));
        let mut starts = vec![0; Self::COUNT + 1];
        for address in &returns {
            starts[bucket(address % PAGE) + 1] += 1;
        }
        for place in 1..starts.len() {
            starts[place] += starts[place - 1];
        }
        Self {
            starts,
            pages: returns
                .iter()
                .map(|address| address - address % PAGE)
                .collect(),
        }
    }

    fn at(&self, place: u64) -> &[u64] {
        let bucket = bucket(place);
        &self.pages[self.starts[bucket] as usize..self.starts[bucket + 1] as usize]
    }
}

fn bucket(place: u64) -> usize {
    usize::try_from(place).expect("a page is small")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(bytes: &[u8], expected: bool) {
        assert_eq!(ends_in_call(bytes), expected, "{bytes:02x?}");
    }

    #[test]
    fn calls_of_all_forms_are_seen() {
        check(&[0xe8, 1, 2, 3, 4], true);
        check(&[0x90, 0xff, 0xd0], true); // call *%rax
        check(&[0x41, 0xff, 0xd4], true); // call *%r12
        check(&[0xff, 0x10], true); // call *(%rax)
        check(&[0xff, 0x14, 0xc8], true); // call *(%rax,%rcx,8)
        check(&[0xff, 0x50, 0x18], true); // call *24(%rax)
        check(&[0xff, 0x54, 0x24, 0x08], true); // call *8(%rsp)
        check(&[0xff, 0x15, 1, 2, 3, 4], true); // call *n(%rip)
        check(&[0xff, 0x90, 1, 2, 3, 4], true); // call *n(%rax)
        check(&[0xff, 0x94, 0xc3, 1, 2, 3, 4], true); // call *n(%rbx,%rax,8)
        check(&[0xff, 0x14, 0xc5, 1, 2, 3, 4], true); // call *n(,%rax,8)
    }

    #[test]
    fn what_is_no_call_is_none() {
        check(&[], false);
        check(&[0xe8, 1, 2, 3], false);
        check(&[0xe9, 1, 2, 3, 4], false);
        check(&[0xff, 0xe0], false); // jmp *%rax
        check(&[0xff, 0x15, 1, 2, 3], false);
        check(&[0xff, 0x50], false);
        check(&[0x48, 0x89, 0xc3], false);
    }
}
