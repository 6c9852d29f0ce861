//! The self costs of functions add up to the totals in the files.

use std::collections::HashMap;

use serde_json::Value;

use super::shown::{Shown, reports};

/// Files whose sum is another, and by how much.
const OTHERS: [(&str, &str, f64); 6] = [
    // They were made by hand, and the totals in them are not their sums.
    ("edge-mm-totals-zero/mlmon.out", "ticks", 212.0),
    ("edge-ok-count/mlmon.out", "entries", 12.0),
    // It has no bins, where blocks of all sizes are counted.
    ("handmade/nobins.out", "bytes", 5445.0),
    ("handmade/nobins.out", "count", 9.0),
    ("handmade/nobins.out", "unfreed-bytes", 328.0),
    ("handmade/nobins.out", "unfreed-count", 5.0),
];

#[test]
fn self_costs_add_up_to_the_totals_in_files() {
    let mut n_checked: HashMap<String, usize> = HashMap::new();
    for shown in reports().filter(|shown| is_whole(shown)) {
        let report: Value = serde_json::from_slice(&shown.json.stdout).expect("it is JSON");
        let Some(flat) = sections(&report, "flat").next() else {
            continue;
        };
        let metrics = report["metrics"].as_array().expect("there are metrics");
        // A function without the primary metric has no row: its other metrics count only if the
        // primary one is the first. Nor do costs outside of functions, if stacks freed more than
        // the bins contain.
        let is_overfreed = shown.name.ends_with("handmade/overfreed.out");
        let is_first = metrics[0]["primary"] == true && !is_overfreed;
        let checked = |metric: &&Value| is_first || metric["primary"] == true;
        for metric in metrics.iter().filter(checked) {
            if check(shown, &report, flat, metric) {
                let id = text(&metric["id"]).to_owned();
                *n_checked.entry(id).or_default() += 1;
            }
        }
    }
    let mut least = HashMap::from([("ticks", 200), ("bytes", 80), ("unfreed-bytes", 60)]);
    least.extend([("entries", 2), ("Ir", 3)]);
    for (metric, least) in least {
        let n_checked = n_checked.get(metric).copied().unwrap_or(0);
        assert!(n_checked >= least, "{n_checked} profiles of {metric}");
    }
}

/// Compares the sum of a metric with the recorded total; false without one.
fn check(shown: &Shown, report: &Value, flat: &Value, metric: &Value) -> bool {
    let Some(stated) = stated(report, metric) else {
        return false;
    };
    let id = text(&metric["id"]);
    let own = |row: &Value| {
        if metric["primary"] == true {
            number(&row["self"])
        } else {
            row["values"][id].as_f64().unwrap_or(0.0)
        }
    };
    let sum: f64 = rows(flat).iter().map(own).sum();
    let known = |(file, of, _): &&(&str, &str, f64)| shown.name.ends_with(file) && id == *of;
    let more = OTHERS.iter().find(known).map_or(0.0, |(.., more)| *more);
    let expected = stated + more;
    let is_sum = (sum - expected).abs() <= 1e-9 * expected.abs().max(1.0);
    assert!(is_sum, "{}: {sum}, not {expected} {id}", shown.name);
    true
}

/// Whether a report omits nothing.
fn is_whole(shown: &Shown) -> bool {
    shown.plan.functions.keep.is_none()
        && shown.plan.filters.is_empty()
        && !shown.plan.functions.no_library
}

fn sections<'r>(report: &'r Value, id: &str) -> impl Iterator<Item = &'r Value> {
    let sections = report["sections"].as_array().expect("there are sections");
    sections.iter().filter(move |section| section["id"] == id)
}

fn rows(section: &Value) -> &[Value] {
    section["rows"].as_array().expect("there are rows")
}

fn text(value: &Value) -> &str {
    value.as_str().expect("it is text")
}

fn number(value: &Value) -> f64 {
    value.as_f64().expect("it is a number")
}

/// All that the files have of a metric, in its unit.
fn stated(report: &Value, metric: &Value) -> Option<f64> {
    let facts: Vec<_> = sections(report, "files").flat_map(rows).collect();
    let sum_of = |record: &str, what: &str| {
        let of_it = |row: &&&Value| row["record"] == record && row["what"] == what;
        let values: Vec<_> = facts.iter().filter(of_it).collect();
        let sum = values.iter().map(|row| number(&row["value"])).sum::<f64>();
        (!values.is_empty()).then_some(sum)
    };
    let unfreed = |what| Some(sum_of("allocated", what)? - sum_of("freed", what)?);
    match text(&metric["id"]) {
        "ticks" if sum_of("histogram", "bins").is_some() => Some(ticks(&facts, metric)),
        "bytes" if sum_of("allocated", "bytes").is_some() => sum_of("allocated", "bytes"),
        "count" => sum_of("allocated", "blocks"),
        "unfreed-bytes" => unfreed("bytes"),
        "unfreed-count" => unfreed("blocks"),
        "ticks" | "bytes" | "entries" => {
            Some(sum_of("totals", "program")? + sum_of("totals", "collector")?)
        }
        event => sum_of("event", event),
    }
}

/// The ticks of all histograms, at the rate of the report. A histogram of unknown rate gets this
/// rate.
fn ticks(facts: &[&Value], metric: &Value) -> f64 {
    let mut ticks = 0.0;
    let mut of_histogram = 0.0;
    for fact in facts.iter().filter(|fact| fact["record"] == "histogram") {
        let value = number(&fact["value"]);
        match text(&fact["what"]) {
            "ticks" => {
                of_histogram = value;
                ticks += value;
            }
            "rate" => {
                let rate = metric["rate"].as_f64().unwrap_or(value);
                ticks += of_histogram * (rate / value - 1.0);
            }
            _ => {}
        }
    }
    ticks
}
