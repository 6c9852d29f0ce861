//! Tallies of reports that were kept.

use std::collections::HashMap;

use super::reading::{NameKey, Reading, amount};
use super::{CostArc, FunctionCosts};
use crate::report::{Cell, Metric, Report, RowKind, Section, SectionId};

/// Why a report does not say what each function costs.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum NotComparable {
    /// It has no flat profile.
    #[error("it has no flat profile")]
    NoFlat,
    /// Only some functions are asked for.
    #[error("it is as it was made, so that no functions can be chosen of it")]
    Unfiltered,
    /// One is by function, the other by line.
    #[error("of functions and lines it has one, and the other is asked for")]
    OtherRows,
    /// Some functions are added up in one row.
    #[error("it has only some of the functions, and one row for all others")]
    Partial,
}

impl FunctionCosts {
    /// The runs of a report that was kept: those of [`super::runs_section`], or else its flat
    /// profile as one.
    ///
    /// # Errors
    /// When it has neither.
    pub fn of_report(report: &Report<'_>) -> Result<Vec<Self>, NotComparable> {
        let section = |id| report.sections.iter().find(|section| section.id == id);
        let of_runs = section(SectionId::Runs).or_else(|| section(SectionId::Flat));
        let of_runs = of_runs.ok_or(NotComparable::NoFlat)?;
        let mut reading = Reading::new(report, of_runs);
        // Nothing is written, so nothing fails.
        let _ = of_runs.rows.for_each(&mut |row| {
            reading.add(&row);
            Ok(())
        });
        if reading.is_partial {
            return Err(NotComparable::Partial);
        }
        let graph = section(SectionId::Graph).filter(|_| of_runs.id == SectionId::Flat);
        match graph {
            Some(graph) => reading.add_entries(graph),
            None if of_runs.id == SectionId::Flat => reading.drop_shared_totals(report),
            None => {}
        }
        let numbers = std::mem::take(&mut reading.numbers);
        let mut tallies = reading.finish(report);
        if let ([tally], Some(graph)) = (&mut tallies[..], graph) {
            tally.arcs = arcs_of(graph, &numbers);
            tally.has_arcs = !tally.arcs.is_empty();
        }
        Ok(tallies)
    }
}

/// The metric in the unit in which people read it.
pub(super) fn in_seconds(metric: &Metric) -> Metric {
    let is_timed = metric.rate.is_some() && metric.unit == "ticks";
    Metric {
        unit: match &*metric.quantity {
            // A gmon.out may have sampled something else than time.
            quantity if is_timed && metric.id == "ticks" && quantity != "time" => {
                metric.quantity.clone()
            }
            _ if is_timed => "seconds".into(),
            _ => metric.unit.clone(),
        },
        ..metric.clone()
    }
}

/// The calls below the entries of a call graph.
fn arcs_of(graph: &Section<'_>, numbers: &HashMap<NameKey, u32>) -> Box<[CostArc]> {
    let column = |id| graph.column(id);
    let (Some(name), calls, total) = (column("name"), column("calls"), column("total")) else {
        return Box::default();
    };
    let mut arcs = Vec::new();
    let mut caller = None;
    // Nothing is written, so nothing fails.
    let _ = graph.rows.for_each(&mut |row| {
        let key = NameKey::of(&row.cells[name]);
        let number = key.and_then(|key| numbers.get(&key).copied());
        let cell = |place: Option<usize>| place.map_or(&Cell::Absent, |place| &row.cells[place]);
        match (row.kind, number) {
            (RowKind::Callee, Some(callee)) if caller.is_some() => arcs.push(CostArc {
                caller,
                callee,
                calls: match cell(calls) {
                    Cell::Integer(calls) => u64::try_from(*calls).ok(),
                    _ => None,
                },
                total: match cell(total) {
                    Cell::Absent => None,
                    total => Some(amount(total)),
                },
            }),
            (RowKind::Caller | RowKind::Callee, _) => {}
            (_, number) => caller = number,
        }
        Ok(())
    });
    arcs.sort_by_key(|arc| (arc.caller, arc.callee));
    arcs.into()
}
