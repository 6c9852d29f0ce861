//! Small files, made word by word.

use super::super::{Format, Hints, Loaded, ReadError};
use super::AllocationProfile;
use crate::model::{AddressSize, Encoding, Endian, SampleKey, SizeBounds};

/// The parts of a file.
#[derive(Clone)]
struct FileParts {
    marker: u64,
    version: u64,
    bins: Vec<u64>,
    /// Numbers of data records; each record has the values 1 to 16.
    records: Vec<u64>,
    sites: Vec<[u64; 6]>,
    entries: Vec<u64>,
    strings: &'static [u8],
    end: &'static [u8],
}

impl Default for FileParts {
    fn default() -> Self {
        Self {
            marker: 1,
            version: 10501,
            bins: vec![3, 2],
            records: vec![1],
            sites: vec![[2, 1, 0x1010, 1, 1, 1], [1, 0, 0x2020, 2, 6, 0]],
            entries: vec![0x1000, 0x2000],
            strings: b"\0leaf\0main\0",
            end: b"MPTL",
        }
    }
}

impl FileParts {
    fn bytes(&self, encoding: Encoding) -> Vec<u8> {
        let mut bytes = b"MPTL".to_vec();
        let mut words = |words: &[u64]| {
            for word in words {
                let size = encoding.address_size.bytes();
                match encoding.endian {
                    Endian::Little => bytes.extend(&word.to_le_bytes()[..size]),
                    Endian::Big => bytes.extend(&word.to_be_bytes()[8 - size..]),
                }
            }
        };
        words(&[self.marker, self.version, 32, 256, 2048]);
        words(&[self.bins.len() as u64]);
        for last_bytes in [70, 60] {
            if !self.bins.is_empty() {
                words(&self.bins);
                words(&[last_bytes]);
            }
        }
        words(&[self.records.len() as u64]);
        for &number in &self.records {
            words(&[number]);
            words(&(1..=16).collect::<Vec<_>>());
        }
        words(&[self.sites.len() as u64]);
        words(self.sites.as_flattened());
        words(&[self.entries.len() as u64]);
        words(&self.entries);
        words(&[self.strings.len() as u64]);
        bytes.extend(self.strings);
        bytes.extend(self.end);
        bytes
    }
}

fn read(bytes: &[u8]) -> Result<Loaded, ReadError> {
    AllocationProfile.read(bytes.into(), &Hints::default())
}

/// A line for each context: function, address, caller, and the first value.
fn text(reading: &Loaded) -> String {
    let costs = &reading.profile.costs;
    let name = |context: &crate::model::Context| {
        let function = context.function?;
        Some(String::from_utf8_lossy(&costs.functions[function.index()].name).into_owned())
    };
    let mut words: Vec<_> = costs
        .contexts
        .iter()
        .map(|context| {
            let caller = context.caller.map_or(String::new(), |id| format!("<{}", id.0));
            let name = name(&context).unwrap_or("?".to_owned());
            format!("{name}@{}{caller}", context.address.unwrap())
        })
        .collect();
    for (key, values) in costs.samples.rows() {
        let SampleKey::Context(id) = key else {
            panic!("all rows are of contexts");
        };
        words.push(format!("{}={},{}", id.0, values[0], values[15]));
    }
    words.join(" ")
}

const SOUND: &str = "leaf@0x1010<1 main@0x2020 0=1,16";

#[test]
fn every_encoding_is_told_by_the_word_of_1() {
    for encoding in Encoding::ALL {
        let reading = read(&FileParts::default().bytes(encoding)).expect("the file is sound");
        assert_eq!(text(&reading), SOUND, "{encoding}");
        assert_eq!(reading.encoding, Some(encoding));
        assert_eq!(reading.version, Some(10501));
        assert_eq!(reading.damage, None);
        let heap = reading.profile.heap.expect("there is a heap");
        assert_eq!(heap.bounds, SizeBounds::default());
        assert_eq!((&*heap.allocated.counts, heap.allocated.last_bytes), (&[3, 2][..], 70));
        assert_eq!(heap.freed.last_bytes, 60);
    }
}

/// The result of reading a changed file: its text, and its errors.
fn outcome(parts: &FileParts) -> (String, String) {
    let encoding = Encoding::new(Endian::Big, AddressSize::Four);
    match read(&parts.bytes(encoding)) {
        Err(error) => (String::new(), error.to_string()),
        Ok(reading) => {
            let damage = reading.damage.as_ref();
            let damage = damage.map_or(String::new(), |damage| damage.error.to_string());
            (text(&reading), damage)
        }
    }
}

fn check_refused(change: impl Fn(&mut FileParts), expected: &str) {
    let mut parts = FileParts::default();
    change(&mut parts);
    assert_eq!(outcome(&parts), (String::new(), expected.to_owned()));
}

fn check_damaged(change: impl Fn(&mut FileParts), expected: &str, damage: &str) {
    let mut parts = FileParts::default();
    change(&mut parts);
    assert_eq!(outcome(&parts), (expected.to_owned(), damage.to_owned()));
}

#[test]
fn versions_that_never_were_are_refused() {
    check_refused(|p| p.marker = 2, "byte 4 (0x4): the byte order marker is not 1");
    check_refused(
        |p| p.version = 32,
        "byte 8 (0x8): version 32 is not from mpatrol 1.3 or newer; \
         profan cannot read older files",
    );
    check_refused(
        |p| p.version = 10600,
        "byte 8 (0x8): unknown library version 10600; the newest known is 10501",
    );
    check_damaged(|p| p.version = 10300, SOUND, "");
    check_damaged(|p| p.version = 10599, SOUND, "");
}

#[test]
fn numbers_must_be_those_from_1_on() {
    check_refused(
        |p| p.records = vec![2],
        "byte 56 (0x38): data record has number 2, but the last is 1",
    );
    check_refused(
        |p| p.sites[0][0] = 0,
        "byte 128 (0x80): call site has number 0, but the last is 2",
    );
    check_refused(|p| p.sites[1][0] = 2, "byte 152 (0x98): a second call site has number 2");
    check_refused(|p| p.sites[0][1] = 3, "byte 128 (0x80): caller has number 3, but the last is 2");
    check_refused(
        |p| p.sites[1][5] = u64::from(u32::MAX),
        "byte 152 (0x98): data record of a call site has number 4294967295, but the last is 1",
    );
}

#[test]
fn callers_may_have_higher_numbers_but_not_be_in_a_ring() {
    let turned = |p: &mut FileParts| {
        p.sites[0][..2].copy_from_slice(&[1, 2]);
        p.sites[1][0] = 2;
    };
    check_damaged(turned, SOUND, "");
    let ring = "byte 128 (0x80): call sites form a cycle";
    check_refused(|p| p.sites[1][1] = 2, ring);
    check_refused(|p| p.sites[1][1] = 1, ring);
}

#[test]
fn what_is_wrong_behind_the_call_sites_costs_only_names() {
    check_damaged(|p| p.end = b"MPTX", SOUND, "byte 203 (0xcb): no `MPTL` at the end");
    check_damaged(
        |p| p.end = b"MP",
        SOUND,
        "byte 203 (0xcb): magic at the end needs 4 bytes, but 2 remain",
    );
    check_damaged(|p| p.end = b"MPTL and more", SOUND, "");
    check_damaged(
        |p| p.sites[0][3] = 3,
        SOUND,
        "byte 128 (0x80): symbol of a call site has number 3, but the last is 2",
    );
    check_damaged(
        |p| p.sites[0][4] = 11,
        "@0x1010<1 main@0x2020 0=1,16",
        "byte 128 (0x80): a name starts at byte 11 of a string table of 11 bytes",
    );
    check_damaged(
        |p| p.strings = b"\0leaf\0main",
        "leaf@0x1010<1 @0x2020 0=1,16",
        "byte 152 (0x98): a name starts at byte 6 of a string table of 6 bytes",
    );
    check_damaged(
        |p| p.sites[1][3] = 1,
        "leaf@0x1010<1 leaf@0x2020 0=1,16",
        "byte 152 (0x98): symbol 1 has different names at two call sites",
    );
}

#[test]
fn odd_names_are_taken_as_they_are() {
    // A name without a symbol, a symbol without a name, the end of another name.
    check_damaged(|p| p.sites[0][3] = 0, SOUND, "");
    check_damaged(|p| p.sites[0][4] = 0, "@0x1010<1 main@0x2020 0=1,16", "");
    check_damaged(|p| p.sites[0][4] = 8, "in@0x1010<1 main@0x2020 0=1,16", "");
}

#[test]
fn symbols_may_share_a_name_and_a_symbol_may_write_it_twice() {
    let many = |p: &mut FileParts| {
        p.sites = (1..=40).map(|n| [n, 0, n, n, 1, 0]).collect();
        p.entries = (1..=40).collect();
        p.strings = b"\0leaf\0";
    };
    let mut parts = FileParts::default();
    many(&mut parts);
    assert_eq!(outcome(&parts).1, "");
    let twice = |p: &mut FileParts| {
        p.sites[1][3..5].copy_from_slice(&[1, 6]);
        p.strings = b"\0leaf\0leaf\0";
    };
    check_damaged(twice, "leaf@0x1010<1 leaf@0x2020 0=1,16", "");
}

#[test]
fn names_that_overlap_without_end_are_refused() {
    let damage = |p: &mut FileParts| {
        p.sites = (1..=40).map(|n| [n, 0, n, 0, n, 0]).collect();
        p.strings = &[b'a'; 80];
        let mut strings = vec![b'a'; 80];
        strings[79] = 0;
        p.strings = strings.leak();
    };
    let mut parts = FileParts::default();
    damage(&mut parts);
    let (_, error) = outcome(&parts);
    assert!(error.contains("than the string table allows"), "{error}");
}

#[test]
fn a_file_cut_behind_its_bins_has_sizes_and_one_cut_behind_its_call_sites_has_stacks() {
    for encoding in Encoding::ALL {
        let whole = FileParts::default().bytes(encoding);
        let word = encoding.address_size.bytes();
        let names = 2 * word + FileParts::default().strings.len() + 4;
        let sites_end = whole.len() - names - 2 * word;
        let bins_end = 4 + 12 * word;
        for end in 0..whole.len() {
            let outcome = read(&whole[..end]);
            assert_eq!(outcome.is_ok(), end >= bins_end, "{end} bytes, {encoding}");
            if let Ok(reading) = outcome {
                let damage = reading.damage.expect("something is missing");
                let has_stacks = !reading.profile.costs.contexts.is_empty();
                assert_eq!(has_stacks, end >= sites_end, "{end} bytes, {encoding}");
                assert!(damage.n_lost <= (whole.len() - bins_end) as u64);
            }
        }
    }
}

#[test]
fn counts_are_checked_against_what_is_there() {
    let whole = FileParts::default().bytes(Encoding::ALL[0]);
    for place in (4..whole.len() - 8).step_by(8) {
        for count in [1 << 32, 1 << 57, u64::MAX / 48 + 2, u64::MAX] {
            let mut bytes = whole.clone();
            bytes[place..place + 8].copy_from_slice(&u64::to_le_bytes(count));
            // Whatever the result, the reader does not allocate for it.
            let _ = read(&bytes);
        }
    }
}
