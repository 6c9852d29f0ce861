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
}

impl Job {
    /// The original that does the same, and its words.
    pub(crate) fn original(&self) -> Option<(&'static str, &'static str)> {
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
    Job { name, kind, size, least, words }
}

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
