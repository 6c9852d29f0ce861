//! What the columns of a flat profile say on a terminal.

use super::prose::push_prose;
use crate::report::{Column, Role, Section, Text};

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
