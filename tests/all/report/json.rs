//! JSON is what the schema says, and the same every time.

use profan::render;
use serde_json::Value;

use super::shown::{all, reports};

#[test]
fn every_profile_has_a_report() {
    let n_reports = reports().count();
    assert!(n_reports > 500, "{n_reports} of {}", all().len());
}

#[test]
fn reports_in_json_are_as_the_schema_says() {
    let schema = serde_json::from_str(render::schema()).expect("the schema is JSON");
    let schema = jsonschema::validator_for(&schema).expect("it is a schema");
    for shown in reports() {
        let report: Value = serde_json::from_slice(&shown.json[0].stdout)
            .unwrap_or_else(|error| panic!("{}: {error}", shown.name));
        if let Some(error) = schema.iter_errors(&report).next() {
            panic!("{}: {error} at {}", shown.name, error.instance_path());
        }
    }
}

#[test]
fn the_same_command_prints_the_same_json() {
    for shown in all() {
        let [first, second] = &shown.json;
        assert_eq!(first.status, second.status, "{}", shown.name);
        assert!(first.stdout == second.stdout, "{}", shown.name);
        assert!(first.stderr == second.stderr, "{}", shown.name);
    }
}

#[test]
fn a_format_changes_neither_the_status_nor_what_is_odd() {
    for shown in all() {
        let json = &shown.json[0];
        assert_eq!(json.status, shown.text.status, "{}", shown.name);
        assert!(json.stderr == shown.text.stderr, "{}", shown.name);
    }
}
