//! Small files of every layout, built by hand from the layouts' definitions.

use super::super::{Hints, Input, Loaded, ReadPolicy, StackNumbers, load, load_hexdump};
use crate::model::{Address, AddressSize, Encoding, Endian, MergePolicy, ValueSource};
use std::path::Path;

/// Writes the words of a target.
struct GmonFile {
    encoding: Encoding,
    bytes: Vec<u8>,
}

impl GmonFile {
    fn new(encoding: Encoding) -> Self {
        let bytes = Vec::new();
        Self { encoding, bytes }
    }

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

    fn arc(self, call_site: u64, callee: u64, count: u64) -> Self {
        self.word(call_site).word(callee).word(count)
    }
}

const LOW: u64 = 0x1000;
const HIGH: u64 = 0x1010;
const BINS: [u64; 4] = [3, 0, 5, 65535];

/// A BSD file with `n_extra` bytes of header and bins of `size` bytes.
fn bsd(encoding: Encoding, extra: &[(u64, usize)], size: usize) -> GmonFile {
    let word = encoding.address_size.bytes();
    let header = 2 * word + 4 + extra.iter().map(|(_, size)| size).sum::<usize>();
    let total = header + BINS.len() * size;
    let mut file = GmonFile::new(encoding).word(LOW).word(HIGH).number(total as u64, 4);
    for &(value, size) in extra {
        file = file.number(value, size);
    }
    for bin in BINS {
        file = file.number(bin, size);
    }
    file
}

/// The words after the size in a 4.4BSD header. The last word on 64-bit machines is longer by
/// padding, which counts as one of its spare words here.
fn header_44(spare: u64) -> [(u64, usize); 5] {
    [(0x51879, 4), (250, 4), (spare, 4), (0, 4), (0, 4)]
}

fn gnu(encoding: Encoding) -> GmonFile {
    let mut file = GmonFile::new(encoding)
        .raw(b"gmon")
        .number(1, 4)
        .raw(&[0; 12])
        .raw(&[0])
        .word(LOW)
        .word(HIGH)
        .number(BINS.len() as u64, 4)
        .number(250, 4)
        .raw(b"seconds\0\0\0\0\0\0\0\0s");
    for bin in BINS {
        file = file.number(bin, 2);
    }
    file.raw(&[1]).word(0x1004).word(0x1008).number(7, 4)
}

/// Determines nothing on its own.
const TRUSTING: ReadPolicy = ReadPolicy {
    recognises_formats: false,
    trusts_executable: true,
    knows_bsd_variants: false,
    counter_bits: None,
    reports_cut_arcs: false,
    requires_equal_bsd_headers: true,
    missing_bsd_rate: None,
    heap_events: [None; 2],
    stacks: StackNumbers { unit: None, period: None },
    times: None,
    merge: MergePolicy {
        requires_equal_scale: true,
        requires_equal_abbreviation: true,
        refuses_overlaps: true,
        ignores_rates: true,
    },
};

fn careful() -> Hints {
    Hints::default()
}

fn read(bytes: &[u8], hints: &Hints) -> Result<Loaded, String> {
    let input = Input::from_bytes(Path::new("test"), bytes.to_vec()).map_err(|e| e.to_string())?;
    load(&input, hints).map_err(|error| error.to_string())
}

/// Reads without any hint and expects the layout, all bins and one arc.
fn check(file: &GmonFile, layout: &str) {
    let loaded = read(&file.bytes, &careful()).expect("the file should load");
    assert_eq!(loaded.layout.name, layout, "in {}", file.encoding);
    assert_eq!(loaded.encoding, Some(file.encoding), "as {layout}");
    assert_eq!(loaded.damage, None);
    let profile = &loaded.profile;
    let histogram = &profile.histograms()[0];
    assert_eq!((histogram.low, histogram.high), (Address(LOW), Address(HIGH)));
    assert_eq!(histogram.bins, BINS.into());
    let arc = profile.arcs()[0];
    assert_eq!((arc.call_site, arc.callee), (Address(0x1004), Address(0x1008)));
    assert_eq!(arc.count, 7);
}

#[test]
fn gnu_files_tell_their_encoding_by_their_records() {
    for encoding in Encoding::ALL {
        check(&gnu(encoding), "GNU");
    }
}

/// Two blocks, a histogram without bins and of that dimension, and an arc.
fn blocks_first(encoding: Encoding, dimension: &[u8; 15]) -> GmonFile {
    GmonFile::new(encoding)
        .raw(b"gmon")
        .number(1, 4)
        .raw(&[0; 12])
        .raw(&[2])
        .number(2, 4)
        .word(0x1004)
        .word(3)
        .word(0x1008)
        .word(5)
        .raw(&[0])
        .word(LOW)
        .word(LOW)
        .number(0, 4)
        .number(0, 4)
        .raw(dimension)
        .raw(b"s")
        .raw(&[1])
        .word(0x1004)
        .word(0x1008)
        .number(7, 4)
}

#[test]
fn a_file_that_is_read_to_its_end_needs_no_ticks_to_tell_its_encoding() {
    for dimension in [b"seconds\0\0\0\0\0\0\0\0", b"\x01\x02ticks\0\0\0\0\0\0\0\0"] {
        for encoding in Encoding::ALL {
            let file = blocks_first(encoding, dimension);
            for hint in [None, Some(encoding)] {
                let hints = Hints { encoding: hint, ..careful() };
                let loaded = read(&file.bytes, &hints).expect("the file should load");
                let bits = |encoding: Encoding| encoding.address_size;
                assert_eq!(loaded.encoding.map(bits), Some(bits(encoding)));
                assert_eq!(loaded.damage, None);
                if hint.is_some() {
                    assert_eq!(loaded.encoding, Some(encoding));
                    assert_eq!(loaded.profile.arcs()[0].count, 7);
                    assert_eq!(loaded.profile.blocks()[1].count, 5);
                }
            }
        }
    }
}

#[test]
fn arcs_alone_tell_the_order_of_bytes_by_their_counts() {
    for encoding in Encoding::ALL {
        let file = GmonFile::new(encoding).raw(b"gmon").number(1, 4).raw(&[0; 12]);
        let arc = |file: GmonFile, count| file.raw(&[1]).word(0x1004).word(0x1008).number(count, 4);
        let file = arc(arc(file, 7), 1000);
        let loaded = read(&file.bytes, &careful()).expect("the file should load");
        assert_eq!(loaded.encoding, Some(encoding));
    }
}

#[test]
fn a_whole_file_of_another_machine_is_not_taken_for_one_of_the_executable() {
    for encoding in Encoding::ALL {
        for hint in Encoding::ALL {
            let hints = Hints { encoding: Some(hint), ..careful() };
            let loaded = read(&gnu(encoding).bytes, &hints).expect("the file should load");
            assert_eq!(loaded.encoding, Some(encoding), "beside {hint}");
        }
    }
}

#[test]
fn words_of_a_dump_are_those_of_the_executable() {
    let encoding = Encoding::new(Endian::Big, AddressSize::Four);
    let file = bsd(encoding, &header_44(0), 2).arc(0x1004, 0x1008, 7);
    // As OpenOCD shows it: numbers, without a column of characters.
    let words = file.bytes.chunks(4).enumerate();
    let lines = words.map(|(index, word)| {
        let word: String = word.iter().map(|byte| format!("{byte:02x}")).collect();
        format!("0x{:08x}: {word}\n", 0x2000_0000 + 4 * index)
    });
    let text = lines.collect::<String>().into_bytes();
    let input = Input::from_bytes(Path::new("test"), text).expect("it is not compressed");
    let hints = Hints { encoding: Some(encoding), ..careful() };
    let loaded = load_hexdump(&input, &hints).expect("it shows a profile");
    assert_eq!(loaded.encoding, Some(encoding));
    assert_eq!(loaded.profile.histograms()[0].bins, BINS.into());
}

#[test]
fn bsd_files_tell_their_encoding_by_their_sizes() {
    for encoding in Encoding::ALL {
        let arc = |file: GmonFile| file.arc(0x1004, 0x1008, 7);
        check(&arc(bsd(encoding, &[], 2)), "old BSD");
        check(&arc(bsd(encoding, &header_44(0), 2)), "4.4BSD");
        // NetBSD and NuttX leave bytes of the stack there.
        check(&arc(bsd(encoding, &header_44(0xffff_fffe), 2)), "4.4BSD");
        let arc_table = 3 * encoding.address_size.bytes() as u64;
        check(&arc(bsd(encoding, &header_44(arc_table), 2)), "OpenBSD");
        for (spare, counter_bits) in [(16, 16), (32, 32), (64, 64), ((-64i32).cast_unsigned(), 64)]
        {
            let file = bsd(encoding, &header_44(spare.into()), counter_bits as usize / 8);
            check(&arc(file), &format!("FreeBSD ({counter_bits}-bit counters)"));
        }
    }
}

#[test]
fn what_follows_the_count_on_windows_is_no_part_of_it() {
    let encoding = Encoding::new(Endian::Little, AddressSize::Eight);
    let file = bsd(encoding, &header_44(0), 2).arc(0x1004, 0x1008, 0xdead_beef_0000_0007);
    let hints = Hints { has_short_long: true, ..careful() };
    let loaded = read(&file.bytes, &hints).expect("the file should load");
    assert_eq!(loaded.profile.arcs()[0].count, 7);
}

#[test]
fn a_rate_of_zero_is_not_known() {
    let encoding = Encoding::ALL[0];
    let extra = [(0x51879, 4), (0, 4), (0, 4), (0, 4), (0, 4)];
    let loaded = read(&bsd(encoding, &extra, 2).bytes, &careful()).expect("the file should load");
    assert_eq!(loaded.profile.histograms()[0].clock.rate, None);
}

#[test]
fn a_file_that_was_cut_off_is_used_up_to_there() {
    for encoding in Encoding::ALL {
        let whole = gnu(encoding).bytes;
        let cut_in_arc = read(&whole[..whole.len() - 2], &careful()).expect("most is there");
        assert_eq!(cut_in_arc.profile.n_ticks(), BINS.iter().sum::<u64>());
        assert!(cut_in_arc.profile.arcs().is_empty());
        let damage = cut_in_arc.damage.as_ref().expect("the arc is cut off");
        let arc_size = 1 + 2 * encoding.address_size.bytes() + 4;
        assert_eq!(damage.n_lost, arc_size as u64 - 2);

        let header = 20 + 1 + 2 * encoding.address_size.bytes() + 4 + 4 + 16;
        let cut_in_bins = read(&whole[..header + 3], &careful()).expect("one bin is there");
        let histogram = &cut_in_bins.profile.histograms()[0];
        assert_eq!(histogram.n_bins, 4);
        assert_eq!(histogram.bins, BINS[..1].into());
        assert_eq!(
            cut_in_bins.damage.as_ref().expect("bins are missing").error.to_string(),
            format!("byte {header} ({header:#x}): histogram needs 8 bytes, but 3 remain")
        );
    }
}

#[test]
fn every_prefix_and_every_changed_byte_gives_an_answer() {
    let files = Encoding::ALL.into_iter().flat_map(|encoding| {
        let old = bsd(encoding, &[], 2).arc(1, 2, 3);
        let new = bsd(encoding, &header_44(64), 8).arc(1, 2, 3);
        [gnu(encoding), old, new]
    });
    for file in files {
        for end in 0..file.bytes.len() {
            let _ = read(&file.bytes[..end], &careful());
        }
        for place in 0..file.bytes.len() {
            for value in [0, 1, 0x7f, 0x80, 0xff] {
                let mut bytes = file.bytes.clone();
                bytes[place] = value;
                for encoding in Encoding::ALL {
                    let hints = Hints { encoding: Some(encoding), policy: TRUSTING, ..careful() };
                    let _ = read(&bytes, &hints);
                }
                let _ = read(&bytes, &careful());
            }
        }
    }
}

#[test]
fn text_is_no_header_without_version() {
    // As 32-bit numbers, a range of 872,936,370 bytes with 839,922,481 bins.
    let text = b"nsh> gprof dump /tmp/gmon.out\nnsh> ls\n/tmp:\n gmon.out\n";
    for encoding in Encoding::ALL {
        let hints = Hints { encoding: Some(encoding), ..careful() };
        let message = read(text, &hints).expect_err("it is text");
        assert_eq!(message, "test: not a profile, but a text file");
    }
}

#[test]
fn what_is_no_profile_is_named() {
    let message = |bytes: &[u8]| read(bytes, &careful()).expect_err("it is no profile");
    assert_eq!(message(b""), "test: empty file (0 bytes)");
    let ftrace = b"# tracer: function\n#\n#  TASK-PID  CPU#\n";
    assert_eq!(message(ftrace), "test: not a profile, but an ftrace log");
    let perf = b"PERFILE2\x68\0\0\0\0\0\0\0";
    assert_eq!(message(perf), "test: a perf.data file, which profan does not read");
}

#[test]
fn a_full_counter_of_calls_is_a_lower_bound_unless_the_sum_continues() {
    let full = u64::from(u32::MAX);
    for encoding in Encoding::ALL {
        let arc = |file: GmonFile, count| file.raw(&[1]).word(0x1004).word(0x100c).number(count, 4);
        for (counts, expected) in [
            (&[full - 1][..], ValueSource::Counted),
            (&[full], ValueSource::CountedAtLeast),
            (&[full, 3], ValueSource::Counted),
        ] {
            let file = counts.iter().fold(gnu(encoding), |file, &count| arc(file, count));
            let loaded = read(&file.bytes, &careful()).expect("the file should load");
            assert_eq!(loaded.profile.calls_source, expected, "of {counts:?} in {encoding}");
        }
    }
}

/// Bytes of a memory, with marks that no profile follows.
fn memory() -> Vec<u8> {
    let mut memory: Vec<u8> = (0..=255).collect();
    memory.extend(b"gmon\x01\0\0\0 a cookie alone");
    memory.extend(0x51879_u32.to_be_bytes());
    memory
}

#[test]
fn a_profile_is_found_among_other_bytes() {
    for encoding in Encoding::ALL {
        let bsd = bsd(encoding, &header_44(0), 2).arc(0x1004, 0x1008, 7);
        for file in [gnu(encoding), bsd] {
            let (before, after) = (memory(), [&b"\x01\0\0"[..], &memory()].concat());
            let whole = [&before, &*file.bytes, &after].concat();
            let loaded = read(&whole, &careful()).expect("it should be found");
            assert_eq!(loaded.encoding, Some(encoding));
            assert_eq!(loaded.damage, None);
            assert_eq!(loaded.profile.n_ticks(), BINS.iter().sum::<u64>());
            assert_eq!(loaded.profile.arcs().len(), 1);
            let around = (before.len() as u64, after.len() as u64);
            assert_eq!(loaded.beside.around, Some(around));
            for end in 0..whole.len() {
                let _ = read(&whole[..end], &careful());
            }
        }
    }
}

#[test]
fn an_old_header_among_other_bytes_needs_calls_in_its_range() {
    for encoding in Encoding::ALL {
        let two = bsd(encoding, &[], 2).arc(0x1004, 0x1008, 7).arc(0x1002, 0x1008, 1);
        let memory = [0xa5; 64];
        let hints = Hints { encoding: Some(encoding), ..careful() };
        let read_between = |file: &[u8]| read(&[&memory, file, &memory].concat(), &hints);
        assert!(read_between(&two.bytes).is_err());
        let loaded = read_between(&two.arc(0x1004, 0x100c, 2).bytes).expect("it should be found");
        assert_eq!(loaded.profile.n_ticks(), BINS.iter().sum::<u64>());
        assert_eq!(loaded.profile.arcs().len(), 3);
        assert_eq!(loaded.beside.around, Some((64, 64)));
    }
}

#[test]
fn many_marks_are_passed_over_in_linear_time() {
    let cookie = [b"gmon\x01\0\0\0", &[0; 12][..]].concat();
    // Alone, before one arc, and each in an arc of the one before.
    let alone = cookie.repeat(50_000);
    let with_arc = [&*cookie, &[1; 17]].concat().repeat(50_000);
    let within_arcs = [&*cookie, &[&[1][..], &[0; 4], &cookie[..8]].concat().repeat(50_000)];
    let version = 0x51879_u32.to_le_bytes().repeat(200_000);
    for hostile in [alone, with_arc, within_arcs.concat(), version] {
        let _ = read(&[&b"\x7f\0"[..], &hostile].concat(), &careful());
    }
}
