//! Where the values of a profile come from, and how they are derived.

use super::{Finding, Status};
use crate::analyze::source_of;
use crate::model::{Profile, ValueMetric, ValueSource};
use crate::symbols::Program;

/// `profan -i` lists further values.
const N_SHOWN: usize = 12;

const THREADS_LOSE_CALLS: &str = "calls are lower bounds: the program starts threads, and calls \
    are lost while another thread counts one";

/// A finding for each value: its unit, its source, and its derivation.
pub fn inspect_values(profile: &Profile, program: Option<&Program>) -> Vec<Finding> {
    let finding = |sentence: &str| Finding::new(Status::Good, "value", sentence);
    if profile.kind.is_some_and(|kind| kind.is_by_address) {
        if profile.arcs().is_empty() {
            return vec![finding("time: samples of addresses; totals are unknown without calls")];
        }
        let calls = match program {
            _ if profile.calls_source != ValueSource::Counted => {
                Finding::new(Status::Note, "value", "calls are lower bounds: a counter is full")
            }
            Some(program) if program.linkage.starts_threads => {
                Finding::new(Status::Note, "value", THREADS_LOSE_CALLS)
            }
            Some(_) => finding("calls: counted; the program itself starts no threads"),
            None => finding("calls: counted; in a program with threads some may be missing"),
        };
        return vec![
            finding("time: samples of addresses; totals are propagated along calls"),
            calls,
        ];
    }
    let metrics = &profile.costs.metrics;
    let mut findings: Vec<_> = metrics.iter().take(N_SHOWN).map(of_metric).collect();
    if metrics.len() > N_SHOWN {
        let n_more = metrics.len() - N_SHOWN;
        findings.push(finding(&format!("{n_more} more, which `profan -i` lists")));
    }
    findings
}

fn of_metric(metric: &ValueMetric) -> Finding {
    let id = String::from_utf8_lossy(&metric.name.id);
    let unit = metric.unit.filter(|unit| *unit != id);
    let unit = unit.map_or_else(String::new, |unit| format!(" in {unit}"));
    let source = source_of(metric.source).words();
    let level =
        if metric.is_level { "; in use at one time, so several times do not add up" } else { "" };
    let is_known = !matches!(metric.source, ValueSource::Unknown | ValueSource::Measured);
    let status = if is_known { Status::Good } else { Status::Note };
    Finding::new(status, "value", format!("{id}{unit}: {source}; recorded in the file{level}"))
}
