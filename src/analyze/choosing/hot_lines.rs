//! The lines of sources that cost most, with the lines around them.
//!
//! Looks at each source twice: once for the lines with numbers, and once for the rows.

use std::collections::HashSet;
use std::io;
use std::ops::{Range, RangeInclusive};

use super::RowChoice;
use super::unit::real;
use crate::report::number::fixed;
use crate::report::{
    Cell, Column, MetricIndex, Report, Role, Row, RowKind, RowTable, RowVisitor, Rows, Section,
    SectionId,
};
use crate::sorting::ColdSort;

/// The part of annotated sources to show.
#[derive(Clone, Copy, Debug, Default)]
pub struct SourceFold {
    /// The minimum share of the whole, in percent, of a line shown by default; 0 for every line
    /// with a number. `None` for whole files.
    pub least_percent: Option<f64>,
    /// Show lines among their neighbours, under a heading, after the table of files.
    pub is_for_people: bool,
}

/// Lines before and after a hot one, as in unified diffs.
const CONTEXT: u64 = 3;

/// Keeps only the hot lines in the sources of a report. Returns whether it has sources.
pub(super) fn choose_lines(report: &mut Report, choice: &RowChoice, fold: &SourceFold) -> bool {
    if fold.is_for_people {
        put_files_first(&mut report.sections);
    }
    let whole = whole(&report.sections);
    let mut sources: Vec<_> =
        report.sections.iter().map(|section| HotSource::of(section, whole)).collect();
    if !sources.iter().any(Option::is_some) {
        return false;
    }
    let is_asked = choice.top.is_some() || choice.min_percent.is_some();
    let Some(least) = choice.min_percent.or(fold.least_percent).or(is_asked.then_some(0.0)) else {
        return true;
    };
    // A requested number of lines overrides the percentage.
    let least = match (choice.top, choice.min_percent) {
        (Some(_), None) => 0.0,
        _ => least,
    };
    for source in sources.iter_mut().flatten() {
        source.find_hot(least, is_asked);
    }
    if let Some(top) = choice.top {
        keep_top(&mut sources, top);
    }
    let knows_shares = whole.is_some();
    let has_lines = |source: &HotSource| source.hot().next().is_some();
    if !knows_shares && !sources.iter().flatten().any(has_lines) {
        return true;
    }
    let (mut is_left_out, mut places) = (false, sources.into_iter());
    report.sections.retain_mut(|section| {
        let source = places.next().flatten();
        match section.id {
            SectionId::Source => {
                is_left_out = source.is_none_or(|source| !source.put(section, fold.is_for_people));
                !is_left_out
            }
            // These are about executions, and all of the file.
            SectionId::SourceTop | SectionId::SourceSummary if !section.columns.is_empty() => {
                !(is_left_out || knows_shares && fold.is_for_people)
            }
            _ => true,
        }
    });
    if fold.is_for_people {
        let files = |section: &&mut Section| section.id == SectionId::SourceFiles;
        let files = report.sections.iter_mut().find(files);
        if let Some(files) = files.filter(|_| !is_asked) {
            let lines = if least > 0.0 {
                format!("at least {} %", fixed(least, 1))
            } else {
                "numbers".to_owned()
            };
            files.notes.push(format!(
                "Below are the lines with {lines}, and {CONTEXT} around each; --all shows whole files."
            ));
        }
    }
    true
}

/// The table of files is read first.
fn put_files_first(sections: &mut Vec<Section>) {
    let place = |id| sections.iter().position(|section| section.id == id);
    if let (Some(source), Some(files)) = (place(SectionId::Source), place(SectionId::SourceFiles))
        && source < files
    {
        let files = sections.remove(files);
        sections.insert(source, files);
    }
}

/// The total cost in a metric, from the table of files.
#[derive(Clone, Copy)]
struct Whole {
    metric: Option<MetricIndex>,
    cost: f64,
}

fn whole(sections: &[Section]) -> Option<Whole> {
    let mut sections = sections.iter();
    let files = sections.find(|section| section.id == SectionId::SourceFiles)?;
    let is_cost = |column: &Column| column.role == Role::SelfValue;
    let place = files.columns.iter().position(is_cost)?;
    let mut cost = None;
    // The callback never fails.
    let _ = files.rows.for_each(&mut |row| {
        if row.kind == RowKind::Total {
            cost = real(&row.cells[place]);
        }
        Ok(())
    });
    let metric = files.columns[place].metric;
    let cost = cost.filter(|&cost| cost > 0.0)?;
    Some(Whole { metric, cost })
}

/// A line with a number.
struct NumberedLine {
    line: u64,
    /// Its self cost, or how often it ran if costs are not known.
    rank: f64,
    /// Its share of everything, and that with all that is called from there, in percent.
    percent: f64,
    total_percent: f64,
    is_hot: bool,
}

/// The lines of a source with numbers.
struct HotSource {
    lines: Vec<NumberedLine>,
    n_lines: u64,
    knows_shares: bool,
}

impl HotSource {
    /// `None` for other sections.
    fn of(section: &Section, whole: Option<Whole>) -> Option<Self> {
        if section.id != SectionId::Source {
            return None;
        }
        let line = section.column("line")?;
        let places = |is_wanted: &dyn Fn(&Column) -> bool| {
            let columns = section.columns.iter().enumerate();
            let wanted = columns.filter(|(_, column)| is_wanted(column));
            wanted.map(|(place, _)| place).collect::<Vec<usize>>()
        };
        let costs = places(&|column| {
            let is_of_whole = whole.is_none_or(|whole| column.metric == whole.metric);
            column.role == Role::SelfValue && is_of_whole
        });
        let totals = places(&|column| column.role == Role::Total);
        let numbers = places(&|column| column.role != Role::Source && column.print.is_some());
        let percent = |cost: f64| whole.map_or(0.0, |whole| 100.0 * cost / whole.cost);
        let (mut lines, mut n_lines): (Vec<NumberedLine>, u64) = (Vec::new(), 0);
        let _ = section.rows.for_each(&mut |row| {
            let number = |place: &usize| real(&row.cells[*place]);
            let total_percent = percent(totals.iter().filter_map(number).fold(0.0, f64::max));
            let is_inlined = row.kind == RowKind::Inline;
            n_lines = line_of(&row.cells[line]).unwrap_or(n_lines);
            if let Some(last) = lines.last_mut().filter(|last| last.line == n_lines) {
                last.total_percent = last.total_percent.max(total_percent);
            } else if is_inlined || numbers.iter().any(|&place| !row.cells[place].is_absent()) {
                let cost = costs.first().and_then(number).unwrap_or(0.0);
                let counts = row.cells.iter().find_map(|cell| match cell {
                    Cell::Counts(counts) => Some(counts.iter().map(|&count| count as f64).sum()),
                    _ => None,
                });
                lines.push(NumberedLine {
                    line: n_lines,
                    rank: counts.filter(|_| costs.is_empty()).unwrap_or(cost),
                    percent: percent(cost),
                    total_percent,
                    is_hot: true,
                });
            }
            Ok(())
        });
        Some(Self { lines, n_lines, knows_shares: whole.is_some() })
    }

    /// Finds the lines with a share of at least `least` percent, or without known shares, the
    /// lines with a number. For a request, only self costs count.
    fn find_hot(&mut self, least: f64, is_asked: bool) {
        let knows_shares = self.knows_shares;
        for line in &mut self.lines {
            let (is_enough, percent) = if is_asked {
                (line.rank > 0.0, line.percent)
            } else {
                (true, line.percent.max(line.total_percent))
            };
            line.is_hot = is_enough && (percent >= least || !knows_shares);
        }
    }

    fn hot(&self) -> impl Iterator<Item = &NumberedLine> {
        self.lines.iter().filter(|line| line.is_hot)
    }

    /// Keeps only the lines in a section. Returns whether any remain.
    fn put(&self, section: &mut Section, has_context: bool) -> bool {
        let places = section.column("line").zip(section.column("text"));
        let Some((line, text)) = places.filter(|_| self.hot().next().is_some()) else {
            return false;
        };
        let regions = self.regions(if has_context { CONTEXT } else { 0 });
        if regions.len() == 1 && regions[0].lines == (1..=self.n_lines) {
            return true;
        }
        let rows = std::mem::replace(&mut section.rows, Box::new(RowTable::default()));
        section.rows = Box::new(HotLines {
            rows,
            regions,
            headings: has_context.then_some(self.n_lines),
            line,
            text,
            n_columns: section.columns.len(),
        });
        true
    }

    /// The lines with the lines around them. Adjacent regions become one.
    fn regions(&self, context: u64) -> Vec<LineRegion> {
        let mut regions: Vec<LineRegion> = Vec::new();
        for hot in self.hot() {
            let first = hot.line.saturating_sub(context).max(1);
            let last = hot.line.saturating_add(context).min(self.n_lines);
            match regions.last_mut() {
                Some(region) if first <= *region.lines.end() + 1 => {
                    region.lines = *region.lines.start()..=last;
                }
                _ => regions.push(LineRegion {
                    lines: first..=last,
                    percent: self.knows_shares.then_some(0.0),
                }),
            }
        }
        let mut lines = self.lines.iter().peekable();
        for LineRegion { lines: shown, percent } in &mut regions {
            while let Some(line) = lines.next_if(|line| line.line <= *shown.end()) {
                let is_shown = line.line >= *shown.start();
                *percent = percent.map(|sum| sum + if is_shown { line.percent } else { 0.0 });
            }
        }
        regions
    }
}

/// A line number. Compilers write no larger ones, but saved reports may.
fn line_of(cell: &Cell) -> Option<u64> {
    u32::try_from(cell.as_integer()?).ok().map(u64::from)
}

/// Keeps the lines of all sources that cost most; of equal ones the first.
fn keep_top(sources: &mut [Option<HotSource>], top: usize) {
    let mut all: Vec<(f64, usize, u64)> = Vec::new();
    for (place, source) in sources.iter().enumerate() {
        let lines = source.iter().flat_map(HotSource::hot);
        all.extend(lines.map(|line| (line.rank, place, line.line)));
    }
    all.cold_sort_by(|a, b| b.0.total_cmp(&a.0).then((a.1, a.2).cmp(&(b.1, b.2))));
    all.truncate(top);
    let kept: HashSet<_> = all.into_iter().map(|(_, place, line)| (place, line)).collect();
    for (place, source) in sources.iter_mut().enumerate() {
        for line in source.iter_mut().flat_map(|source| &mut source.lines) {
            line.is_hot &= kept.contains(&(place, line.line));
        }
    }
}

/// Lines that are shown, and their share of everything in percent.
struct LineRegion {
    lines: RangeInclusive<u64>,
    percent: Option<f64>,
}

impl LineRegion {
    fn heading(&self, n_lines: u64) -> String {
        let (first, last) = (self.lines.start(), self.lines.end());
        // Lines that only make expensive calls have no self cost worth a number.
        let percent = self.percent.filter(|&percent| percent >= 0.05);
        let percent = percent.map_or(String::new(), |percent| format!(", {} %", fixed(percent, 1)));
        format!("@@ lines {first}-{last} of {n_lines}{percent} @@\n")
    }
}

/// The rows of regions.
struct HotLines {
    rows: Box<dyn Rows>,
    regions: Vec<LineRegion>,
    /// How many lines the file has, where regions have headings.
    headings: Option<u64>,
    line: usize,
    text: usize,
    n_columns: usize,
}

impl Rows for HotLines {
    fn for_each_of(&self, _: Range<usize>, visit: &mut RowVisitor<'_>) -> io::Result<()> {
        let mut regions = self.regions.iter().peekable();
        let mut is_new = true;
        self.rows.for_each(&mut |row| {
            let line = line_of(&row.cells[self.line]).unwrap_or(0);
            while regions.next_if(|region| *region.lines.end() < line).is_some() {
                is_new = true;
            }
            let Some(region) = regions.peek().filter(|region| region.lines.contains(&line)) else {
                return Ok(());
            };
            if let Some(n_lines) = self.headings.filter(|_| is_new) {
                let mut cells = vec![Cell::Absent; self.n_columns];
                cells[self.text] = region.heading(n_lines).into();
                visit(Row { kind: RowKind::Rest, cells: &cells })?;
            }
            is_new = false;
            visit(row)
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::report::{Layout, NoNames};

    /// A source of 20 lines with these costs, and the table of files, of 100 in all.
    fn report(costs: &[(i128, f64)]) -> Report {
        let mut source = RowTable::default();
        for line in 1..=20 {
            let cost = costs.iter().find(|(of, _)| *of == line);
            let cost = cost.map_or(Cell::Absent, |(_, cost)| Cell::Real(*cost));
            source.push(RowKind::Entry, [cost, Cell::Integer(line), Cell::text("text\n")]);
        }
        let columns = [
            Column::shown("self", Role::SelfValue, ["", ""]),
            Column::hidden("line", Role::Source),
            Column::shown("text", Role::Source, ["", ""]),
        ];
        let source = Section::new(SectionId::Source, "", Layout::Table, columns, source);
        let mut files = RowTable::default();
        files.push(RowKind::Total, [Cell::Real(100.0)]);
        let columns = [Column::shown("self", Role::SelfValue, ["", ""])];
        let files = Section::new(SectionId::SourceFiles, "", Layout::Table, columns, files);
        Report {
            inputs: Vec::new(),
            metrics: Vec::new(),
            primary: 0,
            names: Box::new(NoNames),
            sections: vec![source, files],
            diagnostics: Vec::new(),
            command: Vec::new(),
            notes: Vec::new(),
            has_chosen_rows: false,
        }
    }

    /// Checks the lines that are left, and the headings between them.
    fn check(costs: &[(i128, f64)], choice: &RowChoice, fold: SourceFold, expected: &[&str]) {
        let mut report = report(costs);
        assert!(choose_lines(&mut report, choice, &fold));
        let source = |section: &&Section| section.id == SectionId::Source;
        let mut said = Vec::new();
        for section in report.sections.iter().filter(source) {
            let visited = section.rows.for_each(&mut |row| {
                said.push(match (row.kind, &row.cells[1], &row.cells[2]) {
                    (RowKind::Entry, Cell::Integer(line), _) => line.to_string(),
                    (_, _, heading) => String::from_utf8_lossy(heading.bytes(&NoNames)).into(),
                });
                Ok(())
            });
            visited.expect("nothing is written");
        }
        let said: Vec<_> = said.iter().map(|said| said.trim_end()).collect();
        assert_eq!(said, expected, "for {costs:?} and {choice:?}");
    }

    const PEOPLE: SourceFold = SourceFold { least_percent: Some(0.5), is_for_people: true };

    fn top(top: usize) -> RowChoice {
        RowChoice { top: Some(top), ..RowChoice::default() }
    }

    #[test]
    fn lines_around_hot_ones_are_shown_and_touching_ones_are_one_region() {
        let usual = RowChoice::default();
        let costs = [(2, 30.0), (8, 0.25), (16, 10.0)];
        let first = ["@@ lines 1-5 of 20, 30.0 % @@", "1", "2", "3", "4", "5"];
        let other = ["13", "14", "15", "16", "17", "18", "19"];
        let both = [&first[..], &["@@ lines 13-19 of 20, 10.0 % @@"], &other[..]].concat();
        check(&costs, &usual, PEOPLE, &both);
        let costs = [(2, 30.0), (9, 1.0), (6, 0.25)];
        let numbers: Vec<_> = (1..=12).map(|line: u8| line.to_string()).collect();
        let numbers = numbers.iter().map(|number| &**number);
        let one = ["@@ lines 1-12 of 20, 31.2 % @@"].into_iter().chain(numbers);
        check(&costs, &usual, PEOPLE, &one.collect::<Vec<_>>());
    }

    #[test]
    fn numbers_that_are_asked_for_choose_lines() {
        let costs = [(2, 1.0), (10, 30.0), (18, 2.0)];
        let hottest = ["7", "8", "9", "10", "11", "12", "13"];
        let hottest = [&["@@ lines 7-13 of 20, 30.0 % @@"], &hottest[..]].concat();
        check(&costs, &top(1), PEOPLE, &hottest);
        let least = RowChoice { min_percent: Some(5.0), ..RowChoice::default() };
        check(&costs, &least, PEOPLE, &hottest);
        check(&costs, &top(2), SourceFold::default(), &["10", "18"]);
    }

    #[test]
    fn a_file_without_hot_lines_is_in_the_table_only() {
        check(&[(3, 0.25)], &RowChoice::default(), PEOPLE, &[]);
    }

    #[test]
    fn the_table_of_files_comes_first_and_says_how_to_see_all() {
        let mut report = report(&[(3, 50.0)]);
        choose_lines(&mut report, &RowChoice::default(), &PEOPLE);
        assert_eq!(report.sections[0].id, SectionId::SourceFiles);
        assert_eq!(
            *report.sections[0].notes,
            [
                "Below are the lines with at least 0.5 %, and 3 around each; --all shows whole files."
            ]
        );
    }
}
