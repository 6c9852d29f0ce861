//! What the columns mean, in our own words.

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

/// The flat profile.
const SAMPLED_FLAT: &str = "
What the columns of the flat profile say, from the most expensive function down:

 % time      the function's own time as a share of all time sampled
 cumulative  own time of this function and of every one listed above it
 self        own time, without that of the functions it called; rows are sorted by it
 calls       how often it was called by others; blank if nobody counted, because
             it was built without profiling or never called
 self/call   own time divided by calls
 total/call  the same with the time of everything below it included
 name        the function; equal times are sorted by calls, then by name

Own time is sampled: a function with N ticks is known to about the square root of
N ticks, and one with a handful of ticks is noise. Calls are counted exactly.
";

/// The call graph.
const SAMPLED_GRAPH: &str = "
How to read the call graph: each block between two dashed lines is about one
function, the one whose line starts with a number in brackets. The lines above it
are its callers, the lines below it are the functions it called. Numbers in
brackets lead to the block of a function, and the index lists them by name.

On the line of the function itself:

 index       its number: blocks are sorted by self and children together
 % time      self and children together as a share of all time
 self        its own time
 children    time of the functions it called, as far as its calls account for it
 called      calls from others, then + and the calls it made to itself
 name        its name; <cycle N> if it is part of a cycle

On the lines of callers and callees, the times are what flowed from the callee to
the caller, and `called` is calls along this arc / all calls of the callee. Time is
shared among callers by the number of their calls: that all calls cost the same is
an assumption, for the profile does not say more.

<spontaneous> stands where no caller is known: the function was started from
outside, as main is, or its caller was built without profiling.

Functions that call each other in a ring are a cycle. A cycle has a block of its
own, `<cycle N as a whole>`, with its members below it; calls among members have
counts but no times, since there is no telling who spent them for whom.
";
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

/// The call graph.
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

/// The leaks.
const LEAKS: &str = "
Each row is about all blocks that one call stack allocated: what of them was never
freed, and its share of all that was never freed. The function that asked for the
memory comes first, below it who called it.
";
