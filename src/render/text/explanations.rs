//! Explanations of columns.

use super::prose::push_prose;
use crate::report::explanation::{SAMPLED_FLAT, SAMPLED_GRAPH};
use crate::report::{Column, Layout, Role, Section, SectionId, Text};

/// The explanation of a section; empty if its columns need none.
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

/// The explanation of the shown columns of a flat profile.
pub(super) fn push_explanation(
    text: &mut Text,
    section: &Section<'_>,
    shown: &[usize],
    screen: Option<usize>,
) {
    text.word("\nWhat the columns say, from the function that costs most itself down:\n\n");
    let columns = shown.iter().filter_map(|&place| section.columns.get(place));
    let has_bar = columns.clone().any(|column| column.role == Role::Bar);
    let mut explained: Vec<(String, &str)> = Vec::new();
    for column in columns {
        let meaning = meaning_of(column, has_bar);
        let is_said = explained
            .last()
            .is_some_and(|&(_, before)| before == meaning);
        if !meaning.is_empty() && !is_said {
            let head = [&*column.head[0], &*column.head[1]].map(str::trim);
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
        "unfreed" => return "what of its own was never freed; it counts where it was allocated",
        "collector" => return "what the garbage collector took while it was active",
        _ => {}
    }
    match (column.role, &*column.id) {
        (Role::Share, "total_percent") => "the same of total",
        (Role::Share, _) if !has_bar => "what the function itself costs, as a share of everything",
        (Role::Share, _) => {
            "what the function itself costs, as a share of everything; the bar compares it \
             with the first row"
        }
        (Role::SelfValue, _) => "what it costs itself, without what it calls",
        (Role::Total, _) => "what it costs with all that it calls",
        (Role::Calls, _) => "how often it was called by others; blank where nobody counted",
        (Role::PerCall, "total_of_call") => "the same of a call with all that it calls",
        (Role::PerCall, _) => "what one call costs on average",
        (Role::Name, _) => "the function; equal rows are sorted by name",
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
