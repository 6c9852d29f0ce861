//! Reports for tests.

use std::borrow::Cow;
use std::collections::HashMap;
use std::sync::Arc;

use super::recorded::stacks_of_rows;
use super::{RenderOptions, Renderer};
use crate::report::{
    Basis, Cell, Column, Diagnostic, Layout, Metric, NameId, NameTable, Report, ReportInput, Role,
    RowKind, RowTable, Section, SectionId, SourceLocation, Uncertainty,
};

/// The output of a renderer.
pub(super) fn rendered(renderer: &Renderer, report: &Report, options: &RenderOptions) -> Vec<u8> {
    let mut out = Vec::new();
    let shown = renderer.render(report, options, &mut out);
    shown.expect("a vector takes everything, and there is something to show");
    out
}

/// A name, for lists of them.
#[derive(Clone, Debug, Default)]
pub(super) struct TestName {
    pub(super) name: Vec<u8>,
    pub(super) linkage_name: Option<Vec<u8>>,
    pub(super) location: Option<(Vec<u8>, u32)>,
    pub(super) address: Option<u64>,
    pub(super) is_static: bool,
}

pub(super) struct TestNames(pub(super) Vec<TestName>);

impl NameTable for TestNames {
    fn name(&self, id: NameId) -> &[u8] {
        &self.0[id.index()].name
    }
    fn linkage_name(&self, id: NameId) -> &[u8] {
        let name = &self.0[id.index()];
        name.linkage_name.as_ref().unwrap_or(&name.name)
    }
    fn location(&self, id: NameId) -> Option<SourceLocation<'_>> {
        let (file, line) = self.0[id.index()].location.as_ref()?;
        Some(SourceLocation { file, line: *line })
    }
    fn address(&self, id: NameId) -> Option<u64> {
        self.0[id.index()].address
    }
    fn is_static(&self, id: NameId) -> bool {
        self.0[id.index()].is_static
    }
}

pub(super) fn metric(id: &'static str) -> Metric {
    Metric {
        id: id.into(),
        quantity: "time".into(),
        unit: Cow::Borrowed(id),
        rate: (id == "ticks").then_some(100),
        parts: None,
        basis: Basis::Sampled,
        source: None,
        calls_source: None,
        per_sample: None,
        is_level: false,
        total_basis: Some(Basis::Propagated),
    }
}

pub(super) fn section(
    id: SectionId,
    columns: impl IntoIterator<Item = Column>,
    rows: RowTable,
) -> Section {
    Section {
        id,
        title: "A title".into(),
        run: None,
        layout: Layout::Gprof,
        summary: vec!["100 ticks".to_owned()],
        columns: columns.into_iter().collect(),
        rows: Box::new(rows),
        stacks: None,
        notes: vec!["\"said\" afterwards".to_owned()],
        uncertainty: Uncertainty::default(),
    }
}

pub(super) fn report(names: Vec<TestName>, mut sections: Vec<Section>) -> Report {
    let metrics = vec![metric("bytes"), metric("ticks")];
    for section in &mut sections {
        let stacks = stacks_of_rows(&section.columns, &*section.rows, &metrics, 1);
        section.stacks = stacks.map(Arc::new);
    }
    Report {
        inputs: vec![
            ReportInput {
                path: "gmon.out".to_owned(),
                kind: "profile".into(),
                layout: "gmon".to_owned(),
                build_id: None,
                verdict: None,
            },
            ReportInput {
                path: "prog".to_owned(),
                kind: "executable".into(),
                layout: "elf64".to_owned(),
                build_id: Some("0123abcd".to_owned()),
                verdict: None,
            },
        ],
        metrics,
        primary: 1,
        names: Box::new(TestNames(names)),
        sections,
        diagnostics: vec![Diagnostic {
            code: "no-lines".into(),
            message: "there are no lines".to_owned(),
            advice: "compile with `-g`".to_owned(),
        }],
        command: Vec::new(),
        notes: Vec::new(),
        has_chosen_rows: false,
    }
}

pub(super) fn sample_names() -> Vec<TestName> {
    let bare = |name: &str| TestName { name: name.into(), ..TestName::default() };
    vec![
        TestName {
            linkage_name: Some(b"_ZN2ns4workEi".to_vec()),
            location: Some((b"src/work.cc".to_vec(), 12)),
            address: Some(0x40_1000),
            ..bare("ns::work(int)")
        },
        TestName { address: Some(0x40_1100), is_static: true, ..bare("main") },
        bare("helper"),
    ]
}

/// A report with a flat profile, a call graph, leaks and an order.
pub(super) fn sample_report() -> Report {
    let sections = vec![flat(), graph(), leaks(), order()];
    report(sample_names(), sections)
}

fn name(id: u32) -> Cell {
    Cell::Name(NameId(id))
}

fn flat() -> Section {
    use Cell::{Absent, Integer, Real};
    let columns = [
        Column::shown("self", Role::SelfValue, ["self", "ticks"]).of(1).printed(8, 2),
        Column::hidden("self_bytes", Role::SelfValue).of(0),
        Column::hidden("total", Role::Total).of(1),
        Column::shown("percent", Role::Share, ["%", "time"]),
        Column::hidden("calls", Role::Calls),
        Column::shown("name", Role::Name, ["", "name"]),
    ];
    let mut rows = RowTable::default();
    rows.push(
        RowKind::Entry,
        [Integer(30), Integer(4096), Integer(100), Real(75.0), Integer(3), name(0)],
    );
    rows.push(RowKind::Entry, [Integer(10), Absent, Absent, Real(25.0), Absent, name(1)]);
    let nowhere = Cell::text("<unattributed>");
    rows.push(RowKind::Unattributed, [Integer(5), Absent, Absent, Absent, Absent, nowhere]);
    section(SectionId::Flat, columns, rows)
}

/// The columns of a call graph.
pub(super) fn graph_columns() -> [Column; 14] {
    [
        Column::hidden("index", Role::Index),
        Column::hidden("percent", Role::Share),
        Column::hidden("self_percent", Role::Share),
        Column::hidden("self", Role::SelfValue).of(1),
        Column::hidden("children", Role::Children).of(1),
        Column::hidden("total", Role::Total).of(1),
        Column::hidden("self_seconds", Role::SelfValue).of(1),
        Column::hidden("children_seconds", Role::Children).of(1),
        Column::hidden("total_seconds", Role::Total).of(1),
        Column::hidden("calls", Role::Calls),
        Column::hidden("self_calls", Role::Calls),
        Column::hidden("of_calls", Role::Calls),
        Column::hidden("name", Role::Name),
        Column::hidden("cycle", Role::Index),
    ]
}

/// A row of a call graph of some cells.
pub(super) fn graph_row(cells: &[(&str, Cell)]) -> Vec<Cell> {
    let cells: HashMap<_, _> = cells.iter().cloned().collect();
    let columns = graph_columns();
    let cell = |column: &Column| cells.get(&*column.id).cloned().unwrap_or_default();
    columns.iter().map(cell).collect()
}

fn graph() -> Section {
    use Cell::{Integer, Real};
    let mut rows = RowTable::default();
    let mut push = |kind, cells: &[(&str, Cell)]| rows.push(kind, graph_row(cells));
    let spontaneous = Cell::text("<spontaneous>");
    push(RowKind::Caller, &[("name", spontaneous)]);
    push(
        RowKind::Entry,
        &[
            ("index", Integer(1)),
            ("percent", Real(100.0)),
            ("self_percent", Real(25.0)),
            ("self", Integer(10)),
            ("self_seconds", Real(0.1)),
            ("total_seconds", Real(0.4)),
            ("name", name(1)),
        ],
    );
    let arc = [
        ("percent", Real(75.0)),
        ("self", Integer(30)),
        ("calls", Integer(3)),
        ("of_calls", Integer(3)),
    ];
    let callee = [("index", Integer(2)), ("name", name(0)), ("cycle", Integer(1))];
    push(RowKind::Callee, &[&arc[..], &callee].concat());
    let unseen = [("index", Integer(4)), ("percent", Real(0.1)), ("name", name(2))];
    push(RowKind::Callee, &unseen);
    let caller = [("index", Integer(1)), ("name", name(1))];
    push(RowKind::Caller, &[&arc[..], &caller].concat());
    push(
        RowKind::Cycle,
        &[
            ("index", Integer(3)),
            ("percent", Real(75.0)),
            ("self_seconds", Real(0.3)),
            ("total_seconds", Real(0.3)),
            ("cycle", Integer(1)),
            ("name", Cell::text("<cycle 1 as a whole>")),
        ],
    );
    push(RowKind::Member, &callee);
    push(RowKind::Caller, &[&arc[..], &caller].concat());
    push(
        RowKind::Entry,
        &[
            ("index", Integer(2)),
            ("percent", Real(75.0)),
            ("self", Integer(30)),
            ("calls", Integer(3)),
            ("self_calls", Integer(7)),
            ("name", name(0)),
            ("cycle", Integer(1)),
        ],
    );
    push(RowKind::Entry, &unseen);
    section(SectionId::Graph, graph_columns(), rows)
}

fn leaks() -> Section {
    use Cell::{Absent, Integer};
    let columns =
        [Column::hidden("self", Role::SelfValue).of(1), Column::hidden("name", Role::Name)];
    let mut rows = RowTable::default();
    for bytes in [64, 32] {
        rows.push(RowKind::Entry, [Integer(bytes), name(0)]);
        rows.push(RowKind::Inline, [Absent, name(2)]);
        rows.push(RowKind::Frame, [Absent, name(1)]);
        rows.push(RowKind::Inline, [Absent, name(0)]);
        rows.push(RowKind::Inline, [Absent, name(2)]);
        rows.push(RowKind::Frame, [Absent, name(2)]);
    }
    rows.push(RowKind::Entry, [Integer(8), name(2)]);
    rows.push(RowKind::Rest, [Integer(1), Absent]);
    section(SectionId::Leaks, columns, rows)
}

/// Every kind after every other, as no analysis makes them.
fn order() -> Section {
    let mut rows = RowTable::default();
    let mut number = 0;
    for &first in RowKind::ALL {
        for &second in RowKind::ALL {
            for third in [RowKind::Entry, RowKind::Callee, RowKind::Inline, RowKind::Caller] {
                for kind in [first, second, third] {
                    number += 1;
                    rows.push(kind, [Cell::Integer(number)]);
                }
            }
        }
    }
    section(SectionId::Order, [Column::hidden("index", Role::Index)], rows)
}

/// Names and text that would break a format that is not careful.
pub(super) fn hostile_report() -> Report {
    let names: Vec<_> = HOSTILE_NAMES
        .iter()
        .map(|name| TestName {
            name: name.to_vec(),
            linkage_name: Some([b"_Z".as_slice(), name].concat()),
            location: Some((name.to_vec(), 7)),
            address: Some(u64::MAX),
            is_static: true,
        })
        .collect();
    let mut rows = RowTable::default();
    let mut graph = RowTable::default();
    for (id, name) in (0..).zip(HOSTILE_NAMES) {
        let number = Cell::Integer(i128::MIN + i128::from(id));
        let file = Cell::text(name);
        let counts = Cell::Counts([u64::MAX, 0].into());
        let real = Cell::Real(1e300);
        let name = Cell::Name(NameId(id));
        rows.push(RowKind::Entry, [number, real, counts, file, name.clone()]);
        let entry = [
            ("index", Cell::Integer(i128::from(id))),
            ("percent", Cell::Real(50.0)),
            ("name", name),
        ];
        graph.push(RowKind::Entry, graph_row(&entry));
    }
    let columns = [
        Column::hidden("kind", Role::Count),
        Column::hidden("values", Role::Other),
        Column::hidden("counts", Role::Count),
        Column::hidden("file", Role::Source),
        Column::hidden("name", Role::Name),
    ];
    let sections = vec![
        section(SectionId::Flat, columns, rows),
        section(SectionId::Graph, graph_columns(), graph),
    ];
    report(names, sections)
}

const HOSTILE_NAMES: [&[u8]; 14] = [
    b"a,b",
    b"\"quoted\"",
    b"line\nend\r\nagain",
    b"tab\there",
    b"\xff\xfe",
    b"half \xc3",
    "größe €\u{202e}".as_bytes(),
    b"nul\0 esc\x1b[31m",
    b"back\\slash\\n \\xff {\"bytes\":\"00\"}",
    b"a<b>&lt;&amp;</b>",
    b"[\"}]),;",
    b"`a``|b\\|c` *d* _e_ ",
    "]]>\u{ffff}\u{fffe}".as_bytes(),
    b"",
];

/// The coverage of two files.
pub(super) fn coverage_report() -> Report {
    use Cell::Integer;
    let text = |text: &str| Cell::text(text);
    let columns = |ids: &[&'static str]| {
        let columns = ids.iter().map(|&id| Column::hidden(id, Role::Other));
        columns.collect::<Vec<_>>()
    };
    let [list, a] = ["$(SML_LIB)/list.sml", "a.sml"].map(text);
    let mut files = RowTable::default();
    let mut push = |kind, file: &Cell, counts: [i128; 4]| {
        let counts = counts.map(Integer);
        files.push(kind, [file.clone()].into_iter().chain(counts));
    };
    push(RowKind::Entry, &list, [1, 1, 0, 0]);
    push(RowKind::Entry, &a, [3, 4, 1, 3]);
    push(RowKind::Total, &text("all files"), [4, 5, 1, 3]);
    let mut functions = RowTable::default();
    let mut push = |file: &Cell, line: i128, name: &str, entries: i128| {
        let cells = [file.clone(), Integer(line), text(name), Integer(entries)];
        functions.push(RowKind::Entry, cells);
    };
    push(&list, 1, "List.map", 7);
    push(&a, 3, "f", 6);
    push(&a, 6, "f.fn", 3);
    push(&a, 7, "f.fn", 2);
    push(&a, 9, "never\nSF:x", 0);
    let mut branches = RowTable::default();
    for [line, entries, group, index, reached] in
        [[4, 5, 0, 0, 1], [4, 0, 0, 1, 1], [9, 0, 0, 0, 0]]
    {
        let cells = [line, entries, group, index, reached].map(Integer);
        branches.push(RowKind::Entry, [a.clone()].into_iter().chain(cells));
    }
    let mut lines = RowTable::default();
    lines.push(RowKind::Entry, [list, Integer(1), Integer(7)]);
    for [line, entries] in [[3, 6], [4, 5], [6, 3], [7, 2], [9, 0]] {
        lines.push(RowKind::Entry, [a.clone(), Integer(line), Integer(entries)]);
    }
    let sections = vec![
        section(
            SectionId::Coverage,
            columns(&["file", "functions_entered", "functions", "branches_entered", "branches"]),
            files,
        ),
        section(
            SectionId::CoverageFunctions,
            columns(&["file", "line", "name", "entries"]),
            functions,
        ),
        section(
            SectionId::CoverageBranches,
            columns(&["file", "line", "entries", "group", "index", "reached"]),
            branches,
        ),
        section(SectionId::CoverageLines, columns(&["file", "line", "entries"]), lines),
    ];
    report(Vec::new(), sections)
}

/// The differences between two sides, by function and by call.
pub(super) fn difference_report() -> Report {
    report(sample_names(), vec![difference(), difference_calls()])
}

/// The columns of a difference, as the analysis makes them.
pub(super) fn difference_columns() -> [Column; 12] {
    let seconds = |id, role, word| Column::shown(id, role, [word, "seconds"]).of(1);
    let calls = |id, role, word| Column::shown(id, role, ["calls", word]).printed(0, 0);
    [
        seconds("old", Role::Old, "old"),
        seconds("new", Role::New, "new"),
        seconds("change", Role::Change, "change"),
        Column::shown("change_percent", Role::Other, ["change", "%"]).printed(0, 1).signed(),
        seconds("low", Role::Limit, "at least").signed(),
        seconds("high", Role::Limit, "at most").signed(),
        Column::shown("verdict", Role::Verdict, ["", "verdict"]),
        calls("calls_old", Role::Old, "old"),
        calls("calls_new", Role::New, "new"),
        calls("calls_change", Role::Change, "change"),
        Column::hidden("failure", Role::Failure),
        Column::shown("name", Role::Name, ["", "name"]),
    ]
}

/// A row of a difference, whose calls went from 3 to 5.
pub(super) fn difference_row(
    [old, new]: [f64; 2],
    verdict: &str,
    failure: Option<&str>,
    name: Cell,
) -> [Cell; 12] {
    use Cell::{Integer, Real};
    let change = new - old;
    [
        Real(old),
        Real(new),
        Real(change),
        if old > 0.0 { Real(100.0 * change / old) } else { Cell::Absent },
        Real(change - 0.125),
        Real(change + 0.125),
        Cell::text(verdict),
        Integer(3),
        Integer(5),
        Integer(2),
        failure.map_or(Cell::Absent, Cell::text),
        name,
    ]
}

fn difference() -> Section {
    let slower = "slower: 1.00 s became 1.50 s, +50.0 %";
    let all = Cell::text("whole program");
    let rows = [
        (RowKind::Total, [2.0, 2.25], "slower", None, all),
        (RowKind::Entry, [1.0, 1.5], "slower", Some(slower), name(0)),
        (RowKind::Entry, [1.0, 0.5], "faster", None, name(1)),
        (RowKind::Entry, [0.0, 0.25], "new", None, name(2)),
        (RowKind::Unattributed, [0.0, 0.0], "unclear", None, Cell::text("<unattributed>")),
    ];
    let mut table = RowTable::default();
    for (kind, sides, verdict, failure, name) in rows {
        table.push(kind, difference_row(sides, verdict, failure, name));
    }
    let section = section(SectionId::Difference, difference_columns(), table);
    Section { title: "What differs".into(), layout: Layout::Table, ..section }
}

fn difference_calls() -> Section {
    use Cell::Integer;
    let columns = [
        Column::shown("calls_old", Role::Old, ["calls", "old"]).printed(0, 0),
        Column::shown("calls_new", Role::New, ["calls", "new"]).printed(0, 0),
        Column::shown("calls_change", Role::Change, ["calls", "change"]).printed(0, 0),
        Column::shown("verdict", Role::Verdict, ["", "verdict"]),
        Column::hidden("failure", Role::Failure),
        Column::shown("caller", Role::Name, ["", "caller"]),
        Column::shown("name", Role::Name, ["", "name"]),
    ];
    let mut rows = RowTable::default();
    let failure = Cell::text("calls: 3 became 5");
    let verdict = Cell::text("more");
    rows.push(
        RowKind::Entry,
        [Integer(3), Integer(5), Integer(2), verdict, failure, name(1), name(0)],
    );
    let section = section(SectionId::DifferenceCalls, columns, rows);
    Section { title: "Which calls differ".into(), layout: Layout::Table, ..section }
}
