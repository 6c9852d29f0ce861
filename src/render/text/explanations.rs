//! What the columns mean, in our own words.

use crate::report::explanation::{SAMPLED_FLAT, SAMPLED_GRAPH};
use crate::report::{Layout, Section, SectionId};

/// The explanation of a section; nothing where its columns speak for themselves.
pub(super) fn of(section: &Section<'_>) -> &'static str {
    use SectionId as S;
    match (section.id, section.layout) {
        (S::Flat, Layout::Gprof | Layout::Bsd) => SAMPLED_FLAT,
        (S::Flat, Layout::Table) if section.column("unfreed-bytes").is_some() => HEAP_FLAT,
        (S::Flat, Layout::Table) => RECORDED_FLAT,
        (S::Graph, Layout::Gprof | Layout::Bsd) => SAMPLED_GRAPH,
        (S::Graph, Layout::Table) => RECORDED_GRAPH,
        (S::Leaks, _) if !section.columns.is_empty() => LEAKS,
        _ => "",
    }
}

const HEAP_FLAT: &str = "
What the columns of the flat profile say, from the function that allocated most down:

 %           what the function itself allocated, as a share of everything
 cumulative  the sum of that over this row and every one above it
 self        what the function itself asked for: bytes, and blocks
 total       the same with all that it called; only where call stacks were recorded
 unfreed     what of its own was never freed. A block counts where it was allocated,
             not where it was freed
 name        the function; equal rows are sorted by name

The numbers are exact: every allocation was recorded. <no call stack> is what was
counted by size, but not for any function.
";

const RECORDED_FLAT: &str = "
What the columns of the flat profile say, from the most expensive function down:

 %           the function's own share of everything, the garbage collector's included
 cumulative  the sum of its own and those of the rows above it
 self        what it took itself, without what it called
 total       the same with all that it called and what the garbage collector took
             meanwhile; only where the program was compiled with -profile-stack true
 collector   what the garbage collector took while it was active
 name        the function; equal rows are sorted by name
";

const RECORDED_GRAPH: &str = "
How to read the call graph: each block is about one function, the one whose line
starts with a number in brackets. The lines above it are its callers, the lines below
it are what it called.

On the line of the function itself, `self` is its own, and `children` what everything
that it called has together. On the line of a caller or callee, they are what was
recorded while that call was on the stack: `self` for the callee alone, `children` for
what the callee called. Nothing is estimated. What recursion repeats on a stack counts
once, so the lines of functions that call each other in a ring overlap.
";

const LEAKS: &str = "
Each row is about all blocks that one call stack allocated: what of them was never
freed, and its share of all that was never freed. The function that asked for the
memory comes first, below it who called it.
";
