//! No part is above its whole: shares of at most 100 %, and no total above the sum of self costs,
//! in all sections of all recorded files.

use std::collections::HashMap;

use serde_json::Value;

use crate::inputs::each_input;
use crate::support::run_line;

/// Requests of sections by function and by line.
const REQUESTS: [&str; 2] = ["-p -q --tree --leaks --peak", "-l -p -A -I ."];

#[test]
fn no_section_of_a_recorded_file_has_a_total_above_the_whole() {
    let (mut n_reports, mut above) = (0, Vec::new());
    each_input(&mut |directory, files, scratch| {
        for request in REQUESTS {
            let line = format!("profan {request} --format json {files}");
            let outcome = run_line(&line, b"", scratch.path());
            let report = serde_json::from_slice::<Value>(&outcome.stdout);
            let Some(report) = report.ok().filter(|_| outcome.status == 0) else {
                continue;
            };
            n_reports += 1;
            let parts = parts_above(&report).into_iter();
            above.extend(parts.map(|part| format!("{}: {line}: {part}", directory.display())));
        }
    });
    assert!(n_reports >= 300, "{n_reports} reports were checked");
    assert!(above.is_empty(), "{n_reports} reports:\n{}", above.join("\n"));
}

/// The first cell of each section that is above its whole: a share above 100 %, or a total above
/// the sum of self costs in the flat profile. Empty if costs are negative, as in damaged files.
fn parts_above(report: &Value) -> Vec<String> {
    let sections = report["sections"].as_array().into_iter().flatten();
    let flat = sections.clone().find(|section| section["id"] == "flat").unwrap_or(&Value::Null);
    let own = ids_of_role(flat, "self").into_iter().map(|id| (id, numbers(flat, id)));
    let own: HashMap<_, _> = own.collect();
    if own.values().flatten().any(|&cost| cost < 0.0) {
        return Vec::new();
    }
    let first_of = |section| {
        let shares = ids_of_role(section, "share").into_iter().map(|id| (id, 100.0));
        let totals = ids_of_role(section, "total").into_iter().filter_map(|id| {
            let own = own.get(&*id.replacen("total", "self", 1))?;
            Some((id, own.iter().sum::<f64>()))
        });
        shares.chain(totals).find_map(|(id, most)| {
            let largest = numbers(section, id).into_iter().fold(0.0, f64::max);
            let rounding = 1e-6 * most + 0.005;
            (largest > most + rounding)
                .then(|| format!("{} {id} {largest} of {most}", section["id"]))
        })
    };
    sections.filter_map(first_of).collect()
}

fn ids_of_role<'s>(section: &'s Value, role: &str) -> Vec<&'s str> {
    let columns = section["columns"].as_array().into_iter().flatten();
    let columns = columns.filter(|column| column["role"] == role);
    columns.filter_map(|column| column["id"].as_str()).collect()
}

fn numbers(section: &Value, id: &str) -> Vec<f64> {
    let rows = section["rows"].as_array().into_iter().flatten();
    rows.filter_map(|row| row[id].as_f64()).collect()
}
