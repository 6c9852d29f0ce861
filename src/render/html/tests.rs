//! Pages: their policy, and the escaping of names.

use base64::prelude::{BASE64_STANDARD, Engine};
use sha2::{Digest, Sha256};

use super::{HTML, SCRIPT, SCRIPT_HASH, STYLE, STYLE_HASH, script};
use crate::render::RenderOptions;
use crate::render::testing::{
    TestName, hostile_report, rendered, report, sample_names, sample_report, section,
};
use crate::report::{Cell, Column, NameId, Role, RowKind, RowTable, SectionId};

/// The hash of an element's text, as policies have it.
fn hash(text: &str) -> String {
    BASE64_STANDARD.encode(Sha256::digest(text))
}

#[test]
fn the_policy_has_the_hashes_of_the_script_and_the_style() {
    let hashes = [STYLE, &script()].map(hash);
    assert_eq!([STYLE_HASH, SCRIPT_HASH], [&*hashes[0], &*hashes[1]]);
    assert!(!SCRIPT.contains("</") && !STYLE.contains("</"));
}

#[test]
fn the_script_is_small_and_its_lines_are_short() {
    assert!(script().len() <= 110 << 10, "{} bytes", script().len());
    let long = SCRIPT.lines().find(|line| line.chars().count() > 120);
    assert_eq!(long, None);
}

#[test]
fn names_are_strings_and_never_markup() {
    let page = rendered(&HTML, &hostile_report(), &RenderOptions::default());
    let page = String::from_utf8(page).expect("a page is UTF-8");
    let start = page.find("id=\"data\">").expect("it has data") + "id=\"data\">".len();
    let data = &page[start..];
    let data = &data[..data.find("</script>").expect("the data end")];
    assert!(!data.contains('<'));
    let value: serde_json::Value = serde_json::from_str(data).expect("data are JSON");
    let texts = value["texts"].as_array().expect("it has texts");
    let has = |text: &str| texts.iter().any(|one| one == text);
    assert!(has("a<b>&lt;&amp;</b>"), "{texts:?}");
    assert!(has("\\xff\\xfe"), "{texts:?}");
    assert!(page.matches("<script").count() == 2);
}

#[test]
fn cells_are_columns_of_blocks() {
    let page = rendered(&HTML, &sample_report(), &RenderOptions::default());
    let page = String::from_utf8(page).expect("a page is UTF-8");
    let flat = page.lines().find(|line| line.contains("\"kinds\":\"009"));
    let expected = "{\"kinds\":\"008\",\"cells\":[\"30,10,5\",\"4096,,\",\"100,,\",\"75.0,25.0,\",\
                    \"3,,\",\"@0,@1,@2\"],\"shown\":[\"\",\"\",\"\",\"\",\"\",\"\"]}";
    assert!(page.contains(expected), "{flat:?}");
}

#[test]
fn numbers_are_shown_in_units_as_on_a_screen() {
    let columns = [
        Column::shown("self_seconds", Role::SelfValue, ["self", "seconds"]),
        Column::shown("self_per_call", Role::PerCall, ["self", "ms/call"]),
        Column::shown("calls", Role::Calls, ["", "calls"]),
        Column::shown("live", Role::Count, ["in use", "bytes"]),
        Column::shown("name", Role::Name, ["", "name"]),
    ];
    let mut rows = RowTable::default();
    let cells = |time, per_call, calls, bytes| {
        [Cell::Real(time), Cell::Real(per_call), Cell::Integer(calls), Cell::Integer(bytes)]
    };
    let name = |id| [Cell::Name(NameId(id))];
    rows.push(RowKind::Entry, cells(0.38, 3.8e-6, 100_000_000, 17_675).into_iter().chain(name(0)));
    rows.push(RowKind::Entry, cells(1.5, 10.0, 3, 4).into_iter().chain(name(1)));
    let report = report(sample_names(), vec![section(SectionId::Flat, columns, rows)]);
    let page = rendered(&HTML, &report, &RenderOptions::default());
    let page = String::from_utf8(page).expect("a page is UTF-8");
    let expected = "\"shown\":[\"380 ms|1.50 s\",\"3.80 ns|10.0 ms\",\"100,000,000|\",\
                    \"17.3 KiB|4 B\",\"\"]";
    assert!(page.contains(expected));
}

#[test]
fn long_names_have_short_ones_that_differ_and_running_sums_are_left_out() {
    let tree = "std::_Rb_tree<std::basic_string<char>, std::pair<std::basic_string<char> const, \
                ns::Value>, std::less<std::basic_string<char> >>";
    let parameters = ["int", "std::basic_string<char> const&"];
    let long = parameters.map(|one| format!("{tree}::_M_erase({one})").into_bytes());
    let names = long.map(|name| TestName { name, ..TestName::default() });
    let columns = [
        Column::shown("cumulative", Role::Cumulative, ["cumulative", ""]),
        Column::shown("name", Role::Name, ["", "name"]),
    ];
    let mut rows = RowTable::default();
    for id in 0..2 {
        rows.push(RowKind::Entry, [Cell::Integer(7), Cell::Name(NameId(id))]);
    }
    let report = report(names.into(), vec![section(SectionId::Flat, columns, rows)]);
    let page = rendered(&HTML, &report, &RenderOptions::default());
    let page = String::from_utf8(page).expect("a page is UTF-8");
    assert!(page.contains("\"cells\":[\"\",\"@0,@1\"]"));
    let data = page.split_once("id=\"data\">").and_then(|(_, data)| data.split_once("</script>"));
    let data = data.expect("a page has data").0;
    let data: serde_json::Value = serde_json::from_str(data).expect("data are JSON");
    let short = data["names"][5].as_str().expect("it has short names").split(',');
    let short = short.map(|number| &data["texts"][number.parse::<usize>().expect("a number")]);
    let short: Vec<_> = short.filter_map(serde_json::Value::as_str).collect();
    assert_ne!(short[0], short[1]);
    for name in short {
        assert!(name.len() <= 72 && name.contains("_M_erase"), "{name}");
    }
}
