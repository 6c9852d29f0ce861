//! A run in seconds: covered by samples, and the rest.

use super::table::Columns;
use crate::analyze::run_share::RunShare;
use crate::report::Role::{Count, Other, Share};
use crate::report::{Section, SectionId};
use crate::symbols::Linkage;

/// The parts of a run. The linkage of a program determines where time without samples can be.
/// Times of the report may have been scaled.
pub fn run_section(share: &RunShare, linkage: &Linkage, scale: Option<f64>) -> Section {
    let part = |part, seconds, is_processor_time, what: &str| TimePart {
        part,
        seconds,
        is_processor_time,
        what: what.to_owned(),
    };
    let mut parts = vec![part("sampled", share.sampled, true, "sampled: the code of the program")];
    if let Some(unsampled) = share.unsampled() {
        let what = places_without_samples(linkage);
        parts.push(part("unsampled", unsampled, true, &what));
    }
    if let Some(kernel) = share.kernel {
        parts.push(part("kernel", kernel, true, "kernel time, included above"));
    }
    parts.push(match share.idle() {
        Some(idle) => part("idle", idle, false, "waiting (no CPU)"),
        None => {
            let what = "not sampled: waiting, or code outside the program";
            part("uncovered", share.uncovered(), false, what)
        }
    });
    let columns = Columns::<TimePart>::new()
        .hidden(Other, "part", |row| row.part)
        .named(Count, "seconds", |row| row.seconds)
        .shown(Share, "percent_of_processor", ["% of", "CPU"], |row| {
            let percent = share.of_processor(row.seconds);
            percent.filter(|_| row.is_processor_time)
        })
        .printed(0, 1)
        .shown(Share, "percent_of_wall", ["% of", "wall"], |row| share.of_wall(row.seconds))
        .printed(0, 1)
        .named(Other, "what", |row| row.what.clone());
    Section {
        summary: std::iter::once(summary(share))
            .chain(scale.map(|factor| {
                format!("All other times are multiplied by {factor:.3}, to add up to the CPU time.")
            }))
            .collect(),
        ..columns.table(SectionId::Run, "Time of the run:", parts)
    }
}

struct TimePart {
    part: &'static str,
    seconds: f64,
    is_processor_time: bool,
    what: String,
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
        let part = part("CPU", whole, share.of_processor(sampled));
        format!("{part}, ")
    });
    let of_processor = of_processor.unwrap_or_default();
    format!("Samples cover {sampled:.2} s: {of_processor}{wall}.")
}

/// Where processor time without samples can be. `time` includes child processes that the
/// program waited for.
fn places_without_samples(linkage: &Linkage) -> String {
    match &*linkage.libraries {
        [] => "not sampled: child processes, the kernel".to_owned(),
        libraries => {
            format!("not sampled: code of {}, child processes, the kernel", libraries.join(", "))
        }
    }
}
