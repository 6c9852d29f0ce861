//! Small files in every encoding, built by hand from the layout's definition.

use std::path::Path;

use super::super::{Input, Loaded, load};
use super::*;

/// Writes the words of a target.
struct SprofFile {
    encoding: Encoding,
    bytes: Vec<u8>,
}

impl SprofFile {
    fn number(mut self, value: u64, size: usize) -> Self {
        let little = value.to_le_bytes();
        match self.encoding.endian {
            Endian::Little => self.bytes.extend(&little[..size]),
            Endian::Big => self.bytes.extend(little[..size].iter().rev()),
        }
        self
    }

    fn word(self, value: u64) -> Self {
        let size = self.encoding.address_size.bytes();
        self.number(value, size)
    }

    fn raw(mut self, bytes: &[u8]) -> Self {
        self.bytes.extend(bytes);
        self
    }

    fn arc(self, from: u64, callee: u64, count: u64) -> Self {
        self.word(from).word(callee).number(count, 4)
    }
}

/// Four bins of a library at 0x1000, and the head of a table of arcs.
fn file(encoding: Encoding, n_arcs: u64) -> SprofFile {
    let start = SprofFile { encoding, bytes: b"gmon".to_vec() };
    let head = start.number(0x1ffff, 4).raw(&[0; 12]).number(0, 4);
    let range = head.word(0x1000).word(0x1010).number(4, 4).number(100, 4);
    let clock = range.raw(b"seconds\0\0\0\0\0\0\0\0s");
    let bins = [3, 0, 5, 65535];
    let bins = bins.iter().fold(clock, |file, &bin| file.number(bin, 2));
    bins.number(1, 4).number(n_arcs, 4)
}

/// The same with three arcs in use and room for two more.
fn whole(encoding: Encoding) -> SprofFile {
    let arcs = file(encoding, 3).arc(0, 0x2, 7).arc(0x6, 0xa, 8).arc(0, 0x2, 9);
    let room = 2 * (2 * encoding.address_size.bytes() + 4);
    arcs.raw(&vec![0; room])
}

fn read(bytes: Vec<u8>, encoding: Option<Encoding>) -> Result<Loaded, String> {
    let input = Input::from_bytes(Path::new("lib.so.profile"), bytes).unwrap();
    let hints = Hints { encoding, ..Hints::default() };
    load(&input, &hints).map_err(|error| error.to_string())
}

fn damage_of(bytes: Vec<u8>) -> (usize, String) {
    let loaded = read(bytes, None).unwrap();
    let damage = loaded.damage.expect("it is damaged").error.to_string();
    (loaded.profile.arcs().len(), damage)
}

#[test]
fn the_file_alone_tells_its_encoding() {
    for encoding in Encoding::ALL {
        for hint in [None, Some(Encoding::ALL[0])] {
            let loaded = read(whole(encoding).bytes, hint).unwrap();
            assert_eq!(loaded.encoding, Some(encoding));
            assert!(loaded.layout.is_of_library);
            assert_eq!(loaded.damage, None);
            assert_eq!(loaded.profile.n_ticks(), 3 + 5 + 65535);
        }
    }
}

#[test]
fn arcs_are_distances_from_the_low_end_and_0_is_outside() {
    for encoding in Encoding::ALL {
        let loaded = read(whole(encoding).bytes, None).unwrap();
        let arcs = loaded.profile.arcs().iter();
        let arcs: Vec<_> = arcs.map(|a| (a.call_site, a.callee.0, a.count)).collect();
        let expected = [
            (CallArc::OUTSIDE, 0x1002, 7),
            (Address(0x1006), 0x100a, 8),
            (CallArc::OUTSIDE, 0x1002, 9),
        ];
        assert_eq!(arcs, expected);
    }
}

#[test]
fn every_prefix_is_read_as_far_as_it_goes() {
    for encoding in Encoding::ALL {
        let whole = whole(encoding).bytes;
        let room = 2 * (2 * encoding.address_size.bytes() + 4);
        let n_used = whole.len() - room;
        for end in 8..whole.len() {
            match read(whole[..end].to_vec(), None) {
                // Cutting off unused space loses nothing.
                Ok(loaded) => assert_eq!(loaded.damage.is_none(), end >= n_used, "{end}"),
                Err(error) => assert!(end < n_used, "{error}"),
            }
        }
    }
}

#[test]
fn counts_that_cannot_be_are_damage_and_cost_nothing() {
    for encoding in Encoding::ALL {
        let arcs = file(encoding, u64::from(u32::MAX)).arc(0, 0x2, 7);
        let (n_arcs, damage) = damage_of(arcs.bytes);
        assert_eq!(n_arcs, 1);
        assert!(damage.contains("call arc needs"), "{damage}");
    }
}

#[test]
fn what_stands_in_the_room_for_arcs_is_damage() {
    let [encoding, ..] = Encoding::ALL;
    // One more may have been added when the program was killed.
    let one_more = file(encoding, 1).arc(0, 0x2, 7).arc(0x6, 0xa, 8);
    assert_eq!(read(one_more.bytes, None).unwrap().damage, None);
    let two_more = file(encoding, 1).arc(0, 2, 7).arc(6, 0xa, 8).arc(6, 2, 1);
    let (n_arcs, damage) = damage_of(two_more.bytes);
    assert_eq!(n_arcs, 1);
    assert!(damage.contains("more than the 1 arcs"), "{damage}");
}

#[test]
fn something_else_than_arcs_behind_the_bins_is_damage() {
    let [encoding, ..] = Encoding::ALL;
    let mut bytes = whole(encoding).bytes;
    bytes[64 + 8] = 2;
    let (n_arcs, damage) = damage_of(bytes);
    assert_eq!(n_arcs, 0);
    assert_eq!(damage, "byte 72 (0x48): expected tag 1 (call arcs), but found 2");
}

#[test]
fn a_header_that_makes_no_sense_is_an_error() {
    let [encoding, ..] = Encoding::ALL;
    let mut bytes = whole(encoding).bytes;
    // More bins than the bytes that they cover.
    bytes[41] = 1;
    let error = read(bytes, None).unwrap_err();
    let expected = "lib.so.profile: malformed LD_PROFILE file: byte 20 (0x14): the histogram \
         header is invalid for both 32-bit and 64-bit words";
    assert_eq!(error, expected);
}
