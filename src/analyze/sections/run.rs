//! A run in seconds: what of it the samples cover, and what the rest is.

use crate::analyze::run_share::RunShare;
use crate::report::{Cell, Column, Layout, Role, RowKind, RowTable, Section, SectionId};
use crate::symbols::Linkage;

/// The parts of a run. What can have been used without a sample hangs on how the
/// program is linked.
#[must_use]
pub fn run_section(share: &RunShare, linkage: &Linkage) -> Section<'static> {
    let mut rows = RowTable::default();
    let mut push = |part: &str, seconds: f64, is_processor_time: bool, what: String| {
        let of_processor = share.of_processor(seconds).filter(|_| is_processor_time);
        let cells = [
            Cell::text(part),
            Cell::Real(seconds),
            of_processor.map_or(Cell::Absent, Cell::Real),
            share.of_wall(seconds).map_or(Cell::Absent, Cell::Real),
            Cell::text(what),
        ];
        rows.push(RowKind::Entry, cells);
    };
    push(
        "sampled",
        share.sampled,
        true,
        "sampled, in its own code".into(),
    );
    if let Some(unsampled) = share.unsampled() {
        push(
            "unsampled",
            unsampled,
            true,
            places_without_samples(linkage),
        );
    }
    if let Some(kernel) = share.kernel {
        push("kernel", kernel, true, "of these two, in the kernel".into());
    }
    match share.idle() {
        Some(idle) => push("idle", idle, false, "on no processor: waiting".into()),
        None => {
            let what = "not sampled: waiting, or code that is not its own";
            push("uncovered", share.uncovered(), false, what.into());
        }
    }
    let columns = [
        Column::hidden("part", Role::Other),
        Column::shown("seconds", Role::Count, ["", "seconds"]),
        Column::shown("percent_of_processor", Role::Share, ["% of", "processor"]).printed(0, 1),
        Column::shown("percent_of_wall", Role::Share, ["% of", "wall"]).printed(0, 1),
        Column::shown("what", Role::Other, ["", "what"]),
    ];
    Section {
        summary: vec![summary(share)],
        ..Section::new(
            SectionId::Run,
            "Time of the run:",
            Layout::Table,
            columns,
            rows,
        )
    }
}

fn summary(share: &RunShare) -> String {
    let sampled = share.sampled;
    let part = |of: &str, whole: f64, percent: Option<f64>| {
        let percent = percent.map_or(String::new(), |percent| format!("{percent:.0} % of "));
        format!("{percent}{whole:.2} s of {of} time")
    };
    let wall = part("wall", share.wall, share.of_wall(sampled));
    let processor = share.processor;
    let of_processor = processor.map(|whole| {
        let part = part("processor", whole, share.of_processor(sampled));
        format!("{part}, ")
    });
    let of_processor = of_processor.unwrap_or_default();
    format!("Samples cover {sampled:.2} s: {of_processor}{wall}.")
}

/// Where processor time can go that no sample covers. `time` counts the processes that
/// the program started and waited for.
fn places_without_samples(linkage: &Linkage) -> String {
    match &*linkage.libraries {
        [] => "not sampled: processes that it started, the kernel".to_owned(),
        libraries => format!(
            "not sampled: code of {}, processes that it started, the kernel",
            libraries.join(", ")
        ),
    }
}
