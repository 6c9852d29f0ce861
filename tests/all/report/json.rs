//! JSON conforms to the schema, and is the same every time.

use profan::render;
use serde_json::Value;

use crate::schema::Schema;
use crate::support::Outcome;

use super::shown::{all, reports};

#[test]
fn every_profile_has_a_report() {
    let n_reports = reports().count();
    assert!(n_reports > 500, "{n_reports} of {}", all().len());
}

#[test]
fn reports_in_json_are_as_the_schema_says() {
    let schema = Schema::new(render::schema());
    for shown in reports() {
        let report: Value = serde_json::from_slice(&shown.json.stdout)
            .unwrap_or_else(|error| panic!("{}: {error}", shown.name));
        if let Err(why) = schema.check(&report) {
            panic!("{}: {why}", shown.name);
        }
    }
}

#[test]
fn a_format_changes_neither_status_nor_warnings() {
    // JSON keeps the names that text shortens.
    let shortens = |text: &Outcome| String::from_utf8_lossy(&text.stderr).contains("[W046]");
    for shown in all().iter().filter(|shown| !shortens(&shown.text)) {
        let json = &shown.json;
        assert_eq!(json.status, shown.text.status, "{}", shown.name);
        assert!(json.stderr == shown.text.stderr, "{}", shown.name);
    }
}
