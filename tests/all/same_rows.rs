//! The first functions, their order, numbers, units and names are the same on a terminal, in
//! `browse`, and in a page, for all recorded files.
#![cfg(unix)]

use portable_pty::CommandBuilder;
use serde_json::Value;

use crate::browsing::lines_of;
use crate::inputs::each_input;
use crate::pages::data_of;
use crate::support::{Scratch, run_line};
use crate::terminal::{Session, Size, report_of};

/// A terminal with room for whole names.
const SIZE: Size = (1000, 40);

/// Functions that are compared.
const N_FIRST: usize = 10;

/// Columns of names in a page.
const NAME_COLUMNS: usize = 72;

/// The digits of kinds of rows in a page: functions, inlined code in them, and costs elsewhere.
const KINDS: [u8; 3] = [b'0', b'6', b'8'];

#[test]
fn the_first_functions_are_the_same_on_a_terminal_in_browse_and_in_a_page() {
    let (mut n_compared, mut different) = (0, Vec::new());
    each_input(&mut |directory, files, scratch| {
        let files = files.split(' ').map(|file| scratch.path().join(file).display().to_string());
        let files = files.collect::<Vec<_>>().join(" ");
        let page =
            run_line(&format!("profan -p --format html {files}"), b"", Scratch::empty().path());
        if page.status != 0 {
            return;
        }
        // Names that reports shorten are whole on a terminal.
        if String::from_utf8_lossy(&page.stderr).contains("W046") {
            return;
        }
        let page = rows_of_page(&data_of(&page.stdout));
        let Some(terminal) = rows_of_terminal(&files) else { return };
        let browser = rows_of_browser(&files);
        n_compared += 1;
        for (at, shown) in terminal.iter().enumerate().take(N_FIRST) {
            let is_same = browser.get(at) == Some(shown);
            let in_page = page.get(at);
            if !is_same || !in_page.is_some_and(|row| row.equals(shown)) {
                let browsed = browser.get(at);
                let file = files.rsplit('/').next().unwrap_or_default();
                different.push(format!(
                    "{} {file}: row {at}\n  terminal {shown:?}\n  browse   {browsed:?}\n  page     {in_page:?}",
                    directory.display()
                ));
                break;
            }
        }
    });
    assert!(n_compared >= 100, "{n_compared} profiles were compared");
    assert!(different.is_empty(), "{} of {n_compared}:\n{}", different.len(), different.join("\n"));
}

fn session_of(words: &str) -> Session {
    let mut command = CommandBuilder::new(env!("CARGO_BIN_EXE_profan"));
    command.args(words.split(' '));
    Session::run(command, Scratch::empty(), SIZE, &[("NO_COLOR", "1")])
}

/// The cells of rows below a heading; `None` without a flat profile.
fn rows_of_terminal(files: &str) -> Option<Vec<Vec<String>>> {
    let seen = session_of(&format!("--pager never -p {files}")).finish();
    let lines = report_of(&seen).into_iter();
    let lines = lines.skip_while(|line| line != "Flat profile:").skip(2);
    let lines: Vec<_> = lines.take_while(|line| !line.is_empty()).collect();
    let is_listing = lines.iter().take(2).any(|line| line.contains("cumulative"));
    (!lines.is_empty() && !is_listing).then(|| rows_below_heading(lines.into_iter()))
}

fn rows_of_browser(files: &str) -> Vec<Vec<String>> {
    let mut session = session_of(&format!("browse -p {files}"));
    session.wait_for_frames(1);
    let lines = lines_of(&session);
    session.press("q");
    session.finish();
    rows_below_heading(lines.into_iter().skip(1).take(SIZE.1.into()))
}

/// The cells of rows. The last line of the heading has the place of names. A saved report has
/// the columns of a listing, such as running sums.
fn rows_below_heading(lines: impl Iterator<Item = String>) -> Vec<Vec<String>> {
    let mut lines = lines.skip_while(|line| !line.ends_with("name"));
    let heading = lines.next().unwrap_or_default();
    let names = heading.len().saturating_sub("name".len());
    // Rows that were left out, and the meaning of marks, follow.
    let is_row = |line: &String| !line.is_empty() && !line.starts_with(['(', '.']);
    let rows = lines.take_while(is_row);
    rows.filter_map(|row| Some(cells_of(row.get(..names)?, row.get(names..)?))).collect()
}

/// Numbers, each with its unit, and the name; without bars and marks of guesses.
fn cells_of(numbers: &str, name: &str) -> Vec<String> {
    const UNITS: [&str; 11] =
        ["s", "ms", "us", "ns", "B", "KiB", "MiB", "GiB", "TiB", "PiB", "EiB"];
    let mut cells: Vec<String> = Vec::new();
    for word in numbers.split_whitespace() {
        match cells.last_mut() {
            Some(number) if UNITS.contains(&word) => *number = format!("{number} {word}"),
            _ if word == "~" || word.bytes().all(|byte| byte == b'#') => {}
            _ => cells.push(word.to_owned()),
        }
    }
    cells.push(name.trim_start().to_owned());
    cells
}

/// A row of a page.
#[derive(Debug)]
struct PageRow {
    /// The numbers that it may show, in the order of a terminal.
    numbers: Vec<String>,
    /// The numbers in the list of functions.
    listed: Vec<String>,
    /// Short, and what a terminal may have beside it, in its order.
    name: String,
    beside: Vec<String>,
}

impl PageRow {
    /// Returns whether a row of a terminal has the same numbers, and the same name.
    fn equals(&self, shown: &[String]) -> bool {
        let Some((name, numbers)) = shown.split_last() else { return false };
        let mut known = self.numbers.iter();
        let has_numbers = numbers.iter().all(|number| known.any(|one| one == number));
        let has_listed = self.listed.iter().all(|number| numbers.contains(number));
        let mut beside = name.strip_prefix(&*self.name).unwrap_or("?");
        for place in &self.beside {
            beside = beside.strip_prefix(&*format!(" {place}")).unwrap_or(beside);
        }
        let has_name = beside.is_empty()
            || name.chars().count() > NAME_COLUMNS && is_shortened(name, &self.name);
        has_numbers && has_listed && has_name
    }
}

/// Returns whether the parts of a shortened name are in the whole one.
fn is_shortened(name: &str, short: &str) -> bool {
    let mut rest = name;
    let parts =
        short.split("...").flat_map(|part| part.split('<')).flat_map(|part| part.split('>'));
    parts.into_iter().all(|part| match rest.find(part) {
        Some(at) => {
            rest = &rest[at + part.len()..];
            true
        }
        None => false,
    })
}

/// The rows of functions of the flat profile, and inlined code in them.
fn rows_of_page(data: &Value) -> Vec<PageRow> {
    let sections = data["sections"].as_array().into_iter().flatten();
    let Some(flat) = sections.clone().find(|one| one["id"] == "flat") else { return Vec::new() };
    let columns = flat["columns"].as_array().expect("it has columns");
    let block = &flat["blocks"][0];
    let kinds = block["kinds"].as_str().unwrap_or_default().as_bytes();
    let texts_of = |key: &str, at: usize, separator: char| {
        let text = block[key][at].as_str().unwrap_or_default();
        let texts: Vec<_> = text.split(separator).map(str::to_owned).collect();
        if texts.len() == kinds.len() { texts } else { vec![String::new(); kinds.len()] }
    };
    // Cells as the script shows them, and their columns.
    let cells: Vec<(&Value, Vec<String>)> = (columns.iter().enumerate())
        .map(|(at, column)| {
            let shown = texts_of("shown", at, '|').into_iter().zip(texts_of("cells", at, ','));
            let shown = shown.map(|(shown, cell)| match cell.parse::<f64>() {
                _ if !shown.is_empty() => shown,
                Ok(number) if cell.contains(['.', 'e', 'E']) => {
                    let is_share = column["role"] == "share";
                    let decimals = column["print"]["decimals"].as_u64().unwrap_or(2);
                    let decimals = if is_share { 1 } else { decimals };
                    format!("{number:.*}", usize::try_from(decimals).expect("few"))
                }
                _ => cell,
            });
            (column, shown.collect())
        })
        .collect();
    let of_id = |id: &str| cells.iter().find(|(column, _)| column["id"] == id);
    let metric = of_id("percent").map(|(column, _)| &column["metric"]);
    let is_primary = |column: &Value| metric.is_none_or(|metric| column["metric"] == *metric);
    let of_role = |role: &str| {
        let found = cells.iter().filter(|(column, _)| column["role"] == role && is_primary(column));
        let found = found.filter(|(column, _)| !column["print"].is_null() || role == "total");
        found.cloned().collect::<Vec<_>>()
    };
    let percents = ["percent", "total_percent"].map(of_id);
    let others = cells.iter().filter(|(column, _)| {
        let role = column["role"].as_str().unwrap_or_default();
        let is_other = !["share", "name", "marks", "limit", "bar"].contains(&role);
        is_other && !column["print"].is_null()
    });
    let ordered: Vec<_> = (percents[0].cloned().into_iter())
        .chain(of_role("self"))
        .chain(percents[1].cloned())
        .chain(of_role("total"))
        .chain(others.cloned())
        .collect();
    let has_digits = |cells: &[String]| {
        cells.iter().any(|cell| cell.bytes().any(|byte| matches!(byte, b'1'..=b'9')))
    };
    let listed = ["percent", "total_percent", "calls"].into_iter().filter_map(of_id);
    let listed: Vec<_> = listed.filter(|(_, cells)| has_digits(cells)).collect();
    let Some((_, names)) = of_id("name") else { return Vec::new() };
    let names_table = |column: usize| {
        let text = data["names"][column].as_str().unwrap_or_default();
        text.split(',').collect::<Vec<_>>()
    };
    let tables = [0, 1, 2, 3, 5].map(names_table);
    let text_of = |table: usize, id: usize| {
        let number = tables[table].get(id).filter(|number| !number.is_empty())?;
        data["texts"][number.parse::<usize>().ok()?].as_str()
    };
    let base = |path: &str| path.rsplit(['/', '\\']).next().unwrap_or_default().to_owned();
    let rows = (0..kinds.len()).filter(|&row| KINDS.contains(&kinds[row])).map(|row| {
        let id = names[row].trim_start_matches('@').parse().unwrap_or(usize::MAX);
        let name = text_of(4, id).or_else(|| text_of(0, id)).unwrap_or(&names[row]);
        let place = text_of(1, id).zip(tables[2].get(id));
        let place = place.map(|(file, line)| format!("({}:{line})", base(file)));
        let object = text_of(3, id).map(|object| format!("({})", base(object)));
        let call = of_id("call_file").zip(of_id("call_line")).map(|((_, files), (_, lines))| {
            let file = files[row].trim_start_matches('$').parse::<usize>().ok();
            let file = file.and_then(|text| data["texts"][text].as_str()).unwrap_or_default();
            format!("(inlined at {}:{})", base(file), lines[row])
        });
        let is_bound = of_id("is_lower_bound").is_some_and(|(_, cells)| !cells[row].is_empty());
        let at_least = is_bound.then(|| "(at least)".to_owned());
        let present = |cells: &[&(&Value, Vec<String>)]| {
            let texts = cells.iter().map(|(_, cells)| cells[row].clone());
            texts.filter(|text| !text.is_empty()).collect::<Vec<_>>()
        };
        PageRow {
            numbers: present(&ordered.iter().collect::<Vec<_>>()),
            listed: present(&listed),
            name: name.to_owned(),
            beside: [object, place, call, at_least].into_iter().flatten().collect(),
        }
    });
    rows.collect()
}
