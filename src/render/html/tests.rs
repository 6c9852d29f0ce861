//! Pages: their policy, and the escaping of names.

use base64::prelude::{BASE64_STANDARD, Engine};
use sha2::{Digest, Sha256};

use super::{HTML, SCRIPT, SCRIPT_HASH, STYLE, STYLE_HASH};
use crate::render::RenderOptions;
use crate::render::testing::{
    hostile_report, rendered, report, sample_names, sample_report, section,
};
use crate::report::{Cell, Column, NameId, Role, RowKind, RowTable, SectionId};

/// The hash of an element's text, as policies have it.
fn hash(text: &str) -> String {
    BASE64_STANDARD.encode(Sha256::digest(text))
}

#[test]
fn the_policy_has_the_hashes_of_the_script_and_the_style() {
    let hashes = [STYLE, SCRIPT].map(hash);
    assert_eq!([STYLE_HASH, SCRIPT_HASH], [&*hashes[0], &*hashes[1]]);
    assert!(!SCRIPT.contains("</") && !STYLE.contains("</"));
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
