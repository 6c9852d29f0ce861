//! Explanations of the columns of sampled profiles, for all printers.

pub const SAMPLED_FLAT: &str = "
Columns of the flat profile, sorted by self time:

 % time      the self time as a percentage of the total
 cumulative  the sum of the self times of this row and all rows above
 self        the time of the function itself, without its callees
 calls       calls from other functions; blank if they were not counted, because
             the function was built without profiling or never called
 self/call   self time divided by calls
 total/call  the same including callees
 name        the function; ties are sorted by calls, then by name

Times are sampled: the error of a function with N samples is about the square root of
N samples, so a function with a handful of samples is noise. Calls are counted exactly.
";

/// The last sentence of it.
pub const EXACT_CALLS: &str = "Calls are counted exactly.";

/// Its replacement if some calls may be missing.
pub const LEAST_CALLS: &str = "Calls are lower bounds:\nsome were lost, or a counter is full.";

pub const SAMPLED_GRAPH: &str = "
Each entry of the call graph, between two dashed lines, describes one function, whose
line starts with a number in brackets. The lines above it are its callers, the lines
below it its callees. A number in brackets behind a name refers to the entry of that
function; the index lists them by name.

On the line of the function:

 index       its number: entries are sorted by self plus children
 % time      self plus children as a percentage of the total time
 self        the time of the function itself
 children    the time of its callees, as far as its calls account for it
 called      calls from other functions, then + and recursive calls
 name        its name, with <cycle N> if it belongs to a cycle

On the lines of callers and callees, the times are those passed from the callee to the
caller, and `called` is the calls along this arc / all calls of the callee. The time of
a function is distributed among its callers in proportion to their calls, as if all
calls cost the same, because the profile does not contain the cost of single calls.

<spontaneous> means that the caller is unknown: the system started the function, as it
does main, or the caller was built without profiling.

Functions that call each other, directly or indirectly, form a cycle. A cycle has an
entry of its own, `<cycle N as a whole>`, with its members below. Calls among members
have counts, but no times, because the profile does not show which took how much.
";
