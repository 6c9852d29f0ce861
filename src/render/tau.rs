//! Profiles of TAU: a directory with a file `profile.RANK.0.0` for each file that profan read,
//! or one for their sum. Read by ParaProf, Hatchet and Thicket.
//!
//! A file has a line for each function and for each call path below `.TAU application`, with
//! calls, exclusive and inclusive cost; times are microseconds. Source: "Profile file format" in
//! the TAU user guide, and `tau_reader.py` of github.com/LLNL/hatchet, which takes the first line
//! for the root, reads only call paths and asks for whole numbers at the root.

use std::collections::HashMap;
use std::io::{self, Write as _};

use super::junit::escaped;
use super::stacks::Stacks;
use super::whole_numbers::{WholeColumn, whole_column};
use super::{RenderError, RenderOptions, Renderer, WriteFile};
use crate::report::{Cell, Report, Role, Row, RowKind, Section, SectionId, escape_controls};

/// Functions by rank, for TAU.
pub(super) static TAU: Renderer = Renderer {
    accepts: |section| {
        use SectionId as S;
        matches!(section, S::Flat | S::Tree | S::ByFile)
    },
    shows_sources: true,
    render_files: Some(render),
    greatest: Some((1 << 64) - 1),
    default_sections: &[SectionId::Flat, SectionId::Tree],
    ..Renderer::new(
        "tau",
        &["tau"],
        "functions by rank in a directory, for ParaProf and Hatchet",
        |_, _, _| Err(RenderError::Directory { format: "tau" }),
    )
};

const ROOT: &str = ".TAU application";

fn render(
    report: &Report,
    options: &RenderOptions,
    write_file: &mut WriteFile<'_>,
) -> Result<(), RenderError> {
    let sections = TAU.accepted(report)?;
    let of = |id| sections.iter().copied().find(|section| section.id == id);
    if let Some(by_file) = of(SectionId::ByFile) {
        return render_ranks(by_file, report, write_file);
    }
    let mut basis = "";
    let mut profile = None;
    if let Some(flat) = of(SectionId::Flat) {
        profile = Some(TauProfile::of_section(flat, report)?);
    }
    if of(SectionId::Tree).is_some() {
        let stacks = Stacks::of(&TAU, report, options)?;
        basis = stacks.basis;
        let unit = match stacks.metrics[0].unit {
            "nanoseconds" => Some("ns"),
            "thousandths of ticks" => Some("milliticks"),
            _ => None,
        };
        let profile = profile.get_or_insert_with(|| TauProfile::new(unit));
        profile.paths.clear();
        profile.add_paths(&stacks, report)?;
    }
    let profile = profile.ok_or(RenderError::Nothing { format: TAU.name })?;
    write_file("profile.0.0.0", &profile.into_text(report, basis))?;
    Ok(())
}

/// A file for each that was read, in their order.
fn render_ranks(
    section: &Section,
    report: &Report,
    write_file: &mut WriteFile<'_>,
) -> Result<(), RenderError> {
    let Some(costs) = Costs::of(section, report) else {
        return Err(RenderError::Nothing { format: TAU.name });
    };
    let mut ranks = Ranks::default();
    let mut open: Option<(Cell, TauProfile)> = None;
    let mut write =
        |open: &mut Option<(Cell, TauProfile)>, ranks: &mut Ranks, rank: &Cell| match open.take() {
            None => Ok(()),
            Some((_, profile)) => {
                let name = format!("profile.{}.0.0", ranks.number(rank));
                write_file(&name, &profile.into_text(report, ""))
            }
        };
    let mut rank = Cell::Absent;
    section.rows.for_each(&mut |row| {
        let file = section.cell(row, "profile");
        if open.as_ref().is_none_or(|(known, _)| known != file) {
            write(&mut open, &mut ranks, &rank)?;
            rank = section.cell(row, "rank").clone();
            open = Some((file.clone(), TauProfile::new(costs.self_cost.id)));
        }
        if let Some((_, profile)) = &mut open {
            profile.add_function(&costs, row, section, report);
        }
        Ok(())
    })?;
    write(&mut open, &mut ranks, &rank)?;
    Ok(())
}

/// The numbers of files: their ranks if these are numbers, and otherwise their order.
#[derive(Default)]
struct Ranks {
    n_files: i128,
    /// Used numbers, each with a higher one below which all are used.
    taken: HashMap<i128, i128>,
}

impl Ranks {
    fn number(&mut self, rank: &Cell) -> i128 {
        let rank = rank.as_integer().filter(|rank| *rank >= 0);
        let first = rank.unwrap_or(self.n_files);
        // Two files never become one.
        let mut number = first;
        while let Some(next) = self.taken.get(&number) {
            number = *next;
        }
        self.taken.insert(first, number + 1);
        self.taken.insert(number, number + 1);
        self.n_files += 1;
        number
    }
}

/// The columns of functions.
struct Costs {
    self_cost: WholeColumn,
    total: Option<WholeColumn>,
    calls: Option<usize>,
}

impl Costs {
    fn of(section: &Section, report: &Report) -> Option<Self> {
        let column = |role| whole_column(section, role, report.primary, &report.metrics);
        Some(Self {
            self_cost: column(Role::SelfValue)?,
            total: column(Role::Total),
            calls: section.column("calls"),
        })
    }
}

/// The lines of a file.
struct TauProfile {
    /// The unit of costs, if it differs from the unit of the metric.
    unit: Option<&'static str>,
    functions: Vec<Line>,
    paths: Vec<Line>,
    whole: u128,
}

struct Line {
    name: String,
    calls: i128,
    exclusive: u128,
    inclusive: u128,
}

/// Adds up lines with the same name, which readers of TAU's files take for one.
fn merge_names(lines: &mut Vec<Line>) {
    let mut firsts: HashMap<&str, usize> = HashMap::new();
    let first_of = |(index, line)| {
        let line: &Line = line;
        *firsts.entry(&line.name).or_insert(index)
    };
    let first: Vec<usize> = lines.iter().enumerate().map(first_of).collect();
    for (index, &first) in first.iter().enumerate() {
        if first < index {
            let (before, after) = lines.split_at_mut(index);
            let (sum, line) = (&mut before[first], &after[0]);
            sum.calls = sum.calls.saturating_add(line.calls);
            sum.exclusive = sum.exclusive.saturating_add(line.exclusive);
            sum.inclusive = sum.inclusive.saturating_add(line.inclusive);
        }
    }
    let mut indices = first.iter().enumerate();
    lines.retain(|_| indices.next().is_some_and(|(index, first)| index == *first));
}

impl TauProfile {
    fn new(unit: Option<&'static str>) -> Self {
        Self { unit, functions: Vec::new(), paths: Vec::new(), whole: 0 }
    }

    fn of_section(section: &Section, report: &Report) -> Result<Self, RenderError> {
        let costs = Costs::of(section, report);
        let costs = costs.ok_or(RenderError::Nothing { format: TAU.name })?;
        let mut profile = Self::new(costs.self_cost.id);
        section.rows.for_each(&mut |row| {
            profile.add_function(&costs, row, section, report);
            Ok(())
        })?;
        Ok(profile)
    }

    /// Adds a function, and the call path of it alone.
    fn add_function(&mut self, costs: &Costs, row: Row<'_>, section: &Section, report: &Report) {
        let is_sum = matches!(row.kind, RowKind::Total | RowKind::Cycle);
        if is_sum || row.kind.belongs_to_another() {
            return;
        }
        let exclusive = costs.self_cost.of(row).unwrap_or(0).into();
        let total = costs.total.and_then(|total| total.of(row));
        let name = function(section.cell(row, "name"), report);
        let calls = costs.calls.and_then(|calls| row.cells[calls].as_integer());
        let line = |name| Line {
            name,
            calls: calls.unwrap_or(0).max(0),
            exclusive,
            inclusive: total.map_or(exclusive, u128::from),
        };
        self.paths.push(line(format!("{ROOT} => {name}")));
        self.functions.push(line(name));
        self.whole = self.whole.saturating_add(exclusive);
    }

    /// Adds the call paths of a tree.
    fn add_paths(&mut self, stacks: &Stacks<'_>, report: &Report) -> io::Result<()> {
        let first = self.paths.len();
        let mut callers: Vec<Option<usize>> = Vec::new();
        let mut open: Vec<usize> = Vec::new();
        let weight = &stacks.metrics[0];
        stacks.for_each(&mut |row| {
            open.truncate(row.depth);
            let caller = open.last().copied();
            let above = caller.map_or(ROOT, |caller| &self.paths[first + caller].name);
            let cost = u128::try_from(row.weight(weight)).unwrap_or(0);
            self.paths.push(Line {
                name: format!("{above} => {}", function(row.name, report)),
                calls: 0,
                exclusive: cost,
                inclusive: cost,
            });
            open.push(callers.len());
            callers.push(caller);
            Ok(())
        })?;
        self.whole = 0;
        for (index, caller) in callers.iter().enumerate().rev() {
            let inclusive = self.paths[first + index].inclusive;
            match caller {
                Some(caller) => self.paths[first + caller].inclusive += inclusive,
                None => self.whole += inclusive,
            }
        }
        Ok(())
    }

    fn into_text(mut self, report: &Report, basis: &str) -> Vec<u8> {
        merge_names(&mut self.functions);
        merge_names(&mut self.paths);
        let metric = report.metrics.get(report.primary);
        let id = match self.unit {
            Some("ns") => "TIME",
            Some(unit) => unit,
            None => metric.map_or("cost", |metric| &metric.id),
        };
        let word = |letter: char| match letter {
            letter if letter.is_ascii_alphanumeric() => letter,
            _ => '_',
        };
        let id: String = id.chars().map(word).collect();
        let mut attributes = vec![("Metric Name", id.clone())];
        attributes.push(("Executable", Stacks::title(report)));
        if !basis.is_empty() {
            attributes.push(("Call paths", basis.to_owned()));
        }
        let attributes = attributes.iter().map(|(name, value)| {
            let value = String::from_utf8_lossy(&escape_controls(value.as_bytes())).into_owned();
            let value = escaped(&value);
            format!("<attribute><name>{name}</name><value>{value}</value></attribute>")
        });
        let n_lines = 1 + self.functions.len() + self.paths.len();
        let mut text = format!(
            "{n_lines} templated_functions_MULTI_{id}\n\
             # Name Calls Subrs Excl Incl ProfileCalls # <metadata>{}</metadata>\n",
            attributes.collect::<String>()
        )
        .into_bytes();
        let root = if self.is_time() { self.whole.saturating_add(500) / 1000 } else { self.whole };
        let mut write = |line: &Line, group: &str| {
            let Line { name, calls, .. } = line;
            let costs = [line.exclusive, line.inclusive].map(|cost| self.cost(cost));
            let [exclusive, inclusive] = costs;
            writeln!(text, "\"{name}\" {calls} 0 {exclusive} {inclusive} 0 GROUP=\"{group}\"")
        };
        let lines = self.functions.iter().map(|line| (line, "TAU_DEFAULT"));
        let paths = self.paths.iter().map(|line| (line, "TAU_CALLPATH"));
        let all = Line {
            name: ROOT.to_owned(),
            calls: 1,
            exclusive: 0,
            inclusive: if self.is_time() { root * 1000 } else { root },
        };
        for (line, group) in [(&all, "TAU_DEFAULT")].into_iter().chain(lines).chain(paths) {
            write(line, group).expect("memory is writable");
        }
        text.extend_from_slice(b"0 aggregates\n");
        text
    }

    /// Returns whether costs are nanoseconds.
    fn is_time(&self) -> bool {
        self.unit == Some("ns")
    }

    /// A cost in microseconds, or in its unit.
    fn cost(&self, cost: u128) -> String {
        let (whole, rest) = (cost / 1000, cost % 1000);
        match (self.is_time(), rest) {
            (false, _) => cost.to_string(),
            (true, 0) => whole.to_string(),
            (true, rest) => format!("{whole}.{rest:03}"),
        }
    }
}

/// The name of a function, and its place as TAU writes it. Quotes, arrows and the start of places
/// would end it.
fn function(cell: &Cell, report: &Report) -> String {
    let names = &*report.names;
    let name = escape_controls(cell.bytes(names));
    let name = String::from_utf8_lossy(&name);
    let name = name.trim().replace('"', "'").replace("=>", "= >");
    let name = match name.replace("[{", "[ {") {
        name if name.is_empty() => "<unnamed>".to_owned(),
        name => name,
    };
    let place = match cell {
        Cell::Name(id) => names.location(*id),
        _ => None,
    };
    let file =
        place.map(|place| String::from_utf8_lossy(&escape_controls(place.file)).into_owned());
    let is_plain = |file: &String| !file.contains([' ', '"', '{', '}', '=']);
    // Hatchet expects the location after the first brace, which may be the one in `{lambda()#1}`.
    match (file.filter(|file| is_plain(file) && !name.contains('{')), place) {
        (Some(file), Some(place)) => format!("{name} [{{{file}}} {{{},0}}]", place.line),
        _ => name,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::render::testing::{TestName, report, sample_report};
    use crate::report::NameId;

    fn files(report: &Report) -> Vec<(String, String)> {
        let mut files = Vec::new();
        let mut write = |name: &str, text: &[u8]| {
            files.push((name.to_owned(), String::from_utf8_lossy(text).into_owned()));
            Ok(())
        };
        render(report, &RenderOptions::default(), &mut write).expect("it can be shown");
        files
    }

    #[test]
    fn a_sum_is_one_file_with_a_line_for_each_function() {
        let files = files(&sample_report());
        assert_eq!(files.len(), 1);
        let (name, text) = &files[0];
        assert_eq!(name, "profile.0.0.0");
        let lines: Vec<_> = text.lines().collect();
        assert_eq!(lines[0], "7 templated_functions_MULTI_milliticks");
        assert_eq!(lines.len(), 2 + 7 + 1);
        assert_eq!(lines[2], "\".TAU application\" 1 0 0 45000 0 GROUP=\"TAU_DEFAULT\"");
    }

    #[test]
    fn names_end_neither_quotes_nor_paths() {
        let check = |name: &str, expected: &str| {
            let name = TestName { name: name.into(), ..TestName::default() };
            let report = report(vec![name], Vec::new());
            assert_eq!(function(&Cell::Name(NameId(0)), &report), expected);
        };
        check("a\" 1 2 => b", "a' 1 2 = > b");
        check("f [{x} {1}]", "f [ {x} {1}]");
        check("a\nb", "a\\x0ab");
        check("", "<unnamed>");
    }

    #[test]
    fn files_with_one_rank_stay_two() {
        let mut ranks = Ranks::default();
        let numbers = [Cell::Integer(3), Cell::Integer(3), Cell::Absent, Cell::Integer(-1)];
        let numbers = numbers.map(|rank| ranks.number(&rank));
        assert_eq!(numbers, [3, 4, 2, 5]);
    }
}
