//! Identifies files that are not profiles, for error messages.

use super::compressed::{Compression, Compressions, Unsupported};
use super::error::LoadError;
use super::hexdump::Hexdump;

/// A kind of file, and advice about it.
struct OtherFileKind {
    is: fn(&[u8]) -> bool,
    what: &'static str,
    advice: &'static str,
}

const RUN_AGAIN: &str = "give the gmon.out that the program wrote at exit, and the program itself";

/// Profiles and files that may contain one, in order of priority.
static UNREAD: &[OtherFileKind] = &[
    OtherFileKind {
        is: |d| d.starts_with(b"PERFILE2"),
        what: "a perf.data file",
        advice: "print its stacks, and give these: `perf script -i FILE > out.perf`",
    },
    OtherFileKind {
        is: |d| d.starts_with(b"FLR\x00"),
        what: "a recording of Java Flight Recorder",
        advice: "convert it to folded stacks with async-profiler: `jfrconv -o collapsed FILE out.folded`",
    },
    OtherFileKind {
        is: |d| d.starts_with(b"v ") && has(d, "\nx /"),
        what: "a heaptrack file",
        advice: "convert it to folded stacks: `heaptrack_print -F out.folded FILE`",
    },
    OtherFileKind {
        is: |d| d.starts_with(b"<?xml") && has(d, "<trace-query-result>"),
        what: "an export of Instruments",
        advice: "convert it to folded stacks: `inferno-collapse-xctrace FILE > out.folded`",
    },
    OtherFileKind {
        is: |d| has(d, "<experiment version="),
        what: "the log of a gprofng experiment",
        advice: "print it with `gprofng display text -functions`, or record with `perf record`",
    },
    OtherFileKind {
        is: |d| d.starts_with(b"MLton prof"),
        what: "a binary profile of MLton, of a release before 2003",
        advice: "build the program with a later release, whose profiles are text",
    },
    OtherFileKind {
        is: |d| d.starts_with(b"PROF\x00\x01") || d.starts_with(b"FORP\x01\x00"),
        what: "a Solaris profile",
        advice: "read it with the gprof of that system",
    },
    OtherFileKind {
        is: |d| d.starts_with(b"heap profile:") || d.starts_with(b"heap_v2/"),
        what: "a heap profile of gperftools or jemalloc",
        advice: "convert it: `pprof -proto PROGRAM FILE > out.pb.gz`",
    },
    OtherFileKind {
        is: |d| is_gperftools_profile(d),
        what: "a CPU profile of gperftools",
        advice: "convert it: `pprof -proto PROGRAM FILE > out.pb.gz`",
    },
    OtherFileKind {
        is: |d| d.starts_with(b"@ ") && has(d, " samples]"),
        what: "a call graph of pmcstat",
        advice: "convert it to folded stacks: `stackcollapse-pmc.pl FILE > out.folded`",
    },
    // Readers get the decompressed bytes, unless these are damaged.
    OtherFileKind {
        is: Compression::starts_intact,
        what: "a file that was compressed twice",
        advice: "decompress it once, and give the result",
    },
    OtherFileKind {
        is: |d| d.starts_with(&[0x1f, 0x8b]) || Compression::of(d, Compressions::All).is_some(),
        what: "a damaged compressed file",
        advice: "copy it again, or decompress it yourself to recover a part",
    },
];

/// All others, in order of priority.
static OTHERS: &[OtherFileKind] = &[
    OtherFileKind {
        is: |d| d.starts_with(b"\x7fELF"),
        what: "an ELF file",
        advice: "give the profile beside it: `profan gmon.out PROGRAM`",
    },
    OtherFileKind {
        is: |d| d.starts_with(b"MZ"),
        what: "a DOS or Windows executable",
        advice: "give the profile beside it: `profan gmon.out PROGRAM.exe`",
    },
    OtherFileKind {
        is: |d| d.starts_with(b"!<arch>\n") || d.starts_with(b"!<thin>\n"),
        what: "an archive of object files",
        advice: "give the linked program and its gmon.out",
    },
    OtherFileKind {
        is: |d| d.starts_with(b"oncg") || d.starts_with(b"adcg") || d.starts_with(b"gcno"),
        what: "a gcov coverage file",
        advice: "read it with gcov; profiles come from building with -pg",
    },
    OtherFileKind { is: |d| has(d, "# tracer:"), what: "an ftrace log", advice: RUN_AGAIN },
    OtherFileKind {
        is: |d| Hexdump::find(d).is_some_and(|dump| dump.is_clear()),
        what: "a hex dump",
        advice: "add --from-hexdump to read the bytes of the dump",
    },
    OtherFileKind { is: |d| is_text(d), what: "a text file", advice: RUN_AGAIN },
    OtherFileKind {
        is: |d| d.len() < 20,
        what: "a file too short to be one",
        advice: "run the program to a normal end (return from main or exit())",
    },
    OtherFileKind {
        is: |d| d.iter().all(|&byte| byte == 0),
        what: "a file of zeros only",
        advice: "the file was never written: run the program to a normal end, and check for free disk space",
    },
    OtherFileKind {
        is: |_| true,
        what: "data of an unknown kind",
        advice: "if it is a gmon.out with an unusual layout, select that with --file-format",
    },
];

/// The error for an input without a reader.
pub(super) fn not_a_profile(path: &str, bytes: &[u8]) -> LoadError {
    let start = &bytes[..bytes.len().min(4096)];
    let path = path.to_owned();
    let unsupported = Unsupported::of(start)
        .map(|found| (found.0, "decompress it, and give the decompressed file"));
    if let Some((what, advice)) = unsupported.or_else(|| kind_of(start, UNREAD)) {
        return LoadError::NotRead { path, what, advice };
    }
    let (what, advice) = kind_of(start, OTHERS).expect("the last kind takes everything");
    LoadError::NotAProfile { path, what, advice }
}

/// A name of the kind of a file, and advice.
fn kind_of(start: &[u8], kinds: &[OtherFileKind]) -> Option<(&'static str, &'static str)> {
    let kind = kinds.iter().find(|kind| (kind.is)(start))?;
    Some((kind.what, kind.advice))
}

/// Five words of 32 or 64 bits: 0, 3, 0, the sampling period, 0. Source: `docs/cpuprofile-fileformat.html`
/// in gperftools.
fn is_gperftools_profile(data: &[u8]) -> bool {
    let fits = |size: usize| {
        let word = |index: usize| data.get(index * size..(index + 1) * size);
        let are_zero = |bytes: &[u8]| bytes.iter().all(|&byte| byte == 0);
        let is_three = matches!(
            word(1),
            Some([3, rest @ ..] | [rest @ .., 3]) if are_zero(rest)
        );
        is_three && [0, 2, 4].into_iter().all(|index| word(index).is_some_and(are_zero))
    };
    fits(8) || fits(4)
}

fn has(data: &[u8], text: &str) -> bool {
    data.windows(text.len()).any(|window| window == text.as_bytes())
}

fn is_text(data: &[u8]) -> bool {
    let is_plain = |&byte: &u8| byte >= b' ' || matches!(byte, b'\t' | b'\n' | b'\r' | 0x0c);
    // The part of the file that is looked at may end inside a character.
    let is_utf8 =
        std::str::from_utf8(data).map_or_else(|error| error.error_len().is_none(), |_| true);
    is_utf8 && data.iter().all(is_plain)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_of_other_profilers_are_named_with_their_converters() {
        let check = |bytes: &[u8], kind: &str, converter: &str| {
            let message = not_a_profile("FILE", bytes).to_string();
            assert!(message.contains(kind), "{message}");
            let kinds = kind_of(bytes, UNREAD).map(|(_, advice)| advice);
            assert!(kinds.is_some_and(|advice| advice.contains(converter)), "{kinds:?}");
        };
        let words = |size: usize, is_big: bool| {
            let words = [0u64, 3, 0, 10_000, 0, 1, 1, 64];
            let words = words.map(|word| {
                if is_big {
                    word.to_be_bytes()[8 - size..].to_vec()
                } else {
                    word.to_le_bytes()[..size].to_vec()
                }
            });
            words.concat()
        };
        for (size, is_big) in [(8, false), (8, true), (4, false), (4, true)] {
            check(&words(size, is_big), "a CPU profile of gperftools", "pprof -proto");
        }
        let calls = b"@ cpu-cycles [4 samples]\n\n75.00%  [3]  f @ /a\n 100.0%  [3]   main\n";
        check(calls, "a call graph of pmcstat", "stackcollapse-pmc.pl");
        check(b"heap profile: 1: 2 [ 3: 4] @ heap_v2/1\n", "gperftools or jemalloc", "pprof");
    }
}
