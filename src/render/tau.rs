//! Profiles of TAU: a directory with a file `profile.RANK.0.0` for each file that profan read,
//! or one for their sum. Read by ParaProf, Hatchet and Thicket.
//!
//! A file has a line for each function and for each call path below `.TAU application`, with
//! calls, exclusive and inclusive cost; times are microseconds. Source: "Profile file format" in
//! the TAU user guide, and `tau_reader.py` of github.com/LLNL/hatchet, which takes the first line
//! for the root, reads only call paths and asks for whole numbers at the root.

use std::collections::HashMap;
use std::io::{self, Write};

mod frames;
mod paths;

use super::junit::escaped;
use super::stacks::Stacks;
use super::whole_numbers::{WholeColumn, as_word, whole_column};
use super::{FileLosses, RenderError, RenderOptions, RenderResult, Renderer, WriteFile, visible};
use crate::interner::Interner;
use crate::report::{Cell, Report, Role, Row, RowKind, Section, SectionId};
use frames::{FrameId, TauFrames};
use paths::PathTree;

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
) -> RenderResult<FileLosses> {
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
        profile.add_paths(&stacks, report)?;
    }
    let profile = profile.ok_or(RenderError::Nothing { format: TAU.name })?;
    write_file("profile.0.0.0", &|out| profile.write(report, basis, out))?;
    let cut_paths = profile.paths.as_ref().and_then(|paths| paths.cut);
    Ok(FileLosses { cut_paths, ..FileLosses::default() })
}

/// A file for each that was read, in their order.
fn render_ranks(
    section: &Section,
    report: &Report,
    write_file: &mut WriteFile<'_>,
) -> RenderResult<FileLosses> {
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
                write_file(&name, &|out| profile.write(report, "", out))
            }
        };
    let mut rank = Cell::Absent;
    section.rows.for_each_head(&mut |row| {
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
    Ok(FileLosses { n_renumbered: ranks.n_renumbered, ..FileLosses::default() })
}

/// The numbers of files: their ranks if these are numbers, and otherwise their order.
#[derive(Default)]
struct Ranks {
    n_files: i128,
    /// Used numbers, each with a higher one below which all are used.
    taken: HashMap<i128, i128>,
    /// Files with a rank that was taken.
    n_renumbered: usize,
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
        self.n_renumbered += usize::from(rank.is_some_and(|rank| rank != number));
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

/// The functions and call paths of a file.
struct TauProfile {
    /// The unit of costs, if it is not that of the metric.
    unit: Option<&'static str>,
    frames: TauFrames,
    functions: Vec<Line>,
    /// The line of each function: readers take lines with the same name for one.
    known: Interner<FrameId>,
    /// `None` if each function is a path of its own.
    paths: Option<PathTree>,
    whole: u64,
}

struct Line {
    frame: FrameId,
    calls: i128,
    exclusive: u64,
    inclusive: u64,
}

impl TauProfile {
    fn new(unit: Option<&'static str>) -> Self {
        Self {
            unit,
            frames: TauFrames::default(),
            functions: Vec::new(),
            known: Interner::default(),
            paths: None,
            whole: 0,
        }
    }

    fn of_section(section: &Section, report: &Report) -> RenderResult<Self> {
        let costs = Costs::of(section, report);
        let costs = costs.ok_or(RenderError::Nothing { format: TAU.name })?;
        let mut profile = Self::new(costs.self_cost.id);
        section.rows.for_each_head(&mut |row| {
            profile.add_function(&costs, row, section, report);
            Ok(())
        })?;
        Ok(profile)
    }

    fn add_function(&mut self, costs: &Costs, row: Row<'_>, section: &Section, report: &Report) {
        if matches!(row.kind, RowKind::Total | RowKind::Cycle) {
            return;
        }
        let exclusive = costs.self_cost.of(row).unwrap_or(0);
        let inclusive = costs.total.and_then(|total| total.of(row)).unwrap_or(exclusive);
        let calls = costs.calls.and_then(|calls| row.cells[calls].as_integer());
        let frame = self.frames.number(section.cell(row, "name"), &*report.names);
        let line = || Line { frame, calls: 0, exclusive: 0, inclusive: 0 };
        let index = self.known.find(frame, &mut self.functions, line);
        let line = &mut self.functions[index as usize];
        line.calls = line.calls.saturating_add(calls.unwrap_or(0).max(0));
        line.exclusive = line.exclusive.saturating_add(exclusive);
        line.inclusive = line.inclusive.saturating_add(inclusive);
        self.whole = self.whole.saturating_add(exclusive);
    }

    /// Adds the call paths of a tree.
    fn add_paths(&mut self, stacks: &Stacks<'_>, report: &Report) -> io::Result<()> {
        let paths = PathTree::of(stacks, &mut self.frames, &*report.names)?;
        self.whole = paths.whole;
        self.paths = Some(paths);
        Ok(())
    }

    fn write(&self, report: &Report, basis: &str, out: &mut dyn Write) -> io::Result<()> {
        let metric = report.metrics.get(report.primary);
        let id = match self.unit {
            Some("ns") => "TIME",
            Some(unit) => unit,
            None => metric.map_or("cost", |metric| &metric.id),
        };
        let id = as_word(id);
        let mut attributes = vec![("Metric Name", id.clone())];
        attributes.push(("Executable", Stacks::title(report)));
        if !basis.is_empty() {
            attributes.push(("Call paths", basis.to_owned()));
        }
        let attributes = attributes.iter().map(|(name, value)| {
            let value = escaped(&visible(value));
            format!("<attribute><name>{name}</name><value>{value}</value></attribute>")
        });
        let n_paths = self.paths.as_ref().map_or(self.functions.len(), PathTree::n_written);
        write!(
            out,
            "{} templated_functions_MULTI_{id}\n\
             # Name Calls Subrs Excl Incl ProfileCalls # <metadata>{}</metadata>\n",
            1 + self.functions.len() + n_paths,
            attributes.collect::<String>()
        )?;
        let is_time = self.is_time();
        let whole = u128::from(self.whole);
        let root = if is_time { (whole + 500) / 1000 } else { whole };
        writeln!(out, "\"{ROOT}\" 1 0 0 {root} 0 GROUP=\"TAU_DEFAULT\"")?;
        for line in &self.functions {
            out.write_all(b"\"")?;
            self.frames.write(line.frame, out)?;
            self.write_costs(line.calls, [line.exclusive, line.inclusive], "TAU_DEFAULT", out)?;
        }
        let Some(paths) = &self.paths else {
            for line in &self.functions {
                write!(out, "\"{ROOT} => ")?;
                self.frames.write(line.frame, out)?;
                let costs = [line.exclusive, line.inclusive];
                self.write_costs(line.calls, costs, "TAU_CALLPATH", out)?;
            }
            return out.write_all(AGGREGATES);
        };
        paths.for_each(&mut |path, costs| {
            write!(out, "\"{ROOT}")?;
            for &frame in path {
                out.write_all(b" => ")?;
                self.frames.write(frame, out)?;
            }
            self.write_costs(0, costs, "TAU_CALLPATH", out)
        })?;
        out.write_all(AGGREGATES)
    }

    /// The rest of a line, from the end of its name on.
    fn write_costs(
        &self,
        calls: i128,
        costs: [u64; 2],
        group: &str,
        out: &mut dyn Write,
    ) -> io::Result<()> {
        let [exclusive, inclusive] = costs.map(|cost| self.cost(cost));
        writeln!(out, "\" {calls} 0 {exclusive} {inclusive} 0 GROUP=\"{group}\"")
    }

    /// Returns whether costs are nanoseconds.
    fn is_time(&self) -> bool {
        self.unit == Some("ns")
    }

    /// A cost in microseconds, or in its unit.
    fn cost(&self, cost: u64) -> String {
        let (whole, rest) = (cost / 1000, cost % 1000);
        match (self.is_time(), rest) {
            (false, _) => cost.to_string(),
            (true, 0) => whole.to_string(),
            (true, rest) => format!("{whole}.{rest:03}"),
        }
    }
}

const AGGREGATES: &[u8] = b"0 aggregates\n";

#[cfg(test)]
mod tests {
    use super::*;
    use crate::render::FileContents;
    use crate::render::testing::sample_report;

    fn files(report: &Report) -> Vec<(String, String)> {
        let mut files = Vec::new();
        let mut write = |name: &str, contents: &FileContents<'_>| {
            let mut text = Vec::new();
            contents(&mut text)?;
            files.push((name.to_owned(), String::from_utf8_lossy(&text).into_owned()));
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
    fn files_with_one_rank_stay_two() {
        let mut ranks = Ranks::default();
        let numbers = [Cell::Integer(3), Cell::Integer(3), Cell::Absent, Cell::Integer(-1)];
        let numbers = numbers.map(|rank| ranks.number(&rank));
        assert_eq!(numbers, [3, 4, 2, 5]);
        assert_eq!(ranks.n_renumbered, 1);
    }
}
