//! How long names may be that a file stores once and uses often.
//!
//! String tables let thousands of symbols have one name, or parts of it. Names of real
//! programs are short or stored for few; a name of half a megabyte that all symbols share
//! makes gigabytes of whatever is done for each of them. Such names are cut.

use std::ops::Range;

/// Names that were cut, for so many share what is stored of long ones that whole ones would
/// take a multiple of their file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CutNames {
    /// How many they are.
    pub n_names: usize,
    /// What is left of each, in bytes.
    pub n_bytes: usize,
}

/// Bytes that long names may have together wherever they are stored.
const BASE: usize = 16 << 20;

/// How often long names may use each byte that is stored of them.
const USES: usize = 4;

/// Names that are not longer count as short, and none is cut to less.
const LEAST: usize = 1000;

/// The length to which names are cut, in bytes; `None` where they need not be, as in all
/// ordinary files. Names of more than 1,000 bytes are cut where they have more than 16 MiB
/// together beside what is stored of them four times; then as few as possible, to 1,000
/// bytes at least. Costs a look at each, and a sort of long ones where there are many.
pub(crate) fn name_limit<'n>(names: impl Iterator<Item = &'n [u8]> + Clone) -> Option<usize> {
    let names = names.filter(|name| name.len() > LEAST);
    let sum = |limit: usize| {
        let lengths = names.clone().map(|name| name.len().min(limit));
        lengths.fold(0, usize::saturating_add)
    };
    let all = sum(usize::MAX);
    if all <= BASE {
        return None;
    }
    let room = n_stored(names.clone()).saturating_mul(USES);
    let room = room.saturating_add(BASE);
    if all <= room {
        return None;
    }
    let (mut fitting, mut too_long) = (LEAST, names.clone().map(<[u8]>::len).max()?);
    while too_long.saturating_sub(fitting) > 1 {
        let middle = usize::midpoint(fitting, too_long);
        *(if sum(middle) <= room {
            &mut fitting
        } else {
            &mut too_long
        }) = middle;
    }
    Some(fitting)
}

/// How many bytes of memory names take: what several have in common counts once.
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

    #[test]
    fn names_that_are_stored_for_each_are_as_long_as_they_are() {
        let names: Vec<Vec<u8>> = (0..40).map(|_| vec![b'a'; 1 << 20]).collect();
        assert_eq!(name_limit(names.iter().map(|name| &**name)), None);
    }

    #[test]
    fn short_names_may_be_used_by_any_number() {
        let names = (0..1_000_000).map(|_| &b"initialize_the_whole_of_it"[..]);
        assert_eq!(name_limit(names), None);
    }

    #[test]
    fn long_names_that_many_share_are_cut_to_what_there_is_room_for() {
        let name = vec![b'a'; 500_000];
        let same = (0..5000).map(|_| &*name);
        assert_eq!(name_limit(same), Some((BASE + 4 * 500_000) / 5000));
        let parts = (0..5000).map(|start| &name[start..]);
        assert_eq!(name_limit(parts), Some((BASE + 4 * 500_000) / 5000));
        let few = (0..20).map(|_| &*name);
        assert_eq!(name_limit(few), None);
    }

    #[test]
    fn what_is_stored_counts_once() {
        let bytes = [0; 100];
        let names = [&bytes[10..20], &bytes[15..30], &bytes[40..50], &bytes[0..5]];
        assert_eq!(n_stored(names.into_iter()), 35);
    }
}
