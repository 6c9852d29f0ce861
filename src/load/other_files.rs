//! Identifies files that are not profiles, for error messages.

use super::HEAD_SIZE;
use super::compressed::{Compression, Compressions, Unsupported};
use super::error::LoadError;
use super::folded::may_be_folded;
use super::hexdump::Hexdump;
use super::perf_script::lacks_frames;

/// A kind of file, and advice about it.
struct OtherFileKind {
    is: fn(&[u8]) -> bool,
    what: &'static str,
    advice: &'static str,
}

const GIVE_SOURCE: &str = "pass the profile that it was made from, or save reports with `--format json`, which profan reads";

const FROM_HEAPTRACK: &str = "convert the data of heaptrack to folded stacks: `heaptrack_print --flamegraph-cost-type peak -F out.folded FILE`";

const FROM_PPROF: &str = "convert it: `google-pprof --collapsed PROGRAM FILE > out.folded` (jeprof has the same option), or `go tool pprof -proto PROGRAM FILE > out.pb.gz`";

const RUN_AGAIN: &str = "pass the gmon.out that the program wrote at exit, and the program itself";

/// Files that profan writes and does not read. They are named before any format is tried: text of
/// profan resembles that of gprof.
static WRITTEN: &[OtherFileKind] = &[
    written(is_text_report, "a report of profan as text"),
    written(
        |d| d.starts_with(b"## ") && has(d, "\n| ") && has(d, "\n|--"),
        "a report of profan as Markdown",
    ),
    written(is_table, "a table of profan"),
    OtherFileKind {
        is: |d| !d.trim_ascii_start().starts_with(b"{") && has(d, "{\"schema\":\"profan-report\""),
        what: "a saved report of profan behind other text",
        advice: "remove the text before it",
    },
    written(|d| has(d, "speedscope.app/file-format-schema.json"), "a speedscope file"),
    written(|d| has(d, "\"preprocessedProfileVersion\""), "a profile for the Firefox Profiler"),
    written(
        |d| d.starts_with(b"{\"head\"") && has(d, "\"callFrame\""),
        "a .heapprofile of Chrome or Node.js",
    ),
    written(|d| d.starts_with(b"digraph "), "a graph in the language of graphviz"),
    written(|d| is_markup(d, "<svg ") && !has(d, "<html"), "an SVG picture"),
    written(
        |d| starts_with_word(d, b"<!doctype html") || starts_with_word(d, b"<html"),
        "an HTML page",
    ),
    written(|d| has(d, " templated_functions"), "a profile of TAU"),
    written(|d| d.starts_with(b"TN:") && has(d, "\nSF:"), "coverage for lcov"),
    written(
        |d| is_markup(d, "<testsuites") || is_markup(d, "<testsuite "),
        "a result of tests (JUnit)",
    ),
];

const fn written(is: fn(&[u8]) -> bool, what: &'static str) -> OtherFileKind {
    OtherFileKind { is, what, advice: GIVE_SOURCE }
}

/// Profiles of others that cannot be read, in order of priority.
static UNREAD: &[OtherFileKind] = &[
    OtherFileKind {
        is: |d| d.starts_with(b"PERFILE2"),
        what: "a perf.data file",
        advice: "print its stacks, and pass these: `perf script -i FILE > out.perf`",
    },
    OtherFileKind {
        is: |d| has(d, "\n# Overhead ") || has(d, "\n# Children "),
        what: "a report of perf",
        advice: "print the stacks instead: `perf script -i perf.data > out.perf`",
    },
    OtherFileKind {
        is: |d| d.starts_with(b"FLR\x00"),
        what: "a recording of Java Flight Recorder",
        advice: "convert it to folded stacks with async-profiler: `jfrconv -o collapsed FILE out.folded`",
    },
    OtherFileKind {
        is: |d| d.starts_with(b"v ") && (has(d, "\nX ") || has(d, "\nx /")),
        what: "a heaptrack file",
        advice: FROM_HEAPTRACK,
    },
    OtherFileKind {
        // Its first lines are at its end.
        is: |d| has(d, "snapshot=0\n") && has(d, "\nmem_heap_B="),
        what: "a massif file of heaptrack",
        advice: FROM_HEAPTRACK,
    },
    OtherFileKind {
        is: |d| d.starts_with(b"<?xml") && has(d, "<trace-query-result>"),
        what: "an export of Instruments",
        advice: "convert it to folded stacks: `inferno-collapse-xctrace FILE > out.folded`",
    },
    OtherFileKind {
        is: |d| d.starts_with(b"Running Time\tSelf"),
        what: "a call tree copied from Instruments",
        advice: "export it instead: `xctrace export`, then `inferno-collapse-xctrace FILE > out.folded`",
    },
    OtherFileKind {
        is: |d| has(d, "\"gc_samples\":") && has(d, "\"missed_samples\":"),
        what: "a profile of Ruby's stackprof",
        advice: "convert it to folded stacks: `stackprof --stackcollapse FILE > out.folded`",
    },
    OtherFileKind {
        is: |d| d.starts_with(b"------------------\n\t"),
        what: "a trace.log of the D compiler",
        advice: "record samples instead: `perf record -g`, and pass the output of `perf script`",
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
        advice: FROM_PPROF,
    },
    OtherFileKind {
        is: |d| is_pprof_text(d),
        what: "a text profile of an early pprof",
        advice: FROM_PPROF,
    },
    OtherFileKind {
        is: |d| is_gperftools_profile(d),
        what: "a CPU profile of gperftools",
        advice: FROM_PPROF,
    },
    OtherFileKind {
        is: is_pprof_report,
        what: "a report of pprof",
        advice: "save the profile instead: `go tool pprof -proto FILE > out.pb.gz`",
    },
    OtherFileKind {
        is: |d| d.starts_with(b"@ ") && has(d, " samples]"),
        what: "a call graph of pmcstat",
        advice: "convert it to folded stacks: `stackcollapse-pmc.pl FILE > out.folded`",
    },
    OtherFileKind {
        is: |d| has(d, "FUNCTION:NAME") || has_dtrace_stacks(d),
        what: "stacks of DTrace",
        advice: "convert them to folded stacks: `stackcollapse.pl FILE > out.folded`",
    },
    OtherFileKind {
        is: |d| d.starts_with(b"@[\n") || has(d, "\n@[\n"),
        what: "stacks of bpftrace",
        advice: "convert them to folded stacks: `stackcollapse-bpftrace.pl FILE > out.folded`",
    },
    OtherFileKind {
        is: |d| is_python_profile(d),
        what: "a profile of Python's cProfile",
        advice: "convert it for KCachegrind: `pyprof2calltree -i FILE -o out.callgrind`",
    },
    OtherFileKind {
        is: |d| has(d, " function calls ") && has(d, "tottime"),
        what: "a report of Python's cProfile",
        advice: "save the profile with `python -m cProfile -o FILE`, then `pyprof2calltree -i FILE -o out.callgrind`",
    },
    OtherFileKind {
        is: |d| d.starts_with(b"MOJ"),
        what: "a binary file of Austin",
        advice: "convert it to folded stacks: `mojo2austin FILE out.folded`",
    },
    OtherFileKind {
        is: |d| d.starts_with(b"JAVA PROFILE "),
        what: "a file of Java's hprof",
        advice: "record with async-profiler: `asprof -d 30 -o collapsed -f out.folded PID`",
    },
    OtherFileKind {
        is: |d| has(d, "\"nodes\"") && has(d, "\"callFrame\""),
        what: "a .cpuprofile of Chrome or Node.js",
        advice: "convert it: `chrome2calltree -i FILE -o out.callgrind`",
    },
    OtherFileKind {
        is: |d| is_chrome_trace(d),
        what: "a trace in Chrome's format",
        advice: "record samples instead, such as with `perf record -g`: a trace has none",
    },
    OtherFileKind {
        is: |d| d.starts_with(b"Nettrace"),
        what: "a trace of .NET",
        advice: "set DOTNET_PerfMapEnabled=1, run `perf record -g`, and pass the output of `perf script`",
    },
    OtherFileKind {
        is: |d| d.starts_with(b"\x5e\x97\xca\xfd"),
        what: "a capture of sysprof",
        advice: "record with `perf record -g`, and pass the output of `perf script`",
    },
    OtherFileKind {
        is: |d| has(d, "Time and Allocation Profiling Report"),
        what: "a profile of GHC",
        advice: "convert it to folded stacks: `inferno-collapse-ghcprof FILE > out.folded`",
    },
    OtherFileKind {
        is: |d| d.starts_with(b"Analysis of sampling "),
        what: "a report of macOS's sample",
        advice: "convert it to folded stacks: `inferno-collapse-sample FILE > out.folded`",
    },
    OtherFileKind {
        is: |d| has(d, "Self time ") && has(d, "Calls  Function"),
        what: "a report of uftrace",
        advice: "write folded stacks: `uftrace dump --flame-graph > out.folded`",
    },
    OtherFileKind {
        is: |d| has(d, "\nProfile data file '"),
        what: "a report of callgrind_annotate",
        advice: "pass the callgrind.out that it was made from",
    },
    OtherFileKind {
        is: |d| has(d, "cg_annotate") || has(d, "\n-- Cachegrind profile"),
        what: "a report of cg_annotate",
        advice: "pass the cachegrind.out that it was made from",
    },
    OtherFileKind {
        is: |d| has(d, "Massif arguments:"),
        what: "a report of ms_print",
        advice: "pass the massif.out that it was made from",
    },
    OtherFileKind {
        is: |d| d.starts_with(b"*** File "),
        what: "an annotated source of gprof",
        advice: "pass the gmon.out and the program",
    },
];

/// Compressed files.
static COMPRESSED: &[OtherFileKind] = &[
    // Readers get the decompressed bytes, unless these are damaged.
    OtherFileKind {
        is: Compression::starts_intact,
        what: "a file that was compressed twice",
        advice: "decompress it once, and pass the result",
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
        advice: "pass the profile beside it: `profan gmon.out PROGRAM`",
    },
    OtherFileKind {
        is: |d| d.starts_with(b"MZ"),
        what: "a DOS or Windows executable",
        advice: "pass the profile beside it: `profan gmon.out PROGRAM.exe`",
    },
    OtherFileKind {
        is: |d| d.starts_with(b"!<arch>\n") || d.starts_with(b"!<thin>\n"),
        what: "an archive of object files",
        advice: "pass the linked program and its gmon.out",
    },
    OtherFileKind {
        is: is_coff_object,
        what: "a COFF object file",
        advice: "pass the linked program and its gmon.out",
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
    OtherFileKind {
        is: lacks_frames,
        what: "samples of perf without their functions",
        advice: "print these too: `perf script -F +ip,sym,dso -i perf.data > out.perf`",
    },
    OtherFileKind {
        is: may_be_folded,
        what: "a text file of a few names and numbers",
        advice: "if these are folded stacks, add `-O folded`",
    },
    OtherFileKind {
        is: |d| d.starts_with(b"#!") && has(d, "Generated by libtool"),
        what: "a wrapper script of libtool",
        advice: "pass its program, of the same name in .libs beside it, and the gmon.out",
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

/// The error for a file that profan wrote, and does not read.
pub(super) fn written_by_profan(path: &str, bytes: &[u8]) -> Option<LoadError> {
    let start = &bytes[..bytes.len().min(HEAD_SIZE)];
    // Binary files have none of these.
    let is_text = memchr::memchr(0, start).is_none();
    let (what, advice) = is_text.then(|| kind_of(start, WRITTEN))??;
    Some(LoadError::NotRead { path: path.to_owned(), what, advice })
}

/// Profiles of others that are named but not read, each with advice.
pub fn unread_profiles() -> impl Iterator<Item = (&'static str, &'static str)> {
    UNREAD.iter().map(|kind| (kind.what, kind.advice))
}

/// The error for an input without a reader.
pub(super) fn not_a_profile(path: &str, bytes: &[u8]) -> LoadError {
    let start = &bytes[..bytes.len().min(HEAD_SIZE)];
    let path = path.to_owned();
    let unsupported = Unsupported::of(start)
        .map(|found| (found.0, "decompress it, and pass the decompressed file"));
    let known = unsupported.or_else(|| kind_of(start, UNREAD));
    if let Some((what, advice)) = known.or_else(|| kind_of(start, COMPRESSED)) {
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

/// Five words of 32 or 64 bits: 0, 3, 0, the sampling period, 0. Source:
/// `docs/cpuprofile-fileformat.html` in gperftools.
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

/// The text of a profile without addresses, which profan does not print as gprof does.
fn is_text_report(data: &[u8]) -> bool {
    let text = data.trim_ascii_start();
    let has_title = text.starts_with(b"Flat profile:\n") || text.starts_with(b"Call graph\n");
    has_title && text.split(|&byte| byte == b'\n').take(4).any(|line| line.ends_with(b" in total."))
}

/// A table of profan as CSV or TSV.
fn is_table(data: &[u8]) -> bool {
    let head = data.split(|&byte| byte == b'\n').next().unwrap_or_default();
    let mut words = head.split(|byte| b",\t".contains(byte));
    words.next() == Some(b"kind") && words.any(|word| word == b"name" || word == b"source")
}

/// `--- contentionz 1 ---`. Source: `legacy_profile.go` in github.com/google/pprof.
fn is_pprof_text(data: &[u8]) -> bool {
    let kinds = ["contention", "heap", "growth", "fragmentation", "thread", "Thread"];
    let title = data.strip_prefix(b"--- ").unwrap_or_default();
    kinds.iter().any(|kind| title.starts_with(kind.as_bytes()))
}

/// The output of `-top` and `-peek`, `-traces`, `-raw`, or `-tags`.
fn is_pprof_report(data: &[u8]) -> bool {
    let has_line =
        |line: &str| data.starts_with(line.as_bytes()) || has(data, &format!("\n{line}"));
    has(data, "Showing nodes accounting for")
        || has_line("Type: ") && has_line("-----------+------")
        || has_line("PeriodType: ") && has_line("Samples:")
        || has_line(" ") && has(data, ": Total ") && has(data, "%): ")
}

/// A dictionary in the format of Python's `marshal`, whose first key has a file, a line and a
/// name. The highest bit of a type is a flag.
fn is_python_profile(data: &[u8]) -> bool {
    let types = data.get(..2).map(|types| [types[0] & 0x7f, types[1] & 0x7f]);
    match types {
        Some([b'{', b')']) => data.get(2) == Some(&3),
        Some([b'{', b'(']) => data.get(2..6) == Some(&[3, 0, 0, 0]),
        _ => false,
    }
}

/// Three frames such as ``libc.so.1`write+0x15``.
fn has_dtrace_stacks(data: &[u8]) -> bool {
    let is_frame = |line: &&[u8]| {
        let parts: Vec<_> = line.trim_ascii().split(|&byte| byte == b'`').collect();
        let is_word = |part: &&[u8]| !part.is_empty() && part.iter().all(u8::is_ascii_graphic);
        line.starts_with(b"  ") && parts.len() == 2 && parts.iter().all(is_word)
    };
    data.split(|&byte| byte == b'\n').filter(is_frame).count() >= 3
}

/// A JSON object or array with events that have a phase. Source: the "Trace Event Format".
fn is_chrome_trace(data: &[u8]) -> bool {
    let is_json = matches!(data.trim_ascii_start(), [b'{' | b'[', ..]);
    is_json && (has(data, "\"traceEvents\"") || has(data, "\"ph\":") && has(data, "\"ts\":"))
}

fn is_markup(data: &[u8], element: &str) -> bool {
    data.trim_ascii_start().starts_with(b"<") && has(data, element)
}

fn starts_with_word(data: &[u8], word: &[u8]) -> bool {
    data.trim_ascii_start().get(..word.len()).is_some_and(|start| start.eq_ignore_ascii_case(word))
}

/// A header without an optional one and without the flag of executables, before a section with a
/// name. Source: `struct external_filehdr` in `include/coff/external.h` of binutils, and
/// "Common Object File Format" of Texas Instruments, SPRAAO8, for versions with two more bytes.
fn is_coff_object(data: &[u8]) -> bool {
    /// i386, x86-64, ARM, AArch64, m68k, and versions of Texas Instruments.
    const MACHINES: [u16; 8] = [0x14c, 0x8664, 0x1c0, 0x1c4, 0xaa64, 0x150, 0xc1, 0xc2];
    let is_name = |name: &[u8]| {
        let text = name.split(|&byte| byte == 0).next().unwrap_or_default();
        let is_padded = name[text.len()..].iter().all(|&byte| byte == 0);
        !text.is_empty() && text.iter().all(u8::is_ascii_graphic) && is_padded
    };
    [u16::from_le_bytes, u16::from_be_bytes].into_iter().any(|read| {
        let half = |at: usize| Some(read(*data.get(at..)?.first_chunk()?));
        let is_one = || {
            let size = if half(0)? < 0x100 { 22 } else { 20 };
            let is_object = half(2)? > 0 && half(16)? == 0 && half(18)? & 2 == 0;
            Some(MACHINES.contains(&half(0)?) && is_object && is_name(data.get(size..size + 8)?))
        };
        is_one().unwrap_or(false)
    })
}

fn has(data: &[u8], text: &str) -> bool {
    memchr::memmem::find(data, text.as_bytes()).is_some()
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
    fn object_files_of_coff_are_named() {
        let object = |machine: u16, flags: u16, more: &[u8], name: &[u8; 8]| {
            let halves = [machine, 2, 0, 0, 100, 0, 9, 0, 0, flags];
            let bytes = halves.map(u16::to_le_bytes).concat();
            [&bytes, more, name, &[0; 32]].concat()
        };
        let is_named =
            |bytes: &[u8]| not_a_profile("FILE", bytes).to_string().contains("a COFF object file");
        assert!(is_named(&object(0x14c, 0x104, b"", b".text\0\0\0")));
        assert!(is_named(&object(0xc2, 0x100, b"\x99\0", b".text\0\0\0")));
        assert!(!is_named(&object(0x14c, 0x102, b"", b".text\0\0\0")));
        assert!(!is_named(&object(0x14c, 0x104, b"", b"\x01text\0\0\0")));
    }

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
        check(b"heap profile: 1: 2 [ 3: 4] @ heap_v2/1\n", "gperftools or jemalloc", "jeprof");
        check(b"v 10400 3\nX ./a\nI 1000 58\ns 3 ./a\n", "a heaptrack file", "heaptrack_print");
        let massif = b"#-----------\nsnapshot=0\n#-----------\ntime=0.09\nmem_heap_B=8\n";
        check(massif, "a massif file of heaptrack", "heaptrack_print");
        check(b"--- contentionz 1 ---\nformat = java\n", "an early pprof", "pprof -proto");
        check(b"# To display\n#\n# Overhead  Command\n", "a report of perf", "perf script");
        check(b"CPU     ID                    FUNCTION:NAME\n", "DTrace", "stackcollapse.pl");
        let stacks = b"\n  a`f+0x1\n  a`g+0x2\n  a`main\n  3\n";
        check(stacks, "DTrace", "stackcollapse.pl");
        check(b"Attaching 1 probe...\n\n@[\n  f+1\n]: 5\n", "bpftrace", "bpftrace.pl");
        check(b"\xfb\x29\x03\xfa\x01a\xe9\x01\0\0\0", "Python's cProfile", "pyprof2calltree");
        check(b"MOJ\x02\0", "Austin", "mojo2austin");
        check(b"Running Time\tSelf (ms)\t\tSymbol Name\n", "Instruments", "collapse-xctrace");
        check(b"{\"gc_samples\":7,\"missed_samples\":0,", "stackprof", "--stackcollapse");
        check(b"------------------\n\t   10\t_Dmain\n", "the D compiler", "perf script");
        check(b"[{\"ph\":\"X\",\"ts\":1}]", "Chrome's format", "perf record");
        check(b"{\"nodes\":[{\"callFrame\":{}}]}", "a .cpuprofile", "chrome2calltree");
        for text in [
            "Showing nodes accounting for 1s, 50% of 2s total\n",
            "File: a\nType: cpu\n-----------+-------\n        1s   f\n",
            "PeriodType:  \nPeriod: 0\nSamples:\ncpu/nanoseconds\n          1   20: 1 2\n",
            " bytes: Total 98.63MB of 98.63MB (  100%)\n        62.50MB (63.37%): 1.56MB\n",
        ] {
            check(text.as_bytes(), "a report of pprof", "-proto");
        }
    }

    #[test]
    fn files_that_profan_writes_are_named_before_formats_are_tried() {
        let check = |text: &str, kind: Option<&str>| {
            let message = written_by_profan("FILE", text.as_bytes()).map(|error| error.to_string());
            let named = message.as_ref().zip(kind).map(|(message, kind)| message.contains(kind));
            assert_eq!(
                (message.is_some(), named.unwrap_or(true)),
                (kind.is_some(), true),
                "{text}"
            );
        };
        check("Flat profile:\n\n0.28 seconds in total.\n", Some("report of profan as text"));
        check("## Flat profile\n\n| % | cumulative | self |\n|--:|--:|--:|\n", Some("Markdown"));
        check("kind,index,name\n", Some("a table of profan"));
        check("digraph calls {\n", Some("graphviz"));
        check("<svg xmlns=\"a\">", Some("an SVG picture"));
        check("<!DOCTYPE html>\n<svg ></svg><html>", Some("an HTML page"));
        check("Flat profile:\n\nEach sample counts as 0.01 seconds.\n", None);
        check("kind;name 1\n", None);
        check("## a\nb;c 1\n", None);
    }
}
