//! Finds a gmon.out among other bytes of a memory, as in a dump of all RAM.
//!
//! The cookie of the GNU layout or the version word of 4.4BSD marks it, and the first record or
//! the header confirms it. Old BSD headers have no mark: with the encoding of the executable, calls
//! within the range of the header confirm it. What confirms nothing costs a few steps, and what
//! does is passed over, so time is linear in the number of bytes.

use std::ops::Range;

use super::super::Hints;
use super::bsd::{self, VERSION_44BSD};
use super::extent::Extent;
use super::gnu::{self, COOKIE};

/// The position of the first profile with a histogram, or of the first one with calls only.
pub(in super::super) fn find_within(data: &[u8], hints: &Hints) -> Option<Range<usize>> {
    let mut without_histogram = None;
    let mut at = 0;
    while let Some(mark) = data.get(at..).and_then(|rest| rest.first_chunk::<4>()) {
        let start_and_extent = match mark {
            mark if *mark == COOKIE => gnu::extent(&data[at..], hints).map(|extent| (at, extent)),
            mark if *mark == VERSION_44BSD.to_le_bytes()
                || *mark == VERSION_44BSD.to_be_bytes() =>
            {
                bsd_before(data, at, hints)
            }
            _ => None,
        };
        at += 1;
        if let Some((start, extent)) = start_and_extent {
            let range = start..start + extent.n_bytes;
            if extent.has_histogram {
                return Some(range);
            }
            at = range.end;
            without_histogram.get_or_insert(range);
        }
    }
    without_histogram.or_else(|| old_bsd_within(data, hints))
}

/// The position of the first profile without a mark.
fn old_bsd_within(data: &[u8], hints: &Hints) -> Option<Range<usize>> {
    let encoding = hints.encoding?;
    let mut starts = (0..data.len()).step_by(encoding.address_size.bytes());
    starts.find_map(|start| {
        let extent = bsd::unmarked_extent(&data[start..], encoding, hints)?;
        Some(start..start + extent.n_bytes)
    })
}

/// The BSD profile whose version word is at a position: after two addresses and a size.
fn bsd_before(data: &[u8], version: usize, hints: &Hints) -> Option<(usize, Extent)> {
    // The lower halves of eight-byte addresses may look like four-byte ones, not vice versa.
    let mut starts = [8, 4].into_iter().filter_map(|word| version.checked_sub(2 * word + 4));
    starts.find_map(|start| {
        bsd::extent(&data[start..], version - start, hints).map(|extent| (start, extent))
    })
}
