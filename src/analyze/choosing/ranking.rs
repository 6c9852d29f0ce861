//! Sections from which rows can be chosen, and what their rows are.

use crate::report::SectionId;

/// Whether a section ranks things, so that it is one still with fewer of them, in
/// another order. Others tell a story, or are for programs.
pub(super) fn is_ranking(id: SectionId) -> bool {
    use SectionId as S;
    matches!(
        id,
        S::Flat
            | S::Graph
            | S::Leaks
            | S::Sizes
            | S::TraceSizes
            | S::TraceUnfreed
            | S::TraceLargest
            | S::TraceLongest
            | S::TraceReallocated
            | S::TraceThreads
            | S::TraceInvalid
            | S::HeapPeak
            | S::HeapTemporary
            | S::HeapGrowth
            | S::Coverage
            | S::CoverageMissed
            | S::Counts
            | S::SourceFiles
            | S::Difference
            | S::DifferenceCalls
            | S::Spread
            | S::SpreadFiles
    )
}

/// What one row of a section is about, and what several are.
pub(super) fn what_rows_are(id: SectionId, are_lines: bool) -> [&'static str; 2] {
    use SectionId as S;
    match id {
        S::Leaks => ["call stack", "call stacks"],
        S::Sizes | S::TraceSizes => ["size", "sizes"],
        S::TraceUnfreed | S::HeapPeak | S::HeapTemporary | S::HeapGrowth | S::CoverageMissed => {
            ["place", "places"]
        }
        S::TraceLargest | S::TraceLongest | S::TraceReallocated => ["block", "blocks"],
        S::TraceThreads => ["thread", "threads"],
        S::TraceInvalid => ["event", "events"],
        S::Coverage | S::SourceFiles | S::SpreadFiles => ["file", "files"],
        S::DifferenceCalls => ["call", "calls"],
        _ if are_lines => ["line", "lines"],
        _ => ["function", "functions"],
    }
}
