//! Files that gzip, xz and zstd made, whole and damaged.

use super::super::sparse::Bytes;
use super::*;

/// A small profile, and its compressed forms.
const PROFILE: &[u8] = include_bytes!("../../../fixtures/oddities/sound.gmon");
const COMPRESSED: [&[u8]; 3] = [
    include_bytes!("../../../fixtures/oddities/sound.gmon.gz"),
    include_bytes!("../../../fixtures/oddities/sound.gmon.xz"),
    include_bytes!("../../../fixtures/oddities/sound.gmon.zst"),
];

/// More than a block of zstd or a chunk of xz, and its compressed forms.
fn long_text() -> Vec<u8> {
    let mut text = Vec::new();
    let mut number: u64 = 1;
    while text.len() < 140_000 {
        number = (number * 1_103_515_245 + 12345) % (1 << 31);
        text.extend(format!("word{} ", number >> 16 & 63).bytes());
    }
    text.truncate(140_000);
    text
}

const LONG_GZIP: &[u8] = include_bytes!("testdata/long.gz");
const LONG_XZ: &[u8] = include_bytes!("testdata/long.xz");
const LONG_ZSTD: &[u8] = include_bytes!("testdata/long.zst");

fn decompressed(raw: &[u8]) -> Option<(Vec<u8>, bool)> {
    let compression =
        Compression::of(raw, Compressions::All).expect("it starts as a compressed file");
    let decompressed = unpack(raw, compression).expect("it is small");
    decompressed.map(|decompressed| (decompressed.bytes, decompressed.is_cut_off))
}

#[test]
fn every_compression_gives_the_bytes_that_were_compressed() {
    for compressed in COMPRESSED {
        assert_eq!(decompressed(compressed), Some((PROFILE.to_vec(), false)));
    }
    for compressed in [LONG_GZIP, LONG_XZ, LONG_ZSTD] {
        assert_eq!(decompressed(compressed), Some((long_text(), false)));
    }
}

#[test]
fn files_one_behind_the_other_are_one() {
    for compressed in COMPRESSED {
        let twice = [compressed, compressed].concat();
        assert_eq!(decompressed(&twice), Some((PROFILE.repeat(2), false)));
    }
    // A skippable frame, as some tools insert.
    let skipped = [COMPRESSED[2], b"\x50\x2a\x4d\x18\x03\0\0\0abc", COMPRESSED[2]].concat();
    assert_eq!(decompressed(&skipped), Some((PROFILE.repeat(2), false)));
}

#[test]
fn what_is_cut_off_is_used_up_to_there() {
    for compressed in COMPRESSED {
        let cut = &compressed[..compressed.len() - 6];
        let (bytes, is_cut_off) =
            decompressed(&[compressed, cut].concat()).expect("the first is whole");
        assert!(is_cut_off);
        assert!(bytes.len() >= PROFILE.len() && PROFILE.repeat(2).starts_with(&bytes));
    }
    // Without an end, the data is complete up to the last whole block.
    for (compressed, least) in [(LONG_GZIP, 130_000), (LONG_XZ, 130_000), (LONG_ZSTD, 131_072)] {
        let cut = &compressed[..compressed.len() - 90];
        let (bytes, is_cut_off) = decompressed(cut).expect("most of it is there");
        assert!(is_cut_off);
        assert!(bytes.len() >= least, "{} bytes", bytes.len());
        assert!(long_text().starts_with(&bytes));
    }
}

#[test]
fn a_wrong_checksum_is_damage() {
    // After the data, gzip has a size, and xz has an index and a footer of 28 bytes.
    for (compressed, from_end) in COMPRESSED.into_iter().zip([5, 29, 1]) {
        let mut wrong = compressed.to_vec();
        let place = wrong.len() - from_end;
        wrong[place] ^= 1;
        assert_eq!(decompressed(&wrong), Some((PROFILE.to_vec(), true)));
    }
}

#[test]
fn any_prefix_and_any_change_gives_an_answer() {
    for compressed in COMPRESSED {
        for end in 6..compressed.len() {
            if let Some((bytes, is_cut_off)) = decompressed(&compressed[..end]) {
                assert!(is_cut_off && PROFILE.starts_with(&bytes));
            }
        }
        for place in 6..compressed.len() {
            for bit in 0..8 {
                let mut changed = compressed.to_vec();
                changed[place] ^= 1 << bit;
                let _ = decompressed(&changed);
            }
        }
    }
}

#[test]
fn a_header_cannot_ask_for_gigabytes() {
    // The window of this frame is a gigabyte, and the whole frame is one empty block.
    assert_eq!(decompressed(b"\x28\xb5\x2f\xfd\x00\xa0\x01\x00\x00"), None);
    // The same with a window of a megabyte.
    let small = decompressed(b"\x28\xb5\x2f\xfd\x00\x50\x01\x00\x00");
    assert_eq!(small, Some((Vec::new(), false)));
}

#[test]
fn a_few_bytes_cannot_unpack_to_a_gigabyte() {
    assert_eq!(most_of(0), 4 << 20);
    assert_eq!(most_of(1 << 10), (4 << 20) + 32_768);
    assert_eq!(most_of(1 << 30), 1 << 30);
    // Frames of one block of 128 KiB of the same byte, which are 10 bytes each.
    let frame = b"\x28\xb5\x2f\xfd\x00\x38\x03\x00\x10\x01";
    let outcome = |n_frames| unpack(&frame.repeat(n_frames), Compression::Zstd);
    let few = outcome(32).expect("it is 4 MiB").expect("it is sound");
    assert!(!few.is_cut_off && few.gaps.is_empty());
    assert_eq!(few.bytes.len(), 32 << 17);
    let many = outcome(600).map(|_| ()).expect_err("it is too much");
    assert!(many.position > 4 << 20 && many.position < 5 << 20, "{many:?}");
}

#[test]
fn zeros_are_not_held() {
    let frame = b"\x28\xb5\x2f\xfd\x00\x38\x03\x00\x10\x00";
    let outcome = |n_frames| unpack(&frame.repeat(n_frames), Compression::Zstd);
    let decompressed = outcome(600).expect("zeros do not count").expect("it is sound");
    assert_eq!((decompressed.bytes.len(), decompressed.gaps.len()), (8192, 1));
    let all = Bytes::with_gaps(&decompressed.bytes, &decompressed.gaps);
    assert_eq!(all.len(), 600 << 17);
    if !cfg!(debug_assertions) {
        assert!(outcome(9000).is_err(), "it is more than a gigabyte");
    }
}

#[test]
fn what_a_decoder_lacks_is_named() {
    // A frame with a window of a gigabyte, and one that needs the dictionary 7.
    let window = b"\x28\xb5\x2f\xfd\x00\xa0\x01\x00\x00";
    let dictionary = b"\x28\xb5\x2f\xfd\x01\x50\x07\x01\x00\x00";
    let check = |file: &[u8], expected: Option<&str>| {
        assert_eq!(Unsupported::of(file).map(|found| found.0), expected);
    };
    let large = "a zstd file that needs more than 128 MiB to decompress";
    check(window, Some(large));
    let trained = "a zstd file that needs a dictionary to decompress";
    check(dictionary, Some(trained));
    let large = "an xz file that needs more than 128 MiB to decompress";
    check(include_bytes!("../../../fixtures/packed/window.xz"), Some(large));
    let filtered = "an xz file with an unsupported filter or check";
    check(include_bytes!("../../../fixtures/packed/filters.xz"), Some(filtered));
    for compressed in COMPRESSED {
        check(compressed, None);
        check(&compressed[..compressed.len() / 2], None);
    }
}

#[test]
fn the_faces_of_the_originals_know_gzip_only() {
    let known = COMPRESSED.map(|compressed| Compression::of(compressed, Compressions::Gzip));
    assert_eq!(known, [Some(Compression::Gzip), None, None]);
    assert_eq!(Compression::of(PROFILE, Compressions::All), None);
}

#[test]
fn intact_and_damaged_starts_differ() {
    for compressed in COMPRESSED {
        assert!(Compression::starts_intact(compressed));
        assert!(!Compression::starts_intact(&compressed[..8]));
    }
    assert!(!Compression::starts_intact(PROFILE));
}
