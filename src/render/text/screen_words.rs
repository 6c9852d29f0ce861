//! What the columns of a flat profile say on a terminal.

use super::prose::push_prose;
use crate::report::{Column, Role, Section, Text};

/// Columns of the words that are explained.
const WIDTH: usize = 15;

/// Says it of the columns that there are.
pub(super) fn push_explanation(text: &mut Text, section: &Section<'_>, screen: Option<usize>) {
    text.word("\nWhat the columns say, from the function that costs most itself down:\n\n");
    let shown = section
        .columns
        .iter()
        .filter(|column| column.print.is_some());
    let mut before = "";
    for column in shown {
        let meaning = meaning_of(column);
        if meaning.is_empty() || meaning == before {
            continue;
        }
        before = meaning;
        let head = [&*column.head[0], &*column.head[1]].map(str::trim);
        let word = format!(" {} ", head.join(" ").trim());
        let line = format!("{word:WIDTH$} {meaning}");
        push_prose(text, line.as_bytes(), screen);
    }
}

fn meaning_of(column: &Column) -> &'static str {
    match (column.role, &*column.id) {
        (Role::Share, "total_percent") => "the same of total",
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
