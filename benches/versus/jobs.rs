//! The timed commands.

use crate::made::Kind;

/// A command line of profan, and of an original if there is one.
pub(crate) struct Job {
    /// Its name in tables, which words of the command line select.
    pub(crate) name: &'static str,
    /// Its input.
    pub(crate) kind: Kind,
    /// How large that is for the table.
    pub(crate) size: usize,
    /// The size of its smallest input; three sizes double each time.
    pub(crate) least: usize,
    /// The arguments of `profan`, in the directory of the inputs. If the first one is the name of
    /// an original, these are its arguments too.
    pub(crate) words: &'static str,
    /// The command of another program that reads the same input.
    pub(crate) peer: Option<&'static str>,
}

impl Job {
    /// The original or another program that does the same, and its words.
    pub(crate) fn original(&self) -> Option<(&'static str, &'static str)> {
        if let Some(peer) = self.peer {
            return peer.split_once(' ');
        }
        let (first, words) = self.words.split_once(' ')?;
        let is_original = ["gprof", "mprof", "mptrace", "mlprof"].contains(&first);
        is_original.then_some((first, words))
    }
}

const fn job(
    name: &'static str,
    kind: Kind,
    size: usize,
    least: usize,
    words: &'static str,
) -> Job {
    Job { name, kind, size, least, words, peer: None }
}

const fn reader(
    name: &'static str,
    kind: Kind,
    size: usize,
    least: usize,
    [words, peer]: [&'static str; 2],
) -> Job {
    let peer = if peer.is_empty() { None } else { Some(peer) };
    Job { name, kind, size, least, words, peer }
}

/// Reads what a file contains, as fast as Python does.
const PYTHON: &str = "python3 -c __import__('json').load(open('dhat.json'))";

/// The readers of large files, beside other programs that read these. A job whose smallest size is
/// its size is a larger one of the job before it.
pub(crate) const READERS: &[Job] = &[
    reader(
        "script",
        Kind::Script,
        135_000,
        10_000,
        ["--format folded script", "inferno-collapse-perf script"],
    ),
    reader(
        "recording",
        Kind::Recording,
        135_000,
        10_000,
        ["--format folded script", "inferno-collapse-perf script"],
    ),
    reader(
        "folded",
        Kind::Folded,
        125_000,
        5000,
        ["--format svg folded", "inferno-flamegraph folded"],
    ),
    reader(
        "folded-more",
        Kind::Folded,
        200_000,
        200_000,
        ["--format svg folded", "inferno-flamegraph folded"],
    ),
    reader("pprof", Kind::Pprof, 333_000, 5000, ["-p pprof", "pprof -top pprof"]),
    reader("pprof-more", Kind::Pprof, 1_500_000, 1_500_000, ["-p pprof", "pprof -top pprof"]),
    reader(
        "callgrind",
        Kind::Callgrind,
        20_000,
        2000,
        ["-p callgrind.out", "callgrind_annotate callgrind.out"],
    ),
    reader("callgrind-more", Kind::Callgrind, 1_000_000, 1_000_000, ["-p callgrind.out", ""]),
    reader("dhat", Kind::Dhat, 140_000, 5000, ["-p dhat.json", PYTHON]),
    reader("massif", Kind::Massif, 500_000, 20_000, ["-p massif.out", "ms_print massif.out"]),
    reader("gprof-text", Kind::GprofText, 100_000, 2000, ["-p gprof.txt", ""]),
    reader("xdebug", Kind::Xdebug, 640_000, 20_000, ["-p xdebug.out", ""]),
];

/// All jobs; first the ones that originals can do, too.
pub(crate) const JOBS: &[Job] = &[
    job("small", Kind::Calls, 20, 20, "gprof -b prog gmon.out"),
    job("graph", Kind::Calls, 100_000, 1000, "gprof -b prog gmon.out"),
    job("lines", Kind::Calls, 100_000, 1000, "gprof -b -l prog gmon.out"),
    job("cycle", Kind::Calls, 100_000, 1000, "gprof -b -q prog tangled.gmon"),
    job("unit-lines", Kind::Unit, 2500, 250, "gprof -b -l prog gmon.out"),
    job("unit-source", Kind::Unit, 2500, 250, "gprof -b -A -I . prog gmon.out"),
    job("sum", Kind::Sums, 500, 25, "gprof -s prog @names"),
    job("trace", Kind::Trace, 10_000_000, 20_000, "mptrace trace"),
    job("heap", Kind::Heap, 900_000, 5000, "mprof -v heap"),
    job("names", Kind::Names, 200_000, 2500, "mlprof table mlmon.out"),
    job("names-few", Kind::Names, 20_000, 1250, "mlprof -thresh 0.01 table mlmon.out"),
    job("own", Kind::Calls, 100_000, 1000, "gmon.out prog"),
    job("own-flat", Kind::Calls, 100_000, 1000, "-p gmon.out prog"),
    job("own-graph", Kind::Calls, 100_000, 1000, "-q gmon.out prog"),
    job("own-json", Kind::Calls, 100_000, 1000, "--format json gmon.out prog"),
    job("own-diff", Kind::Calls, 100_000, 1000, "diff gmon.out tangled.gmon prog"),
    job("own-files", Kind::Sums, 2000, 25, "--by-file @names prog"),
    job("own-trace", Kind::Trace, 10_000_000, 20_000, "trace"),
    job("own-heap", Kind::Heap, 900_000, 5000, "heap"),
    job("own-names", Kind::Names, 200_000, 2500, "table mlmon.out"),
];
