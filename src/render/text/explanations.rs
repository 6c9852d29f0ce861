//! Explanations of columns.

use super::cells::head_on_screen;
use super::prose::push_prose;
use crate::report::explanation::{SAMPLED_FLAT, SAMPLED_GRAPH};
use crate::report::{Column, Layout, Role, Section, SectionId, Text};

/// The explanation of a section; empty if its columns are self-explanatory.
pub(super) fn of(section: &Section) -> &'static str {
    use SectionId as S;
    match (section.id, section.layout) {
        (S::Flat, Layout::Gprof | Layout::Bsd) => SAMPLED_FLAT,
        (S::Flat, Layout::Table) if section.column("unfreed-bytes").is_some() => HEAP_FLAT,
        (S::Flat, Layout::Table) => RECORDED_FLAT,
        (S::Graph, Layout::Gprof | Layout::Bsd) => SAMPLED_GRAPH,
        (S::Graph, Layout::Table) => RECORDED_GRAPH,
        (S::Leaks, _) if !section.columns.is_empty() => LEAKS,
        (S::Difference, _) => DIFFERENCE,
        _ => "",
    }
}

/// The explanation of the shown columns of a flat profile.
pub(super) fn push_explanation(
    text: &mut Text,
    section: &Section,
    shown: &[usize],
    screen: Option<usize>,
) {
    text.word("\nColumns, sorted by self cost:\n\n");
    let columns = shown.iter().filter_map(|&place| section.columns.get(place));
    let has_bar = columns.clone().any(|column| column.role == Role::Bar);
    let mut explained: Vec<(String, &str)> = Vec::new();
    for column in columns {
        let meaning = meaning_of(column, has_bar);
        let is_said = explained.last().is_some_and(|&(_, before)| before == meaning);
        if !meaning.is_empty() && !is_said {
            let head = [&*column.head[0], &*column.head[1]].map(str::trim);
            let head = if screen.is_some() { head.map(head_on_screen) } else { head };
            let head = if column.is_guess() { ["~", ""] } else { head };
            explained.push((head.join(" ").trim().to_owned(), meaning));
        }
    }
    let width = explained.iter().map(|(word, _)| word.len()).max();
    let width = width.unwrap_or(0);
    for (word, meaning) in explained {
        let mut line = Text::default();
        line.blanks(1);
        line.left(word.as_bytes(), width, usize::MAX);
        line.blanks(2);
        line.word(meaning);
        push_prose(text, line.as_bytes(), screen);
    }
}

fn meaning_of(column: &Column, has_bar: bool) -> &'static str {
    match column.head[0].trim() {
        "unfreed" => return "memory allocated by the function itself and never freed",
        "at peak" => return "memory of the function itself in use when the heap was largest",
        "read" => return "bytes read from blocks of the function itself",
        "written" => return "bytes written to blocks of the function itself",
        "lifetime" => return "time from the allocation of blocks to their release, summed up",
        "collector" => return "garbage collection while the function was active",
        _ => {}
    }
    match (column.role, &*column.id) {
        (Role::Share, "total_percent") => "the same for total",
        (Role::Share, _) if !has_bar => "the self cost as a percentage of the total",
        (Role::Share, _) => {
            "the self cost as a percentage of the total; the bar compares it with the first row"
        }
        (Role::SelfValue, _) => "the cost of the function itself, without its callees",
        (Role::Total, _) => "the cost of the function including its callees",
        (Role::Marks, "guess") => "the costs of single calls decide the total, and are not known",
        (Role::Calls, _) => "calls from other functions; blank if they were not counted",
        (Role::PerCall, "total_of_call") => "the average cost of a call including its callees",
        (Role::PerCall, _) => "the average cost of a call",
        (Role::Name, _) => "the function; ties are sorted by name",
        _ => "",
    }
}

const HEAP_FLAT: &str = "
Columns of the flat profile, sorted by self cost:

 %           memory allocated by the function itself, as a percentage of the total
 cumulative  the sum of this percentage and those of all rows above
 self        memory allocated by the function itself, in bytes and blocks
 total       the same including its callees, if call stacks were recorded
 unfreed     memory allocated by the function itself and never freed
 name        the function; ties are sorted by name

<no call stack> contains allocations that were counted by size, but not by function.
";

const RECORDED_FLAT: &str = "
Columns of the flat profile, sorted by self cost:

 %           the self cost as a percentage of the total, including garbage collection
 cumulative  the sum of the self costs of this row and all rows above
 self        the cost of the function itself, without its callees
 total       the same including its callees and garbage collection; only if the
             program was compiled with -profile-stack true
 collector   garbage collection while the function was active
 name        the function; ties are sorted by name
";

const RECORDED_GRAPH: &str = "
Each entry of the call graph describes one function, whose line starts with a number
in brackets. The lines above it are its callers, the lines below it its callees.

On the line of the function, `self` is its own cost, and `children` the cost of its
callees. On the line of a caller or callee, they are the costs recorded while that call
was on the stack: `self` for the called function, `children` for its callees. A function
that recursion repeats on a stack counts once, so the lines
of mutually recursive functions overlap.
";

const LEAKS: &str = "
Each row describes the blocks that one call stack allocated: how much of them was never
freed, and its percentage of all memory never freed. The function that requested the
memory is first; its callers are below it.
";

const DIFFERENCE: &str = "
Columns of the difference; numbers are averages per run:

 old, new  the self cost of the function on each side; <all> is the program
 change    new minus old, and as a percentage of old
 from, to  the limits of the change; only if costs were sampled
 verdict   slower, faster, same: statistically supported; unclear: more runs needed;
           more, less: counted exactly; new, gone: on one side only; moved: inlined
           on one side
 calls     calls of the function on each side, if they were counted
 name      the function
";
