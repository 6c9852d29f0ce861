//! Explanations of the columns of sampled profiles, for all printers.

pub const SAMPLED_FLAT: &str = "
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

pub const SAMPLED_GRAPH: &str = "
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
