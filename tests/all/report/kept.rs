//! A report saved as JSON looks the same when it is shown again.

use profan::render::{self, json};
use profan::report::{NoNames, Report, SectionId, ShortNames};

use super::shown::{Shown, reports};
use crate::support::Outcome;

fn read(shown: &Shown) -> Report {
    let report = json::read(&shown.json.stdout);
    report.unwrap_or_else(|error| panic!("{}: {error}", shown.name))
}

/// Shows a saved report, and compares it with the report of the profile.
fn check(shown: &Shown, report: &Report, format: &str, expected: &Outcome) {
    // A format with a single section shows the requested one.
    let sections = report.sections.iter().map(|section| Some(section.id));
    let mut tries: Vec<Option<SectionId>> = vec![None];
    if format == "csv" {
        tries.extend(sections);
    }
    let tries: Vec<_> = tries
        .into_iter()
        .map(|section| {
            let renderer = render::named(format).expect("there is such a format");
            let mut out = Vec::new();
            let outcome = renderer.render(report, &shown.options(section), &mut out);
            (out, outcome.map_err(|error| error.to_string()))
        })
        .collect();
    let is_same = |(out, outcome): &(Vec<u8>, Result<(), String>)| {
        *out == expected.stdout && outcome.is_ok() == (expected.status == 0)
    };
    if !tries.iter().any(is_same) {
        let (out, outcome) = &tries[0];
        let (kept, first) = (text_of(out), text_of(&expected.stdout));
        let mut lines = first.lines().zip(kept.lines());
        let different = lines.find(|(first, kept)| first != kept);
        panic!("{} as {format}: {different:?} {outcome:?}", shown.name);
    }
}

fn text_of(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

#[test]
fn reports_that_were_read_again_show_the_same() {
    let mut n_pictures = 0;
    for shown in reports() {
        let mut report = read(shown);
        check(shown, &report, "json", &shown.json);
        // All other formats cut long names.
        let whole = std::mem::replace(&mut report.names, Box::new(NoNames));
        report.names = Box::new(ShortNames::new(whole));
        if !shown.is_cut() {
            check(shown, &report, "text", &shown.text);
        }
        if let Some(csv) = &shown.csv {
            check(shown, &report, "csv", csv);
        }
        // A picture needs the call graph, which a default report may lack.
        let mut sections = report.sections.iter();
        let has_graph = sections.any(|section| section.id == SectionId::Graph);
        for dot in shown.dot.iter().filter(|dot| dot.status != 0 || has_graph) {
            check(shown, &report, "dot", dot);
            n_pictures += u32::from(dot.status == 0);
        }
    }
    assert!(n_pictures > 100, "{n_pictures} call graphs were drawn");
}

#[test]
fn a_report_is_an_input_that_prints_the_same_text() {
    let mut n_checked = 0;
    for shown in reports() {
        let Some(again) = &shown.text_of_json else {
            continue;
        };
        // Reversed twice, rows have their original order.
        if shown.plan.rows.reverse {
            continue;
        }
        let (kept, first) = (text_of(&again.stdout), text_of(&shown.text.stdout));
        // Lines around those that a limit selected are not in a saved report.
        if first.contains("@@ lines ") && !shown.plan.rows.choice(false).is_empty() {
            continue;
        }
        let errors = text_of(&again.stderr);
        assert_eq!(kept, first, "{}: {errors}", shown.name);
        n_checked += 1;
    }
    assert!(n_checked > 80, "{n_checked} reports were read");
}
