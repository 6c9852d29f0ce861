//! Notes before the numbers of a sampled profile: the time that it excludes, and the
//! precision of few samples.

use std::borrow::Cow;

use super::ProgramRef;
use crate::analyze::LargestShare;
use crate::model::Profile;
use crate::report::Metric;
use crate::symbols::{Linkage, System};

/// Maximum number of libraries named in a note.
const MAX_NAMED: usize = 3;

/// Number of samples from which the largest shares are precise to a few percent.
const ENOUGH_SAMPLES: f64 = 200.0;

/// The cost of counting a call in nanoseconds, on a fast machine and a slow one (docs/time.md).
const COST_OF_CALL: [u32; 2] = [4, 11];

/// Minimum share of time worth a message.
const NOTABLE_SHARE: f64 = 0.05;

/// The minimum and maximum time to count calls, if the minimum is notable among other seconds.
pub(super) fn cost_of_calls(n_calls: u64, seconds: f64) -> Option<[f64; 2]> {
    let [least, most] = COST_OF_CALL.map(|cost| n_calls as f64 * f64::from(cost) * 1e-9);
    (least > NOTABLE_SHARE * seconds).then_some([least, most])
}

/// The time of a run that the profile excludes; `None` for static programs, and if profiles
/// of all libraries were given.
pub fn not_included(
    program: ProgramRef<'_>,
    profiled_libraries: &[&str],
    profile: &Profile,
) -> Option<String> {
    let linkage = &program.program.linkage;
    let mut libraries = linkage.project_libraries();
    libraries.retain(|name| !profiled_libraries.contains(name));
    if profiled_libraries.is_empty() {
        let is_left = |name: &&str| !libraries.contains(name);
        let of_system = linkage.libraries.iter().map(String::as_str);
        let of_system: Vec<_> = of_system.filter(is_left).collect();
        libraries.extend(of_system);
    }
    if libraries.is_empty() {
        return None;
    }
    let named = libraries.iter().take(MAX_NAMED);
    let mut parts: Vec<_> = named.map(|name| described(name, linkage, profile)).collect();
    match libraries.len().saturating_sub(MAX_NAMED) {
        0 => {}
        1 => parts.push("1 more library".to_owned()),
        n_more => parts.push(format!("{n_more} more libraries")),
    }
    Some(format!(
        "not included: time in {}, waiting, child processes; --wall says how much",
        parts.join(", ")
    ))
}

/// On Linux, the C library contains mcount.
fn described(name: &str, linkage: &Linkage, profile: &Profile) -> String {
    let is_counting = linkage.system == Some(System::Linux) && name == "libc.so.6";
    if !is_counting || profile.arcs().is_empty() {
        return name.to_owned();
    }
    let sampled = profile.sampled_seconds().unwrap_or(f64::INFINITY);
    match cost_of_calls(profile.n_calls(), sampled).filter(|[least, _]| *least >= 0.01) {
        Some([least, most]) => {
            let [fast, slow] = COST_OF_CALL;
            format!(
                "{name} (which also counts calls: {least:.2} to {most:.2} s, {fast} to {slow} ns \
                 each)"
            )
        }
        None => format!("{name} (which also counts calls)"),
    }
}

/// Says that numbers of calls are lower bounds, if they are.
pub fn least_calls(metric: &Metric) -> Option<String> {
    let sentence = "calls are lower bounds: calls are lost while another thread counts one, or a \
        counter is full";
    metric.has_least_calls().then(|| sentence.to_owned())
}

/// The uncertainty of the largest share, and a cure; `None` with enough samples.
pub fn few_samples(largest: &LargestShare) -> Option<String> {
    let &LargestShare { n_samples, percent, error } = largest;
    let samples = match n_samples.round() {
        1.0 => "1 sample".to_owned(),
        n_samples => format!("{n_samples} samples"),
    };
    let share = if percent + error > 100.0 {
        format!("at least {:.0} %", percent - error)
    } else {
        format!("{percent:.0} % +/- {error:.0}")
    };
    (n_samples < ENOUGH_SAMPLES).then(|| {
        format!(
            "{samples}: the largest share is {share}; run longer, or give the profiles of \
             several runs"
        )
    })
}

/// Maximum number of callers named in a note.
const MAX_CALLERS: usize = 3;

/// Where a requested function is inlined. `callers` have the number of copies in each.
pub fn inlined_function(name: &str, callers: &[(String, u32)], has_samples: bool) -> String {
    let place = |n_copies| if n_copies == 1 { "place" } else { "places" };
    let named = callers.iter().take(MAX_CALLERS);
    let named = named.map(|(name, n)| format!("`{name}` ({n} {})", place(*n)));
    let mut into: Vec<_> = named.collect();
    match callers.len().saturating_sub(MAX_CALLERS) {
        0 => {}
        n_more => into.push(format!("{n_more} more")),
    }
    let samples = if has_samples { "; calls are not counted" } else { ", no samples of its own" };
    format!("`{name}` is inlined into {}{samples}", into.join(", "))
}

/// A function that is mostly inlined code.
#[derive(Debug)]
pub struct InlinedCode<'a> {
    pub function: String,
    /// The percentage of its own time that this code took.
    pub percent: f64,
    /// The inlined function that took most, and its time, where the report does not show it.
    pub largest: Option<(String, f64)>,
    /// The unit of that time.
    pub unit: Cow<'a, str>,
    /// The profile has calls.
    pub has_calls: bool,
}

/// Names inlined code that the report does not show, or the calls that it replaced.
pub fn inlined_code(code: &InlinedCode<'_>) -> Option<String> {
    let InlinedCode { function, percent, .. } = code;
    let fact = format!("{percent:.0} % of {function} is inlined code");
    let fact = match &code.largest {
        Some((name, time)) => {
            format!("{fact}: {name} {time:.2} {}; --inlines shows it", code.unit)
        }
        None if code.has_calls => return None,
        None => fact,
    };
    Some(if code.has_calls { fact } else { format!("no call graph, because {fact}") })
}
