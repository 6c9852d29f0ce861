//! The output conforms to the schema, and reading it gives the same report.

#[path = "../../../tests/support/schema.rs"]
mod schema;

use proptest::prelude::*;
use schema::Schema;
use serde_json::Value;

use super::*;
use crate::render::testing::{
    TestName, coverage_report, difference_report, graph_columns, hostile_report, rendered, report,
    sample_report, section,
};
use crate::render::{RENDERERS, RenderOptions, default_renderer};
use crate::report::{Basis, Cell, Layout, NameId, Role, RowKind, RowTable, SectionId, Source};

fn json(report: &Report) -> String {
    let text = rendered(&JSON, report, &RenderOptions::default());
    String::from_utf8(text).expect("JSON is text")
}

fn value(text: &str) -> Value {
    serde_json::from_str(text).expect("it is JSON")
}

#[track_caller]
fn check_schema(text: &str) {
    Schema::new(SCHEMA).check(&value(text)).expect("the schema allows it");
}

/// Checks that a report that was read shows the same as the one that was written.
#[track_caller]
fn check_read(report: &Report) {
    let text = json(report);
    assert!(is_report(text.as_bytes()));
    let again = read(text.as_bytes()).expect("it was written so");
    assert_eq!(json(&again), text);
    for renderer in RENDERERS {
        for section in &report.sections {
            let options = RenderOptions { section: Some(section.id), ..RenderOptions::default() };
            let [shown, shown_again] = [report, &again].map(|report| {
                let mut out = Vec::new();
                let done = renderer.render(report, &options, &mut out);
                (out, done.err().map(|error| error.to_string()))
            });
            assert_eq!(shown, shown_again, "as {}", renderer.name);
        }
    }
}

#[test]
fn reports_are_as_the_schema_says() {
    for report in [sample_report(), hostile_report(), coverage_report(), difference_report()] {
        check_schema(&json(&report));
    }
}

#[test]
fn the_schema_knows_all_words() {
    let schema = value(SCHEMA);
    let check = |pointer: &str, expected: Vec<&str>| {
        assert_eq!(schema.pointer(pointer), Some(&expected.into()), "at {pointer}");
    };
    let kinds = RowKind::ALL.iter().map(|kind| kind.id()).collect();
    check("/$defs/row/properties/kind/enum", kinds);
    let bases = Basis::ALL.iter().map(|basis| basis.id()).collect();
    check("/$defs/basis/enum", bases);
    let sources = Source::ALL.iter().map(|source| source.id()).collect();
    check("/$defs/source/enum", sources);
    let layouts = Layout::ALL.iter().map(|layout| layout.id()).collect();
    check("/$defs/section/properties/layout/enum", layouts);
    let roles = Role::ALL.iter().map(|role| role.id()).collect();
    check("/$defs/column/properties/role/enum", roles);
    let sections = SectionId::ALL.iter().map(|section| section.id()).collect();
    check("/$defs/section/properties/id/enum", sections);
}

#[test]
fn the_schema_refuses_what_is_none() {
    let schema = Schema::new(SCHEMA);
    let good = json(&sample_report());
    let check = |from: &str, to: &str| {
        assert!(good.contains(from), "{from}");
        assert!(schema.check(&value(&good.replace(from, to))).is_err(), "{to}");
    };
    check("\"version\":1", "\"version\":2");
    check("\"kind\":\"unattributed\"", "\"kind\":\"lost\"");
    check("\"calls\":3", "\"calls\":true");
    check("\"callees\":[]", "\"callees\":[1]");
}

#[test]
fn rows_have_what_belongs_to_them() {
    let text = json(&sample_report());
    let expected = r#"{"schema":"profan-report","version":1,"names":"functions","inputs":[{"path":"gmon.out","kind":"profile","layout":"gmon"},{"path":"prog","kind":"executable","layout":"elf64","build_id":"0123abcd"}],"metrics":[{"id":"bytes","quantity":"time","unit":"bytes","basis":"sampled","total_basis":"propagated"},{"id":"ticks","quantity":"time","unit":"ticks","rate":100,"basis":"sampled","total_basis":"propagated","primary":true}],"diagnostics":[{"code":"no-lines","message":"there are no lines","advice":"compile with `-g`"}],"sections":[
{"id":"flat","title":"A title","layout":"gprof","summary":["100 ticks"],"notes":["\"said\" afterwards"],"columns":[{"id":"self","metric":"ticks","role":"self","head":["self","ticks"],"print":{"width":8,"decimals":2}},{"id":"self_bytes","metric":"bytes","role":"self","head":["",""],"print":null},{"id":"total","metric":"ticks","role":"total","head":["",""],"print":null},{"id":"percent","metric":null,"role":"share","head":["%","time"],"print":{"width":0,"decimals":2}},{"id":"calls","metric":null,"role":"calls","head":["",""],"print":null},{"id":"name","metric":null,"role":"name","head":["","name"],"print":{"width":0,"decimals":2}}],"rows":[
{"self":30,"total":100,"percent":75.0,"calls":3,"name":"ns::work(int)","linkage_name":"_ZN2ns4workEi","file":"src/work.cc","line":12,"address":"0x401000","values":{"bytes":4096}},
{"self":10,"percent":25.0,"name":"main","address":"0x401100","static":true},
{"kind":"unattributed","self":5,"name":"<unattributed>"}
]},
"#;
    assert_eq!(&text[..expected.len()], expected);
    let start = text.find("{\"kind\":\"cycle\"").expect("there is a cycle");
    let cycle = text[start..].lines().next();
    let expected = r#"{"kind":"cycle","index":3,"percent":75.0,"self_seconds":0.3,"total_seconds":0.3,"name":"<cycle 1 as a whole>","cycle":1,"callers":[{"index":1,"percent":75.0,"self":30,"calls":3,"of_calls":3,"name":"main","address":"0x401100","static":true}],"members":[{"index":2,"name":"ns::work(int)","linkage_name":"_ZN2ns4workEi","file":"src/work.cc","line":12,"address":"0x401000","cycle":1}]},"#;
    assert_eq!(cycle, Some(expected));
    let leak = text.lines().find(|line| line.starts_with("{\"self\":64"));
    let leak = value(leak.expect("there is a leak").trim_end_matches(','));
    assert_eq!(leak["inlines"][0]["name"], "helper");
    assert_eq!(leak["frames"][0]["inlines"][1]["name"], "helper");
    assert_eq!(leak["frames"][1]["name"], "helper");
    assert!(text.contains("{\"self\":8,\"name\":\"helper\",\"frames\":[]}"));
}

#[test]
fn lines_are_an_object_each() {
    let text = rendered(&JSON_LINES, &sample_report(), &RenderOptions::default());
    let text = String::from_utf8(text).expect("JSON is text");
    let lines: Vec<_> = text.lines().map(value).collect();
    assert_eq!(lines[0]["format"], "jsonl");
    assert_eq!(lines[1]["section"], "flat");
    assert_eq!(lines[1]["self"], 30);
    let of_graph = lines.iter().filter(|line| line["section"] == "graph");
    let names: Vec<_> = of_graph.map(|line| line["name"].as_str()).collect();
    let expected = ["main", "<cycle 1 as a whole>", "ns::work(int)", "helper"];
    assert_eq!(names, expected.map(Some));
    let error = read(text.as_bytes()).err().expect("lines are not read");
    let expected = "profan cannot read `jsonl` reports; save with --format json";
    assert_eq!(error.to_string(), expected);
}

#[test]
fn a_report_is_read_as_it_was_written() {
    check_read(&sample_report());
    check_read(&hostile_report());
    check_read(&coverage_report());
    check_read(&difference_report());
    check_read(&report(Vec::new(), Vec::new()));
}

/// A row may consist only of subordinate rows.
#[test]
fn rows_without_cells_are_read_as_they_were_written() {
    let n_columns = graph_columns().len();
    for below in [RowKind::Callee, RowKind::Inline, RowKind::Caller] {
        let mut table = RowTable::default();
        for kind in [RowKind::Entry, below, RowKind::Inline, RowKind::Entry, below] {
            table.push(kind, vec![Cell::Absent; n_columns]);
        }
        let sections = vec![section(SectionId::Graph, graph_columns(), table)];
        check_read(&report(Vec::new(), sections));
    }
}

#[test]
fn keys_may_come_in_any_order() {
    let report = sample_report();
    // A map of `serde_json` is in the order of its keys.
    let text = value(&json(&report)).to_string();
    let again = read(text.as_bytes()).expect("order means nothing");
    assert_eq!(json(&again), json(&report));
}

#[test]
fn what_is_not_known_is_left_alone() {
    let text = json(&sample_report());
    let strange = text
        .replace("\"version\":1", "\"version\":1,\"strange\":[{}]")
        .replace("{\"self\":30,", "{\"self\":30,\"strange\":{\"a\":[]},")
        .replace("\"id\":\"graph\"", "\"id\":\"strange\"");
    let report = read(strange.as_bytes()).expect("unknown keys are no damage");
    let sections: Vec<_> = report.sections.iter().map(|section| section.id).collect();
    assert_eq!(sections, [SectionId::Flat, SectionId::Leaks, SectionId::Order]);
}

#[test]
fn damage_is_told_with_its_place() {
    let good = json(&sample_report());
    let check = |from: &str, to: &str, expected: &str| {
        assert!(good.contains(from), "{from}");
        let error = read(good.replacen(from, to, 1).as_bytes()).err();
        let error = error.map(|error| error.to_string());
        assert_eq!(error.as_deref(), Some(expected), "for {to}");
    };
    let check_place = |from: &str, to: &str, line: usize, column: usize, what: &str| {
        let expected = format!("line {line}, column {column}: {what}");
        check(from, to, &expected);
    };
    check(
        "\"version\":1",
        "\"version\":2",
        "report version 2 is newer than the supported version 1",
    );
    check("profan-report", "other", "the key `schema` is not `profan-report`");
    check_place(
        "\"basis\":\"sampled\"",
        "\"basis\":\"guessed\"",
        1,
        300,
        "basis `guessed` is not known",
    );
    check("\"metric\":\"ticks\"", "\"metric\":\"tocks\"", "unknown metric `tocks`");
    check_place("{\"self\":10,", "{\"self\":tru,", 4, 12, "expected ident");
    check_place("{\"self\":10,", "{\"self\":true,", 4, 12, "`true` is not a cell");
    check_place("{\"self\":10,", "{\"self\":1e999,", 4, 13, "number too large");
    check_place(
        "{\"kind\":\"unattributed\",\"self\":5,\"name\":\"<unattributed>\"}",
        "[5]",
        5,
        0,
        "invalid type: sequence, expected a row",
    );
    check_place(
        "\"address\":\"0x401100\"",
        "\"address\":\"401100\"",
        4,
        58,
        "`401100` is not an address",
    );
    check_place(
        "{\"kind\":\"unattributed\"",
        "{\"kind\":\"lost\"",
        5,
        14,
        "kind of row `lost` is not known",
    );
}

#[test]
fn hostile_files_are_errors() {
    let check = |bytes: &[u8]| assert!(read(bytes).is_err());
    check(b"");
    check(b"{}");
    check(b"\xff{");
    let head = "{\"schema\":\"profan-report\",\"version\":1,\"sections\":[";
    check(format!("{head}{}", "[".repeat(1_000_000)).as_bytes());
    let section = "{\"id\":\"flat\",\"title\":\"\",\"columns\":[],\"rows\":[";
    let deep = "{\"callers\":[".repeat(100_000);
    let ends = "]}".repeat(100_000);
    check(format!("{head}{section}{deep}{ends}]}}]}}").as_bytes());
    let column = "{\"id\":\"a\",\"metric\":null,\"role\":\"other\"},".repeat(1000);
    let columns = format!("{{\"id\":\"flat\",\"title\":\"\",\"columns\":[{column}");
    let last = "{\"id\":\"a\",\"metric\":null,\"role\":\"other\"}],\"rows\":[{}]}";
    check(format!("{head}{columns}{last}]}}").as_bytes());
}

#[test]
fn any_number_of_decimals_can_be_shown() {
    let good = json(&sample_report());
    let text = good.replace("\"decimals\":2", "\"decimals\":255");
    // A limit without a format of its own has the decimals of self costs.
    let text = text.replace("\"role\":\"total\"", "\"role\":\"limit\"");
    let report = read(text.as_bytes()).expect("decimals are a number");
    let options = RenderOptions { shows_error: true, ..RenderOptions::default() };
    let shown = rendered(default_renderer(), &report, &options);
    let longest = shown.split(|&byte| byte == b'\n').map(<[u8]>::len).max();
    assert!(longest.is_some_and(|length| (40..200).contains(&length)), "{longest:?}");
}

#[test]
fn any_prefix_is_an_error() {
    let text = json(&hostile_report());
    let whole = text.trim_end().len();
    for end in (0..whole).step_by(7) {
        assert!(read(&text.as_bytes()[..end]).is_err(), "up to {end}");
    }
}

#[test]
fn only_a_report_is_one() {
    assert!(is_report(b" {\n\"a\": 1, \"schema\" : \"profan-report\"}"));
    assert!(is_report(b"\xef\xbb\xbf{\"schema\":\"profan-report\"}"));
    let wide = "\u{feff}{\"schema\":\"profan-report\"}".encode_utf16();
    assert!(is_report(&wide.flat_map(u16::to_be_bytes).collect::<Vec<_>>()));
    assert!(!is_report(b"{\"schema\":\"profan-reports\"}"));
    assert!(!is_report(b"{\"schema\":\"other\"}"));
    assert!(!is_report(b"profan-report"));
}

fn cells() -> impl Strategy<Value = Cell> {
    prop_oneof![
        Just(Cell::Absent),
        any::<i128>().prop_map(Cell::Integer),
        proptest::num::f64::NORMAL.prop_map(Cell::Real),
        any::<Vec<u64>>().prop_map(|counts| Cell::Counts(counts.into())),
        any::<Vec<u8>>().prop_map(Cell::text),
        ".*".prop_map(Cell::text),
        (0..4_u32).prop_map(|id| Cell::Name(NameId(id))),
    ]
}

fn names() -> impl Strategy<Value = TestName> {
    let location = proptest::option::of((any::<Vec<u8>>(), any::<u32>()));
    let name = any::<Vec<u8>>();
    let linkage_name = proptest::option::of(any::<Vec<u8>>());
    let address = any::<Option<u64>>();
    let parts = (name, linkage_name, location, address, any::<bool>());
    parts.prop_map(|(name, linkage_name, location, address, is_static)| TestName {
        name,
        linkage_name,
        location,
        address,
        is_static,
    })
}

fn kinds() -> impl Strategy<Value = RowKind> {
    (0..RowKind::ALL.len()).prop_map(|index| RowKind::ALL[index])
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(if cfg!(debug_assertions) { 8 } else { 64 }))]

    #[test]
    fn any_report_is_read_as_it_was_written(
        rows in prop::collection::vec((kinds(), prop::collection::vec(cells(), 14)), 0..20),
        names in prop::collection::vec(names(), 4),
    ) {
        let mut table = RowTable::default();
        for (kind, mut cells) in rows {
            // Names are in columns of that role only.
            for (cell, column) in cells.iter_mut().zip(graph_columns()) {
                if column.role != Role::Name && matches!(cell, Cell::Name(_)) {
                    *cell = Cell::Absent;
                }
            }
            table.push(kind, cells);
        }
        let report = report(names, vec![section(SectionId::Graph, graph_columns(), table)]);
        check_schema(&json(&report));
        check_read(&report);
    }
}
