//! Limits the length of names that a file stores once and uses often.
//!
//! String tables let thousands of symbols share a name or a part of it. In real programs such
//! names are short or rare. A hostile file can let all symbols share a name of half a
//! megabyte, so that copying names takes gigabytes. Such names are cut.

use std::ops::Range;

use crate::limits::SHORT_NAME;

/// Names that were cut, because whole names would take a multiple of their file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NameCut {
    /// Number of names cut.
    pub n_names: usize,
    /// Remaining length of each name, in bytes.
    pub n_bytes: usize,
}

/// The maximum length of names, in bytes; `None` if all may stay whole, as in all ordinary
/// files. Names over 1,000 bytes are cut if their total exceeds the bytes allowed for their stored
/// size. As few as possible are cut, and to 1,000 bytes at least.
///
/// Linear in the number of names; sorts the long ones if the total is too large.
pub(crate) fn name_limit<'n>(
    names: impl Iterator<Item = &'n [u8]> + Clone,
    allowed: impl Fn(u64) -> u64,
) -> Option<usize> {
    let allowed = |n_stored: usize| usize::try_from(allowed(n_stored as u64)).unwrap_or(usize::MAX);
    let names = names.filter(|name| name.len() > SHORT_NAME);
    let sum = |limit: usize| {
        let lengths = names.clone().map(|name| name.len().min(limit));
        lengths.fold(0, usize::saturating_add)
    };
    let all = sum(usize::MAX);
    if all <= allowed(0) {
        return None;
    }
    let room = allowed(n_stored(names.clone()));
    if all <= room {
        return None;
    }
    let (mut fitting, mut too_long) = (SHORT_NAME, names.clone().map(<[u8]>::len).max()?);
    while too_long.saturating_sub(fitting) > 1 {
        let middle = usize::midpoint(fitting, too_long);
        *(if sum(middle) <= room { &mut fitting } else { &mut too_long }) = middle;
    }
    Some(fitting)
}

/// Stored size of the names in bytes; shared bytes count once.
fn n_stored<'n>(names: impl Iterator<Item = &'n [u8]>) -> usize {
    let place = |name: &[u8]| {
        let start = name.as_ptr().addr();
        start..start + name.len()
    };
    let mut places: Vec<Range<usize>> = names.map(place).collect();
    places.sort_unstable_by_key(|place| place.start);
    let (mut n_stored, mut reach) = (0, 0);
    for place in places {
        n_stored += place.end.saturating_sub(place.start.max(reach));
        reach = reach.max(place.end);
    }
    n_stored
}

#[cfg(test)]
mod tests {
    use super::*;

    fn allowed(n_stored: u64) -> u64 {
        (16 << 20) + 4 * n_stored
    }

    #[test]
    fn names_that_are_stored_for_each_are_as_long_as_they_are() {
        let names: Vec<Vec<u8>> = (0..40).map(|_| vec![b'a'; 1 << 20]).collect();
        assert_eq!(name_limit(names.iter().map(|name| &**name), allowed), None);
    }

    #[test]
    fn short_names_may_be_used_by_any_number() {
        let names = (0..1_000_000).map(|_| &b"initialize_the_whole_of_it"[..]);
        assert_eq!(name_limit(names, allowed), None);
    }

    #[test]
    fn shared_long_names_are_cut_to_fit() {
        let name = vec![b'a'; 500_000];
        let same = (0..5000).map(|_| &*name);
        assert_eq!(name_limit(same, allowed), Some(((16 << 20) + 4 * 500_000) / 5000));
        let parts = (0..5000).map(|start| &name[start..]);
        assert_eq!(name_limit(parts, allowed), Some(((16 << 20) + 4 * 500_000) / 5000));
        let few = (0..20).map(|_| &*name);
        assert_eq!(name_limit(few, allowed), None);
    }

    #[test]
    fn stored_names_count_once() {
        let bytes = [0; 100];
        let names = [&bytes[10..20], &bytes[15..30], &bytes[40..50], &bytes[0..5]];
        assert_eq!(n_stored(names.into_iter()), 35);
    }
}
