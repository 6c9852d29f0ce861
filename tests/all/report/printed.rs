//! Text and JSON agree in every number: the printed form of each JSON row is in the text, line
//! after line, and no line of the text has further numbers.

use std::collections::{HashMap, HashSet};

use profan::render::json;
use profan::report::{
    Cell, Column, LOWER_BOUND, Layout, NameTable, Report, Role, Row, RowKind, Section, SectionId,
};
use serde_json::Value;

use super::shown::{Shown, reports};

/// The expected parts of a line of text.
#[derive(Debug, Default)]
struct Line {
    /// The words that it starts with.
    start: Vec<String>,
    /// The words that follow.
    name: Vec<String>,
    /// The words at its end.
    end: Vec<String>,
}

impl Line {
    fn new(start: Vec<String>, name: &[u8]) -> Self {
        Self { start, name: words(&first_line(name)), end: Vec::new() }
    }

    fn fits(&self, words: &[String]) -> bool {
        let Some(rest) = words.strip_prefix(&*self.start) else {
            return false;
        };
        let Some(rest) = rest.strip_prefix(&*self.name) else {
            return false;
        };
        rest.ends_with(&self.end)
    }

    fn is_empty(&self) -> bool {
        self.start.is_empty() && self.name.is_empty() && self.end.is_empty()
    }
}

fn words(text: &str) -> Vec<String> {
    text.split_whitespace().map(str::to_owned).collect()
}

/// A name may have an end of line in it.
fn first_line(name: &[u8]) -> String {
    let line = name.split(|&byte| byte == b'\n').next();
    String::from_utf8_lossy(line.unwrap_or_default()).into_owned()
}

#[test]
fn text_has_the_numbers_of_json_and_no_others() {
    let mut n_lines = 0;
    // JSON has whole names.
    let has_whole_names = |shown: &&Shown| shown.plan.look.names.is_none();
    let shown = reports().filter(has_whole_names);
    for shown in shown.filter(|shown| !shown.is_cut()) {
        let report = json::read(&shown.json.stdout).expect("it was written so");
        n_lines += check(shown, &report);
    }
    assert!(n_lines > 40_000, "{n_lines} lines were compared");
}

/// Compares a report with its text. Returns how many rows have a line.
fn check(shown: &Shown, report: &Report) -> usize {
    let text = String::from_utf8_lossy(&shown.text.stdout).into_owned();
    let text = text.replace("\x1b[1m", "").replace("\x1b[0m", "");
    let mut lines = text.split('\n').peekable();
    let mut n_lines = 0;
    let mut may_stand: HashSet<String> = HashSet::new();
    for section in &report.sections {
        may_stand.extend(besides(section));
        if section.id == SectionId::ByFile && report.sections.len() > 1 {
            // It is for programs.
            continue;
        }
        if section.id == SectionId::Index {
            // It is checked below, for it is printed column by column.
            continue;
        }
        for line in lines_of(section, &*report.names, shown) {
            let found = lines.by_ref().find_map(|found| {
                let found_words = words(found);
                match line.fits(&found_words) {
                    true => Some(Ok(())),
                    false if may_be_besides(found, &may_stand, shown) => None,
                    false => Some(Err(found.to_owned())),
                }
            });
            let name = &shown.name;
            let id = section.id.id();
            match found {
                Some(Ok(())) => n_lines += 1,
                Some(Err(other)) => panic!("{name}: {id}: `{other}` is not {line:?}"),
                None => panic!("{name}: {id}: there is no {line:?}"),
            }
        }
    }
    for rest in lines {
        let is_besides = may_be_besides(rest, &may_stand, shown);
        assert!(is_besides, "{}: `{rest}` is of no row", shown.name);
    }
    check_index(shown, report, &text);
    n_lines
}

/// The lines of a section other than its rows.
fn besides(section: &Section) -> Vec<String> {
    let heads = section.columns.iter().flat_map(|column| &column.head);
    let all = section
        .summary
        .iter()
        .chain(&section.notes)
        .chain(&section.uncertainty.summary)
        .chain(&section.uncertainty.legend)
        .map(String::as_str);
    let all = all.chain(heads.map(|head| &**head)).chain([&*section.title]);
    let lines = all.flat_map(str::lines).map(|line| line.trim().to_owned());
    lines.collect()
}

/// Whether a line of text may exist without a row for it: all its numbers appear outside of the
/// rows of a section.
fn may_be_besides(line: &str, may_stand: &HashSet<String>, shown: &Shown) -> bool {
    let has_digit = line.contains(|c: char| c.is_ascii_digit());
    let is_said = || may_stand.contains(line.trim());
    let is_of_index = || line.split_whitespace().any(|word| word.starts_with('['));
    // Units may have digits, and headings are cut to the width of their columns.
    let is_head = line.trim_end().ends_with(" name");
    let is_of_file = line.starts_with("Never entered in ");
    !has_digit || is_head || is_of_file || shown.plan.look.explain || is_said() || is_of_index()
}

/// The lines that the rows of a section are printed in.
fn lines_of(section: &Section, names: &dyn NameTable, shown: &Shown) -> Vec<Line> {
    use SectionId as S;
    let printer = Printer { section, names, shown };
    let mut rows: Vec<(RowKind, Vec<Cell>)> = Vec::new();
    let visited = section.rows.for_each(&mut |row| {
        rows.push((row.kind, row.cells.to_vec()));
        Ok(())
    });
    visited.expect("nothing fails here");
    let each = |line_of: &dyn Fn(Row<'_>) -> Line| {
        let row = |(kind, cells): &(RowKind, Vec<Cell>)| line_of(Row { kind: *kind, cells });
        rows.iter().map(row).filter(|line| !line.is_empty()).collect()
    };
    match section.id {
        // Sentences contain the same as their rows; see below.
        S::Files => {
            printer.check_sentences(&rows);
            Vec::new()
        }
        S::CoverageFunctions | S::CoverageBranches | S::CoverageLines => Vec::new(),
        S::Graph if section.layout == Layout::Table => each(&|row| printer.graph_table(row)),
        S::Graph => each(&|row| printer.graph(row)),
        S::Counts if section.layout == Layout::Gprof => each(&|row| printer.executions(row)),
        S::Source => each(&|row| printer.source(row)),
        S::SourceTop | S::SourceSummary => each(&|row| printer.table(row)),
        S::Order => each(&|row| printer.order(row)),
        S::Coverage => each(&|row| printer.coverage(row)),
        S::CoverageMissed => each(&|row| printer.missed(row)),
        S::TraceHistory => history(&rows, section.column("unit")),
        _ => each(&|row| printer.table(row)),
    }
}

/// Says how a row is printed.
struct Printer<'s> {
    section: &'s Section,
    names: &'s dyn NameTable,
    shown: &'s Shown,
}

impl Printer<'_> {
    fn at(&self, id: &str) -> Option<usize> {
        self.section.column(id)
    }

    fn cell<'r>(&self, row: Row<'r>, id: &str) -> &'r Cell {
        const NONE: &Cell = &Cell::Absent;
        self.at(id).map_or(NONE, |place| &row.cells[place])
    }

    /// The column that is shown of a role.
    fn shown_of(&self, role: Role) -> Option<usize> {
        let mut columns = self.section.columns.iter();
        columns.position(|column| column.role == role && column.print.is_some())
    }

    /// Limits and marks are shown with `--error`, in the place of running sums.
    fn is_shown(&self, column: &Column) -> bool {
        let shows_error = self.shown.plan.look.error;
        let mut columns = self.section.columns.iter();
        match column.role {
            // Screens mark guesses.
            Role::Marks if column.id == "guess" => false,
            Role::Limit | Role::Marks => shows_error,
            Role::Cumulative if shows_error => !columns.any(|one| one.role == Role::Limit),
            _ => column.print.is_some(),
        }
    }

    fn is_linkage(&self) -> bool {
        self.section.layout == Layout::Bsd
    }

    /// A name as the table shows it.
    fn name(&self, cell: &Cell) -> Vec<u8> {
        match cell {
            Cell::Name(id) if self.is_linkage() => self.names.linkage_name(*id).to_vec(),
            Cell::Name(id) => self.names.name(*id).to_vec(),
            Cell::Text(text) => text.to_vec(),
            _ => Vec::new(),
        }
    }

    /// A cell of a column, as words.
    fn printed(&self, cell: &Cell, column: &Column) -> Vec<String> {
        match cell {
            Cell::Name(_) | Cell::Text(_) => words(&first_line(&self.name(cell))),
            // Limits have the decimals of the times that they limit.
            Cell::Real(limit) if column.role == Role::Limit => {
                let decimals = usize::from(self.section.time_decimals());
                vec![format!("{limit:.decimals$}")]
            }
            cell => number(cell, column).into_iter().collect(),
        }
    }

    /// The numbers of the columns that are shown, and then the last one.
    fn table(&self, row: Row<'_>) -> Line {
        let columns = self.section.columns.iter().zip(row.cells);
        let mut shown: Vec<_> = columns.filter(|(column, _)| self.is_shown(column)).collect();
        let Some((last, name)) = shown.pop() else {
            return Line::default();
        };
        let start = shown.iter().flat_map(|(column, cell)| self.printed(cell, column));
        let mut start: Vec<_> = start.collect();
        if row.kind == RowKind::Frame && self.section.layout == Layout::Table {
            start.push("by".to_owned());
        }
        match (name, last.role) {
            (Cell::Real(share), Role::Bar) => {
                let length = (share * 20.0).ceil();
                #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss)]
                start.extend((length > 0.0).then(|| "#".repeat(length as usize)));
                Line::new(start, b"")
            }
            (Cell::Integer(_) | Cell::Real(_), _) => {
                start.extend(number(name, last));
                Line::new(start, b"")
            }
            _ => Line::new(start, &self.name(name)),
        }
    }

    /// The omitted costs, which are not in a column.
    fn in_words(&self, row: Row<'_>) -> Line {
        Line::new(Vec::new(), &self.name(self.cell(row, "name")))
    }

    /// `[1] PERCENT SELF CHILDREN CALLS+SELF NAME [1]`, or of a call `SELF CHILDREN
    /// CALLS/ALL NAME [1]`.
    fn graph(&self, row: Row<'_>) -> Line {
        if row.kind == RowKind::Rest {
            return self.in_words(row);
        }
        let shown = |role| {
            let place = self.shown_of(role).expect("it is shown");
            let column = &self.section.columns[place];
            number(&row.cells[place], column).unwrap_or_else(|| format!("{:.2}", 0.0))
        };
        let count = |id: &str| match self.cell(row, id) {
            Cell::Integer(count) => *count,
            _ => 0,
        };
        let (calls, self_calls) = (count("calls"), count("self_calls"));
        let with_self = match self_calls {
            0 => calls.to_string(),
            _ => format!("{calls}+{self_calls}"),
        };
        let mut times = vec![shown(Role::SelfValue), shown(Role::Children)];
        for (column, cell) in self.section.columns.iter().zip(row.cells) {
            if matches!(column.role, Role::Limit | Role::Marks) && self.is_shown(column) {
                times.extend(self.printed(cell, column));
            }
        }
        let mut start = Vec::new();
        match row.kind {
            RowKind::Entry | RowKind::Cycle => {
                let index = self.reference(row).unwrap_or_default();
                start.push(index.chars().take(6).collect());
                start.push(shown(Role::Share));
                start.extend(times);
                let is_silent = (calls, self_calls) == (0, 0) && row.kind == RowKind::Entry;
                start.extend((!is_silent).then_some(with_self));
            }
            RowKind::Member => {
                start.extend(times);
                start.push(with_self);
            }
            // Calls of inlined code are not counted.
            _ if self.cell(row, "calls").is_absent() => start.extend(times),
            _ => match self.cell(row, "of_calls") {
                Cell::Absent => start.push(calls.to_string()),
                of_calls => {
                    let of = number(of_calls, &self.section.columns[0]);
                    start.extend(times);
                    start.push(format!("{calls}/{}", of.expect("it is a number")));
                }
            },
        }
        self.referring(row, start)
    }

    /// Numbers of an entry, and totals of the callee after a slash.
    fn graph_table(&self, row: Row<'_>) -> Line {
        if row.kind == RowKind::Rest {
            return self.in_words(row);
        }
        let is_entry = matches!(row.kind, RowKind::Entry | RowKind::Cycle);
        let mut start = Vec::new();
        if is_entry {
            start.extend(self.reference(row));
            let share = self.shown_of(Role::Share);
            start.extend(
                share.and_then(|place| number(&row.cells[place], &self.section.columns[place])),
            );
        }
        for (column, cell) in self.section.columns.iter().zip(row.cells) {
            let roles = [Role::SelfValue, Role::Children, Role::Total, Role::Calls];
            if column.print.is_none() || !roles.contains(&column.role) {
                continue;
            }
            let of = number(self.cell(row, &format!("of_{}", column.id)), column);
            let own = number(cell, column);
            start.extend(match (own, of) {
                (Some(own), Some(of)) => Some(format!("{own}/{of}")),
                (own, None) => own,
                (None, Some(of)) => Some(format!("/{of}")),
            });
        }
        self.referring(row, start)
    }

    /// The number of an entry, in brackets, or in parentheses without one.
    fn reference(&self, row: Row<'_>) -> Option<String> {
        let Cell::Integer(index) = self.cell(row, "index") else {
            return None;
        };
        let is_entry = matches!(row.kind, RowKind::Entry | RowKind::Cycle);
        Some(match self.cell(row, "unlisted") {
            Cell::Absent => format!("[{index}]"),
            _ if is_entry => format!("[{index}]"),
            _ => format!("({index})"),
        })
    }

    /// A line that ends with the cycle and the number of the function that it names.
    fn referring(&self, row: Row<'_>, start: Vec<String>) -> Line {
        let mut end = Vec::new();
        let reference = self.reference(row);
        if let (Cell::Integer(cycle), true) = (self.cell(row, "cycle"), row.kind != RowKind::Cycle)
        {
            end.extend(["<cycle".to_owned(), format!("{cycle}>")]);
        }
        end.extend(reference);
        let is_table = self.section.layout == Layout::Table;
        if is_table && !self.cell(row, "recursive").is_absent() {
            end.push("(recursive)".to_owned());
        }
        if is_table && !self.cell(row, LOWER_BOUND).is_absent() {
            end.extend(words("(at least)"));
        }
        Line { end, ..Line::new(start, &self.name(self.cell(row, "name"))) }
    }

    /// `FILE:LINE: (NAME:ADDRESS) N executions`.
    fn executions(&self, row: Row<'_>) -> Line {
        let executions = number(self.cell(row, "executions"), &self.section.columns[0]);
        let mut end = words(&executions.unwrap_or_default());
        end.push("executions".to_owned());
        if row.kind == RowKind::Rest {
            let name = self.name(self.cell(row, "name"));
            let mut left_out = words(&format!("{}:", String::from_utf8_lossy(&name)));
            left_out.extend(end);
            return Line { start: left_out, ..Line::default() };
        }
        Line { end, ..Line::default() }
    }

    /// Counts or costs, and the line of the source.
    fn source(&self, row: Row<'_>) -> Line {
        let text = self.name(self.cell(row, "text"));
        if row.kind == RowKind::Inline {
            let time = number(self.cell(row, "inlined_time"), &self.section.columns[0]);
            let start = time.into_iter().chain(["in".to_owned()]);
            let line = Line::new(start.collect(), &self.name(self.cell(row, "inlined")));
            return Line { end: words("(inlined)"), ..line };
        }
        if self.section.layout == Layout::Table {
            let numbers = self.section.columns.iter().zip(row.cells);
            let numbers = numbers
                .filter(|(column, _)| column.print.is_some() && column.role != Role::Source)
                .flat_map(|(column, cell)| match cell {
                    Cell::Counts(counts) => vec![some_of(counts)],
                    cell => self.printed(cell, column),
                });
            return Line::new(numbers.collect(), &text);
        }
        let counts = match &row.cells[0] {
            Cell::Counts(counts) => {
                let counts: Vec<_> = counts.iter().map(u64::to_string).collect();
                format!("{} -> ", counts.join(","))
            }
            Cell::Text(mark) => format!("{} -> ", String::from_utf8_lossy(mark)),
            _ => String::new(),
        };
        // Sixteen columns; longer text is cut at its end.
        let counts: String = counts.chars().take(16).collect();
        let whole = counts + &first_line(&text);
        Line::new(words(&whole), b"")
    }

    fn order(&self, row: Row<'_>) -> Line {
        let name = match &row.cells[0] {
            Cell::Name(id) => self.names.linkage_name(*id).to_vec(),
            cell => self.name(cell),
        };
        Line::new(Vec::new(), &name)
    }

    /// Entered, all and percent, of functions and of branches.
    fn coverage(&self, row: Row<'_>) -> Line {
        let mut start = Vec::new();
        for share in row.cells[1..].chunks(3) {
            let column = &self.section.columns[0];
            start.extend(share[..2].iter().filter_map(|cell| number(cell, column)));
            start.push(match share[2] {
                Cell::Real(percent) => format!("{percent:.1}"),
                _ => "-".to_owned(),
            });
        }
        Line::new(start, &self.name(&row.cells[0]))
    }

    /// Line, kind and name, below the name of the file.
    fn missed(&self, row: Row<'_>) -> Line {
        let columns = self.section.columns.iter().zip(row.cells).skip(1);
        let start = columns.flat_map(|(column, cell)| self.printed(cell, column));
        Line::new(start.collect(), b"")
    }

    /// Every whole number of a file's rows is in its sentences.
    fn check_sentences(&self, rows: &[(RowKind, Vec<Cell>)]) {
        let said = self.section.summary.join(" ");
        let is_part = |c: char| c.is_ascii_alphanumeric() || c == '-';
        let said: Vec<_> = said.split(|c| !is_part(c)).collect();
        let text = String::from_utf8_lossy(&self.shown.text.stdout);
        for sentence in &self.section.summary {
            assert!(text.contains(sentence.as_str()), "{}: {sentence}", self.shown.name);
        }
        for (kind, cells) in rows {
            let row = Row { kind: *kind, cells };
            let Cell::Integer(value) = self.cell(row, "value") else {
                panic!("{}: a value is no whole number", self.shown.name);
            };
            let (decimal, hexadecimal) = (value.to_string(), format!("{value:#x}"));
            let is_said = said.iter().any(|word| **word == decimal || **word == hexadecimal);
            // Text may omit zeros.
            assert!(is_said || *value == 0, "{}: {value} is not said", self.shown.name);
        }
    }
}

/// A number with the decimals of its column, without a sign for zero.
fn number(cell: &Cell, column: &Column) -> Option<String> {
    match cell {
        Cell::Integer(number) => Some(number.to_string()),
        Cell::Real(number) => {
            let decimals = column.print.map_or(2, |print| usize::from(print.decimals));
            Some(format!("{number:.decimals$}"))
        }
        _ => None,
    }
}

/// Counts as far as sixteen columns have room for them.
fn some_of(counts: &[u64]) -> String {
    let mut words: Vec<_> = counts.iter().map(u64::to_string).collect();
    while words.join(",").len() > 16 {
        let n_shown = words.len() - 1 - usize::from(words.ends_with(&["...".to_owned()]));
        words.truncate(n_shown);
        words.push("...".to_owned());
    }
    words.join(",")
}

/// The lines of the chart from the highest down, and how many events there are.
fn history(rows: &[(RowKind, Vec<Cell>)], unit: Option<usize>) -> Vec<Line> {
    let numbers = |column: usize| {
        let cells = rows.iter().map(move |(_, cells)| &cells[column]);
        cells.filter_map(|cell| match cell {
            Cell::Integer(number) => Some(*number),
            _ => None,
        })
    };
    let heights: Vec<_> = numbers(0).collect();
    let bytes: Vec<_> = numbers(1).collect();
    let mut lines = Vec::new();
    for (line, bytes) in bytes.iter().enumerate().rev() {
        let marks = heights.iter().map(|&height| if height > line as i128 { '#' } else { ' ' });
        let marks: String = marks.collect();
        lines.push(Line::new(words(&format!("{bytes} |{marks}")), b""));
    }
    let rule = format!("+{}", "-".repeat(heights.len()));
    lines.push(Line::new(vec!["0".to_owned(), rule], b""));
    lines.push(Line::new(words("^ peak"), b""));
    let n_events = numbers(3).next().map(|n| n.to_string());
    // Times have a unit and start at 0, events at 1.
    let unit = rows.iter().find_map(|(_, cells)| match cells.get(unit?) {
        Some(Cell::Text(unit)) => Some(String::from_utf8_lossy(unit)),
        _ => None,
    });
    let (first, unit) = unit.map_or((1, "events".into()), |unit| (0, unit));
    lines.push(Line::new(words(&format!("{first} {} {unit}", n_events.unwrap_or_default())), b""));
    lines
}

/// Every number of the index precedes its name.
fn check_index(shown: &Shown, report: &Report, text: &str) {
    let is_index = |section: &&Section| section.id == SectionId::Index;
    for section in report.sections.iter().filter(is_index) {
        let (_, index) = text.split_once(&*section.title).expect("it has its title");
        let mut named: HashMap<&str, Vec<&str>> = HashMap::new();
        for (place, _) in index.match_indices('[') {
            if let Some((number, behind)) = index[place + 1..].split_once("] ") {
                named.entry(number).or_default().push(behind);
            }
        }
        let printer = Printer { section, names: &*report.names, shown };
        let visited = section.rows.for_each(&mut |row| {
            let [Cell::Integer(number), name, ..] = row.cells else {
                panic!("{}: an index has numbers and names", shown.name);
            };
            let name = first_line(&printer.name(name));
            let start: String = name.chars().take(18).collect();
            let behind = named.get(&*number.to_string());
            let is_there = behind.is_some_and(|all| all.iter().any(|one| one.starts_with(&start)));
            assert!(is_there, "{}: [{number}] {name}", shown.name);
            Ok(())
        });
        visited.expect("nothing fails here");
    }
}

/// The numbers read from JSON are the numbers in it: the test above relies on this.
#[test]
fn numbers_read_from_json_equal_the_numbers_in_it() {
    let mut n_numbers = 0;
    for shown in reports() {
        let bytes = &shown.json.stdout;
        let report = json::read(bytes).expect("it was written so");
        let value: Value = serde_json::from_slice(bytes).expect("it is JSON");
        for (index, section) in report.sections.iter().enumerate() {
            let rows = value["sections"][index]["rows"].as_array();
            let mut flat = Vec::new();
            for row in rows.expect("there are rows") {
                flatten(row, &mut flat);
            }
            let mut flat = flat.into_iter();
            let visited = section.rows.for_each(&mut |row| {
                let object = flat.next().expect("there are as many");
                n_numbers += compare(shown, &report, section, row, object);
                Ok(())
            });
            visited.expect("nothing fails here");
            assert!(flat.next().is_none(), "{}: more rows", shown.name);
        }
    }
    assert!(n_numbers > 100_000, "{n_numbers} numbers were compared");
}

/// A row and its subordinate rows, in the order of rows.
fn flatten<'v>(row: &'v Value, rows: &mut Vec<&'v Value>) {
    let group = |key: &str| row[key].as_array().map_or(&[][..], Vec::as_slice);
    for caller in group("callers") {
        flatten(caller, rows);
    }
    rows.push(row);
    for key in ["inlines", "frames", "members", "callees"] {
        for part in group(key) {
            flatten(part, rows);
        }
    }
}

fn compare(
    shown: &Shown,
    report: &Report,
    section: &Section,
    row: Row<'_>,
    object: &Value,
) -> usize {
    let mut n_numbers = 0;
    for (column, cell) in section.columns.iter().zip(row.cells) {
        let read = match cell {
            Cell::Integer(number) => *number as f64,
            Cell::Real(number) => *number,
            _ => continue,
        };
        let metric = column.metric.filter(|&metric| metric != report.primary);
        let metric = metric.map(|metric| &*report.metrics[metric].id);
        let said = match (column.role, metric) {
            (Role::SelfValue, Some(id)) if object["values"][id].is_number() => {
                &object["values"][id]
            }
            (Role::Total, Some(id)) if object["total_values"][id].is_number() => {
                &object["total_values"][id]
            }
            _ => &object[&*column.id],
        };
        assert_eq!(said.as_f64(), Some(read), "{}: {}: {object}", shown.name, column.id);
        n_numbers += 1;
    }
    n_numbers
}
